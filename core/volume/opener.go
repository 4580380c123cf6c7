package volume

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// opener is one goroutine's part of the method of paper 2011: it opens pairs of elements.
type opener struct {
	*volCCD
	*worker
	csat csat

	leaves    int64 // pairs of elements whose DOPs meet
	separated int64 // of these, pairs that an axis separates
	near      bool  // the two elements at hand are adjacent, or one
	a, b      part
}

// part is an element at hand: its features by the positions of their vertices among its corners.
type part struct {
	element int32
	corners []int32
	edges   []int32
	faces   []int32
	edgeAt  [18][2]int // edges by corners: a hexahedron has 18, with the diagonals of its sides
	faceAt  [mesh.MostSides][3]int
	culled  [mesh.MostCorners]bool // vertices that are apart from the other element
	gone    [18]bool               // edges that are
}

// run does a task.
func (x *opener) run(t span) {
	if t.b < 0 {
		x.answerOrphans(t)
		return
	}
	x.below(t, x.run, func(t span) { x.open(x.element(t.a), x.element(t.b)) })
}

// answerOrphans asks about a run of orphans.
func (x *opener) answerOrphans(t span) {
	if t.b == orphansVF {
		list := x.orphans.vf[orphansRun*int(t.a):]
		for _, p := range list[:min(len(list), orphansRun)] {
			x.vertexFace(p[0], p[1])
		}
		return
	}
	list := x.orphans.ee[orphansRun*int(t.a):]
	for _, p := range list[:min(len(list), orphansRun)] {
		x.edgeEdge(p[0], p[1])
	}
}

// open compares two elements, which may be one.
func (x *opener) open(a, b int32) {
	x.leaves++
	static := x.s().o.Paper.Assignment == Static
	x.near = x.inc.adjacent(a, b)
	if x.near && !static {
		return // orphans, or another pair's
	}
	axes := x.s().o.Paper.Axes
	test := !x.near && axes != NoAxes
	if test {
		x.csat.load(&x.s().mo, x.inc.v.Corners(a), x.inc.v.Corners(b), x.s().o.MinSeparation)
		if axes != PaperAxes && x.csat.elements() {
			x.separated++
			return
		}
	}
	x.take(&x.a, a)
	x.take(&x.b, b)
	if test && axes != ChungWang && x.cull() {
		x.separated++
		return
	}
	x.verticesWithFaces(&x.a, &x.b, &x.csat.a, &x.csat.b)
	if a != b {
		x.verticesWithFaces(&x.b, &x.a, &x.csat.b, &x.csat.a)
	}
	x.edgesWithEdges(a == b)
}

func (x *opener) s() *Scene { return x.volCCD.s }

// take puts an element at hand.
func (x *opener) take(p *part, e int32) {
	v := x.inc.v
	p.element, p.corners, p.edges, p.faces = e, v.Corners(e), x.inc.edges.of(e), v.Sides(e)
	position := func(vertex int32) int {
		for i, y := range p.corners {
			if y == vertex {
				return i
			}
		}
		return 0 // cannot be: an element has its features' vertices
	}
	for i, g := range p.edges {
		p.edgeAt[i] = [2]int{position(v.Edges[g][0]), position(v.Edges[g][1])}
	}
	for i, f := range p.faces {
		t := &v.Faces[f]
		p.faceAt[i] = [3]int{position(t[0]), position(t[1]), position(t[2])}
	}
	p.culled, p.gone = [mesh.MostCorners]bool{}, [18]bool{}
}

// cull is the paper's algorithm 2: vertices of either element against the other along the normal of its first face, edges of the
// first against the second along the product with its first edge (the paper picks any). It tells whether nothing is left.
func (x *opener) cull() bool {
	left := false
	for _, s := range [2]struct {
		p, o *part
		e, f *cloud
	}{{&x.a, &x.b, &x.csat.a, &x.csat.b}, {&x.b, &x.a, &x.csat.b, &x.csat.a}} {
		x.csat.vertices(s.e, s.f, s.o.faceAt[0], s.p.culled[:])
		left = left || slices.Contains(s.p.culled[:len(s.p.corners)], false)
	}
	for i := range x.a.edges {
		x.a.gone[i] = x.csat.edge(&x.csat.a, x.a.edgeAt[i], &x.csat.b, x.b.edgeAt[0])
		left = left || !x.a.gone[i]
	}
	return !left
}

// paired tells whether the paper's axes are to be tried on a pair of features.
func (x *opener) paired() bool {
	axes := x.s().o.Paper.Axes
	return !x.near && (axes == AllAxes || axes == PaperAxes)
}

func (x *opener) verticesWithFaces(p, o *part, e, f *cloud) {
	v := x.inc.v
	static, paired := x.s().o.Paper.Assignment == Static, x.paired()
	for i, a := range p.corners {
		if p.culled[i] || static && v.VertexOwner[a] != p.element {
			continue
		}
		for j, b := range o.faces {
			if static {
				if t := &v.Faces[b]; v.FaceOwner[b] != o.element || x.near && (a == t[0] || a == t[1] || a == t[2]) {
					continue
				}
			} else if !x.inc.assigned(v.Star(a), x.inc.atFace.of(b), p.element, o.element) {
				continue
			}
			if paired && x.csat.pairVF(e, i, f, o.faceAt[j]) {
				continue
			}
			x.vertexFace(a, b)
		}
	}
}

func (x *opener) edgesWithEdges(same bool) {
	v := x.inc.v
	static, paired := x.s().o.Paper.Assignment == Static, x.paired()
	for i, a := range x.a.edges {
		if x.a.gone[i] || static && v.EdgeOwner[a] != x.a.element {
			continue
		}
		for j, b := range x.b.edges {
			if static {
				if v.EdgeOwner[b] != x.b.element || x.near && (common(v.Edges[a], v.Edges[b]) || same && a <= b) {
					continue
				}
			} else if !x.ours(a, b) {
				continue
			}
			if paired && x.csat.pairEE(&x.csat.a, x.a.edgeAt[i], &x.csat.b, x.b.edgeAt[j]) {
				continue
			}
			x.edgeEdge(a, b)
		}
	}
}

// ours tells whether two edges, a of the first element and b of the second, are assigned to these. The edge that comes first in a
// contact comes first here.
func (x *opener) ours(a, b int32) bool {
	v, n := x.inc.v, &x.inc
	q := [4]int32{v.Edges[a][0], v.Edges[a][1], v.Edges[b][0], v.Edges[b][1]}
	if inOrder(&q) {
		return n.assigned(n.atEdge.of(b), n.atEdge.of(a), x.b.element, x.a.element)
	}
	return n.assigned(n.atEdge.of(a), n.atEdge.of(b), x.a.element, x.b.element)
}

// vertexFace notes a pair for the narrow phase, if both are asked for.
func (x *opener) vertexFace(a, b int32) {
	if x.vertex != nil && !(x.vertex[a] && x.face[b]) {
		return
	}
	f := &x.inc.v.Faces[b]
	x.push(geom.VertexFace, [2]int32{a, b}, [4]int32{a, f[0], f[1], f[2]})
}

func (x *opener) edgeEdge(a, b int32) {
	if x.edge != nil && !(x.edge[a] && x.edge[b]) {
		return
	}
	e, g := &x.inc.v.Edges[a], &x.inc.v.Edges[b]
	q := [4]int32{e[0], e[1], g[0], g[1]}
	if inOrder(&q) {
		a, b = b, a
	}
	x.push(geom.EdgeEdge, [2]int32{a, b}, q)
}

func (x *opener) push(kind geom.Kind, features [2]int32, q [4]int32) {
	w := x.worker
	w.overlaps[kind-1]++
	if w.s.classes.split && w.s.o.classes()&AtSplit == 0 && w.leftAtSplit(kind, &q) {
		return
	}
	p := &w.pending[kind-1]
	if p.n == batch {
		x.flush(kind)
	}
	p.grow(p.n + 1)
	p.idx[p.n], p.lanes[p.n] = q, features
	p.n++
}

// flush asks the narrow phase about what is pending.
func (x *opener) flush(kind geom.Kind) {
	w := x.worker
	p := &w.pending[kind-1]
	w.chosen, *p = *p, w.chosen
	w.answer(kind, nil, nil)
	p.n = 0
}
