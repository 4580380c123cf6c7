package rigid

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/rigid/hull"
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
	Event        SlideEvent
	Flags        uint32
	TLo, THi     float64 // the first time is in [TLo, THi]; THi is +Inf where there is none
	Lo, Hi       float64 // the signed distance at THi, or where there is none at TMax or TLo
	Normal       r3.Vec  // unit, from B to A: along it the bodies are Lo apart, at least
	Iterations   int64   // poses looked at and times proven
	PartA, PartB int32   // the parts that Lo, Hi and Normal are of
}

// SlideSolver is the memory of searches for the end of a contact. It serves one goroutine at a
// time.
//
// Size: it embeds the options of a call, and each proof over an interval is a method.
type SlideSolver struct {
	engine.CallOptions // Progress is called, and may cancel the call; the other options have no effect

	ruler     Ruler
	motion    [2]*Motion
	parts     [2][]slidePart
	pairs     []slidePair
	diff      hull.Differences
	tolerance float64
	deepOnly  bool // bodies may part: only how deep they overlap counts
	call      engine.Call
	steps     int64
}

// slideFrame is all pairs at one time.
type slideFrame struct {
	t     float64
	of    []slidePose
	event SlideEvent
}

// slideShare of the tolerance is how far beyond it a pose may be that is passed over.
const slideShare = 1. / 64

// depthShare of the limit is how far bodies may move between the ends of the time at which they
// come deeper, if nothing hides it.
const depthShare = 0x1p-20

// depthHalvings is how many times a call goes below slideShare for that.
const depthHalvings = 256

// Slide returns the first time at which two bodies, in contact at TMin, convex or given by convex
// parts, penetrate each other by more than the tolerance, or are farther apart than it. Of the
// options TMin, TMax and MaxIterations count.
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
// Bodies that are not convex are given by convex parts, which share the body's motion. s is then
// the least of the signed distances of all pairs of a part of A and one of B: the bodies penetrate
// as soon as one pair of parts does, and part once all have parted. The parts may touch or overlap.
//
// The tolerance must be at least 2^-30 of the sum of the radii about the pivots, and 2^-32 of how
// far the pivots come apart.
//
// Where deviations hide when the tolerance is exceeded, [TLo, THi] holds all such times: it is
// wider.
func (s *SlideSolver) Slide(a, b []*Body, ma, mb *Motion, tolerance float64, o *Options, out *Slide) error {
	s.deepOnly = false
	return s.run(a, b, ma, mb, "tolerance", tolerance, o, out)
}

// FirstDepth returns the first time at which two bodies, as those of Slide but at any place,
// overlap more deeply than a limit, which is as small as a tolerance of Slide may be.
//
// Laws: for all t in [TMin, TLo): s is at least minus the limit. SlidePenetrates: s(THi) is below
// that. SlideStays: s is nowhere below it, with SlideGrazing below 33/32 of it. [Lo, Hi] is as in
// Slide. Of bodies that are given by convex parts s is that of two parts: no translation shorter
// than -s parts the bodies, but a longer one may be needed.
func (s *SlideSolver) FirstDepth(a, b []*Body, ma, mb *Motion, limit float64, o *Options, out *Slide) error {
	s.deepOnly = true
	return s.run(a, b, ma, mb, "limit", limit, o, out)
}

// run is Slide and FirstDepth, whose tolerance has this name.
func (s *SlideSolver) run(a, b []*Body, ma, mb *Motion, name string, tolerance float64, o *Options, out *Slide) error {
	options := DefaultOptions()
	if o != nil {
		options = *o
	}
	options.MinSeparation, options.Flags, options.Search, options.Tolerance = 0, 0, nil, 0
	if err := options.check(ma, mb, false); err != nil {
		return err
	}
	if !(tolerance > 0 && tolerance <= MaxMagnitude) {
		return status.Errorf(status.ErrArgument, "%s is %v: must be in (0, %v]", name, tolerance, MaxMagnitude)
	}
	s.motion, s.tolerance, s.steps = [2]*Motion{ma, mb}, tolerance, 0
	for side, list := range [2][]*Body{a, b} {
		if err := s.take(side, list); err != nil {
			return err
		}
	}
	s.pair(&options)
	q := &s.ruler
	far := geom.Norm(q.x0) + float64(q.speed*max(math.Abs(options.TMin), math.Abs(options.TMax)))
	if least := float64(0x1p-30*s.radii()) + float64(0x1p-32*far); tolerance < least {
		return status.Errorf(status.ErrArgument,
			"%s is %v: must be at least %.2g for bodies of this size and place", name, tolerance, least)
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
	ahead, halved := []*slideFrame{s.look(t1)}, 0
	*out = Slide{THi: math.Inf(1)}
	end := func(event SlideEvent, at *slideFrame, lo float64) {
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
		way := float64(s.speed() * (next.t - now.t))
		fine := way <= float64(slideShare*s.tolerance)
		sharp := fine
		if fine && s.deepOnly && way > float64(depthShare*s.tolerance) && halved < depthHalvings && s.hides(next) {
			sharp = false
			halved++
		}
		switch {
		case sharp && next.event == SlideUndecided && s.passable(now):
			proven = min(proven, now.t)
			now, ahead = next, ahead[:len(ahead)-1]
		case (sharp || middle <= now.t || middle >= next.t) && next.event != SlideUndecided:
			out.THi = next.t
			end(next.event, next, now.t)
			return
		case middle > now.t && middle < next.t && !sharp && s.steps < most && s.call.Progress.Pass(1):
			ahead = append(ahead, s.look(middle))
		default:
			event, at := SlideUndecided, now
			if sharp { // The budget is not spent: deviations or rounding hide what is.
				if f := s.later(now, ahead, most); f != nil {
					event, at, out.THi = f.event, f, f.t
				}
			}
			end(event, at, now.t)
			return
		}
	}
	end(SlideStays, now, t1)
}

// hides reports whether bodies may be deeper than the tolerance at a pose.
func (s *SlideSolver) hides(f *slideFrame) bool {
	for i := range f.of {
		if f.of[i].lo < -s.tolerance {
			return true
		}
	}
	return false
}

// slideSamples is how many times later looks at, where no pose ahead has an event.
const slideSamples = 64

// later returns a pose after now at which the contact has surely ended, near the first such one: of
// those ahead, or of some between, then nearer by halves; nil if none was found. Until then
// deviations, or rounding, hide whether it has.
func (s *SlideSolver) later(now *slideFrame, ahead []*slideFrame, most int64) *slideFrame {
	list := make([]*slideFrame, 0, len(ahead)+slideSamples)
	for i := len(ahead) - 1; i >= 0; i-- {
		list = append(list, ahead[i])
	}
	last := ahead[0]
	for i := 1; i < slideSamples && last.event == SlideUndecided; i++ {
		t := now.t + float64(float64(i)/slideSamples*(last.t-now.t))
		if s.steps >= most || !s.call.Progress.Pass(1) {
			break
		}
		if t > now.t && t < last.t {
			list = append(list, s.look(t))
		}
	}
	slices.SortStableFunc(list, func(a, b *slideFrame) int { return cmp.Compare(a.t, b.t) })
	low := now
	for _, high := range list {
		if high.event == SlideUndecided {
			low = high
			continue
		}
		share := slideShare
		if s.deepOnly {
			share = depthShare
		}
		for float64(s.speed()*(high.t-low.t)) > float64(share*s.tolerance) {
			middle := low.t + float64(0.5*(high.t-low.t))
			if middle <= low.t || middle >= high.t || s.steps >= most || !s.call.Progress.Pass(1) {
				break
			}
			if f := s.look(middle); f.event == SlideUndecided {
				low = f
			} else {
				high = f
			}
		}
		return high
	}
	return nil
}

// passable reports whether a pose is so near contact that the time after it, in which the signed
// distance changes by little, may be passed over.
func (s *SlideSolver) passable(f *slideFrame) bool {
	most, least := float64(s.tolerance*(1+slideShare)), math.Inf(1)
	for i := range f.of {
		p := &f.of[i]
		if !(p.lo >= -most) {
			s.probe(p)
		}
		if !(p.lo >= -most) {
			return false
		}
		least = min(least, p.hi)
	}
	return least <= most || s.deepOnly
}

// write writes what is known of a pose.
func (s *SlideSolver) write(f *slideFrame, out *Slide) {
	out.Lo, out.Hi, out.Iterations = math.Inf(1), math.Inf(1), s.steps
	at := 0
	for again := true; again; { // Pairs that were not looked at, because they are far, may be the nearest.
		again = false
		for i := range f.of {
			p := &f.of[i]
			if p.far && p.lo < out.Hi {
				s.measure(p)
				again = true
			}
			out.Lo = min(out.Lo, p.lo)
			if p.hi < out.Hi {
				out.Hi, at = p.hi, i
			}
		}
	}
	p := &f.of[at]
	out.PartA, out.PartB = p.pair.index[0], p.pair.index[1]
	best := math.Inf(-1)
	for i := range p.ways {
		if g := s.gap(p, p.ways[i].n); g > best {
			best, out.Normal = g, p.ways[i].n
		}
	}
}

// speed bounds how fast the signed distance changes.
func (s *SlideSolver) speed() (v float64) {
	for i := range s.pairs {
		v = max(v, s.pairs[i].closing())
	}
	return v
}

// look places the bodies at a time.
func (s *SlideSolver) look(t float64) *slideFrame {
	s.steps++
	f := &slideFrame{t: t, of: make([]slidePose, len(s.pairs)), event: SlideParts}
	if s.deepOnly {
		f.event = SlideUndecided
	}
	for i := range s.pairs {
		p := &f.of[i]
		p.pair, p.t = &s.pairs[i], t
		if len(s.pairs) == 1 || !s.apart(p, &f.of[0]) {
			s.measure(p)
		}
		switch {
		case p.hi < -s.tolerance:
			f.event = SlidePenetrates
		case !(p.lo > s.tolerance) && f.event == SlideParts:
			f.event = SlideUndecided
		}
	}
	return f
}

// stay reports whether the bodies surely stay in contact between two poses: no two parts come too
// deep into each other, and two stay together.
func (s *SlideSolver) stay(f, g *slideFrame) bool {
	if !s.deepOnly && !s.touching(f, g) {
		return false
	}
	for i := range f.of {
		if !s.stayShallow(&f.of[i], &g.of[i]) {
			return false
		}
	}
	return true
}

// touching reports whether some parts surely stay together between two poses.
func (s *SlideSolver) touching(f, g *slideFrame) bool {
	for i := range f.of {
		if p, q := &f.of[i], &g.of[i]; !p.far && !q.far && s.together(p, q) {
			return true
		}
	}
	return false
}

// stayShallow reports whether two parts surely come no deeper into each other than the tolerance
// between two poses.
func (s *SlideSolver) stayShallow(p, q *slidePose) bool {
	if s.awayFrom(p, q) {
		return true
	}
	for _, e := range [2]*slidePose{p, q} {
		if e.far {
			s.measure(e)
		}
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
