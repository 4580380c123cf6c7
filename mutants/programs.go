package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// course is a suite of Go tests: those of some packages whose names match a pattern.
type course struct {
	packages []string // folders below the tree
	pattern  *regexp.Regexp
	short    bool
}

// courseOf reads the arguments of `go test`.
func (t *tree) courseOf(args []string) (c course, err error) {
	pattern := ""
	var where []string
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "-short":
			c.short = true
		case "-run":
			i++
			pattern = args[i]
		case "-timeout": // It follows from the time that the tests take.
			i++
		default:
			where = append(where, args[i])
		}
	}
	if c.pattern, err = regexp.Compile(pattern); err != nil {
		return c, err
	}
	ok, out := t.command(nil, append([]string{"go", "list", "-f",
		"{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}"}, where...)...)
	if !ok {
		return c, fmt.Errorf("go list %s: %s", strings.Join(where, " "), out)
	}
	for _, dir := range strings.Fields(out) {
		below, err := filepath.Rel(t.dir, dir)
		if err != nil {
			return c, err
		}
		c.packages = append(c.packages, filepath.ToSlash(below))
	}
	return c, nil
}

// errBuild says that a program could not be built.
var errBuild = errors.New("does not compile")

// programs builds the programs of one state of a tree, each when it is first wanted.
type programs struct {
	tree    *tree
	dir     string // They lie there.
	overlay string // the file of go's option -overlay, or ""
	mu      sync.Mutex
	built   map[string]*program
}

// program is a test program and the names of its tests, examples and fuzz targets, or a command.
type program struct {
	path  string
	tests []string
	err   error
}

func newPrograms(t *tree, dir, overlay string) *programs {
	return &programs{tree: t, dir: dir, overlay: overlay, built: map[string]*program{}}
}

// tests returns the test program of a package.
func (p *programs) tests(folder string) *program {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.built[folder] == nil {
		got := p.build(folder, "test", "-c", "-vet=off")
		if got.err == nil {
			dir := filepath.Join(p.tree.dir, folder)
			status, out := p.tree.limited(dir, 3*least, nil, got.path, "-test.list", ".")
			if status != 0 {
				got.err = fmt.Errorf("%s: its tests cannot be listed:\n%s", folder, out)
			}
			for _, name := range strings.Fields(out) {
				if !strings.HasPrefix(name, "Benchmark") {
					got.tests = append(got.tests, name)
				}
			}
		}
		p.built[folder] = got
	}
	return p.built[folder]
}

// command returns the program of a command's package.
func (p *programs) command(folder string) *program {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.built["run "+folder] == nil {
		p.built["run "+folder] = p.build(folder, "build")
	}
	return p.built["run "+folder]
}

// build runs go build or go test -c.
func (p *programs) build(folder string, how ...string) *program {
	path := filepath.Join(p.dir, strings.NewReplacer("/", "_", ".", "root").Replace(folder)+"-"+how[0])
	args := append(append([]string{"go"}, how...), "-o", path)
	if p.overlay != "" {
		args = append(args, "-overlay", p.overlay)
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return &program{err: err}
	}
	if ok, out := p.tree.command(nil, append(args, "./"+folder)...); !ok {
		return &program{err: fmt.Errorf("%s %w:\n%s", folder, errBuild, out)}
	}
	return &program{path: path}
}
