package patch

import "math"

// sharedEdge is a point or a curve in space that two patches have in common by construction, at all
// times: they always touch there. segments are where it lies in the parameters of either.
type sharedEdge struct {
	segments [2]domainSegment
	point    bool // a corner, or an edge collapsed to one: no parameter runs along it
}

// domainSegment is a segment of a patch's domain, or a point of it, with a parameter s along it:
// sign * (x[axis] - from).
type domainSegment struct {
	from, to   [2]float64
	axis       int
	zero, sign float64
	constraint int // the constraint that holds on it with equality, or -1
}

// domainEdge is one edge of a layout's domain: the direction along which it runs, the row of
// control points, the corners at its ends, the constraint that holds on it, and the direction that
// leads inwards from it at a parameter s that stands still.
type domainEdge struct {
	dir, row   int
	ends       [2]int
	constraint int
	inward     int // a direction, ^d for the opposite of d; nowhere: nothing leads inwards
}

// noDirection is the direction of v on a curve.
const noDirection = math.MinInt

var domainEdges = [...][]domainEdge{
	Curve:    {{0, 0, [2]int{0, 1}, -1, noDirection}},
	Triangle: {{0, 0, [2]int{0, 1}, 1, 1}, {1, 0, [2]int{0, 2}, 0, 0}, {2, 0, [2]int{1, 2}, 2, ^1}},
	Quad: {{0, 0, [2]int{0, 1}, 2, 1}, {0, -1, [2]int{2, 3}, 3, ^1}, {1, 0, [2]int{0, 2}, 0, 0},
		{1, -1, [2]int{1, 3}, 1, ^0}},
}

// fromCorner lists the directions that lead from a corner into the domain: every point is reached
// by steps along them.
var fromCorner = [...][][2]int{
	Curve:    {{0, noDirection}, {^0, noDirection}},
	Triangle: {{0, 1}, {^0, 2}, {^1, ^2}},
	Quad:     {{0, 1}, {^0, 1}, {0, ^1}, {^0, ^1}},
}

// edges returns the edges of the domain of a form; a point has none.
func (f Form) edges() []domainEdge {
	if f.U == 0 {
		return nil
	}
	return domainEdges[f.Shape]
}

// edgeRow returns the row of control points of an edge.
func (l *layout) edgeRow(b *domainEdge) []int32 {
	rows := l.rows[b.dir]
	if b.row < 0 {
		return rows[len(rows)-1]
	}
	return rows[b.row]
}

// cornerCount returns how many corners the domain of a form has, in the order of layout.corners.
func (f Form) cornerCount() int {
	switch {
	case f.U == 0:
		return 1
	case f.Shape == Curve:
		return 2
	case f.Shape == Triangle:
		return 3
	}
	return 4
}

// corner returns a corner of a node's domain.
func (nd *node) corner(k int) [2]float64 {
	d := &nd.domain
	if k < 3 {
		return d[k]
	}
	return [2]float64{d[1][0] + d[2][0] - d[0][0], d[1][1] + d[2][1] - d[0][1]}
}

// wholeDomain is the node of a whole domain.
var wholeDomain = node{domain: [3][2]float64{{0, 0}, {1, 0}, {0, 1}}}

// segmentBetween returns the segment between two points, s being the coordinate that changes more,
// turned to rise from the one to the other. On an edge of a domain it is counted from there, so
// that it runs from 0 to 1.
func segmentBetween(p, q [2]float64, constraint int) domainSegment {
	l := domainSegment{from: p, to: q, sign: 1, constraint: constraint}
	if math.Abs(q[1]-p[1]) > math.Abs(q[0]-p[0]) {
		l.axis = 1
	}
	if q[l.axis] < p[l.axis] {
		l.sign = -1
	}
	l.zero = p[l.axis]
	return l
}

// parameter returns the parameter of a point of the segment. Exact for the dyadic corners of nodes.
func (l *domainSegment) parameter(p [2]float64) float64 { return l.sign * (p[l.axis] - l.zero) }

// contains reports whether a corner of a node lies on the line of the segment: exact while corners
// have 26 bits.
func (l *domainSegment) contains(p [2]float64) bool {
	if l.from == l.to {
		return p == l.from
	}
	a := float64((l.to[0] - l.from[0]) * (p[1] - l.from[1]))
	return a == float64((l.to[1]-l.from[1])*(p[0]-l.from[0]))
}

// distance returns how far a place is from the segment, in parameters, and its s.
func (l *domainSegment) distance(f Form, u, v float64) (far, s float64) {
	if l.from == l.to {
		return max(math.Abs(u-l.from[0]), math.Abs(v-l.from[1])), 0
	}
	if l.constraint >= 0 {
		c := constraints[f.Shape][l.constraint]
		far = c[0] + float64(c[1]*u) + float64(c[2]*v)
	}
	return far, l.parameter([2]float64{u, v})
}

// findShared appends what two patches have in common: edges whose control points coincide one by
// one at both ends of the step, with weights equal up to a factor, and corners and collapsed edges
// that coincide and are not ends of such an edge. same means that b is a itself: then different
// parts of it are compared, and a collapsed edge meets itself, for its points are one.
func findShared(a, b *Patch, same bool, list []sharedEdge) []sharedEdge {
	la, lb := layoutOf(a.Form), layoutOf(b.Form)
	ea, eb := a.Form.edges(), b.Form.edges()
	var joined [4][4]bool // corners that a common edge joins
	for x := range ea {
		if collapsed(a, la.edgeRow(&ea[x])) {
			continue
		}
		from := 0
		if same {
			from = x + 1
		}
		for y := from; y < len(eb); y++ {
			equal, turned := a.sameCurve(la.edgeRow(&ea[x]), b, lb.edgeRow(&eb[y]))
			if !equal {
				continue
			}
			p, q := ea[x].ends, eb[y].ends
			if turned {
				q[0], q[1] = q[1], q[0]
			}
			joined[p[0]][q[0]], joined[p[1]][q[1]] = true, true
			h := sharedEdge{}
			h.segments[0] = segmentBetween(wholeDomain.corner(p[0]), wholeDomain.corner(p[1]), ea[x].constraint)
			h.segments[1] = segmentBetween(wholeDomain.corner(q[0]), wholeDomain.corner(q[1]), eb[y].constraint)
			list = append(list, h)
		}
	}
	pa, na := a.vertices(la)
	pb, nb := b.vertices(lb)
	for x := range na {
		for y := range nb {
			p, q := &pa[x], &pb[y]
			switch {
			case same && (y < x || y == x && p.segment.from == p.segment.to):
			case p.corner >= 0 && q.corner >= 0 && joined[p.corner][q.corner]:
			case a.point(p.index) == b.point(q.index):
				list = append(list, sharedEdge{segments: [2]domainSegment{p.segment, q.segment}, point: true})
			}
		}
	}
	return list
}

// vertex is a corner of a patch, or an edge collapsed to a point.
type vertex struct {
	index   int32
	corner  int
	segment domainSegment
}

// vertices returns the points that a patch may have in common with others: collapsed edges, and
// corners at none of them.
func (p *Patch) vertices(l *layout) (list [4]vertex, n int) {
	var taken [4]bool
	edges := p.Form.edges()
	for i := range edges {
		e := &edges[i]
		if row := l.edgeRow(e); collapsed(p, row) {
			list[n] = vertex{row[0], -1,
				segmentBetween(wholeDomain.corner(e.ends[0]), wholeDomain.corner(e.ends[1]), e.constraint)}
			taken[e.ends[0]], taken[e.ends[1]] = true, true
			n++
		}
	}
	for k := range p.Form.cornerCount() {
		if at := wholeDomain.corner(k); !taken[k] {
			list[n] = vertex{l.corners[k], k, domainSegment{from: at, to: at, constraint: -1}}
			n++
		}
	}
	return list, n
}

// point returns a control point at both ends of the step.
func (p *Patch) point(i int32) (x [6]float64) {
	copy(x[:3], p.X0[3*i:])
	copy(x[3:], p.X1[3*i:3*i+3])
	return x
}

// collapsed reports whether the control points of a row are one.
func collapsed(p *Patch, row []int32) bool {
	for _, i := range row[1:] {
		if p.point(i) != p.point(row[0]) {
			return false
		}
	}
	return true
}

// sameCurve reports whether two rows are the same curve, forwards or turned.
func (p *Patch) sameCurve(row []int32, q *Patch, other []int32) (equal, turned bool) {
	n := len(row)
	if n != len(other) {
		return false, false
	}
	match := func(at func(k int) int32) bool {
		w, v := p.weight(row[0]), q.weight(at(0))
		for k, i := range row {
			if p.point(i) != q.point(at(k)) ||
				math.Abs(float64(p.weight(i)*v)-float64(q.weight(at(k))*w)) > 0x1p-50*p.weight(i)*v {
				return false
			}
		}
		return true
	}
	if match(func(k int) int32 { return other[k] }) {
		return true, false
	}
	return match(func(k int) int32 { return other[n-1-k] }), true
}

func (p *Patch) weight(i int32) float64 {
	if p.W == nil {
		return 1
	}
	return p.W[i]
}
