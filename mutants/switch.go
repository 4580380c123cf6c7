package main

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// switchBuild is a build of the tree that holds many mutants.
type switchBuild struct {
	tree   *tree
	dir    string // The files that replace some of the tree's lie there.
	byFile map[string][]numbered
	why    map[int]string // why a mutant is not in it
}

// overlay writes the files of the build and returns go's file for -overlay. Mutants whose copies do
// not compile are taken out.
func (b *switchBuild) overlay() (string, error) {
	for {
		path, err := b.write()
		if err != nil {
			return "", err
		}
		out := ""
		if folders := b.folders(); len(folders) > 0 {
			var ok bool
			if ok, out = b.tree.command(nil, append([]string{"go", "build", "-overlay", path, "-o", os.DevNull},
				folders...)...); ok {
				return path, nil
			}
		} else {
			return path, nil
		}
		if !b.drop(out) {
			return "", fmt.Errorf("the build that holds many mutants does not compile:\n%s", out)
		}
	}
}

// folders are those with mutants.
func (b *switchBuild) folders() (list []string) {
	seen := map[string]bool{}
	for file := range b.byFile {
		if folder := "./" + filepath.ToSlash(filepath.Dir(file)); !seen[folder] {
			seen[folder] = true
			list = append(list, folder)
		}
	}
	sort.Strings(list)
	return list
}

var (
	inCopy   = regexp.MustCompile(`(?m)^(.*/)?` + copyFile + `(\d+)\.go:\d+(?::\d+)?: (.*)$`)
	inFolder = regexp.MustCompile(`(?m)^# ccd/?(\S*)`)
)

// drop takes out the mutants that the compiler names, or all of the folders that it names, and
// reports whether there were any.
func (b *switchBuild) drop(out string) bool {
	dropped := false
	for _, found := range inCopy.FindAllStringSubmatch(out, -1) {
		if number, err := strconv.Atoi(found[2]); err == nil {
			dropped = b.without(func(file string, m numbered) bool { return m.number == number }, found[3]) || dropped
		}
	}
	if dropped {
		return true
	}
	for _, found := range inFolder.FindAllStringSubmatch(out, -1) {
		folder := filepath.Clean(found[1])
		dropped = b.without(func(file string, m numbered) bool { return filepath.Dir(file) == folder },
			"copies of functions do not compile in its folder") || dropped
	}
	return dropped
}

func (b *switchBuild) without(which func(string, numbered) bool, why string) (dropped bool) {
	for file, list := range b.byFile {
		var kept []numbered
		for _, m := range list {
			if which(file, m) {
				b.why[m.number], dropped = why, true
			} else {
				kept = append(kept, m)
			}
		}
		if b.byFile[file] = kept; len(kept) == 0 {
			delete(b.byFile, file)
		}
	}
	return dropped
}

// write writes the files.
func (b *switchBuild) write() (string, error) {
	replace := map[string]string{}
	put := func(file, text string) error {
		path := filepath.Join(b.dir, file)
		replace[filepath.Join(b.tree.dir, file)] = path
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(text), 0o644)
	}
	for file, list := range b.byFile {
		text, err := os.ReadFile(filepath.Join(b.tree.dir, file))
		if err != nil {
			return "", err
		}
		planted, why := plant(string(text), list)
		var kept []numbered
		for _, m := range list {
			if reason, left := why[m.number]; left {
				b.why[m.number] = reason
			} else {
				kept = append(kept, m)
			}
		}
		if b.byFile[file] = kept; len(kept) == 0 {
			delete(b.byFile, file)
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		if err := put(file, planted); err != nil {
			return "", err
		}
		beside := filepath.Join(filepath.Dir(file), "ccd_mutant_switch.go")
		if err := put(beside, switchText(parsed.Name.Name)); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(b.dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o644)
}

// switchable reports whether a file's mutants can be in the build: others need another compiler or
// another system.
func switchable(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.HasPrefix(file, "bindings/js/")
}
