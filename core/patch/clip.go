package patch

import (
	"math"

	"ccd/core/trim"
)

// A subpatch that crosses a loop reaches beyond its face, by as much as its own width: its hull
// says too early that it meets something. A clip is a tighter hull: of the part of the subpatch
// whose parameters lie in a polygon, the square cut along the loop.
//
// With any affine map L of the parameters, a point of the subpatch is L(s, t) plus a point of the
// patch with the control points R_i = c_i - L(place of c_i), which are small where the subpatch is
// nearly flat. So it lies in the hull of all L(V_k) + R_i, V_k the corners of the polygon. All of
// them move linearly. docs/proofs/trimmed-faces.md, "Clips", derives the bounds.
type clip struct {
	first, n, pad int // where its points are in clips.points, in six arrays of pad numbers
	err, mag      float64
	polygon       [][2]float64 // corners, in the parameters of the subpatch
	base          int          // how many control points R has: point k is corner k / base
}

// clips are those of the subpatches of one patch, and the scratch to make them.
type clips struct {
	list     []clip
	points   []float64
	segments [][2][2]float64
	rest     [][6]float64
}

func (c *clips) begin() { c.list, c.points = c.list[:0], c.points[:0] }

// mostSegments is how many segments of the loops a clip looks at; where there are more, halving is
// better.
const mostSegments = 32

// selectPart makes a subpatch, or its clip, one of the two that are checked.
func selectPart(q *query, i int, id int32, to *Subpatch) {
	t := &q.trees[i]
	to.set(t, id)
	if c := clipOf(q, i, id); c != nil {
		to.n, to.pad, to.err, to.mag, to.flat = c.n, c.pad, c.err, c.mag, false
		to.x = q.surf[i].clips.points[c.first : c.first+6*c.pad]
	}
}

// clipOf returns the clip of a subpatch, nil where it has none.
func clipOf(q *query, i int, id int32) *clip {
	s, nd := &q.surf[i], &q.trees[i].nodes[id]
	if s.trimming == nil || id == 0 || s.form.Shape != Quad || cutOf(q, i, id) != trim.Crosses {
		return nil
	}
	if nd.clip == 0 {
		nd.clip = -1
		if polygon := s.polygon(nd); polygon != nil && s.makeClip(&q.trees[i], id, polygon) {
			nd.clip = int32(len(s.clips.list))
		}
	}
	if nd.clip < 0 {
		return nil
	}
	return &s.clips.list[nd.clip-1]
}

// polygon returns a part of the unit square, the parameters of a subpatch, that holds all of them
// that are in the wide region: what a line along the loop leaves, or two such lines. Nil if that is
// nearly all.
func (s *surface) polygon(nd *node) [][2]float64 {
	c, d := s.trimming, &nd.domain
	lo, hi := c.box(d[0], [2]float64{d[1][0], d[2][1]})
	tol := c.region.Tolerance()
	for k := range 2 {
		lo[k], hi[k] = lo[k]-tol[k]-float64(0x1p-50*math.Abs(lo[k])), hi[k]+tol[k]+float64(0x1p-50*math.Abs(hi[k]))
	}
	var few bool
	if s.clips.segments, few = c.region.Segments(lo, hi, mostSegments, s.clips.segments[:0]); !few ||
		len(s.clips.segments) == 0 {
		return nil
	}
	// From the plane to the subpatch's own parameters: (x - from) / side. An error of 2^-48 of the
	// coordinates, and the tolerance, are what a line is moved by.
	var from, side, more [2]float64
	for k := range 2 {
		w := &c.window[k]
		a, b := [2]float64{d[0][0], d[0][1]}[k], [2]float64{d[1][0], d[2][1]}[k]
		from[k], side[k] = w[0]+float64(a*(w[1]-w[0])), (b-a)*(w[1]-w[0])
		size := math.Abs(w[0]) + math.Abs(w[1])
		for _, g := range s.clips.segments {
			size = max(size, math.Abs(g[0][k]), math.Abs(g[1][k]))
		}
		more[k] = (tol[k] + float64(0x1p-48*size)) / math.Abs(side[k])
		if !(more[k] < 0.125) {
			return nil
		}
	}
	own := func(p [2]float64) [2]float64 {
		return [2]float64{(p[0] - from[0]) / side[0], (p[1] - from[1]) / side[1]}
	}
	var along [2]float64
	var points [2*mostSegments + 4][2]float64
	n := 0
	for _, g := range s.clips.segments {
		p, q := cutToBox(g[0], g[1], lo, hi)
		p, q = own(p), own(q)
		along[0], along[1] = along[0]+q[0]-p[0], along[1]+q[1]-p[1]
		points[n], points[n+1] = p, q
		n += 2
	}
	for _, p := range [4][2]float64{lo, {hi[0], lo[1]}, {lo[0], hi[1]}, hi} {
		if c.region.Surrounds(p) {
			points[n] = own(p)
			n++
		}
	}
	l := math.Hypot(along[0], along[1])
	if !(l > 0x1p-10) {
		return nil
	}
	polygon := [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	for _, m := range [2][2]float64{{-along[1] / l, along[0] / l}, {along[1] / l, -along[0] / l}} {
		most := math.Inf(-1)
		for _, p := range points[:n] {
			most = max(most, float64(m[0]*p[0])+float64(m[1]*p[1]))
		}
		most += float64(math.Abs(m[0])*more[0]) + float64(math.Abs(m[1])*more[1]) + 0x1p-40
		polygon = leftOf(polygon, m, most)
	}
	if len(polygon) < 3 || areaOf(polygon) > 0.9 {
		return nil
	}
	return polygon
}

// cutToBox returns the part of a segment in a box, rounded; all of it, if none is found.
func cutToBox(p, q, lo, hi [2]float64) (a, b [2]float64) {
	from, to := 0.0, 1.0
	for k := range 2 {
		if d := q[k] - p[k]; d != 0 {
			s, e := (lo[k]-p[k])/d, (hi[k]-p[k])/d
			from, to = max(from, min(s, e)), min(to, max(s, e))
		}
	}
	if !(from <= to) {
		return p, q
	}
	at := func(s float64) (x [2]float64) {
		for k := range 2 {
			x[k] = min(max(p[k]+float64(s*(q[k]-p[k])), min(p[k], q[k])), max(p[k], q[k]))
		}
		return x
	}
	return at(from), at(to)
}

// leftOf returns the part of a convex polygon in which m.x is at most c.
func leftOf(polygon [][2]float64, m [2]float64, c float64) (out [][2]float64) {
	over := func(p [2]float64) float64 { return float64(m[0]*p[0]) + float64(m[1]*p[1]) - c }
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		a, b := over(p), over(q)
		if a <= 0 {
			out = append(out, p)
		}
		if a < 0 && b > 0 || a > 0 && b < 0 {
			s := a / (a - b)
			out = append(out, [2]float64{p[0] + float64(s*(q[0]-p[0])), p[1] + float64(s*(q[1]-p[1]))})
		}
	}
	return out
}

func areaOf(polygon [][2]float64) (sum float64) {
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		sum += float64(p[0]*q[1]) - float64(q[0]*p[1])
	}
	return 0.5 * math.Abs(sum)
}

// makeClip computes the points of a clip; false if there would be too many.
func (s *surface) makeClip(t *tree, id int32, polygon [][2]float64) bool {
	base := s.affine(t, id)
	s.residuals(t, id, &base)
	c := clip{first: len(s.clips.points), polygon: polygon, base: len(s.clips.rest)}
	size := float64(8 * t.mag) // No number here is larger: see the proof.
	c.err = t.nodes[id].err + float64(size*(128*0x1p-53+float64(4*t.nodes[id].werr)))
	most := 0.0
	for _, r := range s.clips.rest {
		for k := range 3 {
			most = max(most, math.Abs(r[k])+math.Abs(r[3+k]))
		}
	}
	if most <= float64(size*64*0x1p-53) { // As good as flat: what is left is an error.
		c.err, c.base = c.err+most, 1
		s.clips.rest = append(s.clips.rest[:0], [6]float64{})
	}
	c.n = c.base * len(polygon)
	if c.pad = (c.n + 7) &^ 7; c.pad > maxPad {
		return false
	}
	s.clips.points = append(s.clips.points, make([]float64, 6*c.pad)...)
	x := s.clips.points[c.first:]
	for i := range c.pad {
		at := i
		if i >= c.n {
			at = 0
		}
		v, r := polygon[at/c.base], s.clips.rest[at%c.base]
		for k := range 6 {
			x[k*c.pad+i] = base[0][k] + float64(v[0]*base[1][k]) + float64(v[1]*base[2][k]) + r[k]
		}
	}
	for i := range c.n {
		for k := range 3 {
			c.mag = max(c.mag, math.Abs(x[k*c.pad+i])+math.Abs(x[(3+k)*c.pad+i]))
		}
	}
	c.mag = max(c.mag, t.mag) * (1 + 0x1p-40)
	s.clips.list = append(s.clips.list, c)
	return true
}

// affine returns an affine map of the parameters near a subpatch: its value at 0 and its slopes
// along both parameters, positions and displacements, by the corners.
func (s *surface) affine(t *tree, id int32) (base [3][6]float64) {
	for k := range 6 {
		x := t.at(id, k)
		a, b, c, d := x[t.corners[0]], x[t.corners[1]], x[t.corners[2]], x[t.corners[3]]
		base[1][k], base[2][k] = float64(0.5*(b-a+d-c)), float64(0.5*(c-a+d-b))
		base[0][k] = float64(0.25*(a+b+c+d)) - float64(0.5*(base[1][k]+base[2][k]))
	}
	return base
}

// residuals lists the control points of the subpatch less an affine map of its parameters. Of a
// polynomial patch, the map's control points are its values at equidistant places. Of a rational
// one, with weights w, both are raised by one degree in each parameter:
//
//	R_kl = sum g (c_ij - A0 - s A1 - r A2) / sum g,  g = (s k / m' or (1-s)(1 - k / m')) (...) w_ij
//
// over i = k - s, j = l - r, s and r in {0, 1}, m' the raised degree: a mean of four vectors.
func (s *surface) residuals(t *tree, id int32, base *[3][6]float64) {
	u, v := t.form.U, t.form.V
	s.clips.rest = s.clips.rest[:0]
	less := func(i, j int, p, q float64) (r [6]float64) {
		at := t.form.Index(i, j)
		for k := range 6 {
			r[k] = t.at(id, k)[at] - base[0][k] - float64(p*base[1][k]) - float64(q*base[2][k])
		}
		return r
	}
	if !t.rational {
		for i := 0; i <= u; i++ {
			for j := 0; j <= v; j++ {
				s.clips.rest = append(s.clips.rest, less(i, j, float64(i)/float64(u), float64(j)/float64(v)))
			}
		}
		return
	}
	weights := t.at(id, 6)
	for k := 0; k <= u+1; k++ {
		for l := 0; l <= v+1; l++ {
			var sum [6]float64
			total := 0.0
			for a := range 2 {
				for b := range 2 {
					i, j := k-a, l-b
					if i < 0 || i > u || j < 0 || j > v {
						continue
					}
					g := float64(raising(k, u+1, a) * raising(l, v+1, b) * weights[t.form.Index(i, j)])
					r := less(i, j, float64(a), float64(b))
					for e := range 6 {
						sum[e] += float64(g * r[e])
					}
					total += g
				}
			}
			for e := range 6 {
				sum[e] /= total
			}
			s.clips.rest = append(s.clips.rest, sum)
		}
	}
}

// raising returns the factor of control point k - a in control point k of a curve whose degree is
// raised to n.
func raising(k, n, a int) float64 {
	if a == 1 {
		return float64(k) / float64(n)
	}
	return float64(n-k) / float64(n)
}

// placeOf returns the parameters of a control point of a subpatch, or of its clip, in the subpatch.
func placeOf(q *query, i int, id int32, point int) [2]float64 {
	if c := clipOf(q, i, id); c != nil {
		return c.polygon[point/c.base]
	}
	return q.trees[i].places[point]
}
