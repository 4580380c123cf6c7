package main

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"ccd/core/ccdtest/source"
)

// printUp prints how many imports between the files of each package run up.
func printUp(l *source.Loader, list []*source.Package, verbose bool) {
	for _, p := range list {
		uses := usesOf(l, p)
		up := upwards(uses, orderOf(uses))
		fmt.Printf("  %s: %d files, %d imports between them, %d of them run up\n",
			p.Path, len(p.Files), uses.count(), len(up))
		for _, e := range up {
			if verbose {
				fmt.Printf("    %s uses %s\n", p.Names[e[0]], p.Names[e[1]])
			}
		}
	}
}

// graph has for every file of a package those that it uses: whose names it reads.
type graph []map[int]bool

func (g graph) count() (n int) {
	for _, uses := range g {
		n += len(uses)
	}
	return n
}

// usesOf returns which files of a package read names that others declare.
func usesOf(l *source.Loader, p *source.Package) graph {
	at := map[string]int{}
	g := make(graph, len(p.Files))
	for i, file := range p.Files {
		at[l.Fset.Position(file.Pos()).Filename] = i
		g[i] = map[int]bool{}
	}
	for id, object := range l.Info.Uses {
		if object.Pkg() != p.Types || !shared(object) {
			continue
		}
		from, ok := at[l.Fset.Position(id.Pos()).Filename]
		to, declared := at[l.Fset.Position(object.Pos()).Filename]
		if ok && declared && from != to {
			g[from][to] = true
		}
	}
	return g
}

// shared reports whether other files can read a name: it is one of the package, a field or a
// method.
func shared(object types.Object) bool {
	if v, ok := object.(*types.Var); ok && v.IsField() {
		return true
	}
	if f, ok := object.(*types.Func); ok && f.Signature().Recv() != nil {
		return true
	}
	return object.Parent() == object.Pkg().Scope()
}

// orderOf returns the files in an order in which few imports run up: each file behind most of those
// that use it. It takes the file with the largest difference of uses and users first, and then
// moves single files as long as that helps.
func orderOf(g graph) []int {
	var order []int
	left := map[int]bool{}
	for i := range g {
		left[i] = true
	}
	for len(left) > 0 {
		best, most := -1, 0
		for _, i := range slices.Sorted(maps.Keys(left)) {
			d := 0
			for j := range left {
				if g[i][j] {
					d++
				}
				if g[j][i] {
					d--
				}
			}
			if best < 0 || d > most {
				best, most = i, d
			}
		}
		order = append(order, best)
		delete(left, best)
	}
	for improve(g, order) {
	}
	return order
}

// improve moves one file to where fewer imports run up, and reports whether there was one.
func improve(g graph, order []int) bool {
	for from := range order {
		gain, best, to := 0, 0, from
		for k := from + 1; k < len(order); k++ {
			if gain += sign(g, order[k], order[from]); gain > best {
				best, to = gain, k
			}
		}
		gain = 0
		for k := from - 1; k >= 0; k-- {
			if gain += sign(g, order[from], order[k]); gain > best {
				best, to = gain, k
			}
		}
		if best > 0 {
			file := order[from]
			copy(order[from:], order[from+1:])
			copy(order[to+1:], order[to:len(order)-1])
			order[to] = file
			return true
		}
	}
	return false
}

// sign is 1 if only file a uses b, so that a is to stand before b, -1 if only b uses a, and else 0.
func sign(g graph, a, b int) (s int) {
	if g[a][b] {
		s++
	}
	if g[b][a] {
		s--
	}
	return s
}

// upwards returns the imports of files that stand earlier in the order, sorted.
func upwards(g graph, order []int) (up [][2]int) {
	place := make([]int, len(order))
	for k, i := range order {
		place[i] = k
	}
	for i, uses := range g {
		for j := range uses {
			if place[j] < place[i] {
				up = append(up, [2]int{i, j})
			}
		}
	}
	slices.SortFunc(up, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	return up
}
