package core

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Limits of a type: beyond them its doc comment states a reason, in a sentence that begins with "Size:".
const (
	mostMethods = 25
	mostFields  = 15
)

// sizeReason finds the reason in a doc comment.
var sizeReason = regexp.MustCompile(`(?m)(^|[.:] )Size: \S`)

// No type of core and capi has more methods or fields than the limits, unless its doc comment says why.
func TestSizeOfTypes(t *testing.T) {
	checkSizes(t, "..")
	for _, root := range []string{".", "../gpu", "../capi", "../bindings/js"} {
		err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() != "testdata" {
				checkSizes(t, dir)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkSizes reports the types of one folder that are too large without a reason.
func checkSizes(t *testing.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	methods, fields, reasons := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[receiver(d.Recv.List[0].Type)]++
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					s, ok := s.(*ast.TypeSpec)
					if !ok {
						continue
					}
					fields[s.Name.Name] = fieldsOf(s.Type)
					reasons[s.Name.Name] = sizeReason.MatchString(d.Doc.Text()) || sizeReason.MatchString(s.Doc.Text())
				}
			}
		}
	}
	for name, n := range fields {
		if !reasons[name] && (n > mostFields || methods[name] > mostMethods) {
			t.Errorf("%s: type %s has %d fields and %d methods: say why after \"Size:\" in its doc comment, or make it smaller", dir, name, n, methods[name])
		}
	}
}

// receiver returns the name of a method's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// fieldsOf returns the number of fields of a struct, or of methods of an interface, and 0 for other types.
func fieldsOf(x ast.Expr) (n int) {
	var list *ast.FieldList
	switch x := x.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	default:
		return 0
	}
	for _, f := range list.List {
		n += max(1, len(f.Names))
	}
	return n
}
