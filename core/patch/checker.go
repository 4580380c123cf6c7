package patch

import (
	"math"
	"slices"

	"ccd/simd/patch"
)

// checker is the scratch of one check: two subpatches' projections on a direction.
type checker struct {
	separation  float64 // a length in the local unit
	euclidean   bool
	a, b        Subpatch
	closeEnough float64 // flat patches at this distance are near enough to each other
	positive    bool    // law 8: prove that patches that are apart at 0 are so, however near they are
	thin        bool    // The patches meet along a line: parts are long and thin, see stuck.
	steps       int64   // directions tried
	last        simplex // the simplex that GJK ended with
	distance    float64 // the distance of that simplex's nearest point from the origin
	gap         patch.Gap
	horizon     float64 // later times do not matter: advance may stop there
}

// movingPoints are points that move linearly, and their projections on the direction tried last.
type movingPoints struct {
	n, pad    int
	x         []float64 // six arrays x, y, z, vx, vy, vz of pad numbers each
	projector patch.Reach
}

// Subpatch is one subpatch in a check: its control points. They are projected on the direction
// tried, those of the second patch on its opposite, so that the maximum is needed of both.
type Subpatch struct {
	movingPoints
	err, mag float64
	flat     bool    // the patch is the hull of its control points
	corners  []int32 // the control points at the corners
}

// maxPad is the greatest padded length of a node's arrays: a quad of degree 9 x 9 has 100 points.
const maxPad = patch.ReachPoints

// maxProjection is the greatest projection of some points on a direction, and the point that has
// it.
type maxProjection struct {
	at float64
	i  int
}

// The limits of the work on one pair. After some directions, halving is cheaper; so it is when time
// advances by less than a fraction of the remaining time, because GJK would need new directions.
// Patches that are their hulls gain nothing by halving.
const (
	maxDirections     = 12
	leastProgress     = 0x1p-4
	maxDirectionsFlat = 40
)

// sqrt3 is a little more than the root of three.
const sqrt3 = 0x1.bb67ae8584caap+0 * (1 + 0x1p-40)

// gapBound bounds the error of a gap on a direction n with |n|_2 <= 1 + 4U, that is |n|_1 <=
// sqrt(3) (1 + 4U), for any t in [0,1]. Let M be |p| + |v| over both subpatches' control points in
// every coordinate, and d the separation.
//
//	projections n.p, n.v   three products, two sums: 3U |n|_1 M together for p and v
//	p + t v                a product and a sum: 2U |n|_1 M
//	b - a                  a difference of two such: 5U |n|_1 (MA + MB) so far,
//	                       and U |n|_1 (MA + MB)
//	d |n|                  2U for |n|_1 (or a root), U for the product, U for the difference:
//	                       4U |n|_1 d
//	its difference         U |n|_1 (MA + MB + d)
//	nodes                  |n|_1 (errA + errB)
//
// Together |n|_1 (7U (MA + MB) + 5U d + errA + errB). 12U (MA + MB + d) leaves more than 5U for
// terms of second order and for the rounding of the bound itself; 2^-1060 pays for underflow of a
// dozen products below 2^-1074 each. TestGapBoundHolds measures against rational arithmetic.
func gapBound(a, b *Subpatch, separation float64) float64 {
	return float64(sqrt3*(float64(12*0x1p-53*(a.mag+b.mag+separation))+a.err+b.err)) + 0x1p-1060
}

func (s *Subpatch) set(t *tree, id int32) {
	o := int(id) * t.stride
	s.n, s.pad = t.n, t.pad
	s.x = t.points[o : o+6*t.pad : o+6*t.pad]
	s.err, s.mag, s.corners = t.nodes[id].err, t.mag, t.corners
	s.flat = t.form.U <= 1 && t.form.Shape != Quad
}

// project projects positions and displacements on n and finds the greatest projections at two
// times.
func (s *movingPoints) project(n vec, t0, t1 float64) (h0, h1 maxProjection) {
	h0.at, h0.i, h1.at, h1.i = s.projector.Along(s.x, s.pad, n.X, n.Y, n.Z, t0, t1)
	return h0, h1
}

// projectAt finds the greatest projection on the same direction at another time.
func (s *movingPoints) projectAt(t float64) (h maxProjection) {
	h.at, h.i = s.projector.At(s.pad, t)
	return h
}

// point returns control point i at time t.
func (s *movingPoints) point(i int, t float64) vec {
	p, x := s.pad, s.x[i:]
	return vec{x[0] + float64(t*x[3*p]), x[p] + float64(t*x[4*p]), x[2*p] + float64(t*x[5*p])}
}

// reach returns d |n| in the norm of the separation: how far apart along n the hulls must be.
func (c *checker) reach(n vec) float64 {
	if c.separation == 0 {
		return 0
	}
	if c.euclidean {
		return c.separation * n.length()
	}
	return c.separation * (math.Abs(n.X) + math.Abs(n.Y) + math.Abs(n.Z))
}

// corner returns the point of the cube of the separation farthest along n, and its number. GJK
// takes it as part of the hulls when the separation is a cube; a ball it leaves outside.
func (c *checker) corner(n vec) (vec, int32) {
	if c.separation == 0 || c.euclidean {
		return vec{}, 0
	}
	id := int32(0)
	pick := func(x float64, bit int32) float64 {
		if x < 0 {
			id |= bit
			return -c.separation
		}
		return c.separation
	}
	return vec{pick(n.X, 1), pick(n.Y, 2), pick(n.Z, 4)}, id
}

// advance moves t0 towards the first time at which the two hulls come within the separation, and
// returns false if they do not in [t0, t1]. n is the direction to begin with; advance sets it to
// the last direction that moved t0.
//
// On any direction n the gap g(t) = min b.n - max a.n - d |n| is a concave function of time, the
// least of lines. If it is certainly positive, beyond gapBound, at two times, then it is between
// them, and the hulls keep more than d apart. So every advance is proven by two evaluations; how
// the direction and the second time were found does not matter. GJK finds directions (Gilbert,
// Johnson, Keerthi 1988); moving to where the gap closes and going on from there is conservative
// advancement (Mirtich 1996) without a bound on speeds, for hulls of points that move linearly.
func (c *checker) advance(t0 *float64, t1 float64, dir *vec) bool {
	from := *t0
	c.last.fine = false
	if !c.follow(t0, t1, dir) {
		return false
	}
	if *t0 > from || !c.stuck(from) {
		return true
	}
	c.last.fine = true
	return c.follow(t0, t1, dir)
}

// stuck reports whether a check that made no progress at time 0 should try directions in
// double-doubles. It should if a positive time is required (law 8), or if the patches are their
// hulls, which gain nothing by halving, and are not near enough to each other; but not if the hulls
// certainly overlap. At later times the search halves instead, and the next step begins there; not
// long thin parts along a line, whose directions are not good enough in doubles until they are
// short.
func (c *checker) stuck(at float64) bool {
	if !c.thin && (at > 0 || !c.positive && !c.flat()) || c.distance <= c.closeEnough && !c.positive {
		return false
	}
	return !(c.last.n == 4 && c.last.holdsOrigin())
}

// flat reports whether both patches are their hulls.
func (c *checker) flat() bool { return c.a.flat && c.b.flat }

// follow does the work of advance with one kind of simplex.
func (c *checker) follow(t0 *float64, t1 float64, dir *vec) bool {
	bound := gapBound(&c.a, &c.b, c.separation)
	n := *dir
	if n == (vec{}) {
		n, _ = c.b.point(0, *t0).sub(c.a.point(0, *t0)).unit()
	}
	s := &c.last
	s.n, c.distance = 0, math.Inf(1)
	most, worth, near := maxDirections, leastProgress, bound
	if c.flat() { // The patches are their hulls, so advance until they touch.
		most, worth, near = maxDirectionsFlat, 0, max(bound, c.closeEnough)
	}
	if s.fine {
		most, near = maxDirectionsFlat, bound
	}
	for range most {
		c.steps++
		moved := false
		g := &c.gap
		g.N, g.T0, g.T1, g.Reach, g.Bound = [3]float64{n.X, n.Y, n.Z}, *t0, t1, c.reach(n), bound
		if state := g.Close(c.a.x, c.a.pad, c.b.x, c.b.pad); state != patch.GapOpen {
			*dir = n
			if state == patch.GapThrough {
				return false
			}
			if end := g.End; end > *t0 {
				moved = end-*t0 > worth*(t1-*t0)
				if *t0 = end; end > c.horizon {
					return true
				}
				s.move(c, end)
			}
		}
		q, corner := c.corner(n)
		i, j := int(g.A), int(g.B)
		id := int32(i) | int32(j)<<8 | corner<<16
		known := slices.Contains(s.id[:s.n], id)
		if known && !moved {
			return true // No direction has a larger gap at this time.
		}
		if !known {
			s.w[s.n], s.id[s.n] = c.a.point(i, *t0).sub(c.b.point(j, *t0)).add(q), id
			s.n++
		}
		v, inside := s.nearest()
		if inside {
			return true
		}
		var ok bool
		c.distance = v.length()
		if n, ok = v.times(-1).unit(); !ok || v.dot(v) <= near*near {
			return true
		}
	}
	return true
}

// move brings the points of the simplex to time t.
func (s *simplex) move(c *checker, t float64) {
	for k := range s.n {
		id := s.id[k]
		w := c.a.point(int(id&255), t).sub(c.b.point(int(id>>8&255), t))
		if !c.euclidean && c.separation > 0 {
			w = w.add(c.cube(id >> 16))
		}
		s.w[k] = w
	}
}
