package main

// double is an unevaluated sum of two values, high and low: about 106 bits. The operations are
// those of Dekker 1971 and Joldes, Muller, Popescu 2017, in their short forms; docs/numerics.md
// bounds their errors absolutely, in units of the magnitudes that enter, which is what determinants
// need.
type double [2]value

// twoSum returns a + b and its rounding error: exactly, or NaN where the sum overflows or |b| is
// the largest number (num.TwoSum of core has the proof). Kernels leave lengths above 2^250 to
// others, so all that they add is below 2^800.
func (p *program) twoSum(a, b value) (s, e value) {
	r := call(p, "two_sum", func(p *program) double {
		s := p.add(a, b)
		t := p.sub(s, a)
		return double{s, p.add(p.sub(a, p.sub(s, t)), p.sub(b, t))}
	}, arg("a", &a), arg("b", &b))
	return r[0], r[1]
}

// twoDifference returns a - b and its rounding error, as twoSum has them of a and -b.
func (p *program) twoDifference(a, b value) (s, e value) {
	r := call(p, "two_difference", func(p *program) double {
		s := p.sub(a, b)
		t := p.sub(s, a)
		return double{s, p.sub(p.sub(a, p.sub(s, t)), p.add(b, t))}
	}, arg("a", &a), arg("b", &b))
	return r[0], r[1]
}

// settle makes a pair whose high part is the rounded sum.
func (p *program) settle(s, e value) double {
	return call(p, "settle", func(p *program) double {
		h := p.add(s, e)
		return double{h, p.sub(e, p.sub(h, s))}
	}, arg("s", &s), arg("e", &e))
}

func (p *program) addD(x, y double) double {
	return call(p, "pair_plus", func(p *program) double {
		s, e := p.twoSum(x[0], y[0])
		return p.settle(s, p.add(e, p.add(x[1], y[1])))
	}, arg("x", &x), arg("y", &y))
}

func (p *program) subD(x, y double) double {
	return call(p, "pair_minus", func(p *program) double {
		s, e := p.twoDifference(x[0], y[0])
		return p.settle(s, p.add(e, p.sub(x[1], y[1])))
	}, arg("x", &x), arg("y", &y))
}

func (p *program) mulD(x, y double) double {
	return call(p, "pair_times", func(p *program) double {
		h := p.mul(x[0], y[0])
		e := p.fms(x[0], y[0], h)
		return p.settle(h, p.fma(x[0], y[1], p.fma(x[1], y[0], e)))
	}, arg("x", &x), arg("y", &y))
}

// timesD returns the product with a value.
func (p *program) timesD(x double, y value) double {
	return call(p, "pair_scaled", func(p *program) double {
		h := p.mul(x[0], y)
		return p.settle(h, p.fma(x[1], y, p.fms(x[0], y, h)))
	}, arg("x", &x), arg("y", &y))
}

// twiceD is exact.
func (p *program) twiceD(x double) double {
	return call(p, "pair_twice", func(p *program) double {
		return double{p.add(x[0], x[0]), p.add(x[1], x[1])}
	}, arg("x", &x))
}

type (
	double3     [3]double
	exactMotion [2]double3 // a vector at both ends of an interval of time
	cubic       [4]double  // coefficients of 1, t, t^2, t^3
)

// high returns the high parts.
func (a double3) high() vector3 { return vector3{a[0][0], a[1][0], a[2][0]} }

func (p *program) crossD(a, b double3) double3 {
	return call(p, "exact_cross", func(p *program) (n double3) {
		for k := range n {
			i, j := (k+1)%3, (k+2)%3
			n[k] = p.subD(p.mulD(a[i], b[j]), p.mulD(a[j], b[i]))
		}
		return n
	}, arg("a", &a), arg("b", &b))
}

func (p *program) add3D(a, b double3) double3 {
	return call(p, "exact_plus", func(p *program) (n double3) {
		for k := range n {
			n[k] = p.addD(a[k], b[k])
		}
		return n
	}, arg("a", &a), arg("b", &b))
}

func (p *program) dotD(a, b double3) double {
	return call(p, "exact_dot", func(p *program) double {
		return p.addD(p.addD(p.mulD(a[0], b[0]), p.mulD(a[1], b[1])), p.mulD(a[2], b[2]))
	}, arg("a", &a), arg("b", &b))
}

// hornerD returns the cubic with coefficients c at x.
func (p *program) hornerD(c cubic, x value) double {
	return call(p, "horner", func(p *program) double {
		r := p.addD(p.timesD(c[3], x), c[2])
		r = p.addD(p.timesD(r, x), c[1])
		return p.addD(p.timesD(r, x), c[0])
	}, arg("c", &c), arg("x", &x))
}
