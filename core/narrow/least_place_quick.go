package narrow

import (
	"math"

	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/num"
)

// placeKnown is how far the components of a normal may be from the true ones before they are
// rounded, over the largest of them.
const placeKnown = 0x1p-70

// placeQuickly writes U, V and Normal of a least distance as exact.NearestAt has them, or reports
// false where balls of about 106 bits do not prove which point of F(u, v) is nearest to 0.
//
// F is the convex hull of its corners, so a point f of it is the nearest one if f.g >= f.f for all
// corners g. Doubles guess the corner, side or inside that it is on; there it is one of these, with
// inner products whose signs must be certain:
//
//   - a corner f, if f.(g - f) > 0 for the others;
//   - the foot of 0 on the line of a side d from a corner e, along N = (d.d) e - (e.d) d, if it is
//     between both ends, and N.(g - e) > 0 for the other corners: N.d = 0;
//   - the foot of 0 on the plane, along N = B x C, if its parameters are in the domain.
func placeQuickly(d *geom.LeastDistance, q []float64) bool {
	var p placeGuess
	if !p.load(d.Kind, q, d.T) {
		return false
	}
	i, j := p.guess()
	var u, v num.Ball
	var n num.BallVec
	var ok bool
	switch {
	case i < 0:
		u, v, n, ok = p.inside()
	case j < 0:
		u, v, n, ok = p.corner(i)
	default:
		u, v, n, ok = p.side(i, j)
	}
	if !ok || !(u.E <= placeKnown && v.E <= placeKnown) {
		return false
	}
	at := [3]float64{n[0].H, n[1].H, n[2].H}
	size := max(math.Abs(at[0]), math.Abs(at[1]), math.Abs(at[2]))
	if !(max(n[0].E, n[1].E, n[2].E) <= placeKnown*size && size > 0) {
		return false
	}
	d.U, d.V, d.Normal = min(u.H, 1), min(v.H, 1), exact.Unit(at, 1)
	return true
}

// placeGuess is a pair at a time, in balls.
type placeGuess struct {
	info *geom.KindInfo
	p    [4]num.BallVec
	f    [4]num.BallVec // the corners of F
}

// load computes the corners; it reports false for coordinates whose products may leave the range of
// doubles.
func (p *placeGuess) load(kind geom.Kind, q []float64, t float64) bool {
	top := 0.0
	for _, x := range q {
		top = max(top, math.Abs(x))
	}
	if !(top > 0x1p-100 && top < 0x1p100) {
		return false
	}
	p.info = kind.Info()
	n, at := p.info.Points, num.BallOf(t)
	for i := range n {
		for k := range 3 {
			x := num.BallOf(q[3*i+k])
			p.p[i][k] = x.Add(num.BallOf(q[3*(n+i)+k]).Sub(x).Mul(at))
		}
	}
	for i, c := range p.info.Corners {
		p.f[i] = p.p[c.A].Minus(&p.p[c.B])
	}
	return true
}

// guess returns the corner i, with j < 0, or the side from i to j that the nearest point is on in
// doubles; i < 0: it is inside.
func (p *placeGuess) guess() (i, j int) {
	corners := len(p.info.Corners)
	var g [4]geom.Vec
	for k := range corners {
		g[k] = geom.Vec{p.f[k][0].H, p.f[k][1].H, p.f[k][2].H}
	}
	best, i, j := math.Inf(1), 0, -1
	for k := range corners {
		if s := geom.Dot3(&g[k], &g[k]); s < best {
			best, i = s, k
		}
	}
	for k := range p.sides() {
		l := (k + 1) % corners
		w := geom.Sub3(&g[l], &g[k])
		ww, s := geom.Dot3(&w, &w), -geom.Dot3(&g[k], &w)
		if !(s > 0 && s < ww) {
			continue
		}
		if x := geom.Dot3(&g[k], &g[k]) - float64(s*(s/ww)); x < best {
			best, i, j = x, k, l
		}
	}
	if corners < 3 {
		return i, j
	}
	// Of a square and of a triangle corner 0 is at (0, 0); b leads to the next one, c to the last.
	b, c := geom.Sub3(&g[1], &g[0]), geom.Sub3(&g[corners-1], &g[0])
	n := geom.Cross3(&b, &c)
	x, y := geom.Cross3(&g[0], &c), geom.Cross3(&g[0], &b)
	u, v, all := -geom.Dot3(&x, &n), geom.Dot3(&y, &n), geom.Dot3(&n, &n)
	if u > 0 && v > 0 && u < all && v < all && (p.info.Domain != geom.Triangle || u+v < all) {
		return -1, -1
	}
	return i, j
}

func (p *placeGuess) sides() int {
	if n := len(p.info.Corners); n > 2 {
		return n
	}
	return len(p.info.Corners) - 1
}

// beyond reports whether all corners but i and j are surely farther than corner i along n.
func (p *placeGuess) beyond(n *num.BallVec, i, j int) bool {
	for k := range p.info.Corners {
		if k == i || k == j {
			continue
		}
		way := p.f[k].Minus(&p.f[i])
		if n.Dot(&way).Sign() <= 0 {
			return false
		}
	}
	return true
}

func (p *placeGuess) corner(i int) (u, v num.Ball, n num.BallVec, ok bool) {
	c := p.info.Corners[i]
	return num.BallOf(float64(c.U)), num.BallOf(float64(c.V)), p.f[i], p.beyond(&p.f[i], i, i)
}

func (p *placeGuess) side(i, j int) (u, v num.Ball, n num.BallVec, ok bool) {
	d := p.f[j].Minus(&p.f[i])
	dd, s := d.Dot(&d), p.f[i].Dot(&d).Neg()
	if s.Sign() <= 0 || dd.Sub(s).Sign() <= 0 {
		return u, v, n, false
	}
	for k := range n {
		n[k] = p.f[i][k].Mul(dd).Add(d[k].Mul(s))
	}
	if !p.beyond(&n, i, j) {
		return u, v, n, false
	}
	share := s.Div(dd)
	from, to := p.info.Corners[i], p.info.Corners[j]
	mix := func(a, b uint8) num.Ball {
		return num.BallOf(float64(a)).Add(share.Mul(num.BallOf(float64(b) - float64(a))))
	}
	return mix(from.U, to.U), mix(from.V, to.V), n, true
}

func (p *placeGuess) inside() (u, v num.Ball, n num.BallVec, ok bool) {
	last := len(p.info.Corners) - 1
	b, c := p.f[1].Minus(&p.f[0]), p.f[last].Minus(&p.f[0])
	n = b.Cross(&c)
	x, y := p.f[0].Cross(&c), p.f[0].Cross(&b)
	all := n.Dot(&n)
	u, v = x.Dot(&n).Neg(), y.Dot(&n)
	rest := all.Sub(u)
	if p.info.Domain == geom.Triangle {
		rest = rest.Sub(v)
	}
	if u.Sign() <= 0 || v.Sign() <= 0 || rest.Sign() <= 0 || all.Sub(v).Sign() <= 0 {
		return u, v, n, false
	}
	switch n.Dot(&p.f[0]).Sign() {
	case 0:
		return u, v, n, false
	case -1:
		for k := range n {
			n[k] = n[k].Neg()
		}
	}
	return u.Div(all), v.Div(all), n, true
}
