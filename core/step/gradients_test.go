package step

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// gradientAlone computes one gradient by the single call, with the separation of the pair.
func gradientAlone(t *testing.T, s *scene, im *geom.Impact, o *Options) (g gradient.Gradient) {
	t.Helper()
	radii, shapes := s.m.Filter().Radii(), im.Kind.Info().Shapes
	one := o.Options
	one.Method = narrow.Exact
	one.MinSeparation = mesh.Separation(o.MinSeparation, radii.Of(shapes[0], int32(im.A)),
		radii.Of(shapes[1], int32(im.B)))
	idx := s.m.Indices(im.Kind, int32(im.A), int32(im.B))
	var q [24]float64
	s.motion(t).Query(im.Kind, &idx, &q)
	var out [1]gradient.Gradient
	if err := narrow.Gradients(im.Kind, q[:im.Kind.Len()], &one, &o.CallOptions, out[:]); err != nil {
		t.Fatal(err)
	}
	for i := range im.Kind.Points() {
		if out[0].Vertices[i] != int32(i) {
			t.Fatalf("vertices %v of a query", out[0].Vertices)
		}
		out[0].Vertices[i] = idx[i]
	}
	return out[0]
}

func bitsOf(g []gradient.Gradient) string { return fmt.Sprintf("%x", g) }

// Law G5: the gradients of a step are those of the pairs alone, for any threads, order, method,
// norm, radii, and with a memory limit.
func TestGradientLaw5SameBits(t *testing.T) {
	long.Test(t)
	r := rand.New(rand.NewPCG(5, 21))
	count := map[gradient.State]int{}
	for _, s := range scenes(t) {
		for name, o := range settings() {
			for how := range 2 {
				if how == 1 {
					thickness(t, r, &s, 1)
				}
				o := o
				o.MinSeparation *= s.size()
				o.Tolerance *= s.size()
				impacts, err := Collisions(s.m, s.x0, s.x1, &o)
				if err != nil {
					t.Fatal(err)
				}
				if len(impacts) > 400 {
					impacts = impacts[:400]
				}
				label := fmt.Sprintf("%s, %s, radii %v", s.name, name, how == 1)
				for state, n := range gradientsEveryWay(t, r, label, &s, impacts, o) {
					count[state] += n
				}
			}
		}
	}
	t.Log(count)
	if count[gradient.Defined] < 3000 || count[gradient.Initial] < 50 {
		t.Errorf("too few: %v", count)
	}
}

func gradientsEveryWay(t *testing.T, r *rand.Rand, label string, s *scene, impacts []geom.Impact,
	o Options) map[gradient.State]int {
	t.Helper()
	want, count := make([]gradient.Gradient, len(impacts)), map[gradient.State]int{}
	for i := range impacts {
		want[i] = gradientAlone(t, s, &impacts[i], &o)
		count[want[i].State]++
	}
	for _, threads := range []int{1, 3} {
		for _, method := range []narrow.Method{narrow.Exact, narrow.TightInclusion} {
			o.Threads, o.Method = threads, method
			order := r.Perm(len(impacts))
			given, sorted := make([]geom.Impact, len(impacts)), make([]gradient.Gradient, len(impacts))
			for i, j := range order {
				given[i] = geom.Impact{Kind: impacts[j].Kind, A: impacts[j].A, B: impacts[j].B} // nothing else is read
			}
			got := make([]gradient.Gradient, len(impacts))
			if err := Gradients(s.m, s.x0, s.x1, given, got, &o); err != nil {
				t.Fatalf("%s: %v", label, err)
			}
			for i, j := range order {
				sorted[j] = got[i]
			}
			if bitsOf(sorted) != bitsOf(want) {
				t.Errorf("%s, threads %d, method %v: other gradients", label, threads, method)
			}
		}
	}
	return count
}

// Law G6: the gradient of an earliest impact is that of the time of the step, where it is the only
// first one.
func TestGradientLaw6Earliest(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 22))
	compared := 0
	for i := range 60 {
		s := soup(t, "earliest", 30, func() float64 { return 2*r.Float64() - 1 }, 0.5)
		o := DefaultOptions()
		o.MinSeparation = []float64{0, 1e-3, 1e-2}[i%3]
		if i%2 == 0 {
			o.Flags |= narrow.MaxNorm
		}
		first, err := Earliest(s.m, s.x0, s.x1, &o)
		if err != nil || first.Verdict != geom.Contact || first.TOILo == 0 {
			continue
		}
		var g [1]gradient.Gradient
		if err := Gradients(s.m, s.x0, s.x1, []geom.Impact{first}, g[:], &o); err != nil {
			t.Fatal(err)
		}
		if g[0].State != gradient.Defined || g[0].Conditioning < 0.1 {
			continue
		}
		const h = 0x1p-26
		want, moved := 0.0, [2][]float64{slices.Clone(s.x0), slices.Clone(s.x1)}
		for j := range first.Kind.Points() {
			for k := range 3 {
				for end, d := range [2]float64{g[0].X0[j][k], g[0].X1[j][k]} {
					dx := h * r.NormFloat64()
					moved[end][3*int(g[0].Vertices[j])+k] += dx
					want += float64(d * dx)
				}
			}
		}
		next, err := Earliest(s.m, moved[0], moved[1], &o)
		if err != nil {
			t.Fatal(err)
		}
		m := 0.0
		for j := range 4 {
			for k := range 3 {
				m = max(m, math.Abs(g[0].X0[j][k]), math.Abs(g[0].X1[j][k]))
			}
		}
		if next.Kind != first.Kind || next.A != first.A || next.B != first.B {
			continue
		}
		compared++
		if e := math.Abs(next.TOILo - first.TOILo - want); e > 1e-4*h*m*10+1e-15 {
			t.Errorf("scene %d: toi moves by %v, not by %v", i, next.TOILo-first.TOILo, want)
		}
	}
	if compared < 20 {
		t.Errorf("only %d compared", compared)
	}
}

// What is no impact, an edge through a face, and what a method with a tolerance reports too much.
func TestGradientsOfNothing(t *testing.T) {
	s := needle(t, 1, -1) // an edge and a face
	impacts := []geom.Impact{{A: -1, B: -1, Verdict: geom.Separate}, {A: -1, B: -1, Kind: geom.EdgeFace},
		{Kind: geom.EdgeFace}, {Kind: geom.VertexFace, A: 0, B: 0}}
	out := make([]gradient.Gradient, len(impacts))
	o := DefaultOptions()
	o.CheckStart = true
	if err := Gradients(s.m, s.x0, s.x1, impacts, out, &o); err != nil {
		t.Fatal(err)
	}
	none := [4]int32{-1, -1, -1, -1}
	for i, want := range []gradient.State{gradient.NoImpact, gradient.NoImpact, gradient.Initial} {
		if out[i].State != want || out[i].Vertices != none || out[i].X0 != [4][3]float64{} {
			t.Errorf("impact %d: %+v", i, out[i])
		}
	}
	if out[3].Vertices == none {
		t.Errorf("%+v", out[3])
	}
	stats := new(engine.Stats)
	o.Stats = stats
	if err := Gradients(s.m, s.x0, s.x1, impacts[3:], out[3:], &o); err != nil ||
		stats.Candidates[geom.VertexFace-1] != 1 {
		t.Errorf("%v, %+v", err, stats)
	}
}

// Bad input is an error that names the argument and the index.
func TestGradientsErrors(t *testing.T) {
	s := needle(t, 1, -1)
	for _, c := range []struct {
		im   geom.Impact
		text string
		kind error
	}{
		{geom.Impact{Kind: geom.VertexFace, A: 99}, "impacts[1].a is 99: out of range", status.ErrIndex},
		{geom.Impact{Kind: geom.VertexFace, A: -1}, "impacts[1].a is -1: out of range", status.ErrIndex},
		{geom.Impact{Kind: geom.VertexFace, B: 99}, "impacts[1].b is 99: out of range", status.ErrIndex},
		{geom.Impact{Kind: 7}, "impacts[1].kind is 7", nil},
		{geom.Impact{}, "impacts[1].kind is 0", nil},
	} {
		err := Gradients(s.m, s.x0, s.x1, []geom.Impact{{A: -1, B: -1}, c.im}, make([]gradient.Gradient, 2), nil)
		if err == nil || !strings.Contains(err.Error(), c.text) || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%+v: %v", c.im, err)
		}
	}
	if err := Gradients(s.m, s.x0, s.x1, make([]geom.Impact, 1), nil, nil); err == nil {
		t.Error("no error for a wrong length")
	}
	o := DefaultOptions()
	o.TMax = 2
	if err := Gradients(s.m, s.x0, s.x1, nil, nil, &o); err == nil || !strings.Contains(err.Error(), "t_max") {
		t.Error(err)
	}
	o = DefaultOptions()
	o.Region = new(Region)
	if err := Gradients(s.m, s.x0, s.x1, nil, nil, &o); err != nil {
		t.Error(err) // a region selects pairs; these are given
	}
	o.Progress = func(float64) bool { return true }
	o.Region = nil
	if err := Gradients(s.m, s.x0, s.x1, make([]geom.Impact, 0), nil, &o); !errors.Is(err, status.ErrCancelled) {
		t.Error(err)
	}
}
