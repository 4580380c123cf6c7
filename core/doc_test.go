package core

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fileName finds the names of Go files in a comment, not those of other folders; a * in a name
// stands for any characters.
var fileName = regexp.MustCompile(`(?:^|[^/\w])([a-z][a-z0-9_]*\*?\.go)\b`)

// A doc.go that lists files, as that of the package ccd and most below core do, names every file of
// its folder, and none that is not there.
func TestDocNamesEveryFile(t *testing.T) {
	docs, err := filepath.Glob("*/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("*/*/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	deep, err := filepath.Glob("*/*/*/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	lists := 0
	for _, doc := range slices.Concat([]string{"../doc.go", "../gpu/doc.go"}, docs, more, deep) {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, found := range fileName.FindAllStringSubmatch(string(text), -1) {
			names = append(names, found[1])
		}
		if !strings.Contains(string(text), ".go ") && len(names) < 3 {
			continue // no list
		}
		lists++
		checkList(t, filepath.Dir(doc), names)
	}
	if lists < 18 {
		t.Errorf("%d lists of files were found", lists)
	}
}

// checkList compares the files of a folder with those that its list names.
func checkList(t *testing.T, dir string, names []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if name == "doc.go" || strings.HasSuffix(name, "_test.go") || kernelOfProcessor(name) {
			continue
		}
		if !slices.ContainsFunc(names, func(pattern string) bool { return matches(pattern, name) }) {
			t.Errorf("%s: doc.go does not name %s", dir, name)
		}
	}
	for _, pattern := range names {
		named := func(file string) bool { return matches(pattern, filepath.Base(file)) }
		if !slices.ContainsFunc(files, named) && !elsewhere(dir, pattern) {
			t.Errorf("%s: doc.go names %s, which is not there", dir, pattern)
		}
	}
}

// kernelOfProcessor reports whether a file is another processor's or system's form of a file that
// is named.
func kernelOfProcessor(name string) bool {
	ends := []string{"_amd64.go", "_arm64.go", "_generic.go", "_linux.go", "_windows.go", "_other.go", "_unix.go"}
	for _, end := range ends {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// elsewhere reports whether a list may mean a file of the folder above or of another package, such
// as layers_test.go.
func elsewhere(dir, pattern string) bool {
	return dir == "." || strings.HasSuffix(pattern, "_test.go")
}

func matches(pattern, name string) bool {
	ok, err := filepath.Match(pattern, name)
	return err == nil && ok
}
