package core

import (
	"go/ast"
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ccd/core/ccdtest/source"
)

// Limits of a type, with the fields and methods of what it embeds: beyond them its doc comment
// states a reason, in a sentence that begins with "Size:".
const (
	mostMethods = 25
	mostFields  = 15
)

// sizeReason finds the reason in a doc comment.
var sizeReason = regexp.MustCompile(`(?m)(^|[.:] )Size: \S`)

// No type has more methods or fields than the limits, embedded ones included, unless its doc
// comment says why or testdata/sizes.txt lists it with its fields and methods; and no member of a
// type hides one of an embedded type.
func TestSizeOfTypes(t *testing.T) {
	large := offenders{}
	loader := source.NewLoader("..")
	types := 0
	for _, p := range packagesToMeasure(t, loader, "", "core", "gpu", "capi", "bindings/js/wasm") {
		reasons := sizeReasons(p)
		for _, named := range p.Named() {
			types++
			m := source.MembersOf(named)
			name := p.Path + "." + named.Obj().Name()
			if (m.Fields > mostFields || m.Methods > mostMethods) && !reasons[named.Obj().Name()] {
				large[name] = []int{m.Fields, m.Methods}
			}
			for _, member := range m.Hidden {
				t.Errorf("%s.%s hides a member of an embedded type: rename one of the two", name, member)
			}
		}
	}
	if types < 500 {
		t.Errorf("only %d types were found", types)
	}
	large.check(t, "sizes.txt", []string{"fields", "methods"},
		"make the type smaller, or say why after \"Size:\" in its doc comment")
}

// packagesToMeasure loads the packages of some folders of the module and, but for the module's own
// folder, of those below.
func packagesToMeasure(t *testing.T, loader *source.Loader, folders ...string) (list []*source.Package) {
	for _, root := range folders {
		err := filepath.WalkDir(filepath.Join("..", root), func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_") || root == "" && dir != ".." {
				return filepath.SkipDir
			}
			at, err := filepath.Rel("..", dir)
			if err != nil {
				return err
			}
			loader.Build = build.Default
			if strings.HasPrefix(root, "bindings/js") {
				loader.Build.GOOS, loader.Build.GOARCH = "js", "wasm"
			}
			p, err := loader.Load(path.Join(source.Module, filepath.ToSlash(at)))
			if _, none := err.(*build.NoGoError); none {
				return nil
			}
			list = append(list, p)
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return list
}

// sizeReasons returns the types of a package whose doc comments give a reason for their size.
func sizeReasons(p *source.Package) map[string]bool {
	reasons := map[string]bool{}
	for _, file := range p.Files {
		for _, d := range file.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					reasons[s.Name.Name] = sizeReason.MatchString(d.Doc.Text()) || sizeReason.MatchString(s.Doc.Text())
				}
			}
		}
	}
	return reasons
}
