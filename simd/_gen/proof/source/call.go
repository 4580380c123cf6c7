package source

import (
	"go/ast"
	"go/token"
	"math/big"
)

// extremes are functions that take the larger or the smaller of two numbers, with their bodies: a
// maximum of magnitudes, and a minimum. TestKnownFunctionsAreWhatTheyWere compares them with the
// text.
var extremes = map[string]string{
	"ccd/core/exact.Larger": "max abs",
	"ccd/core/exact.lesser": "min",
}

// call returns what a call returns.
func (r *run) call(e *ast.CallExpr, f *frame) value {
	switch fun := e.Fun.(type) {
	case *ast.ParenExpr:
		return r.call(&ast.CallExpr{Fun: fun.X, Args: e.Args}, f)
	case *ast.Ident:
		if c := f.find(fun.Name); c != nil {
			return r.closed(c.v.(*closure), r.arguments(e, f))
		}
		if v, ok := r.builtIn(fun.Name, e, f); ok {
			return v
		}
		return r.function(f.unit, fun.Name, nil, r.arguments(e, f))
	case *ast.SelectorExpr:
		if path, ok := r.imported(fun.X, f); ok {
			return r.elsewhere(path, fun.Sel.Name, e, f)
		}
		to := r.place(fun.X, f)
		if p, ok := to.v.(pointer); ok {
			to = p.to
		}
		var n name
		switch v := to.v.(type) {
		case *array:
			n = v.named
		case *record:
			if c, ok := v.fields[fun.Sel.Name]; ok {
				if g, ok := c.v.(*closure); ok {
					return r.closed(g, r.arguments(e, f))
				}
			}
			n = v.named
		}
		if n.unit == nil {
			panic(unknown("the method %s of %T", fun.Sel.Name, to.v))
		}
		return r.function(n.unit, n.name+"."+fun.Sel.Name, to, r.arguments(e, f))
	}
	panic(unknown("a call of %T", e.Fun))
}

func (r *run) arguments(e *ast.CallExpr, f *frame) (args []value) {
	for _, a := range e.Args {
		v := r.eval(a, f)
		if t, ok := v.(tuple); ok {
			args = append(args, t...)
			continue
		}
		args = append(args, v)
	}
	return args
}

// builtIn calls what the language has.
func (r *run) builtIn(n string, e *ast.CallExpr, f *frame) (v value, ok bool) {
	switch n {
	case "float64", "int", "int8", "int32", "int64", "uint", "uint8", "uint32":
		return r.eval(e.Args[0], f), true
	case "min", "max":
		args := r.arguments(e, f)
		v = args[0]
		for _, a := range args[1:] {
			v = r.extreme(n, v, a)
		}
		return v, true
	case "len":
		a, ok := followed(r.eval(e.Args[0], f)).(*array)
		if !ok {
			panic(unknown("the length of something else than an array"))
		}
		return whole(len(a.cells)), true
	}
	return nil, false
}

// elsewhere calls a function of another package.
func (r *run) elsewhere(path, n string, e *ast.CallExpr, f *frame) value {
	args := r.arguments(e, f)
	if hook, ok := r.hooks[path+"."+n]; ok {
		return hook(args)
	}
	switch path + "." + n {
	case "math.Abs":
		return r.magnitude(args[0])
	case "math.Inf":
		return literal{Rat: new(big.Rat), inf: true}
	case "gonum.org/v1/gonum/spatial/r3.Sub":
		x, y := args[0].(*record), args[1].(*record)
		minus := func(k string) value { return r.arithmetic(token.SUB, x.fields[k].v, y.fields[k].v) }
		return vec(minus("X"), minus("Y"), minus("Z"))
	}
	return r.function(r.module.unit(path), n, nil, args)
}

// function calls a function or a method of a package.
func (r *run) function(u *unit, n string, receiver *cell, args []value) value {
	full := u.path + "." + n
	if hook, ok := r.hooks[full]; ok {
		if receiver != nil {
			args = append([]value{receiver.v}, args...)
		}
		return hook(args)
	}
	switch extremes[full] {
	case "max abs":
		return r.extreme("max", r.magnitude(args[0]), r.magnitude(args[1]))
	case "min":
		return r.extreme("min", args[0], args[1])
	}
	d, ok := u.functions[n]
	if !ok {
		panic(unknown("%s has no function %s", u.path, n))
	}
	decl := d.node.(*ast.FuncDecl)
	g := r.frameOf(d)
	g.scopes = []map[string]*cell{{}}
	if decl.Recv != nil && len(decl.Recv.List[0].Names) > 0 {
		self := decl.Recv.List[0]
		if _, byPointer := self.Type.(*ast.StarExpr); byPointer {
			g.declare(self.Names[0].Name, pointer{receiver})
		} else {
			g.declare(self.Names[0].Name, copied(receiver.v))
		}
	}
	return r.body(decl.Type, decl.Body, g, args)
}

func (r *run) closed(c *closure, args []value) value {
	g := *c.frame
	g.results, g.out = nil, nil
	g.scopes = append(append([]map[string]*cell{}, c.frame.scopes...), map[string]*cell{})
	return r.body(c.f.Type, c.f.Body, &g, args)
}

// body runs a function's body with its arguments.
func (r *run) body(t *ast.FuncType, b *ast.BlockStmt, g *frame, args []value) value {
	if r.depth++; r.depth > 100 {
		panic(unknown("calls too deep"))
	}
	defer func() { r.depth-- }()
	next := 0
	for _, p := range t.Params.List {
		for _, n := range p.Names {
			g.declare(n.Name, copied(args[next]))
			next++
		}
	}
	if t.Results != nil {
		for _, p := range t.Results.List {
			for _, n := range p.Names {
				g.declare(n.Name, r.zero(p.Type, g))
				g.results = append(g.results, g.find(n.Name))
			}
		}
	}
	if r.block(b.List, g) == returns {
		return g.out
	}
	return nil
}
