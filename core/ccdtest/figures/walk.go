package main

import (
	"fmt"
	"go/ast"
	"go/types"

	"ccd/core/ccdtest/source"
)

// begins are the functions whose calls are followed, by the name of the package.
var begins = map[string][]string{
	"step":  {"(*least).block", "Earliest"},
	"broad": {"(*cells).sweep", "(*Plan).Build"},
	"exact": {"(*Resolver).Until"},
}

// walk is the way of a call through the functions of some packages, each function once, in the
// order of the calls in the text. Calls of function values and of interfaces are not followed.
type walk struct {
	bodies map[*types.Func]body
	seen   map[*types.Func]bool
	stops  []string // stops are the functions.
	files  map[string]bool
	file   string // file is that of the last stop.
	back   int    // back counts the stops that return to a file that was left.
	depth  int    // depth is the length of the longest chain of calls.
}

// body is a function and the file that declares it.
type body struct {
	decl *ast.FuncDecl
	file string
}

// printWalk prints how long the way of a function's calls is.
func printWalk(l *source.Loader, list []*source.Package, begin string, verbose bool) {
	w, ok := walkFrom(l, list, begin)
	if !ok {
		fmt.Printf("  no function %s: give figures another begin\n", begin)
		return
	}
	fmt.Printf("  from %s: %d functions in %d files, %d returns to a file, %d calls deep\n",
		begin, len(w.stops), len(w.files), w.back, w.depth)
	for _, s := range w.stops {
		if verbose {
			fmt.Printf("    %s\n", s)
		}
	}
}

// walkFrom follows the calls of a function, and reports whether there is one of this name.
func walkFrom(l *source.Loader, list []*source.Package, begin string) (w walk, ok bool) {
	w = walk{bodies: map[*types.Func]body{}, seen: map[*types.Func]bool{}, files: map[string]bool{}}
	var first *types.Func
	for _, p := range list {
		for i, file := range p.Files {
			for _, d := range file.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Body == nil {
					continue
				}
				f, ok := l.Info.Defs[d.Name].(*types.Func)
				if !ok {
					continue
				}
				w.bodies[f] = body{d, p.Names[i]}
				if nameOf(f) == begin && first == nil {
					first = f
				}
			}
		}
	}
	if first == nil {
		return w, false
	}
	w.follow(l, first, 1)
	return w, true
}

// nameOf returns the name of a function, with its receiver.
func nameOf(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	star, t := "", recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		star, t = "*", p.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		return "(" + star + named.Obj().Name() + ")." + f.Name()
	}
	return f.Name()
}

// follow enters a function and what it calls.
func (w *walk) follow(l *source.Loader, f *types.Func, depth int) {
	b, ok := w.bodies[f.Origin()]
	if !ok || w.seen[f.Origin()] {
		return
	}
	w.seen[f.Origin()] = true
	w.depth = max(w.depth, depth)
	w.stops = append(w.stops, b.file+" "+nameOf(f.Origin()))
	if b.file != w.file && w.files[b.file] {
		w.back++
	}
	w.files[b.file], w.file = true, b.file
	ast.Inspect(b.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if called, ok := l.Info.Uses[id].(*types.Func); ok {
			w.follow(l, called, depth+1)
		}
		return true
	})
}
