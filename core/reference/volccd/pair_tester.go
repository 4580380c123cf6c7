package volccd

import (
	"slices"

	"ccd/core/mesh"
	"ccd/core/volume"
)

// pairTester is the state of one goroutine: it compares pairs of elements.
type pairTester struct {
	*state
	sink volume.Sink
	csat csat

	leaves    int64 // pairs of elements whose DOPs meet
	separated int64 // pairs among these that an axis separates
	near      bool  // the current two elements are adjacent, or the same
	a, b      elementView
}

// elementView is one of the current two elements, with its features by the positions of their
// vertices among its corners.
type elementView struct {
	element int32
	corners []int32
	edges   []int32
	faces   []int32
	edgeAt  [18][2]int // edges by corners: a hexahedron has 18, with the diagonals of its sides
	faceAt  [mesh.MostSides][3]int
	culled  [mesh.MostCorners]bool // vertices that are apart from the other element
	gone    [18]bool               // edges that are apart from it
}

// run runs a task.
func (x *pairTester) run(t nodePair) {
	if t.b < 0 {
		x.testOrphans(t)
		return
	}
	x.below(t, x.run, func(t nodePair) { x.openPair(x.element(t.a), x.element(t.b)) })
}

// testOrphans tests a run of orphans.
func (x *pairTester) testOrphans(t nodePair) {
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

// openPair compares two elements, which may be the same.
func (x *pairTester) openPair(a, b int32) {
	x.leaves++
	static := x.o.Assignment == Static
	x.near = x.inc.adjacent(a, b)
	if x.near && !static {
		return // their pairs are orphans, or assigned to other elements
	}
	axes := x.o.Axes
	test := !x.near && axes != NoAxes
	if test {
		x.csat.load(x.call.Motion, x.inc.v.Corners(a), x.inc.v.Corners(b), x.call.Options.MinSeparation)
		if axes != PaperAxes && x.csat.elements() {
			x.separated++
			return
		}
	}
	x.view(&x.a, a)
	x.view(&x.b, b)
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

// view loads an element.
func (x *pairTester) view(p *elementView, e int32) {
	v := x.inc.v
	p.element, p.corners, p.edges, p.faces = e, v.Corners(e), x.inc.edges.of(e), v.Sides(e)
	position := func(vertex int32) int {
		for i, y := range p.corners {
			if y == vertex {
				return i
			}
		}
		return 0 // unreachable: an element has its features' vertices
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

// cull is the paper's algorithm 2. It tests the vertices of either element against the other along
// the normal of its first face, and the edges of the first against the second along the product
// with its first edge (the paper picks any). It reports whether nothing is left.
func (x *pairTester) cull() bool {
	left := false
	for _, s := range [2]struct {
		p, o *elementView
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

// paired reports whether pairs of features are tested along the paper's axes.
func (x *pairTester) paired() bool {
	axes := x.o.Axes
	return !x.near && (axes == AllAxes || axes == PaperAxes)
}

func (x *pairTester) verticesWithFaces(p, o *elementView, e, f *cloud) {
	v := x.inc.v
	static, paired := x.o.Assignment == Static, x.paired()
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

func (x *pairTester) edgesWithEdges(same bool) {
	v := x.inc.v
	static, paired := x.o.Assignment == Static, x.paired()
	for i, a := range x.a.edges {
		if x.a.gone[i] || static && v.EdgeOwner[a] != x.a.element {
			continue
		}
		for j, b := range x.b.edges {
			if static {
				if v.EdgeOwner[b] != x.b.element || x.near && (common(v.Edges[a], v.Edges[b]) || same && a <= b) {
					continue
				}
			} else if !x.assigned(a, b) {
				continue
			}
			if paired && x.csat.pairEE(&x.csat.a, x.a.edgeAt[i], &x.csat.b, x.b.edgeAt[j]) {
				continue
			}
			x.edgeEdge(a, b)
		}
	}
}

// assigned reports whether two edges, a of the first element and b of the second, are assigned to
// these elements. The edge that comes first in a contact comes first here.
func (x *pairTester) assigned(a, b int32) bool {
	v, n := x.inc.v, &x.inc
	if v.Edges[a][1] >= v.Edges[b][1] { // volume.Sink orders the edges in the same way.
		return n.assigned(n.atEdge.of(b), n.atEdge.of(a), x.b.element, x.a.element)
	}
	return n.assigned(n.atEdge.of(a), n.atEdge.of(b), x.a.element, x.b.element)
}

// vertexFace passes a pair to the narrow phase if both features are wanted.
func (x *pairTester) vertexFace(a, b int32) {
	if x.vertex == nil || x.vertex[a] && x.face[b] {
		x.sink.VertexFace(a, b)
	}
}

func (x *pairTester) edgeEdge(a, b int32) {
	if x.edge == nil || x.edge[a] && x.edge[b] {
		x.sink.EdgeEdge(a, b)
	}
}
