package ccdtest

import (
	"fmt"
	"math"
	"math/big"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// distanceAt returns the squared distance of a case at a time, over rational numbers.
func distanceAt(c *Case, t float64) *big.Rat {
	return oracle.DistanceOf(c.Kind, positionsAt(c, t)).Squared
}

// positionsAt returns where the vertices of a case are at a time, over rational numbers.
func positionsAt(c *Case, t float64) []*big.Rat {
	n := 3 * c.Kind.Points()
	x := make([]*big.Rat, n)
	at := new(big.Rat).SetFloat64(t)
	for i := range x {
		from, to := new(big.Rat).SetFloat64(c.Q[i]), new(big.Rat).SetFloat64(c.Q[n+i])
		x[i] = from.Add(from, to.Sub(to, from).Mul(to, at))
	}
	return x
}

func squareOf(x float64) *big.Rat {
	r := new(big.Rat).SetFloat64(x)
	return r.Mul(r, r)
}

// CheckLeastDistance holds the least distance of a case to laws D1 to D4: rational distances at its
// time and at others, the oracle of contact, and, for the lower end, the oracle of a separation:
// the pair is nowhere within the lower end. The case passed Spans(0x1p120).
func CheckLeastDistance(c *Case, d *geom.LeastDistance) error {
	if err := CheckLeastAtTimes(c, d); err != nil {
		return err
	}
	touches := oracle.Contact(c.Kind, c.Q).Until(c.TMax)
	if (d.Hi == 0) != (touches.Verdict == geom.Contact) || d.Hi == 0 && (d.Lo != 0 || d.T != touches.TOILo) {
		return fmt.Errorf("%v:\n%+v: law D4", c, *d)
	}
	if below := math.Nextafter(d.Lo, 0); below > 0 && oracle.EuclideanSeparation(c.Kind, c.Q, below, c.TMax).Contact {
		return fmt.Errorf("%v:\n%+v: law D1", c, *d)
	}
	return nil
}

// CheckLeastAtTimes is the part of CheckLeastDistance that takes less than a millisecond: laws D2
// and D3, and D1 at some times.
func CheckLeastAtTimes(c *Case, d *geom.LeastDistance) error {
	n := len(c.Q) / 2
	size := narrow.Extent(c.Q[:n], c.Q[n:])
	broken := func(law string) error { return fmt.Errorf("%v:\n%+v: law %s", c, *d, law) }
	if !(d.Lo >= 0 && d.Lo <= d.Hi) || !(d.T >= 0 && d.T <= c.TMax) || !(d.Hi-d.Lo <= 1e-9*size) &&
		1e-9*size >= 1e-270 {
		return broken("D2")
	}
	if d.Hi > 0 && distanceAt(c, d.T).Cmp(squareOf(d.Hi)) > 0 {
		return broken("D3")
	}
	for i := range 9 {
		if t := c.TMax * float64(i) / 8; i == 0 || t > 0 {
			if distanceAt(c, t).Cmp(squareOf(d.Lo)) < 0 {
				return broken("D1, at a time")
			}
		}
	}
	if !(d.U >= 0 && d.V >= 0 && d.U <= 1 && d.V <= 1) || c.Kind == geom.VertexFace && d.U+d.V > 1 {
		return broken("D3, parameters")
	}
	return CheckLeastPlace(c, [2]float64{}, d)
}

// CheckLeastStep holds the least distance of a step of a mesh without contact to laws D1 to D3,
// over rational numbers: at some times no pair's surfaces are nearer than the lower end, and at its
// time the pair that it names is no farther apart than the upper one.
func CheckLeastStep(m *mesh.Mesh, x0, x1 []float64, tMax float64, d *geom.LeastDistance) error {
	if size := narrow.Extent(x0, x1); !(d.Lo >= 0 && d.Lo <= d.Hi && d.T >= 0 && d.T <= tMax) ||
		!(d.Hi-d.Lo <= 1e-9*size) && 1e-9*size >= 1e-270 {
		return fmt.Errorf("%+v of a scene of size %v: law D2", *d, size)
	}
	radii, named := m.Filter().Radii(), false
	err := eachPair(m, func(k geom.Kind, a, b int, idx ...int32) error {
		c, shapes := Case{Kind: k, Q: motionOf(x0, x1, idx)}, k.Info().Shapes
		// How far apart the primitives are, squared, where their surfaces are x apart.
		reach := func(x float64) *big.Rat {
			sum := new(big.Rat).SetFloat64(x)
			for i, of := range [2]int{a, b} {
				sum.Add(sum, new(big.Rat).SetFloat64(radii.Of(shapes[i], int32(of))))
			}
			return sum.Mul(sum, sum)
		}
		for _, t := range [...]float64{0, d.T, 0.5 * tMax, tMax} {
			if distanceAt(&c, t).Cmp(reach(d.Lo)) < 0 {
				return fmt.Errorf("%+v, but %v %d %d is nearer at %v: law D1: q = %v", *d, k, a, b, t, c.Q)
			}
		}
		if k == d.Kind && int64(a) == d.A && int64(b) == d.B {
			if named = true; distanceAt(&c, d.T).Cmp(reach(d.Hi)) > 0 {
				return fmt.Errorf("%+v: law D3: q = %v", *d, c.Q)
			}
			return CheckLeastPlace(&c, [2]float64{radii.Of(shapes[0], int32(a)), radii.Of(shapes[1], int32(b))}, d)
		}
		return nil
	})
	if err == nil && !named {
		err = fmt.Errorf("%+v names no pair of the mesh", *d)
	}
	return err
}
