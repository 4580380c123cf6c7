package step

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// The laws of radii, docs/numerics.md: the separation of a pair, and that every call answers it as
// the single call does.

// thickness sets random radii: few values, or a value for each vertex; 0 among them.
func thickness(t testing.TB, r *rand.Rand, s *scene, how int) {
	t.Helper()
	radius := make([]float64, s.m.NV)
	for i := range radius {
		switch how {
		case 0:
			radius[i] = []float64{0, 0.01, 0.05}[r.IntN(3)] * s.size()
		case 1:
			radius[i] = 0.2 * math.Ldexp(r.Float64(), -r.IntN(12)) * s.size()
		case 2: // one thick part
			if i < 3 {
				radius[i] = 0.5 * s.size()
			}
		}
	}
	if err := s.m.SetRadii(radius); err != nil {
		t.Fatal(err)
	}
}

// eachAlone solves every allowed pair of the families by the single call with the pair's
// separation, without a broad phase: computed from the radii of the vertices, not by mesh.Radii.
func eachAlone(t testing.TB, s *scene, radius []float64, o *Options) (out []geom.Impact) {
	t.Helper()
	mo, solver, filter := s.motion(t), narrow.NewSolver(), s.m.Filter()
	of := func(v []int32) (most float64) {
		for _, x := range v {
			most = max(most, radius[x])
		}
		return most
	}
	for _, k := range geom.StepKinds {
		shapes := k.Info().Shapes
		for a := range s.m.Count(shapes[0]) {
			for b := range s.m.Count(shapes[1]) {
				if k.Info().Symmetric() && b <= a || !inFamily(s.m, k, int32(a), int32(b)) ||
					!filter.Allows(k, int32(a), int32(b)) {
					continue
				}
				idx := s.m.Indices(k, int32(a), int32(b))
				one, split := o.Options, k.Info().Split
				one.MinSeparation = mesh.Separation(o.MinSeparation, of(idx[:split]), of(idx[split:k.Points()]))
				var q [24]float64
				var im geom.Impact
				mo.Query(k, &idx, &q)
				if solver.Solve(k, q[:k.Len()], &one, &im); im.Verdict != geom.Separate {
					im.A, im.B = int64(a), int64(b)
					out = append(out, im)
				}
			}
		}
	}
	slices.SortFunc(out, func(x, y geom.Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	return out
}

// inFamily reports whether a step tests pairs of these primitives: of points and rods only those of
// no edge and no face.
func inFamily(m *mesh.Mesh, k geom.Kind, a, b int32) bool {
	has := func(list []int32, i int32) bool { _, found := slices.BinarySearch(list, i); return found }
	switch k {
	case geom.PointEdge:
		return has(m.CodimEdges, b)
	case geom.PointPoint:
		return has(m.CodimVertices, a) && has(m.CodimVertices, b)
	}
	return true
}

// Law 4 of radii: lists, visitors, the earliest impact, given pairs, candidates, brute force, slabs
// and a memory limit have the bits of the single calls, each with the pair's own separation, for
// any number of threads.
func TestRadiiLaw4SameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 17))
	contacts, turn, every := 0, 0, 1
	if testing.Short() {
		every = 20 / long.Part(4, 2)
	}
	for _, s := range scenes(t) {
		for name, o := range settings() {
			for how := range 3 {
				if turn++; turn%every != 0 {
					continue
				}
				thickness(t, r, &s, how)
				radius := make([]float64, s.m.NV)
				for i := range radius {
					radius[i] = s.m.Filter().Radii().Of(geom.Vertex, int32(i))
				}
				o := o
				o.MinSeparation *= s.size()
				o.Tolerance *= s.size()
				want := eachAlone(t, &s, radius, &o)
				contacts += len(want)
				label := fmt.Sprintf("%s, %s, radii %d", s.name, name, how)
				sameEveryWay(t, label, &s, o, want)
			}
		}
	}
	if contacts < 5000/every {
		t.Errorf("only %d contacts", contacts)
	}
}

// sameEveryWay compares every route of a step with want.
func sameEveryWay(t *testing.T, label string, s *scene, o Options, want []geom.Impact) {
	t.Helper()
	for _, threads := range []int{1, 3} {
		o.Threads = threads
		same(t, fmt.Sprintf("%s, %d threads", label, threads), s, &o, want)
	}
	brute, limited, given := o, o, o
	brute.Flags |= narrow.BruteForce
	limited.MemoryLimit = 1
	var err error
	if given.Candidates, err = broad.Sweep(s.m, s.motion(t),
		broad.Options{MinSeparation: o.MinSeparation}); err != nil {
		t.Fatal(err)
	}
	same(t, label+", brute force", s, &brute, want)
	same(t, label+", memory limit", s, &limited, want)
	same(t, label+", candidates", s, &given, want)
	regions := slabsOf(t, s.m, s.x0, s.x1, 5)
	var all []geom.Impact
	for i := range regions {
		part := o
		part.Region = &regions[i]
		found, err := Collisions(s.m, s.x0, s.x1, &part)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	slices.SortFunc(all, func(x, y geom.Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	if !slices.Equal(all, want) {
		t.Errorf("%s, slabs: %d impacts, want %d", label, len(all), len(want))
	}
	for _, im := range want[:min(len(want), 20)] {
		got, err := Pairs(s.m, s.x0, s.x1, im.Kind, [][2]int64{{im.A, im.B}, {im.A, im.B}}, &o)
		if err != nil || got[0] != im || got[1] != im {
			t.Fatalf("%s, pairs: %+v, %v, want %+v", label, got, err, im)
		}
	}
}

// Law 3 of radii: those of 0 have the bits of none, and one radius r for all has those of a minimum
// separation of 2r, candidates included.
func TestRadiiLaw3OneRadiusForAll(t *testing.T) {
	for at, s := range scenes(t) {
		for name, o := range settings() {
			o.Tolerance *= s.size()
			for turn, r := range []float64{0, 0.01, 1.0 / 3} {
				if !long.On() && turn != at%3 {
					continue
				}
				r *= s.size()
				label := fmt.Sprintf("%s, %s, radius %v", s.name, name, r)
				radius := make([]float64, s.m.NV)
				for i := range radius {
					radius[i] = r
				}
				plain, thick := o, o
				plain.MinSeparation, thick.MinSeparation = 2*r, 0
				want, err := Collisions(s.m, s.x0, s.x1, &plain)
				if err != nil {
					t.Fatal(err)
				}
				pairs, err := broad.Sweep(s.m, s.motion(t), broad.Options{MinSeparation: 2 * r})
				if err != nil {
					t.Fatal(err)
				}
				if err := s.m.SetRadii(radius); err != nil {
					t.Fatal(err)
				}
				same(t, label, &s, &thick, want)
				got, err := broad.Sweep(s.m, s.motion(t), broad.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range geom.StepKinds {
					if !slices.Equal(got.Of(k), pairs.Of(k)) {
						t.Errorf("%s: %d candidates, want %d", label, got.Count(k), pairs.Count(k))
					}
				}
				if err := s.m.SetRadii(nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Law 2 of radii: a safe step, and the bound of a line search, hold for each pair's own separation.
func TestRadiiLaw2SizeAndLineSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 17))
	moved := 0
	for _, s := range scenes(t) {
		for how := range 3 {
			thickness(t, r, &s, how)
			for _, share := range []float64{0.1, 0.8} {
				o := DefaultOptions()
				o.MinSeparation = 0.1 * s.size()
				b, err := LineSearch(s.m, s.x0, s.x1, share, &o)
				if err != nil {
					t.Fatal(err)
				}
				still := o
				still.TMax, still.MinSeparation = 0, 0
				touching, err := Earliest(s.m, s.x0, s.x1, &still)
				if err != nil {
					t.Fatal(err)
				}
				if touching.Verdict == geom.Contact {
					if b != (Bound{}) {
						t.Errorf("%s touches at the start, and has %+v", s.name, b)
					}
					continue
				}
				moved++
				if !(b.Alpha > 0 && b.Distance > 0) {
					t.Fatalf("%s: %+v", s.name, b)
				}
				still.MinSeparation = b.Distance
				if im, _ := Earliest(s.m, s.x0, s.x1, &still); im.Verdict != geom.Separate {
					t.Errorf("%s: a pair is nearer than %v at the start", s.name, b.Distance)
				}
				if b.Distance < o.MinSeparation {
					still.MinSeparation = 2 * b.Distance
					if im, _ := Earliest(s.m, s.x0, s.x1, &still); im.Verdict != geom.Contact {
						t.Errorf("%s: all pairs are farther apart than %v at the start", s.name, 2*b.Distance)
					}
				}
				still.MinSeparation, still.TMax = b.Separation, b.Alpha
				if im, _ := Earliest(s.m, s.x0, s.x1, &still); im.Verdict != geom.Separate {
					t.Errorf("%s: a pair comes within %v before %v", s.name, b.Separation, b.Alpha)
				}
			}
		}
	}
	if moved < 6 {
		t.Errorf("only %d line searches that move", moved)
	}
}

// A sphere falls on a capsule: contact is at the time when the distance of center and axis is the
// sum of the radii.
func TestRadiiSphereOnCapsule(t *testing.T) {
	m, err := mesh.New(3, []int32{0, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetRadii([]float64{0.25, 0.125, 0.5}); err != nil {
		t.Fatal(err)
	}
	x0 := []float64{0, 0, 0, 4, 0, 0, 1, 0, 3}
	x1 := []float64{0, 0, 0, 4, 0, 0, 1, 0, -1}
	o := DefaultOptions()
	im, err := Earliest(m, x0, x1, &o)
	if want := (3 - 0.75) / 4; err != nil || im.Verdict != geom.Contact || im.Kind != geom.PointEdge ||
		im.TOIHi < want || im.TOILo > want || im.Normal != [3]float64{0, 0, 1} {
		t.Errorf("%+v, %v: want contact at %v", im, err, want)
	}
	if alpha, err := Size(m, x0, x1, &o); err != nil || !(alpha < 0.5625 && alpha > 0.5624) {
		t.Errorf("alpha = %v, %v", alpha, err)
	}
	set, err := ActiveSet(m, x0, x1, &o)
	if err != nil || len(set) != 1 || set[0].Gap != -1.75 || set[0].Separation != 0.75 {
		t.Errorf("%+v, %v: want a gap of -1 between the center and the axis, less the radii", set, err)
	}
}

// Errors name the radii.
func TestRadiiErrors(t *testing.T) {
	s := falling(t)
	c, err := broad.Sweep(s.m, s.motion(t), broad.Options{MinSeparation: 1})
	if err != nil {
		t.Fatal(err)
	}
	set := func(radius ...float64) {
		if err := s.m.SetRadii(radius); err != nil {
			t.Fatal(err)
		}
	}
	set(0, 0, 0, 0.5)
	o := DefaultOptions()
	o.Candidates = c
	if _, err := Earliest(s.m, s.x0, s.x1, &o); err == nil ||
		!strings.Contains(err.Error(), "options.candidates are for a radius[3] of 0, not 0.5") {
		t.Errorf("candidates of smaller radii: %v", err)
	}
	set(0, 0, 0, 1e150)
	for name, f := range map[string]func() error{
		"earliest":   func() error { _, err := Earliest(s.m, s.x0, s.x1, nil); return err },
		"collisions": func() error { _, err := Collisions(s.m, s.x0, s.x1, nil); return err },
		"size":       func() error { _, err := Size(s.m, s.x0, s.x1, nil); return err },
	} {
		if err := f(); !errors.Is(err, status.ErrArgument) ||
			!strings.Contains(err.Error(), "twice the largest radius") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
