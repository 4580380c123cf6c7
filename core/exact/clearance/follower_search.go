package clearance

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// prefix looks at the time from lo to hi, up to the first change of the verdict. It sets state and
// next to the verdicts of the parts before and after, and returns their ends as times: that of a
// part with a verdict rounded down, that of an open part rounded up.
func (f *Follower) prefix(lo, hi float64) (end, nextEnd float64) {
	f.looks--
	a, b := math.Float64bits(lo), math.Float64bits(hi)
	if next := math.Float64frombits((a>>52 + 1) << 52); next < hi && b-a < 1<<12 {
		hi, b = next, math.Float64bits(next) // The doubles between are evenly spaced now.
	}
	list, beyond := f.load(lo, hi)
	if beyond {
		f.state, f.next = apart, apart
		return hi, hi
	}
	f.walk(0, 0, list)
	at := func(i uint64, depth int, v verdict) float64 {
		switch {
		case i == 1<<depth:
			return hi
		case b-a < 1<<12:
			steps := (b - a) * i
			if v == open {
				steps += 1<<depth - 1
			}
			return math.Float64frombits(a + steps>>depth)
		}
		// The sum errs by less than 4 u of itself: see motionFloats.time of package curved.
		t := lo + float64((hi-lo)*math.Ldexp(float64(i), -depth))
		if v == open {
			return min(hi, num.Up(t*(1+0x1p-50)))
		}
		return max(lo, math.Nextafter(t*(1-0x1p-50), 0))
	}
	end = at(f.end, f.depth, f.state)
	if nextEnd = end; f.next != f.state {
		nextEnd = at(f.nextEnd, f.nextDepth, f.next)
	}
	return end, nextEnd
}

// stateAt returns the verdict at a time, and about the distance less d.
func (f *Follower) stateAt(t float64) (v verdict, ahead float64) {
	if x := &f.looked; !f.fresh || x.T != t {
		f.course.LookDouble(t, x)
		f.fresh, f.ahead = true, f.course.Ahead(x)
		f.seen = f.stateOf(x)
	}
	return f.seen, f.ahead
}

// stateOf returns the verdict at the time of the last look.
func (f *Follower) stateOf(x *NearestDouble) verdict {
	switch {
	case f.ahead > x.Rounding:
		return apart
	case f.course.Touches(x):
		return inContact
	}
	list, beyond := f.load(x.T, x.T)
	if beyond {
		return apart
	}
	f.walk(0, followDepth, list)
	return f.state
}

// Vanishes reports whether near of the inside is 0 from lo to hi, as far as double-doubles tell.
func (f *Follower) Vanishes(lo, hi float64) bool {
	if _, beyond := f.load(lo, hi); beyond || !f.plane(0) {
		return false
	}
	p := &f.all[0].poly[0]
	for _, x := range p.c {
		if math.Abs(x.Hi) > p.margin(0) {
			return false
		}
	}
	return true
}

// Apart reports whether the pair is certainly apart at a time.
func (f *Follower) Apart(t float64) bool {
	v, _ := f.stateAt(t)
	return v == apart
}

// change returns neighboring doubles in [lo, hi], of which the first has the verdict v of lo and
// the second another one, as hi. It fails if it meets a time without a verdict.
func (f *Follower) change(lo, hi float64, v verdict) (a, b float64, ok bool) {
	_, fa := f.stateAt(lo)
	_, fb := f.stateAt(hi)
	a, b = lo, hi
	for step := 1; ; step++ {
		t := middleOf(a, b)
		if t == a {
			return a, b, true
		}
		// Two steps of the secant's method, and one of bisection.
		if s := a + float64((b-a)*(fa/(fa-fb))); step%3 != 0 && !math.IsNaN(s) {
			t = min(max(s, num.Up(a)), math.Nextafter(b, 0))
		}
		switch w, ahead := f.stateAt(t); w {
		case v:
			a, fa = t, ahead
		case apart, inContact:
			b, fb = t, ahead
		default:
			return a, b, false
		}
	}
}

// middleOf returns the double in the middle of those from a to b, a where they are neighbors.
func middleOf(a, b float64) float64 {
	x, y := math.Float64bits(a), math.Float64bits(b)
	return math.Float64frombits(x + (y-x)/2)
}

// Begin starts a search for the pair of a course, with the separation d in the course's unit;
// touching says that there is none.
func (f *Follower) Begin(kind geom.Kind, d float64, touching bool, course Course) {
	f.kind, f.d, f.touching, f.course, f.looks = kind, d, touching, course, followLooks
	f.flat, f.lines, f.fresh = -1, false, false
}

// Change follows the pair from the time a, at which it is in contact or apart for certain, to the
// first time at which that changes, Contact being true, or tMax. A change to contact is in [Lo,
// Hi], which are the same double or neighbors, and one to apart is between the doubles Lo, in
// contact, and Hi, apart. If it cannot tell, it returns Undecided and the last time Lo up to which
// nothing changes.
func (f *Follower) Change(a, tMax float64, contact bool) Instant {
	v, limit := apart, tMax
	if contact {
		v = inContact
	}
	before, after, known := f.foresee(a, tMax, contact) // the change, once it is known
	if known {
		f.Until = after
		return Instant{Contact: before < after, Lo: before, Hi: after}
	}
	if before <= tMax {
		limit = before
	}
	doubtful := math.NaN() // a time from which rivals were no help
	for f.looks > 0 && a < tMax {
		f.alone = f.plainly || a == doubtful
		end, nextEnd := f.prefix(a, limit)
		w := f.state
		if w == v {
			if a = end; a == limit {
				if limit = tMax; a < before {
					limit = before
				}
				continue
			}
			if w, end = f.next, nextEnd; w == v {
				continue
			}
		}
		switch {
		case w == turning && end > a:
			same, certain := f.lasts(end)
			if same && certain { // The root is beyond, for the end is rounded down.
				a, limit = end, tMax
				break
			}
			if certain {
				if t, ok := f.turnedAt(a, end, contact); ok {
					return t
				}
			}
			doubtful = a
		case middleOf(a, limit) == a:
			there, _ := f.stateAt(limit)
			changed := there == apart && contact || there == inContact && !contact
			f.Until = limit
			return Instant{Contact: changed, Undecided: !changed, Lo: a, Hi: limit}
		case w != open || end <= a: // The end, rounded down, is a.
			limit = middleOf(a, limit)
		default:
			limit = end
			if there, _ := f.stateAt(end); there == open || there == v {
				break
			}
			if x, y, ok := f.change(a, end, v); ok {
				before, after, limit = x, y, x
			}
		}
		if a == before {
			f.Until = after
			return Instant{Contact: true, Lo: before, Hi: after}
		}
	}
	return Instant{Undecided: a < tMax, Lo: a}
}
