package patch

import "math"

// joints are what two patches have in common because their faces are neighbors in the file that
// they are from, whatever their control points say. A segment of a joint is two places {u, v of the
// first patch, u, v of the second}, and all between them.
type joints struct {
	lines    []domainSegment // lines along which a patch was split: its parts share them, and they are the same in both
	segments [][2][4]float64
	asOne    bool // both patches have one displacement, up to rounding
}

// begin finds the joints of two patches that come within width of both.
func (j *joints) begin(a, b *Patch, width float64) {
	j.lines, j.segments = j.lines[:0], j.segments[:0]
	j.asOne = moveAsOne(a, b)
	ta, tb := a.trimming, b.trimming
	if ta == nil || tb == nil || ta.faces != tb.faces {
		return
	}
	key, swap := [2]int32{ta.face, tb.face}, ta.face > tb.face
	if swap {
		key = [2]int32{tb.face, ta.face}
	}
	for _, curve := range ta.faces.joints[key] {
		j.add(curve, ta, tb, swap, width)
		if ta.face == tb.face {
			j.add(curve, ta, tb, true, width)
		}
	}
}

// add adds the segments of a curve that come near both patches; swap exchanges its sides.
func (j *joints) add(curve joint, ta, tb *trimming, swap bool, width float64) {
	convert := func(p *[4]float64) [4]float64 {
		x, y := [2]float64{p[0], p[1]}, [2]float64{p[2], p[3]}
		if swap {
			x, y = y, x
		}
		x, y = ta.parameters(x), tb.parameters(y)
		return [4]float64{x[0], x[1], y[0], y[1]}
	}
	from := convert(&curve[0])
	for k := range max(1, len(curve)-1) {
		to := convert(&curve[min(k+1, len(curve)-1)])
		near := true
		for e := range 4 {
			near = near && max(from[e], to[e]) >= -width && min(from[e], to[e]) <= 1+width
		}
		if near {
			j.segments = append(j.segments, [2][4]float64{from, to})
		}
		from = to
	}
}

// moveAsOne reports whether all control points of two patches have one displacement, up to
// rounding: 4 U of the coordinates.
func moveAsOne(a, b *Patch) bool {
	for k := range 3 {
		d := a.X1[k] - a.X0[k]
		for _, p := range [2]*Patch{a, b} {
			for i := k; i < len(p.X0); i += 3 {
				if math.Abs(p.X1[i]-p.X0[i]-d) > float64(0x1p-51*(math.Abs(p.X0[i])+math.Abs(p.X1[i])+math.Abs(a.X0[k])+
					math.Abs(a.X1[k]))) {
					return false
				}
			}
		}
	}
	return true
}

// within reports whether some place of the joints lies in the box from lo to hi: u, v of the first
// patch, u, v of the second.
func (j *joints) within(lo, hi *[4]float64) bool {
	for i := range j.segments {
		p, q := &j.segments[i][0], &j.segments[i][1]
		from, to := 0.0, 1.0
		for k := range 4 {
			d := q[k] - p[k]
			if d == 0 {
				if p[k] < lo[k] || p[k] > hi[k] {
					to = -1
				}
				continue
			}
			s, e := (lo[k]-p[k])/d, (hi[k]-p[k])/d
			from, to = max(from, min(s, e)), min(to, max(s, e))
		}
		if from <= to {
			return true
		}
	}
	return false
}

// nearJoint reports whether a place of the joints lies within half the neighbourhood of both
// subpatches of a cell. If it does and both are no wider than half the neighbourhood, all their
// points are within the neighbourhood of that place.
func nearJoint(n *adjacency, c *cell) bool {
	if len(n.joints.segments) == 0 {
		return false
	}
	r := float64(0.5 * n.width)
	var lo, hi [4]float64
	for i, nd := range [2]*node{&n.trees[0].nodes[c.a], &n.trees[1].nodes[c.b]} {
		for k := range 2 {
			a, b := nd.domain[0][k], nd.domain[0][k]
			for _, d := range nd.domain[1:] {
				a, b = min(a, d[k]), max(b, d[k])
			}
			lo[2*i+k], hi[2*i+k] = a-r, b+r
		}
	}
	return n.joints.within(&lo, &hi)
}

// onJoint reports whether two places are within r of one place of the joints.
func onJoint(n *adjacency, x *[4]float64, r float64) bool {
	if len(n.joints.segments) == 0 {
		return false
	}
	var lo, hi [4]float64
	for k := range x {
		lo[k], hi[k] = x[k]-r, x[k]+r
	}
	return n.joints.within(&lo, &hi)
}
