package mesh

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// anyLength returns a double of any size, sometimes 0, often next to a power of two.
func anyLength(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return 0
	case 1:
		return math.Ldexp(1, r.IntN(8)-4)
	case 2:
		return math.Nextafter(math.Ldexp(1, r.IntN(120)-60), 2*float64(r.IntN(2)))
	case 3:
		return math.Float64frombits(r.Uint64N(1 << 54)) // denormals, and the first normals
	case 4:
		return math.Ldexp(r.Float64(), r.IntN(1400)-1000)
	}
	return r.Float64()
}

// The separation of a pair is the least double that is not below m + a + b: over the rationals it
// is not below, and the double before is.
func checkSeparation(t *testing.T, m, a, b float64) {
	t.Helper()
	sum := new(big.Rat).SetFloat64(m)
	sum.Add(sum, new(big.Rat).SetFloat64(a))
	sum.Add(sum, new(big.Rat).SetFloat64(b))
	got := Separation(m, a, b)
	if new(big.Rat).SetFloat64(got).Cmp(sum) < 0 {
		t.Fatalf("Separation(%v, %v, %v) = %v is below the sum", m, a, b, got)
	}
	if before := num.Down(got); got > 0 && new(big.Rat).SetFloat64(before).Cmp(sum) >= 0 {
		t.Fatalf("Separation(%v, %v, %v) = %v, but %v is not below the sum", m, a, b, got, before)
	}
	if other := Separation(m, b, a); other != got {
		t.Fatalf("Separation(%v, %v, %v) = %v, with a and b exchanged %v", m, a, b, got, other)
	}
}

func TestRadiiLaw1Separation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 17))
	for range 100000 {
		checkSeparation(t, anyLength(r), anyLength(r), anyLength(r))
	}
	for range 10000 {
		m, a := anyLength(r), anyLength(r)
		if got := Separation(m, 0, 0); got != m {
			t.Fatalf("with radii of 0 it is %v, not %v", got, m)
		}
		if got := Separation(0, a, a); got != 2*a {
			t.Fatalf("with two radii of %v it is %v", a, got)
		}
	}
}

func FuzzRadiiLaw1(f *testing.F) {
	f.Add(0.0, 1.0, 0x1p-53)
	f.Add(0x1p-1074, 1.0, -0x1p-54)
	f.Fuzz(func(t *testing.T, m, a, b float64) {
		for _, x := range []*float64{&m, &a, &b} {
			if *x = math.Abs(*x); !(*x <= geom.MaxCoordinate) {
				return
			}
		}
		checkSeparation(t, m, a, b)
	})
}

// A primitive has the largest radius of its vertices, and Around a vertex is the largest of the
// primitives at it.
func TestRadiiOfPrimitives(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 17))
	m, err := New(9, []int32{0, 1, 1, 2, 2, 0, 2, 3, 3, 0, 4, 5, 5, 6}, []int32{0, 1, 2, 0, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	if !m.Filter().Radii().Uniform() || m.Filter().Radii().Pair(geom.EdgeEdge, 0, 1, 0.5) != 0.5 {
		t.Error("a new mesh has radii")
	}
	for range 50 {
		radius := make([]float64, m.NV)
		for i := range radius {
			radius[i] = float64(r.IntN(4))
		}
		if err := m.SetRadii(radius); err != nil {
			t.Fatal(err)
		}
		all := m.Filter().Radii()
		around := slices.Clone(radius)
		note := func(s geom.Shape, i int, v []int32) {
			most := 0.0
			for _, x := range v {
				most = max(most, radius[x])
			}
			for _, x := range v {
				around[x] = max(around[x], most)
			}
			if got := all.Of(s, int32(i)); got != most {
				t.Fatalf("%v %d has the radius %v, its vertices %v", s, i, got, most)
			}
		}
		for i, e := range m.Edges {
			note(geom.Edge, i, e[:])
		}
		for i, f := range m.Faces {
			note(geom.Face, i, f[:])
		}
		for i, want := range around {
			if got := all.Around(int32(i)); got < want || got > all.Largest() {
				t.Fatalf("around vertex %d: %v, want %v", i, got, want)
			}
		}
		if got, want := all.Pair(geom.VertexFace, 4, 1, 1),
			1+radius[4]+max(radius[0], radius[2], radius[3]); got != want {
			t.Fatalf("vertex 4 and face 1: %v, want %v", got, want)
		}
		if pairs := [][2]int32{{0, 5}, {1, 6}}; !all.Uniform() {
			got := all.Pairs(geom.EdgeEdge, pairs, 2, nil)
			for i, p := range pairs {
				if want := all.Pair(geom.EdgeEdge, p[0], p[1], 2); got[i] != want {
					t.Fatalf("pair %v: %v, want %v", p, got[i], want)
				}
			}
		}
	}
}

func TestSetRadii(t *testing.T) {
	m, err := New(3, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []struct {
		radius []float64
		kind   error
		text   string
	}{
		{[]float64{1, 2}, status.ErrArgument, "radius has 2 values"},
		{[]float64{1, math.NaN(), 0}, status.ErrNonFinite, "radius[1] is NaN"},
		{[]float64{1, 0, math.Inf(1)}, status.ErrNonFinite, "radius[2] is +Inf"},
		{[]float64{-1, 0, 0}, status.ErrArgument, "radius[0] is -1"},
		{[]float64{0, 0, 2e150}, status.ErrArgument, "radius[2] is 2e+150"},
	} {
		if err := m.SetRadii(bad.radius); !errors.Is(err, bad.kind) || !strings.Contains(err.Error(), bad.text) {
			t.Errorf("%v: %v", bad.radius, err)
		}
	}
	radius := []float64{1, 2, 3}
	if err := m.SetRadii(radius); err != nil {
		t.Fatal(err)
	}
	radius[2] = 100 // the mesh has its own copy
	before := m.Filter().Radii()
	if before.Largest() != 3 || before.Uniform() {
		t.Errorf("the largest radius is %v", before.Largest())
	}
	if err := before.Check(geom.MaxCoordinate); !errors.Is(err, status.ErrArgument) {
		t.Errorf("a separation beyond the limit: %v", err)
	}
	if err := m.SetRadii([]float64{1, 4, 3}); err != nil {
		t.Fatal(err)
	}
	if i, now, then, found := m.Filter().Radii().Exceeds(before); !found || i != 1 || now != 4 || then != 2 {
		t.Errorf("vertex %d, %v, %v, %v", i, now, then, found)
	}
	if _, _, _, found := before.Exceeds(m.Filter().Radii()); found {
		t.Error("smaller radii exceed larger ones")
	}
	for _, none := range [][]float64{make([]float64, 3), nil} {
		if err := m.SetRadii(none); err != nil || m.Filter().Radii() != nil {
			t.Errorf("radii %v: %v, %v", none, m.Filter().Radii(), err)
		}
	}
}

// Widened radii are the sums that it promises, rounded up: of one list by vertex, or of several,
// and of a mesh whose radii are equal or not.
func TestWidenedRadiiAreSumsRoundedUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 1))
	var faces []int32
	for v := range int32(27) {
		faces = append(faces, v, v+1, v+3)
	}
	for round := range 12 {
		m, err := New(30, nil, faces)
		if err != nil {
			t.Fatal(err)
		}
		list := func() []float64 {
			out := make([]float64, m.NV)
			for v := range out {
				out[v] = math.Ldexp(rng.Float64(), -rng.IntN(70))
			}
			return out
		}
		radii := slices.Repeat([]float64{0.1}, m.NV)
		if round%3 == 2 {
			radii = list()
		}
		if err := m.SetRadii(radii); err != nil {
			t.Fatal(err)
		}
		r, lists := m.Filter().Radii(), [][]float64{slices.Repeat([]float64{1.0 / 3}, m.NV), list()}
		if round%2 == 1 {
			lists = append(lists, list())
		}
		got, around := r.Widened(m, lists...), make([]float64, m.NV)
		check := func(s geom.Shape, i int32, vertices ...int32) {
			want := num.AddUp(r.Of(s, i), 1.0/3)
			for _, l := range lists[1:] {
				most := 0.0
				for _, v := range vertices {
					most = max(most, l[v])
				}
				want = num.AddUp(want, most)
			}
			if got.Of(s, i) != want {
				t.Errorf("round %d: %v %d has %v, want %v", round, s, i, got.Of(s, i), want)
			}
			for _, v := range vertices {
				around[v] = max(around[v], want)
			}
		}
		for v := range int32(m.NV) {
			check(geom.Vertex, v, v)
		}
		for i, e := range m.Edges {
			check(geom.Edge, int32(i), e[:]...)
		}
		for i, f := range m.Faces {
			check(geom.Face, int32(i), f[:]...)
		}
		for v, x := range around {
			if got.Around(int32(v)) != x {
				t.Errorf("round %d: around vertex %d is %v, want %v", round, v, got.Around(int32(v)), x)
			}
		}
		if got.Largest() != slices.Max(around) {
			t.Errorf("round %d: the largest is %v, want %v", round, got.Largest(), slices.Max(around))
		}
	}
}
