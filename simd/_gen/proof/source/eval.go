package source

import (
	"go/ast"
	"go/token"
	"math/big"
)

// frame is a call in progress.
type frame struct {
	unit    *unit
	imports map[string]string
	scopes  []map[string]*cell
	iota    int
	results []*cell // the results that have names
	out     value   // what is returned
}

func (r *run) frameOf(d declared) *frame {
	return &frame{unit: d.of, imports: d.imports, iota: d.iota}
}

func (f *frame) find(name string) *cell {
	for i := len(f.scopes) - 1; i >= 0; i-- {
		if c, ok := f.scopes[i][name]; ok {
			return c
		}
	}
	return nil
}

func (f *frame) declare(name string, v value) {
	f.scopes[len(f.scopes)-1][name] = &cell{v}
}

// eval returns the value of an expression.
func (r *run) eval(e ast.Expr, f *frame) value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return literalOf(e)
	case *ast.ParenExpr:
		return r.eval(e.X, f)
	case *ast.Ident:
		return r.identifier(e.Name, f)
	case *ast.BinaryExpr:
		return r.binary(e, f)
	case *ast.UnaryExpr:
		return r.unary(e, f)
	case *ast.StarExpr:
		return followed(r.eval(e.X, f))
	case *ast.CallExpr:
		return r.call(e, f)
	case *ast.CompositeLit:
		return r.composite(e, f)
	case *ast.FuncLit:
		return &closure{e, f}
	case *ast.IndexExpr:
		return r.place(e, f).v
	case *ast.SliceExpr:
		a := followed(r.eval(e.X, f)).(*array)
		lo, hi := 0, len(a.cells)
		if e.Low != nil {
			lo = r.integer(r.eval(e.Low, f))
		}
		if e.High != nil {
			hi = r.integer(r.eval(e.High, f))
		}
		return pointer{&cell{&array{cells: a.cells[lo:hi]}}}
	case *ast.SelectorExpr:
		if path, ok := r.imported(e.X, f); ok {
			return r.valueOf(r.module.unit(path), e.Sel.Name)
		}
		return r.place(e, f).v
	}
	panic(unknown("an expression %T", e))
}

func literalOf(e *ast.BasicLit) value {
	x, ok := new(big.Rat).SetString(e.Value)
	if !ok {
		panic(unknown("the literal %s", e.Value))
	}
	return literal{Rat: x}
}

func (r *run) identifier(n string, f *frame) value {
	if c := f.find(n); c != nil {
		return c.v
	}
	switch n {
	case "true", "false":
		return truth(n == "true")
	case "iota":
		return whole(f.iota)
	case "nil":
		return nil
	}
	return r.valueOf(f.unit, n)
}

// valueOf returns a constant or a variable of a package.
func (r *run) valueOf(u *unit, n string) value {
	d, ok := u.values[n]
	if !ok {
		panic(unknown("%s has no value %s", u.path, n))
	}
	v := r.eval(d.node.(ast.Expr), r.frameOf(d))
	if l, ok := v.(literal); ok {
		l.name = n
		return l
	}
	return v
}

// imported returns the path of the package that an expression names.
func (r *run) imported(e ast.Expr, f *frame) (path string, ok bool) {
	n, isName := e.(*ast.Ident)
	if !isName || f.find(n.Name) != nil {
		return "", false
	}
	path, ok = f.imports[n.Name]
	return path, ok
}

func (r *run) unary(e *ast.UnaryExpr, f *frame) value {
	switch e.Op {
	case token.AND:
		if c, ok := e.X.(*ast.CompositeLit); ok {
			return pointer{&cell{r.composite(c, f)}}
		}
		return pointer{r.place(e.X, f)}
	case token.SUB:
		return r.negative(r.eval(e.X, f))
	case token.ADD:
		return r.eval(e.X, f)
	case token.NOT:
		return !r.decided(r.eval(e.X, f))
	}
	panic(unknown("the operator %s", e.Op))
}

var comparisons = map[token.Token]string{token.LSS: "lt", token.LEQ: "le", token.GTR: "gt", token.GEQ: "ge",
	token.EQL: "eq", token.NEQ: "ne"}

func (r *run) binary(e *ast.BinaryExpr, f *frame) value {
	switch e.Op {
	case token.LAND:
		return r.decided(r.eval(e.X, f)) && r.decided(r.eval(e.Y, f))
	case token.LOR:
		return r.decided(r.eval(e.X, f)) || r.decided(r.eval(e.Y, f))
	}
	x, y := r.eval(e.X, f), r.eval(e.Y, f)
	code, compares := comparisons[e.Op]
	if !compares {
		return r.arithmetic(e.Op, x, y)
	}
	a, okA := x.(literal)
	b, okB := y.(literal)
	if okA && okB && !a.inf && !b.inf {
		c := a.Cmp(b.Rat)
		return truth(map[string]bool{"lt": c < 0, "le": c <= 0, "gt": c > 0, "ge": c >= 0, "eq": c == 0,
			"ne": c != 0}[code])
	}
	if c, ok := x.(truth); ok {
		return truth((c == r.decided(y)) == (code == "eq"))
	}
	if c, ok := y.(truth); ok {
		return truth((r.decided(x) == c) == (code == "eq"))
	}
	if v, ok := x.(operation); ok && r.nonnegative[v] && isZero(y) && (code == "eq" || code == "ne") {
		return truth(code == "ne") // A size that is 0 has terms that are 0: those of others hold for it.
	}
	return r.make(code, r.number(x), r.number(y))
}

// place returns where an expression's value is kept.
func (r *run) place(e ast.Expr, f *frame) *cell {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return r.place(e.X, f)
	case *ast.Ident:
		if c := f.find(e.Name); c != nil {
			return c
		}
		return &cell{r.identifier(e.Name, f)}
	case *ast.StarExpr:
		if p, ok := r.eval(e.X, f).(pointer); ok {
			return p.to
		}
	case *ast.IndexExpr:
		v := followed(r.place(e.X, f).v)
		if a, ok := v.(*array); ok {
			if i := r.integer(r.eval(e.Index, f)); i < len(a.cells) {
				return a.cells[i]
			}
			panic(unknown("an index is out of range"))
		}
		panic(unknown("the element of %T", v))
	case *ast.SelectorExpr:
		if path, ok := r.imported(e.X, f); ok {
			return &cell{r.valueOf(r.module.unit(path), e.Sel.Name)}
		}
		v := followed(r.place(e.X, f).v)
		if s, ok := v.(*record); ok {
			if c, ok := s.fields[e.Sel.Name]; ok {
				return c
			}
		}
		panic(unknown("the field %s of %T", e.Sel.Name, v))
	}
	return &cell{r.eval(e, f)}
}

// composite returns the value of a literal of an array or a record.
func (r *run) composite(e *ast.CompositeLit, f *frame) value {
	return r.fill(r.zero(e.Type, f), e, f)
}

func (r *run) fill(v value, e *ast.CompositeLit, f *frame) value {
	var elementType ast.Expr
	if t, ok := e.Type.(*ast.ArrayType); ok {
		elementType = t.Elt
	}
	next := 0
	for _, x := range e.Elts {
		key := ast.Expr(nil)
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			key, x = kv.Key, kv.Value
		}
		var to *cell
		switch v := v.(type) {
		case *array:
			if key != nil {
				next = r.integer(r.eval(key, f))
			}
			for next >= len(v.cells) {
				v.cells = append(v.cells, &cell{r.zeroOf(elementType, f)})
			}
			to = v.cells[next]
		case *record:
			if key != nil {
				to = v.fields[key.(*ast.Ident).Name]
			} else {
				to = v.fields[v.order[next]]
			}
		default:
			panic(unknown("a literal of %T", v))
		}
		if c, ok := x.(*ast.CompositeLit); ok && c.Type == nil { // Its type is that of the element.
			if t, ok := elementType.(*ast.ArrayType); ok {
				c = &ast.CompositeLit{Type: t, Elts: c.Elts}
			}
			to.v = r.fill(copied(to.v), c, f)
		} else {
			to.v = copied(r.eval(x, f))
		}
		next++
	}
	return v
}

func (r *run) zeroOf(t ast.Expr, f *frame) value {
	if t == nil {
		panic(unknown("an element of an unknown type"))
	}
	return r.zero(t, f)
}
