package main

// double is an unevaluated sum of two values, high and low: about 106 bits. The operations are those of Dekker 1971 and
// Joldes, Muller, Popescu 2017, in their short forms; docs/numerics.md bounds their errors absolutely, in units of the
// magnitudes that enter, which is what determinants need.
type double [2]value

// twoSum is a + b and its rounding error, exactly.
func (p *program) twoSum(a, b value) (s, e value) {
	s = p.add(a, b)
	t := p.sub(s, a)
	return s, p.add(p.sub(a, p.sub(s, t)), p.sub(b, t))
}

// twoDifference is a - b and its rounding error, exactly.
func (p *program) twoDifference(a, b value) (s, e value) {
	s = p.sub(a, b)
	t := p.sub(s, a)
	return s, p.sub(p.sub(a, p.sub(s, t)), p.add(b, t))
}

// settle makes a pair whose high part is the rounded sum.
func (p *program) settle(s, e value) double {
	h := p.add(s, e)
	return double{h, p.sub(e, p.sub(h, s))}
}

func (p *program) addD(x, y double) double {
	s, e := p.twoSum(x[0], y[0])
	return p.settle(s, p.add(e, p.add(x[1], y[1])))
}

func (p *program) subD(x, y double) double {
	s, e := p.twoDifference(x[0], y[0])
	return p.settle(s, p.add(e, p.sub(x[1], y[1])))
}

func (p *program) mulD(x, y double) double {
	h := p.mul(x[0], y[0])
	e := p.fms(x[0], y[0], h)
	return p.settle(h, p.fma(x[0], y[1], p.fma(x[1], y[0], e)))
}

// timesD is the product with a value.
func (p *program) timesD(x double, y value) double {
	h := p.mul(x[0], y)
	return p.settle(h, p.fma(x[1], y, p.fms(x[0], y, h)))
}

// twiceD is exact.
func (p *program) twiceD(x double) double {
	return double{p.add(x[0], x[0]), p.add(x[1], x[1])}
}

type double3 [3]double

func (p *program) crossD(a, b double3) (n double3) {
	for k := range n {
		i, j := (k+1)%3, (k+2)%3
		n[k] = p.subD(p.mulD(a[i], b[j]), p.mulD(a[j], b[i]))
	}
	return n
}

func (p *program) add3D(a, b double3) (n double3) {
	for k := range n {
		n[k] = p.addD(a[k], b[k])
	}
	return n
}

func (p *program) dotD(a, b double3) double {
	return p.addD(p.addD(p.mulD(a[0], b[0]), p.mulD(a[1], b[1])), p.mulD(a[2], b[2]))
}

// hornerD is the cubic with coefficients c at x.
func (p *program) hornerD(c [4]double, x value) double {
	r := p.addD(p.timesD(c[3], x), c[2])
	r = p.addD(p.timesD(r, x), c[1])
	return p.addD(p.timesD(r, x), c[0])
}
