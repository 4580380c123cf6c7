package rigid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/status"
)

// slidePart is a convex part of a body.
type slidePart struct {
	body   *Body
	hull   *bulging
	arm    []r3.Vec // the corners, from the pivot
	middle r3.Vec   // It is the middle of a ball that holds them.
	ball   float64  // It is the radius of the ball about the middle.
	radius float64  // A ball of this radius about the pivot holds the part.
}

// slidePair is a part of A and one of B.
type slidePair struct {
	part   [2]*slidePart
	index  [2]int32
	motion [2]*Motion
	rate   [2]float64
	speed  float64 // The pivots move at it, relative to each other.
	v      r3.Vec
	slack  float64 // The hulls of corners may differ by it from bodies that are convex but for rounding.
	more   growth
}

// slidePose is a pair of parts at one time.
type slidePose struct {
	pair   *slidePair
	t      float64
	rot    [2]geom.Mat
	x      r3.Vec    // The way from A's pivot to B's.
	at     [2]r3.Vec // points of the bodies, in their coordinates, that are near each other
	lo, hi float64   // the signed distance is in [lo, hi]
	err    float64   // the error of a gap
	ways   []slideWay
	far    bool // they are farther apart than the tolerance, and nothing else is known
	probed bool // the depth has been asked for
}

// slideWay is a direction along which the bodies have a gap, in the world; e and f are edges of
// both that it is across, in the coordinates of their bodies, or 0.
type slideWay struct {
	n, e, f r3.Vec
}

// take takes the parts of a body.
func (s *SlideSolver) take(side int, list []*Body) error {
	name := [2]string{"a", "b"}[side]
	if len(list) == 0 {
		return status.Errorf(status.ErrArgument, "%s has no parts", name)
	}
	s.parts[side] = make([]slidePart, len(list))
	for i, b := range list {
		called := name
		if len(list) > 1 {
			called = fmt.Sprintf("%s[%d]", name, i)
		}
		h, err := b.convex(called)
		if err != nil {
			return err
		}
		p := &s.parts[side][i]
		*p = slidePart{body: b, hull: h, radius: b.radiusAbout(s.motion[side].Pivot)}
		for _, x := range h.corners {
			p.arm = append(p.arm, r3.Sub(x, s.motion[side].Pivot))
		}
		p.middle = r3.Sub(geom.Scale(0.5, r3.Add(b.lo, b.hi)), s.motion[side].Pivot)
		for _, x := range p.arm {
			p.ball = max(p.ball, geom.Norm(r3.Sub(x, p.middle)))
		}
	}
	return nil
}

// pair makes the pairs of parts.
func (s *SlideSolver) pair(o *Options) {
	s.pairs = s.pairs[:0]
	q := &s.ruler
	q.still = false
	for i := range s.parts[0] {
		for j := range s.parts[1] {
			a, b := &s.parts[0][i], &s.parts[1][j]
			q.set(a.body, b.body, s.motion[0], s.motion[1], o)
			s.pairs = append(s.pairs, slidePair{
				part: [2]*slidePart{a, b}, index: [2]int32{int32(i), int32(j)}, motion: s.motion,
				rate: [2]float64{q.a.rate, q.b.rate}, speed: q.speed, v: q.v,
				slack: float64(0x1p-39 * (a.radius + b.radius)), more: growthOf(a.body, b.body),
			})
		}
	}
}

// radii is the largest sum of the radii of two parts.
func (s *SlideSolver) radii() (sum float64) {
	for i := range s.pairs {
		p := &s.pairs[i]
		sum = max(sum, p.part[0].radius+p.part[1].radius)
	}
	return sum
}

// closing bounds how fast the signed distance of the parts changes.
func (p *slidePair) closing() float64 {
	turn := float64(p.rate[0]*p.part[0].radius) + float64(p.rate[1]*p.part[1].radius)
	return float64((p.speed + turn) * (1 + 0x1p-40))
}

// apart places two parts where first, a pose of the same time, has their bodies, and reports
// whether balls that hold them are farther apart than the tolerance.
func (s *SlideSolver) apart(p, first *slidePose) bool {
	if p == first {
		return false
	}
	p.rot, p.x = first.rot, first.x
	a, b := p.pair.part[0], p.pair.part[1]
	way := r3.Sub(p.rot[0].Apply(a.middle), r3.Add(p.x, p.rot[1].Apply(b.middle)))
	size := geom.Norm(p.x) + a.radius + b.radius
	gap := geom.Norm(way) - a.ball - b.ball - p.pair.more.outer - float64(0x1p-40*size)
	if p.far = gap > s.tolerance; p.far {
		p.lo, p.hi = gap, math.Inf(1)
	}
	return p.far
}

// awayFrom reports whether two parts surely are apart between two poses, by the speed at which they
// can come nearer.
func (s *SlideSolver) awayFrom(p, q *slidePose) bool {
	return p.lo+q.lo-float64(p.pair.closing()*(q.t-p.t)) >= 0
}

// measure places two parts, and asks how near they are.
func (s *SlideSolver) measure(p *slidePose) {
	r, pair := &s.ruler, p.pair
	r.prepare(pair.part[0].body, pair.part[1].body, pair.motion[0], pair.motion[1], p.t)
	r.measure(DistanceOptions{}, math.Inf(1))
	r.settleNormal()
	n := &r.best.near
	p.far, p.rot, p.x = false, r.rot, r.f.x
	size := r.a.radius + r.b.radius
	p.err = r.f.margin + pair.slack + float64(0x1p-42*(size+geom.Norm(p.x)))
	p.at = [2]r3.Vec{s.own(p, 0, n.PA), s.own(p, 1, n.PB)}
	if a, b, ok := r.resting.middles(); ok && r.meets && !r.passed {
		p.at = [2]r3.Vec{s.own(p, 0, a), s.own(p, 1, b)} // The middle of a face turns less than a corner.
	}
	// No two points of the bodies are nearer than the signed distance, be they inside or outside.
	apart := geom.Norm(r3.Sub(s.seen(p, 0, p.at[0]), s.seen(p, 1, p.at[1]))) + p.err
	p.lo, p.hi = math.Inf(-1), apart-pair.more.inner
	if r.best.n != (r3.Vec{}) {
		p.ways = append(p.ways, slideWay{n: geom.Scale(-1, r.best.n)})
		s.raise(p)
	}
	if p.lo < -s.tolerance {
		s.probe(p)
	}
}

// seen returns where a point of a body is, from A's pivot; own the point of a body at a place.
func (s *SlideSolver) seen(p *slidePose, side int, x r3.Vec) r3.Vec {
	y := p.rot[side].Apply(r3.Sub(x, p.pair.motion[side].Pivot))
	if side == 1 {
		y = r3.Add(y, p.x)
	}
	return y
}

func (s *SlideSolver) own(p *slidePose, side int, y r3.Vec) r3.Vec {
	if side == 1 {
		y = r3.Sub(y, p.x)
	}
	return r3.Add(p.rot[side].ApplyTransposed(y), p.pair.motion[side].Pivot)
}

// raise raises the lower bound of the signed distance to the gap along the last way.
func (s *SlideSolver) raise(p *slidePose) {
	g := s.gap(p, p.ways[len(p.ways)-1].n) - p.err - p.pair.more.outer
	p.lo = max(p.lo, g)
}

// probe asks how deep the bodies are in each other.
func (s *SlideSolver) probe(p *slidePose) {
	if p.probed {
		return
	}
	p.probed = true
	d := &s.diff
	d.A, d.B = d.A[:0], d.B[:0]
	for _, x := range p.pair.part[0].arm {
		d.A = append(d.A, p.rot[0].Apply(x))
	}
	for _, y := range p.pair.part[1].arm {
		d.B = append(d.B, r3.Add(p.x, p.rot[1].Apply(y)))
	}
	limit := s.tolerance - p.pair.more.inner
	found := d.Measure(limit, float64(0x1p-8*s.tolerance), p.err)
	if found.Lo > 0 {
		p.hi = min(p.hi, -found.Lo-p.pair.more.inner)
	}
	p.lo = max(p.lo, -found.Hi-p.pair.more.outer)
	if found.N == (r3.Vec{}) {
		return
	}
	way := slideWay{n: geom.Scale(-1, found.N)}
	if found.E != (r3.Vec{}) {
		way.e, way.f = p.rot[0].ApplyTransposed(found.E), p.rot[1].ApplyTransposed(found.F)
	}
	p.ways = append(p.ways, way)
	s.raise(p)
}

// gap returns the gap of the corners along n, from B to A.
func (s *SlideSolver) gap(p *slidePose, n r3.Vec) float64 {
	na, nb := p.rot[0].ApplyTransposed(n), p.rot[1].ApplyTransposed(n)
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range p.pair.part[0].arm {
		least = min(least, geom.Dot(na, x))
	}
	for _, y := range p.pair.part[1].arm {
		most = max(most, geom.Dot(nb, y))
	}
	return least - most - geom.Dot(n, p.x)
}
