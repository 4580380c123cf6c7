package broad

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Ordered is a step whose vertices are in the order of the mesh (mesh.Order). A plan that is given
// one has cells of places in place of the numbers of primitives, so that a sweep reads memory in
// sequence where the mesh itself is in no order. Its workers emit pairs in the mesh's numbers, and
// beside them the places (Worker.Places), by which a caller may look up the same trajectories in
// Motion.
//
// Law: the pairs that a plan finds are the same with and without an Ordered, and so are the
// vertices of a pair and their trajectories. Proof. The samples, and so the record space and the
// grid, are those of the mesh's own numbers. The records are computed vertex by vertex from equal
// trajectories; a primitive's record is a minimum over its vertices; its cells, and whether a pair
// overlaps, depend on these records alone. The order of the entries of a cell decides only which
// pairs are found first. Edges and faces keep the order of their vertices, and pairs are put in the
// order of the mesh's own numbers.
type Ordered struct {
	Order  *mesh.Order // nil: the mesh's own order is used
	Motion geom.Trajectories
}

// Begin sets o to the step mo of a mesh, if the mesh has an order that serves it, and reports
// whether it does. The first calls on a mesh may make the order (orderFor).
func (o *Ordered) Begin(m *mesh.Mesh, mo *geom.Trajectories, threads int) (bool, error) {
	if o.Order = orderFor(m, mo); o.Order == nil {
		return false, nil
	}
	o.Motion.Reserve(mo.N)
	to, from, place := o.Motion.Rec, mo.Rec, o.Order.Vertices
	return true, inBlocks(mo.N, threads, func(_, first, last int) {
		for i := first; i < last; i++ {
			r, t := (*[8]float64)(from[8*int(place[i]):]), (*[8]float64)(to[8*i:])
			// Numbers go one by one, for a call of memmove would leave fewer loads on the way.
			t[0], t[1], t[2], t[3] = r[0], r[1], r[2], 0
			t[4], t[5], t[6], t[7] = r[4], r[5], r[6], 0
		}
	})
}

// Bytes returns the memory of the trajectories.
func (o *Ordered) Bytes() int64 { return int64(8 * cap(o.Motion.Rec)) }
