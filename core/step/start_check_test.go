package step

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
	"ccd/core/status"
)

// passing returns, in rational numbers, the edges and faces that an impact of kind EdgeFace is due
// for: the filter allows them, they share a point at x, and none of the five pairs in them that the
// filter allows touches.
func passing(m *mesh.Mesh, x []float64) (pairs [][2]int64, intersects bool) {
	filter := m.Filter()
	touches := func(k geom.Kind, a, b int32) bool {
		if !filter.Allows(k, a, b) {
			return false
		}
		v, q := m.Indices(k, a, b), []float64{}
		for _, i := range v {
			q = append(q, x[3*i:3*i+3]...)
		}
		return oracle.Distance(k, q).Squared.Sign() == 0
	}
	for a, e := range m.Edges {
		for b, f := range m.Faces {
			a, b := int32(a), int32(b)
			if q, ok := edgeFace(x, e, f); !ok || !filter.Allows(geom.EdgeFace, a, b) || !oracle.Crossing(q) {
				continue
			}
			intersects = true
			side := func(g int32) bool { return touches(geom.EdgeEdge, min(a, g), max(a, g)) }
			if g := m.FaceEdges[b]; !touches(geom.VertexFace, e[0], b) && !touches(geom.VertexFace, e[1], b) &&
				!side(g[0]) && !side(g[1]) && !side(g[2]) {
				pairs = append(pairs, [2]int64{int64(a), int64(b)})
			}
		}
	}
	return pairs, intersects
}

// restrict gives a mesh random filters.
func restrict(t testing.TB, r *rand.Rand, m *mesh.Mesh) {
	t.Helper()
	group, static := make([]int32, m.NV), make([]bool, m.NV)
	for i := range group {
		group[i], static[i] = int32(r.IntN(3)-1), r.IntN(2) == 0
	}
	var err error
	switch r.IntN(8) {
	case 0:
		err = m.SetGroups(group)
	case 1:
		err = m.SetStatic(static)
	case 2:
		err = m.SetExcluded(geom.EdgeFace, [][2]int64{{int64(len(m.Edges) - 1), 0}, {0, int64(len(m.Faces) - 1)}})
	case 3:
		err = m.SetExcluded(geom.VertexFace, [][2]int64{{int64(m.NV - 1), 0}, {int64(m.NV - 2), 0}, {3, 0}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// checkedStart is law 11 for a step: what Collisions lists at t = 0, and what a separate step
// proves. It returns the impacts.
func checkedStart(s *scene, o *Options) ([]geom.Impact, error) {
	own := *o
	own.CheckStart = true
	got, err := Collisions(s.m, s.x0, s.x1, &own)
	if err != nil {
		return nil, err
	}
	plain := *o
	rest, err := Collisions(s.m, s.x0, s.x1, &plain)
	if err != nil {
		return nil, err
	}
	want, intersects := passing(s.m, s.x0)
	if len(got) != len(want)+len(rest) || !slices.Equal(got[min(len(want), len(got)):], rest) {
		return got, fmt.Errorf("law 11: %d impacts, want %d that cross and %d others", len(got), len(want), len(rest))
	}
	for i, p := range want {
		im := got[i]
		if im.Kind != geom.EdgeFace || [2]int64{im.A, im.B} != p || im.TOILo != 0 || im.TOIHi != 0 ||
			im.Verdict != geom.Contact ||
			im.Flags != geom.Certified|geom.InitialContact|geom.Intersecting || im.Reserved != 0 {
			return got, fmt.Errorf("law 11: impact %d is %+v, want edge %d through face %d", i, im, p[0], p[1])
		}
	}
	initial := slices.ContainsFunc(got, func(im geom.Impact) bool {
		return im.Flags&geom.InitialContact != 0 ||
			!o.Unique()
	})
	if intersects && !initial {
		return got, errors.New("law 11: an intersection at x0, and no impact at t = 0")
	}
	return got, nil
}

// sameAnswers compares the other calls with the list.
func sameAnswers(s *scene, o *Options, list []geom.Impact) error {
	own := *o
	own.CheckStart = true
	var first geom.Impact
	if first.SetSeparate(0); len(list) > 0 {
		first = list[0]
	}
	im, err := Earliest(s.m, s.x0, s.x1, &own)
	if err != nil || im != first && o.Unique() || im.Kind == geom.EdgeFace != (first.Kind == geom.EdgeFace) {
		return fmt.Errorf("earliest %+v, %w; the list begins with %+v", im, err, first)
	}
	alpha, err := Size(s.m, s.x0, s.x1, &own)
	if err != nil || first.Kind == geom.EdgeFace && alpha != 0 {
		return fmt.Errorf("size %v, %w; the list begins with %+v", alpha, err, first)
	}
	var seen []geom.Impact
	err = Visit(s.m, s.x0, s.x1, &own, func(batch []geom.Impact) bool { seen = append(seen, batch...); return false })
	if slices.SortFunc(seen, func(x, y geom.Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	}); err != nil || !slices.Equal(seen, list) {
		return fmt.Errorf("visit: %d impacts, %w; the list has %d", len(seen), err, len(list))
	}
	_, err = ActiveSet(s.m, s.x0, s.x1, &own)
	if named := fmt.Sprintf("edge %d passes through face %d", first.A,
		first.B); first.Kind == geom.EdgeFace != (errors.Is(err, status.ErrArgument) &&
		strings.Contains(err.Error(), named)) {
		return fmt.Errorf("active set: %v; the list begins with %+v", err, first)
	}
	far := own
	far.MinSeparation = 0x1p-12
	b, err := LineSearch(s.m, s.x0, s.x1, 0.5, &far)
	if err != nil || first.Kind == geom.EdgeFace && b != (Bound{}) {
		return fmt.Errorf("line search %+v, %w; the list begins with %+v", b, err, first)
	}
	return nil
}

func TestStepLaw11CheckedStart(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	crossing, clean, n := 0, 0, 240
	if testing.Short() {
		n = long.Part(120, 3)
	}
	for i := range n {
		s := tangle(t, r)
		restrict(t, r, s.m)
		o := law10Options(byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), float64(r.IntN(2)*r.IntN(4))*0x1p-12)
		list, err := checkedStart(&s, &o)
		if err == nil {
			err = sameAnswers(&s, &o, list)
		}
		if err != nil {
			t.Fatalf("%d: %v\noptions %+v\nedges %v faces %v\nx0 %v\nx1 %v",
				i, err, o, s.m.Edges, s.m.Faces, s.x0, s.x1)
		}
		for _, call := range []engine.CallOptions{{Threads: 1}, {Threads: 3}, {MemoryLimit: 1}} {
			other := o
			other.CallOptions, other.CheckStart = call, true
			if got, err := Collisions(s.m, s.x0, s.x1, &other); err != nil || !slices.Equal(got, list) {
				t.Fatalf("%d: %+v: %v, %v; want %v", i, call, got, err, list)
			}
		}
		other := o
		other.Flags |= narrow.BruteForce
		other.CheckStart = true
		if got, err := Collisions(s.m, s.x0, s.x1, &other); err != nil || o.Unique() && !slices.Equal(got, list) {
			t.Fatalf("%d: by brute force %v, %v; want %v", i, got, err, list)
		}
		if len(list) > 0 && list[0].Kind == geom.EdgeFace {
			crossing++
		} else if len(list) == 0 {
			clean++
		}
	}
	if crossing < n/10 || clean < n/20 {
		t.Errorf("of %d steps %d begin crossing, and %d have no impact", n, crossing, clean)
	}
}

// A soup that is large enough for several tasks and threads, by all routes; and with its contact
// data held to law 9.
func TestStepLaw11OfASoup(t *testing.T) {
	long.Test(t)
	r := rand.New(rand.NewPCG(12, 2))
	s := soup(t, "crossing", 120, func() float64 { return 2*r.Float64() - 1 }, 0.01)
	for i := range s.x0 { // triangles of a tenth of the size, somewhere
		if i/3%3 > 0 && i < 1080 {
			first := i - i%9 + i%3
			s.x1[i] += s.x0[first] + 0.5*s.x0[i] - s.x0[i]
			s.x0[i] = s.x0[first] + 0.5*s.x0[i]
		}
	}
	var stats engine.Stats
	o := DefaultOptions()
	o.Stats = &stats
	list, err := checkedStart(&s, &o)
	if err != nil {
		t.Fatal(err)
	}
	o.Stats = nil
	crossing := 0
	for i := range list {
		im := &list[i]
		if im.Kind != geom.EdgeFace {
			break
		}
		crossing++
		var q []float64
		e, f := s.m.Edges[im.A], s.m.Faces[im.B]
		for _, v := range []int32{e[0], f[0], f[1], f[2], e[1], f[0], f[1], f[2]} {
			q = append(q, s.x0[3*v:3*v+3]...)
		}
		var along geom.Impact
		narrow.NewSolver().Solve(geom.VertexFace, q, &o.Options, &along)
		along.U, along.V, along.Point, along.Normal = im.U, im.V, im.Point, im.Normal
		for k := range along.Normal {
			if along.TOILo < 0.5 {
				along.Normal[k] *= -1
			}
		}
		if err := ccdtest.CheckContact(q, &o.Options, &along, ccdtest.Promise{Exact: true}); err != nil {
			t.Fatalf("%+v: %v", im, err)
		}
	}
	if crossing < 50 {
		t.Fatalf("%d crossings", crossing)
	}
	if err := sameAnswers(&s, &o, list); err != nil {
		t.Error(err)
	}
	known, err := broad.Sweep(s.m, s.motion(t), broad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []engine.CallOptions{{Threads: 1}, {Threads: 4}, {MemoryLimit: 4 << 20}} {
		for _, given := range []*broad.Candidates{nil, known} {
			other := Options{Options: o.Options, CallOptions: call, CheckStart: true, Candidates: given}
			other.Stats = &stats
			if got, err := Collisions(s.m, s.x0, s.x1, &other); err != nil || !slices.Equal(got, list) {
				t.Errorf("%+v, given %v: %d impacts, %v; want %d", call, given != nil, len(got), err, len(list))
			}
			if stats.Candidates[geom.EdgeFace-1] < int64(crossing) || stats.Impacts != int64(len(list)) {
				t.Errorf("statistics %+v; %d cross", stats, crossing)
			}
		}
	}
}

func TestStartCheckErrors(t *testing.T) {
	s := needle(t, 0.5, 0.5)
	o := DefaultOptions()
	o.CheckStart = true
	bad := slices.Clone(s.x1)
	bad[3] = 1e200
	if _, err := Earliest(s.m, s.x0, bad, &o); !errors.Is(err, status.ErrNonFinite) {
		t.Errorf("%v for an x1 that is too large", err)
	}
	if _, err := Pairs(s.m, s.x0, s.x1, geom.VertexFace, nil, &o); !errors.Is(err, status.ErrUnsupported) ||
		!strings.Contains(err.Error(), "check_start") {
		t.Errorf("%v for given pairs", err)
	}
	if err := Visit(s.m, s.x0, s.x1, &o, func([]geom.Impact) bool { return true }); !errors.Is(err,
		status.ErrCancelled) {
		t.Errorf("%v for a visitor that stops", err)
	}
	cancel := o
	cancel.Progress = func(float64) bool { return true }
	if _, err := Earliest(s.m, s.x0, s.x1, &cancel); !errors.Is(err, status.ErrCancelled) {
		t.Errorf("%v when cancelled", err)
	}
	last := 0.0
	cancel.Progress = func(f float64) bool {
		if f < last || f > 1 {
			t.Errorf("progress %v after %v", f, last)
		}
		last = f
		return false
	}
	if im, err := Earliest(s.m, s.x0, s.x1, &cancel); err != nil || im.Kind != geom.EdgeFace || im.A != 3 ||
		im.B != 0 || last != 1 {
		t.Errorf("%+v, %v; progress ends with %v", im, err, last)
	}
}

// FuzzStepLaw11 checks starts between points of a grid.
func FuzzStepLaw11(f *testing.F) {
	for i := range 8 {
		r := rand.New(rand.NewPCG(uint64(i), 12))
		raw := make([]byte, 30)
		for j := range raw {
			raw[j] = byte(r.IntN(8))
		}
		f.Add(raw, byte(i))
	}
	f.Fuzz(func(t *testing.T, raw []byte, filter byte) {
		if len(raw) < 30 {
			return
		}
		s := needle(t, 0, 0)
		for i := range 15 {
			s.x0[i], s.x1[i] = float64(int8(raw[i]))/4, float64(int8(raw[15+i]))/4
		}
		restrict(t, rand.New(rand.NewPCG(uint64(filter), binary.LittleEndian.Uint64(raw))), s.m)
		o := DefaultOptions()
		list, err := checkedStart(&s, &o)
		if err == nil {
			err = sameAnswers(&s, &o, list)
		}
		if err != nil {
			t.Fatalf("%v\n%+v", err, s)
		}
	})
}

// An edge that ends in the face, or on its side, touches: that is an impact of another kind, unless
// the filter skips it.
func TestStartCheckOfWhatOnlyTouches(t *testing.T) {
	o := DefaultOptions()
	o.CheckStart = true
	kinds := func(s *scene) (list []geom.Kind) {
		t.Helper()
		found, err := Collisions(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		for _, im := range found {
			list = append(list, im.Kind)
		}
		return list
	}
	s := needle(t, 0, 0)
	if got := kinds(&s); !slices.Equal(got, []geom.Kind{geom.VertexFace}) {
		t.Errorf("%v for an end in the face", got)
	}
	if err := s.m.SetExcluded(geom.VertexFace, [][2]int64{{3, 0}}); err != nil {
		t.Fatal(err)
	}
	if got := kinds(&s); !slices.Equal(got, []geom.Kind{geom.EdgeFace}) {
		t.Errorf("%v where the filter skips the end and the face", got)
	}
	s = needle(t, 0.5, 0.5)
	s.x0[9], s.x0[12] = 0, 0
	s.x1[9], s.x1[12] = 0, 0 // through the side from vertex 2 to vertex 0
	if got := kinds(&s); !slices.Equal(got, []geom.Kind{geom.EdgeEdge}) {
		t.Errorf("%v for an edge through a side", got)
	}
	if err := s.m.SetExcluded(geom.EdgeEdge, [][2]int64{{2, 3}}); err != nil {
		t.Fatal(err)
	}
	if got := kinds(&s); !slices.Equal(got, []geom.Kind{geom.EdgeFace}) {
		t.Errorf("%v where the filter skips both edges", got)
	}
}
