// Command mutants breaks the code on purpose, one way at a time, in a copy of the working tree, and
// reports which suite catches each. A defect that no suite catches is a hole in the tests:
// status 1. A mutant whose text is gone or occurs twice in its folder, or that does not compile,
// and suites that fail on the whole code, are errors: status 2.
//
// A mutant for which no test fails, but a suite does not end in time, counts as caught, and is
// listed apart: the defect may make a search endless, but the machine may also have had too much to
// do.
//
//	make mutants            all of them
//	go run ./mutants -run separation
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	run := flag.String("run", "", "only mutants whose name matches")
	list := flag.Bool("list", false, "list the mutants and stop")
	trust := flag.Bool("trust", false, "do not run the suites on the whole code first")
	flag.Parse()
	if flag.NArg() > 0 {
		exitOn(fmt.Errorf("%s: not an option; choose mutants with -run", flag.Arg(0)))
	}
	pattern, err := regexp.Compile(*run)
	exitOn(err)
	var chosen []mutant
	for _, m := range mutants {
		if pattern.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	if *list {
		for _, m := range chosen {
			fmt.Printf("%-64s %s\n", m.name, m.folder)
		}
		return
	}
	root, err := os.Getwd()
	exitOn(err)
	dir, err := os.MkdirTemp("", "mutants")
	exitOn(err)
	got, err := hunt(root, filepath.Join(dir, "code"), chosen, *trust)
	os.RemoveAll(dir)
	exitOn(err)
	fmt.Print(got.summary(len(chosen)))
	if len(got.missed) > 0 {
		os.Exit(1)
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}

// result has the names of the mutants for which no test failed.
type result struct {
	missed   []string // all suites passed
	timedOut []string // a suite did not end in time
}

// summary lists them.
func (r *result) summary(chosen int) string {
	var b strings.Builder
	if len(r.missed) == 0 {
		fmt.Fprintf(&b, "all %d mutants were caught\n", chosen)
	} else {
		fmt.Fprintf(&b, "%d of %d mutants were missed:\n  %s\n", len(r.missed), chosen, strings.Join(r.missed, "\n  "))
	}
	if len(r.timedOut) > 0 {
		fmt.Fprintf(&b, "%d timed out, no test failed:\n  %s\n", len(r.timedOut), strings.Join(r.timedOut, "\n  "))
	}
	return b.String()
}

// hunt runs the suites on the copy in dir, whole and then once for every mutant.
func hunt(root, dir string, chosen []mutant, trust bool) (got result, err error) {
	if err := copyTree(root, dir); err != nil {
		return got, err
	}
	t := &tree{dir: dir, data: dataFolder(root), python: interpreter(root)}
	places := newFolders(dir)
	for _, m := range chosen { // These errors are cheap to find.
		if _, err := places.place(&m); err != nil {
			return got, err
		}
	}
	if !trust {
		if err := t.whole(chosen); err != nil {
			return got, err
		}
	}
	for _, m := range chosen {
		start := time.Now()
		end, killer, err := t.catch(&m)
		if err != nil {
			return got, err
		}
		switch end {
		case passed:
			got.missed = append(got.missed, m.name)
			killer = "MISSED by " + strings.Join(m.suites, ", ")
		case timedOut:
			got.timedOut = append(got.timedOut, m.name)
			killer += " timed out"
		}
		fmt.Printf("%-66s %-60s %6.1f s\n", m.name, killer, time.Since(start).Seconds())
	}
	return got, nil
}

// tree is a copy of the code.
type tree struct {
	dir, data string
	python    string // runs the tests of Python
	library   bool   // whether build/ holds the library, which they load
}

// whole runs every suite that is needed on the code as it is.
func (t *tree) whole(chosen []mutant) error {
	seen := map[string]bool{}
	for _, m := range chosen {
		for _, s := range m.suites {
			if seen[s] {
				continue
			}
			seen[s] = true
			if suites[s] == nil {
				return fmt.Errorf("%q: no suite is called %s", m.name, s)
			}
			if end, out := t.suite(s); end != passed {
				return fmt.Errorf("suite %s fails on the code as it is:\n%s", s, out[max(0, len(out)-2000):])
			}
		}
	}
	return nil
}

// catch puts the defect in, returns the first suite that fails and what failed in it, or the first
// that timed out where none fails, and takes the defect out again.
func (t *tree) catch(m *mutant) (end ending, killer string, err error) {
	file, err := newFolders(t.dir).place(m)
	if err != nil {
		return passed, "", err
	}
	path := filepath.Join(t.dir, file)
	whole, err := os.ReadFile(path)
	if err != nil {
		return passed, "", err
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(whole), m.old, m.new, 1)), 0o644); err != nil {
		return passed, "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(path, whole, 0o644)) }()
	if ok, out := t.builds(file); !ok {
		return passed, "", fmt.Errorf("%q does not compile:\n%s", m.name, out)
	}
	for _, s := range m.suites {
		now, out := t.suite(s)
		switch {
		case strings.Contains(out, "[build failed]"):
			return passed, "", fmt.Errorf("%q does not compile:\n%s", m.name, out)
		case now == failed:
			return failed, strings.TrimSpace(s + " " + firstFailure(out)), nil
		case now == timedOut && end == passed:
			end, killer = timedOut, s
		}
	}
	return end, killer, nil
}

// ending is how a suite ended.
type ending int

const (
	passed ending = iota
	failed
	timedOut // no test failed, and one did not end
)

// limit is that of a whole suite: what runs no Go test has no other.
const limit = 15 * time.Minute

// tooLate is the status of timeout(1) for a command that it stopped.
const tooLate = 124

// ended returns how a suite ended, by the status of its command and what it printed.
func ended(status int, out string) ending {
	switch {
	case status == 0:
		return passed
	case firstFailure(out) != "":
		return failed
	case status == tooLate, endless.MatchString(out):
		return timedOut
	default:
		return failed
	}
}

var (
	endless = regexp.MustCompile(`(?m)^panic: test timed out`)
	failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^not ok \d+ - (.*)|^FAILED \S+::(\S+)`)
)

// firstFailure returns the name of the first test that failed, in Go, Node.js or Python.
func firstFailure(out string) string {
	found := failure.FindStringSubmatch(out)
	if found == nil {
		return ""
	}
	return found[1] + found[2] + found[3]
}

// builds reports whether the package of a file compiles, in Go or Python; files of other languages
// do.
func (t *tree) builds(file string) (ok bool, out string) {
	switch filepath.Ext(file) {
	case ".go":
	case ".py":
		return t.command(nil, t.python, "-m", "py_compile", file)
	default:
		return true, ""
	}
	var environment []string
	if strings.HasPrefix(file, "bindings/js/") {
		environment = []string{"GOOS=js", "GOARCH=wasm"}
	}
	return t.command(environment, "go", "build", "-o", os.DevNull, "./"+filepath.Dir(file))
}

// suite runs a suite up to its first failure: one says that the mutant is caught.
func (t *tree) suite(name string) (ending, string) {
	args := suites[name]
	switch args[0] {
	case "sh":
		return t.limited(limit, nil, args...)
	case "py":
		return t.pytest(args[1:])
	case "test":
		args = append([]string{"test", "-failfast", "-vet=off"}, args[1:]...)
	}
	return t.limited(limit, nil, append([]string{"go"}, args...)...)
}

// pytest runs tests of Python on the library of the code without a defect, which it builds at
// first: mutants of other files do not take such a suite.
func (t *tree) pytest(args []string) (ending, string) {
	if !t.library {
		if ok, out := t.command(nil, "sh", "capi/build.sh", "build"); !ok {
			return failed, "[build failed]\n" + out
		}
		t.library = true
	}
	environment := []string{"PYTHONPATH=" + filepath.Join(t.dir, "bindings", "python"), "PYTHONDONTWRITEBYTECODE=1",
		"CCD_LIBRARY="}
	return t.limited(limit, environment,
		append([]string{t.python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"}, args...)...)
}

// limited runs a suite's command and all that it starts, until they end or the time is up.
func (t *tree) limited(most time.Duration, environment []string, args ...string) (ending, string) {
	status, out := t.run(environment, append([]string{"timeout", fmt.Sprint(most.Seconds())}, args...)...)
	return ended(status, out), out
}

// interpreter is that of Python: CCD_PYTHON, or the checkout's.
func interpreter(root string) string {
	if p := os.Getenv("CCD_PYTHON"); p != "" {
		return p
	}
	return filepath.Join(root, ".venv", "bin", "python")
}

// command runs a program in the tree and returns whether it succeeded, and its output.
func (t *tree) command(environment []string, args ...string) (ok bool, out string) {
	status, out := t.run(environment, args...)
	return status == 0, out
}

// run is command with the program's exit status; it is -1 if the program did not start, or was
// killed.
func (t *tree) run(environment []string, args ...string) (status int, out string) {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = t.dir
	// The suites run with -short; this adds the long tests.
	c.Env = append(append(os.Environ(), "CCD_DATA="+t.data, "CCD_LONG=1"), environment...)
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	if err := c.Run(); err != nil && c.ProcessState == nil {
		return -1, b.String() + err.Error()
	}
	return c.ProcessState.ExitCode(), b.String()
}

// dataFolder is that of the data sets, which the copy is not beside.
func dataFolder(root string) string {
	if d := os.Getenv("CCD_DATA"); d != "" {
		return d
	}
	return filepath.Join(root, "..", "shared", "data")
}

// copyTree copies the files that git knows or would add.
func copyTree(root, dir string) error {
	c := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		if info, err := os.Stat(filepath.Join(root, name)); err == nil && info.IsDir() {
			continue // a link to a folder, such as a .venv elsewhere
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, but not yet from the index
		}
		to := filepath.Join(dir, name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, text, 0o755)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
