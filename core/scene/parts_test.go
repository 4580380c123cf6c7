package scene

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// partOf is a part of a world.
type partOf struct {
	topology
	info PartInfo
}

// merge makes the mesh of all parts, one after the other, and the numbers that its primitives have
// in the scene.
func (w *world) merge() {
	var all topology
	all.excluded = map[geom.Kind][][2]int64{}
	w.up = [3][]int32{}
	for k, p := range w.parts {
		v, base := int32(all.nv), [3]int64{int64(all.nv), int64(len(all.edges) / 2), int64(len(all.faces) / 3)}
		for _, e := range p.edges {
			all.edges = append(all.edges, e+v)
		}
		for _, f := range p.faces {
			all.faces = append(all.faces, f+v)
		}
		for i := range p.nv {
			g, still, r := int32(-1), false, 0.0
			if p.group != nil && p.group[i] >= 0 {
				g = p.group[i] + int32(1000*k) // groups belong to a part
			}
			if p.static != nil {
				still = p.static[i]
			}
			if p.radii != nil {
				r = p.radii[i]
			}
			all.group, all.static, all.radii = append(all.group, g), append(all.static, still), append(all.radii, r)
		}
		for kind, list := range p.excluded {
			s := kind.Info().Shapes
			for _, x := range list {
				all.excluded[kind] = append(all.excluded[kind], [2]int64{x[0] + base[s[0]], x[1] + base[s[1]]})
			}
		}
		all.nv += p.nv
		for s, first := range [3]int64{p.info.FirstVertex, p.info.FirstEdge, p.info.FirstFace} {
			for i := range [3]int{p.nv, len(p.edges) / 2, len(p.faces) / 3}[s] {
				w.up[s] = append(w.up[s], int32(first)+int32(i))
			}
		}
	}
	for s, list := range w.up {
		w.down[s] = map[int32]int32{}
		for i, n := range list {
			w.down[s][n] = int32(i)
		}
	}
	w.topology = all
}

// above returns the numbers of vertices in the scene.
func (w *world) above(moved []int32) []int32 {
	out := make([]int32, len(moved))
	for i, v := range moved {
		out[i] = w.up[geom.Vertex][v]
	}
	return out
}

// below numbers impacts as in the mesh of all parts.
func (w *world) below(list []geom.Impact) {
	for i := range list {
		w.belowOne(&list[i])
	}
}

func (w *world) belowOne(im *geom.Impact) {
	if im.Verdict != geom.Separate {
		w.belowPair(im.Kind, &im.A, &im.B)
	}
}

func (w *world) belowPair(k geom.Kind, a, b *int64) {
	if k != 0 {
		s := k.Info().Shapes
		*a, *b = int64(w.down[s[0]][int32(*a)]), int64(w.down[s[1]][int32(*b)])
	}
}

// change adds or removes a part, or does neither.
func (w *world) change(t testing.TB, r *rand.Rand) bool {
	t.Helper()
	known, _ := w.s.State()
	switch r.IntN(8) {
	case 0:
		if len(w.parts) < 2 {
			return false
		}
		i := r.IntN(len(w.parts))
		p, at := w.parts[i], 0
		for _, q := range w.parts[:i] {
			at += 3 * q.nv
		}
		for v := range p.nv {
			if !w.s.state.unknown[int(p.info.FirstVertex)+v] {
				known--
			}
		}
		if err := w.s.Remove(p.info.ID); err != nil {
			t.Fatal(err)
		}
		if err := w.s.Remove(p.info.ID); !errors.Is(err, status.ErrIndex) ||
			!strings.Contains(err.Error(), "it was removed") {
			t.Fatalf("a part removed twice: %v", err)
		}
		w.gone = &world{topology: p.topology, x: slices.Clone(w.x[at : at+3*p.nv])}
		w.x = slices.Delete(w.x, at, at+3*p.nv)
		w.parts = slices.Delete(w.parts, i, i+1)
		w.removed++
		if r.IntN(2) == 0 {
			w.add(t, r)
		}
	case 1, 2, 3:
		if w.nv > 80 { // brute force takes long
			return false
		}
		w.add(t, r)
	default:
		return false
	}
	w.merge()
	w.m = w.make(t, w.static)
	var want []PartInfo
	for _, p := range w.parts {
		want = append(want, p.info)
	}
	if got := w.s.Parts(); !slices.Equal(got, want) {
		t.Fatalf("the parts are %v; want %v", got, want)
	}
	if now, _ := w.s.State(); now != known {
		t.Fatalf("%d vertices are known, not %d", now, known)
	}
	if w.s.CommitProven() == nil {
		t.Fatal("a motion is proven although a part was added or removed")
	}
	w.checkPositions(t)
	w.checkGrid(t)
	return true
}

// add adds a part: one like that removed last, which has room in its gap; sheets, rods and points;
// or a copy of another part.
func (w *world) add(t testing.TB, r *rand.Rand) {
	t.Helper()
	o := &world{topology: topology{excluded: map[geom.Kind][][2]int64{}}, size: w.size}
	if w.gone != nil {
		o.topology, o.x, w.gone = w.gone.topology, w.gone.x, nil
	} else if k := r.IntN(max(1, len(w.parts))); len(w.parts) > 0 && r.IntN(2) == 0 {
		at := 0
		for _, q := range w.parts[:k] {
			at += 3 * q.nv
		}
		o.topology = w.parts[k].topology
		o.x = slices.Clone(w.x[at : at+3*o.nv])
		for i := range o.x {
			o.x[i] += 0.1 * w.size * r.Float64()
		}
	} else {
		o.sheets(r, r.IntN(2))
		if o.nv > 0 {
			o.filters(r)
		}
	}
	m := o.make(t, o.static)
	end := int64(w.s.Extent(geom.Vertex))
	info, err := w.s.Add(m, o.x)
	if err != nil {
		t.Fatal(err)
	}
	if info.FirstVertex < end && o.nv > 0 {
		w.filled++
	}
	w.added++
	i := slices.IndexFunc(w.parts, func(p *partOf) bool {
		return p.info.FirstVertex+int64(p.nv) > info.FirstVertex || after(p.info, info)
	})
	if i < 0 {
		i = len(w.parts)
	}
	at := 0
	for _, q := range w.parts[:i] {
		at += 3 * q.nv
	}
	w.parts = slices.Insert(w.parts, i, &partOf{o.topology, info})
	w.x = slices.Insert(w.x, at, o.x...)
}

// after reports whether one of the numbers of p is above those of q.
func after(p, q PartInfo) bool {
	return p.FirstVertex > q.FirstVertex || p.FirstEdge > q.FirstEdge || p.FirstFace > q.FirstFace
}

func (w *world) checkPositions(t testing.TB) {
	t.Helper()
	at := make([]float64, 3*w.s.Extent(geom.Vertex))
	if err := w.s.Positions(at); err != nil {
		t.Fatal(err)
	}
	want := make([]float64, len(at))
	for i, v := range w.up[geom.Vertex] {
		copy(want[3*v:], w.x[3*i:3*i+3])
	}
	if !sameBits(at, want) {
		t.Fatal("the scene is elsewhere")
	}
}

// TestNumbersOfParts: numbers stay, gaps are filled by what fits, and ids never return.
func TestNumbersOfParts(t *testing.T) {
	triangle, err := mesh.New(3, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	two, err := mesh.New(6, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	at := func(z float64) []float64 { return []float64{0, 0, z, 1, 0, z, 0, 1, z} }
	s, err := New(triangle, at(0))
	if err != nil {
		t.Fatal(err)
	}
	add := func(m *mesh.Mesh, x []float64, id, vertex, edge, face int64) {
		t.Helper()
		p, err := s.Add(m, x)
		if want := (PartInfo{id, vertex, edge, face, int64(m.NV), int64(len(m.Edges)), int64(len(m.Faces))}); err !=
			nil || p != want {
			t.Fatalf("the part is %v, %v; want %v", p, err, want)
		}
	}
	remove := func(id int64) {
		t.Helper()
		if err := s.Remove(id); err != nil {
			t.Fatal(err)
		}
	}
	add(triangle, at(1), 1, 3, 3, 1)
	add(triangle, at(2), 2, 6, 6, 2)
	remove(1)
	add(two, append(at(3), at(4)...), 3, 9, 9, 3) // too large for the gap
	add(triangle, at(5), 4, 3, 3, 1)
	remove(0)
	remove(4)
	add(two, append(at(6), at(7)...), 5, 0, 0, 0)
	remove(3)
	if n := s.Extent(geom.Vertex); n != 9 {
		t.Fatalf("the vertices end at %d", n)
	}
	im, err := s.Step([]int32{6, 7, 8}, at(6.5)).Earliest(nil)
	if err != nil || im.Verdict != geom.Contact || im.TOILo != (6.0-2)/(6.5-2) && im.TOILo > 0.9 {
		t.Fatalf("%+v, %v", im, err)
	}
	remove(5)
	for _, c := range []struct {
		err  error
		text string
	}{
		{s.Remove(0), "part is 0: the scene has no such part: it was removed"},
		{s.Remove(6), "part is 6: the scene has no such part: there was none yet"},
		{s.Remove(-1), "part is -1"},
		{s.Commit([]int32{2}, []float64{0, 0, 0}), "moved[0] is 2: the part with this vertex was removed"},
		{s.Commit([]int32{9}, []float64{0, 0, 0}), "moved[0] is 9: out of range for 9 vertices"},
	} {
		if !errors.Is(c.err, status.ErrIndex) || !strings.Contains(c.err.Error(), c.text) {
			t.Errorf("%v; want %q", c.err, c.text)
		}
	}
	if _, err := s.Add(triangle, at(1)[:8]); !errors.Is(err, status.ErrArgument) {
		t.Error(err)
	}
	bad := at(1)
	bad[4] = 1e200
	if _, err := s.Add(triangle, bad); !errors.Is(err, status.ErrNonFinite) ||
		!strings.Contains(err.Error(), "x[1][1]") {
		t.Error(err)
	}
	if n := len(s.Parts()); n != 1 {
		t.Errorf("%d parts after errors", n)
	}
	if err := s.Reset(slices.Repeat([]float64{1e200}, 27)); !errors.Is(err, status.ErrNonFinite) ||
		!strings.Contains(err.Error(), "x[6][0]") {
		t.Error(err) // rows of removed vertices are not read
	}
	remove(2)
	if known, crossings := s.State(); s.Extent(geom.Face) != 0 || known != 0 || crossings != 0 {
		t.Error("an empty scene has faces")
	}
	if im, err := s.Step(nil, nil).Earliest(nil); err != nil || im.Verdict != geom.Separate {
		t.Error(im, err)
	}
	add(two, append(at(6), at(7)...), 6, 0, 0, 0)
	if im, err := s.Step([]int32{3, 4, 5}, at(5)).Earliest(nil); err != nil || im.Verdict != geom.Contact ||
		im.TOILo != 0.5 {
		t.Error(im, err)
	}
}

// TestAFilterThatIsSetLaterDoesNotConcernAPart: the mesh of a part may serve again with another
// filter; that of the scene may not.
func TestAFilterThatIsSetLaterDoesNotConcernAPart(t *testing.T) {
	m, err := mesh.New(3, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	world, _ := mesh.New(3, nil, []int32{0, 1, 2})
	at := func(z float64) []float64 { return []float64{0, 0, z, 1, 0, z, 0, 1, z} }
	s, err := New(world, at(0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(m, at(1)); err != nil {
		t.Fatal(err)
	}
	if err := m.SetRadii([]float64{0.25, 0.25, 0.25}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(m, at(3)); err != nil {
		t.Fatal(err)
	}
	im, err := s.Step([]int32{3, 4, 5}, at(-1)).Earliest(nil)
	if err != nil || im.TOILo != 0.5 {
		t.Error(im, err)
	}
	im, err = s.Step([]int32{6, 7, 8}, at(-1)).Earliest(nil) // meets the part at 1, less its radius
	if err != nil || im.TOILo < 1.7499/4 || im.TOILo > 1.75/4 {
		t.Error(im, err)
	}
	if err := world.SetStatic([]bool{true, true, true}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step([]int32{3, 4, 5}, at(-1)).Earliest(nil); !errors.Is(err, status.ErrArgument) {
		t.Error(err)
	}
	if err := s.Remove(0); err != nil {
		t.Fatal(err)
	}
	if im, err := s.Step([]int32{3, 4, 5}, at(-1)).Earliest(nil); err != nil || im.Verdict != geom.Separate {
		t.Error(im, err)
	}
}
