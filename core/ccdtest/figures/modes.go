package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ccd/core/ccdtest/source"
)

// mode is a way for a call to go. A condition on it has a name, of a field, a variable, a function
// or a type, that names matches.
type mode struct {
	name  string
	names *regexp.Regexp
}

// modes are those of the packages below core. A name counts in whole, without regard to the case of
// its first letter.
var modes = map[string][]mode{
	"step": {
		modeOf("device", `device|remote|devices?Of|windows?|isDevice`),
		modeOf("curved paths", `moves|curved|motion|paths|hulls|parts?|midlines?|spans?|isCurved`),
		modeOf("memory limit", `memoryLimit|limited|limit|budget|portions?`),
		modeOf("slab", `slabs?`),
		modeOf("region", `regions?|inRegion`),
		modeOf("check of the start", `checkStart|startCheck|checking|atStart`),
		modeOf("given pairs", `candidates|given|near|isGiven`),
		modeOf("changed vertices", `changed|kept|keeps`),
		modeOf("brute force", `bruteForce|brute`),
		modeOf("order of the mesh", `ordered|order|useOrder`),
		modeOf("method", `exact|method|unique|conservative`),
	},
	"broad": {
		modeOf("device", `device|remote|windows?`),
		modeOf("ordered", `ordered|order|placed`),
		modeOf("few", `few|isFew`),
		modeOf("memory limit", `memoryLimit|limited|limit|budget`),
		modeOf("directions", `directions?|spheres?`),
		modeOf("region", `regions?|owns`),
		modeOf("slab", `slabs?`),
		modeOf("still", `still|static|changed|moved`),
		modeOf("pieces", `pieces|divided?|sliced|slices|slicing`),
		modeOf("given pairs", `given|reuse`),
		modeOf("curved paths", `hulls|motion|moves|midlines?|parts`),
	},
}

func modeOf(name, names string) mode {
	return mode{name, regexp.MustCompile(`^(?i:` + names + `)$`)}
}

// condition is a place where a mode decides how a call goes.
type condition struct {
	file string
	line int
	text string
}

// printModes prints how many lines of the packages have a condition on each mode, and in how many
// files.
func printModes(l *source.Loader, list []*source.Package, modes []mode, verbose bool) {
	sum := 0
	for _, m := range modes {
		found := conditionsOn(l, list, m.names)
		files := map[string]bool{}
		for _, c := range found {
			files[c.file] = true
		}
		sum += len(found)
		fmt.Printf("  conditions on %s: %d lines in %d files (names: %s)\n", m.name, len(found), len(files), m.names)
		for _, c := range found {
			if verbose {
				fmt.Printf("    %s:%d: %s\n", c.file, c.line, c.text)
			}
		}
	}
	if len(modes) > 0 {
		fmt.Printf("  conditions on modes: %d\n", sum)
	}
}

// conditionsOn returns the lines on which a name decides: within the condition of an if, a for or a
// case without a tag, within the tag of a switch, or beside one of the operators ! && ||.
func conditionsOn(l *source.Loader, list []*source.Package, names *regexp.Regexp) []condition {
	seen := map[condition]bool{}
	var found []condition
	enter := func(file string, e ast.Expr) {
		if e == nil {
			return
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			if id, ok := n.(*ast.Ident); ok && names.MatchString(id.Name) && !isPackage(l, id) {
				c := condition{file, l.Fset.Position(id.Pos()).Line, id.Name}
				key := condition{c.file, c.line, ""}
				if !seen[key] {
					seen[key] = true
					found = append(found, c)
				}
			}
			return true
		})
	}
	for _, p := range list {
		for i, file := range p.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				for _, e := range deciding(n) {
					enter(p.Names[i], e)
				}
				return true
			})
		}
	}
	slices.SortFunc(found, func(a, b condition) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	return found
}

// isPackage reports whether a name is that of a package, which decides nothing.
func isPackage(l *source.Loader, id *ast.Ident) bool {
	_, ok := l.Info.Uses[id].(*types.PkgName)
	return ok
}

// deciding returns the expressions of a node that decide which statements run, or a truth value.
func deciding(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.IfStmt:
		return []ast.Expr{n.Cond}
	case *ast.ForStmt:
		return []ast.Expr{n.Cond}
	case *ast.SwitchStmt:
		var list []ast.Expr
		if n.Tag == nil {
			for _, s := range n.Body.List {
				list = append(list, s.(*ast.CaseClause).List...)
			}
		}
		return append(list, n.Tag)
	case *ast.TypeSwitchStmt:
		var list []ast.Expr
		for _, s := range n.Body.List {
			list = append(list, s.(*ast.CaseClause).List...)
		}
		return list
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			return []ast.Expr{n}
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			return []ast.Expr{n}
		}
	}
	return nil
}

// packagesBelow loads the package in a folder and those in the folders below it.
func packagesBelow(l *source.Loader, folder string) (list []*source.Package, err error) {
	err = filepath.WalkDir(filepath.Join(l.Root, folder), func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_") {
			return filepath.SkipDir
		}
		at, err := filepath.Rel(l.Root, dir)
		if err != nil {
			return err
		}
		p, err := l.Load(path.Join(source.Module, filepath.ToSlash(at)))
		if none := (*build.NoGoError)(nil); errors.As(err, &none) {
			return nil
		}
		list = append(list, p)
		return err
	})
	return list, err
}
