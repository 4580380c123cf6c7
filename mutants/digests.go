package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// digests says which code a verdict rests on. A suite of Go tests catches a mutant by what its
// packages are built of, so a change elsewhere leaves the verdict as it was; a suite in another
// language loads the whole library.
type digests struct {
	root    string
	suites  map[string][]string
	files   []digested
	whole   string                     // digest of the code in which defects are planted
	all     string                     // digest of the tests too
	mu      sync.Mutex                 // It guards what follows.
	folders map[string]map[string]bool // The key is the folder of a package; its tests are built of the others.
	made    map[string]string          // The key is a suite's command.
}

// digested is a file with its digest.
type digested struct{ name, line string }

// key identifies a mutant, and the code on which a verdict of a suite rests.
func (d *digests) key(m *mutant, suite string) (string, error) {
	code, err := d.of(m, d.suites[suite])
	text := strings.Join(append([]string{code, m.folder, m.old, m.new}, m.suites...), "\x00")
	return fmt.Sprintf("%.6x", sha256.Sum256([]byte(text))), err
}

// of returns the digest of the code from which a suite is built if the mutant's folder belongs to
// it, else of all code. What tests read from other folders while they run does not count.
func (d *digests) of(m *mutant, args []string) (string, error) {
	if len(args) == 0 || args[0] != "test" {
		return d.whole, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.folders == nil {
		folders, err := builtOf(d.root)
		if err != nil {
			return "", err
		}
		d.folders, d.made = folders, map[string]string{}
	}
	used := map[string]bool{}
	for _, arg := range args[1:] {
		if !strings.HasPrefix(arg, ".") {
			continue
		}
		found := false
		for folder, of := range d.folders {
			if matches(arg, folder) {
				found = true
				for f := range of {
					used[f] = true
				}
			}
		}
		if !found {
			return "", fmt.Errorf("no package matches %s", arg)
		}
	}
	if !used[m.folder] {
		return d.whole, nil
	}
	key := strings.Join(args, " ")
	if d.made[key] == "" {
		sum := sha256.New()
		for _, file := range d.files {
			if used[path.Dir(file.name)] || strings.HasPrefix(file.name, "go.") {
				io.WriteString(sum, file.line)
			}
		}
		d.made[key] = fmt.Sprintf("%.6x", sum.Sum(nil))
	}
	return d.made[key], nil
}

// matches reports whether a pattern of packages, such as ./core/exact/..., names a folder.
func matches(pattern, folder string) bool {
	pattern = path.Clean(pattern)
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return folder == below || strings.HasPrefix(folder, below+"/")
	}
	return folder == pattern
}

// builtOf returns for the folder of each package the folders of the module from which its tests are
// built.
func builtOf(root string) (map[string]map[string]bool, error) {
	c := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,Deps,Module", "./...")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("go list: %s", exit.Stderr)
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	type listed struct {
		ImportPath, Dir string
		Deps            []string
		Module          *struct{ Main bool }
	}
	var packages []listed
	folder := map[string]string{}
	for from := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := from.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
		if p.Module == nil || !p.Module.Main || p.Dir == "" {
			continue
		}
		at, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		folder[p.ImportPath] = filepath.ToSlash(at)
	}
	built := map[string]map[string]bool{}
	for _, p := range packages {
		at, ok := folder[p.ImportPath]
		if !ok || !strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		built[at] = map[string]bool{at: true}
		for _, dep := range p.Deps {
			if f, ok := folder[dep]; ok {
				built[at][f] = true
			}
		}
	}
	return built, nil
}
