package patch

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/status"
)

// NURBS is the fixed part of a moving NURBS surface (or curve, of V degree 0 and one row of
// points): everything but the control points. Point (i, j), i along u of NU, j along v of NV, has
// the index i NV + j.
//
// Knot vectors need not be clamped, and knots may repeat: the surface is that over [k_p, k_n] in
// each parameter, p the degree and n the number of points along it. There are n + p + 1 knots.
type NURBS struct {
	U, V           int
	KnotsU, KnotsV []float64
	W              []float64 // positive weights, or nil
}

// KnotSpan is the rectangle of a NURBS surface's parameters that one of its Bezier patches covers.
type KnotSpan struct{ U0, U1, V0, V1 float64 }

// Points returns how many control points the surface has along u and along v.
func (s *NURBS) Points() (nu, nv int) {
	if s.curve() {
		return len(s.KnotsU) - s.U - 1, 1
	}
	return len(s.KnotsU) - s.U - 1, len(s.KnotsV) - s.V - 1
}

func (s *NURBS) curve() bool { return s.V == 0 && len(s.KnotsV) == 0 }

// Check reports the first field that is wrong.
func (s *NURBS) Check() error {
	form := Form{Quad, s.U, s.V}
	if s.curve() {
		form = Form{Curve, s.U, 0}
		if s.U == 0 { // a form may have it, and is a point
			return status.Errorf(status.ErrArgument, "u degree 0 of a NURBS curve: must be in [1, %d]", MaxDegree)
		}
	}
	if err := form.Check(); err != nil {
		return err
	}
	if err := checkKnots("knots_u", s.KnotsU, s.U); err != nil {
		return err
	}
	if !s.curve() {
		if err := checkKnots("knots_v", s.KnotsV, s.V); err != nil {
			return err
		}
	}
	nu, nv := s.Points()
	return checkWeights(nu*nv, s.W)
}

func checkKnots(name string, k []float64, p int) error {
	n := len(k) - p - 1
	if n < p+1 {
		return status.Errorf(status.ErrArgument, "%s has %d knots: degree %d needs at least %d", name, len(k), p, 2*p+2)
	}
	for i, x := range k {
		if !(math.Abs(x) <= geom.MaxCoordinate) {
			return fmt.Errorf("%s[%d] is %v: %w", name, i, x, status.ErrNonFinite)
		}
		if i > 0 && x < k[i-1] {
			return status.Errorf(status.ErrArgument, "%s[%d] is %v: less than the knot before it", name, i, x)
		}
	}
	if !(k[p] < k[n]) {
		return status.Errorf(status.ErrArgument, "%s[%d] and [%d] are both %v: the surface is empty", name, p, n, k[p])
	}
	return nil
}

// Bezier turns the surface into its Bezier patches, u slowest, with the parameters that each
// covers. Weights are left out where the surface has none. Patches carry bounds on what the
// arithmetic lost; these are zero where it lost nothing.
//
// Inserting a knot until it is as many-fold as the degree leaves the control points of the Bezier
// patches (Piegl and Tiller, 5.3 and 5.6). They are the surface's polar form at the ends of a span,
// b_k = f(a, ..., a, b, ..., b) with k times b, and evaluating that (Ramshaw) inserts just those
// knots, for any knot vector: every fraction lies in [0,1], for the span lies in the support of
// every function used. A fraction of 0 or 1, which a knot of full multiplicity gives, copies.
func (s *NURBS) Bezier(x0, x1 []float64) ([]*Patch, []KnotSpan, error) {
	if err := s.Check(); err != nil {
		return nil, nil, err
	}
	nu, nv := s.Points()
	if err := checkPoints(nu*nv, x0, x1); err != nil {
		return nil, nil, err
	}
	grid := make([]control, nu*nv)
	for i := range grid {
		c := control{w: 1}
		copy(c.x[:3], x0[3*i:])
		copy(c.x[3:], x1[3*i:])
		if s.W != nil {
			c.w = s.W[i]
		}
		grid[i] = c
	}
	us, vs := knotSpans(s.KnotsU, s.U), []int{0}
	rows := extract(grid, nu, nv, s.KnotsU, s.U, us) // len(us) (U+1) by nv
	nr, nc := len(us)*(s.U+1), 1
	if !s.curve() {
		vs = knotSpans(s.KnotsV, s.V)
		rows = transpose(extract(transpose(rows, nr, nv), nv, nr, s.KnotsV, s.V, vs), len(vs)*(s.V+1), nr)
		nc = len(vs) * (s.V + 1)
	}
	var out []*Patch
	var where []KnotSpan
	for i, u := range us {
		for j, v := range vs {
			sp := KnotSpan{U0: s.KnotsU[u], U1: s.KnotsU[u+1]}
			f := Form{Curve, s.U, 0}
			if !s.curve() {
				f = Form{Quad, s.U, s.V}
				sp.V0, sp.V1 = s.KnotsV[v], s.KnotsV[v+1]
			}
			out = append(out, gather(f, rows, nc, i*(s.U+1), j*(s.V+1), s.W != nil))
			where = append(where, sp)
		}
	}
	return out, where, nil
}

// knotSpans lists the i with knots i and i+1 apart, within the domain.
func knotSpans(k []float64, p int) (s []int) {
	for i := p; i < len(k)-p-1; i++ {
		if k[i] < k[i+1] {
			s = append(s, i)
		}
	}
	return s
}

// extract turns each of the nv columns of an nu x nv grid, a curve of degree p, into Bezier curves,
// one per span.
func extract(grid []control, nu, nv int, knots []float64, p int, spans []int) []control {
	out := make([]control, len(spans)*(p+1)*nv)
	d := make([]control, p+1)
	for s, r := range spans {
		for k := 0; k <= p; k++ {
			for j := range nv {
				for i := range d {
					d[i] = grid[(r-p+i)*nv+j]
				}
				out[(s*(p+1)+k)*nv+j] = blossom(d, knots, r, p, k)
			}
		}
	}
	return out
}

// blossom returns the polar form of the curve on the span from knot r, at p-k times its start and k
// times its end.
func blossom(d []control, knots []float64, r, p, k int) control {
	for j := 1; j <= p; j++ {
		t := knots[r]
		if j > p-k {
			t = knots[r+1]
		}
		for i := p; i >= j; i-- {
			at := r - p + i
			d[i] = average(&d[i-1], &d[i], fractionOf(knots[at], t, knots[at+p+1-j]))
		}
	}
	return d[p]
}

func transpose(a []control, rows, cols int) []control {
	out := make([]control, len(a))
	for i := range rows {
		for j := range cols {
			out[j*rows+i] = a[i*cols+j]
		}
	}
	return out
}

// gather makes the patch whose control net starts at (i0, j0) of a grid with nc columns.
func gather(f Form, grid []control, nc, i0, j0 int, rational bool) *Patch {
	n := f.Points()
	p := &Patch{Form: f, X0: make([]float64, 3*n), X1: make([]float64, 3*n)}
	if rational {
		p.W = make([]float64, n)
	}
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V; j++ {
			c, at := &grid[(i0+i)*nc+j0+j], f.Index(i, j)
			copy(p.X0[3*at:], c.x[:3])
			copy(p.X1[3*at:], c.x[3:])
			p.Err, p.WErr = max(p.Err, c.err), max(p.WErr, c.werr)
			if rational {
				p.W[at] = c.w
			}
		}
	}
	return p
}
