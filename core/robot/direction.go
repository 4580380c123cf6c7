package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// along is a direction n in a target's frame, as seen from a link's coordinates: n.x(m + t) is at
// least (l.y + c) + t (lv.y + cv) + t^2/2 (la.y + ca) less the slack, for the point y of the link.
type along struct {
	l, lv, la r3.Vec
	c, cv, ca float64
}

// seen computes how a state sees a direction: n.(w x R y) = (n x w).R y, and
// n.(w x (w x R y)) = ((n x w) x w).R y.
func seen(s *state, n r3.Vec) along {
	nw := geom.Cross(n, s.w)
	return along{
		l:  s.r.ApplyTransposed(n),
		lv: s.r.ApplyTransposed(nw),
		la: s.r.ApplyTransposed(r3.Add(geom.Cross(n, s.l), geom.Cross(nw, s.w))),
		c:  geom.Dot(n, s.t), cv: geom.Dot(n, s.v), ca: geom.Dot(n, s.a),
	}
}

// lowest returns the least of n.x at the middle of an interval, with the vertex that has it, and
// what n.x does not fall below on the interval, the slack apart. The bracket is concave over a
// triangle, so its vertices suffice.
func (a *along) lowest(c *cluster, h float64) (at, over float64, which int) {
	at, over = math.Inf(1), math.Inf(1)
	hh := float64(0.5*h) * h
	for i := range c.x {
		y := c.x[i]
		p := geom.Dot(a.l, y) + a.c - c.r[i]
		v := geom.Dot(a.lv, y) + a.cv
		q := geom.Dot(a.la, y) + a.ca
		if p < at {
			at, which = p, i
		}
		over = min(over, p-float64(h*math.Abs(v))+float64(hh*min(0, q)))
	}
	return at, over, which
}

// highest returns the greatest of n.y over a target's cluster, with the vertex that has it.
func highest(c *cluster, n r3.Vec) (most float64, which int) {
	most = math.Inf(-1)
	for i := range c.x {
		if p := geom.Dot(n, c.x[i]) + c.r[i]; p > most {
			most, which = p, i
		}
	}
	return most, which
}

// pair is two clusters in one interval: what their test shares.
type pair struct {
	s      *state
	a, b   *cluster
	h      float64
	k      [4]float64 // slack of the points of a
	need   float64    // The gap along a direction, over the interval must be larger
	static float64    // the same at the middle of the interval alone
	// separation is that of the two bodies.
	separation float64
}

func newPair(s *state, sl *slack, a, b *cluster, h, separation float64) pair {
	p := pair{s: s, a: a, b: b, h: h, k: sl.at(a.far), separation: separation}
	// Products and sums of n.y and the radii, and |n| up to 1 + 4u.
	fixed := separation + 2*(a.off+b.off) + float64(32*unit*(a.size()+b.size()+separation))
	p.static = (p.k[0] + fixed) * (1 + 16*unit)
	p.need = (cubic(&p.k, h) + fixed) * (1 + 16*unit)
	return p
}

// rounds is how many directions are tried.
const rounds = 5

// separate looks for a direction along which both clusters keep more than `need` on the interval,
// from n on by Gilbert's method. It returns the direction with the largest gap at the middle, and
// that gap. Where the vertices come from matters for speed alone: each direction is tested.
func (p *pair) separate(n r3.Vec, need float64, rounds int) (apart bool, best r3.Vec, gap float64) {
	best, gap = n, math.Inf(-1)
	var z r3.Vec
	for i := range rounds {
		d := seen(p.s, n)
		at, over, ka := d.lowest(p.a, p.h)
		most, kb := highest(p.b, n)
		if over-most > need {
			return true, n, at - most
		}
		if at-most > gap {
			gap, best = at-most, n
		}
		// The support point of the difference of the hulls, with their radii.
		w := r3.Sub(p.s.place(p.a.x[ka]), p.b.x[kb])
		w = r3.Sub(w, geom.Scale(p.a.r[ka]+p.b.r[kb], n))
		if i == 0 {
			z = w
		} else {
			e := r3.Sub(w, z)
			if l := geom.Dot(e, e); l > 0 {
				z = r3.Add(z, geom.Scale(min(1, max(0, -geom.Dot(z, e)/l)), e))
			}
		}
		l := geom.Norm(z)
		if !(l > 1e-100) || i > 0 && at-most > 0.98*l {
			break
		}
		n = r3.Vec{X: z.X / l, Y: z.Y / l, Z: z.Z / l}
	}
	return false, best, gap
}

// until returns a time up to which no vertex of a comes as near to b along n as the separation,
// from the pose of the pair's state on, at most `safe`.
//
// For each vertex g + p t + q t^2 - k3 t^3 bounds the gap, with p and q not above 0: it falls, and
// the time returned is one where it is above 0.
func (p *pair) until(n r3.Vec, vertices []r3.Vec, radii []float64, most, safe float64) float64 {
	d := seen(p.s, n)
	fixed := float64((p.static - p.k[0]) * (1 + 4*unit))
	for i, y := range vertices {
		g := geom.Dot(d.l, y) + d.c - radii[i] - most - fixed - float64(p.k[0]*(1+8*unit))
		v := min(0, geom.Dot(d.lv, y)+d.cv) - p.k[1]
		q := float64(0.5*min(0, geom.Dot(d.la, y)+d.ca)) - p.k[2]
		if !(g > 0) {
			return 0
		}
		safe = firstRoot(g, v, q, p.k[3], safe)
	}
	return safe
}

// firstRoot returns a time up to `safe` at which g + v t + q t^2 - c t^3 is above 0 in spite of
// rounding, for g > 0, c >= 0 and v, q <= 0: close to the root, or `safe` if it is above 0 there.
func firstRoot(g, v, q, c, safe float64) float64 {
	f := func(t float64) float64 {
		loss := float64(t * (-v + float64(t*(-q+float64(t*c)))))
		return g - float64(loss*(1+16*unit))
	}
	if f(safe) > 0 {
		return safe
	}
	// Where each of the three terms takes a third of g no more than g is lost, and where one takes
	// all of it no less.
	lo, hi := 0.0, safe
	if v < 0 {
		hi = min(hi, -g/v)
	}
	if q < 0 {
		hi = min(hi, math.Sqrt(-g/q))
	}
	if c > 0 {
		hi = min(hi, math.Cbrt(g/c))
	}
	t := 0.33 * hi
	if f(t) > 0 {
		lo, t = t, hi
	}
	for range 12 {
		x := f(t)
		if x > 0 {
			lo = t
			if x < 1e-3*g {
				break
			}
		} else {
			hi = t
		}
		next := -1.0
		if slope := v + float64(t*(2*q-float64(3*t*c))); slope < 0 {
			next = t - x/slope
		}
		if !(next > lo && next < hi) {
			next = 0.5 * (lo + hi)
		}
		t = next - float64(1e-4*(next-lo))
	}
	return lo
}
