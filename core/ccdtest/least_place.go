package ccdtest

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/reference/oracle"
)

// cross is the square of the length of a x b.
func (a ratVec) cross(b ratVec) *big.Rat {
	ab := a.dot(b)
	return new(big.Rat).Sub(new(big.Rat).Mul(a.dot(a), b.dot(b)), ab.Mul(ab, ab))
}

// pointsOf returns the points of a pair with the parameters u and v, whose vertices are at x.
func pointsOf(k geom.Kind, x []*big.Rat, u, v *big.Rat) (a, b ratVec) {
	at := func(i int) ratVec { return ratVec(x[3*i : 3*i+3]) }
	along := func(i, j int, s *big.Rat) ratVec { return at(i).plus(s, at(j).minus(at(i))) }
	switch k {
	case geom.VertexFace:
		return at(0), along(1, 2, u).plus(v, at(3).minus(at(1)))
	case geom.EdgeEdge:
		return along(0, 1, u), along(2, 3, v)
	case geom.PointEdge:
		return at(0), along(1, 2, u)
	}
	return at(0), at(1)
}

// CheckLeastPlace holds the place of a least distance to law D6, over rational numbers: the points
// lie on the surfaces of the primitives at these radii, at the time of the result, and the normal
// is along the difference of all nearest points.
func CheckLeastPlace(c *Case, r [2]float64, d *geom.LeastDistance) error {
	top := max(r[0], r[1])
	for _, x := range c.Q {
		top = max(top, math.Abs(x))
	}
	if !(d.Epsilon >= 0 && d.Epsilon <= float64(0x1p-43*top)+0x1p-1060) {
		return fmt.Errorf("%v, radii %v:\n%+v: law D6: epsilon", c, r, *d)
	}
	if err := checkPlace(c.Kind, positionsAt(c, d.T), r, d, 0x1p-47); err != nil {
		return fmt.Errorf("%v, radii %v:\n%+v: law D6: %w", c, r, *d, err)
	}
	return nil
}

// checkPlace holds the place of a distance to the positions x of its pair. The sine of the angle
// between the normal and the difference of the nearest points is at most slant.
func checkPlace(k geom.Kind, x []*big.Rat, r [2]float64, d *geom.LeastDistance, slant float64) error {
	a, b := pointsOf(k, x, ratOf(d.U), ratOf(d.V))
	pa, pb, n := ratVecOf(d.PointA), ratVecOf(d.PointB), ratVecOf(d.Normal)
	within := func(p, q ratVec, far float64) bool {
		most := ratOf(far)
		most.Add(most, ratOf(d.Epsilon)).Add(most, ratOf(0x1p-1060))
		e := p.minus(q)
		return e.dot(e).Cmp(most.Mul(most, most)) <= 0
	}
	if d.Hi == 0 {
		if d.PointA != d.PointB || !within(pa, a, r[0]) || !within(pb, b, r[1]) {
			return errors.New("the point in common")
		}
		return nil
	}
	if length := n.dot(n); length.Sub(length, big.NewRat(1, 1)).Abs(length).Cmp(ratOf(0x1p-47)) > 0 {
		return errors.New("the normal's length")
	}
	if !within(pa, a.plus(ratOf(-r[0]), n), 0) || !within(pb, b.plus(ratOf(r[1]), n), 0) {
		return errors.New("a point")
	}
	if slant >= 1 {
		return nil
	}
	truth := oracle.DistanceOf(k, x)
	na, nb := pointsOf(k, x, truth.U, truth.V)
	f := na.minus(nb)
	sine := new(big.Rat).Mul(squareOf(slant), f.dot(f))
	if n.dot(f).Sign() <= 0 || n.cross(f).Cmp(sine) > 0 {
		return errors.New("the normal's direction")
	}
	return nil
}

// CheckProfile holds the distances of a step of a mesh at times to law D7, over rational numbers:
// no pair's surfaces are nearer than the lower end, and those of the pair that it names are no
// farther apart than the upper one. Where an edge passes through a face the lower end is 0.
func CheckProfile(m *mesh.Mesh, x0, x1, times []float64, found []geom.LeastDistance) error {
	radii, top := m.Filter().Radii(), 0.0
	for i, x := range x0 {
		top = max(top, math.Abs(x)+math.Abs(x1[i]))
	}
	for i, t := range times {
		d, named := &found[i], found[i].Kind == geom.EdgeFace
		if d.T != t || !(d.Lo >= 0 && d.Lo <= d.Hi) || named && d.Lo != 0 {
			return fmt.Errorf("at %v: %+v", t, *d)
		}
		err := eachPair(m, func(k geom.Kind, a, b int, idx ...int32) error {
			c, shapes := Case{Kind: k, Q: motionOf(x0, x1, idx)}, k.Info().Shapes
			r := [2]float64{radii.Of(shapes[0], int32(a)), radii.Of(shapes[1], int32(b))}
			reach := func(x float64) *big.Rat {
				sum := ratOf(x)
				sum.Add(sum, ratOf(r[0])).Add(sum, ratOf(r[1]))
				return sum.Mul(sum, sum)
			}
			true2 := distanceAt(&c, t)
			if true2.Cmp(reach(d.Lo)) < 0 && d.Lo > 0 {
				return fmt.Errorf("%+v, but %v %d %d is nearer at %v: law D7", *d, k, a, b, t)
			}
			if k != d.Kind || int64(a) != d.A || int64(b) != d.B {
				return nil
			}
			if named = true; true2.Cmp(reach(d.Hi)) > 0 {
				return fmt.Errorf("%+v at %v: law D7: q = %v", *d, t, c.Q)
			}
			if wide := d.Hi - d.Lo; d.Lo > 0 && wide > float64(0x1p-22*(d.Hi+r[0]+r[1]))+float64(0x1p-48*top) {
				return fmt.Errorf("%+v at %v is %v wide: law D7", *d, t, wide)
			}
			return nil
		})
		if err == nil && !named {
			err = fmt.Errorf("%+v names no pair of the mesh", *d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
