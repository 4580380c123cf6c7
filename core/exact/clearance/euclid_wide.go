package clearance

import (
	"math"
	"math/big"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// The last stage of a Euclidean separation, in integers of any width: the features and the theorem
// of euclid.go. It looks for the first contact between two doubles by Descartes' rule of signs, and
// halves the doubles between them. It looks for roots only between neighbors, where their order
// does not matter.

// EuclideanWide is a query's features.
type EuclideanWide struct {
	Features []EuclideanFeature
}

// EuclideanFeature is a row of the table in euclid.go: contact where near <= 0, and region > 0 but
// for the last of them, which is a square, >= 0. Without a separation (zero) contact is where
// near = 0.
type EuclideanFeature struct {
	Near   algebra.BigPoly
	Region []algebra.BigPoly
	Zero   bool
}

// load makes the features, once, all lengths in the largest power of two that makes them integers.
func (w *EuclideanWide) load(kind geom.Kind, q []float64, d float64) {
	if w.Features != nil {
		return
	}
	n := kind.Points()
	unit := math.MaxInt32
	lowest := func(x float64) {
		if m, e := algebra.Mantissa(math.Abs(x)); m != 0 {
			unit = min(unit, e)
		}
	}
	lowest(d)
	for _, x := range q[:6*n] {
		lowest(x)
	}
	integer := func(x float64) *big.Int {
		m, e := algebra.Mantissa(math.Abs(x))
		y := big.NewInt(m)
		if m != 0 {
			y.Lsh(y, uint(e-unit))
		}
		if x < 0 {
			y.Neg(y)
		}
		return y
	}
	var points [8][3]*big.Int
	for i := range 2 * n {
		for k := range 3 {
			points[i][k] = integer(q[3*i+k])
		}
	}
	move := func(pair [2]int8) (v algebra.BigVector) {
		for k := range v {
			x0 := new(big.Int).Sub(points[pair[0]][k], points[pair[1]][k])
			x1 := new(big.Int).Sub(points[n+int(pair[0])][k], points[n+int(pair[1])][k])
			v[k] = algebra.BigPoly{x0, x1.Sub(x1, x0)}.Trimmed()
		}
		return v
	}
	r := integer(d)
	square := algebra.BigPoly{r.Mul(r, r)}.Trimmed()
	corners, edges := PolygonOf(kind, move)
	w.Build(kind, corners, edges, square)
}

// PolygonOf returns the corners and edges of the polygon F, each a difference of two points.
func PolygonOf(kind geom.Kind, move func(pair [2]int8) algebra.BigVector) (corners, edges []algebra.BigVector) {
	for _, pair := range Shapes[kind].Corners {
		corners = append(corners, move(pair))
	}
	for _, pair := range Shapes[kind].Edges {
		edges = append(edges, move(pair))
	}
	return corners, edges
}

// Build makes the features of a polygon for the separation whose square is given, a positive one.
func (w *EuclideanWide) Build(kind geom.Kind, corners, edges []algebra.BigVector, square algebra.BigPoly) {
	for i := range corners {
		p := &corners[i]
		w.Features = append(w.Features, EuclideanFeature{Near: p.Dot(p).Minus(square)})
	}
	for _, z := range PolygonSides[kind] {
		p, e := &corners[z.From], &edges[z.Edge]
		x, ee, pe := p.Cross(e), e.Dot(e), p.Dot(e)
		w.Features = append(w.Features, EuclideanFeature{
			Near:   x.Dot(&x).Minus(square.Times(ee)),
			Region: []algebra.BigPoly{pe.Negated(), pe.Plus(ee), ee},
		})
	}
	if len(edges) < 2 {
		return
	}
	an, region := InsideOf(kind, &corners[0], &edges[0], &edges[1])
	nn := region[len(region)-1]
	w.Features = append(w.Features, EuclideanFeature{Near: an.Times(an).Minus(square.Times(nn)), Region: region})
}

// InsideOf returns A.N, N = B x C, and the region of the polygon's inside, with N.N as the last.
func InsideOf(kind geom.Kind, a, b, c *algebra.BigVector) (an algebra.BigPoly, region []algebra.BigPoly) {
	normal := b.Cross(c)
	nn := normal.Dot(&normal)
	x, y := c.Cross(a), a.Cross(b)
	u, v := x.Dot(&normal), y.Dot(&normal)
	if kind == geom.EdgeEdge {
		return a.Dot(&normal), []algebra.BigPoly{u, v, nn.Minus(u), nn.Minus(v), nn}
	}
	return a.Dot(&normal), []algebra.BigPoly{u, v, nn.Minus(u).Minus(v), nn}
}

// First returns the first contact in [lo, hi], of a pair that is apart before lo.
func (w *EuclideanWide) First(lo, hi float64) Instant {
	if w.Contact(lo, 0) {
		return Instant{Contact: true, Lo: lo, Hi: lo}
	}
	if lo == hi {
		return Instant{}
	}
	return w.between(lo, hi, w.Features)
}

// Contact reports whether there is contact at t: a distance of at most d, or less than d when most
// is -1.
func (w *EuclideanWide) Contact(t float64, most int) bool {
	return w.contactAt(algebra.BigDyadicOf(t), most)
}

// contactAt is contact at any dyadic time.
func (w *EuclideanWide) contactAt(x algebra.BigDyadic, most int) bool {
	for i := range w.Features {
		if w.Features[i].holds(x, most) {
			return true
		}
	}
	return false
}

func (f *EuclideanFeature) holds(x algebra.BigDyadic, most int) bool {
	if s := f.Near.Sign(x); s > most || f.Zero && s != 0 {
		return false
	}
	for i, p := range f.Region {
		if s := p.Sign(x); s < 0 || s == 0 && i == len(f.Region)-1 {
			return false
		}
	}
	return true
}

// between returns the first contact in (lo, hi], lo not being one, when it can be that of one of
// the features only, or be at hi.
func (w *EuclideanWide) between(lo, hi float64, features []EuclideanFeature) Instant {
	l, h := algebra.BigDyadicOf(lo), algebra.BigDyadicOf(hi)
	var left []EuclideanFeature
	for _, f := range features {
		if inside, possible := f.within(l, h); possible {
			left = append(left, inside)
		}
	}
	a, b := math.Float64bits(lo), math.Float64bits(hi) // doubles of one sign are ordered as their bits
	switch {
	case len(left) == 0:
	case b-a > 1:
		m := math.Float64frombits(a + (b-a)/2)
		if t := w.between(lo, m, left); t.Contact {
			return t
		}
		return w.between(m, hi, left)
	case w.Contact(hi, -1): // nearer than d, so at d just before
		return Instant{Contact: true, Lo: lo, Hi: hi}
	default:
		for i := range left {
			if left[i].root(l, h) {
				return Instant{Contact: true, Lo: lo, Hi: hi}
			}
		}
	}
	if w.Contact(hi, 0) {
		return Instant{Contact: true, Lo: hi, Hi: hi}
	}
	return Instant{}
}

// within reports whether the feature may have the first contact inside the open interval (lo, hi):
// a root of near, where the region is > 0. It returns the feature there, without what of the region
// is > 0 in all of it: most is, so the parts of the interval have less to look at.
func (f *EuclideanFeature) within(lo, hi algebra.BigDyadic) (inside EuclideanFeature, possible bool) {
	if len(f.Near) == 0 {
		return inside, false
	}
	if changes, _ := f.Near.Bernstein(lo, hi).Changes(); changes == 0 {
		return inside, false
	}
	inside = EuclideanFeature{Near: f.Near, Zero: f.Zero}
	for _, p := range f.Region {
		changes, sign := p.Bernstein(lo, hi).Changes()
		if changes == 0 && sign <= 0 {
			return inside, false
		}
		if changes > 0 {
			inside.Region = append(inside.Region, p)
		}
	}
	return inside, true
}

// root reports whether near has a root inside (lo, hi) at which the region is > 0.
func (f *EuclideanFeature) root(lo, hi algebra.BigDyadic) bool {
	p := f.Near.Simple()
	found := false
	p.Isolate(lo, hi, p.Bernstein(lo, hi), func(l, h algebra.BigDyadic) bool {
		for _, q := range f.Region {
			if !q.PositiveAtRoot(p, &l, &h) {
				return false
			}
		}
		found = true
		return true
	})
	return found
}
