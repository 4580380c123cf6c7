package clearance

import "math"

// The change of a pair that slides at about d, found before any polynomial is made.
//
// Near its change the distance is the root of h^2 + w^2: h is the height over the feature onto
// which the nearest point moves, and w how far beside the feature its foot is, which goes evenly
// with the time. With `ahead` the distance less d, and c the same for the feature, h = d + c, so
//
//	w^2 = (d + ahead)^2 - (d + c)^2 = (ahead - c) (2d + ahead + c),
//
// and the change is where w^2 = -c (2d + c). c is what ahead is at a time at which the foot is in
// the feature, and 0 before one is met. The secant's method on w takes some six looks. That on the
// distance takes forty, because until w is as small as at the change, 1e-10 of a length, the
// distance looks as at a double root.
//
// No proof rests on this. The change is between neighboring doubles with certain verdicts. That the
// pair is apart before a contact is shown by the direction of the nearest point at the last double
// before it, the same for all of the time: where heights change by rounding alone, it keeps the
// pair apart as long as w is larger. See Course.Holds. Where it does not, polynomials show it.

const (
	borderLooks = 16
	borderStep  = 0x1p-20 // the first step, as a part of the time
)

// border looks for a change between the time out, at which the pair is apart, and the time in; met
// says that it is in contact there. It returns neighboring doubles a, at which it is apart, and b,
// towards in, at which it is in contact; if ok is false, a is only a time at which the pair is
// apart, if it is so at out. f.near is the nearest point at a.
//
// Where the foot is in the polygon already, the distance itself goes evenly with the time.
func (f *Follower) border(out, in float64, met bool) (a, b float64, ok bool) {
	a, b, f.least = out, in, math.NaN()
	v, g := f.stateAt(out)
	if f.near = f.looked; v != apart {
		return a, b, false
	}
	level := f.near.Part == Inner2d
	t0, g0, t1, g1 := out, g, out, g // the last two times
	c, known, step := 0.0, level, borderStep
	if !level {
		step = min(step, 0x1p-4*f.way(g, 0))
	}
	t := out + float64(step*(in-out))
	for range borderLooks {
		switch {
		case t > min(a, b) && t < max(a, b):
		case math.Abs(t-a) < math.Abs(t-b):
			t = math.Nextafter(a, in)
		case met:
			t = math.Nextafter(b, out)
		default:
			t = in
		}
		part := f.near.Part
		switch v, g = f.stateAt(t); v {
		case apart:
			if a, f.near = t, f.looked; t == in || level != (f.near.Part == Inner2d) {
				return a, b, false
			}
		case inContact:
			b, met = t, true
		default:
			return a, b, false
		}
		if met && math.Nextafter(a, b) == b {
			return a, b, true
		}
		if v == inContact && !level && (!known || f.looked.Part != part) {
			if c = g; f.looked.Part == part { // Its foot may be beside the feature still.
				deep := b + float64(4*(b-a))
				if deep > in == (in > out) {
					deep = in
				}
				if w, g := f.stateAt(deep); w == inContact {
					c = min(c, g)
				}
			}
			known = true
		} else {
			t0, g0, t1, g1 = t1, g1, t, g
		}
		w0, w1, w := g0, g1, 0.0
		if !level {
			w0, w1, w = f.way(g0, c), f.way(g1, c), f.way(0, c)
		}
		slope := (w1 - w0) / (t1 - t0)
		if t0 == out && t1 != out {
			f.pace = slope
		}
		switch t = t1 + (w-w1)/slope; {
		case t0 == t1:
			t = a + float64(0.5*(b-a))
		case !met && !(float64(slope*(in-out)) < 0): // The pair parts.
			f.least = float64(0.5*(t0+t1)) - float64(f.d*(g1-g0))/float64(float64(f.pace*f.pace)*(t1-t0))
			return a, b, false
		}
	}
	return a, b, false
}

// way returns w from ahead and c.
func (f *Follower) way(ahead, c float64) float64 {
	return math.Sqrt(max(0, float64((ahead-c)*(float64(2*f.d)+(ahead+c)))))
}

// foresee looks for the change of a pair from the time a on. before and after are the doubles
// beside one, or no numbers. known says that it is the first: that nothing changes from a up to
// before. Then before = after says that nothing changes at all.
func (f *Follower) foresee(a, tMax float64, contact bool) (before, after float64, known bool) {
	switch {
	case f.slowly || f.touching || f.flat >= 0 || a == tMax:
		return math.NaN(), math.NaN(), false
	case contact:
		return f.foreseeExit(a, tMax)
	}
	if v, _ := f.stateAt(a); v == apart && f.looked.Part == Inner2d && f.course.Holds(&f.looked, a, tMax) {
		return tMax, tMax, true
	}
	x, y, ok := f.border(a, tMax, false)
	if !ok && f.near.Part == Inner2d && x > a && x < tMax { // The plane of the polygon may come to d.
		x, y, ok = f.border(x, tMax, false)
	}
	switch {
	case ok:
		return x, y, x == a || f.course.Holds(&f.near, a, x)
	case f.course.Holds(&f.near, a, tMax) || f.passes(a, tMax):
		return tMax, tMax, true
	}
	return math.NaN(), math.NaN(), false
}

// foreseeExit is foresee for a pair in contact.
func (f *Follower) foreseeExit(a, tMax float64) (before, after float64, known bool) {
	if v, _ := f.stateAt(tMax); v == inContact {
		if f.stays(a, tMax) {
			return tMax, tMax, true
		}
	} else if x, y, ok := f.border(tMax, a, true); ok {
		return y, x, y == a || f.stays(a, y)
	}
	return math.NaN(), math.NaN(), false
}

// stays reports whether the pair certainly stays in contact from a to b.
func (f *Follower) stays(a, b float64) bool {
	if v, _ := f.stateAt(a); v != inContact {
		return false
	}
	f.near = f.looked
	v, _ := f.stateAt(b)
	return v == inContact && f.course.Stays(&f.near, &f.looked)
}

// passes reports whether the pair, which passes its least distance d + g at about f.least, is
// certainly apart from lo to hi: by the directions there and at a way w a little before and after
// it. Those keep it apart at all larger ways by about w^2 / 2d + g; the first does so at all ways,
// as far as heights change by less than g.
func (f *Follower) passes(lo, hi float64) bool {
	t := f.least
	if !(t > lo && t < hi) {
		return false
	}
	v, g := f.stateAt(t)
	if v != apart {
		return false
	}
	beside := math.Abs(8 * f.way(g, 0) / f.pace)
	a, b := max(lo, t-beside), min(hi, t+beside)
	if !f.course.Holds(&f.looked, a, b) {
		return false
	}
	f.stateAt(a)
	if !f.course.Holds(&f.looked, lo, a) {
		return false
	}
	f.stateAt(b)
	return f.course.Holds(&f.looked, b, hi)
}
