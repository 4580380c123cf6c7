package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The members of embedded types count, by value, by pointer and of other packages, and names that
// hide others are found at any depth.
func TestMembersCountWhatIsEmbedded(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go": `package a

import ("sync"; "ccd/b")

type deepest struct { x, y int; b.Outer }
func (*deepest) end() {}
func (*deepest) run() {}
type middle struct { *deepest; sync.Mutex; y float64 }
func (middle) end() {}
type top struct { middle; _ int; Own int }
type generic[T any] struct { *list[T]; n int }
type list[T any] struct { items []T; n int }
type reader interface { Read(); Close() }
type holds struct { reader }
type unknown struct { other; missing.Type }
`,
		"b/b.go": "package b\n\ntype Outer struct { x int; Own int }\nfunc (Outer) Do() {}\n",
	} {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := NewLoader(root).Load("ccd/a")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Members{
		"deepest": {4, 3, nil},
		"middle":  {5, 3, []string{"end", "y"}},
		"top":     {5, 3, []string{"Own", "end", "y"}},
		"generic": {2, 0, []string{"n"}},
		"list":    {2, 0, nil},
		"reader":  {0, 2, nil},
		"holds":   {1, 2, nil},
		"unknown": {2, 0, nil},
	}
	seen := 0
	for _, named := range p.Named() {
		name := named.Obj().Name()
		got := MembersOf(named)
		if w, ok := want[name]; !ok || got.Fields != w.Fields || got.Methods != w.Methods ||
			!slices.Equal(got.Hidden, w.Hidden) {
			t.Errorf("%s: %+v, not %+v", name, got, w)
		}
		seen++
	}
	if seen != len(want) {
		t.Errorf("%d types were found", seen)
	}
	if _, err := NewLoader(root).Load("ccd/none"); err == nil {
		t.Error("a package that is not there: no error")
	}
}
