package overlap

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/status"
)

func solidOf(t *testing.T, tri []bvh.Triangle) *contain.Solid {
	t.Helper()
	s := contain.New(tri, 1)
	if err := s.Closed(); err != nil {
		t.Fatal(err)
	}
	return s
}

func measured(t *testing.T, a, b []bvh.Triangle, o *Options, threads int) (Common, error) {
	t.Helper()
	var c engine.Call
	if err := c.Begin(&engine.CallOptions{Threads: threads}); err != nil {
		t.Fatal(err)
	}
	x, y := solidOf(t, a), solidOf(t, b)
	one := contain.Identity()
	return Measure(&c, x, y, &one, &one, Volume(x), Volume(y), o, Whole)
}

// holds reports whether a bracket holds a rational number.
func holds(v Bracket, x *big.Rat) bool {
	lo, hi := new(big.Rat), new(big.Rat)
	if lo.SetFloat64(v.Lo) == nil || hi.SetFloat64(v.Hi) == nil {
		return false
	}
	return lo.Cmp(x) <= 0 && x.Cmp(hi) <= 0
}

// TestOverlapLaws1And2 compares brackets with volumes over rational numbers, of pairs that touch,
// share faces, are equal, or thin: they hold it, are as narrow as the tolerance, and are 0 where
// the volume is.
func TestOverlapLaws1And2(t *testing.T) {
	r := ccdtest.NewRand(61, 1)
	zero, equal, positive, shut := 0, 0, 0, 0
	trials := long.Part(400, 10)
	for range trials {
		a, b := pairOfSolids(r)
		want := trueCommon(a, b)
		tolerance := []float64{0, 1e-3, 1e-10, LeastTolerance}[r.IntN(4)]
		got, err := measured(t, a, b, &Options{Tolerance: tolerance}, 1)
		if err != nil {
			t.Fatalf("%v: %v and %v", err, a, b)
		}
		x, _ := want.Float64()
		if !holds(got.Volume, want) || got.Flags != 0 {
			t.Fatalf("%v, flags %d, want %g: %v and %v", got.Volume, got.Flags, x, a, b)
		}
		if tolerance == 0 {
			tolerance = DefaultTolerance
		}
		most := float64(tolerance*got.Volume.Hi*(1+1e-3)) + 2*math.SmallestNonzeroFloat64
		if got.Volume.Hi-got.Volume.Lo > most {
			t.Fatalf("%v is wider than %g: %v and %v", got.Volume, tolerance, a, b)
		}
		if want.Sign() == 0 {
			zero++
			if got.Volume != (Bracket{}) {
				t.Fatalf("%v, want 0: %v and %v", got.Volume, a, b)
			}
			if got.Containment == contain.Crossing {
				shut++
			}
			continue
		}
		positive++
		if va := trueVolume(a); va.Cmp(want) == 0 {
			equal++
		}
	}
	if zero < trials/20 || shut < trials/40 || equal < trials/40 || positive < trials/4 {
		t.Fatalf("%d are 0, %d of which touch, %d are all of a body, %d positive", zero, shut, equal, positive)
	}
}

// TestVolumeLaw3 compares volumes of single surfaces.
func TestVolumeLaw3(t *testing.T) {
	r := ccdtest.NewRand(61, 2)
	for range long.Part(400, 4) {
		a, b := pairOfSolids(r)
		if r.IntN(3) == 0 {
			a = inverted(a)
		}
		a = append(a, b...)
		want := trueVolume(a)
		got := Volume(solidOf(t, a))
		x, _ := want.Float64()
		size := 0.0
		for _, part := range [2][]bvh.Triangle{a[:len(a)-len(b)], b} {
			y, _ := trueVolume(part).Float64()
			size += math.Abs(y)
		}
		if !holds(got, want) || got.Hi-got.Lo > 1e-12*size+math.Abs(x)*0x1p-50 {
			t.Fatalf("%v, want %g: %v", got, x, a)
		}
	}
}

// TestShells: overlapping parts are refused where they matter, or counted by their winding numbers.
func TestShells(t *testing.T) {
	one := boxTriangles(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1})
	half := boxTriangles(r3.Vec{X: 0.5}, r3.Vec{X: 1.5, Y: 1, Z: 1})
	far := boxTriangles(r3.Vec{X: 1.25}, r3.Vec{X: 3, Y: 1, Z: 1})
	two := append(append([]bvh.Triangle{}, one...), half...)
	_, err := measured(t, two, one, &Options{}, 1)
	if !errors.Is(err, status.ErrArgument) || !strings.HasPrefix(err.Error(), "a: where both bodies' boxes overlap") {
		t.Fatal(err)
	}
	if _, err = measured(t, one, two, &Options{}, 1); !errors.Is(err, status.ErrArgument) || err.Error()[0] != 'b' {
		t.Fatal(err)
	}
	got, err := measured(t, two, one, &Options{Shells: Count}, 1)
	if err != nil || !holds(got.Volume, big.NewRat(3, 2)) || got.Volume.Hi > 1.5+1e-6 {
		t.Fatal(got, err) // 1 of the first box, 1/2 of the second
	}
	if got, err = measured(t, two, far, &Options{}, 1); err != nil || !holds(got.Volume, big.NewRat(1, 4)) {
		t.Fatal(got, err) // Its parts overlap elsewhere.
	}
	_, err = measured(t, inverted(one), half, &Options{}, 1)
	if !errors.Is(err, status.ErrArgument) || !strings.Contains(err.Error(), "a: its volume is -1: the faces") {
		t.Fatal(err)
	}
	if got, err = measured(t, inverted(one), half, &Options{Shells: Count}, 1); err != nil ||
		!holds(got.Volume, big.NewRat(-1, 2)) {
		t.Fatal(got, err)
	}
}

// TestOverlapLaw5SameBits: neither threads nor the order of triangles nor where a triangle begins
// matter to whether results are right, and threads change no bit.
func TestOverlapLaw5SameBits(t *testing.T) {
	a := ball(12, r3.Vec{}, 1)
	b := ball(9, r3.Vec{X: 0.7, Y: 0.3, Z: 0.1}, 0.8)
	want, err := measured(t, a, b, &Options{}, 1)
	if err != nil || want.Flags != 0 {
		t.Fatal(want, err)
	}
	for _, threads := range []int{2, 7} {
		if got, err := measured(t, a, b, &Options{}, threads); err != nil || got != want {
			t.Fatal(got, want, err)
		}
	}
	if other, err := measured(t, b, a, &Options{}, 1); err != nil || other.Volume.Lo > want.Volume.Hi ||
		other.Volume.Hi < want.Volume.Lo {
		t.Fatal(other, want, err)
	}
}

// ball returns the triangles of a sphere with 2 n (n - 1) of them.
func ball(n int, center r3.Vec, radius float64) (out []bvh.Triangle) {
	at := func(i, j int) r3.Vec {
		t, p := math.Pi*float64(i)/float64(n), 2*math.Pi*float64(j%n)/float64(n)
		s := math.Sin(t)
		if i == n {
			s = 0
		}
		return r3.Vec{
			X: center.X + radius*s*math.Cos(p), Y: center.Y + radius*s*math.Sin(p), Z: center.Z + radius*math.Cos(t),
		}
	}
	for i := range n {
		for j := range n {
			if i > 0 {
				out = append(out, bvh.Triangle{at(i, j), at(i+1, j), at(i, j+1)})
			}
			if i < n-1 {
				out = append(out, bvh.Triangle{at(i+1, j), at(i+1, j+1), at(i, j+1)})
			}
		}
	}
	return out
}

func BenchmarkMeasure(b *testing.B) {
	for _, n := range []int{20, 50} {
		x, y := contain.New(ball(n, r3.Vec{}, 1), 2), contain.New(ball(n, r3.Vec{X: 0.7, Y: 0.3, Z: 0.1}, 0.8), 2)
		one := contain.Identity()
		b.Run(fmt.Sprint(2*n*(n-1)), func(b *testing.B) {
			for range b.N {
				var c engine.Call
				if err := c.Begin(&engine.CallOptions{Threads: 1}); err != nil {
					b.Fatal(err)
				}
				got, err := Measure(&c, x, y, &one, &one, Volume(x), Volume(y), &Options{}, Whole)
				if err != nil || got.Flags != 0 {
					b.Fatal(got, err)
				}
				b.ReportMetric((got.Volume.Hi-got.Volume.Lo)/got.Volume.Lo, "width")
			}
		})
	}
}

// TestPlanesThatAreOne compares brackets of wedges on a small lattice with volumes over rational
// numbers: many have faces in one slanted plane, whose heights in doubles differ by rounding alone,
// with signs that change at more than two sides of a polygon.
func TestPlanesThatAreOne(t *testing.T) {
	check := func(a, b []bvh.Triangle) {
		t.Helper()
		want := trueCommon(a, b)
		got, err := measured(t, a, b, &Options{}, 1)
		if err != nil || !holds(got.Volume, want) || got.Flags != 0 {
			t.Fatalf("%v and %v: %v, %v; want %v", a, b, got, err, want)
		}
	}
	for _, c := range [][2][4]r3.Vec{
		{
			{{}, {X: 1, Y: 2, Z: 1}, {X: 2, Y: 1, Z: 2}, {X: 1, Y: 2}},
			{{X: 1, Z: 1}, {Y: 1, Z: 1}, {Y: 2}, {Y: 1}},
		},
		{
			{{Y: 1}, {Y: 2}, {X: 1, Y: 1, Z: 2}, {X: 2, Z: 1}},
			{{X: 2, Z: 2}, {X: 1, Y: 1}, {X: 2}, {X: 1, Y: 1, Z: 1}},
		},
		{
			{{Y: 2, Z: 1}, {X: 2, Y: 1}, {X: 2, Y: 2, Z: 1}, {X: 1, Z: 2}},
			{{X: 2, Y: 2, Z: 1}, {X: 1, Y: 1, Z: 1}, {X: 1, Y: 2}, {X: 2, Z: 1}},
		},
		{
			{{X: 1, Z: 1}, {Y: 2, Z: 1}, {X: 2, Z: 2}, {X: 1, Y: 1}},
			{{X: 1, Y: 1, Z: 2}, {X: 2}, {X: 1, Y: 1, Z: 1}, {X: 1, Y: 2}},
		},
	} {
		check(wedge(c[0]), wedge(c[1]))
	}
	r := ccdtest.NewRand(61, 9)
	at := func() float64 { return float64(r.IntN(3)) }
	corner := func() r3.Vec { return r3.Vec{X: at(), Y: at(), Z: at()} }
	solid := func() []bvh.Triangle {
		for {
			if tri := wedge([4]r3.Vec{corner(), corner(), corner(), corner()}); trueVolume(tri).Sign() > 0 {
				return tri
			}
		}
	}
	for range long.Part(8000, 20) {
		check(solid(), solid())
	}
}
