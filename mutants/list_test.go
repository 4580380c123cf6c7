package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Every mutant still has its place in the code, is not what stands there already, and is listed once.
func TestMutantsHaveTheirPlaces(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range mutants {
		if seen[m.name] {
			t.Errorf("%s is listed twice", m.name)
		}
		seen[m.name] = true
		text, err := os.ReadFile(filepath.Join("..", m.file))
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if n := strings.Count(string(text), m.old); n != 1 {
			t.Errorf("%s: its text stands %d times in %s", m.name, n, m.file)
		}
		if m.old == m.new {
			t.Errorf("%s changes nothing", m.name)
		}
		for _, s := range m.suites {
			if suites[s] == nil {
				t.Errorf("%s: there is no suite %q", m.name, s)
			} else if suites[s][0] == "py" && filepath.Ext(m.file) != ".py" {
				t.Errorf("%s: suite %q is for files of Python alone: it keeps the library that it has built", m.name, s)
			}
		}
	}
}

func TestFirstFailureIsNamed(t *testing.T) {
	for out, want := range map[string]string{
		"ok  \tccd/core/geom\t0.1s\n": "",
		"    --- FAIL: TestLaw/vertex-face (0.01s)\n--- FAIL: TestLaw (0.01s)\nFAIL\n":             "TestLaw/vertex-face",
		"panic: test timed out after 5m0s\nrunning tests:\n\tTestSlow (5m0s)\n":                    "",
		"ok 1 - arrays\nnot ok 2 - errors have a code\n  ---\n":                                    "errors have a code",
		"= short test summary info =\nFAILED tests/test_robot_limits.py::test_limits - assert 1\n": "test_limits",
		"soak: exact missed a collision\nexit status 1\n":                                          "",
	} {
		if got := firstFailure(out); got != want {
			t.Errorf("of %q it says %q, not %q", out, got, want)
		}
	}
}

// Only what no test caught is a matter of time.
func TestTimeoutsAreApart(t *testing.T) {
	late := "panic: test timed out after 5m0s\nrunning tests:\n\tTestSlow (5m0s)\n"
	for _, c := range []struct {
		status int
		out    string
		want   ending
	}{
		{0, "ok  \tccd/core/geom\t0.1s\n", passed},
		{1, "--- FAIL: TestLaw (0.01s)\nFAIL\n", failed},
		{1, late, timedOut},
		{1, "ok  \tccd/core/geom\t0.1s\n" + late, timedOut},
		{1, "--- FAIL: TestLaw (0.01s)\n" + late, failed},
		{1, "panic: index out of range\n", failed},
		{1, "soak: exact missed a collision\nexit status 1\n", failed},
		{tooLate, "", timedOut},
		{-1, "", failed},
	} {
		if got := ended(c.status, c.out); got != c.want {
			t.Errorf("status %d and %q: %d, not %d", c.status, c.out, got, c.want)
		}
	}
	here := &tree{dir: t.TempDir()}
	for command, want := range map[string]ending{"exit 0": passed, "exit 3": failed} {
		if got, out := here.limited(time.Minute, nil, "sh", "-c", command); got != want {
			t.Errorf("%s: %d, not %d: %s", command, got, want, out)
		}
	}
	if got, out := here.limited(time.Second/10, nil, "sh", "-c", "sleep 60 & wait"); got != timedOut {
		t.Errorf("what does not end: %d, not %d: %s", got, timedOut, out)
	}
	r := result{missed: []string{"one"}, timedOut: []string{"two", "three"}}
	if want := "1 of 5 mutants were missed:\n  one\n2 timed out, no test failed:\n  two\n  three\n"; r.summary(5) != want {
		t.Errorf("the summary is %q", r.summary(5))
	}
}
