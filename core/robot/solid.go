package robot

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// solids has what the test of containment needs: by bodies the shapes that are closed, and a vertex
// of each connected component, in the coordinates of the body's home; by targets two trees of boxes
// with these shapes and vertices.
type solids struct {
	closed  [][]solid // One for each body.
	samples [][]r3.Vec
	boxes   [][]node    // For each target: a tree over closed shapes
	shapes  [][]cluster // For each target: clusters with both corners of the box of a shape
	which   [][]solidOf
	points  [][]node    // For each target: a tree over samples
	alone   [][]cluster // For each target: clusters of one sample
}

// solid is a closed shape, and a ball around it.
type solid struct {
	x     []r3.Vec
	faces [][3]int32
	ball  ball
}

type solidOf struct{ body, shape int32 }

// closed reports whether triangles bound a solid: every edge is passed once in each direction.
func closed(faces [][3]int32) bool {
	seen := make(map[[2]int32]bool, 3*len(faces))
	for _, f := range faces {
		for k := range f {
			e := [2]int32{f[k], f[(k+1)%3]}
			if seen[e] || e[0] == e[1] {
				return false
			}
			seen[e] = true
		}
	}
	for e := range seen {
		if !seen[[2]int32{e[1], e[0]}] {
			return false
		}
	}
	return len(faces) > 0
}

// components returns the least vertex of each connected component of a shape.
func components(s *Shape) (list []int32) {
	root := make([]int32, len(s.Vertices))
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	join := func(a, b int32) {
		a, b = find(a), find(b)
		root[max(a, b)] = min(a, b)
	}
	for _, f := range s.Faces {
		join(f[0], f[1])
		join(f[1], f[2])
	}
	for _, e := range s.Edges {
		join(e[0], e[1])
	}
	for i := range root {
		if find(int32(i)) == int32(i) {
			list = append(list, int32(i))
		}
	}
	return list
}

func (r *Robot) findSolids(old *Robot) (s solids) {
	n := len(r.model.Bodies)
	s.closed, s.samples = make([][]solid, n), make([][]r3.Vec, n)
	copy(s.closed, old.solids.closed)
	copy(s.samples, old.solids.samples)
	for i := len(old.model.Bodies); i < n; i++ {
		b := &r.model.Bodies[i]
		move := func(x []r3.Vec) []r3.Vec { return x }
		if r.home[i] != b.Link && b.Link != Scene {
			move = func(x []r3.Vec) []r3.Vec { return r.moved(b.Link, x) }
		}
		for k := range b.Shapes {
			shape := &b.Shapes[k]
			x := move(shape.Vertices)
			for _, v := range components(shape) {
				s.samples[i] = append(s.samples[i], x[v])
			}
			if closed(shape.Faces) {
				s.closed[i] = append(s.closed[i], newSolid(x, shape.Faces))
			}
		}
	}
	for t := range r.targets {
		r.addSolids(&s, int32(t))
	}
	return s
}

// moved returns vertices of a link that rests, in the root's coordinates, as transfer moves them.
func (r *Robot) moved(link int, x []r3.Vec) []r3.Vec {
	list := make([]primitive, len(x))
	for i := range x {
		list[i].x = [3]r3.Vec{x[i], x[i], x[i]}
	}
	r.transfer(link, list)
	out := make([]r3.Vec, len(x))
	for i := range out {
		out[i] = list[i].x[0]
	}
	return out
}

func newSolid(x []r3.Vec, faces [][3]int32) solid {
	b := emptyBox()
	for _, f := range faces {
		for _, v := range f {
			b.add(x[v], 0)
		}
	}
	c := b.middle()
	radius := 0.0
	for _, f := range faces {
		for _, v := range f {
			radius = max(radius, lengthUp(r3.Sub(x[v], c)))
		}
	}
	far := lengthUp(c)
	return solid{x: x, faces: faces, ball: ball{c: c, r: float64(radius*(1+16*unit)) + float64(16*unit*far), far: far}}
}

// addSolids makes the trees of a target over the closed shapes and samples of its bodies.
func (r *Robot) addSolids(s *solids, t int32) {
	masks := make([]uint64, len(r.model.Bodies))
	var bodies []int32
	for _, task := range r.tasks {
		if task.target != t {
			continue
		}
		m := &r.movers[task.mover]
		for i, tested := range m.tested {
			if tested && r.isOf(t, i) {
				masks[i] |= task.mask
				bodies = append(bodies, int32(i))
			}
		}
	}
	slices.Sort(bodies)
	var shapes, alone []cluster
	var which []solidOf
	for _, i := range slices.Compact(bodies) {
		for k := range s.closed[i] {
			one, b := &s.closed[i][k], emptyBox()
			for _, f := range one.faces {
				for _, v := range f {
					b.add(one.x[v], 0)
				}
			}
			shapes = append(shapes, cluster{body: i, x: []r3.Vec{b.lo, b.hi}, r: []float64{0, 0}})
			which = append(which, solidOf{i, int32(k)})
		}
		for _, x := range s.samples[i] {
			alone = append(alone, cluster{body: i, x: []r3.Vec{x}, r: []float64{0}})
		}
	}
	s.shapes, s.which, s.alone = append(s.shapes, shapes), append(s.which, which), append(s.alone, alone)
	s.boxes = append(s.boxes, makeBoxes(shapes, numbers(len(shapes)), masks))
	s.points = append(s.points, makeBoxes(alone, numbers(len(alone)), masks))
}

// isOf reports whether a body is one of a target.
func (r *Robot) isOf(t int32, body int) bool {
	if own := r.targets[t].body; own >= 0 {
		return own == body
	}
	return r.home[body] == r.root
}

func numbers(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
