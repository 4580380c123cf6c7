package patch

import "math"

// noBend is the direction of a cell that is halved as the trees say.
const noBend = -1

// halving is a choice of the direction in which to halve a cell: 0 and 1 are u and v of the first
// subpatch, 2 and 3 those of the second. Of the choices that two quadrics suggest, the better one
// has a direction, is that of a quadric that separates the corners, and has the larger gap.
type halving struct {
	to      int8
	corners bool
	gap     float64
}

func (h *halving) better(than *halving) bool {
	if (h.to == noBend) != (than.to == noBend) {
		return h.to != noBend
	}
	if h.corners != than.corners {
		return h.corners
	}
	return h.gap > than.gap
}

// choose returns the halving that brings the present quadric nearest to a proof at a time. If the
// subpatches' corners are apart, the coefficients fail because they are not on the patches: then
// the direction is that in which they bend most, and halving it alone brings them to the patch
// faster than halving the longest net twice. Else the quadric does not separate the patches, but
// some parts of them: then the direction is that in which values change most.
func (c *curvedSeparator) choose(a, b int32, t float64) (h halving) {
	var all, ends [2][2]float64
	for i := range all {
		all[i][0], all[i][1] = c.hosts[i].rangeAt(t)
		ends[i][0], ends[i][1] = c.hosts[i].rangeOfCorners(c.of.trees[i].form, t)
	}
	need := c.needed(&c.hosts[0], &c.hosts[1], t, t)
	apart := func(x [2][2]float64) float64 { return max(x[0][0]-x[1][1], x[1][0]-x[0][1]) - need }
	h.to, h.corners, h.gap = noBend, apart(ends) > 0, apart(all)
	best := 0.0
	for i, id := range [2]int32{a, b} {
		tr, host := &c.of.trees[i], &c.hosts[i]
		slope, bend := host.differences(tr.form, t)
		most := slope
		if h.corners {
			most = bend
		}
		for d, x := range most {
			if x > best && x > 64*host.err && c.divisible(i, id, d) {
				best, h.to = x, int8(2*i+d)
			}
		}
	}
	return h
}

// follows reports whether the patches of a cell follow each other at a time, in one direction at
// least: whether the values of a quadric of one of them bend by less than a share of what planes do
// on both. Then planes would need many parts. Patches that touch from outside, with curvatures of
// opposite signs, bend as much for a quadric as for planes.
func (c *curvedSeparator) follows(k *cell, t, share float64) bool {
	ids := [2]int32{k.a, k.b}
	for i, id := range ids {
		q := c.quadricOf(i, id, k.t0)
		if q == nil {
			continue
		}
		j := 1 - i
		plane := q.quadric
		plane.k = [6]float64{}
		host, other, flat := &c.hosts[i], &c.hosts[j], &c.plane
		host.compose(&q.quadric, c.tables[i], &c.of.trees[i], id, k.t0, k.t1, false)
		other.compose(&q.quadric, c.tables[j], &c.of.trees[j], ids[j], k.t0, k.t1, false)
		flat.compose(&plane, c.tables[j], &c.of.trees[j], ids[j], k.t0, k.t1, false)
		_, own := host.differences(c.of.trees[i].form, t)
		_, left := other.differences(c.of.trees[j].form, t)
		_, straight := flat.differences(c.of.trees[j].form, t)
		for o := range flat.values { // what the curvature of the quadric adds
			for n := range flat.values[o] {
				flat.values[o][n] -= other.values[o][n]
			}
		}
		_, curved := flat.differences(c.of.trees[j].form, t)
		most := max(straight[0]+curved[0], straight[1]+curved[1])
		for d := range left {
			all := straight[d] + curved[d]
			if all > 0x1p-4*most && all > 64*other.err && max(left[d], own[0], own[1]) <= share*all {
				return true
			}
		}
	}
	return false
}

// divisible reports whether a subpatch can be halved along u or v. A triangle is halved as its tree
// says.
func (c *curvedSeparator) divisible(i int, id int32, d int) bool {
	t := &c.of.trees[i]
	if t.form.Shape == Triangle {
		return t.node(id).dir >= 0
	}
	return d < t.dirs && t.edge(&t.nodes[id], d) > leastEdge
}

// valueAt returns a coefficient at a time.
func (c *composed) valueAt(o int, t float64) float64 {
	p := &c.values[o]
	t -= c.from
	return p[0] + float64(t*(p[1]+float64(t*p[2])))
}

// rangeOfCorners returns the least and the greatest value at the corners of the subpatch.
func (c *composed) rangeOfCorners(f Form, t float64) (lo, hi float64) {
	g := Form{f.Shape, 2 * f.U, 2 * f.V}
	corners := [4]int{0, g.Index(g.U, 0), g.Index(0, g.V), g.Points() - 1}
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, o := range corners {
		x := c.valueAt(o, t)
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

// differences returns the greatest first and second differences along u and v of the coefficients
// at a time, scaled to derivatives.
func (c *composed) differences(f Form, t float64) (slope, bend [2]float64) {
	g := Form{f.Shape, 2 * f.U, 2 * f.V}
	within := func(i, j int) bool {
		return g.Shape == Triangle && i+j <= g.U || g.Shape != Triangle && i <= g.U && j <= g.V
	}
	for i := 0; i <= g.U; i++ {
		for j := 0; j <= g.V && within(i, j); j++ {
			x := c.valueAt(g.Index(i, j), t)
			for d, step := range [2][2]int{{1, 0}, {0, 1}} {
				if k, l := i+step[0], j+step[1]; within(k, l) {
					y := c.valueAt(g.Index(k, l), t)
					slope[d] = max(slope[d], math.Abs(y-x))
					if m, n := k+step[0], l+step[1]; within(m, n) {
						bend[d] = max(bend[d], math.Abs(x-2*y+c.valueAt(g.Index(m, n), t)))
					}
				}
			}
		}
	}
	for d, n := range [2]float64{float64(g.U), float64(g.V)} {
		slope[d] *= n
		bend[d] *= float64(n * n)
	}
	return slope, bend
}

// halveAlong halves a node along a direction of the caller's choice; of a triangle or a curve,
// which has one alone, along that of the tree.
func halveAlong(t *tree, id int32, d int) int32 {
	nd := t.node(id)
	if t.form.Shape != Quad || d == int(nd.dir) {
		return t.halve(id)
	}
	if nd.across == 0 {
		l := makeHalves(t, id, d)
		t.nodes[id].across = l
		return l
	}
	return nd.across
}
