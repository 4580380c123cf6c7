package patch

import "math"

// measure writes the bounds of the nets of a polynomial surface, or a homogeneous one, whose
// control points err by err.
//
// A derivative's control point is n (b - a): the errors of a and b count n each, the difference and
// the product are rounded, 2U of the result and a little.
func (s *surface) measure(err float64) {
	if s.measured {
		return
	}
	s.measured = true
	for d := range s.nets {
		n := &s.nets[d]
		n.mag = 0
		for i := range n.c {
			c := &n.c[i]
			for k := range 3 {
				n.mag = max(n.mag, math.Abs(c[k])+math.Abs(c[3+k]))
			}
			if s.raw {
				n.mag = max(n.mag, math.Abs(c[6]))
			}
		}
		n.err = err
		if from := [derivatives]int{value, value, value, byU, byU, byV}[d]; d != value {
			f := s.degrees(s.nets[from].down)
			factor := f.U
			if d == byV || d == byUV || d == byVV {
				factor = f.V
			}
			n.err = float64(float64(2*factor)*s.nets[from].err) + float64(0x1p-51*n.mag)
		}
	}
}

// offset bounds the error of a coordinate of derivative d of the jet at any time, p + t v. With n
// the sum of the degrees and N the points of the net, the basis errs by 3U a degree relatively
// (three roundings, all terms positive), a product and the next by U each, the sum of N terms by N
// U, p + t v by 2U, all times the magnitude; a triangle's third coordinate 1 - u - v errs by 2U,
// which moves the value by 4 n U of the magnitude at most.
func (s *surface) offset(d int) float64 {
	n := &s.nets[d]
	steps := 7*(s.form.U+s.form.V) + len(n.c) + 6
	return n.err + float64(float64(steps)*0x1p-52*n.mag)
}

// curvature bounds the second derivatives uu, uv, vv of a patch's F, projected on the directions of
// a proof, at x* and all times; and by how much at most their projections change with u and v.
type curvature struct {
	at     [3][3]interval // indexed by derivative and direction
	change [3][3][2]float64
}

// maxChangeDegree is the highest degree up to which second derivatives are bounded by their change
// over the whole patch: at higher degrees the change is a poor bound for a small box.
const maxChangeDegree = 3

// curvature fills in c. The change is bounded by control points of the third derivatives.
func (s *surface) curvature(p *proof, j *jet, c *curvature) {
	for d := range 3 {
		n := &s.nets[byUU+d]
		if len(n.c) == 0 {
			c.at[d], c.change[d] = [3]interval{}, [3][2]float64{}
			continue
		}
		off := s.offset(byUU+d) + float64(0x1p-50*n.mag)
		h0, h1 := j.at(byUU+d, p.t0), j.at(byUU+d, p.t1)
		for k := range 3 {
			a, b := p.project(k, h0, off), p.project(k, h1, off)
			c.at[d][k] = interval{min(a.lo, b.lo), max(a.hi, b.hi)}
		}
		if s.restricts() {
			continue
		}
		g := s.degrees(n.down)
		for e, step := range [2][2]int{{1, 0}, {0, 1}} {
			most := s.steepest(p, n, step)
			degree := float64([2]int{g.U, g.V}[e])
			for k := range 3 {
				// slack bounds the error of a difference of two projected points.
				slack := float64(p.weight[k] * (float64(2*n.err) + float64(0x1p-49*n.mag)))
				c.change[d][k][e] = above(float64(degree * (most[k] + slack)))
			}
		}
	}
}

// restricts reports whether the second derivatives of this surface are bounded by restricting them
// to the box.
func (s *surface) restricts() bool {
	return s.form.Shape != Triangle && max(s.form.U, s.form.V) > maxChangeDegree
}

// steepest returns the greatest projection, at either end of the times, of a difference between
// control points of a net that are one step apart; and of their weights.
func (s *surface) steepest(p *proof, n *net, step [2]int) (most [4]float64) {
	g := s.degrees(n.down)
	for a := 0; a+step[0] <= g.U; a++ {
		for b := 0; b+step[1] <= g.V && (g.Shape != Triangle || a+b < g.U); b++ {
			at, next := &n.c[g.Index(a, b)], &n.c[g.Index(a+step[0], b+step[1])]
			var diff [8]float64
			var x [6]float64
			for k := range 7 {
				diff[k] = next[k] - at[k]
			}
			p.projectEnds(&diff, &x)
			most[3] = max(most[3], math.Abs(diff[6]))
			for k := range 3 {
				most[k] = max(most[k], math.Abs(x[k]), math.Abs(x[3+k]))
			}
		}
	}
	return most
}

// secondRange bounds means of the second derivatives of F by the variables of patch i over segments
// from x* to any place of the box, as step 1 of the proof takes them: 2 times the integral of (1-s)
// F_ij(x* + s dx) over s in [0,1]. That is F_ij(x*) and a third of the greatest change, as the
// integral of 2 (1-s) s is 1/3.
func (ex *excluder) secondRange(p *proof, i int) {
	h := p.curves[i].at // indexed by derivative and direction
	x, y, a, b := p.dx[2*i].mag(), p.dx[2*i+1].mag(), p.dir[2*i], p.dir[2*i+1]
	reach := [2]float64{
		above(above(float64(x*math.Abs(a[0]))) + above(float64(y*math.Abs(b[0])))),
		above(above(float64(x*math.Abs(a[1]))) + above(float64(y*math.Abs(b[1])))),
	}
	for d := range 3 {
		if f := &ex.surf[i]; f.restricts() {
			f.restrict(p, i, d, &h[d])
			continue
		}
		for k := range 3 {
			c := &p.curves[i].change[d][k]
			r := above(above(above(float64(c[0]*reach[0]))+above(float64(c[1]*reach[1]))) / 3)
			h[d][k] = h[d][k].add(interval{-r, r})
		}
	}
	for k := range 3 {
		mix := func(x, y [2]float64) interval {
			sum := h[0][k].times(x[0] * y[0]).add(h[2][k].times(x[1] * y[1]))
			sum = sum.add(h[1][k].times(float64(x[0]*y[1]) + float64(x[1]*y[0])))
			if i == 1 {
				return sum.neg()
			}
			return sum
		}
		xy := mix(a, b)
		p.second[2*i][2*i][k], p.second[2*i][2*i+1][k] = mix(a, a), xy
		p.second[2*i+1][2*i][k], p.second[2*i+1][2*i+1][k] = xy, mix(b, b)
	}
}

// projectEnds writes one control point's projections on the directions at both ends of a proof's
// times.
func (p *proof) projectEnds(c *[8]float64, out *[6]float64) {
	for k, n := range p.directions {
		x := float64(n.X*c[0]) + float64(n.Y*c[1]) + float64(n.Z*c[2])
		v := float64(n.X*c[3]) + float64(n.Y*c[4]) + float64(n.Z*c[5])
		out[k], out[3+k] = x+float64(p.t0*v), x+float64(p.t1*v)
	}
}

// restrict bounds second derivative d (uu, uv, vv) of a quad or a curve over the box: the hull of
// its control net restricted to the box, at both ends of the times, between which it moves
// linearly.
//
// A projected point is off by the weight |.|_1 of its direction times the net's error and 7U of its
// magnitude (3U for each product with the direction, 2U for the time). A restriction averages, p +
// s (q - p): a difference and a product of at most 2 and a sum of at most 1 times the magnitude,
// 5U; two restrictions a direction, each as many averages as the degree. Averages with weights in
// [0,1] do not amplify what was there.
func (s *surface) restrict(p *proof, i, d int, out *[3]interval) {
	n := &s.nets[byUU+d]
	if len(n.c) == 0 {
		*out = [3]interval{}
		return
	}
	var c [(MaxDegree + 1) * (MaxDegree + 1)][6]float64
	for k := range n.c {
		p.projectEnds(&n.c[k], &c[k])
	}
	g := s.degrees(n.down)
	if g.U > 0 {
		for j := 0; j <= g.V; j++ {
			cut(&c, j, g.V+1, g.U, p.box[2*i])
		}
	}
	if g.V > 0 {
		for k := 0; k <= g.U; k++ {
			cut(&c, k*(g.V+1), 1, g.V, p.box[2*i+1])
		}
	}
	steps := float64(7+10*(g.U+g.V)) * 1.0001
	off := n.err + float64(steps*0x1p-53*n.mag)
	for k := range 3 {
		h := interval{c[0][k], c[0][k]}
		for q := range n.c {
			h.include(c[q][k])
			h.include(c[q][3+k])
		}
		r := float64(p.weight[k] * off)
		out[k] = interval{below(h.lo - r), above(h.hi + r)}
	}
}

// cut restricts a curve of the given degree, every stride-th point from first on, to at least
// [b.lo, b.hi] within [0,1].
func cut(c *[(MaxDegree + 1) * (MaxDegree + 1)][6]float64, first, stride, degree int, b interval) {
	f := 0.0
	if b.hi > 0 {
		f = max(below(b.lo/b.hi), 0)
	}
	for l := 1; l <= degree; l++ {
		for i := degree; i >= l; i-- {
			x, y := &c[first+(i-1)*stride], &c[first+i*stride]
			for k := range y {
				y[k] = x[k] + float64(b.hi*(y[k]-x[k]))
			}
		}
	}
	for l := 1; l <= degree; l++ {
		for i := 0; i <= degree-l; i++ {
			x, y := &c[first+i*stride], &c[first+(i+1)*stride]
			for k := range x {
				x[k] += float64(f * (y[k] - x[k]))
			}
		}
	}
}
