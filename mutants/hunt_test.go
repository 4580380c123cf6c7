package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ccd/core/ccdtest/long"
)

// made is a small module with a defect that tests catch, one that they miss, one that makes a loop
// endless, one outside a function, one that does not compile, and one that only a test of the text
// sees.
var made = map[string]string{
	"go.mod": "module ccd\n\ngo 1.24\n",
	"p/p.go": `package p

const limit = 10

type Pair[T any] struct{ a, b T }

func (p *Pair[T]) Swapped(_ int, more ...T) (a, b T) {
	a, b = p.b, p.a
	return
}

func Four(int, string) int { return 4 }

func Sum(_ int, x ...int) (sum int) { for _, v := range x { sum += v }; return }

func Map[T, U any](list []T, f func(T) U) (out []U) {
	for _, v := range list {
		out = append(out, f(v))
	}
	return
}

func Up(n int) int {
	for i := 0; ; i++ { // to n
		if i >= n { return i }
	}
}

func Capped(n int) int { return min(n, limit) }

func Unused() string { return "nobody reads this" }

func Text() string { return "the text" }

type Sign int

func (Sign) Of(x int) bool { return x < 0 }

func Guarded(f func()) (failed bool) {
	defer guard(&failed)
	f()
	return
}

func guard(failed *bool) {
	if recover() != nil {
		*failed = true
	}
}
`,
	"p/p_test.go": `package p

import (
	"os"
	"strings"
	"testing"
)

func TestSwapped(t *testing.T) {
	if a, b := (&Pair[int]{1, 2}).Swapped(0, 3, 4); a != 2 || b != 1 { t.Error(a, b) }
}

func TestSum(t *testing.T) {
	if s := Sum(7, 1, 2, 3); s != 6 || Four(1, "") != 4 { t.Error(s) }
}

func TestMap(t *testing.T) {
	if m := Map([]int{1}, func(i int) string { return "x" }); len(m) != 1 || m[0] != "x" { t.Error(m) }
}

func TestUp(t *testing.T) {
	if Up(3) != 3 { t.Error("wrong") }
}

func TestCapped(t *testing.T) {
	if Capped(20) != 10 { t.Error("wrong") }
}

func TestSign(t *testing.T) {
	if Sign(0).Of(1) { t.Error("wrong") }
}

func TestGuarded(t *testing.T) {
	if !Guarded(func() { panic(1) }) { t.Error("wrong") }
	Text()
	Unused()
}

func TestReadsTheText(t *testing.T) {
	text, err := os.ReadFile("p.go")
	if err != nil || !strings.Contains(string(text), "\"the text\"") { t.Error(err) }
}
`,
}

// hunted plants defects in the made module.
func hunted(t *testing.T, root string, known *table, list ...mutant) string {
	t.Helper()
	var said strings.Builder
	var mu sync.Mutex
	for i := range list {
		list[i].folder, list[i].suites = "p", []string{"p"}
	}
	code := digestsOf(t, root)
	h := &hunter{stop: t.Context(), suites: code.suites, listed: list,
		table: known, code: code, workers: 2,
		times: shortTimes(root, code.all),
		say: func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(&said, format, args...)
		}}
	if err := h.hunt(root, t.TempDir(), list); err != nil {
		t.Fatal(err)
	}
	return said.String()
}

// digestsOf reads the code of the made module.
func digestsOf(t *testing.T, root string) *digests {
	t.Helper()
	d, err := digest(root)
	if err != nil {
		t.Fatal(err)
	}
	d.suites = map[string][]string{"p": {"test", "./p"}, "other": {"py", "tests/test_p.py"}}
	return d
}

// shortTimes gives an endless test 3 seconds.
func shortTimes(root, code string) *times {
	t := readTimes(filepath.Join(root, "times.csv"), code)
	t.least = 3 * time.Second
	return t
}

func madeModule(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range made {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("git", "init", "-q")
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("git init: %v: %s", err, out)
	}
	return root
}

// Each way in which a mutant can end is reported as such, in one build and in one of its own.
func TestHunt(t *testing.T) {
	long.Test(t)
	root := madeModule(t)
	path := filepath.Join(root, "table.csv")
	known, err := readTable(path)
	if err != nil {
		t.Fatal(err)
	}
	list := []mutant{
		{name: "generic method", old: "a, b = p.b, p.a", new: "a, b = p.a, p.b"},
		{name: "second of the method", old: "= p.b, p.a\n\treturn", new: "= p.b, p.a\n\treturn b, b"},
		{name: "no name", old: "sum += v", new: "sum -= v"},
		{name: "no names", old: "return 4", new: "return 5"},
		{name: "generic function", old: "append(out, f(v))", new: "append(out, f(v), f(v))"},
		{name: "endless", old: "if i >= n {", new: "if i > n+1<<60 {"},
		{name: "constant", old: "limit = 10", new: "limit = 11"},
		{name: "receiver without a name", old: "x < 0", new: "x > 0"},
		{name: "recover", old: "recover() != nil", new: "recover() == nil"},
		{name: "nobody tests it", old: "nobody reads this", new: "nobody reads that"},
		{name: "text", old: `"the text"`, new: `"no text"`},
		{name: "no Go", old: "min(n, limit)", new: "min(n, limits)"},
	}
	want := map[string][3]string{
		"generic method":          {"caught", "switch", "TestSwapped"},
		"second of the method":    {"caught", "switch", "TestSwapped"},
		"no name":                 {"caught", "switch", "TestSum"},
		"no names":                {"caught", "switch", "TestSum"},
		"generic function":        {"caught", "switch", "TestMap"},
		"endless":                 {"time-out", "switch", "TestUp"},
		"constant":                {"caught", "own build", "TestCapped"},
		"receiver without a name": {"caught", "switch", "TestSign"},
		"recover":                 {"caught", "own build", "TestGuarded"},
		"nobody tests it":         {"missed", "own build", ""},
		"text":                    {"caught", "own build", "TestReadsTheText"},
		"no Go":                   {"not built", "own build", ""},
	}
	said := hunted(t, root, known, list...)
	if known, err = readTable(path); err != nil {
		t.Fatal(err)
	}
	for name, w := range want {
		r := known.rows[name]
		if got := [3]string{string(r.verdict), r.way, r.test}; got != w {
			t.Errorf("%s: %v, not %v", name, got, w)
		}
	}
	if !strings.Contains(said, "one build holds 9 of 12 mutants") {
		t.Errorf("it says %s", said)
	}
	code := digestsOf(t, root)
	if _, text, err := known.summary(list, code); err != nil || text !=
		`12 mutants: 9 caught, 1 caught by time-out, 1 missed, 1 could not be built
missed:
  nobody tests it
time-out:
  endless
not built:
  no Go
` {
		t.Errorf("the summary is %s, %v", text, err)
	}

	// A later run leaves out what was caught on the same code, runs what was missed, and begins
	// with the test that caught a mutant before.
	for i := range list {
		settled, err := known.settled(&list[i], code)
		if v := known.rows[list[i].name].verdict; err != nil || settled == (v == missed || v == unbuilt) {
			t.Errorf("%s, %s: settled is %v, %v", list[i].name, v, settled, err)
		}
	}
	h := &hunter{table: known, suites: map[string][]string{"p": {"test", "./p"}}, files: map[string]string{}}
	if first := h.likely(&list[0]); first[0] != (killer{"p", "p", "TestSwapped"}) || len(first) < 2 {
		t.Errorf("it begins with %v", first)
	}
	var folder score
	folder.add(missed)
	if got := known.report(list[:1]); !strings.Contains(got, "| `p` | 1 | 1 | 0 | 0 | 0 | 0 |\n| all | 1 | 1 |") {
		t.Errorf("the report is %s", got)
	}
}

// A verdict holds until what the suite's tests are built of changes; one of a suite in another
// language, or on a folder that the suite's tests read only, until any code changes.
func TestKeysAreThoseOfTheSuitesCode(t *testing.T) {
	root := madeModule(t)
	add := func(name, text string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	add("used/used.go", "package used\n")
	add("apart/apart.go", "package apart\n")
	add("p/used_test.go", "package p\n\nimport _ \"ccd/used\"\n")
	inP, read := mutant{folder: "p", old: "a", new: "b"}, mutant{folder: "text", old: "a", new: "b"}
	keys := func() (list [3]string) {
		code := digestsOf(t, root)
		for i, of := range []struct {
			m     *mutant
			suite string
		}{{&inP, "p"}, {&inP, "other"}, {&read, "p"}} {
			key, err := code.key(of.m, of.suite)
			if err != nil {
				t.Fatal(err)
			}
			list[i] = key
		}
		return list
	}
	before := keys()
	for _, change := range []struct {
		name, text string
		want       [3]bool
	}{
		{"p/other_test.go", "package p\n", [3]bool{}},
		{"apart/apart.go", "package apart\n\nvar x int\n", [3]bool{false, true, true}},
		{"used/used.go", "package used\n\nvar x int\n", [3]bool{true, true, true}},
		{"p/more.go", "package p\n", [3]bool{true, true, true}},
	} {
		add(change.name, change.text)
		now := keys()
		for i := range now {
			if (now[i] != before[i]) != change.want[i] {
				t.Errorf("%s changed key %d: %v", change.name, i, now[i] != before[i])
			}
		}
		before = now
	}
}

// A suite that fails on the code as it is stops the run.
func TestHuntStopsWhereTheCodeFails(t *testing.T) {
	long.Test(t)
	root := madeModule(t)
	path := filepath.Join(root, "p", "p_test.go")
	wrong := strings.Replace(made["p/p_test.go"], "s != 6", "s != 7", 1)
	if err := os.WriteFile(path, []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	known, err := readTable(filepath.Join(root, "table.csv"))
	if err != nil {
		t.Fatal(err)
	}
	h := &hunter{stop: t.Context(), suites: map[string][]string{"p": {"test", "./p"}}, table: known,
		code: digestsOf(t, root), workers: 1, times: shortTimes(root, "code"), say: func(string, ...any) {}}
	h.listed = []mutant{{name: "no name", folder: "p", old: "sum += v", new: "sum -= v", suites: []string{"p"}}}
	err = h.hunt(root, t.TempDir(), h.listed)
	if err == nil || !strings.Contains(err.Error(), "fails on the code as it is") ||
		!strings.Contains(err.Error(), "TestSum") {
		t.Errorf("the error is %v", err)
	}
}
