package scene

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// view is the mesh and the motion that a call passes to package step.
type view struct {
	m      *mesh.Mesh
	x0, x1 []float64
	y      []float64 // room for positions
}

// viewer makes views.
type viewer struct{ last view }

// of returns the view of a motion: the whole mesh, of which all vertices are static but those in moved that satisfy moves.
func (w *viewer) of(s *Scene, moved []int32, x1 []float64, moves func(v int32) bool) *view {
	rest := make([]bool, s.m.NV)
	for i := range rest {
		rest[i] = true
	}
	to := append([]float64(nil), s.x...)
	for i, v := range moved {
		rest[v] = !moves(v)
		copy(to[3*v:3*v+3], x1[3*i:3*i+3])
	}
	w.last = view{m: s.m.AtRest(rest), x0: s.x, x1: to, y: w.last.y}
	return &w.last
}

func (w *viewer) forget()      {}
func (w *viewer) move([]int32) {}

// name gives an impact the indices of the scene's mesh.
func (v *view) name(*geom.Impact) {}

// at returns the row of a vertex of the scene.
func (v *view) at(vertex int32) int32 { return vertex }

// room returns an array for positions of the view.
func (v *view) room() []float64 {
	v.y = append(v.y[:0], v.x1...)
	return v.y
}

// rows copies the rows of the vertices moved from positions of the view.
func (v *view) rows(moved []int32, from, to []float64) {
	for i, w := range moved {
		r := 3 * v.at(w)
		copy(to[3*i:3*i+3], from[r:r+3])
	}
}

// groups returns the groups of the view's vertices from those of the vertices moved, whose ids are less than below: new ids, in the order in which
// the old ones occur.
func (v *view) groups(moved, given []int32, below int) ([]int32, error) {
	if given == nil {
		return nil, nil
	}
	if len(given) != len(moved) {
		return nil, status.Errorf(status.ErrArgument, "groups has %d ids; moved has %d vertices", len(given), len(moved))
	}
	out, ids := make([]int32, v.m.NV), map[int32]int32{}
	for i := range out {
		out[i] = -1
	}
	for i, g := range given {
		if int(g) >= below {
			return nil, status.Errorf(status.ErrIndex, "groups[%d] is %d: must be less than the number of vertices, %d", i, g, below)
		}
		if g < 0 {
			continue
		}
		id, known := ids[g]
		if !known {
			id = int32(len(ids))
			ids[g] = id
		}
		out[v.at(moved[i])] = id
	}
	return out, nil
}
