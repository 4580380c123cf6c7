package broad

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/reference/stq"
)

// randomRadii are radii about as large as the scene, or far smaller; 0 among them.
func randomRadii(r *rand.Rand, m *mesh.Mesh, size float64) []float64 {
	radius := make([]float64, m.NV)
	for i := range radius {
		if r.IntN(4) > 0 {
			radius[i] = size * math.Ldexp(r.Float64(), -r.IntN(12))
		}
	}
	return radius
}

// sizeOf is the largest coordinate.
func sizeOf(s *scene) (size float64) {
	for i := range s.x0 {
		size = max(size, math.Abs(s.x0[i]), math.Abs(s.x1[i]))
	}
	return size
}

// Two inflations together are at least the separation, rounded up.
func TestInflationCoversTheSeparation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 17))
	length := func() float64 {
		switch r.IntN(4) {
		case 0:
			return 0
		case 1:
			return math.Float64frombits(r.Uint64N(1 << 54))
		case 2:
			return math.Nextafter(math.Ldexp(1, r.IntN(60)-30), 2)
		}
		return math.Ldexp(r.Float64(), r.IntN(100)-60)
	}
	for range 60000 {
		d, a, b := length(), length(), length()
		sum := new(big.Rat).SetFloat64(bound.Inflation(d, a))
		sum.Add(sum, new(big.Rat).SetFloat64(bound.Inflation(d, b)))
		if want := mesh.Separation(d, a, b); sum.Cmp(new(big.Rat).SetFloat64(want)) < 0 {
			t.Fatalf("d = %v, radii %v and %v: inflations are too small", d, a, b)
		}
	}
}

// With radii, the sweep, brute force and the sweep and tiniest queue find the same candidates.
func TestRadiiSweepsAgreeWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 17))
	more := 0
	for _, s := range adversaries() {
		m, mo := s.load(t)
		for _, d := range []float64{0, 1e-3 * sizeOf(&s)} {
			plain, err := Sweep(m, mo, Options{MinSeparation: d})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.SetRadii(randomRadii(r, m, 0.3*sizeOf(&s))); err != nil {
				t.Fatal(err)
			}
			o := Options{MinSeparation: d}
			want, err := BruteForce(m, mo, o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Sweep(m, mo, o)
			if err != nil {
				t.Fatal(err)
			}
			more += got.Len() - plain.Len()
			sameCandidates(t, fmt.Sprintf("sweep of %s, separation %v", s.name, d), got, want)
			reference := stq.Candidates(m, mo, d)
			for k := geom.VertexFace; k <= geom.PointPoint; k++ {
				if !slices.Equal(reference[k], want.Of(k)) {
					t.Errorf("sweep and tiniest queue of %s, separation %v, %v: %d candidates, brute force finds %d",
						s.name, d, k, len(reference[k]), len(want.Of(k)))
				}
			}
			if err := m.SetRadii(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if more < 1000 {
		t.Errorf("radii add %d candidates only", more)
	}
}

// A plan holds every pair whose boxes at both ends, inflated by the primitives' own radii, do not
// stay apart on one side of an axis.
func TestRadiiPlanLosesNoPair(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 17))
	for _, s := range adversaries() {
		m, mo := s.load(t)
		ends := ends(mo)
		if err := m.SetRadii(randomRadii(r, m, 0.1*sizeOf(&s))); err != nil {
			t.Fatal(err)
		}
		radii, d := m.Filter().Radii(), 1e-6*sizeOf(&s)
		axis, least := longestAxis(mo), minima(m, mo)
		for _, slab := range []*Slab{nil, {axis, math.Inf(-1), 0}, {axis, 0, math.Inf(1)}} {
			var p Plan
			if err := p.Build(m, mo, PlanOptions{Input: Input{Separation: d, Radii: radii, Until: 1},
				Keep: Keep{Slab: slab}, Work: Work{Threads: 2}}); err != nil {
				t.Fatal(err)
			}
			want, err := BruteForce(m, mo, Options{MinSeparation: d})
			if err != nil {
				t.Fatal(err)
			}
			got := plannedPairs(t, &p)
			for k := geom.VertexFace; k <= geom.PointPoint; k++ {
				pairs := got.Of(k)
				if n := len(slices.Compact(slices.Clone(pairs))); n != len(pairs) {
					t.Fatalf("%s: %d %v pairs twice", s.name, len(pairs)-n, k)
				}
				for _, x := range want.Of(k) {
					if slab != nil && !inSlab(slab, cornerOf(&least, k, x[0], x[1])) {
						continue
					}
					_, found := slices.BinarySearchFunc(pairs, x,
						func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
					if !found && !apartWith(m, ends, k, x[0], x[1], radii.Pair(k, x[0], x[1], d)) {
						t.Fatalf("%s, slab %v: %v pair %v is lost", s.name, slab, k, x)
					}
				}
			}
		}
	}
}

// apartWith is apart for a separation: the boxes are farther apart than it.
func apartWith(m *mesh.Mesh, ends [2]*geom.Trajectories, k geom.Kind, a, b int32, separation float64) bool {
	idx := m.Indices(k, a, b)
	n := k.Info().Split
	var box [2][2]bound.Box
	for e, mo := range ends {
		box[e] = [2]bound.Box{bound.Swept(mo, idx[:n]...), bound.Swept(mo, idx[n:]...)}
	}
	far := func(b, a float64) bool { // b - a > separation
		gap := new(big.Rat).SetFloat64(b)
		return gap.Sub(gap, new(big.Rat).SetFloat64(a)).Cmp(new(big.Rat).SetFloat64(separation)) > 0
	}
	for i := range 3 {
		for s := range 2 {
			if far(box[0][1-s].Min[i], box[0][s].Max[i]) && far(box[1][1-s].Min[i], box[1][s].Max[i]) {
				return true
			}
		}
	}
	return false
}

// Candidates are valid for radii up to those of their sweep.
func TestRadiiCandidatesAreValidForSmallerRadii(t *testing.T) {
	m, mo := (&scene{nv: 2, x0: make([]float64, 6), x1: make([]float64, 6)}).load(t)
	set := func(radius ...float64) *mesh.Radii {
		if err := m.SetRadii(radius); err != nil {
			t.Fatal(err)
		}
		return m.Filter().Radii()
	}
	set(1, 2)
	c, err := Sweep(m, mo, Options{MinSeparation: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, radius := range [][]float64{{1, 2}, {0, 0}, {0.5, 2}, {1, 1}, nil} {
		if err := c.ValidFor(m, 1, set(radius...)); err != nil {
			t.Errorf("radii %v: %v", radius, err)
		}
	}
	if err := c.ValidFor(m, 1, set(1, 2.5)); err == nil || !strings.Contains(err.Error(), "radius[1] of 2, not 2.5") {
		t.Errorf("a larger radius: %v", err)
	}
	for _, x := range []method{{"sweep", Sweep}, {"brute force", BruteForce}} {
		set(6e149, 0)
		if _, err := x.find(m, mo, Options{}); err == nil {
			t.Errorf("%s accepts radii beyond the limit", x.name)
		}
	}
}
