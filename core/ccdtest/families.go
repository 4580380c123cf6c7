package ccdtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// Case is one query with the options that belong to its truth.
type Case struct {
	Family string
	Kind   geom.Kind
	Q      []float64 // Kind.Len() doubles
	D      float64   // minimum separation
	Delta  float64   // tolerance, in keeping with the query's size
	TMax   float64
}

// Options are the default ones with this case's separation, tolerance and t_max.
func (c *Case) Options() narrow.Options {
	o := narrow.DefaultOptions()
	o.MinSeparation, o.Tolerance, o.TMax = c.D, c.Delta, c.TMax
	return o
}

func (c *Case) String() string {
	return fmt.Sprintf("%s, %v, d = %v, delta = %v, t_max = %v, q = %v", c.Family, c.Kind, c.D, c.Delta, c.TMax, c.Q)
}

// Family makes queries of one sort, for all four kinds, with and without separation.
type Family struct {
	Name  string
	About string
	// Exponents is set where coordinates reach magnitudes at which products of doubles underflow or
	// overflow.
	Exponents bool
	make      func(r *rand.Rand, k geom.Kind, f *frames, d *float64)
}

// Families are all the sorts of query, in a fixed order: append new ones at the end and old seeds
// keep their meaning.
var Families = []Family{
	{Name: "generic", About: "random points, half of them sent to meet", make: generic},
	{Name: "meshlike", About: "close primitives with small motions, as a simulator's candidates", make: meshlike},
	{Name: "integers", About: "coordinates from -2 to 2: every degeneracy at once", make: smallIntegers},
	{Name: "dyadic", About: "exact contact at dyadic t, u, v", make: dyadic},
	{Name: "shared", About: "coincident points: zero-length edges, zero-area faces, shared vertices", make: shared},
	{Name: "parallel", About: "near-parallel edges and near-degenerate faces", make: parallel},
	{Name: "coplanar", About: "all motion in one plane", make: coplanar},
	{Name: "static", About: "no motion, touching or nearly so", make: static},
	{Name: "translation", About: "a small relative motion under a fast common translation", make: translation},
	{Name: "scaled", About: "one power of ten for all coordinates, 1e-300 to 1e140", Exponents: true, make: scaled},
	{Name: "wild", About: "each coordinate its own exponent", Exponents: true, make: wild},
	{Name: "offset", About: "far from the origin", make: offset},
	{Name: "grazing", About: "contact at one instant only, a double root", make: grazing},
	{Name: "ends", About: "contact at exactly t = 0 or t = 1, or one unit in the last place beside", make: ends},
	{Name: "threshold", About: "the distance passes, or touches, exactly d", make: threshold},
	{Name: "aligned", About: "edges and motions along the axes", make: aligned},
	{Name: "parting", About: "nearer than d at the start, and going apart", Exponents: true, make: parting},
	{Name: "sliver", About: "points near one line: faces 1e-16 to 1e-6 wide, edges along each other", make: sliver},
	{Name: "nearly parallel",
		About: "primitives that slide or pass at a gap of 1e-10 to 1e-5, 1e-16 to 1e-6 rad from parallel",
		make:  nearlyParallel},
	{Name: "resting", About: "flat primitives at exactly d, or a unit in the last place beside, at rest or sliding",
		make: resting},
}

// FamilyNamed finds a family.
func FamilyNamed(name string) (Family, bool) {
	for _, f := range Families {
		if f.Name == name {
			return f, true
		}
	}
	return Family{}, false
}

// NewRand is the source of all randomness here: the same seed and stream give the same queries on
// every machine.
func NewRand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// Make draws a case. Without separation D is 0. TMax is 1 three times in four.
func (fam Family) Make(r *rand.Rand, k geom.Kind, separation bool) Case {
	var f frames
	d := separationFor(r)
	fam.make(r, k, &f, &d)
	f.turn(r)
	c := Case{Family: fam.Name, Kind: k, Q: make([]float64, k.Len()), TMax: 1}
	f.store(k, c.Q)
	for i, x := range c.Q {
		c.Q[i] = max(-geom.MaxCoordinate, min(geom.MaxCoordinate, x))
	}
	if separation {
		c.D = min(d, geom.MaxCoordinate)
	}
	c.Delta = 1e-6
	if fam.Exponents {
		size := 0.0
		for _, x := range c.Q {
			size = max(size, math.Abs(x))
		}
		c.Delta = max(1e-6*size, 1e-300)
	}
	if r.IntN(4) == 0 {
		c.TMax = [...]float64{0, 0.25, 0.5, 0.75, r.Float64(), math.Nextafter(0.5, 0), r.Float64() * 1e-9, 1}[r.IntN(8)]
	}
	return c
}

// separationFor draws a separation for coordinates of the order of one.
func separationFor(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return logUniform(r, 1e-12, 1e-3)
	case 1:
		return math.Ldexp(1, -r.IntN(30))
	case 2:
		return r.Float64()
	}
	return logUniform(r, 1e-3, 0.1)
}
