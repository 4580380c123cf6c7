package step

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// Scenes in which Advance needs more than one attempt, or finds none.

// A layer of triangles falls onto another in a plane, all at once, also far from the origin: where
// the first pair lets an attempt pass, another refuses it.
func TestAdvanceManyPairsAtOnce(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(7, 8))
	again := [2]bool{}
	for i, far := range []float64{0, 1e3, 1e3, 1e3, 1e8, 1e3, 1e3} {
		s := scene{name: "plane"}
		var faces []int32
		groups := make([]int32, 3*n) // a layer does not collide with itself
		for k := range n {
			at := [2]float64{4 * r.Float64(), 4 * r.Float64()}
			for i, c := range [][2]float64{{0, 0}, {1, 0}, {0, 1}} {
				x, y := at[0]+c[0]+0.3*r.Float64(), at[1]+c[1]+0.3*r.Float64()
				h, z := float64(k%2)*(0.5+r.Float64()), far+0.3*x-0.2*y
				s.x0 = append(s.x0, far+x, far+y, z+h)
				s.x1 = append(s.x1, far+x, far+y, z-h)
				groups[3*k+i] = int32(k % 2)
			}
			faces = append(faces, int32(3*k), int32(3*k+1), int32(3*k+2))
		}
		var err error
		if s.m, err = mesh.New(3*n, nil, faces); err != nil {
			t.Fatal(err)
		}
		if err := s.m.SetGroups(groups); err != nil {
			t.Fatal(err)
		}
		o := DefaultOptions()
		o.Stats = new(engine.Stats)
		o.TMax = []float64{1, 0.75}[i%2] // That is of the step: positions are tested all the way.
		x := make([]float64, len(s.x0))
		alpha, err := Advance(s.m, s.x0, s.x1, x, 1, &o)
		if err != nil || !(alpha > 0.5-1e-6 && alpha < 0.5) {
			t.Errorf("far %v: a step of %v, %v: want about 0.5", far, alpha, err)
		}
		if im, err := Earliest(s.m, s.x0, x, nil); err != nil || im.Verdict != geom.Separate {
			t.Errorf("far %v: %+v, %v", far, im, err)
		}
		again[i%2] = again[i%2] || o.Stats.Impacts > 1
	}
	if again != [2]bool{true, true} {
		t.Error("no attempt was refused by a pair that does not limit the step")
	}
}

// A method with a tolerance chooses the step, and the exact method proves it: where the other finds
// its own step too long, it is taken.
func TestAdvanceLaw1ProofIsExact(t *testing.T) {
	differ := 0
	for seed := range uint64(long.Part(150, 3)) {
		m, x0, x1, err := ccdtest.Soup(ccdtest.NewRand(seed, 19))
		if err != nil {
			t.Fatal(err)
		}
		s, x := scene{name: "soup", m: m, x0: x0, x1: x1}, make([]float64, len(x0))
		o := DefaultOptions()
		o.Method = narrow.TightInclusion
		size, err := Size(m, x0, x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		alpha, err := Advance(m, x0, x1, x, 1, &o)
		if want, _ := steady(t, s, size, 1, o); err != nil || alpha != want {
			t.Errorf("seed %d: a step of %v, %v, want %v", seed, alpha, err, want)
		}
		if im, err := Earliest(m, x0, x, &o); err != nil || alpha > 0 && im.Verdict != geom.Separate {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the method with a tolerance agrees everywhere")
	}
}

// aboveSlope is a scene of n vertices, each as near above a static tilted face as doubles allow, at
// both ends of a step along it.
func aboveSlope(t *testing.T, n int) scene {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	face := []float64{0, 0, 0.1, 4, 0, 0.83, 0, 4, -0.77}
	solver, o := narrow.NewSolver(), DefaultOptions()
	above := func(x, y float64) []float64 {
		for z := 0.1 + 0.73/4*x - 0.87/4*y - 1e-15; ; z = math.Nextafter(z, 2) {
			var im geom.Impact
			q := slices.Concat([]float64{x, y, z}, face, []float64{x, y, z + 1}, face) // up, where it is above
			if solver.Solve(geom.VertexFace, q, &o.Options, &im); im.Verdict == geom.Separate {
				return q[:3]
			}
		}
	}
	s := scene{name: "slope", x0: slices.Clone(face), x1: slices.Clone(face)}
	for range n {
		x, y := r.Float64(), r.Float64()
		s.x0, s.x1 = append(s.x0, above(x, y)...), append(s.x1, above(x+r.Float64(), y+r.Float64())...)
	}
	var err error
	if s.m, err = mesh.New(3+n, nil, []int32{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	return s
}

// Law 3, where no attempt succeeds: sixty vertices an ulp above a slope slide along it.
func TestAdvanceLaw3NoAttemptSucceeds(t *testing.T) {
	s := aboveSlope(t, 60)
	x := make([]float64, len(s.x0))
	if alpha, err := Advance(s.m, s.x0, s.x1, x, 1, nil); err != nil || alpha != 1 || !sameBits(x, s.x1) {
		t.Errorf("the whole way: %v, %v", alpha, err)
	}
	if alpha, err := Advance(s.m, s.x0, s.x1, x, 0.5, nil); err != nil || alpha != 0 || !sameBits(x, s.x0) {
		t.Errorf("half the way: %v, %v, want no step", alpha, err)
	}
	one := aboveSlope(t, 1)
	if alpha, err := Advance(one.m, one.x0, one.x1, x[:12], 0.5, nil); err != nil || !(alpha > 0.03) {
		t.Errorf("one vertex: %v, %v", alpha, err)
	}
}

// Law 3, where the step is so short that it leads nowhere: a vertex an ulp above a face falls.
func TestAdvanceLaw3LeadsNowhere(t *testing.T) {
	s := falling(t)
	for v := range 4 {
		s.x0[3*v+2], s.x1[3*v+2] = 1, 1
	}
	s.x0[11], s.x1[11] = 1+0x1p-52, -1
	x := make([]float64, len(s.x0))
	size, err := Size(s.m, s.x0, s.x1, nil)
	if err != nil || size == 0 {
		t.Fatal(size, err)
	}
	if alpha, err := Advance(s.m, s.x0, s.x1, x, 1, nil); err != nil || alpha != 0 || !sameBits(x, s.x0) {
		t.Errorf("a step of %v of %v, %v, to %v", alpha, size, err, x)
	}
	if alpha, err := Advance(s.m, s.x0, s.x0, x, 0.5, nil); err != nil || alpha != 0.5 || !sameBits(x, s.x0) {
		t.Errorf("nothing moves: %v, %v", alpha, err)
	}
}
