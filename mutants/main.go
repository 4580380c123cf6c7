// Command mutants breaks the code on purpose, one way at a time, in a copy of the working tree, and reports which suite
// catches each. A defect that no suite catches is a hole in the tests: status 1. A mutant whose text is gone, or that does not
// compile, and suites that fail on the whole code, are errors: status 2.
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
			fmt.Printf("%-64s %s\n", m.name, m.file)
		}
		return
	}
	root, err := os.Getwd()
	exitOn(err)
	dir, err := os.MkdirTemp("", "mutants")
	exitOn(err)
	missed, err := hunt(root, filepath.Join(dir, "code"), chosen, *trust)
	os.RemoveAll(dir)
	exitOn(err)
	if missed > 0 {
		fmt.Printf("%d of %d mutants were missed\n", missed, len(chosen))
		os.Exit(1)
	}
	fmt.Printf("all %d mutants were caught\n", len(chosen))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}

// hunt runs the suites on the copy in dir, whole and then once for every mutant, and counts the missed.
func hunt(root, dir string, chosen []mutant, trust bool) (missed int, err error) {
	if err := copyTree(root, dir); err != nil {
		return 0, err
	}
	t := &tree{dir: dir, data: dataFolder(root), python: interpreter(root)}
	for _, m := range chosen { // the cheap errors first
		if _, err := t.mutated(&m); err != nil {
			return 0, err
		}
	}
	if !trust {
		if err := t.whole(chosen); err != nil {
			return 0, err
		}
	}
	for _, m := range chosen {
		start := time.Now()
		killer, err := t.catch(&m)
		if err != nil {
			return missed, err
		}
		if killer == "" {
			missed++
			killer = "MISSED by " + strings.Join(m.suites, ", ")
		}
		fmt.Printf("%-66s %-60s %6.1f s\n", m.name, killer, time.Since(start).Seconds())
	}
	return missed, nil
}

// tree is a copy of the code.
type tree struct {
	dir, data string
	python    string // runs the tests of Python
	library   bool   // whether build/ holds the library, which they load
}

// mutated is the text of the mutant's file with the defect.
func (t *tree) mutated(m *mutant) (string, error) {
	text, err := os.ReadFile(filepath.Join(t.dir, m.file))
	if err != nil {
		return "", fmt.Errorf("%q: %w", m.name, err)
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("%q: its text occurs %d times in %s, not once: bring mutants/list.go up to date", m.name, n, m.file)
	}
	return strings.Replace(string(text), m.old, m.new, 1), nil
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
			if ok, out := t.suite(s); !ok {
				return fmt.Errorf("suite %s fails on the code as it is:\n%s", s, out[max(0, len(out)-2000):])
			}
		}
	}
	return nil
}

// catch puts the defect in, names the first suite that fails and what failed in it, and takes it out again.
func (t *tree) catch(m *mutant) (killer string, err error) {
	path := filepath.Join(t.dir, m.file)
	whole, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	text, err := t.mutated(m)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(path, whole, 0o644)) }()
	if ok, out := t.builds(m.file); !ok {
		return "", fmt.Errorf("%q does not compile:\n%s", m.name, out)
	}
	for _, s := range m.suites {
		if ok, out := t.suite(s); strings.Contains(out, "[build failed]") {
			return "", fmt.Errorf("%q does not compile:\n%s", m.name, out)
		} else if !ok {
			return strings.TrimSpace(s + " " + firstFailure(out)), nil
		}
	}
	return "", nil
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^panic: (test timed out)|^not ok \d+ - (.*)|^FAILED \S+::(\S+)`)

// firstFailure names the test that failed, in Go, Node.js or Python, or says that none ended: a defect may well make a search endless, but so
// may a machine that has too much to do.
func firstFailure(out string) string {
	found := failure.FindStringSubmatch(out)
	if found == nil {
		return ""
	}
	return found[1] + found[2] + found[3] + found[4]
}

// builds reports whether the package of a file compiles, in Go or Python; files of other languages do.
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
func (t *tree) suite(name string) (ok bool, out string) {
	args := suites[name]
	switch args[0] {
	case "sh":
		return t.command(nil, args...)
	case "py":
		return t.pytest(args[1:])
	case "test":
		args = append([]string{"test", "-failfast", "-vet=off"}, args[1:]...)
	}
	return t.command(nil, append([]string{"go"}, args...)...)
}

// pytest runs tests of Python on the library of the code without a defect, which it builds at first: mutants of other files do not take such a suite.
func (t *tree) pytest(args []string) (ok bool, out string) {
	if !t.library {
		if ok, out := t.command(nil, "sh", "capi/build.sh", "build"); !ok {
			return false, "[build failed]\n" + out
		}
		t.library = true
	}
	environment := []string{"PYTHONPATH=" + filepath.Join(t.dir, "bindings", "python"), "PYTHONDONTWRITEBYTECODE=1", "CCD_LIBRARY="}
	return t.command(environment, append([]string{"timeout", "600", t.python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"}, args...)...)
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
	c := exec.Command(args[0], args[1:]...)
	c.Dir = t.dir
	c.Env = append(append(os.Environ(), "CCD_DATA="+t.data), environment...)
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	err := c.Run()
	return err == nil, b.String()
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
