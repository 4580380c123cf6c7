package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Every mutant still has its place in the code, is not what stands there already, and is listed
// once.
func TestMutantsHaveTheirPlaces(t *testing.T) {
	seen, places := map[string]bool{}, newFolders("..")
	for _, m := range mutants {
		if seen[m.name] {
			t.Errorf("%s is listed twice", m.name)
		}
		seen[m.name] = true
		file, err := places.place(&m)
		if err != nil {
			t.Error(err)
			continue
		}
		if m.old == m.new {
			t.Errorf("%s changes nothing", m.name)
		}
		for _, s := range m.suites {
			if suites[s] == nil {
				t.Errorf("%s: there is no suite %q", m.name, s)
			} else if suites[s][0] == "py" && filepath.Ext(file) != ".py" {
				t.Errorf("%s: suite %q is for files of Python alone: it keeps the library that it has built", m.name, s)
			}
		}
	}
}

// The error for a mutant without its one place names the text, and every line where it occurs.
func TestPlacesAreOneOfAFolder(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package p\nx := 1\n", "b.go": "package p\ny := 2\nx := 1\nz := 3\n", "c_test.go": "z := 3\n",
		".d": "z := 3\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	places := newFolders(root)
	if file, err := places.place(&mutant{name: "m", folder: ".", old: "z := 3"}); err != nil || file != "b.go" {
		t.Errorf("a text in one file: %q, %v", file, err)
	}
	for old, want := range map[string]string{
		"q := 4": `mutant "m": no file of . has the text "q := 4": give it the text that stands there now`,
		"x := 1": `mutant "m": the text "x := 1" occurs 2 times in ., at a.go:2, b.go:3: add the code around the ` +
			`one that is meant`,
		"package": `mutant "m": the text "package" occurs 2 times in ., at a.go:1, b.go:1: add the code around ` +
			`the one that is meant`,
		"\nx :=": `mutant "m": the text "\nx :=" occurs 2 times in ., at a.go:1, b.go:2: add the code around the ` +
			`one that is meant`,
	} {
		if _, err := places.place(&mutant{name: "m", folder: ".", old: old}); err == nil || err.Error() != want {
			t.Errorf("%q: %v", old, err)
		}
	}
	if _, err := places.place(&mutant{name: "m", folder: "none", old: "x"}); err == nil {
		t.Error("a folder that is not there: no error")
	}
}

func TestFirstFailureIsNamed(t *testing.T) {
	for out, want := range map[string]string{
		"ok  \tccd/core/geom\t0.1s\n": "",
		"    --- FAIL: TestLaw/vertex-face (0.01s)\n--- " +
			"FAIL: TestLaw (0.01s)\nFAIL\n": "TestLaw/vertex-face",
		"panic: test timed out after 5m0s\nrunning tests:\n\tTestSlow (5m0s)\n": "",
		"ok 1 - arrays\nnot ok 2 - errors " +
			"have a code\n  ---\n": "errors have a code",
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
		{2, "=== RUN   TestSlow\nSIGXCPU: CPU time limit exceeded\nPC=0x1 m=0 sigcode=0\n", timedOut},
		{tooLate, "", timedOut},
		{-1, "", failed},
	} {
		if got := ended(c.status, c.out); got != c.want {
			t.Errorf("status %d and %q: %d, not %d", c.status, c.out, got, c.want)
		}
	}
	here := &tree{dir: t.TempDir(), stop: t.Context()}
	for command, want := range map[string]ending{"exit 0": passed, "exit 3": failed} {
		if status, out := here.limited(here.dir, time.Minute, nil, "sh", "-c", command); ended(status, out) != want {
			t.Errorf("%s: %d, not %d: %s", command, ended(status, out), want, out)
		}
	}
	if status, out := here.limited(here.dir, time.Second/10, nil, "sh", "-c", "sleep 60 & wait"); ended(status, out) !=
		timedOut {
		t.Errorf("what does not end: status %d: %s", status, out)
	}
}
