package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"time"
)

// tree is a copy of the code.
type tree struct {
	dir, data string
	python    string // runs the tests of Python
	library   bool   // whether build/ holds the library, which they load
	stop      context.Context
}

// command runs a program in the tree and returns whether it succeeded, and its output.
func (t *tree) command(environment []string, args ...string) (ok bool, out string) {
	status, out := t.run(t.dir, environment, args...)
	return status == 0, out
}

// limited runs a command and all that it starts in a folder, until they end or the time is up.
func (t *tree) limited(dir string, most time.Duration, environment []string, args ...string) (int, string) {
	return t.run(dir, environment, append([]string{"timeout", fmt.Sprint(most.Seconds())}, args...)...)
}

// run runs a program in a folder and returns its exit status and what it prints; the status is -1
// if the program did not start, or was killed.
func (t *tree) run(dir string, environment []string, args ...string) (status int, out string) {
	c := exec.CommandContext(t.stop, args[0], args[1:]...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) } // timeout passes it on
	c.Dir = dir
	// The suites run with -short; this adds the long tests.
	c.Env = append(append(os.Environ(), "CCD_DATA="+t.data, "CCD_LONG=1", "PWD="+dir), environment...)
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	if err := c.Run(); err != nil && c.ProcessState == nil {
		return -1, b.String() + err.Error()
	}
	return c.ProcessState.ExitCode(), b.String()
}

// with puts a defect in a file of the tree, calls f, and takes the defect out again.
func (t *tree) with(file string, m *mutant, f func() error) (err error) {
	path := filepath.Join(t.dir, file)
	whole, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(whole), m.old, m.new, 1)), 0o644); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.WriteFile(path, whole, 0o644)) }()
	return f()
}

// interpreter is that of Python: CCD_PYTHON, or the checkout's.
func interpreter(root string) string {
	if p := os.Getenv("CCD_PYTHON"); p != "" {
		return p
	}
	return filepath.Join(root, ".venv", "bin", "python")
}

// dataFolder is that of the data sets, which the copy is not beside.
func dataFolder(root string) string {
	if d := os.Getenv("CCD_DATA"); d != "" {
		return d
	}
	return filepath.Join(root, "..", "shared", "data")
}

// known returns the files that git knows or would add, without those that were deleted.
func known(root string) ([]string, error) {
	c := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	var names []string
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(root, name))
		if errors.Is(err, os.ErrNotExist) || err == nil && info.IsDir() {
			continue // deleted but in the index, or a link to a folder, such as a .venv elsewhere
		}
		names = append(names, name)
	}
	sort.Strings(names)
	return names, nil
}

// copyTree copies the files that git knows or would add.
func copyTree(root, dir string) error {
	names, err := known(root)
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
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

// besides are folders on which no verdict depends.
var besides = []string{"mutants", "docs", "bench", "examples", ".ci", ".github"}

// digest reads the code in which defects are planted, and the tests.
func digest(root string) (*digests, error) {
	names, err := known(root)
	if err != nil {
		return nil, err
	}
	d := &digests{root: root, suites: suites}
	ofCode, ofAll := sha256.New(), sha256.New()
	for _, name := range names {
		top, _, below := strings.Cut(name, "/")
		at := !below && filepath.Ext(name) != ".go" && !strings.HasPrefix(name, "go.") // such as the Makefile
		if at || slices.Contains(besides, top) || strings.HasSuffix(name, ".md") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		line := fmt.Sprintf("%s %x\n", name, sha256.Sum256(text))
		ofAll.Write([]byte(line))
		if !ofTests(name) {
			ofCode.Write([]byte(line))
			d.files = append(d.files, digested{name, line})
		}
	}
	d.whole, d.all = fmt.Sprintf("%.6x", ofCode.Sum(nil)), fmt.Sprintf("%.6x", ofAll.Sum(nil))
	return d, nil
}

// ofTests reports whether a file holds tests, or what only they read.
func ofTests(name string) bool {
	return strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "core/ccdtest/") ||
		strings.Contains(name, "/testdata/") || strings.Contains(name, "/tests/") ||
		strings.HasPrefix(name, "findings/")
}
