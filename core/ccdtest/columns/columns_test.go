package columns

import (
	"fmt"
	"strings"
	"testing"
)

func TestWidthOfTabs(t *testing.T) {
	for line, want := range map[string]int{"": 0, "abc": 3, "\t": 4, "\t\tx": 9, "ab\tc": 5, "μ·∞": 3} {
		if got := Width(line); got != want {
			t.Errorf("%q: %d, not %d", line, got, want)
		}
	}
}

// Lines of 120 columns of code and comments that end at 100 are short enough, one more is not. What
// cannot be divided does not count.
func TestCountAtTheLimits(t *testing.T) {
	words := func(n int) string { return strings.Repeat("a ", n)[:n] }
	for _, c := range []struct {
		line string
		want Counts
	}{
		{"var x = \"" + strings.Repeat("x", 110) + `"`, Counts{}},
		{"var x = \"" + strings.Repeat("x", 111) + `"`, Counts{Code: 1}},
		{"//" + strings.Repeat(" ab", 32) + " a", Counts{}},
		{"//" + strings.Repeat(" ab", 33), Counts{Comments: 1}},
		{"\t//" + strings.Repeat(" ab", 31), Counts{}},
		{"\t//" + strings.Repeat(" ab", 32), Counts{Comments: 1}},
		{"var x int // " + words(97), Counts{}},
		{"var x int // " + words(99), Counts{Comments: 1}},
		{"var x int // " + words(113), Counts{Code: 1, Comments: 1}},
		{"// " + strings.Repeat("x", 130), Counts{}},
		{"//go:generate " + words(130), Counts{}},
		{"/* " + words(120) + " */", Counts{Code: 1}},
		{"var x = `\n// " + words(101) + "`", Counts{}},
		{"var x = `\n" + words(130) + "\n" + words(130) + "`", Counts{}},
		{"var x = `" + words(130) + "\n`", Counts{Code: 1}},
	} {
		if got := Count([]byte("package p\n\n" + c.line + "\n")); got != c.want {
			t.Errorf("%q: %+v, not %+v", c.line, got, c.want)
		}
	}
	if got := Count([]byte("package p\r\n\r\n// " + words(97) + "\r\n")); got != (Counts{}) {
		t.Errorf("a carriage return counts as a column: %+v", got)
	}
}

// lorem is a text of n words.
func lorem(n int) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, " word%d", k%7)
	}
	return b.String()[1:]
}
