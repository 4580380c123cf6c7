package oracle

import (
	"math"
	"math/big"

	"ccd/core/geom"
)

// The oracle of a minimum separation in the Euclidean norm: integers alone, no filter, no
// tolerance.
//
// At a time t the points F(t,u,v) form a flat convex polygon: a triangle, a parallelogram, a
// segment or a point. Contact means that its nearest point to the origin is within d. That point is
// a corner p, or the foot of the perpendicular on a side from p along e, or the foot on the
// polygon's plane with the normal N = B x C, inside the polygon:
//
//	corner  p.p <= d^2
//	side    (p x e)^2 <= d^2 e.e     where e.e > 0 and p.e <= 0 <= (p + e).e
//	plane   (A.N)^2 <= d^2 N.N where N.N > 0 and u = (C x A).N / N.N, v = (A x B).N / N.N lie in the
//	        domain
//
// Each of these conditions names a point of the polygon within d, and in a contact the nearest
// point fulfils one of them. So contact at t is a Boolean function of the signs of finitely many
// polynomials in t. If the first contact is not at 0, one of the polynomials of the condition that
// holds there has a root there and is not zero throughout: otherwise the condition would hold a
// little earlier too.

// euclideanFeature is one of the conditions: near <= 0, and where the point exists, strict > 0 and
// weak >= 0.
type euclideanFeature struct {
	near         poly
	strict, weak []poly
}

// EuclideanSeparation decides whether |F| <= d in the Euclidean norm for some t in [0, tMax] and
// (u, v) in the kind's domain, and when first. The query must be finite, d >= 0 finite, tMax in [0,
// 1].
func EuclideanSeparation(kind geom.Kind, q []float64, d, tMax float64) SeparationTruth {
	first := euclideanRoot(euclideanFeatures(kind, q, d))
	none := SeparationTruth{Lo: math.Inf(1), Hi: math.Inf(1)}
	if first == nil {
		return none
	}
	t := SeparationTruth{Contact: true, Lo: first.floor()}
	t.Hi = t.Lo
	if !first.exact() || first.hi.cmp(dyadicOf(t.Lo)) != 0 { // a dyadic time may have more bits than a double
		t.Hi = math.Nextafter(t.Lo, 2)
	}
	if t.Lo > tMax || t.Lo == tMax && t.Hi > tMax {
		return none
	}
	return t
}

// euclideanRoot is the first time of contact; nil without contact.
func euclideanRoot(features []euclideanFeature) (first *root) {
	for _, f := range features {
		candidates := []*root{exactly(dyadicOf(0))}
		for _, p := range f.polynomials() {
			if len(p) != 0 {
				candidates = append(candidates, isolate(p)...)
			}
		}
		for _, r := range candidates {
			if (first == nil || r.compare(first) < 0) && f.holds(r) {
				first = r
			}
		}
	}
	return first
}

// EuclideanContactAt reports whether |F| <= d in the Euclidean norm at the time t for some (u, v).
func EuclideanContactAt(kind geom.Kind, q []float64, d, t float64) bool {
	for _, f := range euclideanFeatures(kind, q, d) {
		if f.holds(exactly(dyadicOf(t))) {
			return true
		}
	}
	return false
}

func (f *euclideanFeature) polynomials() []poly {
	return append(append([]poly{f.near}, f.strict...), f.weak...)
}

func (f *euclideanFeature) holds(r *root) bool {
	if r.sign(f.near) > 0 {
		return false
	}
	for _, p := range f.strict {
		if r.sign(p) <= 0 {
			return false
		}
	}
	for _, p := range f.weak {
		if r.sign(p) < 0 {
			return false
		}
	}
	return true
}

func euclideanFeatures(kind geom.Kind, q []float64, d float64) []euclideanFeature {
	return featuresIn(kind, inOneUnit(kind, q, d))
}

// featuresIn does so for lengths that are integers in one unit: the coordinates, and last d.
func featuresIn(kind geom.Kind, x []*big.Int) (list []euclideanFeature) {
	a, b, c, radius := euclideanForm(kind, x)
	return euclideanFeaturesOf(kind, a, b, c, radius)
}

// euclideanFeaturesOf lists them for A, B, C and a separation of any degree.
func euclideanFeaturesOf(kind geom.Kind, a, b, c vec, radius poly) (list []euclideanFeature) {
	d2 := radius.times(radius)
	domain := kind.Info().Domain
	var corners []vec
	for _, at := range kind.Info().Corners {
		f := a
		if at.U == 1 {
			f = f.plus(b)
		}
		if at.V == 1 {
			f = f.plus(c)
		}
		corners = append(corners, f)
	}
	for i, p := range corners {
		list = append(list, euclideanFeature{near: p.dot(p).minus(d2)})
		if i+1 == len(corners) && domain != geom.Triangle && domain != geom.Square {
			break // a point or a segment: no side leads back to the first corner
		}
		e := corners[(i+1)%len(corners)].minus(p)
		ee, pe, x := e.dot(e), p.dot(e), p.cross(e)
		list = append(list, euclideanFeature{
			near:   x.dot(x).minus(d2.times(ee)),
			strict: []poly{ee},
			weak:   []poly{poly(nil).minus(pe), pe.plus(ee)},
		})
	}
	if domain != geom.Triangle && domain != geom.Square {
		return list
	}
	n := b.cross(c)
	nn, an, u, v := n.dot(n), a.dot(n), c.cross(a).dot(n), a.cross(b).dot(n)
	plane := euclideanFeature{near: an.times(an).minus(d2.times(nn)), strict: []poly{nn}, weak: []poly{u, v}}
	if domain == geom.Triangle {
		plane.weak = append(plane.weak, nn.minus(u).minus(v))
	} else {
		plane.weak = append(plane.weak, nn.minus(u), nn.minus(v))
	}
	return append(list, plane)
}

// euclideanForm writes A, B, C of F = A + uB + vC and d as integer polynomials.
func euclideanForm(kind geom.Kind, x []*big.Int) (a, b, c vec, radius poly) {
	n := kind.Points()
	line := func(pair [2]uint8) (v vec) { // the first point minus the second, over time
		for k := range v {
			at := func(s int) *big.Int {
				return new(big.Int).Sub(x[3*(s*n+int(pair[0]))+k], x[3*(s*n+int(pair[1]))+k])
			}
			x0, x1 := at(0), at(1)
			v[k] = trim(poly{x0, x1.Sub(x1, x0)})
		}
		return v
	}
	form := &kind.Info().Form
	return line(form[0]), line(form[1]), line(form[2]), trim(poly{x[6*n]})
}

// inOneUnit writes the coordinates and d as integers, all in one power of two.
func inOneUnit(kind geom.Kind, q []float64, d float64) (list []*big.Int) {
	all := append(append([]float64(nil), q[:6*kind.Points()]...), d)
	unit := 1 << 20
	for _, x := range all {
		if y := dyadicOf(x).reduce(); y.n.Sign() != 0 {
			unit = min(unit, int(y.n.TrailingZeroBits())-int(y.k))
		}
	}
	for _, x := range all {
		y := dyadicOf(x)
		if shift := -unit - int(y.k); y.n.Sign() != 0 && shift >= 0 {
			y.n.Lsh(y.n, uint(shift))
		} else if y.n.Sign() != 0 {
			y.n.Rsh(y.n, uint(-shift)) // exact: the unit divides every length
		}
		list = append(list, y.n)
	}
	return list
}
