package rigid

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/poses"
	"ccd/core/rigid/triangle"
)

// The reference implementation: intervals of time are halved until a fixed direction separates
// every pair of triangles over each of them, all in intervals, with nothing of the fast method but
// the definition of a motion. What it proves is proven.

type intervalProof struct {
	a, b   *Body
	ma, mb *Motion
	sep    float64
	steps  int
}

// apart proves that the bodies keep more than sep for all t in [t0, t1], or gives up.
func (w *intervalProof) apart(t0, t1 float64) bool {
	const most = 6
	for k := range most { // a long interval is several arcs
		lo, hi := t0+(t1-t0)*float64(k)/most, t0+(t1-t0)*float64(k+1)/most
		if k == most-1 {
			hi = t1
		}
		aa, ab := w.ma.Around(lo), w.mb.Around(lo)
		for i := range w.a.tri {
			for j := range w.b.tri {
				if !w.pair(&aa, &ab, i, j, num.Interval{Lo: 0, Hi: num.SubUp(hi, lo)}, 0) {
					return false
				}
			}
		}
	}
	return true
}

func (w *intervalProof) pair(aa, ab *poses.Arc, i, j int, tau num.Interval, depth int) bool {
	if w.steps++; depth > 40 || w.steps > 20000 {
		return false
	}
	ma, mb := aa.Over(tau), ab.Over(tau)
	var a, b [3]poses.Box
	for k := range 3 {
		a[k], b[k] = ma.Position(w.a.tri[i][k]), mb.Position(w.b.tri[j][k])
	}
	if w.direction(&a, &b) {
		return true
	}
	mid := 0.5*tau.Lo + 0.5*tau.Hi
	return mid > tau.Lo && mid < tau.Hi &&
		w.pair(aa, ab, i, j, num.Interval{Lo: tau.Lo, Hi: mid}, depth+1) &&
		w.pair(aa, ab, i, j, num.Interval{Lo: mid, Hi: tau.Hi}, depth+1)
}

// direction looks for one along which every corner of b lies more than sep beyond every one of a.
func (w *intervalProof) direction(a, b *[3]poses.Box) bool {
	var l leaf
	for k := range 3 {
		l.A.P[k], l.B.P[k] = middle(a[k]), middle(b[k])
	}
	l.A.Set()
	l.B.Set()
	triangle.Nearest(&l.A, &l.B, &l.Near)
	list := []r3.Vec{r3.Sub(l.Near.PB, l.Near.PA), l.A.Normal, l.B.Normal}
	for i := range 3 {
		list = append(list, geom.Cross(l.A.Normal, l.A.E[i]), geom.Cross(l.B.Normal, l.B.E[i]))
		for j := range 3 {
			list = append(list, geom.Cross(l.A.E[i], l.B.E[j]))
		}
	}
	for _, n := range list {
		if m := geom.MaxAbs(n); m > 0 {
			n = geom.Scale(1/m, n)
			if w.separates(a, b, n) || w.separates(a, b, geom.Scale(-1, n)) {
				return true
			}
		}
	}
	return false
}

func (w *intervalProof) separates(a, b *[3]poses.Box, n r3.Vec) bool {
	length := num.Point(0)
	for _, c := range geom.Components(n) {
		length = length.Add(num.Point(c).Sqr())
	}
	need := num.MulUp(length.Sqrt().Hi, w.sep)
	along := func(p poses.Box) (s num.Interval) {
		for k, c := range geom.Components(n) {
			s = s.Add(p[k].Scale(c))
		}
		return s
	}
	low, high := math.Inf(1), math.Inf(-1)
	for k := range 3 {
		low, high = min(low, along(b[k]).Lo), max(high, along(a[k]).Hi)
	}
	return num.SubDown(low, high) > need
}

func middle(b poses.Box) r3.Vec {
	return r3.Vec{X: 0.5*b[0].Lo + 0.5*b[0].Hi, Y: 0.5*b[1].Lo + 0.5*b[1].Hi, Z: 0.5*b[2].Lo + 0.5*b[2].Hi}
}

// distanceAt returns the distance of two bodies in given poses, in floats: 0 where they pierce.
func distanceAt(a, b *Body, pa, pb geom.Pose) float64 {
	place := func(b *Body, p geom.Pose) (out []triangle.Corners) {
		m := geom.Rotation(p.Rotation)
		for _, t := range b.tri {
			var c triangle.Corners
			for k := range 3 {
				c.P[k] = r3.Add(m.Apply(t[k]), p.Position)
			}
			c.Set()
			out = append(out, c)
		}
		return out
	}
	ta, tb := place(a, pa), place(b, pb)
	best := math.Inf(1)
	for i := range ta {
		for j := range tb {
			l := leaf{Pair: triangle.Pair{A: ta[i], B: tb[j]}}
			triangle.Nearest(&l.A, &l.B, &l.Near)
			if best = min(best, math.Sqrt(l.Near.D2)); l.Intersect(1e-9) {
				return 0
			}
		}
	}
	return best
}

// soup returns a body of random triangles, some degenerate.
func soup(r *rand.Rand, n int) *Body {
	var v []float64
	var f [][3]int32
	for i := range n {
		scale := math.Ldexp(1, -r.IntN(4))
		c := [3]float64{r.NormFloat64() * 0.3, r.NormFloat64() * 0.3, r.NormFloat64() * 0.3}
		for range 3 {
			for k := range 3 {
				v = append(v, c[k]+scale*(r.Float64()-0.5))
			}
		}
		at := int32(3 * i)
		switch r.IntN(12) {
		case 0:
			f = append(f, [3]int32{at, at + 1, at + 1}) // an edge
		case 1:
			f = append(f, [3]int32{at, at, at}) // a point
		case 2:
			for k := range 3 { // a needle
				v[3*at+6+int32(k)] = v[3*at+int32(k)]*0.5 + v[3*at+3+int32(k)]*0.5 + 1e-9*r.Float64()
			}
			f = append(f, [3]int32{at, at + 1, at + 2})
		case 3:
			for k := range int32(9) { // On a grid, edges are parallel and faces coplanar.
				v[3*at+k] = math.Round(v[3*at+k]*4) / 4
			}
			f = append(f, [3]int32{at, at + 1, at + 2})
		default:
			f = append(f, [3]int32{at, at + 1, at + 2})
		}
	}
	b, err := NewBody(v, f, 1)
	if err != nil {
		panic(err)
	}
	return b
}
