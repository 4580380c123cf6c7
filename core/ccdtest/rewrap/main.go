// Command rewrap divides the comments of Go files that have lines of more than 100 columns into
// lines that have no more. It changes only the paragraphs that are too wide: see columns.Wrap.
//
//	go run ./core/ccdtest/rewrap core/step     wrap the files of a folder
//	go run ./core/ccdtest/rewrap -r .          wrap the files of all folders below
//	go run ./core/ccdtest/rewrap -n -r .       name the files that would change
//	go run ./core/ccdtest/rewrap -l core/step  list the lines that are too long as they are
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ccd/core/ccdtest/columns"
)

func main() {
	below := flag.Bool("r", false, "also wrap the files of the folders below")
	dry := flag.Bool("n", false, "name the files that would change, and change none")
	list := flag.Bool("l", false, "list the lines that are too long, and change none")
	flag.Parse()
	if flag.NArg() == 0 {
		exitOn(fmt.Errorf("no folder is given; name the folders whose comments to wrap"))
	}
	for _, folder := range flag.Args() {
		do := func(path string) error { return wrapFile(path, *dry) }
		if *list {
			do = listFile
		}
		exitOn(eachFile(folder, *below, do))
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "rewrap:", err)
		os.Exit(1)
	}
}

// eachFile calls do for the Go files of a folder and, if below is set, of the folders below it.
func eachFile(folder string, below bool, do func(path string) error) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && (!below || strings.HasPrefix(d.Name(), ".") || d.Name() == "build"):
			return filepath.SkipDir
		case d.Type().IsRegular() && filepath.Ext(path) == ".go":
			return do(path)
		}
		return nil
	})
}

// listFile prints the lines of a file that are too long.
func listFile(path string) error {
	src, err := os.ReadFile(path)
	if err != nil || columns.Generated(src) {
		return err
	}
	code, comments := columns.Long(src)
	for _, line := range code {
		fmt.Printf("%s:%d: code has more than %d columns\n", path, line, columns.MostCode)
	}
	for _, line := range comments {
		fmt.Printf("%s:%d: the comment has more than %d columns\n", path, line, columns.MostComment)
	}
	return nil
}

// wrapFile wraps the comments of a file, and prints its name if that changes it.
func wrapFile(path string, dry bool) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	wrapped := columns.Wrap(src)
	if bytes.Equal(wrapped, src) {
		return nil
	}
	fmt.Println(path)
	if dry {
		return nil
	}
	return os.WriteFile(path, wrapped, 0o644)
}
