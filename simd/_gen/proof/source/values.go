package source

import (
	"go/ast"
	"math/big"
	"strings"
)

// value is a number (operation or literal), a truth, an *array, a *record, a pointer, a *closure, a
// tuple, or nil.
type value any

type (
	operation int
	// literal is a constant; a name that it has in the text is kept. inf is +Inf.
	literal struct {
		*big.Rat
		name string
		inf  bool
	}
	truth bool
	tuple []value
	// cell holds a variable, an element or a field.
	cell  struct{ v value }
	array struct {
		cells []*cell
		named name
	}
	record struct {
		fields map[string]*cell
		order  []string
		named  name
	}
	pointer struct{ to *cell }
	closure struct {
		f     *ast.FuncLit
		frame *frame
	}
	// name is that of a type.
	name struct {
		unit *unit
		name string
	}
)

func whole(n int) literal { return literal{Rat: new(big.Rat).SetInt64(int64(n))} }

// copied returns a value as an assignment copies it.
func copied(v value) value {
	switch v := v.(type) {
	case *array:
		c := &array{named: v.named}
		for _, x := range v.cells {
			c.cells = append(c.cells, &cell{copied(x.v)})
		}
		return c
	case *record:
		c := &record{map[string]*cell{}, v.order, v.named}
		for k, x := range v.fields {
			c.fields[k] = &cell{copied(x.v)}
		}
		return c
	}
	return v
}

// followed returns what a pointer points to, and other values as they are.
func followed(v value) value {
	if p, ok := v.(pointer); ok {
		return p.to.v
	}
	return v
}

// zero returns the zero value of a type. A type that this package does not know has the value nil.
func (r *run) zero(t ast.Expr, f *frame) value {
	switch t := t.(type) {
	case *ast.Ident:
		switch t.Name {
		case "float64", "int", "int8", "int32", "int64", "uint", "uint8", "uint32", "uint64":
			return whole(0)
		case "bool":
			return truth(false)
		}
		return r.zeroNamed(f.unit, t.Name)
	case *ast.ParenExpr:
		return r.zero(t.X, f)
	case *ast.SelectorExpr:
		path := f.imports[t.X.(*ast.Ident).Name]
		if path == "gonum.org/v1/gonum/spatial/r3" && t.Sel.Name == "Vec" {
			return vec(whole(0), whole(0), whole(0))
		}
		if !strings.HasPrefix(path, r.module.path+"/") {
			return nil
		}
		return r.zeroNamed(r.module.unit(path), t.Sel.Name)
	case *ast.ArrayType:
		a := &array{}
		if t.Len == nil {
			return a
		}
		if _, open := t.Len.(*ast.Ellipsis); open {
			return a
		}
		for range r.integer(r.eval(t.Len, f)) {
			a.cells = append(a.cells, &cell{r.zero(t.Elt, f)})
		}
		return a
	case *ast.StructType:
		s := &record{fields: map[string]*cell{}}
		for _, field := range t.Fields.List {
			for _, n := range field.Names {
				s.fields[n.Name] = &cell{r.zero(field.Type, f)}
				s.order = append(s.order, n.Name)
			}
			if len(field.Names) == 0 {
				n := typeName(field.Type)
				s.fields[n] = &cell{r.zero(field.Type, f)}
				s.order = append(s.order, n)
			}
		}
		return s
	}
	return nil
}

func (r *run) zeroNamed(u *unit, n string) value {
	d, ok := u.types[n]
	if !ok {
		return nil
	}
	v := r.zero(d.node.(ast.Expr), r.frameOf(d))
	switch v := v.(type) {
	case *array:
		v.named = name{u, n}
	case *record:
		v.named = name{u, n}
	}
	return v
}

// vec returns a vector of gonum.
func vec(x, y, z value) *record {
	return &record{fields: map[string]*cell{"X": {x}, "Y": {y}, "Z": {z}}, order: []string{"X", "Y", "Z"}}
}
