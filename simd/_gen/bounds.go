package main

import (
	"fmt"
	"go/ast"
	gc "go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// bounds has the untyped numeric constants of simd's packages, by name; names of exported ones
// begin in lower case here. The packages define and derive them.
var bounds = readBounds("..")

// boundFiles are the files that define them, in the folder of simd.
var boundFiles = map[string]string{}

// asked is called with the name of every constant that a program uses: for a test.
var asked = func(string) {}

func readBounds(dir string) map[string]float64 {
	var names []string
	for _, pattern := range []string{"*/*.go", "internal/*/*.go"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) == 0 {
			panic(fmt.Sprintf("no files of simd in %s: %v", dir, err))
		}
		names = append(names, found...)
	}
	found := map[string]float64{}
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, filepath.Join(dir, "_gen")) {
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
					short := filepath.ToSlash(strings.TrimPrefix(name, dir+string(filepath.Separator)))
					readConstants(fset, s.(*ast.ValueSpec), found, short)
				}
			}
		}
	}
	return found
}

// readConstants adds the constants of one line of a file whose values are literals and operators.
func readConstants(fset *token.FileSet, s *ast.ValueSpec, found map[string]float64, file string) {
	for i, e := range s.Values {
		v, err := types.Eval(fset, nil, token.NoPos, types.ExprString(e))
		if err != nil || v.Value == nil {
			continue // The value is another constant, or no number.
		}
		if x := gc.ToFloat(v.Value); x.Kind() == gc.Float {
			name := s.Names[i].Name
			name = strings.ToLower(name[:1]) + name[1:]
			value, _ := gc.Float64Val(x)
			if old, ok := found[name]; ok && old != value {
				value = math.NaN() // Two packages have a constant of this name: it is no bound.
			}
			found[name], boundFiles[name] = value, file
		}
	}
}

// bound returns a constant of simd in every lane.
func (p *program) bound(name string) value {
	if p.single {
		name += "32"
	}
	x, ok := bounds[name]
	if !ok || x != x {
		panic("simd has no constant, or several, of the name " + name)
	}
	asked(name)
	v := p.constant(x)
	p.ops[v].name = name
	return v
}
