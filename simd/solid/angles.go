package solid

import "math"

// Angles are the rates at which two bodies turn, as pairs, and a time.
type Angles struct {
	Hi, Lo [2]float64
	T      float64
}

// Turn writes to the rows MotionSin and MotionCos the sines and cosines of the angles by which both
// bodies have turned at the time T: for each
//
//	hi = Hi*T; lo = FMA(Hi, T, -hi) + Lo*T
//	k = the integer nearest to hi*2/pi, the even one of two
//	r = FMA(-k, pi/2, hi) + (lo - k*rest), rest what the double misses of pi/2
//	sine and cosine of r by Taylor polynomials, by Horner's rule with fused steps, from r^17 and
//	r^16 on
//	both exchanged and negated as k says
//
// These are the bits of num.Sincos, where bounds are derived. |hi| is at most 2^40.
func (m *RelativeMotion) Turn(a *Angles) { turnBodies(m, a) }

// pi/2 is halfPi1 + halfPi2, but for less than 2^-107.
const (
	halfPi1 = 0x1.921fb54442d18p+00
	halfPi2 = 0x1.1a62633145c07p-54
	twoOvPi = 0x1.45f306dc9c883p-01
)

func (m *RelativeMotion) turnGeneric(a *Angles) {
	for i := range 2 {
		hi := float64(a.Hi[i] * a.T)
		lo := math.FMA(a.Hi[i], a.T, -hi) + float64(a.Lo[i]*a.T)
		k := math.RoundToEven(hi * twoOvPi)
		r := math.FMA(-k, halfPi1, hi)
		r += lo - float64(k*halfPi2)
		sin, cos := sincosReduced(r)
		switch int64(k) & 3 {
		case 1:
			sin, cos = cos, -sin
		case 2:
			sin, cos = -sin, -cos
		case 3:
			sin, cos = -cos, sin
		}
		m[MotionSin][2*i], m[MotionSin][2*i+1] = sin, sin
		m[MotionCos][2*i], m[MotionCos][2*i+1] = cos, cos
	}
}

func sincosReduced(r float64) (sin, cos float64) {
	z := r * r
	p := math.FMA(z, 1.0/355687428096000, -1.0/1307674368000)
	p = math.FMA(z, p, 1.0/6227020800)
	p = math.FMA(z, p, -1.0/39916800)
	p = math.FMA(z, p, 1.0/362880)
	p = math.FMA(z, p, -1.0/5040)
	p = math.FMA(z, p, 1.0/120)
	p = math.FMA(z, p, -1.0/6)
	q := math.FMA(z, 1.0/20922789888000, -1.0/87178291200)
	q = math.FMA(z, q, 1.0/479001600)
	q = math.FMA(z, q, -1.0/3628800)
	q = math.FMA(z, q, 1.0/40320)
	q = math.FMA(z, q, -1.0/720)
	q = math.FMA(z, q, 1.0/24)
	return r + float64(float64(r*z)*p), (1 - float64(0.5*z)) + float64(float64(z*z)*q)
}
