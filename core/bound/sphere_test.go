package bound

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// inside tells, in rational arithmetic, whether p lies in the ball.
func inside(s Sphere, p r3.Vec) bool {
	sum := new(big.Rat)
	for _, d := range [][2]float64{{p.X, s.Center.X}, {p.Y, s.Center.Y}, {p.Z, s.Center.Z}} {
		x := new(big.Rat).Sub(new(big.Rat).SetFloat64(d[0]), new(big.Rat).SetFloat64(d[1]))
		sum.Add(sum, x.Mul(x, x))
	}
	r := new(big.Rat).SetFloat64(s.Radius)
	return sum.Cmp(r.Mul(r, r)) <= 0
}

func TestSpheresEnclose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 300 {
		points := make([]r3.Vec, 1+r.IntN(9+n%2*40))
		scale := math.Ldexp(1, []int{0, 30, -30, 150, -150}[n%5])
		for i := range points {
			points[i] = r3.Scale(scale, r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
			switch n / 5 % 4 {
			case 1:
				points[i].Z = points[0].Z // a plane
			case 2:
				// A line, repeated.
				points[i] = r3.Add(points[0], r3.Scale(float64(r.IntN(3)), r3.Vec{X: scale, Y: 2 * scale}))
			case 3:
				points[i] = r3.Scale(scale, r3.Unit(points[i])) // all on one sphere
			}
		}
		s := Enclose(points)
		for _, p := range points {
			if !inside(s, p) {
				t.Fatalf("%+v leaves %v out", s, p)
			}
		}
		if least := smallest(points[:min(len(points), 9)]); len(points) <= 9 && s.Radius > least*(1+1e-9) {
			t.Fatalf("radius %v of %d points, %v would do", s.Radius, len(points), least)
		}
	}
}

// smallest is the least radius by brute force: of the spheres through at most four of the points,
// those that hold all.
func smallest(p []r3.Vec) float64 {
	least := math.Inf(1)
	for set := 1; set < 1<<len(p); set++ {
		var chosen []r3.Vec
		for i := range p {
			if set>>i&1 == 1 {
				chosen = append(chosen, p[i])
			}
		}
		if len(chosen) > 4 {
			continue
		}
		if c, ok := circumcenter(chosen); ok {
			least = min(least, Reach(p, c))
		}
	}
	return least
}

func TestKnownSpheres(t *testing.T) {
	for _, c := range []struct {
		points []r3.Vec
		radius float64
	}{
		{[]r3.Vec{{X: 3}}, 0},
		{[]r3.Vec{{X: -1}, {X: 1}, {Y: 0.5}}, 1},
		{[]r3.Vec{{X: 1, Y: 1, Z: 1}, {X: 1, Y: -1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: -1, Y: -1, Z: 1}, {}},
			math.Sqrt(3)},
		{[]r3.Vec{{}, {X: 2}, {X: 1, Y: math.Sqrt(3)}}, 2 / math.Sqrt(3)},
	} {
		if s := Enclose(c.points); math.Abs(s.Radius-c.radius) > 1e-12 {
			t.Errorf("%v: radius %v, not %v", c.points, s.Radius, c.radius)
		}
	}
	if s := Enclose(nil); s.Radius != 0 {
		t.Errorf("nothing: %+v", s)
	}
}
