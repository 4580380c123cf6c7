package patch

import (
	"ccd/core/num"
	"ccd/simd/patch"
)

// surface evaluates a patch and its derivatives in the local space of a query, for Newton's method
// and the certificates.
//
// The derivatives of a Bezier patch are Bezier patches of its differences. nets has the control
// points of the patch and of its derivatives by u, v, uu, uv, vv, each {x y z vx vy vz w 0}, in
// homogeneous coordinates if rational.
type surface struct {
	form     Form
	trimming *trimming // What counts of the patch; nil: all of it.
	clips    clips     // tighter hulls of its subpatches
	rational bool
	nets     [derivatives]net
	counts   [derivatives]int // the number of control points of each net
	points   [][8]float64     // the control points of all nets, one net after another
	weights  []float64        // weights of the points at the place that is evaluated
	basis    [2]bernstein
	raw      bool // whether jets stay homogeneous
	measured bool
	loaded   bool // whether the nets are those of the present query
}

// net is the control net of a patch or of one of its derivatives. down is by how much its degrees
// along u and v are below those of the patch; for a triangle, the sum counts.
type net struct {
	down [2]int
	c    [][8]float64

	// measure sets these bounds: at any time of the step, a coordinate of a control point errs by
	// at most err, and the magnitudes of its position and its velocity add up to at most mag.
	err, mag float64
}

// The derivatives, in the order of surface.nets and jet.
const (
	value = iota
	byU
	byV
	byUU
	byUV
	byVV
	derivatives
)

// jet is a patch at one place: the point and its derivatives, each {x y z vx vy vz w 0}.
type jet [derivatives][8]float64

// at returns derivative d at time t.
func (j *jet) at(d int, t float64) vec {
	c := &j[d]
	return vec{c[0] + float64(t*c[3]), c[1] + float64(t*c[4]), c[2] + float64(t*c[5])}
}

// speed returns the rate of change in time of derivative d.
func (j *jet) speed(d int) vec { return vec{j[d][3], j[d][4], j[d][5]} }

// load copies the control points of a tree's root.
func (s *surface) load(t *tree) {
	s.form, s.rational, s.measured, s.loaded = t.form, t.rational, false, true
	s.points = s.points[:0]
	n := s.room(value, t.n)
	n.down = [2]int{}
	for i := range n.c {
		c := &n.c[i]
		w := 1.0
		if t.rational {
			w = t.at(0, 6)[i]
		}
		for k := range 6 {
			c[k] = w * t.at(0, k)[i]
		}
		c[6] = w
	}
	s.differentiate()
}

// differentiate makes the nets of the derivatives.
func (s *surface) differentiate() {
	s.derive(byU, value, 0)
	s.derive(byV, value, 1)
	s.derive(byUU, byU, 0)
	s.derive(byUV, byU, 1)
	s.derive(byVV, byV, 1)
	for len(s.weights) < len(s.points) {
		s.weights = append(s.weights, 0)
	}
}

// room makes a net of the next n points of s.points. All nets together have at most six times the
// points of the patch.
func (s *surface) room(d, n int) *net {
	if d == value && cap(s.points) < derivatives*n {
		s.points = make([][8]float64, 0, derivatives*n)
	}
	at := len(s.points)
	s.points = s.points[:at+n]
	s.counts[d] = n
	s.nets[d].c = s.points[at : at+n : at+n]
	return &s.nets[d]
}

// degrees returns the degrees of a net that are down by these numbers.
func (s *surface) degrees(down [2]int) Form {
	f := s.form
	if f.Shape == Triangle {
		f.U -= down[0] + down[1]
		f.V = f.U
		return f
	}
	f.U -= down[0]
	f.V -= down[1]
	return f
}

// derive writes net to as the derivative of net from along u (0) or v (1). A derivative of degree
// below zero is empty.
func (s *surface) derive(to, from, along int) {
	src, down := &s.nets[from], s.nets[from].down
	down[along]++
	f, g := s.degrees(src.down), s.degrees(down)
	if g.U < 0 || g.V < 0 || f.U < 0 || f.V < 0 {
		s.room(to, 0).down = down
		return
	}
	dst := s.room(to, g.Points())
	dst.down = down
	factor, di, dj := float64(f.U), 1, 0
	if along == 1 {
		factor, di, dj = float64(f.V), 0, 1
	}
	for i := 0; i <= g.U; i++ {
		for j := 0; j <= g.V; j++ {
			if g.Shape == Triangle && i+j > g.U {
				break
			}
			a, b, c := &src.c[f.Index(i, j)], &src.c[f.Index(i+di, j+dj)], &dst.c[g.Index(i, j)]
			for k := range c {
				c[k] = factor * (b[k] - a[k])
			}
		}
	}
}

// bernstein holds the Bernstein polynomials of degrees n, n-1, n-2 at one parameter.
type bernstein [3][MaxDegree + 1]float64

// fill runs the recurrence B(n,i) = (1-s) B(n-1,i) + s B(n-1,i-1).
func (b *bernstein) fill(n int, s float64) {
	var c [MaxDegree + 1]float64
	c[0] = 1
	for k := 0; k <= n; k++ {
		if k > 0 {
			c[k] = s * c[k-1]
			for i := k - 1; i > 0; i-- {
				c[i] = float64((1-s)*c[i]) + float64(s*c[i-1])
			}
			c[0] *= 1 - s
		}
		if n-k < 3 {
			b[n-k] = c
		}
	}
}

// eval writes the patch at (u, v) with derivatives up to the given order.
func (s *surface) eval(u, v float64, order int, j *jet) {
	nets := [3]int{value, byV, byVV}[order] + 1
	if s.form.Shape == Triangle {
		s.weighTriangle(u, v, order)
	} else {
		s.weigh(u, v, nets)
	}
	patch.Blend(s.points, s.weights, s.counts[:nets], j[:nets])
	if s.rational && !s.raw {
		j.divide(nets)
	}
}

// weigh writes the weights of the points of the first nets: products of Bernstein polynomials.
func (s *surface) weigh(u, v float64, nets int) {
	s.basis[0].fill(s.form.U, u)
	s.basis[1].fill(s.form.V, v)
	w := s.weights
	for d := range nets {
		if s.counts[d] == 0 {
			continue
		}
		down := s.nets[d].down
		bu, bv := s.basis[0][down[0]][:s.form.U-down[0]+1], s.basis[1][down[1]][:s.form.V-down[1]+1]
		for _, x := range bu {
			row := w[:len(bv)]
			for k, y := range bv {
				row[k] = x * y
			}
			w = w[len(bv):]
		}
	}
}

// remainder returns 1 - u - v with a relative error of at most 2U. An absolute error would matter
// where the weights of control points are far apart. The rounding error of 1 - u is added; where
// the two differences nearly cancel, the second is exact.
func remainder(u, v float64) float64 {
	d, e := num.TwoDiff(1, u)
	return (d - v) + e
}

// weighTriangle does the work of weigh for triangles: the weights are multinomial coefficients
// times powers.
func (s *surface) weighTriangle(u, v float64, order int) {
	var pu, pw [MaxDegree + 1]float64
	pu[0], pw[0] = 1, 1
	rest := remainder(u, v)
	for i := 1; i <= s.form.U; i++ {
		pu[i], pw[i] = pu[i-1]*u, pw[i-1]*rest
	}
	w := s.weights
	for down := range min(order, s.form.U) + 1 {
		deg := s.form.U - down
		first, pv := w, 1.0
		for j := 0; j <= deg; j++ {
			row := w[:deg-j+1]
			for i := range row {
				row[i] = multinomial[deg][i][j] * pu[i] * pv * pw[deg-i-j]
			}
			w = w[len(row):]
			pv *= v
		}
		for range down { // All derivatives of one order have the same weights.
			n := copy(w, first[:len(first)-len(w)])
			first, w = first[n:], w[n:]
		}
	}
}

// multinomial[n][i][j] is n! / (i! j! (n-i-j)!).
var multinomial [MaxDegree + 1][MaxDegree + 1][MaxDegree + 1]float64

func init() {
	multinomial[0][0][0] = 1
	for n := 1; n <= MaxDegree; n++ {
		for i := 0; i <= n; i++ {
			for j := 0; i+j <= n; j++ {
				m := multinomial[n-1][i][j]
				if i > 0 {
					m += multinomial[n-1][i-1][j]
				}
				if j > 0 {
					m += multinomial[n-1][i][j-1]
				}
				multinomial[n][i][j] = m
			}
		}
	}
}

// divide turns the jet of homogeneous coordinates into that of the quotient, by the rule for
// products: P = w S, P_u = w_u S + w S_u, P_uv = w_uv S + w_u S_v + w_v S_u + w S_uv.
func (j *jet) divide(nets int) {
	var w [derivatives]float64
	for d := range nets {
		w[d] = j[d][6]
	}
	for k := range 6 {
		s := j[value][k] / w[value]
		j[value][k] = s
		if nets == byU {
			continue
		}
		su := (j[byU][k] - float64(w[byU]*s)) / w[value]
		sv := (j[byV][k] - float64(w[byV]*s)) / w[value]
		j[byU][k], j[byV][k] = su, sv
		if nets == byUU {
			continue
		}
		j[byUU][k] = (j[byUU][k] - float64(w[byUU]*s) - float64(2*w[byU]*su)) / w[value]
		j[byUV][k] = (j[byUV][k] - float64(w[byUV]*s) - float64(w[byU]*sv) - float64(w[byV]*su)) / w[value]
		j[byVV][k] = (j[byVV][k] - float64(w[byVV]*s) - float64(2*w[byV]*sv)) / w[value]
	}
}
