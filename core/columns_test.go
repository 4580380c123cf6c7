package core

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ccd/core/ccdtest/columns"
)

// Lines of Go have at most 120 columns, and comments at most 100. Only core/broad has files with
// longer ones: testdata/columns.txt lists how many lines of code and of comments each has.
func TestLinesAreShort(t *testing.T) {
	found := offenders{}
	err := eachGoFile(func(name string, src []byte) {
		if columns.Generated(src) {
			return
		}
		if n := columns.Count(src); n != (columns.Counts{}) {
			found[name] = []int{n.Code, n.Comments}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range found {
		if !strings.HasPrefix(name, "core/broad/") {
			t.Errorf("%s: lines are too long; go run ./core/ccdtest/rewrap -l %s lists them", name, filepath.Dir(name))
		}
	}
	found.check(t, "columns.txt", []string{"lines of code over 120 columns", "comments over 100 columns"},
		"divide the lines, and the comments with go run ./core/ccdtest/rewrap FOLDER")
}

// A comment behind code is a sentence of its own: it does not begin with a preposition or a
// conjunction, but for the files in testdata/fragments.txt, which lists how many of each do.
func TestCommentsBeginSentences(t *testing.T) {
	found := offenders{}
	err := eachGoFile(func(name string, src []byte) {
		if columns.Generated(src) {
			return
		}
		if lines := columns.Fragments(src); len(lines) > 0 {
			found[name] = []int{len(lines)}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	found.check(t, "fragments.txt", []string{"comments that begin in the middle of a sentence"},
		"write a sentence that a reader of the line alone understands; go run ./core/ccdtest/rewrap -l FOLDER "+
			"lists them")
}

// eachGoFile calls f for every Go file of the module, with its path below the module's folder.
func eachGoFile(f func(name string, src []byte)) error {
	return filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		skipped := strings.HasPrefix(name, ".") || name == "build" || name == "dist" || name == "node_modules"
		if d.IsDir() && path != ".." && skipped {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || filepath.Ext(name) != ".go" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err == nil {
			rel, _ := filepath.Rel("..", path)
			f(filepath.ToSlash(rel), src)
		}
		return err
	})
}
