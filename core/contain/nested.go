package contain

import (
	"slices"

	"ccd/core/engine"
)

// Nested says that a connected component of a surface is inside another one, whose winding number
// around it is Winding. Components are named by their least faces.
type Nested struct {
	Inner, Outer int64
	Winding      int32
	Reserved     int32
}

// Nested returns the pairs of components of which one is inside the other, by the winding number of
// the outer one alone, and which do not share a point; ordered by (Inner, Outer). Components that
// are not closed contain nothing.
func (s *Solid) Nested(c *engine.Call) ([]Nested, error) {
	if s.Components() == 1 {
		return nil, nil
	}
	parts := make([][]int32, s.Components()) // the triangles of each component
	for i, p := range s.part {
		parts[p] = append(parts[p], int32(i))
	}
	found := make([][]Nested, len(parts))
	tasks := engine.NewTasks(0, len(parts))
	c.Progress.Part(int64(len(parts)), 1)
	err := c.Run(len(parts), func(int) {
		for i := range tasks.All() {
			found[i] = s.around(int32(i), parts[i])
			if !c.Progress.Pass(1) {
				tasks.Stop()
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// around returns the components that component i is inside of; tri are its triangles.
func (s *Solid) around(i int32, tri []int32) (out []Nested) {
	winding := make(map[int32]int32)
	r := s.rayFrom(&Point{At: s.corner[i]})
	touched := make(map[int32]bool)
	r.cast(s, i, func(part, by int32) { winding[part] += by }, func(part int32, _ Place) bool {
		touched[part] = true
		return true
	})
	for part, w := range winding {
		if w == 0 || touched[part] || !s.closed[part] {
			delete(winding, part)
		}
	}
	for _, t := range tri {
		if len(winding) == 0 {
			return nil
		}
		s.dropMeeting(t, winding)
	}
	for part, w := range winding {
		out = append(out, Nested{Inner: int64(s.firsts[i]), Outer: int64(s.firsts[part]), Winding: w})
	}
	slices.SortFunc(out, func(x, y Nested) int { return int(x.Outer - y.Outer) })
	return out
}

// dropMeeting removes the components that share a point with triangle t.
func (s *Solid) dropMeeting(t int32, components map[int32]int32) {
	same := Identity()
	var ta, tb placed
	same.place(&s.tri[t], &ta)
	box := node{lo: s.tri[t][0], hi: s.tri[t][0]}
	box.widen(&s.tri[t][1])
	box.widen(&s.tri[t][2])
	stack := []int32{0}
	for len(stack) > 0 {
		n := &s.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		if apart(&box.lo, &box.hi, n) {
			continue
		}
		if n.left != 0 {
			stack = append(stack, n.left, n.left+1)
			continue
		}
		for i := n.first; i < n.first+n.count; i++ {
			if _, wanted := components[s.part[i]]; !wanted {
				continue
			}
			if same.place(&s.tri[i], &tb); meet(&ta, &tb) == yes {
				delete(components, s.part[i])
			}
		}
	}
}
