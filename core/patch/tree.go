package patch

import (
	"math"

	"ccd/core/trim"
)

// tree holds a patch and the subpatches made of it by halving, each once. Its arrays grow and are
// kept from query to query.
//
// The control points of a node are pad doubles each of x, y, z and of the displacements over the
// whole step vx, vy, vz (and of the weights, if rational), so that kernels can run over them;
// places beyond the n points repeat the first one.
type tree struct {
	*layout
	rational bool
	nodes    []node
	points   []float64
	stride   int
	mag      float64 // M of the bounds: |p| + |v| is at most M in every coordinate of every control point

	// Of patches that may have neighbors: down to this width of parameters subpatches are those of
	// a regular grid.
	coarse    float64
	collapsed []domainSegment // edges whose control points are one
}

// node is a subpatch. child is the first of its two halves, which lie side by side, or 0.
//
// err bounds, in every coordinate and at every time of the step, how far a control point p + t v
// lies from that of the subpatch meant, had nothing been rounded since the caller's numbers; werr
// bounds the relative error of the weights.
type node struct {
	child     int32
	cut       trim.Place    // where it lies with respect to the loops of its face, once cutOf has said so
	clip      int32         // 0: not tried, -1: none, else one more than the number of its clip: see clipOf
	across    int32         // the first of the halves along the other direction of a quad, or 0: see halveAlong
	dir       int8          // direction to halve; -1: as small as doubles go. It and size are read through tree.node
	domain    [3][2]float64 // first corner, end of u, end of v; see layout
	size      float64       // square of a length: the longest row of the net, at either end of the step
	err, werr float64
}

// leastEdge is the least edge of a parameter domain: its midpoint, and those of two more halvings,
// are still doubles.
const leastEdge = 0x1p-50

// at returns the array of component k (x y z vx vy vz w) of a node.
func (t *tree) at(id int32, k int) []float64 {
	o := int(id)*t.stride + k*t.pad
	return t.points[o : o+t.pad : o+t.pad]
}

// reset starts a tree on a patch of layout l; the caller fills the root's points (node 0) and calls
// complete.
func (t *tree) reset(l *layout, rational bool) {
	t.layout, t.rational = l, rational
	t.stride = 6 * l.pad
	if rational {
		t.stride += l.pad
	}
	t.nodes, t.points = t.nodes[:0], t.points[:0]
	t.addNode()
}

// addNode appends a node and returns its number.
func (t *tree) addNode() int32 {
	n := len(t.nodes)
	t.nodes = append(t.nodes, node{})
	need := (n + 1) * t.stride
	if need > cap(t.points) {
		bigger := make([]float64, need, 2*need+16*t.stride)
		copy(bigger, t.points)
		t.points = bigger
	}
	t.points = t.points[:need]
	return int32(n)
}

// complete completes the root, whose points are written; err and werr are their errors.
func (t *tree) complete(err, werr float64) {
	t.mag = 0
	for k := range 3 {
		p, v := t.at(0, k), t.at(0, 3+k)
		x, y := 0.0, 0.0
		for i := range t.n {
			x, y = max(x, math.Abs(p[i])), max(y, math.Abs(v[i]))
		}
		t.mag = max(t.mag, x+y)
	}
	r := &t.nodes[0]
	r.err, r.werr = err, werr
	r.domain = [3][2]float64{{0, 0}, {1, 0}, {0, 1}}
	t.finish(0)
}

// finish repeats the first point in the padding. Nodes are measured when they are taken up: most
// never are.
func (t *tree) finish(id int32) {
	for k := range t.stride / t.pad {
		c := t.at(id, k)
		for i := t.n; i < t.pad; i++ {
			c[i] = c[0]
		}
	}
	nd := &t.nodes[id]
	nd.child, nd.across, nd.dir = 0, 0, unmeasured
}

// unmeasured is the direction of a node that has not been measured.
const unmeasured = -2

// node returns a node with its size and the direction of its halving.
func (t *tree) node(id int32) *node {
	nd := &t.nodes[id]
	if nd.dir == unmeasured {
		t.measure(id)
	}
	return nd
}

// measure writes the size of a node and chooses the direction of its halving: that in which the net
// is longest. Measuring in space rather than in parameters is what makes collapsed edges harmless.
func (t *tree) measure(id int32) {
	nd := &t.nodes[id]
	nd.dir, nd.size = -1, 0
	best, least := -1.0, leastEdge
	if t.coarse > 0 && t.edgeLongerThan(id, t.coarse) >= 0 {
		least = t.coarse
	}
	for d := range t.dirs {
		s := t.length(id, d)
		nd.size = max(nd.size, s)
		if s > best && t.edge(nd, d) > least {
			best, nd.dir = s, int8(d)
		}
	}
	if least > leastEdge && t.form.Shape == Triangle {
		nd.dir = t.widestDirection(nd)
	}
}

// edge returns the length, in the larger parameter, of the domain's edge along direction d.
func (t *tree) edge(nd *node, d int) float64 {
	from, to := ends(t.form.Shape, d)
	a, b := &nd.domain[from], &nd.domain[to]
	return max(math.Abs(b[0]-a[0]), math.Abs(b[1]-a[1]))
}

// ends returns the corners of the domain between which direction d runs.
func ends(s Shape, d int) (from, to int) {
	if s == Triangle && d == 2 {
		return 1, 2
	}
	return 0, d + 1
}

// length bounds the square of the length of the longest row along d at t=0 and t=1: by Cauchy's
// inequality, the number of segments times the sum of their squares.
func (t *tree) length(id int32, d int) float64 {
	o := int(id) * t.stride
	return t.nets[d].Longest(t.points[o : o+6*t.pad])
}

// halve returns the number of the first half of a node, which it makes if need be; the second is
// the next.
//
// A polynomial average 0.5 (a + b) is rounded once, so it errs by U |avg|, and mixes the errors of
// a and b: at most the larger. A point of a half is the end of at most m averages one after
// another, m the degree along d. Position and displacement together lose m U (|p| + |v|) <= m U M.
// Rational averages: see lost.
func (t *tree) halve(id int32) int32 {
	if c := t.nodes[id].child; c != 0 {
		return c
	}
	l := makeHalves(t, id, int(t.node(id).dir))
	t.nodes[id].child = l
	return l
}

// makeHalves makes the halves of a node along a direction.
func makeHalves(t *tree, id int32, d int) int32 {
	l := t.addNode()
	t.addNode()
	nd := &t.nodes[id]
	lost, wlost := t.lost(id, d)
	if t.rational {
		t.halveRational(id, l, d)
		t.finish(l)
		t.finish(l + 1)
	} else {
		n, o, h := 6*t.pad, int(id)*t.stride, int(l)*t.stride
		t.nets[d].Halve(t.points[o:o+n], t.points[h:h+n], t.points[h+n:h+2*n])
		t.nodes[l].dir, t.nodes[l+1].dir = unmeasured, unmeasured
	}
	from, to := ends(t.form.Shape, d)
	p, q := nd.domain[from], nd.domain[to]
	mid := [2]float64{0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])}
	for i, h := range [2]*node{&t.nodes[l], &t.nodes[l+1]} {
		h.domain = nd.domain
		if nd.cut == trim.Inside {
			h.cut = trim.Inside
		}
		h.err, h.werr = (nd.err+lost)*(1+0x1p-40), nd.werr+wlost
		if t.form.Shape == Triangle {
			h.domain[[2]int{to, from}[i]] = mid
		} else if i == 0 {
			h.domain[to] = mid
		} else { // the far corner stays, the other two move along
			other := 3 - to
			h.domain[0] = mid
			for c := range 2 {
				h.domain[other][c] += mid[c] - p[c]
			}
		}
	}
	return l
}

// lost bounds what the points and the weights of a node lose in halving along d.
//
// A rational average is a + lambda (b - a), lambda = wb / (wa + wb): with D the extent of the
// node's points, positions and displacements together, the difference and the product round by U D
// each and the sum by U M. lambda errs by its own two roundings, 2U, and by the weights' error w: 2
// w lambda (1 - lambda) <= w / 2, and moves the point by that much of D. So an average loses U M +
// (4U + w/2) D, where w is what it is after the halving, w + m U. Halvings of a weight lose U each;
// nothing underflows, for weights lie in [2^-101, 2]. The tiny term pays for underflow of 0.5 x and
// lambda (b - a).
func (t *tree) lost(id int32, d int) (points, weights float64) {
	const u = 0x1p-53
	m := float64(len(t.rows[d][0]) - 1)
	points = float64(u * t.mag)
	if t.rational {
		weights = float64(m * u)
		points += float64((4*u + float64(0.5*(t.nodes[id].werr+weights))) * t.extent(id))
	}
	return float64(float64(m*points)*(1+0x1p-20)) + float64(m*0x1p-1072), weights
}

// extent returns the largest extent of a node's positions plus that of its displacements, over the
// coordinates.
func (t *tree) extent(id int32) float64 {
	span := func(c []float64) float64 {
		lo, hi := c[0], c[0]
		for _, x := range c[1:] {
			lo, hi = min(lo, x), max(hi, x)
		}
		return hi - lo
	}
	most := 0.0
	for k := range 3 {
		most = max(most, span(t.at(id, k))+span(t.at(id, 3+k)))
	}
	return most * (1 + 0x1p-50)
}

// halveRational halves every row of a rational node in the Euclidean form: weights and points
// apart.
func (t *tree) halveRational(id, l int32, d int) {
	var c [7][]float64
	var a, b [7][]float64
	for k := range c {
		c[k], a[k], b[k] = t.at(id, k), t.at(l, k), t.at(l+1, k)
	}
	var x [MaxDegree + 1][7]float64
	for _, row := range t.rows[d] {
		n := len(row)
		for k, i := range row {
			for e := range 7 {
				x[k][e] = c[e][i]
			}
		}
		for k := range n {
			for e := range 7 {
				a[e][row[k]], b[e][row[n-1-k]] = x[0][e], x[n-1-k][e]
			}
			for j := range n - 1 - k {
				p, q := &x[j], &x[j+1]
				sum := p[6] + q[6]
				lambda := q[6] / sum
				for e := range 6 {
					p[e] += float64(lambda * (q[e] - p[e]))
				}
				p[6] = 0.5 * sum
			}
		}
	}
}
