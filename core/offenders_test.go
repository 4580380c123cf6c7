package core

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// lower is the environment variable that has the lists of exceptions written anew. They may only
// shrink: a list is written only if none of its totals grows, so that code that moves takes its
// exceptions along.
const lower = "CCD_LOWER"

// offenders are exceptions to a rule by name, such as a file or a type, each with counts.
type offenders map[string][]int

// check compares what a test has found with the list in testdata, and demands that the two agree.
// what names the counts, and mend says how an offender is mended.
func (found offenders) check(t *testing.T, list string, what []string, mend string) {
	t.Helper()
	path := filepath.Join("testdata", list)
	listed := readOffenders(t, path, len(what))
	if os.Getenv(lower) != "" {
		found.lower(t, path, listed, what)
		return
	}
	zero := make([]int, len(what))
	for _, name := range found.names(listed) {
		now, was := found[name], listed[name]
		if now == nil {
			now = zero
		}
		if was == nil {
			was = zero
		}
		for k := range what {
			switch {
			case now[k] > was[k]:
				t.Errorf("%s: %d %s, more than the %d of core/testdata/%s: %s",
					name, now[k], what[k], was[k], list, mend)
			case now[k] < was[k]:
				t.Errorf("%s: %d %s, fewer than the %d of core/testdata/%s: lower the list with %s=1 go test ./core/",
					name, now[k], what[k], was[k], list, lower)
			}
		}
	}
}

// names returns the names of both lists, sorted.
func (found offenders) names(listed offenders) []string {
	both := maps.Clone(listed)
	maps.Copy(both, found)
	return slices.Sorted(maps.Keys(both))
}

// lower writes the list, unless a total has grown.
func (found offenders) lower(t *testing.T, path string, listed offenders, what []string) {
	t.Helper()
	for k := range what {
		if now, was := found.total(k), listed.total(k); now > was {
			t.Errorf("%s: %d %s in all, and the list has %d: it may only shrink", path, now, what[k], was)
		}
	}
	if t.Failed() {
		return
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(found)) {
		b.WriteString(name)
		for _, n := range found[name] {
			fmt.Fprintf(&b, " %d", n)
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (found offenders) total(k int) (sum int) {
	for _, counts := range found {
		sum += counts[k]
	}
	return sum
}

// readOffenders reads a list: a name and n counts in every line.
func readOffenders(t *testing.T, path string, n int) offenders {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list := offenders{}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != n+1 {
			t.Fatalf("%s: line %d: %q: want a name and %d numbers", path, i+1, line, n)
		}
		counts := make([]int, n)
		for k := range counts {
			if counts[k], err = strconv.Atoi(words[k+1]); err != nil {
				t.Fatalf("%s: line %d: %v", path, i+1, err)
			}
		}
		list[words[0]] = counts
	}
	return list
}
