package hull

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// onGrid returns points with small integers as coordinates, many of them in common planes.
func onGrid(rng *rand.Rand, n, size int) []r3.Vec {
	p := make([]r3.Vec, n)
	for i := range p {
		p[i] = r3.Vec{X: float64(rng.IntN(size)), Y: float64(rng.IntN(size)), Z: float64(rng.IntN(size))}
	}
	return p
}

// behind returns 6 times the volume of a tetrahedron in integers: it is above 0 if d is beyond the
// plane of a, b and c.
func behind(a, b, c, d r3.Vec) *big.Int {
	row := func(p r3.Vec) (v [3]*big.Int) {
		for k, x := range geom.Components(r3.Sub(p, a)) {
			v[k] = big.NewInt(int64(x))
		}
		return v
	}
	u, v, w := row(b), row(c), row(d)
	sum := new(big.Int)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		minor := new(big.Int).Mul(u[i], v[j])
		minor.Sub(minor, new(big.Int).Mul(u[j], v[i]))
		sum.Add(sum, minor.Mul(minor, w[k]))
	}
	return sum
}

// The triangles of a hull are closed, no point is beyond one of them, and Bounds says that they are
// the surface of the hull; without one of them, or with a dent, they are not.
func TestHullBoundsItsPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	solids := 0
	for range 300 {
		p := onGrid(rng, 4+rng.IntN(40), 2+rng.IntN(6))
		faces, solid := Of(p)
		if !solid {
			if !Covers(p, faces, faces) {
				t.Fatalf("%v: %v do not cover the hull", p, faces)
			}
			continue
		}
		solids++
		edges := map[[2]int32]int{}
		for _, f := range faces {
			for k := range 3 {
				edges[[2]int32{f[k], f[(k+1)%3]}]++
			}
			for _, q := range p {
				if behind(p[f[0]], p[f[1]], p[f[2]], q).Sign() > 0 {
					t.Fatalf("%v is beyond the face %v of the hull of %v", q, f, p)
				}
			}
		}
		for e, n := range edges {
			if n != 1 || edges[[2]int32{e[1], e[0]}] != 1 {
				t.Fatalf("edge %v of the hull of %v: %d and %d times", e, p, n, edges[[2]int32{e[1], e[0]}])
			}
		}
		if !Bounds(p, faces, faces) {
			t.Fatalf("%v do not bound the hull of %v", faces, p)
		}
		// The middle of all points takes the place of a corner: a dent.
		middle := r3.Vec{}
		for _, q := range p {
			middle = r3.Add(middle, r3.Scale(1/float64(len(p)), q))
		}
		dented, at := append(p[:len(p):len(p)], middle), int32(len(p))
		dent := slices.Clone(faces[1:])
		for k := range 3 {
			dent = append(dent, [3]int32{faces[0][k], faces[0][(k+1)%3], at})
		}
		if own, _ := Of(dented); Bounds(dented, dent, own) {
			t.Fatalf("a surface with a dent bounds the hull of %v", p)
		}
	}
	if solids < 200 {
		t.Errorf("only %d of 300 hulls are solid", solids)
	}
}

// The depth of two boxes along an axis is how far they overlap there, where this is the least.
func TestDepthOfBoxes(t *testing.T) {
	box := func(from, to r3.Vec) (p []r3.Vec) {
		for i := range 8 {
			x := from
			for k, v := range []*float64{&x.X, &x.Y, &x.Z} {
				if i>>k&1 == 1 {
					*v = geom.Components(to)[k]
				}
			}
			p = append(p, x)
		}
		return p
	}
	unit := box(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1})
	for _, shift := range []float64{0.25, 0.5, 0.9375, 1.5} {
		d := Differences{A: unit, B: box(r3.Vec{X: shift}, r3.Vec{X: shift + 1, Y: 1, Z: 1})}
		got := d.Measure(math.Inf(1), 0, 0x1p-40)
		if want := 1 - shift; !(got.Lo <= want && want <= got.Hi && got.Hi-got.Lo < 0x1p-30) {
			t.Errorf("shifted by %v: the depth is %v in [%v, %v]", shift, want, got.Lo, got.Hi)
		}
		if got.N.X < 1-0x1p-30 {
			t.Errorf("shifted by %v: along %v", shift, got.N)
		}
	}
}
