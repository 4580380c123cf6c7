package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// SlideEvent says how a contact ends.
type SlideEvent int32

// The events.
const (
	SlideUndecided  SlideEvent = iota // MaxIterations is reached, or doubles are too coarse
	SlideStays                        // the bodies stay in contact
	SlidePenetrates                   // they come deeper into each other than the tolerance
	SlideParts                        // they come farther apart than the tolerance
)

// Flags of a Slide.
const (
	// SlideInitial: at TMin the bodies are not in contact.
	SlideInitial uint32 = 1 << iota
	// SlideGrazing: from TLo on the signed distance may exceed the tolerance, by at most a 32nd of
	// it, before the event.
	SlideGrazing
)

// A Slide is how long two bodies stay in contact. Its layout is that of ccd_rigid_slide: 80 bytes,
// no hidden padding.
type Slide struct {
	Event      SlideEvent
	Flags      uint32
	TLo, THi   float64 // the first time is in [TLo, THi]; THi is +Inf where there is none
	Lo, Hi     float64 // the signed distance at THi, or where there is none at TMax or TLo
	Normal     r3.Vec  // unit, from B to A: along it the bodies are Lo apart, at least
	Iterations int64   // poses looked at and times proven
	Reserved   int64   // 0
}

// SlideSolver is the memory of searches for the end of a contact. It serves one goroutine at a
// time.
//
// Size: its fields are the query, the two bodies and what a proof over an interval needs of both.
type SlideSolver struct {
	engine.CallOptions // Progress is called, and may cancel the call; the other options have no effect

	ruler     Ruler
	body      [2]*Body
	motion    [2]*Motion
	hull      [2]*bulging
	arm       [2][]r3.Vec // the corners, from the pivots
	diff      differences
	tolerance float64
	slack     float64 // The hulls of corners may differ by it from bodies that are convex but for rounding.
	more      growth
	call      engine.Call
	steps     int64
}

// slidePose is the bodies at one time.
type slidePose struct {
	t      float64
	rot    [2]geom.Mat
	x      r3.Vec    // The way from A's pivot to B's.
	at     [2]r3.Vec // points of the bodies, in their coordinates, that are near each other
	apart  float64   // their distance is at most this
	lo, hi float64   // the signed distance is in [lo, hi]
	err    float64   // the error of a gap
	ways   []slideWay
	probed bool // the depth has been asked for
	event  SlideEvent
}

// slideWay is a direction along which the bodies have a gap, in the world; e and f are edges of
// both that it is across, in the coordinates of their bodies, or 0.
type slideWay struct {
	n, e, f r3.Vec
}

// slideShare of the tolerance is how far beyond it a pose may be that is passed over.
const slideShare = 1. / 64

// Slide returns the first time at which two convex bodies, in contact at TMin, penetrate each other
// by more than the tolerance, or are farther apart than it. Of the options TMin, TMax and
// MaxIterations count.
//
// The signed distance s is the distance of bodies that are apart; of bodies that overlap it is the
// least translation that parts them, with a minus: for both the largest gap along a direction.
//
// Laws: L1. For all t in [TMin, TLo): |s| is at most the tolerance. L2. SlidePenetrates: s(THi) is
// below minus the tolerance; SlideParts: above the tolerance. So the first time at which |s|
// exceeds it is in [TLo, THi]. L3. SlideStays: at no t in [TMin, TMax] is |s| above the tolerance,
// with SlideGrazing above 33/32 of it. L4. s(t) is in [Lo, Hi], t being THi, or else TMax, or else
// TLo.
//
// The tolerance must be at least 2^-30 of the sum of the radii about the pivots, and 2^-32 of how
// far the pivots come apart.
func (s *SlideSolver) Slide(a, b *Body, ma, mb *Motion, tolerance float64, o *Options, out *Slide) error {
	options := DefaultOptions()
	if o != nil {
		options = *o
	}
	options.MinSeparation, options.Flags, options.Search, options.Tolerance = 0, 0, nil, 0
	if err := options.check(ma, mb, false); err != nil {
		return err
	}
	if !(tolerance > 0 && tolerance <= MaxMagnitude) {
		return status.Errorf(status.ErrArgument, "tolerance is %v: must be in (0, %v]", tolerance, MaxMagnitude)
	}
	ha, err := a.convex("a")
	if err != nil {
		return err
	}
	hb, err := b.convex("b")
	if err != nil {
		return err
	}
	s.body, s.motion, s.hull = [2]*Body{a, b}, [2]*Motion{ma, mb}, [2]*bulging{ha, hb}
	s.tolerance, s.more, s.steps = tolerance, growthOf(a, b), 0
	q := &s.ruler
	q.still = false
	q.set(a, b, ma, mb, &options)
	radii := q.a.radius + q.b.radius
	s.slack = float64(0x1p-39 * radii)
	far := geom.Norm(q.x0) + float64(q.speed*max(math.Abs(options.TMin), math.Abs(options.TMax)))
	if least := float64(0x1p-30*radii) + float64(0x1p-32*far); tolerance < least {
		return status.Errorf(status.ErrArgument,
			"tolerance is %v: must be at least %.2g for bodies of this size and place", tolerance, least)
	}
	for i := range 2 {
		s.arm[i] = s.arm[i][:0]
		for _, p := range s.hull[i].corners {
			s.arm[i] = append(s.arm[i], r3.Sub(p, s.motion[i].Pivot))
		}
	}
	if err := s.call.Begin(&s.CallOptions); err != nil {
		return err
	}
	most := options.MaxIterations
	if most == 0 {
		most = DefaultOptions().MaxIterations
	}
	s.call.Progress.Part(most, 1)
	s.search(options.TMin, options.TMax, most, out)
	return s.call.End(nil)
}

// search proves contact from one pose to the next, and halves the time to it where it cannot.
func (s *SlideSolver) search(t0, t1 float64, most int64, out *Slide) {
	now, proven := s.look(t0), math.Inf(1)
	if now.event != SlideUndecided {
		*out = Slide{Event: now.event, Flags: SlideInitial, TLo: t0, THi: t0}
		s.write(now, out)
		return
	}
	ahead := []*slidePose{s.look(t1)}
	*out = Slide{THi: math.Inf(1)}
	end := func(event SlideEvent, at *slidePose, lo float64) {
		if out.Event, out.TLo = event, lo; proven < lo {
			out.TLo, out.Flags = proven, SlideGrazing
		}
		s.write(at, out)
	}
	for len(ahead) > 0 {
		next := ahead[len(ahead)-1]
		s.steps++
		if next.event == SlideUndecided && s.stay(now, next) {
			now, ahead = next, ahead[:len(ahead)-1]
			continue
		}
		middle := now.t + float64(0.5*(next.t-now.t))
		fine := float64(s.speed()*(next.t-now.t)) <= float64(slideShare*s.tolerance)
		switch {
		case fine && next.event == SlideUndecided && s.passable(now):
			proven = min(proven, now.t)
			now, ahead = next, ahead[:len(ahead)-1]
		case (fine || middle <= now.t || middle >= next.t) && next.event != SlideUndecided:
			out.THi = next.t
			end(next.event, next, now.t)
			return
		case middle > now.t && middle < next.t && !fine && s.steps < most && s.call.Progress.Pass(1):
			ahead = append(ahead, s.look(middle))
		default:
			end(SlideUndecided, now, now.t)
			return
		}
	}
	end(SlideStays, now, t1)
}

// passable reports whether a pose is so near contact that the time after it, in which the signed
// distance changes by little, may be passed over.
func (s *SlideSolver) passable(p *slidePose) bool {
	most := float64(s.tolerance * (1 + slideShare))
	if !(p.lo >= -most) {
		s.probe(p)
	}
	return p.lo >= -most && p.hi <= most
}

// write writes what is known of a pose.
func (s *SlideSolver) write(p *slidePose, out *Slide) {
	out.Lo, out.Hi, out.Iterations = p.lo, p.hi, s.steps
	best := math.Inf(-1)
	for i := range p.ways {
		if g := s.gap(p, p.ways[i].n); g > best {
			best, out.Normal = g, p.ways[i].n
		}
	}
}

// speed bounds how fast the signed distance changes.
func (s *SlideSolver) speed() float64 {
	q := &s.ruler
	return float64((q.speed + float64(q.a.rate*q.a.radius) + float64(q.b.rate*q.b.radius)) * (1 + 0x1p-40))
}

// look places the bodies at a time.
func (s *SlideSolver) look(t float64) *slidePose {
	s.steps++
	r := &s.ruler
	r.prepare(s.body[0], s.body[1], s.motion[0], s.motion[1], t)
	r.measure(DistanceOptions{}, math.Inf(1))
	r.settleNormal()
	n := &r.best.near
	p := &slidePose{t: t, rot: r.rot, x: r.f.x}
	size := r.a.radius + r.b.radius
	p.err = r.f.margin + s.slack + float64(0x1p-42*(size+geom.Norm(p.x)))
	p.at = [2]r3.Vec{s.own(p, 0, n.pa), s.own(p, 1, n.pb)}
	if a, b, ok := r.resting.middles(); ok && r.meets && !r.passed {
		p.at = [2]r3.Vec{s.own(p, 0, a), s.own(p, 1, b)} // The middle of a face turns less than a corner.
	}
	// No two points of the bodies are nearer than the signed distance, be they inside or outside.
	p.apart = geom.Norm(r3.Sub(s.seen(p, 0, p.at[0]), s.seen(p, 1, p.at[1]))) + p.err
	p.lo, p.hi = math.Inf(-1), p.apart-s.more.inner
	if r.best.n != (r3.Vec{}) {
		p.ways = append(p.ways, slideWay{n: geom.Scale(-1, r.best.n)})
		s.raise(p)
	}
	if p.lo < -s.tolerance {
		s.probe(p)
	}
	switch {
	case p.hi < -s.tolerance:
		p.event = SlidePenetrates
	case p.lo > s.tolerance:
		p.event = SlideParts
	}
	return p
}

// seen returns where a point of a body is, from A's pivot; own the point of a body at a place.
func (s *SlideSolver) seen(p *slidePose, side int, x r3.Vec) r3.Vec {
	y := p.rot[side].Apply(r3.Sub(x, s.motion[side].Pivot))
	if side == 1 {
		y = r3.Add(y, p.x)
	}
	return y
}

func (s *SlideSolver) own(p *slidePose, side int, y r3.Vec) r3.Vec {
	if side == 1 {
		y = r3.Sub(y, p.x)
	}
	return r3.Add(p.rot[side].ApplyTransposed(y), s.motion[side].Pivot)
}

// raise raises the lower bound of the signed distance to the gap along the last way.
func (s *SlideSolver) raise(p *slidePose) {
	g := s.gap(p, p.ways[len(p.ways)-1].n) - p.err - s.more.outer
	p.lo = max(p.lo, g)
}

// probe asks how deep the bodies are in each other.
func (s *SlideSolver) probe(p *slidePose) {
	if p.probed {
		return
	}
	p.probed = true
	d := &s.diff
	d.a, d.b = d.a[:0], d.b[:0]
	for _, x := range s.arm[0] {
		d.a = append(d.a, p.rot[0].Apply(x))
	}
	for _, y := range s.arm[1] {
		d.b = append(d.b, r3.Add(p.x, p.rot[1].Apply(y)))
	}
	limit := s.tolerance - s.more.inner
	found := d.measure(limit, float64(0x1p-8*s.tolerance), p.err)
	if found.lo > 0 {
		p.hi = min(p.hi, -found.lo-s.more.inner)
	}
	p.lo = max(p.lo, -found.hi-s.more.outer)
	if found.n == (r3.Vec{}) {
		return
	}
	way := slideWay{n: geom.Scale(-1, found.n)}
	if found.e != (r3.Vec{}) {
		way.e, way.f = p.rot[0].ApplyTransposed(found.e), p.rot[1].ApplyTransposed(found.f)
	}
	p.ways = append(p.ways, way)
	s.raise(p)
}

// gap returns the gap of the corners along n, from B to A.
func (s *SlideSolver) gap(p *slidePose, n r3.Vec) float64 {
	na, nb := p.rot[0].ApplyTransposed(n), p.rot[1].ApplyTransposed(n)
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range s.arm[0] {
		least = min(least, geom.Dot(na, x))
	}
	for _, y := range s.arm[1] {
		most = max(most, geom.Dot(nb, y))
	}
	return least - most - geom.Dot(n, p.x)
}

// stay reports whether the bodies surely stay in contact between two poses.
func (s *SlideSolver) stay(p, q *slidePose) bool {
	if !s.together(p, q) {
		return false
	}
	if s.shallow(p, q) {
		return true
	}
	if p.probed && q.probed {
		return false
	}
	s.probe(p)
	s.probe(q)
	return s.shallow(p, q)
}

// bends are bounds of second derivatives over an interval.
type bends struct {
	a, b, edges float64 // They are those of gaps along directions fixed in a body, or across edges.
	turn        float64 // how fast a product of two edges changes
}

// bends returns them for the time between two poses.
//
// A corner x of A and y of B, seen from A's pivot, have |x”| <= wa^2 ra and |y”| <= wb^2 rb. A
// gap N.(x - y) has the second derivative N”.(x - y) + 2 N'.(x' - y') + N.(x” - y”). For N fixed
// in A, N.x is constant, and |N'| <= wa, |N”| <= wa^2; if both turn alike, only the way between
// the pivots changes. For N across an edge of each, |N'| <= wa + wb.
func (s *SlideSolver) bends(p, q *slidePose) (k bends) {
	r := &s.ruler
	wa, wb, ra, rb, v := r.a.rate, r.b.rate, r.a.radius, r.b.radius, r.speed
	x := min(geom.Norm(p.x), geom.Norm(q.x)) + float64(v*(q.t-p.t))
	ka, kb := float64(wa*wa*ra), float64(wb*wb*rb)
	k.a = float64(wa*wa*(x+rb)) + float64(2*wa*(v+float64(wb*rb))) + kb
	k.b = float64(wb*wb*(x+ra)) + float64(2*wb*(v+float64(wa*ra))) + ka
	if s.motion[0].AngularVelocity == s.motion[1].AngularVelocity {
		k.a = float64(wa*wa*x) + float64(2*wa*v)
		k.b = k.a
	}
	k.turn = wa + wb
	k.edges = float64(k.turn*k.turn*(x+ra+rb)) + float64(2*k.turn*s.speed()) + ka + kb
	return k
}

// still returns the bound for a direction that is fixed in the world: n.(w x (w x r)) is at most |n
// x w| |w| |r|, and 0 for a body that turns about n.
func (s *SlideSolver) still(n r3.Vec) (k float64) {
	r := &s.ruler
	for side, b := range [2]*bodyState{&r.a, &r.b} {
		w := s.motion[side].AngularVelocity
		lean := geom.Norm(geom.Cross(n, w)) + float64(0x1p-45*b.rate)
		k += float64(float64(lean*b.rate) * b.radius)
	}
	return k
}

// bent is how far a function with this second derivative is from its chord, at most.
func bent(second, h float64) float64 { return float64(second * h * h * (0.125 * (1 + 0x1p-40))) }

// shallow reports whether the bodies surely come no deeper into each other than the tolerance
// between two poses: along some direction, which stays or turns with one of them, or with an edge
// of each, the gap is at least that. Each corner's gap to each corner is at least what it is at one
// of the ends, less what it bends.
func (s *SlideSolver) shallow(p, q *slidePose) bool {
	k, h := s.bends(p, q), q.t-p.t
	err := max(p.err, q.err)
	need := s.more.outer - s.tolerance + err
	for _, pair := range [2][2]*slidePose{{p, q}, {q, p}} {
		from, to := pair[0], pair[1]
		for i := range from.ways {
			w := &from.ways[i]
			g := s.gap(from, w.n)
			if g < need {
				continue
			}
			if min(g, s.gap(to, w.n))-bent(s.still(w.n), h) >= need {
				return true
			}
			for side, bend := range [2]float64{k.a, k.b} {
				turned := to.rot[side].Apply(from.rot[side].ApplyTransposed(w.n))
				if min(g, s.gap(to, turned))-bent(bend, h) >= need {
					return true
				}
			}
			if w.e != (r3.Vec{}) && s.across(from, to, w, &k, h, need) {
				return true
			}
		}
	}
	return false
}

// across is shallow for a direction across an edge of each body. It is a product of units, no unit:
// the gap along it must be as much less as it is shorter.
func (s *SlideSolver) across(p, q *slidePose, w *slideWay, k *bends, h, need float64) bool {
	e, okE := unit(w.e, w.e)
	f, okF := unit(w.f, w.f)
	if !okE || !okF {
		return false
	}
	n := [2]r3.Vec{geom.Cross(p.rot[0].Apply(e), p.rot[1].Apply(f)), geom.Cross(q.rot[0].Apply(e), q.rot[1].Apply(f))}
	if geom.Dot(n[0], w.n) < 0 {
		n[0], n[1] = geom.Scale(-1, n[0]), geom.Scale(-1, n[1])
	}
	length := 1.0
	if need < 0 {
		length = max(0, geom.Norm(n[0])-float64(k.turn*h)-0x1p-40)
	}
	return min(s.gap(p, n[0]), s.gap(q, n[1]))-bent(k.edges, h) >= float64((need-p.err)*length)+max(p.err, q.err)
}

// together reports whether the bodies surely stay within the tolerance of each other between two
// poses: a point of each that goes straight through its body, from one near the other's at one end
// to one near it at the other end.
func (s *SlideSolver) together(p, q *slidePose) bool {
	most := s.tolerance + s.more.inner
	if s.near(p, q, p.at, q.at, most) {
		return true
	}
	// A point that stays where it is in its body bends less than one that goes far.
	for side := range 2 {
		for _, pair := range [2][2]*slidePose{{p, q}, {q, p}} {
			from, to := pair[0], pair[1]
			var at [2]r3.Vec
			at[side] = from.at[side]
			place := s.own(to, 1-side, s.seen(to, side, at[side]))
			at[1-side] = s.hull[1-side].nearest(s.body[1-side], place)
			if from == p && s.near(p, q, p.at, at, most) || from == q && s.near(p, q, at, q.at, most) {
				return true
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
	r, h := &s.ruler, q.t-p.t
	bend := 0.0
	for side, b := range [2]*bodyState{&r.a, &r.b} {
		w, pivot := s.motion[side].AngularVelocity, s.motion[side].Pivot
		across := max(geom.Norm(geom.Cross(w, p.rot[side].Apply(r3.Sub(at0[side], pivot)))),
			geom.Norm(geom.Cross(w, q.rot[side].Apply(r3.Sub(at1[side], pivot)))))
		across += float64(0x1p-40 * float64(b.rate*b.radius))
		first := float64(2 * b.rate * geom.Norm(r3.Sub(at1[side], at0[side])))
		bend += bent(float64(b.rate*across), h) + float64(first*h*(0.125*(1+0x1p-40)))
	}
	if s.motion[0].AngularVelocity == s.motion[1].AngularVelocity {
		k := s.bends(p, q)
		bend = min(bend, bent(k.a, h))
	}
	return num.AddUp(far, bend) <= most
}
