package patch

import (
	"math"

	"ccd/core/narrow"
)

// query is a pair of patches over a step, in the local space in which it is computed. It has what
// all parts of a search need: both patches' trees of subpatches, their derivatives at a place, and
// the bounds on rounding. The parts of a search share one query by pointer.
type query struct {
	jet  [2]jet // derivatives at the place evaluated last; the first field, so that rows begin at cache lines
	Work Work

	local        localSpace
	callersFirst int  // the index in trees of the caller's first patch
	adjacent     bool // the patches may have points in common by construction, so their nearest points mean nothing
	shared       sharedPoints
	trees        [2]tree
	surf         [2]surface
	check        checker

	tolerance        float64 // a length in the local unit
	contactTolerance float64 // |F| up to which Newton's method has found a contact
	gapError         float64 // bounds the error of a gap of the whole patches; law 3 adds it to the distance
	noZero           bool
	until            float64 // the time beyond which nothing matters: t_max, or the time of a known contact
	end              float64 // t_max
}

// Work counts the operations of a query.
type Work struct {
	Cells       int64 // pairs of subpatches taken up
	Checks      int64 // pairs of subpatches checked
	Directions  int64 // directions tried in them
	Evaluations int64 // evaluations of both patches by Newton's method
	Exclusions  int64 // boxes around a contact that were excluded before it
}

// beginQuery loads a pair into its local space. coarse is the width of the neighbourhood of points
// that the patches may have in common by construction, 0 if they have none.
func (q *query) beginQuery(a, b *Patch, o *Options, shared sharedPoints, coarse float64) {
	q.Work = Work{}
	a, b = q.ordered(a, b)
	q.adjacent, q.shared = coarse > 0, shared
	q.local = localSpaceOf(a, b)
	q.local.include(o.MinSeparation)
	for i, p := range [2]*Patch{a, b} {
		q.trees[i].coarse = coarse
		q.trees[i].load(p, &q.local)
		q.trees[i].collapsed = q.trees[i].collapsed[:0]
		q.surf[i].form, q.surf[i].trimming, q.surf[i].loaded = p.Form, p.trimming, false
		q.surf[i].clips.begin()
	}
	q.tolerance = o.Tolerance * q.local.unit
	q.check.separation = o.MinSeparation * q.local.unit
	q.check.closeEnough = 0x1p-6 * q.tolerance
	q.check.euclidean = o.Flags&narrow.MaxNorm == 0
	q.check.steps = 0
	q.noZero = o.Flags&narrow.NoZeroTOI != 0
	q.check.positive = q.noZero
	q.until, q.end = o.TMax, o.TMax
	q.selectPair(0, 0)
	q.gapError = gapBound(&q.check.a, &q.check.b, q.check.separation)
	q.contactTolerance = 4 * q.gapError
	for i := range q.surf {
		q.contactTolerance += float64(float64(7*(q.surf[i].form.U+q.surf[i].form.V)+q.trees[i].n) * 0x1p-52 *
			q.trees[i].mag)
	}
}

// enough returns the distance up to which the search takes points for a contact at a time. Where a
// positive time is required (law 8), points that are apart at time 0 are a contact only within
// rounding.
func (q *query) enough(t float64) float64 {
	if t == 0 && q.noZero {
		return 2 * q.gapError
	}
	return q.tolerance
}

// farthestContact returns the greatest distance of the points of a contact at a time, in parts that
// cannot be halved any more: law 3, and law 8 where a positive time is required, with gapError the
// bound of these parts.
func (q *query) farthestContact(t float64) float64 {
	if t == 0 && q.noZero {
		return q.contactTolerance + min(q.tolerance, float64(2*q.gapError))
	}
	return q.tolerance + q.contactTolerance
}

// selectPair makes a pair of subpatches the one that is checked.
func (q *query) selectPair(a, b int32) {
	selectPart(q, 0, a, &q.check.a)
	selectPart(q, 1, b, &q.check.b)
}

// center returns the middle of both subpatches of a cell.
func (q *query) center(c *cell) (x [4]float64) {
	x[0], x[1] = middle(q.surf[0].form, &q.trees[0].nodes[c.a])
	x[2], x[3] = middle(q.surf[1].form, &q.trees[1].nodes[c.b])
	return x
}

// bytes returns the memory that the trees and the clips hold.
func (q *query) bytes() int {
	n := 0
	for i := range q.trees {
		n += 8*(len(q.trees[i].points)+len(q.surf[i].clips.points)) + 112*len(q.trees[i].nodes)
	}
	return n
}

// place is a pair of points, one on each patch, by their parameters: u, v on the first, then u, v
// on the second. active has the constraints that hold each at an edge of its domain.
type place struct {
	x      [4]float64
	active [2]uint8
	held   uint8 // a bit for each patch whose point stays where it is
}

// column is a direction in which a place may move: the patch, the change d of u and v, and the
// derivative g of F.
type column struct {
	patch int
	d     [2]float64
	g     vec
}

// evaluate evaluates both patches at a place.
func (q *query) evaluate(x *[4]float64, order int) {
	q.Work.Evaluations++
	for i := range q.surf {
		if !q.surf[i].loaded {
			q.surf[i].load(&q.trees[i])
		}
	}
	q.surf[0].eval(x[0], x[1], order, &q.jet[0])
	q.surf[1].eval(x[2], x[3], order, &q.jet[1])
}

// difference returns F = A - B at time t, at the place evaluated last.
func (q *query) difference(t float64) vec {
	return q.jet[0].at(value, t).sub(q.jet[1].at(value, t))
}

// velocity returns dF/dt at the place evaluated last.
func (q *query) velocity() vec { return q.jet[0].speed(value).sub(q.jet[1].speed(value)) }

// columns lists the directions in which a place is free to move, with their derivatives at time t.
func (q *query) columns(p *place, t float64, out *[4]column) int {
	n := 0
	for i := range 2 {
		d, m := freedom(q.surf[i].form, p.active[i])
		u, v := q.jet[i].at(byU, t), q.jet[i].at(byV, t)
		for _, e := range d[:m] {
			g := u.times(e[0]).along(e[1], v)
			if i == 1 {
				g = g.times(-1)
			}
			out[n] = column{i, e, g}
			n++
		}
	}
	return n
}

// excess returns the part of F beyond the separation: the vector from the cube or ball to F. Its
// length in the separation's norm is how far the two points are from contact.
func (c *checker) excess(f vec) vec {
	d := c.separation
	if d == 0 {
		return f
	}
	if c.euclidean {
		l := f.length()
		if l <= d {
			return vec{}
		}
		return f.times((l - d) / l)
	}
	clip := func(x float64) float64 { return x - min(max(x, -d), d) }
	return vec{clip(f.X), clip(f.Y), clip(f.Z)}
}

// size returns the length of an excess in the norm of the separation.
func (c *checker) size(e vec) float64 {
	if c.euclidean {
		return e.length()
	}
	return e.most()
}

// approach moves a place towards the nearest one at time t, by Gauss and Newton's method with a
// little damping on the excess, within the domain, and returns the distance from contact of the
// best place, which p becomes. It stops where it stalls: the result is a distance of two points of
// the patches, up to rounding, but need not be the least.
func (q *query) approach(p *place, t, enough float64) float64 {
	best := math.Inf(1)
	var at place
	damp := 0x1p-30
	for it := range 10 {
		q.evaluate(&p.x, 1)
		e := q.check.excess(q.difference(t))
		far := q.check.size(e)
		switch {
		case far >= best:
			damp = max(damp*128, 0x1p-13)
			if it > 5 {
				*p = at
				return best
			}
		case far > 0.5*best && it > 3, far <= enough:
			return far
		}
		if far < best {
			best, at = far, *p
		}
		q.activate(p, t, e)
		var col [4]column
		n := q.columns(p, t, &col)
		if n == 0 {
			break
		}
		var m system
		trace := 0.0
		for i := range n {
			for j := range n {
				m[i][j] = q.beyondSeparation(col[i].g, e).dot(q.beyondSeparation(col[j].g, e))
			}
			trace += m[i][i]
			m[i][n] = -col[i].g.dot(e)
		}
		for i := range n {
			m[i][i] += float64(damp*trace) + 0x1p-200
		}
		if !m.solve(n, 0x1p-300) {
			break
		}
		q.takeStep(p, &m, &col, n)
	}
	*p = at
	return best
}

// beyondSeparation leaves out the components of a derivative in which F is within the separation's
// cube.
func (q *query) beyondSeparation(g, e vec) vec {
	if q.check.separation == 0 || q.check.euclidean {
		return g
	}
	if e.X == 0 {
		g.X = 0
	}
	if e.Y == 0 {
		g.Y = 0
	}
	if e.Z == 0 {
		g.Z = 0
	}
	return g
}

// allConstraints is a mask of all constraints of a domain: what they hold cannot move.
const allConstraints = 0xff

// activate chooses the constraints that hold a place: those that it is on and that the excess e
// would move it across.
func (q *query) activate(p *place, t float64, e vec) {
	for i := range 2 {
		f := q.surf[i].form
		gu, gv := e.dot(q.jet[i].at(byU, t)), e.dot(q.jet[i].at(byV, t))
		if i == 1 {
			gu, gv = -gu, -gv
		}
		if p.active[i] = 0; p.held>>i&1 != 0 {
			p.active[i] = allConstraints
			continue
		}
		for k, c := range constraints[f.Shape] {
			if c[0]+float64(c[1]*p.x[2*i])+float64(c[2]*p.x[2*i+1]) < nearEdge &&
				float64(gu*c[1])+float64(gv*c[2]) > 0 {
				p.active[i] |= 1 << k
			}
		}
	}
}

// takeStep takes the step in column n of a solved system, as far as each domain allows.
func (q *query) takeStep(p *place, m *system, col *[4]column, n int) {
	var step [4]float64
	for i := range n {
		o := 2 * col[i].patch
		step[o] += float64(m[i][n] * col[i].d[0])
		step[o+1] += float64(m[i][n] * col[i].d[1])
	}
	for i := range 2 {
		f := q.surf[i].form
		u, v, du, dv := p.x[2*i], p.x[2*i+1], step[2*i], step[2*i+1]
		on := p.active[i] | activeAt(f, u, v)
		part, _ := stepWithin(f, on, u, v, du, dv, 1)
		p.x[2*i], p.x[2*i+1] = settle(f, u+float64(part*du), v+float64(part*dv))
	}
}
