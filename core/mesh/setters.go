package mesh

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/status"
)

// change replaces the filter by a copy that edit has changed.
func (m *Mesh) change(edit func(*Filter)) {
	m.setting.Lock()
	defer m.setting.Unlock()
	f := *m.filter.Load()
	edit(&f)
	m.filter.Store(&f)
}

// SetGroups assigns each vertex to a collision group: two vertices of one group never collide. A
// pair is tested unless all its vertices are of one group. A vertex with a negative id is in no
// group and collides with every other. A nil slice removes this filter.
func (m *Mesh) SetGroups(group []int32) error {
	if group == nil {
		m.change(func(f *Filter) { f.group = [3][]int32{} })
		return nil
	}
	if len(group) != m.NV {
		return status.Errorf(status.ErrArgument, "group has %d ids; the mesh has %d vertices", len(group), m.NV)
	}
	v := make([]int32, m.NV) // The list is not nil, even without vertices.
	for i, p := range group {
		v[i] = max(p, -1)
	}
	common := func(a, b int32) int32 {
		if a != b {
			return -1
		}
		return a
	}
	all := perPrimitive(m, v, common)
	m.change(func(f *Filter) { f.group = all })
	return nil
}

// SetComponentGroups makes every connected component a collision group.
func (m *Mesh) SetComponentGroups() error { return m.SetGroups(m.Components()) }

// SetStatic marks vertices that do not move: a pair whose vertices are all static is skipped. Nil
// removes this filter.
func (m *Mesh) SetStatic(static []bool) error {
	if static == nil {
		m.change(func(f *Filter) { f.static, f.moving = [3][]bool{}, [3][]int32{} })
		return nil
	}
	if len(static) != m.NV {
		return status.Errorf(status.ErrArgument, "static has %d values; the mesh has %d vertices", len(static), m.NV)
	}
	v := append(make([]bool, 0, m.NV), static...)
	all := perPrimitive(m, v, func(a, b bool) bool { return a && b })
	var moving [3][]int32
	for s, static := range all {
		moving[s] = others(static)
	}
	m.change(func(f *Filter) { f.static, f.moving = all, moving })
	return nil
}

// others returns the numbers of the values that are false.
func others(all []bool) []int32 {
	n := 0
	for _, x := range all {
		if !x {
			n++
		}
	}
	out := make([]int32, 0, n)
	for i, x := range all {
		if !x {
			out = append(out, int32(i))
		}
	}
	return out
}

// SetExcluded excludes these pairs (a, b) of the kind, and replaces the kind's earlier list. The
// order within an edge-edge or point-point pair does not matter.
func (m *Mesh) SetExcluded(k geom.Kind, pairs [][2]int64) error {
	if !k.Known() {
		return status.Errorf(status.ErrArgument, "kind is %d: must be %d to %d", k, geom.VertexFace, geom.EdgeFace)
	}
	keys := make([]uint64, 0, len(pairs))
	for i, p := range pairs {
		for j, x := range p {
			shape := k.Info().Shapes[j]
			if n := m.Count(shape); x < 0 || x >= int64(n) {
				return status.Errorf(status.ErrIndex, "pairs[%d][%d] is %d: out of range for %d %s",
					i, j, x, n, shape.Plural())
			}
		}
		keys = append(keys, pack(k, int32(p[0]), int32(p[1])))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	m.change(func(f *Filter) { f.excluded[k] = keys })
	return nil
}

// Components returns, for every vertex, the number of its connected component. Components are
// numbered in the order of their smallest vertices.
func (m *Mesh) Components() []int32 {
	root := make([]int32, m.NV)
	for v := range root {
		root[v] = int32(v)
	}
	find := func(v int32) int32 {
		for root[v] != v {
			root[v] = root[root[v]] // This halves the path to the root.
			v = root[v]
		}
		return v
	}
	for _, e := range m.Edges {
		a, b := find(e[0]), find(e[1])
		root[max(a, b)] = min(a, b)
	}
	id, next := make([]int32, m.NV), int32(0)
	for v := range id {
		if r := find(int32(v)); int(r) == v { // A root is the smallest vertex of its component.
			id[v] = next
			next++
		} else {
			id[v] = id[r]
		}
	}
	return id
}
