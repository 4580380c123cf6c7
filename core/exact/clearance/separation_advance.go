package clearance

import "math"

// floatSteps bounds the steps in floats, and doubleSteps those in double-doubles. A simple root
// takes five or six. A query that is not decided by then goes to the next stage, so the limits cost
// time alone.
const (
	floatSteps  = 40
	doubleSteps = 60
)

// certificateID names a certificate by a direction, or -1 for none, and the side of the cube on
// which the polygon lies.
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

// trial chooses the end of the next interval. It lies beyond the root that the tangent foresees, by
// a few times the way to that root, so that the control polygon is close to the curve there. Every
// choice beyond next is correct.
func trial(next, a, b, gap, tMax float64) float64 {
	h := 4 * math.Abs(a+float64(gap*(b-a))-next)
	h = max(h, 0x1p-20*(next-a), 0x1p-50*next)
	return min(max(next+min(h, b-next), math.Nextafter(next, 2)), tMax)
}

// separationInterval is what the directions prove on the interval [Fa, fb].
type separationInterval struct {
	best  certificateID
	reach float64 // the largest fraction of the interval up to which one of them, the best, separates for certain
	gap   float64 // the fraction at which its tangent vanishes, at most 1
	meets bool    // no direction separates at Fa, certainly, with room to spare
}

// separation evaluates all directions in floats. It tests whether the pair is in contact at Fa only
// if atStart is true.
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

// advanceDoubles continues in double-doubles from a, before which the pair is apart. It follows one
// certificate at a time, until none holds at a and at the next double b.
func (r *SeparationResolver) advanceDoubles(a, tMax float64, lead certificateID) Instant {
	if lead.direction < 0 { // No certificate is known yet, and a = 0.
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

// follow returns a time in [a, tMax] up to which the certificate holds; a itself if it does not
// certainly hold beyond a.
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

// separationDoubles evaluates all directions on [a, b], where a and b are neighbors or equal. It
// returns the first direction found that separates on all of [a, b], and whether certainly none
// separates at b, with room to spare. Floats decide most directions.
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

// form is the two certificates of a direction on an interval [a, b]. For each side it has the
// Bernstein coefficients of the certificate's polynomials, each the least over corners and signs,
// and off by at most err. If all coefficients exceed err, all polynomials are positive, and the
// direction separates on the interval.
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
func (f *form) crossing(side int) float64 { return crossingOf(f.c[side][:f.degree+1], f.err) }

// crossingOf is crossing of the coefficients of one side.
func crossingOf(c []float64, err float64) float64 {
	if !(c[0] > err) {
		return 0
	}
	s := 1.0
	n := float64(len(c) - 1)
	for j := 1; j < len(c); j++ {
		low := c[j] - err
		if low > 0 {
			continue
		}
		for i := range j {
			if high := c[i] - err; high > 0 {
				s = min(s, (float64(i)+float64(float64(j-i)*(high/(high-low))))/n*(1-0x1p-49))
			}
		}
	}
	return s
}

// tangent returns the fraction of the interval at which the tangent at its beginning vanishes, at
// most 1.
func (f *form) tangent(side int) float64 { return tangentOf(f.c[side][:f.degree+1]) }

func tangentOf(c []float64) float64 {
	if g := c[0] / ((c[0] - c[1]) * float64(len(c)-1)); g > 0 && g < 1 {
		return g
	}
	return 1
}

// fails reports whether the certificate certainly holds on neither side, with room to spare, at the
// beginning (l = 0) or the end (l = degree).
func (f *form) fails(l int) bool { return f.c[0][l] < -f.err && f.c[1][l] < -f.err }
