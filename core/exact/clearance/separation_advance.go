package clearance

import "math"

// floatSteps bounds the steps in floats, doubleSteps those in double-doubles; a simple root takes
// five or six. What is not decided by then goes to the next stage: only time is lost.
const (
	floatSteps  = 40
	doubleSteps = 60
)

// certificateID names a certificate: a direction, and the side of the cube on which the polygon
// lies. direction -1: none.
type certificateID struct{ direction, side int }

// advanceFloats moves a from 0 towards tMax while some direction separates on [0, a] for certain.
// Undecided, it returns the last a and the certificate that led there.
func (r *SeparationResolver) advanceFloats(tMax float64) (Instant, certificateID) {
	lead := certificateID{direction: -1}
	r.Fa.Set(r, 0)
	a, b := 0.0, tMax
	for range floatSteps {
		r.fb.Set(r, b)
		s := r.separation(a == 0)
		if s.meets {
			return Instant{Contact: true}, lead
		}
		if s.reach == 0 {
			break
		}
		lead = s.best
		if s.reach == 1 {
			if b == tMax {
				return Instant{}, lead
			}
			r.Fa, r.fb = r.fb, r.Fa
			a, b = b, min(tMax, b+float64(8*(b-a)))
			continue
		}
		next := forward(a, b, s.reach)
		if !(next > a) {
			break
		}
		a, b = next, trial(next, a, b, s.gap, tMax)
		r.Fa.Set(r, a)
	}
	return Instant{Undecided: true, Lo: a}, lead
}

// forward returns a time of [a, a + s (b - a)]: that of the right end, rounded down past every
// error. The difference, the product and the sum of the doubles are at most 1 + 2^-53 times the
// exact ones; the factor outweighs the first two, and the double below the rounded sum is not above
// the sum.
func forward(a, b, s float64) float64 {
	return max(a, math.Nextafter(a+float64(float64(s*(b-a))*(1-0x1p-50)), 0))
}

// trial chooses the next interval's end: past the root that the tangent foresees by a few times
// what is missing, so that the control polygon hugs the curve there. Any choice beyond next is
// right.
func trial(next, a, b, gap, tMax float64) float64 {
	h := 4 * math.Abs(a+float64(gap*(b-a))-next)
	h = max(h, 0x1p-20*(next-a), 0x1p-50*next)
	return min(max(next+min(h, b-next), math.Nextafter(next, 2)), tMax)
}

// separationInterval is what the directions prove on the interval [fa, fb].
type separationInterval struct {
	best  certificateID
	reach float64 // the largest fraction of the interval up to which one of them, the best, separates for certain
	gap   float64 // the fraction at which its tangent vanishes, at most 1
	meets bool    // no direction separates at fa, certainly, with room to spare
}

// separation looks at all directions in floats. It tests whether the pair meets at fa only if
// atStart.
func (r *SeparationResolver) separation(atStart bool) (s separationInterval) {
	s.meets = atStart
	for n := range r.directions {
		f := r.form(n)
		s.meets = s.meets && (f.none || f.fails(0))
		for side := range 2 {
			if x := f.crossing(side); x > s.reach {
				s.reach, s.gap, s.best = x, f.tangent(side), certificateID{n, side}
				if x == 1 {
					return s
				}
			}
		}
	}
	return s
}

// advanceDoubles does in double-doubles what advanceFloats did, from a on, before which the pair is
// apart; it follows one certificate at a time until a and the next double b are neighbors.
func (r *SeparationResolver) advanceDoubles(a, tMax float64, lead certificateID) Instant {
	if lead.direction < 0 { // nothing is known yet: a = 0
		if l, meets := r.separationDoubles(0, 0); meets {
			r.Stats.Doubles++
			return Instant{Contact: true}
		} else if l.direction < 0 {
			return Instant{Undecided: true}
		} else {
			lead = l
		}
	}
	for range doubleSteps {
		a = r.follow(a, tMax, lead)
		if a == tMax {
			r.Stats.Doubles++
			return Instant{}
		}
		b := math.Nextafter(a, 2)
		l, meets := r.separationDoubles(a, b)
		if meets {
			r.Stats.Doubles++
			return Instant{Contact: true, Lo: a, Hi: b}
		}
		if l.direction < 0 {
			break
		}
		lead = l
	}
	return Instant{Undecided: true, Lo: a}
}

// follow returns a time from a on, tMax at most, up to which the certificate holds; a itself when
// it does not, for certain, hold any longer.
func (r *SeparationResolver) follow(a, tMax float64, l certificateID) float64 {
	b := min(tMax, a+max(0x1p-46*a, 0x1p-60))
	for range doubleSteps {
		f := r.formDouble(l.direction, a, b)
		s := f.crossing(l.side)
		if s == 1 {
			if b == tMax {
				return tMax
			}
			a, b = b, min(tMax, b+float64(8*(b-a)))
			continue
		}
		neighbor := math.Nextafter(a, 2)
		next := forward(a, b, s)
		switch {
		case next > a:
			a, b = next, trial(next, a, b, f.tangent(l.side), tMax)
		case b > neighbor:
			b = neighbor
		default:
			return a
		}
	}
	return a
}

// separationDoubles looks at all directions on [a, b], a and b neighbors or equal: one that
// separates all over it, the first found; and whether for certain none separates at b, with room to
// spare. Floats decide most.
func (r *SeparationResolver) separationDoubles(a, b float64) (l certificateID, meets bool) {
	r.Fa.Set(r, b)
	r.fb = r.Fa
	meets = true
	for n := range r.directions {
		if f := r.form(n); f.none || f.fails(0) {
			continue
		}
		f := r.formDouble(n, a, b)
		for side := range 2 {
			if f.crossing(side) == 1 {
				return certificateID{n, side}, false
			}
		}
		meets = meets && f.fails(f.degree)
	}
	return certificateID{direction: -1}, meets
}

// form is one direction's two certificates on an interval [a, b]: for each side the Bernstein
// coefficients of its polynomials, the least over corners and signs for each degree, each off by at
// most err. When all are positive, so are all the polynomials, and the direction separates on the
// interval.
type form struct {
	c      [2][4]float64
	err    float64
	degree int
	none   bool // the direction is zero at all times
}

// crossing returns a fraction s of the interval, at most 1, such that the certificate holds on [a,
// a + s (b - a)), and at the end as well when s is 1. The polynomials lie above the lower hull of
// the points (l / degree, c_l - err), which meets zero first on a chord from a positive point to a
// later one that is not. The quotients' roundings are a factor within 1 +- 2^-51, which 1 - 2^-49
// outweighs.
func (f *form) crossing(side int) float64 {
	c := &f.c[side]
	if !(c[0] > f.err) {
		return 0
	}
	s := 1.0
	n := float64(f.degree)
	for j := 1; j <= f.degree; j++ {
		low := c[j] - f.err
		if low > 0 {
			continue
		}
		for i := range j {
			if high := c[i] - f.err; high > 0 {
				s = min(s, (float64(i)+float64(float64(j-i)*(high/(high-low))))/n*(1-0x1p-49))
			}
		}
	}
	return s
}

// tangent returns the fraction of the interval at which the tangent at its beginning vanishes, at
// most 1.
func (f *form) tangent(side int) float64 {
	c := &f.c[side]
	if g := c[0] / ((c[0] - c[1]) * float64(f.degree)); g > 0 && g < 1 {
		return g
	}
	return 1
}

// fails reports whether on neither side the certificate holds at the beginning (l = 0) or the end
// (l = degree), with room to spare.
func (f *form) fails(l int) bool { return f.c[0][l] < -f.err && f.c[1][l] < -f.err }
