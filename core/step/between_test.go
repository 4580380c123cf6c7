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
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// twoGroups are groups of a mesh: each primitive is in one of them or, rarely, in neither, and the
// lists are in no order.
func twoGroups(m *mesh.Mesh, r *rand.Rand) (groups [2]Group) {
	for shape := geom.Vertex; shape <= geom.Face; shape++ {
		for _, i := range r.Perm(m.Count(shape)) {
			which := r.IntN(5)
			if which == 4 {
				continue
			}
			g := &groups[which/2]
			list := [...]*[]int32{&g.Vertices, &g.Edges, &g.Faces}[shape]
			*list = append(*list, int32(i))
		}
	}
	return groups
}

// ofGroups returns the impacts of which one primitive is in each group.
func ofGroups(groups *[2]Group, all []geom.Impact) (some []geom.Impact) {
	has := func(g *Group, s geom.Shape, i int64) bool {
		return slices.Contains([...][]int32{g.Vertices, g.Edges, g.Faces}[s], int32(i))
	}
	for _, im := range all {
		s := im.Kind.Info().Shapes
		for i := range 2 {
			if has(&groups[i], s[0], im.A) && has(&groups[1-i], s[1], im.B) {
				some = append(some, im)
			}
		}
	}
	return some
}

// betweenGroups is Step.Between of valid groups.
func betweenGroups(t *testing.T, s *Step, groups *[2]Group) *Step {
	t.Helper()
	return must[*Step](t)(s.Between(groups[0], groups[1]))
}

// sameBetween compares the calls on a step between groups with the impacts of their pairs.
func sameBetween(t *testing.T, label string, s *Step, o *Options, want []geom.Impact) {
	t.Helper()
	sameImpacts(t, label, must[[]geom.Impact](t)(s.Collisions(o)), want)
	if first := must[geom.Impact](t)(s.Earliest(o)); !sameEarliest(first, want) {
		t.Fatalf("%s: the earliest is %+v, want %+v", label, first, want[:min(1, len(want))])
	}
	sameFirstImpacts(t, label, s, o, want)
	seen := 0
	err := s.Visit(o, func(some []geom.Impact) bool { seen += len(some); return false })
	if err != nil || seen != len(want) {
		t.Fatalf("%s: %d visited, %v", label, seen, err)
	}
	safe := o.TMax
	if len(want) > 0 {
		safe = math.Max(0, math.Nextafter(want[0].TOILo, -1))
	}
	if size := must[float64](t)(s.Size(o)); size != safe {
		t.Fatalf("%s: size %v, not %v", label, size, safe)
	}
}

// A step between two groups has the impacts of all pairs whose primitives are in both, solved one
// by one: on any number of threads, within a memory limit, among candidates, in regions, along
// oriented axes, and where vertices have groups of their own or are static.
func TestStepsBetweenGroupsHaveTheBitsOfTheirPairs(t *testing.T) {
	r, found := rand.New(rand.NewPCG(51, 52)), [geom.EdgeFace + 1]int{}
	for turn, s := range slices.Concat(scenes(t), scenes(t), scenes(t)) {
		if turn%2 > 0 {
			groupSome(t, r, s.m)
		}
		groups := twoGroups(s.m, r)
		plain := DefaultOptions()
		plain.MinSeparation = 0.1 * s.size() * float64(turn%2)
		want := ofGroups(&groups, allPairs(t, &s, &plain))
		for _, im := range want {
			found[im.Kind]++
		}
		step := betweenGroups(t, Straight(s.m, s.x0, s.x1), &groups)
		for name, change := range map[string]func(o *Options){
			"one thread":    func(o *Options) { o.Threads = 1 },
			"three threads": func(o *Options) { o.Threads = 3 },
			"memory limit":  func(o *Options) { o.MemoryLimit = 1 << 14 },
			"brute force":   func(o *Options) { o.Flags |= narrow.BruteForce },
			"candidates": func(o *Options) {
				sweep := broad.Options{MinSeparation: o.MinSeparation}
				o.Candidates = must[*broad.Candidates](t)(broad.Sweep(s.m, s.motion(t), sweep))
			},
		} {
			o := plain
			change(&o)
			sameBetween(t, s.name+", "+name, step, &o, want)
		}
		reversed := betweenGroups(t, Straight(s.m, s.x0, s.x1), &[2]Group{groups[1], groups[0]})
		sameBetween(t, s.name+", groups exchanged", reversed, &plain, want)
		orient(t, broad.OrientAlways)
		sameBetween(t, s.name+", oriented", step, &plain, want)
		orient(t, broad.OrientIfItPays)
		count := 0
		for _, part := range []*Region{alongAxis(0, math.Inf(-1), 0), alongAxis(0, 0, math.Inf(1))} {
			o := plain
			o.Region = part
			count += len(must[[]geom.Impact](t)(step.Collisions(&o)))
		}
		if count != len(want) {
			t.Fatalf("%s: %d impacts in two regions, %d in the step", s.name, count, len(want))
		}
		checked := plain
		checked.CheckStart = true
		all := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &checked))
		want = ofGroups(&groups, all)
		for _, im := range want {
			if im.Kind == geom.EdgeFace {
				found[im.Kind]++
			}
		}
		sameBetween(t, s.name+", check of the start", step, &checked, want)
		checked.Flags |= narrow.BruteForce
		sameBetween(t, s.name+", check of the start by brute force", step, &checked, want)
	}
	if slices.Min(found[geom.VertexFace:]) < 1 || found[geom.VertexFace] < 100 || found[geom.EdgeFace] < 100 {
		t.Errorf("%d impacts by kind: more are needed to tell", found)
	}
}

// The same on the paths of motions.
func TestMotionsBetweenGroupsHaveTheBitsOfTheirPairs(t *testing.T) {
	r, found := rand.New(rand.NewPCG(53, 54)), 0
	uniform := func() float64 { return 2*r.Float64() - 1 }
	for turn := range 14 {
		s := soup(t, "motion", 5, uniform, 0.7)
		paths := bent(t, r, &s, 1+turn%3, 1+turn%4, 0.3)
		if turn%4 == 3 {
			paths = turning(t, r, &s, 3)
		}
		groups, o := twoGroups(s.m, r), DefaultOptions()
		o.Threads, o.MinSeparation = 1+turn%3, 0.01*float64(turn%2)
		want := ofGroups(&groups, everyPair(t, &paths, &o, nil))
		found += len(want)
		step := betweenGroups(t, Curved(s.m, paths.mo), &groups)
		label := fmt.Sprint("turn ", turn)
		sameBetween(t, label, step, &o, want)
		inSections(func() bool { sameBetween(t, label+", sections", step, &o, want); return true })
		o.Flags |= narrow.BruteForce
		sameBetween(t, label+", brute force", step, &o, want)
	}
	if found < 80 {
		t.Errorf("%d impacts: more are needed to tell", found)
	}
}

// Positions of Advance are proven for the pairs of the groups, and other pairs do not limit it. A
// step between small groups sweeps little.
func TestAdvanceBetweenGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	s := soup(t, "crowd", 60, func() float64 { return 2*r.Float64() - 1 }, 0.4)
	var groups [2]Group
	for i := range groups { // a triangle each
		v := int32(6 * i)
		groups[i] = Group{Vertices: []int32{v, v + 1, v + 2}, Faces: []int32{int32(2 * i)}}
		for e, x := range s.m.Edges {
			if x[0] >= v && x[1] < v+3 {
				groups[i].Edges = append(groups[i].Edges, int32(e))
			}
		}
	}
	var stats engine.Stats
	o := DefaultOptions()
	o.MinSeparation, o.Stats = 0.01, &stats
	x := make([]float64, len(s.x0))
	all := must[float64](t)(Straight(s.m, s.x0, s.x1).Advance(x, 0.9, &o))
	step := betweenGroups(t, Straight(s.m, s.x0, s.x1), &groups)
	alpha := must[float64](t)(step.Advance(x, 0.9, &o))
	after := betweenGroups(t, Straight(s.m, s.x0, x), &groups)
	if left := must[[]geom.Impact](t)(after.Collisions(&o)); len(left) > 0 || alpha <= all {
		t.Errorf("%v of the step, %v with all pairs; then %d impacts", alpha, all, len(left))
	}
	if n := stats.Candidates[geom.VertexFace-1] + stats.Candidates[geom.EdgeEdge-1]; n > 15 {
		t.Errorf("%d pairs of two triangles", n)
	}
	sizes := make([]float64, s.m.NV)
	must[SizesReport](t)(step.Sizes(sizes, x, nil, &o))
	after = betweenGroups(t, Straight(s.m, s.x0, x), &groups)
	if left := must[[]geom.Impact](t)(after.Collisions(&o)); len(left) > 0 || sizes[20] != 1 {
		t.Errorf("a size of %v for a vertex of no group; then %d impacts", sizes[20], len(left))
	}
}

// Wrong groups, and calls that a step between groups does not have, say so.
func TestBetweenErrors(t *testing.T) {
	s := scenes(t)[0]
	step := Straight(s.m, s.x0, s.x1)
	for want, groups := range map[string][2]Group{
		"a.vertices[1] is -1: out of range": {{Vertices: []int32{0, -1}}, {}},
		"b.faces[0] is 12: out of range":    {{}, {Faces: []int32{12}}},
		"a.edges[1] is 4: the groups have":  {{Edges: []int32{4, 4}}, {}},
		"b.edges[0] is 4: the groups have":  {{Edges: []int32{4}}, {Edges: []int32{4}}},
	} {
		_, err := step.Between(groups[0], groups[1])
		if !errors.Is(err, status.ErrIndex) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	one := betweenGroups(t, step, &[2]Group{{Vertices: []int32{0}}, {Faces: []int32{1}}})
	_, nested := one.Between(Group{}, Group{})
	_, far := one.LeastDistance(nil, nil)
	for name, err := range map[string]error{"least distance": far, "nested": nested} {
		if !errors.Is(err, status.ErrUnsupported) || !strings.HasPrefix(err.Error(), "between: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if im, err := betweenGroups(t, step, new([2]Group)).Earliest(nil); err != nil || im.Verdict != geom.Separate {
		t.Errorf("empty groups: %+v, %v", im, err)
	}
}
