package ccdtest

import (
	"math"
	"math/rand/v2"

	"ccd/core/exact/curved"
	"ccd/core/geom"
)

// MotionFamily makes queries of points that move on polynomials in t, mostly degenerate ones.
type MotionFamily struct {
	Name string
	Make func(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery
}

// MotionFamilies are all of them.
var MotionFamilies = []MotionFamily{
	{"grid", motionGrid},
	{"planar", motionPlanar},
	{"line", motionLine},
	{"timed", motionTimed},
	{"still", motionStill},
	{"touching", motionTouching},
	{"nearly", motionNearly},
	{"floats", motionFloats},
	{"pieces", nil},
	{"resting", motionResting},
	{"thin", motionThin},
}

// ofPieces is the number of the family of pieces, which draws from those before it.
const ofPieces = 8

// motionGrid has control points on a small grid: most of them share planes, lines and points.
func motionGrid(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	q := curved.MotionQuery{Kind: kind, Degree: degree, T1: 1, Control: make([]float64, 3*(degree+1)*kind.Points())}
	for i := range q.Control {
		q.Control[i] = float64(rng.IntN(7) - 3)
	}
	q.Separation = [...]float64{0.5, 1, 0.25, 1.25}[rng.IntN(4)]
	return q
}

// motionPlanar moves within a plane.
func motionPlanar(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	q := motionGrid(rng, kind, degree)
	for i := rng.IntN(3); i < len(q.Control); i += 3 {
		q.Control[i] = 1
	}
	return q
}

// motionLine moves along a line through grid points.
func motionLine(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	q := motionGrid(rng, kind, degree)
	d := [3]float64{float64(rng.IntN(3)), float64(rng.IntN(3)), 1}
	for i := 0; i < len(q.Control); i += 3 {
		at := float64(rng.IntN(9) - 4)
		for k := range 3 {
			q.Control[i+k] = at * d[k]
		}
	}
	return q
}

// timed are the points x0 + phi(t) (x1 - x0) of a linear motion whose time is a polynomial phi with
// these Bernstein coefficients.
func timed(rng *rand.Rand, kind geom.Kind, degree int, phi []float64) curved.MotionQuery {
	n := 3 * kind.Points()
	q := curved.MotionQuery{Kind: kind, Degree: degree, T1: 1, Separation: 0.5, Control: make([]float64, (degree+1)*n)}
	for i := range n {
		x0, x1 := float64(rng.IntN(7)-3), float64(rng.IntN(7)-3)
		for l := range degree + 1 {
			q.Control[n*l+i] = x0 + phi[l]*(x1-x0)
		}
	}
	return q
}

// motionTimed returns on its way, or rests for a while: contacts are multiple roots and tangential
// ones.
func motionTimed(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	phi := make([]float64, degree+1)
	for l := range phi {
		phi[l] = float64(rng.IntN(9)-2) / 4
	}
	return timed(rng, kind, degree, phi)
}

// motionStill has some points that do not move.
func motionStill(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	q := motionGrid(rng, kind, degree)
	n := 3 * kind.Points()
	for i := range kind.Points() {
		if rng.IntN(2) == 0 {
			for l := 1; l <= degree; l++ {
				copy(q.Control[n*l+3*i:n*l+3*i+3], q.Control[3*i:3*i+3])
			}
		}
	}
	return q
}

// motionTouching has a first contact at a double, or at an end of a primitive: the first point
// passes through another one, moved by the separation along an axis half the time.
func motionTouching(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	q := motionGrid(rng, kind, degree)
	n := 3 * kind.Points()
	other := kind.Info().Split
	shift := 0.0
	if rng.IntN(2) == 0 {
		shift = q.Separation
	}
	// (a - b)(t) = (2t - 1) w(t) + shift e, w of degree k-1 with Bernstein coefficients on a grid:
	// it vanishes at 1/2.
	axis := rng.IntN(3)
	for k := range 3 {
		w := make([]float64, degree)
		for l := range w {
			w[l] = float64(degree * (rng.IntN(5) - 2))
		}
		for l := range degree + 1 {
			// (2t - 1) has the coefficients -1 and 1: the product's are (l w[l-1] - (degree - l)
			// w[l]) / degree.
			x := 0.0
			if l > 0 {
				x += float64(l) * w[l-1] / float64(degree)
			}
			if l < degree {
				x -= float64(degree-l) * w[l] / float64(degree)
			}
			if k == axis {
				x += shift
			}
			q.Control[n*l+k] = q.Control[n*l+3*other+k] + x
		}
	}
	return q
}

// motionNearly is a touching or timed query with one coordinate moved by a few units in the last
// place.
func motionNearly(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	q := motionTouching(rng, kind, degree)
	if rng.IntN(2) == 0 {
		q = motionTimed(rng, kind, degree)
	}
	i := rng.IntN(len(q.Control))
	q.Control[i] += math.Ldexp(float64(rng.IntN(9)-4), -20-rng.IntN(33))
	return q
}

// motionFloats has coordinates of 53 bits.
func motionFloats(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	q := motionGrid(rng, kind, degree)
	for i := range q.Control {
		q.Control[i] = rng.Float64() - 0.5
	}
	q.Separation = 0.1 * rng.Float64()
	return q
}

// bent are the paths of a case whose points leave the line by up to bow, all of the first primitive
// alike.
func bent(rng *rand.Rand, c *Case, degree int, bow float64, way *[3]float64) curved.MotionQuery {
	n := 3 * c.Kind.Points()
	q := curved.MotionQuery{Kind: c.Kind, Degree: degree, T1: 1, Separation: c.D,
		Control: make([]float64, (degree+1)*n)}
	for l := range degree + 1 {
		t, aside := float64(l)/float64(degree), 0.0
		if l > 0 && l < degree {
			aside = bow * (2*rng.Float64() - 1)
		}
		for i := range n {
			x := c.Q[i] + float64(t*(c.Q[n+i]-c.Q[i]))
			if i < 3*c.Kind.Info().Split {
				x += float64(aside * way[i%3])
			}
			q.Control[l*n+i] = x
		}
	}
	return q
}

// motionResting is a flat pair at exactly the separation, or a unit in the last place beside, that
// slides on a curve, in a plane of coordinates or nearly in another one.
func motionResting(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	fam, _ := FamilyNamed("resting")
	c := fam.Make(rng, kind, true)
	n := 3 * kind.Points()
	way := [3]float64{}
	// Along an edge of the second primitive, or what there is of one: so it stays in the plane but
	// for rounding.
	for k := range way {
		way[k] = c.Q[n-3+k] - c.Q[n-6+k]
	}
	return bent(rng, &c, degree, rng.Float64(), &way)
}

// motionThin are slivers and nearly parallel edges on curves.
func motionThin(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	fam, _ := FamilyNamed([...]string{"sliver", "nearly parallel"}[rng.IntN(2)])
	c := fam.Make(rng, kind, true)
	way := [3]float64{2*rng.Float64() - 1, 2*rng.Float64() - 1, 2*rng.Float64() - 1}
	return bent(rng, &c, degree, logUniform(rng, 1e-12, 1), &way)
}

// motionPieces is any of them on a part of the step.
func motionPieces(rng *rand.Rand, kind geom.Kind, degree int) curved.MotionQuery {
	q := MotionFamilies[rng.IntN(ofPieces)].Make(rng, kind, degree)
	switch rng.IntN(3) {
	case 0:
		q.T0, q.T1 = 0.25, 0.5
	case 1:
		q.T0, q.T1 = 0.1, 0.7
	default:
		q.T0 = rng.Float64() * 0.9
		q.T1 = q.T0 + (1-q.T0)*rng.Float64()
		if !(q.T1 > q.T0) {
			q.T1 = 1
		}
	}
	return q
}

func init() {
	// motionPieces draws from the table that lists it.
	MotionFamilies[ofPieces].Make = motionPieces
}
