package step

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// Law 10 of docs/numerics.md: a step that is proven separate keeps the set of edges and faces that
// cross. What crosses is decided by package oracle, in rational numbers; nothing is taken from
// production.

// crossings returns the edge-face pairs without a common vertex that share a point where the
// vertices of m are at x.
func crossings(m *mesh.Mesh, x []float64) map[[2]int32]bool {
	found := map[[2]int32]bool{}
	for a, e := range m.Edges {
		for b, f := range m.Faces {
			if q, ok := edgeFace(x, e, f); ok && oracle.Crossing(q) {
				found[[2]int32{int32(a), int32(b)}] = true
			}
		}
	}
	return found
}

// edgeFace returns the points of an edge and a face, unless they have a common vertex or boxes that
// are apart.
func edgeFace(x []float64, e [2]int32, f [3]int32) (q []float64, ok bool) {
	for _, v := range f {
		if v == e[0] || v == e[1] {
			return nil, false
		}
	}
	for _, v := range [5]int32{e[0], e[1], f[0], f[1], f[2]} {
		q = append(q, x[3*v:3*v+3]...)
	}
	for k := range 3 {
		if max(q[k], q[3+k]) < min(q[6+k], q[9+k], q[12+k]) || min(q[k], q[3+k]) > max(q[6+k], q[9+k], q[12+k]) {
			return nil, false
		}
	}
	return q, true
}

// touching returns a pair that touches at x, of the kinds that a step tests.
func touching(m *mesh.Mesh, x []float64) error {
	counts := [...]int{geom.Vertex: m.NV, geom.Edge: len(m.Edges), geom.Face: len(m.Faces)}
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		s := k.Info().Shapes
		for a := range int32(counts[s[0]]) {
			for b := range int32(counts[s[1]]) {
				if !m.Filter().Allows(k, a, b) {
					continue
				}
				v := m.Indices(k, a, b)
				var q []float64
				for _, i := range v {
					q = append(q, x[3*i:3*i+3]...)
				}
				if oracle.Distance(k, q).Squared.Sign() == 0 {
					return fmt.Errorf("%v %d %d touches", k, a, b)
				}
			}
		}
	}
	return nil
}

// tangle is a random mesh whose faces cross each other, as it moves: triangles that share vertices,
// and rods. Coordinates are multiples of 2^-10, so that those at the middle of the step are doubles
// too.
func tangle(t testing.TB, r *rand.Rand) scene {
	nv := 5 + r.IntN(4)
	// Small ones make degenerate triangles, and contacts that only just happen.
	side := []int{3, 8, 1 << 10, 1 << 20}[r.IntN(4)]
	speed := []int{0, 1, side / 8, side / 2}[r.IntN(4)]
	shift := float64(r.IntN(2)) * 0x1p33
	s := scene{name: "tangle"}
	for range 3 * nv {
		x := float64(2*r.IntN(side)) * 0x1p-10
		s.x0 = append(s.x0, x+shift)
		s.x1 = append(s.x1, x+float64(2*(r.IntN(2*speed+1)-speed))*0x1p-10+shift)
	}
	seen := map[[2]int32]bool{}
	var edges, faces []int32
	edge := func(a, b int) {
		if k := [2]int32{int32(min(a, b)), int32(max(a, b))}; !seen[k] {
			seen[k] = true
			edges = append(edges, k[:]...)
		}
	}
	for i := range 2 + r.IntN(2) {
		p := r.Perm(nv)[:3]
		if i == 0 {
			p = []int{0, 1, 2}
		}
		faces = append(faces, int32(p[0]), int32(p[1]), int32(p[2]))
		edge(p[0], p[1])
		edge(p[1], p[2])
		edge(p[2], p[0])
	}
	edge(nv-2, nv-1)
	var err error
	if s.m, err = mesh.New(nv, edges, faces); err != nil {
		s.m, err = mesh.New(nv, nil, faces[:3]) // the same face twice
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keepsCrossings is law 10 for a step: it returns the crossings at the start, whether the step is
// separate, and whether they changed.
func keepsCrossings(s *scene, o *Options) (before map[[2]int32]bool, separate, changed bool, err error) {
	im, err := Earliest(s.m, s.x0, s.x1, o)
	if err != nil {
		return nil, false, false, err
	}
	end := make([]float64, len(s.x0))
	for i, x := range s.x0 {
		end[i] = x + float64(o.TMax*(s.x1[i]-x)) // exact
	}
	before = crossings(s.m, s.x0)
	after := crossings(s.m, end)
	separate, changed = im.Verdict == geom.Separate, !maps.Equal(before, after)
	if !separate {
		return before, separate, changed, nil
	}
	if changed {
		err = fmt.Errorf("law 10: %v cross at the start, %v at the end of a separate step", before, after)
	} else if err = touching(s.m, end); err != nil {
		err = fmt.Errorf("law 10: at the end of a separate step %w", err)
	}
	return before, separate, changed, err
}

// law10Options draws options of any method.
func law10Options(method, norm, half byte, d float64) Options {
	o := DefaultOptions()
	o.Method = narrow.Method(method % 4)
	o.MinSeparation = d
	o.Tolerance, o.MaxIterations = 1e-4, 1000
	if norm%2 == 1 {
		o.Flags |= narrow.MaxNorm
	}
	if half%2 == 1 {
		o.TMax = 0.5
	}
	return o
}

func TestStepLaw10KeepsCrossings(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	kept, lost, n := 0, 0, 1000
	if testing.Short() {
		n = 300
	}
	for i := range n {
		s := tangle(t, r)
		d := 0.0
		if r.IntN(4) == 0 {
			d = float64(r.IntN(4)) * 0x1p-12
		}
		o := law10Options(byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), d)
		o.CallOptions = engine.CallOptions{Threads: 1 + i%2}
		before, separate, changed, err := keepsCrossings(&s, &o)
		if err != nil {
			t.Fatalf("%d: %v\noptions %+v\nedges %v faces %v\nx0 %v\nx1 %v",
				i, err, o, s.m.Edges, s.m.Faces, s.x0, s.x1)
		}
		if len(before) > 0 && separate {
			kept++
		}
		if !separate && changed {
			lost++
		}
	}
	t.Logf("of %d steps %d that are separate begin with a crossing, and %d change what crosses", n, kept, lost)
	if kept < n/20 || lost < n/20 {
		t.Errorf("of %d steps only %d that are separate begin with a crossing, and %d change what crosses",
			n, kept, lost)
	}
}

// Two vertices of one collision group may pass through each other's faces: law 10 is of pairs that
// are tested.
func TestStepLaw10NeedsThePairsToBeTested(t *testing.T) {
	s := needle(t, 0.25, -0.25)
	im, err := Earliest(s.m, s.x0, s.x1, nil)
	if err != nil || im.Verdict != geom.Contact {
		t.Fatalf("%v, %v: the needle leaves the face", im.Verdict, err)
	}
	// The upper end may pass, the needle as a whole may not.
	if err := s.m.SetGroups([]int32{1, 1, 1, 1, -1}); err != nil {
		t.Fatal(err)
	}
	im, err = Earliest(s.m, s.x0, s.x1, nil)
	if err != nil || im.Verdict != geom.Separate {
		t.Fatalf("%v, %v: the pair is skipped", im.Verdict, err)
	}
}

// needle is a face, and an edge from z = -1 up to the height from, which then moves to the height
// to.
func needle(t testing.TB, from, to float64) scene {
	t.Helper()
	s := scene{
		x0: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, from, 0.25, 0.25, -1},
		x1: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, to, 0.25, 0.25, -1},
	}
	var err error
	if s.m, err = mesh.New(5, []int32{0, 1, 1, 2, 2, 0, 3, 4}, []int32{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	return s
}

// FuzzStepLaw10 moves an edge and a face between points of a grid.
func FuzzStepLaw10(f *testing.F) {
	for i := range 8 {
		r := rand.New(rand.NewPCG(uint64(i), 11))
		raw := make([]byte, 60)
		for j := range raw {
			raw[j] = byte(r.Uint32()) & [2]byte{255, 1}[j%2]
		}
		f.Add(raw, byte(i), byte(i/4), byte(i/2), 0.0)
	}
	f.Fuzz(func(t *testing.T, raw []byte, method, norm, half byte, d float64) {
		if len(raw) < 60 || !(d >= 0 && d <= 100 && (d == 0 || d > 1e-6)) {
			return
		}
		s := needle(t, 0, 0)
		for i := range 15 {
			s.x0[i] = float64(int16(binary.LittleEndian.Uint16(raw[2*i:]))) / 32
			s.x1[i] = float64(int16(binary.LittleEndian.Uint16(raw[30+2*i:]))) / 32
		}
		o := law10Options(method, norm, half, d)
		if _, _, _, err := keepsCrossings(&s, &o); err != nil {
			t.Fatalf("%v\n%+v", err, s)
		}
	})
}
