package exact

import "math"

// Answer is the result of a stage: Unknown leaves the query to the next stage.
type Answer int

const (
	Unknown Answer = iota
	Yes
	No
)

// signed is a polynomial whose sign a stage can compute at most points; ok is false where it
// cannot.
type signed interface {
	// signAt is the sign at x in (0, 1).
	signAt(x float64) (sign int, ok bool)
}

// signs is the coplanarity cubic of a query, as one stage computes it.
type signs interface {
	signed
	// feasible reports whether the parameters lie in the domain at a root: at t when exact, else
	// between t and the next double.
	feasible(t float64, exact bool, out *found) Answer
}

// cubic finds the roots of a cubic whose signs a stage can compute. power holds guesses without a
// bound; bern is within 4 u of its largest coefficient, plus err.
type cubic struct {
	bern, power [4]float64 // coefficients in Bernstein and in power form
	err         float64
	signs       [4]int // signs are those of the Bernstein coefficients, exactly.
}

// changes counts the changes of sign in Bernstein form. There are at most as many roots in (0, 1).
func (f *cubic) changes() (n int) {
	last := 0
	for _, s := range f.signs {
		if s != 0 && s == -last {
			n++
		}
		if s != 0 {
			last = s
		}
	}
	return n
}

// inner tests the roots in (0, 1), all simple, in order, until one is a contact.
func (f *cubic) inner(at signs, changes int, tMax float64, out *found) Answer {
	var cut segments
	if !f.segment(at, changes, &cut) {
		return Unknown
	}
	for i := 1; i < cut.n; i++ {
		if cut.sign[i] == cut.sign[i-1] {
			continue
		}
		if cut.at[i-1] > tMax {
			return No
		}
		floor, exact, ok := bisect(at, &f.power, cut.at[i-1], cut.at[i], cut.sign[i-1])
		if !ok {
			return Unknown
		}
		if floor > tMax || floor == tMax && !exact {
			return No
		}
		if a := at.feasible(floor, exact, out); a != No {
			return a
		}
	}
	return No
}

// segments are rising times with the cubic's signs at them; the signs at 0 and 1 are those just
// inside. Between two neighbors of equal sign there is no root, and between two of different sign
// exactly one.
type segments struct {
	n    int
	at   [4]float64
	sign [4]int
}

func (c *segments) add(x float64, sign int) {
	c.at[c.n], c.sign[c.n] = x, sign
	c.n++
}

// segment cuts (0, 1) near the cubic's extrema. It proves that the segments have no more roots than
// their signs show, by Descartes' rule: on all of (0, 1) if every change of sign has its own
// segment, and otherwise on each segment (see monotone).
func (f *cubic) segment(at signs, changes int, c *segments) bool {
	first, last := 0, 3
	for f.signs[first] == 0 {
		first++
	}
	for f.signs[last] == 0 {
		last--
	}
	c.add(0, f.signs[first])
	if changes > 1 {
		a, h, g := 3*f.power[3], f.power[2], f.power[1]
		if d := float64(h*h) - float64(a*g); d > 0 {
			r := -(h + math.Copysign(math.Sqrt(d), h))
			x, y := r/a, g/r
			if x > y {
				x, y = y, x
			}
			for _, z := range [2]float64{x, y} {
				if !(z > c.at[c.n-1] && z < 1) {
					continue
				}
				s, ok := at.signAt(z)
				if !ok || s == 0 {
					return false
				}
				c.add(z, s)
			}
		}
	}
	c.add(1, f.signs[last])
	seen := 0
	for i := 1; i < c.n; i++ {
		if c.sign[i] != c.sign[i-1] {
			seen++
		}
	}
	return seen == changes || f.monotone(c)
}

// boundBlossom bounds the error of a Bernstein coefficient on a part of [0, 1], over the largest
// coefficient: 4 u for the conversion and the third, 5 u for each of three interpolations, and the
// rest for terms of second order.
const boundBlossom = 20 * 0x1p-53

// polar returns the polar form, whose values at (x, x, y) and the like are the Bernstein
// coefficients on [x, y].
func (f *cubic) polar(r, s, t float64) float64 {
	b := &f.bern
	mix := func(x, y, t float64) float64 { return x + float64(t*(y-x)) }
	x0, x1, x2 := mix(b[0], b[1], r), mix(b[1], b[2], r), mix(b[2], b[3], r)
	return mix(mix(x0, x1, s), mix(x1, x2, s), t)
}

// monotone reports whether floats prove that the Bernstein coefficients on each segment change
// their sign at most once.
func (f *cubic) monotone(c *segments) bool {
	b := &f.bern
	e := float64(boundBlossom*max(math.Abs(b[0]), math.Abs(b[1]), math.Abs(b[2]), math.Abs(b[3]))) + f.err
	for i := 1; i < c.n; i++ {
		x, y := c.at[i-1], c.at[i]
		changes, last := 0, c.sign[i-1]
		for _, v := range [2]float64{f.polar(x, x, y), f.polar(x, y, y)} {
			if !(v > e || v < -e) {
				return false
			}
			if (v > 0) != (last > 0) {
				changes++
				last = -last
			}
		}
		if c.sign[i] != last {
			changes++
		}
		if changes > 1 {
			return false
		}
	}
	return true
}

// bisect returns the largest double not above the only root of a polynomial in (lo, hi), and
// whether the root is that double. The polynomial has the sign low right of lo; power is its
// coefficients, roughly, and at returns its signs. ok is false if at does not know a sign.
func bisect(at signed, power *[4]float64, lo, hi float64, low int) (floor float64, exact, ok bool) {
	L, H := math.Float64bits(lo), math.Float64bits(hi)
	x := math.Float64bits(newton(power, lo, hi, low))
	for step := uint64(1); H-L > 1; {
		x = min(max(x, L+1), H-1)
		s, ok := at.signAt(math.Float64frombits(x))
		switch {
		case !ok:
			return 0, false, false
		case s == 0:
			return math.Float64frombits(x), true, true
		case s == low:
			L = x
			x += step
		default:
			H = x
			x -= min(step, x)
		}
		if step *= 2; x <= L || x >= H {
			x = L + (H-L)/2
		}
	}
	return math.Float64frombits(L), false, L > 0
}

// newton returns a double near the root in (lo, hi) of the polynomial with the coefficients f,
// which has the sign low right of lo. It uses Newton's method inside a shrinking bracket, without a
// bound on the error.
func newton(f *[4]float64, lo, hi float64, low int) float64 {
	x := lo + float64((hi-lo)/2)
	for range 80 {
		y := float64(float64(float64(float64(float64(f[3]*x)+f[2])*x)+f[1])*x) + f[0]
		dy := float64(float64(float64(3*f[3]*x)+float64(2*f[2]))*x) + f[1]
		if y == 0 {
			break
		}
		if (y > 0) == (low > 0) {
			lo = x
		} else {
			hi = x
		}
		z := x - y/dy
		if !(z > lo && z < hi) {
			z = lo + float64((hi-lo)/2)
		}
		if math.Abs(z-x) <= 0x1p-52*x {
			return z
		}
		x = z
	}
	return x
}
