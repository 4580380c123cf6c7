package main

import (
	"fmt"
	"go/ast"
	gc "go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// bounds are the untyped numeric constants of simd, by name. They are defined there alone, with their derivations.
var bounds = readBounds("..")

func readBounds(dir string) map[string]float64 {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		panic(fmt.Sprintf("no files of simd in %s: %v", dir, err))
	}
	found := map[string]float64{}
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		file, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			panic(err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				for _, s := range g.Specs {
					readConstants(fset, s.(*ast.ValueSpec), found)
				}
			}
		}
	}
	return found
}

// readConstants adds the constants of one line whose values are literals and operators.
func readConstants(fset *token.FileSet, s *ast.ValueSpec, found map[string]float64) {
	for i, e := range s.Values {
		v, err := types.Eval(fset, nil, token.NoPos, types.ExprString(e))
		if err != nil || v.Value == nil {
			continue // of another constant, or not a number
		}
		if x := gc.ToFloat(v.Value); x.Kind() == gc.Float {
			found[s.Names[i].Name], _ = gc.Float64Val(x)
		}
	}
}

// bound is a constant of simd in every lane.
func (p *program) bound(name string) value {
	if p.single {
		name += "32"
	}
	x, ok := bounds[name]
	if !ok {
		panic("simd has no constant " + name)
	}
	v := p.constant(x)
	p.ops[v].name = name
	return v
}
