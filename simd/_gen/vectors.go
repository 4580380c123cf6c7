package main

// vector3 is a vector of space in every lane; motion3 one at both ends of an interval of time.
type (
	vector3 [3]value
	motion3 [2]vector3
)

func (p *program) each(f func(k int) value) vector3 { return vector3{f(0), f(1), f(2)} }

func (p *program) add3(a, b vector3) vector3 {
	return call(p, "plus", func(p *program) vector3 {
		return p.each(func(k int) value { return p.add(a[k], b[k]) })
	}, arg("a", &a), arg("b", &b))
}

func (p *program) sub3(a, b vector3) vector3 {
	return call(p, "minus", func(p *program) vector3 {
		return p.each(func(k int) value { return p.sub(a[k], b[k]) })
	}, arg("a", &a), arg("b", &b))
}

// cross returns a x b: component k is a_i b_j - a_j b_i with (k, i, j) cyclic.
func (p *program) cross(a, b vector3) vector3 {
	return call(p, "cross", func(p *program) vector3 {
		return p.each(func(k int) value {
			i, j := (k+1)%3, (k+2)%3
			return p.sub(p.mul(a[i], b[j]), p.mul(a[j], b[i]))
		})
	}, arg("a", &a), arg("b", &b))
}

// permanent is cross with a plus, for magnitudes.
func (p *program) permanent(a, b vector3) vector3 {
	return call(p, "permanent", func(p *program) vector3 {
		return p.each(func(k int) value {
			i, j := (k+1)%3, (k+2)%3
			return p.add(p.mul(a[i], b[j]), p.mul(a[j], b[i]))
		})
	}, arg("a", &a), arg("b", &b))
}

// dot returns (a_x b_x + a_y b_y) + a_z b_z.
func (p *program) dot(a, b vector3) value {
	return call(p, "dot", func(p *program) value {
		return p.add(p.add(p.mul(a[0], b[0]), p.mul(a[1], b[1])), p.mul(a[2], b[2]))
	}, arg("a", &a), arg("b", &b))
}

// sum returns (a_x + a_y) + a_z.
func (p *program) sum(a vector3) value {
	return call(p, "sum", func(p *program) value { return p.add(p.add(a[0], a[1]), a[2]) }, arg("a", &a))
}

func (p *program) abs3(a vector3) vector3 {
	return call(p, "abs", func(p *program) vector3 {
		return p.each(func(k int) value { return p.abs(a[k]) })
	}, arg("a", &a))
}

// largest returns the componentwise maximum of the magnitudes at both ends.
func (p *program) largest(m motion3) vector3 {
	return call(p, "largest", func(p *program) vector3 {
		return p.each(func(k int) value { return p.max(p.abs(m[0][k]), p.abs(m[1][k])) })
	}, arg("m", &m))
}

func (p *program) max3(a, b vector3) vector3 {
	return call(p, "max_of", func(p *program) vector3 {
		return p.each(func(k int) value { return p.max(a[k], b[k]) })
	}, arg("a", &a), arg("b", &b))
}
