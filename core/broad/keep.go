package broad

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// A keeper decides about pairs that a plan has found. It is made once a plan, of the mesh's filter
// and of Keep.
type keeper struct {
	m       *mesh.Mesh
	filter  *mesh.Filter
	plain   bool               // plain is true if the hierarchy finds no pair that the filter does not allow.
	changed []bool             // changed has the vertices of which a pair must have one, nil for all pairs.
	hulls   *geom.Trajectories // hulls decide who owns a pair.
	box     *Region            // box is the box that must own a pair, nil for all pairs.
	memory  Region             // memory is that of box.
	codes   regionCodes        // codes are those of box.
	pieces  *pieces            // pieces have the primitives that those of the plan are pieces of, nil for none.
}

// begin sets the keeper to a plan.
func (k *keeper) begin(m *mesh.Mesh, mo *geom.Trajectories, filter *mesh.Filter, keep *Keep) {
	k.m, k.filter, k.changed, k.hulls, k.box = m, filter, keep.Changed, mo, keep.owner(&k.memory)
	k.pieces, k.plain = nil, false
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
	if f.kind == geom.PointEdge || f.kind == geom.EdgeEdge && !f.self || !k.plain && !k.filter.Trivial() {
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

// allows reports whether the filter allows a pair and it concerns a changed vertex.
func (k *keeper) allows(kind geom.Kind, a, b int32) bool {
	return k.filter.Allows(kind, a, b) && (k.changed == nil || k.concerns(kind, a, b))
}

// concerns reports whether a pair has a changed vertex.
func (k *keeper) concerns(kind geom.Kind, a, b int32) bool {
	s := &kind.Info().Shapes
	return touched(k.m, k.changed, s[0], a) || touched(k.m, k.changed, s[1], b)
}

// meets reports whether a primitive can be in a pair of the box. Both primitives of such a pair
// begin before its upper end, along each axis. The larger minimum is at least its lower end, and
// the other primitive extends to it up to the plan's reach, because a pair is found only where its
// records overlap, and one of hulls that are farther apart need not be found.
func (k *keeper) meets(of geom.Shape, id int32) bool {
	return k.codes.of[of][id]&codeMeets == codeMeets
}
