package exact

import (
	"math"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// placed is the scratch of the kernels that compute where primitives touch. They place plain
// contacts, as nearly all are, both of lists and of single queries. Whether they refuse a contact
// depends on the query and the time alone, so the result does not depend on the stage that found
// the contact.
type placed struct {
	query [kernel.PlaceLen]int32
	toi   [kernel.PlaceLen]float64
	done  [kernel.PlaceLen]uint8
	where kernel.Places

	next, at int // the first query not placed yet, and the first placed one not used yet

	motion [32]float64 // a single query, as a motion of four vertices
	step   geom.Trajectories
	index  [1][4]int32
	batch  kernel.Batch
}

// plain reports whether a contact is inside both primitives, at a time that is no double, and at a
// root of the cubic, which is not zero throughout.
func (c *found) plain(domain geom.Domain) bool {
	return !c.exact && !c.planar && c.shape == 2 && c.floor > 0 && c.slack[0] > 0 && c.slack[1] > 0 && c.slack[2] > 0 &&
		(domain != geom.Square || c.slack[3] > 0)
}

// find computes by the kernel where the first m queries touch.
func (p *placed) find(b *kernel.Batch, m int) {
	kernel.CPU.Place(b, p.query[:m], p.toi[:m], &p.where, p.done[:m])
}

// single does the work of report for a plain contact, and reports whether the kernel could place
// it.
func (r *Resolver) single(kind geom.Kind, out *geom.Impact) bool {
	p := &r.alone
	for i := range 4 {
		copy(p.motion[8*i:], r.query[3*i:3*i+3])
		copy(p.motion[8*i+4:], r.query[12+3*i:12+3*i+3])
	}
	p.index[0] = [4]int32{0, 1, 2, 3}
	p.query[0], p.toi[0] = 0, r.found.floor
	p.step = geom.Trajectories{N: 4, Rec: p.motion[:]}
	p.batch = kernel.Batch{Kind: kind, Step: &p.step, Index: p.index[:]}
	p.find(&p.batch, 1)
	if p.done[0] == 0 {
		return false
	}
	p.report(kind, 0, out)
	return true
}

// report writes the impact in column j.
func (p *placed) report(kind geom.Kind, j int, out *geom.Impact) {
	ReportPlaced(kind, &p.where, j, p.toi[j], out)
}

// ReportPlaced writes the impact in column j of w, with a contact strictly between toi and the next
// double.
func ReportPlaced(kind geom.Kind, w *kernel.Places, j int, toi float64, out *geom.Impact) {
	*out = geom.Impact{
		Verdict: geom.Contact, Kind: kind, A: -1, B: -1,
		TOILo: toi, TOIHi: math.Float64frombits(math.Float64bits(toi) + 1),
		U: w[kernel.PlaceU][j], V: w[kernel.PlaceV][j], Width: w[kernel.PlaceWidth][j], Flags: geom.Certified,
		Point:  [3]float64{w[kernel.PlacePoint][j], w[kernel.PlacePoint+1][j], w[kernel.PlacePoint+2][j]},
		Normal: [3]float64{w[kernel.PlaceNormal][j], w[kernel.PlaceNormal+1][j], w[kernel.PlaceNormal+2][j]},
	}
}
