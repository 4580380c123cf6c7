package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"ccd/core/ccdtest/source"
)

// load returns the package of a module with these files.
func load(t *testing.T, files map[string]string) (*source.Loader, []*source.Package) {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		at := filepath.Join(root, "core", "p", name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := newLoader(root)
	list, err := packagesBelow(l, "core/p")
	if err != nil {
		t.Fatal(err)
	}
	return l, list
}

// A line counts once if a name of the mode decides there, in whichever form of a condition.
func TestConditionsOnAMode(t *testing.T) {
	l, list := load(t, map[string]string{"a.go": `package p

type options struct{ Slab *int; slabs, other bool }
type slab struct{}
func f(o options, x any) bool {
	if o.Slab != nil && o.slabs {
		o.slabs = false
	}
	for !o.slabs && o.other {
	}
	switch {
	case o.other:
	case o.slabs:
	}
	switch o.slabs {
	case true:
	}
	switch x.(type) {
	case *slab:
	}
	y := o.other || o.slabs
	g(o.Slab, func() bool { return o.slabs })
	if h(func() { o.slabs = y }) {
	}
	return y
}
func g(*int, func() bool) {}
func h(func()) bool { return false }
`})
	var lines []int
	for _, c := range conditionsOn(l, list, regexp.MustCompile(`^(?i:slabs?)$`)) {
		lines = append(lines, c.line)
	}
	if want := []int{6, 9, 13, 15, 19, 21}; !slices.Equal(lines, want) {
		t.Errorf("conditions in lines %v, not %v", lines, want)
	}
}

// Of two files that use each other one import runs up, and a chain has none.
func TestImportsThatRunUp(t *testing.T) {
	l, list := load(t, map[string]string{
		"a.go": "package p\n\nfunc a() { var x t; x.n++; c() }\n",
		"b.go": "package p\n\nfunc b() { a() }\n",
		"c.go": "package p\n\nfunc c() {}\nfunc (t) back() { b() }\n",
		"d.go": "package p\n\ntype t struct{ n int }\n",
	})
	uses := usesOf(l, list[0])
	if n := uses.count(); n != 5 {
		t.Errorf("%d imports, not 5: %v", n, uses)
	}
	if up := upwards(uses, orderOf(uses)); len(up) != 1 {
		t.Errorf("%v run up", up)
	}
}

// A call that goes from a file to another and back comes back once, and each function counts once.
func TestWalkOfACall(t *testing.T) {
	l, list := load(t, map[string]string{
		"a.go": "package p\n\ntype t struct{}\n\nfunc (x *t) begin() { x.far(); near(); near() }\nfunc near() {}\n" +
			"func unused() {}\n",
		"b.go": "package p\n\nfunc (x *t) far() { further(); x.begin() }\nfunc further() {}\n",
	})
	w, ok := walkFrom(l, list, "(*t).begin")
	if !ok || len(w.stops) != 4 || len(w.files) != 2 || w.back != 1 || w.depth != 3 {
		t.Errorf("%v: %+v", ok, w)
	}
	if _, ok := walkFrom(l, list, "none"); ok {
		t.Error("a function that is not there was found")
	}
}
