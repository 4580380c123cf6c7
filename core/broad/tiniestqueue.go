package broad

import (
	"cmp"
	"slices"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"

	"gonum.org/v1/gonum/stat"
)

// TiniestQueue finds the candidates by the sweep and tiniest queue of the 2023 paper, section 6.2 (algorithm 2), one
// thread, on boxes of doubles: the readable twin of Sweep. One queue for each family instead of one for all boxes.
func TiniestQueue(m *mesh.Mesh, mo *geom.Motion, o Options) (*Candidates, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r, filter, c := bound.Half(o.MinSeparation), m.Filter(), &Candidates{mesh: m, separation: o.MinSeparation}
	fs := families(m)
	for i, f := range fs {
		if o.Progress != nil && o.Progress(float64(i)/float64(len(fs))) {
			return nil, ErrCancelled
		}
		list := make([]swept, 0, f.a.n+f.b.n)
		for i, b := range boxes(m, mo, &f.a, r) {
			list = append(list, swept{b, f.a.id(i), false})
		}
		for i, b := range boxes(m, mo, &f.b, r) {
			list = append(list, swept{b, f.b.id(i), true})
		}
		tiniestQueue(list, func(x, y *swept) {
			if f.self && x.id > y.id || x.second {
				x, y = y, x
			}
			if x.second == y.second && !f.self || !filter.Allows(f.kind, x.id, y.id) {
				return
			}
			c.add(f.kind, x.id, y.id)
		})
	}
	c.sort()
	return c, nil
}

// swept is a box in the list that is swept, its primitive, and whether that is of the family's second set.
type swept struct {
	box    bound.Box
	id     int32
	second bool
}

// tiniestQueue emits the overlapping pairs of a list, each once. The queue holds pairs (i, j) of sorted boxes that
// overlap along the axis; pass after pass it hands on (i, j+1), so it never grows.
func tiniestQueue(list []swept, emit func(x, y *swept)) {
	axis := widestAxis(list)
	slices.SortFunc(list, func(x, y swept) int { return cmp.Compare(x.box.Min[axis], y.box.Min[axis]) })
	along := func(i, j int) bool { return j < len(list) && list[j].box.Min[axis] <= list[i].box.Max[axis] }
	var queue [][2]int
	for i := range list {
		if along(i, i+1) {
			queue = append(queue, [2]int{i, i + 1})
		}
	}
	for len(queue) > 0 {
		next := queue[:0]
		for _, p := range queue {
			x, y := &list[p[0]], &list[p[1]]
			if x.box.Overlaps(&y.box) {
				emit(x, y)
			}
			if along(p[0], p[1]+1) {
				next = append(next, [2]int{p[0], p[1] + 1})
			}
		}
		queue = next
	}
}

// widestAxis is the axis along which the boxes' centres vary most. Coordinates are scaled so that no square overflows.
func widestAxis(list []swept) int {
	best, axis := -1.0, 0
	centre := make([]float64, len(list))
	for k := range 3 {
		for i := range list {
			b := &list[i].box
			centre[i] = (float64(b.Min[k]/2) + float64(b.Max[k]/2)) / geom.MaxCoordinate
		}
		if v := stat.Variance(centre, nil); v > best {
			best, axis = v, k
		}
	}
	return axis
}
