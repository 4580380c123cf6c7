package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// bent is how far a function with this second derivative is from its chord, at most.
func bent(second, h float64) float64 { return float64(second * h * h * (0.125 * (1 + 0x1p-40))) }

// carriage is how a part moves as its carrier sees it, which turns: the other part, or the world.
// docs/proofs/manifolds.md has its bound.
type carriage struct {
	turn, spin, diff r3.Vec // the angular velocities of the carrier and of the part, and what they differ by
	own              int    // It is the side of the part.
	lean, roll       float64
	base, drift      float64
	speed            float64
	h                float64
	grain            float64
}

// world is the carrier that does not turn.
const world = -1

// carriage returns the bound for the time h from a pose.
func (p *slidePose) carriage(carrier, own int, h float64) (c carriage) {
	pair := p.pair
	c.own, c.h, c.spin = own, h, pair.motion[own].AngularVelocity
	x := p.x
	if carrier != world {
		c.turn, c.speed = pair.motion[carrier].AngularVelocity, pair.speed
		v := pair.v
		if carrier == 1 {
			x, v = geom.Scale(-1, x), geom.Scale(-1, v)
		}
		across := geom.Cross(c.turn, v)
		c.base, c.drift = geom.Norm(r3.Sub(v, geom.Cross(c.turn, x))), geom.Norm(across)
	}
	c.diff = r3.Sub(c.spin, c.turn)
	c.lean, c.roll = geom.Norm(geom.Cross(c.turn, c.diff)), geom.Norm(geom.Cross(c.spin, c.diff))
	rate := pair.rate[0] + pair.rate[1]
	size := geom.Norm(x) + float64(pair.speed*h) + pair.part[0].radius + pair.part[1].radius
	c.grain = float64(0x1p-42 * (float64(rate*rate*size) + float64(rate*pair.speed)) * (1 + float64(rate*h)))
	return c
}

// bend returns how far the place of a point along a direction is from its chord, over the time: n
// is the direction at the pose, which turns with the carrier, arm the way there from the pivot to
// the point.
func (c *carriage) bend(n, arm r3.Vec) float64 {
	k := float64((geom.Norm(geom.Cross(n, c.diff)) + float64(c.h*c.lean)) * geom.Norm(geom.Cross(c.spin, arm)))
	if c.turn != (r3.Vec{}) {
		u := c.speed + c.base + float64(c.h*c.drift) + geom.Norm(geom.Cross(c.diff, arm)) +
			float64(float64(c.h*c.roll)*geom.Norm(arm))
		k += float64(geom.Norm(geom.Cross(n, c.turn)) * u)
	}
	return bent(k+c.grain, c.h)
}

// leastGap bounds from below the gap along a direction, over the time between two poses: n is the
// direction at the first one, which turns with the carrier.
//
// Along it each corner is at least its chord less what it bends, and at most its chord and what it
// bends. The difference of two such bounds is linear, and so at least what it is at an end.
func (s *SlideSolver) leastGap(from, to *slidePose, n r3.Vec, carrier int) float64 {
	h := math.Abs(to.t - from.t)
	then := n
	if carrier != world {
		then = to.rot[carrier].Apply(from.rot[carrier].ApplyTransposed(n))
	}
	var reach [2][2]float64 // It bounds A from below and B from above, at both ends.
	for side, sign := range [2]float64{1, -1} {
		reach[side] = [2]float64{math.Inf(1), math.Inf(1)}
		var c carriage
		if side != carrier {
			c = from.carriage(carrier, side, h)
		}
		first, second := from.rot[side].ApplyTransposed(n), to.rot[side].ApplyTransposed(then)
		for _, arm := range from.pair.part[side].arm {
			bend := 0.0
			if side != carrier {
				bend = c.bend(n, from.rot[side].Apply(arm))
			}
			reach[side][0] = min(reach[side][0], float64(sign*geom.Dot(first, arm))-bend)
			reach[side][1] = min(reach[side][1], float64(sign*geom.Dot(second, arm))-bend)
		}
	}
	return min(reach[0][0]+reach[1][0]-geom.Dot(n, from.x), reach[0][1]+reach[1][1]-geom.Dot(then, to.x))
}

// shallow reports whether the bodies surely come no deeper into each other than the tolerance
// between two poses: along some direction, which stays or turns with one of them, or with an edge
// of each, the gap is at least that.
func (s *SlideSolver) shallow(p, q *slidePose) bool {
	err := max(p.err, q.err)
	need := p.pair.more.outer - s.tolerance + err
	for _, pair := range [2][2]*slidePose{{p, q}, {q, p}} {
		from, to := pair[0], pair[1]
		for i := range from.ways {
			w := &from.ways[i]
			if s.gap(from, w.n) < need {
				continue
			}
			for carrier := world; carrier < 2; carrier++ {
				if s.leastGap(from, to, w.n, carrier) >= need {
					return true
				}
			}
			if w.e != (r3.Vec{}) && s.across(from, to, w, need) {
				return true
			}
		}
	}
	return false
}

// across is shallow for a direction across an edge of each body. It is a product of units, no unit:
// the gap along it must be as much less as it is shorter.
func (s *SlideSolver) across(p, q *slidePose, w *slideWay, need float64) bool {
	e, okE := geom.Unit(w.e, w.e)
	f, okF := geom.Unit(w.f, w.f)
	if !okE || !okF {
		return false
	}
	n := [2]r3.Vec{geom.Cross(p.rot[0].Apply(e), p.rot[1].Apply(f)), geom.Cross(q.rot[0].Apply(e), q.rot[1].Apply(f))}
	if geom.Dot(n[0], w.n) < 0 {
		n[0], n[1] = geom.Scale(-1, n[0]), geom.Scale(-1, n[1])
	}
	pair, h := p.pair, math.Abs(q.t-p.t)
	wa, wb, ra, rb := pair.rate[0], pair.rate[1], pair.part[0].radius, pair.part[1].radius
	turn := wa + wb
	length := 1.0
	if need < 0 {
		length = max(0, geom.Norm(n[0])-float64(turn*h)-0x1p-40)
	}
	x := min(geom.Norm(p.x), geom.Norm(q.x)) + float64(pair.speed*h)
	k := float64(turn*turn*(x+ra+rb)) + float64(2*turn*pair.closing()) + float64(wa*wa*ra) + float64(wb*wb*rb)
	return min(s.gap(p, n[0]), s.gap(q, n[1]))-bent(k, h) >= float64((need-p.err)*length)+max(p.err, q.err)
}

// together reports whether the bodies surely stay within the tolerance of each other between two
// poses: a point of one stays over a facet of the other, or a point of each goes straight through
// its body, from one near the other's at one end to one near it at the other end.
func (s *SlideSolver) together(p, q *slidePose) bool {
	most := s.tolerance + p.pair.more.inner
	if s.over(p, q, most) || s.near(p, q, p.at, q.at, most) {
		return true
	}
	// A point that stays where it is in its body bends less than one that goes far.
	for side := range 2 {
		for _, pair := range [2][2]*slidePose{{p, q}, {q, p}} {
			from, to := pair[0], pair[1]
			var at [2]r3.Vec
			at[side] = from.at[side]
			place := s.own(to, 1-side, s.seen(to, side, at[side]))
			other := p.pair.part[1-side]
			at[1-side] = other.hull.nearest(other.body, place)
			if from == p && s.near(p, q, p.at, at, most) || from == q && s.near(p, q, at, q.at, most) {
				return true
			}
		}
	}
	return false
}

// over reports whether a point that is fixed in one of the bodies stays over a facet of the other
// one, and within a distance of its plane: the body holds the point's foot.
func (s *SlideSolver) over(p, q *slidePose, most float64) bool {
	err, h := max(p.err, q.err), math.Abs(q.t-p.t)
	for side := range 2 {
		c := p.carriage(1-side, side, h)
		facets := p.pair.part[1-side].hull.facets
		first, last := p.at[side], q.at[side]
		for _, x := range [...]r3.Vec{first, last, geom.Scale(0.5, r3.Add(first, last))} {
			arm := p.rot[side].Apply(r3.Sub(x, p.pair.motion[side].Pivot))
			y, z := s.own(p, 1-side, s.seen(p, side, x)), s.own(q, 1-side, s.seen(q, side, x))
			for i := range facets {
				f := &facets[i]
				far := max(math.Abs(geom.Dot(f.n, y)-f.at), math.Abs(geom.Dot(f.n, z)-f.at)) + f.thick + err
				if !(far <= most) || num.AddUp(far, c.bend(p.rot[1-side].Apply(f.n), arm)) > most {
					continue
				}
				inside := true
				for k := 0; k < len(f.sides) && inside; k++ {
					e := &f.sides[k]
					d := min(geom.Dot(e.in, y), geom.Dot(e.in, z)) - e.at
					inside = d >= err && d-c.bend(p.rot[1-side].Apply(e.in), arm) >= err
				}
				if inside {
					return true
				}
			}
		}
	}
	return false
}

// near does the work of together for points at both ends.
//
// The place of a point x that turns about w and goes straight through its body by x1 - x0 has the
// second derivative w x (w x x) + 2 w x (x1 - x0)/h. |w x x| does not change by the turn, and is at
// most as large as at one of the ends. The way between the points is at most that of the chord and
// what it bends. If both bodies turn alike, as they see it only the way between the pivots bends.
func (s *SlideSolver) near(p, q *slidePose, at0, at1 [2]r3.Vec, most float64) bool {
	apart := func(p *slidePose, at *[2]r3.Vec) float64 {
		return geom.Norm(r3.Sub(s.seen(p, 0, at[0]), s.seen(p, 1, at[1])))
	}
	far := num.AddUp(max(apart(p, &at0), apart(q, &at1)), max(p.err, q.err))
	if far > most {
		return false
	}
	pair, h := p.pair, q.t-p.t
	bend := 0.0
	for side := range 2 {
		w, pivot, rate := pair.motion[side].AngularVelocity, pair.motion[side].Pivot, pair.rate[side]
		across := max(geom.Norm(geom.Cross(w, p.rot[side].Apply(r3.Sub(at0[side], pivot)))),
			geom.Norm(geom.Cross(w, q.rot[side].Apply(r3.Sub(at1[side], pivot)))))
		across += float64(0x1p-40 * float64(rate*pair.part[side].radius))
		first := float64(2 * rate * geom.Norm(r3.Sub(at1[side], at0[side])))
		bend += bent(float64(rate*across), h) + float64(first*h*(0.125*(1+0x1p-40)))
	}
	if w := pair.rate[0]; pair.motion[0].AngularVelocity == pair.motion[1].AngularVelocity {
		x := min(geom.Norm(p.x), geom.Norm(q.x)) + float64(pair.speed*h)
		bend = min(bend, bent(float64(w*w*x)+float64(2*w*pair.speed), h))
	}
	return num.AddUp(far, bend) <= most
}
