package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ccd/core/ccdtest/columns"
)

// fragment finds comments behind code that begin as a part of a sentence.
var fragment = regexp.MustCompile(`\S.*\s// (of|and|or|by|to|as|in|with)\b`)

// printLines prints the lines of Go of the module, without generated files.
func printLines(root string) error {
	var files, lines, tests, fragments int
	var long columns.Counts
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "build") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || filepath.Ext(path) != ".go" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil || columns.Generated(src) {
			return err
		}
		n, count := bytes.Count(src, []byte("\n")), columns.Count(src)
		long.Code, long.Comments = long.Code+count.Code, long.Comments+count.Comments
		if strings.HasSuffix(path, "_test.go") {
			tests += n
			return nil
		}
		files, lines = files+1, lines+n
		for line := range bytes.Lines(src) {
			if fragment.Match(line) {
				fragments++
			}
		}
		return nil
	})
	fmt.Printf("all packages\n  %d lines of Go in %d files, without tests; %d lines of tests\n", lines, files, tests)
	fmt.Printf("  %d lines of code over %d columns, %d comments over %d\n",
		long.Code, columns.MostCode, long.Comments, columns.MostComment)
	fmt.Printf("  %d comments behind code begin with of, and, or, by, to, as, in or with\n", fragments)
	return err
}
