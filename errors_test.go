package ccd_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ccd"
)

// Bad arguments are errors of their kind, which name the argument and the index; the other results
// are zero.
func TestBadArgumentsAreErrors(t *testing.T) {
	m := mustMesh()
	known, err := ccd.FindCandidates(m, start, end, nil)
	if err != nil {
		t.Fatal(err)
	}
	bad := append([]float64{}, start...)
	bad[7] = math.NaN()
	far := append([]float64{}, end...)
	far[4] = 9
	earliest := func(x0, x1 []float64, o ccd.Options) func() (any, error) {
		return func() (any, error) {
			hit, err := ccd.Earliest(m, x0, x1, &o)
			return hit, err
		}
	}
	pair := func(kind ccd.Kind, q []float64, o ccd.Options) func() (any, error) {
		return func() (any, error) {
			hit, err := ccd.Pair(kind, q, &o)
			return hit, err
		}
	}
	setter := func(err error) func() (any, error) { return func() (any, error) { return nil, err } }
	near := func(d float64, o ccd.Options) func() (any, error) {
		return func() (any, error) {
			_, err := ccd.Near(m, start, d, &o)
			return nil, err
		}
	}
	q := make([]float64, 24)
	var none *ccd.Candidates
	for text, c := range map[string]struct {
		kind error
		call func() (any, error)
	}{
		"mesh is nil": {ccd.ErrArgument, func() (any, error) {
			hit, err := ccd.Earliest(nil, start, end, nil)
			return hit, err
		}},
		"mesh is nil or zero": {ccd.ErrArgument, func() (any, error) {
			hit, err := ccd.Distance(new(ccd.Mesh), start, nil)
			return hit, err
		}},
		"mesh is nil or zero: make": {ccd.ErrArgument, setter((*ccd.Mesh)(nil).SetStatic(nil))},
		"candidates is nil": {
			ccd.ErrArgument, func() (any, error) { hit, err := none.Step(start, end).Earliest(nil); return hit, err },
		},
		"surface is nil": {
			ccd.ErrArgument, func() (any, error) { _, err := (*ccd.Surface)(nil).Mesh(); return nil, err },
		},
		"vertices is -1": {
			ccd.ErrArgument, func() (any, error) { _, err := ccd.NewMesh(-1, nil, nil); return nil, err },
		},
		"not a multiple of 2": {
			ccd.ErrArgument, func() (any, error) { _, err := ccd.NewMesh(1, []int32{0}, nil); return nil, err },
		},
		"faces[0][1] is 7": {
			ccd.ErrIndex, func() (any, error) { _, err := ccd.NewMesh(3, nil, []int32{0, 7, 1}); return nil, err },
		},
		"x0 has 0 coordinates":      {ccd.ErrArgument, earliest(nil, end, ccd.Options{})},
		"x1 has 17 coordinates":     {ccd.ErrArgument, earliest(start, end[:17], ccd.Options{})},
		"x0[2][1] is NaN":           {ccd.ErrNonFinite, earliest(bad, end, ccd.Options{})},
		"options.min_separation is": {ccd.ErrArgument, earliest(start, end, ccd.Options{MinSeparation: -1})},
		"options.t_max is 2":        {ccd.ErrArgument, earliest(start, end, ccd.Options{TMax: 2})},
		"options.tolerance is -1":   {ccd.ErrArgument, earliest(start, end, ccd.Options{Tolerance: -1})},
		"options.max_iterations is": {ccd.ErrArgument, earliest(start, end, ccd.Options{MaxIterations: -2})},
		"options.method is 9":       {ccd.ErrArgument, earliest(start, end, ccd.Options{Method: 9})},
		"options.norm is 3":         {ccd.ErrArgument, earliest(start, end, ccd.Options{Norm: 3})},
		"options.threads is -1":     {ccd.ErrArgument, earliest(start, end, ccd.Options{Threads: -1})},
		"only queries of single":    {ccd.ErrUnsupported, earliest(start, end, ccd.Options{ApartAtTOI: true})},
		"q has 23 coordinates":      {ccd.ErrArgument, pair(ccd.VertexFace, q[:23], ccd.Options{})},
		"kind is 5":                 {ccd.ErrArgument, pair(ccd.EdgeFace, q, ccd.Options{})},
		"kind is 0":                 {ccd.ErrArgument, pair(0, q, ccd.Options{})},
		"CCD_CHECK_START: pairs do": {ccd.ErrUnsupported, pair(ccd.EdgeEdge, q, ccd.Options{CheckStart: true})},
		"exact method alone has it": {
			ccd.ErrUnsupported, pair(ccd.EdgeEdge, q, ccd.Options{ApartAtTOI: true, Method: ccd.TightInclusion}),
		},
		"d is -1":                    {ccd.ErrArgument, near(-1, ccd.Options{})},
		"options.norm is CCD_NORM_M": {ccd.ErrUnsupported, near(1, ccd.Options{Norm: ccd.MaxNorm})},
		"share is 0": {
			ccd.ErrArgument, func() (any, error) { _, _, err := ccd.Advance(m, start, end, 0, nil); return nil, err },
		},
		"x1[1][1] is 9: outside": {
			ccd.ErrArgument, func() (any, error) { hit, err := known.Step(start, far).Earliest(nil); return hit, err },
		},
		"cancelled": {
			ccd.ErrCancelled, earliest(start, end, ccd.Options{Progress: func(float64) bool { return true }}),
		},
		"a defect of the caller": {
			ccd.ErrInternal, earliest(start, end, ccd.Options{Progress: func(float64) bool {
				panic("a defect of the caller")
			}}),
		},
		"group has 2 ids":     {ccd.ErrArgument, setter(m.SetGroups([]int32{0, 1}))},
		"static has 0 values": {ccd.ErrArgument, setter(m.SetStatic([]bool{}))},
		"radius[1] is -1":     {ccd.ErrArgument, setter(m.SetRadii([]float64{0, -1, 0, 0, 0, 0}))},
		"pairs[0][1] is 2":    {ccd.ErrIndex, setter(m.SetExcluded(ccd.VertexFace, [][2]int{{0, 2}}))},
		"no such file": {ccd.ErrFile, func() (any, error) {
			_, err := ccd.ReadSurface(filepath.Join(t.TempDir(), "none.obj"))
			return nil, err
		}},
		"line 1": {ccd.ErrFile, func() (any, error) {
			_, err := ccd.DecodeSurface([]byte("v x 0 0\n"))
			return nil, err
		}},
	} {
		out, err := c.call()
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), text) {
			t.Errorf("want %q of kind %q, got %v", text, c.kind, err)
		}
		switch out := out.(type) {
		case ccd.Impact:
			if out != (ccd.Impact{}) {
				t.Errorf("%s: %+v beside the error", text, out)
			}
		case ccd.NearPair:
			if out != (ccd.NearPair{}) {
				t.Errorf("%s: %+v beside the error", text, out)
			}
		}
	}
	if none.Count(ccd.EdgeEdge) != 0 || none.Pairs(ccd.EdgeEdge) != nil || known.Count(99) != 0 ||
		len(known.Pairs(-1)) != 0 {
		t.Error("candidates of no kind")
	}
	if n := (*ccd.Mesh)(nil); n.Vertices() != 0 || n.Edges() != nil || n.Faces() != nil {
		t.Error("a nil mesh has parts")
	}
}

// The zero Options, and nil, are the defaults of ccd_options_init.
func TestZeroOptionsAreTheDefaults(t *testing.T) {
	m := mustMesh()
	want, err := ccd.Earliest(m, start, end,
		&ccd.Options{TMax: 1, Tolerance: 1e-6, MaxIterations: 1000000, Method: ccd.Exact, Norm: ccd.EuclideanNorm})
	if err != nil || want.TOILo != 0.5 {
		t.Fatal(want, err)
	}
	for _, o := range []*ccd.Options{nil, {}, {MaxIterations: ccd.Unlimited}, {Threads: 5000}} {
		if got, err := ccd.Earliest(m, start, end, o); got != want || err != nil {
			t.Errorf("%+v: %v %v", o, got, err)
		}
	}
	q := []float64{0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0}
	for tolerance, wanted := range map[float64]float64{0: 1e-6, 0.25: 0.25} { // the method stops within the tolerance
		hit, err := ccd.Pair(ccd.PointPoint, q, &ccd.Options{Method: ccd.TightInclusion, Tolerance: tolerance})
		if err != nil || !(hit.Width <= wanted) || hit.Width <= wanted/1e3 {
			t.Errorf("tolerance %v: width %v, %v", tolerance, hit.Width, err)
		}
	}
}

// CheckStart finds what steps do not: an edge that passes through a face at x0.
func TestCheckStart(t *testing.T) {
	m := mustMesh()
	x := append([]float64{}, start...)
	x[3*3+2] = -1
	without, err := ccd.Earliest(m, x, x, nil)
	if err != nil || without.Verdict != ccd.Separate || !math.IsInf(without.TOILo, 1) {
		t.Errorf("%+v %v", without, err)
	}
	with, err := ccd.Earliest(m, x, x, &ccd.Options{CheckStart: true})
	if err != nil || with.Kind != ccd.EdgeFace || !with.Flags.Has(ccd.InitialContact|ccd.Intersecting) ||
		with.TOILo != 0 {
		t.Errorf("%+v %v", with, err)
	}
	if some, err := ccd.Intersects(m, x, nil); !some || err != nil {
		t.Error(some, err)
	}
}

// A file, its mesh and the edges that it lists.
func TestReadSurface(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.obj")
	if err := os.WriteFile(path, []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\nl 3 4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := ccd.ReadSurface(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Mesh()
	if err != nil || m.Vertices() != 4 || len(m.Edges()) != 4 || len(s.Vertices) != 12 {
		t.Errorf("%v, %v, %v", s, m.Edges(), err)
	}
	s.Faces[0][0] = 9
	if _, err := s.Mesh(); !errors.Is(err, ccd.ErrIndex) {
		t.Error(err)
	}
}
