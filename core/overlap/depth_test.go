package overlap

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// checkDepth compares a depth with distances over rational numbers, by oracle.Distance.
func checkDepth(t *testing.T, tri []bvh.Triangle, s *contain.Solid, p [3]float64) Depth {
	t.Helper()
	var c engine.Call
	if err := c.Begin(&engine.CallOptions{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	out := make([]Depth, 1)
	if err := Depths(&c, s, out, func(int) contain.Point { return contain.Point{At: p} }); err != nil {
		t.Fatal(err)
	}
	d := out[0]
	var least *big.Rat
	squares := make([]*big.Rat, len(tri))
	for i, x := range tri {
		q := append([]float64{}, p[:]...)
		for _, c := range x {
			q = append(q, c.X, c.Y, c.Z)
		}
		squares[i] = oracle.Distance(geom.VertexFace, q).Squared
		if least == nil || squares[i].Cmp(least) < 0 {
			least = squares[i]
		}
	}
	lo, hi := new(big.Rat).SetFloat64(d.Lo), new(big.Rat).SetFloat64(d.Hi)
	if lo.Mul(lo, lo).Cmp(least) > 0 || hi.Mul(hi, hi).Cmp(least) < 0 {
		x, _ := least.Float64()
		t.Fatalf("%v, want %g: %v in %v", d, math.Sqrt(x), p, tri)
	}
	if on := least.Sign() == 0; on != (d.Lo == 0 && d.Hi == 0) || on != (d.Winding == contain.OnSurface) ||
		on != (d.State == OnIt) || d.Hi < d.Lo ||
		d.Hi-d.Lo > sharpness*d.Hi && d.Hi > math.Nextafter(d.Lo, math.Inf(1)) { // Denormals are coarse.
		t.Fatalf("%v, on it %v: %v in %v", d, on, p, tri)
	}
	w, place := s.Winding(&contain.Point{At: p})
	if place == contain.Off && w != d.Winding {
		t.Fatalf("%v, want winding number %d", d, w)
	}
	if d.State == Defined {
		// One point is nearest: others are on triangles that touch there.
		for i := range tri {
			if squares[i].Cmp(least) != 0 {
				continue
			}
			q := append([]float64{}, p[:]...)
			for _, c := range tri[i] {
				q = append(q, c.X, c.Y, c.Z)
			}
			n := oracle.Distance(geom.VertexFace, q)
			u, _ := n.U.Float64()
			v, _ := n.V.Float64()
			x := contain.Triangle{{q[3], q[4], q[5]}, {q[6], q[7], q[8]}, {q[9], q[10], q[11]}}
			at := on(&x, u, v)
			size := 0.0 // The parameters are rounded, on both faces.
			for _, y := range q {
				size = max(size, math.Abs(y))
			}
			for _, c := range tri[d.Face] {
				size = max(size, math.Abs(c.X), math.Abs(c.Y), math.Abs(c.Z))
			}
			for k := range at {
				if math.Abs(at[k]-d.At[k]) > 1e-5*d.Hi+1e-15*size {
					t.Fatalf("%v, but %v is as near: %v in %v", d, at, p, tri)
				}
			}
		}
		if m := geom.Dot3(&d.Normal, &d.Normal); math.Abs(m-1) > 1e-14 {
			t.Fatalf("%v: the normal has length %v", d, math.Sqrt(m))
		}
	} else if d.Normal != (geom.Vec{}) {
		t.Fatalf("%v has a normal", d)
	}
	return d
}

// TestDepthLaw4 compares depths of points on a lattice, near surfaces and anywhere.
func TestDepthLaw4(t *testing.T) {
	r := ccdtest.NewRand(63, 1)
	count := map[State]int{}
	inside := 0
	trials := long.Part(150, 4)
	for range trials {
		tri, other := pairOfSolids(r)
		s := solidOf(t, tri)
		for range 6 {
			p := vec(other[r.IntN(len(other))][r.IntN(3)])
			x, y := tri[r.IntN(len(tri))], tri[r.IntN(len(tri))]
			switch r.IntN(4) {
			case 0:
				p = vec(geom.Scale(0.5, r3.Add(x[0], y[1])))
			case 1:
				p = vec(geom.Scale(0.25, r3.Add(r3.Add(x[0], x[1]), geom.Scale(2, x[2]))))
			case 2:
				p = vec(x[0])
				p[r.IntN(3)] *= 1 + 0x1p-50
			}
			d := checkDepth(t, tri, s, p)
			count[d.State]++
			if d.Winding == 1 {
				inside++
			}
		}
	}
	if count[Defined] < trials || count[Tie] < trials/10 || count[OnIt] < trials/2 || inside < trials/5 {
		t.Fatalf("states %v, %d inside", count, inside)
	}
}

// TestDepthDerivative: where it is defined, the normal is the difference quotient of the distance.
func TestDepthDerivative(t *testing.T) {
	r := ccdtest.NewRand(63, 2)
	tri := ball(8, r3.Vec{X: 0.1}, 1)
	s := solidOf(t, tri)
	tried := 0
	for range 200 {
		p := geom.Vec{2*r.Float64() - 1, 2*r.Float64() - 1, 2*r.Float64() - 1}
		d := depth(s, &contain.Point{At: p})
		if d.State != Defined {
			continue
		}
		const step = 1e-6
		for k := range p {
			q := p
			q[k] += step
			e := depth(s, &contain.Point{At: q})
			q[k] -= 2 * step
			f := depth(s, &contain.Point{At: q})
			if e.Face != d.Face || f.Face != d.Face {
				continue
			}
			if slope := (e.Hi - f.Hi) / (2 * step); math.Abs(slope-d.Normal[k]) > 1e-5 {
				t.Fatalf("%v: %v by axis %d, in %v", d, slope, k, p)
			}
			tried++
		}
	}
	if tried < 300 {
		t.Fatalf("%d tried", tried)
	}
}

// TestDepthOfUncertainPoints: the bracket holds for all points within the error.
func TestDepthOfUncertainPoints(t *testing.T) {
	r := ccdtest.NewRand(63, 3)
	unknown := 0
	for range long.Part(300, 2) {
		tri, _ := pairOfSolids(r)
		s := solidOf(t, tri)
		p := vec(geom.Scale(0.5, r3.Add(tri[r.IntN(len(tri))][0], tri[r.IntN(len(tri))][1])))
		size := max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2]))
		e := size * math.Ldexp(1, -r.IntN(40))
		off := p
		for k := range off {
			off[k] += (2*r.Float64() - 1) * e * 0.99
		}
		want := depth(s, &contain.Point{At: p})
		got := depth(s, &contain.Point{At: off, Err: e})
		if got.Lo > want.Hi || got.Hi < want.Lo {
			t.Fatalf("%v within %g, %v exactly: %v in %v", got, e, want, p, tri)
		}
		if got.Winding == contain.UnknownWinding {
			unknown++
		} else if got.Winding != want.Winding {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	if unknown < 20 {
		t.Fatalf("%d unknown", unknown)
	}
}

func vec(p r3.Vec) geom.Vec { return geom.Vec{p.X, p.Y, p.Z} }
