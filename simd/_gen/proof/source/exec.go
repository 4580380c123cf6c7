package source

import (
	"go/ast"
	"go/token"
)

// flow is how a statement ends.
type flow int

const (
	onward flow = iota
	breaks
	continues
	returns
)

// block runs statements in a scope of their own.
func (r *run) block(list []ast.Stmt, f *frame) flow {
	f.scopes = append(f.scopes, map[string]*cell{})
	defer func() { f.scopes = f.scopes[:len(f.scopes)-1] }()
	for _, s := range list {
		if to := r.exec(s, f); to != onward {
			return to
		}
	}
	return onward
}

func (r *run) exec(s ast.Stmt, f *frame) flow {
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		return r.block(s.List, f)
	case *ast.ExprStmt:
		r.eval(s.X, f)
	case *ast.AssignStmt:
		r.assign(s, f)
	case *ast.IncDecStmt:
		c := r.place(s.X, f)
		c.v = r.arithmetic(map[token.Token]token.Token{token.INC: token.ADD, token.DEC: token.SUB}[s.Tok], c.v,
			whole(1))
	case *ast.DeclStmt:
		r.declaration(s.Decl.(*ast.GenDecl), f)
	case *ast.ReturnStmt:
		r.returned(s, f)
		return returns
	case *ast.BranchStmt:
		if s.Label == nil && s.Tok == token.BREAK {
			return breaks
		}
		if s.Label == nil && s.Tok == token.CONTINUE {
			return continues
		}
		panic(unknown("the statement %s", s.Tok))
	case *ast.IfStmt:
		return r.scoped(s.Init, f, func() flow {
			if r.decided(r.eval(s.Cond, f)) {
				return r.block(s.Body.List, f)
			}
			if s.Else != nil {
				return r.exec(s.Else, f)
			}
			return onward
		})
	case *ast.SwitchStmt:
		return r.scoped(s.Init, f, func() flow { return r.choose(s, f) })
	case *ast.ForStmt:
		return r.scoped(s.Init, f, func() flow { return r.loop(s, f) })
	case *ast.RangeStmt:
		return r.each(s, f)
	default:
		panic(unknown("a statement %T", s))
	}
	return onward
}

// scoped runs a statement whose first part declares variables.
func (r *run) scoped(init ast.Stmt, f *frame, rest func() flow) flow {
	f.scopes = append(f.scopes, map[string]*cell{})
	defer func() { f.scopes = f.scopes[:len(f.scopes)-1] }()
	if init != nil {
		r.exec(init, f)
	}
	return rest()
}

func (r *run) returned(s *ast.ReturnStmt, f *frame) {
	var out []value
	for _, e := range s.Results {
		v := r.eval(e, f)
		if t, ok := v.(tuple); ok {
			out = append(out, t...)
			continue
		}
		out = append(out, copied(v))
	}
	if len(s.Results) == 0 {
		for _, c := range f.results {
			out = append(out, copied(c.v))
		}
	}
	switch len(out) {
	case 0:
		f.out = nil
	case 1:
		f.out = out[0]
	default:
		f.out = tuple(out)
	}
}

var augmented = map[token.Token]token.Token{token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB,
	token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO, token.OR_ASSIGN: token.OR}

func (r *run) assign(s *ast.AssignStmt, f *frame) {
	var values []value
	for _, e := range s.Rhs {
		v := r.eval(e, f)
		if t, ok := v.(tuple); ok && len(s.Rhs) == 1 {
			values = append(values, t...)
			continue
		}
		values = append(values, copied(v))
	}
	if op, ok := augmented[s.Tok]; ok {
		c := r.place(s.Lhs[0], f)
		c.v = r.arithmetic(op, c.v, values[0])
		return
	}
	if s.Tok != token.DEFINE && s.Tok != token.ASSIGN || len(values) != len(s.Lhs) {
		panic(unknown("the assignment %s of %d values", s.Tok, len(values)))
	}
	places := make([]*cell, len(s.Lhs))
	for i, e := range s.Lhs {
		n, isName := e.(*ast.Ident)
		switch {
		case isName && n.Name == "_":
			places[i] = &cell{}
		case isName && s.Tok == token.DEFINE && f.scopes[len(f.scopes)-1][n.Name] == nil:
			f.declare(n.Name, nil)
			places[i] = f.find(n.Name)
		default:
			places[i] = r.place(e, f)
		}
	}
	for i, c := range places {
		c.v = values[i]
	}
}

func (r *run) declaration(d *ast.GenDecl, f *frame) {
	for _, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			panic(unknown("a declaration %T", s))
		}
		for i, n := range v.Names {
			if len(v.Values) == 0 {
				f.declare(n.Name, r.zero(v.Type, f))
				continue
			}
			x := copied(r.eval(v.Values[i], f))
			if l, ok := x.(literal); ok && d.Tok == token.CONST {
				l.name = n.Name
				x = l
			}
			f.declare(n.Name, x)
		}
	}
}

// choose runs a switch.
func (r *run) choose(s *ast.SwitchStmt, f *frame) flow {
	var tag value = truth(true)
	if s.Tag != nil {
		tag = r.eval(s.Tag, f)
	}
	var chosen *ast.CaseClause
	for _, each := range s.Body.List {
		c := each.(*ast.CaseClause)
		if c.List == nil && chosen == nil {
			chosen = c
		}
	}
	for _, each := range s.Body.List {
		c := each.(*ast.CaseClause)
		for _, e := range c.List {
			v := r.eval(e, f)
			yes := false
			if s.Tag == nil {
				yes = bool(r.decided(v))
			} else if a, ok := tag.(literal); ok {
				b, ok := v.(literal)
				yes = ok && a.Cmp(b.Rat) == 0
			} else {
				panic(unknown("a switch on %T", tag))
			}
			if yes {
				return r.inCase(c, f)
			}
		}
	}
	if chosen == nil {
		return onward
	}
	return r.inCase(chosen, f)
}

func (r *run) inCase(c *ast.CaseClause, f *frame) flow {
	if to := r.block(c.Body, f); to != breaks {
		return to
	}
	return onward
}

func (r *run) loop(s *ast.ForStmt, f *frame) flow {
	for range 1000 {
		if s.Cond != nil && !r.decided(r.eval(s.Cond, f)) {
			return onward
		}
		switch r.block(s.Body.List, f) {
		case breaks:
			return onward
		case returns:
			return returns
		}
		if s.Post != nil {
			r.exec(s.Post, f)
		}
	}
	panic(unknown("a loop without end"))
}

// each runs a loop over a range.
func (r *run) each(s *ast.RangeStmt, f *frame) flow {
	over, n := r.eval(s.X, f), 0
	a, ok := followed(over).(*array)
	if ok {
		n = len(a.cells)
	} else {
		n = r.integer(over)
	}
	for i := range n {
		f.scopes = append(f.scopes, map[string]*cell{})
		for k, e := range []ast.Expr{s.Key, s.Value} {
			if e == nil {
				continue
			}
			v := value(whole(i))
			if k == 1 {
				v = copied(a.cells[i].v)
			}
			if n, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
				f.declare(n.Name, v)
			} else {
				r.place(e, f).v = v
			}
		}
		to := r.block(s.Body.List, f)
		f.scopes = f.scopes[:len(f.scopes)-1]
		switch to {
		case breaks:
			return onward
		case returns:
			return returns
		}
	}
	return onward
}
