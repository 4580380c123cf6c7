package broad

// parts are lists of primitives by shape, ascending, for the pairs of which one primitive changes,
// or moves: the primitives that do, others that may meet one of these, and both.
type parts [3][3][]int32

// The lists of a shape.
const (
	changing = iota
	others
	both
)

// families divides families into those of the pairs with a primitive that changes.
func (p *parts) families(all []family) []family {
	var out []family
	for _, f := range all {
		if f.self {
			a := p.of(&f.a, changing)
			out = append(out, family{kind: f.kind, a: a, self: true}, family{kind: f.kind, a: a, b: p.of(&f.a, others)})
			continue
		}
		out = append(out, family{kind: f.kind, a: p.of(&f.a, changing), b: p.of(&f.b, both)},
			family{kind: f.kind, a: p.of(&f.a, others), b: p.of(&f.b, changing)})
	}
	return nonEmpty(out)
}

// of returns the primitives of a set that are in a list of their shape.
func (p *parts) of(s *set, which int) set {
	list := p[s.Shape][which]
	if s.ids != nil {
		list = common(s.ids, list)
	}
	return set{s.Shape, len(list), list}
}

// common returns the numbers that are in both rising lists.
func common(a, b []int32) []int32 {
	out := []int32{}
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return out
}
