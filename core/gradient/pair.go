package gradient

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// pair is a query as F = A + uB + vC, in balls and in a unit that keeps all lengths below 1.
type pair struct {
	kind     geom.Kind
	info     *geom.KindInfo
	exponent int // the unit is 2^exponent
	d        num.Ball
	square   num.Ball // d * d
	maxNorm  bool
	start    [3]num.BallVec // A, B, C at t = 0
	rate     [3]num.BallVec // their derivatives
}

// load prepares a query. Scaling by a power of two is exact but where a coordinate becomes
// denormal, which underflow counts as an error.
func (p *pair) load(q *Query) {
	top := q.Separation
	for _, x := range q.Q {
		top = max(top, math.Abs(x))
	}
	_, p.exponent = math.Frexp(top)
	p.kind, p.info, p.maxNorm = q.Kind, q.Kind.Info(), q.MaxNorm
	p.d = p.scaled(q.Separation)
	p.square = p.d.Mul(p.d)
	n := q.Kind.Points()
	for form, ends := range p.info.Form {
		if ends[0] == ends[1] {
			continue
		}
		i, j := int(ends[0]), int(ends[1])
		for k := range 3 {
			at := func(end int) num.Ball { return p.scaled(q.Q[3*(end*n+i)+k]).Sub(p.scaled(q.Q[3*(end*n+j)+k])) }
			p.start[form][k] = at(0)
			p.rate[form][k] = at(1).Sub(at(0))
		}
	}
}

// scaled converts a length to the unit of the pair.
func (p *pair) scaled(x float64) num.Ball { return num.BallScaled(x, p.exponent) }

// perLength turns a number per unit into one per length.
func (p *pair) perLength(x float64) float64 { return math.Ldexp(x, -p.exponent) }

// polygon is A, B, C at a time.
type polygon struct{ a, b, c num.BallVec }

func (p *pair) at(t *num.Ball) (f polygon) {
	f.a = p.start[0].Plus(*t, &p.rate[0])
	f.b = p.start[1].Plus(*t, &p.rate[1])
	f.c = p.start[2].Plus(*t, &p.rate[2])
	return f
}

// point returns F at (u, v).
func (f *polygon) point(u, v num.Ball) num.BallVec {
	x := f.a.Plus(u, &f.b)
	return x.Plus(v, &f.c)
}

// corners returns F at the corners of the domain, in the order of geom.KindInfo.Corners.
func (p *pair) corners(f *polygon) (x [4]num.BallVec) {
	for i, c := range p.info.Corners {
		x[i] = f.point(num.BallOf(float64(c.U)), num.BallOf(float64(c.V)))
	}
	return x
}

// velocity returns dF/dt at (u, v).
func (p *pair) velocity(u, v num.Ball) num.BallVec {
	f := polygon{p.rate[0], p.rate[1], p.rate[2]}
	return f.point(u, v)
}

// weights returns the weights of the vertices in F(u, v).
func (p *pair) weights(u, v num.Ball) (w [4]num.Ball) {
	for form, x := range [3]num.Ball{num.BallOf(1), u, v} {
		ends := &p.info.Form[form]
		if ends[0] != ends[1] {
			w[ends[0]] = w[ends[0]].Add(x)
			w[ends[1]] = w[ends[1]].Sub(x)
		}
	}
	return w
}

// normalRate returns the derivative of B x C.
func (p *pair) normalRate(f *polygon) num.BallVec {
	x, y := p.rate[1].Cross(&f.c), f.b.Cross(&p.rate[2])
	return x.Plus(num.BallOf(1), &y)
}

// steepest returns the component of a vector with the largest magnitude.
func steepest(n *num.BallVec) (k int) {
	for i := range n {
		if math.Abs(n[i].H) > math.Abs(n[k].H) {
			k = i
		}
	}
	return k
}

// contact finds where the pair touches at the time t, a ball that holds toi.
func (p *pair) contact(t *num.Ball) contact {
	f := p.at(t)
	switch {
	case p.d.IsZero():
		return p.touching(&f)
	case p.maxNorm:
		return cube{p}.contactWith(&f)
	}
	return p.euclidean(&f)
}

// narrow makes t smaller by a step of Newton's method over intervals, and reports whether it did. g
// is a function with g(toi) = 0 and a derivative on the whole of t, so toi = s - g(s) / g'(x) for
// any s in t and some x in t.
func (p *pair) narrow(c *contact, t *num.Ball) bool {
	if t.E == 0 {
		return false
	}
	s := t.Center()
	at, over := p.at(&s), p.at(t)
	var g, slope num.Ball
	switch {
	case p.d.IsZero():
		g, slope = p.coplanarity(&at, &over)
	case p.maxNorm:
		if c.event.none {
			return false
		}
		g, slope = cube{p}.gap(&c.event, &at, &over)
	default:
		g, slope = p.distanceGap(&at, &over)
	}
	if slope.Sign() == 0 {
		return false
	}
	next := s.Sub(g.Div(slope))
	if !(next.E < 0.5*t.E) {
		return false
	}
	*t = next
	return true
}
