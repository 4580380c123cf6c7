package rigid

import (
	"ccd/core/inclusion"
	"ccd/core/num"
)

// window returns the part of [TMin, TMax] in which the balls around the pivots may be as near as
// contact is; some reports whether there is one.
//
// However the bodies turn, each stays in the ball of its radius around its pivot, and the pivots
// move on lines. So bodies that are far from each other, or meet for a moment of a long interval,
// are searched only while they can meet, and arcs have their epoch there. The balls hold the radii
// of bodies that are more than their triangles, so the separation must not (see Options.around).
// Let y be the vector from A's pivot to B's at TMin, v its rate, and rho the sum of radii,
// separation and tolerance, rounded up. Intervals enclose |y + x v|^2 - rho^2 = G + B x + A x^2;
// Parabola bounds its first and its last root.
func (q *query) window(o *Options) (from, to float64, some bool) {
	rho := num.AddUp(num.AddUp(q.a.radius, q.b.radius), num.AddUp(o.MinSeparation, o.Tolerance))
	p := inclusion.Parabola{G: num.Point(rho).Sqr().Neg()}
	for _, c := range [3][4]float64{{q.x0.X, q.xl.X, q.v.X, q.vl.X}, {q.x0.Y, q.xl.Y, q.v.Y, q.vl.Y},
		{q.x0.Z, q.xl.Z, q.v.Z, q.vl.Z}} {
		v := num.Point(c[2]).Add(num.Point(c[3]))
		y := num.Point(c[0]).Add(num.Point(c[1])).Add(v.Scale(o.TMin))
		p.G, p.B, p.A = p.G.Add(y.Sqr()), p.B.Add(y.Mul(v).Scale(2)), p.A.Add(v.Sqr())
	}
	from, to = o.TMin, o.TMax
	if p.G.Lo > 0 {
		x, none := p.Free()
		if from = max(from, num.AddDown(from, x)); none || from > to {
			return from, to, false
		}
	}
	return from, max(min(to, num.AddUp(o.TMin, p.Rid())), from), true
}
