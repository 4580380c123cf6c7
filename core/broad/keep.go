package broad

import (
	"math"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// Keep says which pairs a plan keeps; each field that is not nil leaves out some. With a slab and a
// region those are kept that both own.
type Keep struct {
	Slab    *Slab
	Region  *Region
	Hulls   *geom.Trajectories // Hulls decide who owns a pair, in place of the step: see Region.
	Changed []bool             // Changed has the vertices of which a pair must have one.
	Near    *Near              // Near has what is near those vertices: nothing else is swept then.
	Excerpt *Excerpt           // Excerpt has all that is swept.
}

// everything reports whether a plan keeps all pairs that the filter allows.
func (k *Keep) everything() bool {
	return k.Slab == nil && k.Region == nil && k.Changed == nil && k.Near == nil && k.Excerpt == nil
}

// owner returns the box of space whose pairs are wanted, nil for all: a pair that a slab and a
// region own has its corner in both. The box is written to memory.
func (k *Keep) owner(memory *Region) *Region {
	if k.Slab == nil {
		return k.Region
	}
	*memory = k.Slab.region()
	if k.Region != nil {
		for axis := range 3 {
			memory.Lo[axis] = max(memory.Lo[axis], k.Region.Lo[axis])
			memory.Hi[axis] = max(memory.Lo[axis], min(memory.Hi[axis], k.Region.Hi[axis])) // It may be empty.
		}
	}
	return memory
}

// region returns the region that owns the pairs of the slab.
func (s *Slab) region() (r Region) {
	for axis := range 3 {
		r.Lo[axis], r.Hi[axis] = math.Inf(-1), math.Inf(1)
	}
	r.Lo[s.Axis], r.Hi[s.Axis] = s.Lo, s.Hi
	return r
}

// A keeper decides about pairs that a plan has found. It is made once a plan, of the mesh's filter
// and of Keep.
type keeper struct {
	m       *mesh.Mesh
	filter  *mesh.Filter
	changed []bool             // changed has the vertices of which a pair must have one, nil for all pairs.
	hulls   *geom.Trajectories // hulls decide who owns a pair.
	box     *Region            // box is the box that must own a pair, nil for all pairs.
	memory  Region             // memory is that of box.
	codes   regionCodes        // codes are those of box.
}

// begin sets the keeper to a plan.
func (k *keeper) begin(p *Plan) {
	keep := &p.how.Keep
	k.m, k.filter, k.changed, k.hulls, k.box = p.m, p.filter, keep.Changed, p.mo, keep.owner(&k.memory)
	if keep.Hulls != nil {
		k.hulls = keep.Hulls
	}
}

// encode prepares for the box, if there is one, where boxes that are up to reach apart may be found
// as a pair.
func (k *keeper) encode(reach float64, threads int) error {
	if k.box == nil {
		return nil
	}
	return k.codes.find(k.box, k.m, k.hulls, reach, threads)
}

// allowed keeps the pairs of a kind that the filter allows, in place. The kernels skip pairs that
// share a vertex, but of an edge that is paired with a vertex, or with an edge of another set, they
// test only the first vertex.
func (k *keeper) allowed(f *family, pairs [][2]int32) [][2]int32 {
	if f.kind == geom.PointEdge || f.kind == geom.EdgeEdge && !f.self || !k.filter.Trivial() {
		pairs = keep(pairs, func(a, b int32) bool { return k.filter.Allows(f.kind, a, b) })
	}
	return pairs
}

// wanted keeps the pairs of a kind that the box owns, and that concern a changed vertex, in place.
func (k *keeper) wanted(kind geom.Kind, pairs [][2]int32) [][2]int32 {
	if k.box != nil {
		pairs = k.codes.owned(kind, pairs)
	}
	if k.changed != nil {
		pairs = keep(pairs, func(a, b int32) bool { return k.concerns(kind, a, b) })
	}
	return pairs
}

// concerns reports whether a pair has a changed vertex.
func (k *keeper) concerns(kind geom.Kind, a, b int32) bool {
	s := &kind.Info().Shapes
	return touched(k.m, k.changed, s[0], a) || touched(k.m, k.changed, s[1], b)
}

// touched reports whether a vertex of a primitive changes.
func touched(m *mesh.Mesh, changed []bool, s geom.Shape, i int32) bool {
	switch s {
	case geom.Edge:
		e := &m.Edges[i]
		return changed[e[0]] || changed[e[1]]
	case geom.Face:
		f := &m.Faces[i]
		return changed[f[0]] || changed[f[1]] || changed[f[2]]
	}
	return changed[i]
}

// meets reports whether a primitive can be in a pair of the box. Both primitives of such a pair
// begin before its upper end, along each axis. The larger minimum is at least its lower end, and
// the other primitive extends to it up to the plan's reach, because a pair is found only where its
// records overlap, and one of hulls that are farther apart need not be found.
func (k *keeper) meets(of geom.Shape, id int32) bool {
	return k.codes.of[of][id]&codeMeets == codeMeets
}

// keep returns the pairs that pass the test, in place.
func keep(pairs [][2]int32, test func(a, b int32) bool) [][2]int32 {
	kept := pairs[:0]
	for _, x := range pairs {
		if test(x[0], x[1]) {
			kept = append(kept, x)
		}
	}
	return kept
}
