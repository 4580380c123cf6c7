package oracle

import (
	"math"
	"math/big"

	"ccd/core/geom"
)

// The oracle of a minimum separation in the max norm: integers alone, no filter, no tolerance.
//
// At a time t the points F(t,u,v) form a flat convex polygon: a triangle, a parallelogram, a
// segment or a point. Contact means that it meets the cube |x|max <= d. Both are convex polytopes,
// so they are disjoint if and only if one direction n of a finite list separates them strictly: the
// facets of (polygon + cube) have as normals the axes e_k, the cross products e_k x E with the
// polygon's edges, and the polygon's normal N = B x C. (A facet is the sum of a face of the one and
// a face of the other: a face of the cube; an edge of the cube and an edge of the polygon; a corner
// and the whole polygon. When d = 0 or the polygon is thin the same list suffices: inside the
// polygon's plane, e_k x E are the edge normals of its projection along e_k; across a segment they
// span the plane at right angles to it; along it the axes decide.)
//
// The direction n, a polynomial in t, separates at t when n.P > d |n|_1 for all corners P, or -n.P
// > d |n|_1 for all; that is, when the polynomials n.P + d (s0 n0 + s1 n1 + s2 n2) are positive for
// all corners and all signs s: a certificate. A certificate that holds at t goes on holding up to
// the first root of any of its polynomials, so the earliest contact is found by going from
// certificate to certificate; at a time when none holds there is contact.

// SeparationTruth is the exact result of a query.
type SeparationTruth struct {
	Contact bool
	// Lo is the largest double not above the earliest time of contact, Hi the smallest not below
	// it; +Inf without contact.
	Lo, Hi float64
}

// certificate is a direction: when the polynomials n.P + d (s0 n0 + s1 n1 + s2 n2), for all corners
// P and signs s, are positive, it separates the pair. They are made on first use.
type certificate struct {
	n       polyVec
	corners []polyVec
	half    polyVec // d on each axis
	signs   []int   // bit k makes s_k negative; one of each where n_k or d is zero
	made    []intPoly
}

// Separation decides whether |F|max <= d for some t in [0, tMax] and (u, v) in the kind's domain,
// and when first. The query must be finite, d >= 0 finite, tMax in [0, 1].
func Separation(kind geom.Kind, q []float64, d, tMax float64) SeparationTruth {
	return SeparationFrom(kind, q, d, 0, tMax)
}

// SeparationFrom is Separation for t in [t0, t1].
func SeparationFrom(kind geom.Kind, q []float64, d, t0, t1 float64) SeparationTruth {
	certificates := certificatesOf(kind, q, d)
	now, end := exactRoot(sepDyadicOf(t0)), exactRoot(sepDyadicOf(t1))
	for {
		c := holding(certificates, now)
		if c == nil {
			lo, hi := now.floor()
			return SeparationTruth{Contact: true, Lo: lo, Hi: hi}
		}
		if now = c.end(now); now == nil || sepCompare(now, end) > 0 {
			return SeparationTruth{Lo: math.Inf(1), Hi: math.Inf(1)}
		}
	}
}

// SeparatedAt reports whether |F|max > d at the time t for all (u, v).
func SeparatedAt(kind geom.Kind, q []float64, d, t float64) bool {
	return holding(certificatesOf(kind, q, d), exactRoot(sepDyadicOf(t))) != nil
}

// holding finds a certificate that holds at r.
func holding(list []*certificate, r *sepRoot) *certificate {
	for _, c := range list {
		if c.all(func(p intPoly) bool { return r.sign(p) > 0 }) {
			return c
		}
	}
	return nil
}

// all reports whether every polynomial passes the test.
func (c *certificate) all(test func(p intPoly) bool) bool {
	for i := range len(c.signs) * len(c.corners) {
		if i == len(c.made) {
			c.made = append(c.made, c.polynomial(c.corners[i/len(c.signs)], c.signs[i%len(c.signs)]))
		}
		if !test(c.made[i]) {
			return false
		}
	}
	return true
}

// polynomial is n.P + d s.n.
func (c *certificate) polynomial(corner polyVec, signs int) intPoly {
	p := c.n.dot(corner)
	for k := range 3 {
		p = p.plus(int64(1-signs>>k&1*2), c.n[k].times(c.half[k]))
	}
	return p
}

// end is the first time after r, where the certificate holds, at which it no longer does; nil when
// it holds up to 1.
func (c *certificate) end(r *sepRoot) (first *sepRoot) {
	limit := sepDyadicOf(1)
	c.all(func(p intPoly) bool {
		if v, _ := variations(p.bernstein(r.lo, limit)); v == 0 && p.signAt(limit) != 0 {
			return true // no root up to there
		}
		for _, x := range rootsOf(p) {
			if sepCompare(x, r) > 0 {
				if first == nil || sepCompare(x, first) < 0 {
					first, limit = x, x.hi
				}
				break
			}
		}
		return true
	})
	return first
}

// polyVec is a vector of polynomials.
type polyVec [3]intPoly

func (a polyVec) plus(s int64, b polyVec) (r polyVec) {
	for k := range r {
		r[k] = a[k].plus(s, b[k])
	}
	return r
}

func (a polyVec) dot(b polyVec) intPoly {
	return a[0].times(b[0]).plus(1, a[1].times(b[1])).plus(1, a[2].times(b[2]))
}

func (a polyVec) cross(b polyVec) (r polyVec) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = a[i].times(b[j]).plus(-1, a[j].times(b[i]))
	}
	return r
}

// certificatesOf lists all certificates of a query, the cheapest first.
func certificatesOf(kind geom.Kind, q []float64, d float64) []*certificate {
	return certificatesIn(kind, func(k int) ([]*big.Int, *big.Int) { return onAxis(q, d, k) })
}

// certificatesIn does so for coordinates that are integers: axis returns those of axis k and the
// half-width of the cube, in any unit of the axis.
func certificatesIn(kind geom.Kind, axis func(k int) ([]*big.Int, *big.Int)) (list []*certificate) {
	a, b, c, half := differences(kind, axis)
	return certificatesFrom(kind, a, b, c, half)
}

// certificatesFrom lists them for A, B and C of any degree.
func certificatesFrom(kind geom.Kind, a, b, c, half polyVec) (list []*certificate) {
	corners := []polyVec{a}
	var edges []polyVec
	switch kind.Info().Domain {
	case geom.Triangle:
		corners = append(corners, a.plus(1, b), a.plus(1, c))
		edges = []polyVec{b, c, b.plus(-1, c)}
	case geom.Square:
		corners = append(corners, a.plus(1, b), a.plus(1, c), a.plus(1, b).plus(1, c))
		edges = []polyVec{b, c}
	case geom.Segment:
		corners = append(corners, a.plus(1, b))
		edges = []polyVec{b}
	case geom.Point:
	default:
		panic("exact: " + kind.String())
	}
	along := func(n polyVec, corners []polyVec) {
		var signs []int
		for s := range 8 {
			if !(s&1 != 0 && len(n[0])*len(half[0]) == 0 || s&2 != 0 && len(n[1])*len(half[1]) == 0 ||
				s&4 != 0 && len(n[2])*len(half[2]) == 0) {
				signs = append(signs, s)
			}
		}
		list = append(list, &certificate{n: n, corners: corners, half: half, signs: signs},
			&certificate{n: polyVec{}.plus(-1, n), corners: corners, half: half, signs: signs})
	}
	one := intPoly{big.NewInt(1)}
	axes := [3]polyVec{{one, nil, nil}, {nil, one, nil}, {nil, nil, one}}
	for _, e := range axes {
		along(e, corners)
	}
	for _, edge := range edges {
		for _, e := range axes {
			along(e.cross(edge), corners)
		}
	}
	if len(edges) > 1 {
		along(b.cross(c), corners[:1]) // Along the normal of the polygon all corners have the same component.
	}
	return list
}

// differences writes A, B, C of F = A + uB + vC and the half-widths d of the cube as integer
// polynomials.
func differences(kind geom.Kind, axis func(k int) ([]*big.Int, *big.Int)) (a, b, c, half polyVec) {
	n := kind.Points()
	for k := range 3 {
		x, d := axis(k)
		line := func(points [2]uint8) intPoly { // the first minus the second
			i, j := int(points[0]), int(points[1])
			x0, x1 := new(big.Int).Sub(x[i], x[j]), new(big.Int).Sub(x[n+i], x[n+j])
			return trimmed(intPoly{x0, x1.Sub(x1, x0)})
		}
		half[k] = trimmed(intPoly{d})
		f := &kind.Info().Form
		a[k], b[k], c[k] = line(f[0]), line(f[1]), line(f[2])
	}
	return a, b, c, half
}

// onAxis writes coordinate k of all points, and d, as integers in a unit of the axis. Each axis is
// multiplied by a power of two of its own, the cube with it: that changes no contact.
func onAxis(q []float64, d float64, k int) (list []*big.Int, half *big.Int) {
	low := lowestBit(d)
	for i := k; i < len(q); i += 3 {
		low = min(low, lowestBit(q[i]))
	}
	integer := func(x float64) *big.Int {
		f, e := math.Frexp(x)
		m := big.NewInt(int64(f * 0x1p53))
		if x != 0 {
			if e -= 53 + low; e >= 0 {
				m.Lsh(m, uint(e))
			} else {
				m.Rsh(m, uint(-e)) // exact: the bits shifted out are zeros
			}
		}
		return m
	}
	for i := k; i < len(q); i += 3 {
		list = append(list, integer(q[i]))
	}
	return list, integer(d)
}

// lowestBit is the power of two of the lowest bit set in x; very large for zero.
func lowestBit(x float64) int {
	if x == 0 {
		return math.MaxInt32
	}
	f, e := math.Frexp(x)
	m := new(big.Int).Abs(big.NewInt(int64(f * 0x1p53)))
	return e - 53 + int(m.TrailingZeroBits())
}
