package broad

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// useOrder sets the layer to the places of an order.
func (l *layer) useOrder(o *mesh.Order) {
	switch l.Shape {
	case geom.Vertex:
		l.numbers = o.Vertices
	case geom.Edge:
		l.places, l.numbers = flat(o.Edges), o.EdgeIDs
	case geom.Face:
		l.places, l.numbers = flat(o.Faces), o.FaceIDs
	}
}

// Places returns the pairs of the block that is being emitted as places of the plan's Ordered, nil
// if it has none. They belong to the worker.
func (w *Worker) Places() [][2]int32 {
	if len(w.places) == 0 {
		return nil
	}
	return w.places
}

// collectPlaces is collect for a plan with an Ordered.
func (w *Worker) collectPlaces(p *Plan, f *familyPlan, found [][2]int32, b *cellList) {
	a := &w.a
	from := len(w.block)
	out, places := w.block[from:from+len(found)], grow(&w.places, BlockLen)[from:from+len(found)]
	if f.kind.Info().Symmetric() {
		for k, x := range found {
			i, j := a.numbers[x[0]], b.numbers[x[1]]
			out[k] = [2]int32{min(i, j), max(i, j)}
			s, t := a.ids[x[0]], b.ids[x[1]]
			swap := (s ^ t) & ((j - i) >> 31) // no branch: which is less is as good as random
			places[k] = [2]int32{s ^ swap, t ^ swap}
		}
	} else {
		for k, x := range found {
			out[k] = [2]int32{a.numbers[x[0]], b.numbers[x[1]]}
			places[k] = [2]int32{a.ids[x[0]], b.ids[x[1]]}
		}
	}
	kept := len(found)
	if keeps := &p.keeps; !keeps.filter.Trivial() || keeps.changed != nil {
		kept = 0
		for i, x := range out {
			if keeps.allows(f.kind, x[0], x[1]) {
				out[kept], places[kept] = x, places[i]
				kept++
			}
		}
	}
	w.block, w.places = w.block[:from+kept], w.places[:from+kept]
	w.Kept += int64(kept)
}
