// Package source parses and type-checks the packages of this module from their text, for tests and
// programs that count what the code is made of.
//
// source.go loads packages, and members.go lists the fields and methods of a type.
//
// Packages outside of the module are taken for empty ones, so that nothing but the module is read:
// what comes from them has no type, and errors that follow from this are ignored.
package source

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"
)

// Module is the module's path, with which the paths of its packages begin.
const Module = "ccd"

// Package is a package without its tests, as it is built for one system.
type Package struct {
	Path  string
	Names []string    // Names are the paths of the files, below the root.
	Files []*ast.File // Files has the syntax of each name.
	Types *types.Package
}

// Loader loads packages of the module. The zero value of everything but Root and Fset is ready.
type Loader struct {
	Root   string // Root is the folder of the module.
	Fset   *token.FileSet
	Build  build.Context // Build chooses the files of a package.
	Bodies bool          // Bodies is true if the bodies of functions are checked too.
	Info   types.Info    // Info is filled for all packages together; its nil maps are not.

	loaded map[string]*Package
}

// NewLoader returns a loader for packages without the bodies of their functions.
func NewLoader(root string) *Loader {
	return &Loader{Root: root, Fset: token.NewFileSet(), Build: build.Default, loaded: map[string]*Package{}}
}

// Load returns the package with a path such as "ccd/core/step". It fails if the folder has no Go
// files for the system or one cannot be parsed.
func (l *Loader) Load(at string) (*Package, error) {
	if p, ok := l.loaded[at]; ok {
		if p == nil {
			return nil, fmt.Errorf("%s imports itself", at)
		}
		return p, nil
	}
	l.loaded[at] = nil
	p, err := l.parse(at)
	if err != nil {
		delete(l.loaded, at)
		return nil, err
	}
	config := types.Config{
		Importer: importer{l}, FakeImportC: true, IgnoreFuncBodies: !l.Bodies,
		Error: func(error) {}, // Names of packages outside of the module have no types.
	}
	p.Types, _ = config.Check(at, l.Fset, p.Files, &l.Info)
	l.loaded[at] = p
	return p, nil
}

func (l *Loader) parse(at string) (*Package, error) {
	folder := strings.TrimPrefix(strings.TrimPrefix(at, Module), "/")
	found, err := l.Build.ImportDir(filepath.Join(l.Root, folder), 0)
	if err != nil {
		return nil, err
	}
	p := &Package{Path: at}
	for _, name := range append(found.GoFiles, found.CgoFiles...) {
		file, err := parser.ParseFile(l.Fset, filepath.Join(l.Root, folder, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.Names, p.Files = append(p.Names, path.Join(filepath.ToSlash(folder), name)), append(p.Files, file)
	}
	return p, nil
}

// importer loads what a package imports.
type importer struct{ l *Loader }

func (i importer) Import(at string) (*types.Package, error) {
	if at == "unsafe" {
		return types.Unsafe, nil
	}
	if at == Module || strings.HasPrefix(at, Module+"/") {
		p, err := i.l.Load(at)
		if err != nil {
			return nil, err
		}
		return p.Types, nil
	}
	name := path.Base(at)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(at)) // such as math/rand/v2
	}
	outside := types.NewPackage(at, name)
	outside.MarkComplete()
	return outside, nil
}
