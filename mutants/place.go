package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// folders holds the texts of the files of each folder that was read, below one root.
type folders struct {
	root string
	read map[string][]source
}

// source is a file and its text.
type source struct{ name, text string }

func newFolders(root string) *folders {
	return &folders{root, map[string][]source{}}
}

// files returns the files directly in a folder. Files that begin with a dot and Go's tests are not
// among them: a defect is planted in what the tests test.
func (f *folders) files(folder string) ([]source, error) {
	if found, ok := f.read[folder]; ok {
		return found, nil
	}
	entries, err := os.ReadDir(filepath.Join(f.root, folder))
	if err != nil {
		return nil, err
	}
	found := []source{}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || strings.HasPrefix(name, ".") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.root, folder, name))
		if err != nil {
			return nil, err
		}
		found = append(found, source{name, string(text)})
	}
	f.read[folder] = found
	return found, nil
}

// place returns the file of the mutant's folder that holds its text, below the root. The text must
// occur exactly once in the files of the folder: the error says where it occurs more often.
func (f *folders) place(m *mutant) (string, error) {
	files, err := f.files(m.folder)
	if err != nil {
		return "", fmt.Errorf("mutant %q: %w", m.name, err)
	}
	var at []string
	file := ""
	for _, s := range files {
		rest, line := s.text, 1
		for {
			i := strings.Index(rest, m.old)
			if i < 0 {
				break
			}
			line += strings.Count(rest[:i], "\n")
			at = append(at, fmt.Sprintf("%s:%d", s.name, line))
			line += strings.Count(m.old, "\n")
			file, rest = filepath.Join(m.folder, s.name), rest[i+len(m.old):]
		}
	}
	switch len(at) {
	case 1:
		return file, nil
	case 0:
		return "", fmt.Errorf("mutant %q: no file of %s has the text %q: give it the text that stands there now",
			m.name, m.folder, m.old)
	default:
		return "",
			fmt.Errorf("mutant %q: the text %q occurs %d times in %s, at %s: add the code around the one that is meant",
				m.name, m.old, len(at), m.folder, strings.Join(at, ", "))
	}
}
