package columns

import (
	"slices"
	"testing"
)

func TestFragments(t *testing.T) {
	src := "package p\n" + // Line 1 of the source.
		"// of a comment above code\n" +
		"var a int // of another line\n" +
		"var b int // The number of lines.\n" +
		"var c int //and a directive\n" +
		"var d = `\nvar e int // of a text`\n" +
		"var f int // in, or out\n" +
		"var g int // Of a name in upper case.\n" +
		"var h int // inner, which begins otherwise\n" +
		"var i int //\n" +
		"var j int // by"
	if got, want := Fragments([]byte(src)), []int{3, 8, 12}; !slices.Equal(got, want) {
		t.Errorf("%d, not %d", got, want)
	}
}
