package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		"panic: test timed out after 5m0s\nrunning tests:\n\tTestSlow (5m0s)\n":                    "test timed out",
		"ok 1 - arrays\nnot ok 2 - errors have a code\n  ---\n":                                    "errors have a code",
		"= short test summary info =\nFAILED tests/test_robot_limits.py::test_limits - assert 1\n": "test_limits",
		"soak: exact missed a collision\nexit status 1\n":                                          "",
	} {
		if got := firstFailure(out); got != want {
			t.Errorf("of %q it says %q, not %q", out, got, want)
		}
	}
}
