package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/scene"
	"ccd/core/step"
)

// scenes is a goroutine that plays random sequences on scenes: parts that are added and removed,
// motions, commits and checks. Each call is compared with the call of package step on a mesh of the
// parts, made anew: law H1.
type scenes struct {
	seeded
	sequences, calls, impacts, gaps atomic.Int64
}

func (w *scenes) step() {
	seed := w.seed()
	w.sequences.Add(1)
	w.test(seed, fmt.Sprintf("scene seed %d", seed), func() error { return w.check(seed) })
}

func (w *scenes) print() {
	fmt.Printf("scenes: %d sequences, %d calls compared, %d impacts, %d parts in a gap, %d wrong\n",
		w.sequences.Load(), w.calls.Load(), w.impacts.Load(), w.gaps.Load(), w.failures())
}

// actor is a part of a scene with what is needed to make its mesh anew. Its last groups, static
// vertices and radii are those of the scene.
type actor struct {
	info   scene.PartInfo
	m      *mesh.Mesh
	group  []int32
	static []bool
	radii  []float64
	x      []float64
}

// newActor makes a soup with random filters and radii.
func newActor(r *rand.Rand) (*actor, error) {
	m, x, _, err := ccdtest.Soup(r)
	if err != nil {
		return nil, err
	}
	a := &actor{m: m, x: x}
	for range m.NV {
		a.group, a.static, a.radii = append(a.group, -1), append(a.static, false), append(a.radii, 0)
	}
	some := r.IntN(8)
	for v := range m.NV {
		if some&1 != 0 {
			a.group[v] = int32(r.IntN(3) - 1)
		}
		if some&2 != 0 {
			a.static[v] = r.IntN(4) == 0
		}
		if some&4 != 0 {
			a.radii[v] = 0.02 * r.Float64() * math.Abs(x[3*v]-x[0])
		}
	}
	if err := m.SetGroups(a.group); err != nil {
		return nil, err
	}
	if err := m.SetStatic(a.static); err != nil {
		return nil, err
	}
	return a, m.SetRadii(a.radii)
}

// whole is the mesh of all actors, one after the other.
type whole struct {
	m    *mesh.Mesh
	x    []float64
	rest []bool
	up   [3][]int32 // number in the scene, by shape
}

func wholeOf(actors []*actor) (*whole, error) {
	w := &whole{}
	var edges, faces, group []int32
	var radii []float64
	for k, a := range actors {
		first := int32(len(w.rest))
		for _, e := range a.m.Edges {
			edges = append(edges, e[0]+first, e[1]+first)
		}
		for _, f := range a.m.Faces {
			faces = append(faces, f[0]+first, f[1]+first, f[2]+first)
		}
		for _, g := range a.group {
			if g >= 0 {
				g += int32(10 * k)
			}
			group = append(group, g)
		}
		radii, w.rest, w.x = append(radii, a.radii...), append(w.rest, a.static...), append(w.x, a.x...)
		for s, from := range [3]int64{a.info.FirstVertex, a.info.FirstEdge, a.info.FirstFace} {
			for i := range a.m.Count(geom.Shape(s)) {
				w.up[s] = append(w.up[s], int32(from)+int32(i))
			}
		}
	}
	var err error
	if w.m, err = mesh.New(len(w.rest), edges, faces); err != nil {
		return nil, err
	}
	if err := w.m.SetGroups(group); err != nil {
		return nil, err
	}
	return w, w.m.SetRadii(radii)
}

func (w *scenes) check(seed uint64) error {
	r := ccdtest.NewRand(seed, 61)
	first, err := newActor(r)
	if err != nil {
		return err
	}
	s, err := scene.New(first.m, first.x)
	if err != nil {
		return err
	}
	first.info = s.Parts()[0]
	actors := []*actor{first}
	for range 12 {
		if actors, err = w.change(r, s, actors); err != nil {
			return err
		}
		if err := w.move(r, s, actors); err != nil {
			return err
		}
		if r.IntN(4) == 0 {
			if err := s.Check(nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// change adds or removes an actor, or does neither.
func (w *scenes) change(r *rand.Rand, s *scene.Scene, actors []*actor) ([]*actor, error) {
	switch r.IntN(4) {
	case 0:
		if len(actors) > 1 {
			i := r.IntN(len(actors))
			err := s.Remove(actors[i].info.ID)
			return slices.Delete(actors, i, i+1), err
		}
	case 1:
		if len(actors) < 5 {
			a, err := newActor(r)
			if err != nil {
				return nil, err
			}
			end := s.Extent(geom.Vertex)
			if a.info, err = s.Add(a.m, a.x); err != nil {
				return nil, err
			}
			if a.info.FirstVertex < int64(end) {
				w.gaps.Add(1)
			}
			actors = append(actors, a)
			order := map[int64]int{}
			for i, p := range s.Parts() {
				order[p.ID] = i
			}
			slices.SortFunc(actors, func(a, b *actor) int { return order[a.info.ID] - order[b.info.ID] })
		}
	}
	return actors, nil
}

// move compares the calls for a random motion, and commits it in one of the ways that there are.
func (w *scenes) move(r *rand.Rand, s *scene.Scene, actors []*actor) error {
	all, err := wholeOf(actors)
	if err != nil {
		return err
	}
	var moved, names []int32
	var rows []float64
	to, rest := slices.Clone(all.x), slices.Repeat([]bool{true}, len(all.rest))
	size := 0.0
	for i := range all.x {
		size = max(size, math.Abs(all.x[i]-all.x[i%3]))
	}
	share, speed := []float64{0.1, 0.5, 1}[r.IntN(3)], size*math.Pow(10, -2*r.Float64())
	for v := range int32(len(rest)) {
		if r.Float64() > share {
			continue
		}
		moved, names, rest[v] = append(moved, v), append(names, all.up[geom.Vertex][v]), all.rest[v]
		for k := range 3 {
			if !rest[v] {
				to[3*v+int32(k)] += speed * (r.Float64() - 0.5)
			}
		}
		rows = append(rows, to[3*v:3*v+3]...)
	}
	if err := all.m.SetStatic(rest); err != nil {
		return err
	}
	o := step.DefaultOptions()
	o.Threads, o.CheckStart = 1+r.IntN(2), r.IntN(2) == 0
	o.Flags = []uint32{0, 0, narrow.MaxNorm, narrow.NoZeroTOI}[r.IntN(4)]
	if r.IntN(2) == 0 {
		o.MinSeparation = size * math.Pow(10, -1-4*r.Float64())
	}
	if r.IntN(8) == 0 {
		o.MemoryLimit = 1 << (10 + r.IntN(14))
	}
	w.calls.Add(3)
	want, err := step.Collisions(all.m, all.x, to, &o)
	if err != nil {
		return err
	}
	got, err := s.Step(names, rows).Collisions(&o)
	if err != nil {
		return err
	}
	w.impacts.Add(int64(len(want)))
	for i := range want {
		of := want[i].Kind.Info().Shapes
		want[i].A, want[i].B = int64(all.up[of[0]][want[i].A]), int64(all.up[of[1]][want[i].B])
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("law H1: collisions: %d impacts, fresh %d\n%+v", len(got), len(want), o)
	}
	y := slices.Clone(to)
	alpha, err := step.Advance(all.m, all.x, to, y, 0.9, &o)
	if err != nil {
		return err
	}
	ours, err := s.Step(names, rows).Advance(rows, 0.9, &o)
	if err != nil {
		return err
	}
	for i, v := range moved {
		if [3]float64(rows[3*i:]) != [3]float64(y[3*v:]) || ours != alpha {
			return fmt.Errorf("law H1: advance %v, fresh %v\n%+v", ours, alpha, o)
		}
	}
	if r.IntN(2) == 0 {
		err = s.CommitProven()
	} else {
		err = s.Commit(names, rows)
	}
	at := 0
	for _, a := range actors {
		at += copy(a.x, y[at:])
	}
	return err
}

// statics is a goroutine that compares steps of meshes with many static vertices with brute force.
type statics struct {
	seeded
	steps, impacts atomic.Int64
}

func (w *statics) step() {
	seed := w.seed()
	w.steps.Add(1)
	w.test(seed, fmt.Sprintf("static seed %d", seed), func() error { return w.check(seed) })
}

func (w *statics) print() {
	fmt.Printf("static vertices: %d steps, %d impacts, %d wrong\n", w.steps.Load(), w.impacts.Load(), w.failures())
}

func (w *statics) check(seed uint64) error {
	r := ccdtest.NewRand(seed, 62)
	var actors []*actor
	for range 1 + r.IntN(6) {
		a, err := newActor(r)
		if err != nil {
			return err
		}
		actors = append(actors, a)
	}
	all, err := wholeOf(actors)
	if err != nil {
		return err
	}
	to, share, at := slices.Clone(all.x), []float64{0.02, 0.1, 0.3}[r.IntN(3)], r.IntN(len(all.rest))
	rest := slices.Repeat([]bool{true}, len(all.rest))
	for v := range rest {
		if together := v >= at && float64(v-at) < share*float64(len(rest)); together || seed%2 == 0 &&
			r.Float64() < share {
			rest[v] = false
			for k := range 3 {
				to[3*v+k] += 0.2 * (r.Float64() - 0.5) * (1 + math.Abs(all.x[3*v+k]))
			}
		}
	}
	if err := all.m.SetStatic(rest); err != nil {
		return err
	}
	o := step.DefaultOptions()
	o.Threads = 1 + r.IntN(2)
	if r.IntN(2) == 0 {
		o.MinSeparation = math.Pow(10, -1-4*r.Float64())
	}
	if r.IntN(4) == 0 {
		o.MemoryLimit = 1 << (10 + r.IntN(14))
	}
	got, err := step.Collisions(all.m, all.x, to, &o)
	if err != nil {
		return err
	}
	brute := o
	brute.Flags, brute.MemoryLimit = narrow.BruteForce, 0
	want, err := step.Collisions(all.m, all.x, to, &brute)
	if err != nil {
		return err
	}
	w.impacts.Add(int64(len(want)))
	if !slices.Equal(got, want) {
		return fmt.Errorf("%d impacts, by brute force %d\n%+v", len(got), len(want), o)
	}
	return nil
}
