package source

import (
	"cmp"
	"go/types"
	"slices"
)

// Members are the names that stand behind a dot of a value of a type, with those of embedded types.
type Members struct {
	Fields  int      // Fields counts the fields at all depths, an embedded struct by its own fields.
	Methods int      // Methods counts the methods at all depths, or those of an interface.
	Hidden  []string // Hidden has the names that hide the same name of an embedded type, sorted.
}

// MembersOf lists the members of a type. What a name hides is no member, and counts once, with the
// name that hides it.
func MembersOf(named *types.Named) Members {
	if i, ok := named.Underlying().(*types.Interface); ok {
		return Members{Methods: i.NumMethods()}
	}
	var m Members
	first, hidden := map[string]int{}, map[string]bool{}
	seen := map[*types.Named]bool{named: true}
	level := []*types.Named{named}
	for depth := 0; len(level) > 0; depth++ {
		var below []*types.Named
		for _, t := range level {
			for _, f := range methodsOf(t) {
				m.Methods += declare(f, depth, first, hidden)
			}
			for _, f := range fieldsOf(t) {
				n := declare(f, depth, first, hidden)
				e := embedded(f)
				if e == nil || !isStruct(e) {
					m.Fields += n
				}
				if e != nil && !seen[e] {
					seen[e] = true
					below = append(below, e)
				}
			}
		}
		level = below
	}
	for name := range hidden {
		m.Hidden = append(m.Hidden, name)
	}
	slices.Sort(m.Hidden)
	return m
}

// declare enters a member at its depth, and returns 1 if no other one has its name. Unexported
// names of two packages are different ones.
func declare(o types.Object, depth int, first map[string]int, hidden map[string]bool) int {
	at, ok := first[o.Id()]
	if !ok {
		first[o.Id()] = depth
		return 1
	}
	if at < depth {
		hidden[o.Name()] = true
	}
	return 0
}

func isStruct(t *types.Named) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

func methodsOf(t *types.Named) (methods []types.Object) {
	if i, ok := t.Underlying().(*types.Interface); ok {
		for k := range i.NumMethods() {
			methods = append(methods, i.Method(k))
		}
	}
	for k := range t.NumMethods() {
		methods = append(methods, t.Method(k))
	}
	return methods
}

func fieldsOf(t *types.Named) (fields []*types.Var) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for k := range s.NumFields() {
		if f := s.Field(k); f.Name() != "_" {
			fields = append(fields, f)
		}
	}
	return fields
}

// embedded returns the named type that a field embeds, by value or pointer, or nil.
func embedded(f *types.Var) *types.Named {
	if !f.Embedded() {
		return nil
	}
	t := types.Unalias(f.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, _ := t.(*types.Named)
	if named != nil {
		return named.Origin()
	}
	return nil
}

// Named returns the types that a package declares, sorted by name.
func (p *Package) Named() (list []*types.Named) {
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		if named, ok := t.Type().(*types.Named); ok {
			list = append(list, named)
		}
	}
	slices.SortFunc(list, func(a, b *types.Named) int { return cmp.Compare(a.Obj().Name(), b.Obj().Name()) })
	return list
}
