package proximity

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// scene returns a random mesh with codimensional parts and a frame of it.
func scene(t testing.TB, r *rand.Rand, nv int, x []float64) *mesh.Mesh {
	used := map[[2]int32]bool{}
	edges, faces := []int32{}, []int32{}
	edge := func(a, b int32) {
		if k := [2]int32{min(a, b), max(a, b)}; !used[k] {
			used[k] = true
			edges = append(edges, a, b)
		}
	}
	seen := map[[3]int32]bool{}
	for range nv * 2 / 3 {
		p := r.Perm(nv)[:3]
		slices.Sort(p)
		f := [3]int32{int32(p[0]), int32(p[1]), int32(p[2])}
		if !seen[f] {
			seen[f] = true
			faces = append(faces, f[:]...)
			edge(f[0], f[1])
			edge(f[1], f[2])
			edge(f[2], f[0])
		}
	}
	for range r.IntN(4) {
		p := r.Perm(nv)
		edge(int32(p[0]), int32(p[1]))
	}
	m, err := mesh.New(nv, edges, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sheet returns an n x n grid of vertices with two triangles a square, at z = height(i, j).
func sheet(n int, height func(i, j int) float64) (faces []int32, x []float64) {
	for i := range n {
		for j := range n {
			x = append(x, float64(i), float64(j), height(i, j))
			if i+1 < n && j+1 < n {
				a := int32(i*n + j)
				faces = append(faces, a, a+1, a+int32(n), a+1, a+int32(n)+1, a+int32(n))
			}
		}
	}
	return faces, x
}

// Law "Complete" of the package, over every family of points: intersections are there, if and only
// if an edge and a face cross, or a pair of the families of a step touches. Half of the sweeps
// compare boxes along other directions than the axes.
func TestIntersectionsAreComplete(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	w := new(worker)
	seen := map[bool]int{}
	hinged := 0
	defer func(before broad.Orientation) { orientation = before }(orientation)
	for i := range 1500 {
		orientation = []broad.Orientation{broad.AlongAxes, broad.OrientAlways, broad.DivideAlways}[i/2%3]
		f := families[i%len(families)]
		nv := 4 + r.IntN(3)
		x := f.make(r, nv)
		m := scene(t, r, nv, x)
		got, err := Intersections(m, x, &Options{CallOptions: engine.CallOptions{Threads: 1 + i%3}})
		if err != nil {
			t.Fatal(err)
		}
		brute, err := Intersections(m, x, &Options{BruteForce: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, brute) {
			t.Fatalf("%s: %v, by brute force %v", f.name, got, brute)
		}
		some, err := Intersects(m, x, nil)
		if err != nil || some != (len(got) > 0) {
			t.Fatalf("%s: Intersects says %v, %v; there are %d", f.name, some, err, len(got))
		}
		want := false
		for _, p := range products(m, false) {
			for _, a := range p.a {
				for _, b := range p.b {
					want = want || m.Filter().Allows(p.kind, a, b) && touches(w, m, x, p.kind, a, b)
				}
			}
		}
		for a := range int32(len(m.Edges)) {
			for b := range int32(len(m.Faces)) {
				want = want || m.Filter().Allows(geom.EdgeFace, a, b) && crosses(w, m, x, a, b)
			}
		}
		if some != want {
			t.Fatalf("%s: %v, want %v: vertices %v edges %v faces %v", f.name, got, want, x, m.Edges, m.Faces)
		}
		seen[some]++
		if some && got[0].Kind != geom.EdgeFace {
			hinged++
		}
	}
	if seen[false] < 50 || seen[true] < 50 || hinged < 10 {
		t.Errorf("scenes with and without intersections: %v; %d without an edge-face pair", seen, hinged)
	}
}

func touches(w *worker, m *mesh.Mesh, x []float64, k geom.Kind, a, b int32) bool {
	v := m.Indices(k, a, b)
	var q []float64
	for _, i := range v[:k.Points()] {
		q = append(q, x[3*i:3*i+3]...)
	}
	return w.touching(k, append(q, q...))
}

func crosses(w *worker, m *mesh.Mesh, x []float64, a, b int32) bool {
	var q []float64
	for _, i := range append(append([]int32{}, m.Edges[a][:]...), m.Faces[b][:]...) {
		q = append(q, x[3*i:3*i+3]...)
	}
	return w.crosses(q)
}

func (w *worker) crosses(q []float64) bool {
	crosses, _ := w.resolver.Crosses((*[15]float64)(q))
	return crosses
}

// Two triangles on a common edge, folded flat onto each other: no edge and face without a common
// vertex meet.
func TestIntersectionsSeeAFlatFold(t *testing.T) {
	m, err := mesh.New(4, nil, []int32{0, 1, 2, 1, 0, 3})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 0, 1, 0, 0, 0.25, 1, 0, 0.5, 0.5, 0}
	got, err := Intersections(m, x, nil)
	if want := (Intersection{Kind: geom.VertexFace, A: 3, B: 0}); err != nil || !slices.Contains(got, want) {
		t.Errorf("%v, %v: want %v", got, err, want)
	}
	x[11] = 0x1p-1000
	if some, err := Intersects(m, x, nil); some || err != nil {
		t.Errorf("%v, %v for an open fold", some, err)
	}
}

func TestNearIsWhatEveryPairSays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	w := new(worker)
	for i := range 180 {
		f := families[i%len(families)]
		nv := 3 + r.IntN(4)
		x := f.make(r, nv)
		m := scene(t, r, nv, x)
		var every []NearPair
		for _, p := range products(m, false) {
			for _, a := range p.a {
				for _, b := range p.b {
					if !m.Filter().Allows(p.kind, a, b) || p.self && b <= a {
						continue
					}
					v := m.Indices(p.kind, a, b)
					var q []float64
					for _, j := range v[:p.kind.Points()] {
						q = append(q, x[3*j:3*j+3]...)
					}
					n := enclosed(w, p.kind, q)
					n.A, n.B = int64(a), int64(b)
					every = append(every, n)
				}
			}
		}
		slices.SortFunc(every, byPair)
		d := 0.0
		if len(every) > 0 && i%4 > 0 {
			d = every[r.IntN(len(every))].Hi * []float64{0, 1, 0.9, 2}[i%4]
		}
		if d > geom.MaxCoordinate {
			continue
		}
		want := slices.DeleteFunc(slices.Clone(every), func(n NearPair) bool { return n.Lo > d })
		for _, o := range []Options{{CallOptions: engine.CallOptions{Threads: 1}},
			{CallOptions: engine.CallOptions{Threads: 3}}, {BruteForce: true},
			{CallOptions: engine.CallOptions{MemoryLimit: 1}}} {
			got, err := Near(m, x, d, &o)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s, d = %v, %+v: %v\ngot  %v\nwant %v", f.name, d, o, err, got, want)
			}
		}
	}
}

func TestOptionsAndErrors(t *testing.T) {
	faces, x := sheet(40, func(i, j int) float64 { return math.Sin(float64(i * j)) })
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	bad := slices.Clone(x)
	bad[7] = math.NaN()
	calls := map[string]func(x []float64, o *Options) error{
		"intersections": func(x []float64, o *Options) error { _, err := Intersections(m, x, o); return err },
		"intersects":    func(x []float64, o *Options) error { _, err := Intersects(m, x, o); return err },
		"distance":      func(x []float64, o *Options) error { _, err := Distance(m, x, o); return err },
		"near":          func(x []float64, o *Options) error { _, err := Near(m, x, 0.5, o); return err },
	}
	for name, call := range calls {
		var s engine.Stats
		if err := call(x, &Options{CallOptions: engine.CallOptions{Stats: &s, Threads: 2}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if s.Threads != 2 || s.Boxes != int64(m.NV+len(m.Edges)+len(m.Faces)) || s.SecondsTotal <= 0 ||
			s.PeakBytes <= 0 {
			t.Errorf("%s: statistics %+v", name, s)
		}
		if err := call(x, &Options{CallOptions: engine.CallOptions{Progress: func(float64) bool {
			return true
		}}}); !errors.Is(err, status.ErrCancelled) {
			t.Errorf("%s: %v when cancelled", name, err)
		}
		for _, c := range []struct {
			err  error
			kind error
			text string
		}{
			{call(x[:6], nil), status.ErrArgument, "x has 6 coordinates"},
			{call(bad, nil), status.ErrNonFinite, "x[2][1] is NaN"},
			{call(x, &Options{CallOptions: engine.CallOptions{Threads: -1}}), nil, "options.threads is -1"},
		} {
			if c.err == nil || !strings.Contains(c.err.Error(), c.text) || c.kind != nil && !errors.Is(c.err, c.kind) {
				t.Errorf("%s: %v, want %q", name, c.err, c.text)
			}
		}
	}
	for _, d := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := Near(m, x, d, nil); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("d is %v", d)) {
			t.Errorf("d = %v: %v", d, err)
		}
	}
}
