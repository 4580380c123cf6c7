package simd

// Angles are the rates at which two bodies turn, as pairs, and a time.
type Angles struct {
	Hi, Lo [2]float64
	T      float64
}

// Turn writes to the rows MotionSin and MotionCos the sines and cosines of the angles by which both bodies have turned at the time T: for each
//
//	hi = Hi*T; lo = FMA(Hi, T, -hi) + Lo*T
//	k = the integer nearest to hi*2/pi, the even one of two
//	r = FMA(-k, pi/2, hi) + (lo - k*rest), rest what the double misses of pi/2
//	sine and cosine of r by Taylor polynomials, by Horner's rule with fused steps, from r^17 and r^16 on
//	both exchanged and negated as k says
//
// These are the bits of num.Sincos, where bounds are derived. |hi| is at most 2^40.
func (m *RelativeMotion) Turn(a *Angles) { turnBodies(m, a) }
