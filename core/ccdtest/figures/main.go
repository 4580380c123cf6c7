// Command figures prints what docs/architecture.md wants to be small: the members of the largest
// types, conditions on a mode, imports that run up between the files of a package, the files that a
// call goes through, lines, and comments that cannot be read alone. Run it before and after a
// refactoring.
//
//	go run ./core/ccdtest/figures       print the figures
//	go run ./core/ccdtest/figures -v    and list the conditions and the imports that it counts
//
// main.go prints. modes.go has the modes and counts conditions on them, files.go counts imports
// that run up, walk.go follows a call, and lines.go counts lines and comments.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"slices"

	"ccd/core/ccdtest/source"
)

func main() {
	verbose := flag.Bool("v", false, "list what is counted")
	root := flag.String("root", ".", "the folder of the module")
	flag.Parse()
	if err := print(*root, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// newLoader returns a loader that knows what the names in the bodies of functions mean.
func newLoader(root string) *source.Loader {
	l := source.NewLoader(root)
	l.Bodies = true
	l.Info = types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	return l
}

// print prints all figures.
func print(root string, verbose bool) error {
	l := newLoader(root)
	for _, name := range []string{"step", "broad", "exact", "patch"} {
		list, err := packagesBelow(l, "core/"+name)
		if err != nil {
			return err
		}
		fmt.Printf("core/%s\n", name)
		printTypes(list)
		printModes(l, list, modes[name], verbose)
		printUp(l, list, verbose)
		for _, begin := range begins[name] {
			printWalk(l, list, begin, verbose)
		}
	}
	return printLines(root)
}

// printTypes prints the types of the packages with the most members.
func printTypes(list []*source.Package) {
	type large struct {
		name string
		source.Members
	}
	var all []large
	for _, p := range list {
		for _, named := range p.Named() {
			all = append(all, large{p.Path + "." + named.Obj().Name(), source.MembersOf(named)})
		}
	}
	slices.SortStableFunc(all, func(a, b large) int {
		return cmp.Compare(b.Fields+b.Methods, a.Fields+a.Methods)
	})
	for _, t := range all[:min(3, len(all))] {
		fmt.Printf("  type %s: %d fields, %d methods, %d hidden members\n", t.name, t.Fields, t.Methods, len(t.Hidden))
	}
}
