package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Module is a module of Go whose packages are parsed when they are asked for.
type Module struct {
	root, path string
	packages   map[string]*unit
	edit       func(name, text string) string // Tests change the text of a file with it.
}

// Open returns the module at a folder, whose packages have paths that begin with path.
func Open(root, path string) *Module {
	return &Module{root: root, path: path, packages: map[string]*unit{}}
}

// unit is what a package declares.
type unit struct {
	path      string
	functions map[string]declared // A method is Type.Name.
	types     map[string]declared
	values    map[string]declared // constants and variables
}

// declared is a declaration with what its names mean.
type declared struct {
	node    ast.Node
	of      *unit
	imports map[string]string
	iota    int
}

// unit returns a package.
func (m *Module) unit(path string) *unit {
	if u, ok := m.packages[path]; ok {
		return u
	}
	rest, ok := strings.CutPrefix(path, m.path+"/")
	if !ok {
		panic(unknown("the package %s is none of %s", path, m.path))
	}
	u := &unit{path, map[string]declared{}, map[string]declared{}, map[string]declared{}}
	names, err := filepath.Glob(filepath.Join(m.root, rest, "*.go"))
	if err != nil || len(names) == 0 {
		panic(unknown("no files of %s: %v", path, err))
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_amd64.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			panic(unknown("%v", err))
		}
		if m.edit != nil {
			text = []byte(m.edit(filepath.ToSlash(name), string(text)))
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			panic(unknown("%v", err))
		}
		u.take(file)
	}
	m.packages[path] = u
	return u
}

func (u *unit) take(file *ast.File) {
	imports := map[string]string{}
	for _, s := range file.Imports {
		path, _ := strconv.Unquote(s.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if s.Name != nil {
			name = s.Name.Name
		}
		imports[name] = path
	}
	of := func(n ast.Node) declared { return declared{node: n, of: u, imports: imports} }
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = typeName(d.Recv.List[0].Type) + "." + name
			}
			u.functions[name] = of(d)
		case *ast.GenDecl:
			var last []ast.Expr
			for i, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					u.types[s.Name.Name] = of(s.Type)
				case *ast.ValueSpec:
					if len(s.Values) > 0 || d.Tok == token.VAR {
						last = s.Values
					}
					for k, name := range s.Names {
						if k < len(last) {
							x := of(last[k])
							x.iota = i
							u.values[name.Name] = x
						}
					}
				}
			}
		}
	}
}

// typeName returns the name of a receiver's type.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// unknownError says what this package does not know, or what is not there.
type unknownError string

func (e unknownError) Error() string { return string(e) }

func unknown(format string, args ...any) unknownError {
	return unknownError(fmt.Sprintf(format, args...))
}
