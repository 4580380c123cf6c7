package rigid

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/num"
)

// A GapGradient is a distance with its derivatives by the poses. Its layout is that of
// ccd_rigid_gap_gradient: 248 bytes, no hidden padding.
//
// If A moves with the velocity v and turns about its origin with the angular velocity w, in the
// axes of the world, the distance changes at the rate PositionA.v + RotationA.w; and so for B.
type GapGradient struct {
	Gap                  Gap
	PositionA, RotationA r3.Vec // derivatives by A's position, and by a turn about its origin
	PositionB, RotationB r3.Vec
	State                gradient.State
	Reserved             int32
}

// nearestMost is how many pairs of features with different derivatives may be equally near.
const nearestMost = 1024

// oneSlope is how far derivatives may be apart that are kept as one, by a position, and by a turn
// of bodies whose sum of radii is 1. The least bit of a double near 1 is larger.
const oneSlope = 0x1p-64

// DistanceGradient returns the distance of the surfaces of two bodies at exact poses, and its
// derivatives by these.
//
// Laws: in the state Defined the distance has derivatives, as far as balls of double-doubles tell:
// all nearest points give the same ones. Each component by a position is within gradient.Tolerance
// of the true one, each by a turn within it times the sum of the radii about the origins. Tie:
// several points are nearest, and their derivatives differ; NaN. Initial: the surfaces share a
// point, where the distance is least; 0. Undetermined: MaxIterations ended the search, numbers are
// beyond the range of doubles, or balls do not tell where edges are nearest that are parallel but
// for rounding; NaN.
//
// A radius or padding changes no derivative. Where bodies have deviations, the derivatives are
// those of the distance of their facets.
func (r *Ruler) DistanceGradient(a *Body, pa *geom.Pose, b *Body, pb *geom.Pose, o DistanceOptions,
	out *GapGradient) error {
	*out = GapGradient{}
	if err := r.Distance(a, pa, b, pb, o, &out.Gap); err != nil {
		return err
	}
	switch {
	case r.meets:
		out.State = gradient.Initial
	case !r.spent:
		out.State = r.differentiate(pa, pb, out)
	}
	if out.State != gradient.Defined && out.State != gradient.Initial {
		nan := r3.Vec{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}
		out.PositionA, out.RotationA, out.PositionB, out.RotationB = nan, nan, nan, nan
	}
	return nil
}

// differentiate looks at all pairs of triangles that may be the nearest.
func (r *Ruler) differentiate(pa, pb *geom.Pose, out *GapGradient) gradient.State {
	var s slopes
	s.begin(pa, pb, r.a.radius+r.b.radius)
	bound, steps := num.Up(r.best.hi), r.steps
	r.stack = append(r.stack[:0], nodePair{pending: pending{same: true}})
	for n := len(r.stack); n > 0; n = len(r.stack) {
		it := r.stack[n-1]
		r.stack = r.stack[:n-1]
		if a, b := r.a.body.child[it.a], r.b.body.child[it.b]; a >= 0 || b >= 0 || it.same {
			r.open(&it, bound)
			continue
		}
		ta, tb := &r.a.body.tri[^r.a.body.child[it.a]], &r.b.body.tri[^r.b.body.child[it.b]]
		r.steps++
		r.leaf.set(&r.query, ta, tb)
		if _, low := r.along(); low >= bound {
			continue
		}
		if s.take(ta, tb); len(s.found) > nearestMost {
			return gradient.Tie
		}
		if r.o.MaxIterations > 0 && r.steps >= r.o.MaxIterations {
			return gradient.Undetermined
		}
	}
	out.Gap.Iterations += r.steps - steps
	return s.result(out)
}

// slopes gathers the derivatives of the distances of features, in balls and in a unit that keeps
// all lengths below 1.
type slopes struct {
	exponent int // the unit is 2^exponent
	turn     [2][3]num.BallVec
	apart    num.BallVec // the way from A's origin to B's
	reach    float64     // the sum of the radii
	least    num.Ball    // the least square of a distance, of those found
	found    []slope
}

// slope is the derivatives that a pair of features gives: the unit n from B to A, and the turns
// about both origins that it makes.
type slope struct {
	square num.Ball
	by     [3]num.BallVec
}

func (s *slopes) begin(pa, pb *geom.Pose, radii float64) {
	d := r3.Sub(pb.Position, pa.Position)
	_, s.exponent = math.Frexp(2 * (radii + geom.Norm(d)))
	s.reach = math.Ldexp(radii, -s.exponent)
	s.turn = [2][3]num.BallVec{rotationOf(pa.Rotation), rotationOf(pb.Rotation)}
	x, y := geom.Components(pa.Position), geom.Components(pb.Position)
	for k := range s.apart {
		s.apart[k] = num.BallScaled(y[k], s.exponent).Sub(num.BallScaled(x[k], s.exponent))
	}
}

// rotationOf returns the rotation of q/|q|.
func rotationOf(q quat.Number) (rows [3]num.BallVec) {
	_, e := math.Frexp(max(math.Abs(q.Real), math.Abs(q.Imag), math.Abs(q.Jmag), math.Abs(q.Kmag)))
	w, x, y, z := num.BallScaled(q.Real, e), num.BallScaled(q.Imag, e), num.BallScaled(q.Jmag, e),
		num.BallScaled(q.Kmag, e)
	ww, xx, yy, zz := w.Mul(w), x.Mul(x), y.Mul(y), z.Mul(z)
	n := ww.Add(xx).Add(yy).Add(zz)
	two := num.BallOf(2)
	sum := func(a, b num.Ball) num.Ball { return two.Mul(a.Add(b)).Div(n) }
	square := func(a, b, c num.Ball) num.Ball { return ww.Add(a).Sub(b).Sub(c).Div(n) }
	return [3]num.BallVec{
		{square(xx, yy, zz), sum(x.Mul(y), w.Mul(z).Neg()), sum(x.Mul(z), w.Mul(y))},
		{sum(x.Mul(y), w.Mul(z)), square(yy, zz, xx), sum(y.Mul(z), w.Mul(x).Neg())},
		{sum(x.Mul(z), w.Mul(y).Neg()), sum(y.Mul(z), w.Mul(x)), square(zz, xx, yy)},
	}
}

// corners returns the corners of a triangle, as A's origin sees them.
func (s *slopes) corners(side int, t *bvh.Triangle) (out [3]num.BallVec) {
	for i, c := range t {
		var p num.BallVec
		for k, x := range geom.Components(c) {
			p[k] = num.BallScaled(x, s.exponent)
		}
		for k := range p {
			out[i][k] = s.turn[side][k].Dot(&p)
		}
		if side == 1 {
			out[i] = out[i].Plus(num.BallOf(1), &s.apart)
		}
	}
	return out
}

// take takes all pairs of features of two triangles of which one is nearest.
//
// The distance is that of two edges, or of a corner and a face. Of parallel edges, and of an edge
// beside a face, nearest points lie at a corner too, so parallel edges may be left out: if they
// have many nearest points, two corners are equally near, with other derivatives. A triangle that
// is an edge or a point has no face; its edges stand in for it.
func (s *slopes) take(ta, tb *bvh.Triangle) {
	t := [2][3]num.BallVec{s.corners(0, ta), s.corners(1, tb)}
	for side := range 2 {
		own, other := &t[side], &t[1-side]
		for i := range 3 {
			if s.add(geom.VertexFace, side, own[i], other[0], other[1], other[2]) {
				continue
			}
			for j := range 3 {
				s.add(geom.PointEdge, side, own[i], other[j], other[(j+1)%3], num.BallVec{})
			}
		}
	}
	for i := range 3 {
		for j := range 3 {
			s.add(geom.EdgeEdge, 0, t[0][i], t[0][(i+1)%3], t[1][j], t[1][(j+1)%3])
		}
	}
}

// far reports whether a square is surely above the least one.
//
// Edges that balls call parallel are so up to 2^-98, so squares of distances along them are equal
// up to 2^-190: that and 2^-100 of the square leave none out.
func (s *slopes) far(x *num.Ball) bool {
	over := x.Sub(s.least)
	over.E += float64(0x1p-100*s.least.Mag()) + 0x1p-190
	return over.Sign() > 0
}

// add adds a pair of features with the points x; side is the body of the first. It returns false
// where the kind has no single nearest points.
func (s *slopes) add(k geom.Kind, side int, x ...num.BallVec) bool {
	q := [4]num.BallVec(x)
	near, ok := gradient.NearestOf(k, &q)
	if !ok {
		return false
	}
	if len(s.found) > 0 && s.far(&near.Square) {
		return true
	}
	if len(s.found) == 0 || near.Square.Sub(s.least).H < 0 {
		s.least = near.Square
		s.found = slices.DeleteFunc(s.found, func(x slope) bool { return s.far(&x.square) })
	}
	s.keep(slope{near.Square, s.derivatives(k, side, &near, &q)})
	return true
}

// keep adds a slope to those found, or joins it to one that it agrees with: a corner of many
// triangles, or a point that cuts of a face share, is found many times.
//
// A joined slope holds both, and its square both squares. So it is far only where both are.
func (s *slopes) keep(x slope) {
	for i := range s.found {
		if y := &s.found[i]; s.joined(y, &x) {
			y.square = y.square.Union(x.square)
			return
		}
	}
	s.found = append(s.found, x)
}

// joined makes y hold the derivatives of x too, if these are one up to oneSlope.
func (s *slopes) joined(y, x *slope) bool {
	by := y.by
	for k := range by {
		most := s.scaled(k, oneSlope)
		for c := range by[k] {
			// Doubles nearest to such derivatives are at most a few of their least bits apart.
			if !(math.Abs(y.by[k][c].H-x.by[k][c].H) <= 0x1p-50) {
				return false
			}
			if by[k][c] = by[k][c].Union(x.by[k][c]); !(by[k][c].E <= most) {
				return false
			}
		}
	}
	y.by = by
	return true
}

// scaled returns an error of derivatives by a position, for k = 0, in the unit of those by a turn,
// for the other k.
func (s *slopes) scaled(k int, tolerance float64) float64 {
	if k == 0 {
		return tolerance
	}
	return float64(tolerance * s.reach)
}

// derivatives returns the unit from B to A, and the products of the ways from both origins to the
// points with it.
func (s *slopes) derivatives(k geom.Kind, side int, near *gradient.Nearest, x *[4]num.BallVec) (by [3]num.BallVec) {
	one := num.BallOf(1)
	first, second := x[0], x[1]
	along := func(from, to *num.BallVec, w num.Ball) num.BallVec {
		e := to.Minus(from)
		return from.Plus(w, &e)
	}
	switch k {
	case geom.VertexFace:
		second = along(&x[1], &x[2], near.U)
		e := x[3].Minus(&x[1])
		second = second.Plus(near.V, &e)
	case geom.EdgeEdge:
		first, second = along(&x[0], &x[1], near.U), along(&x[2], &x[3], near.V)
	case geom.PointEdge:
		second = along(&x[1], &x[2], near.U)
	}
	n := near.Normal
	length := n.Dot(&n).Sqrt()
	for i := range n {
		n[i] = n[i].Div(length)
	}
	if side == 1 {
		first, second = second, first
		n = num.BallVec{n[0].Neg(), n[1].Neg(), n[2].Neg()}
	}
	second = second.Plus(one.Neg(), &s.apart)
	return [3]num.BallVec{n, first.Cross(&n), second.Cross(&n)}
}

// finite reports whether balls tell anything of all derivatives.
func (x *slope) finite() bool {
	for _, v := range x.by {
		for c := range v {
			if !(v[c].E <= math.MaxFloat64) {
				return false
			}
		}
	}
	return true
}

// result writes the derivatives that all pairs of features agree on. Where those of some pairs
// differ, the others need not be known: there is a tie.
func (s *slopes) result(out *GapGradient) gradient.State {
	if len(s.found) == 0 {
		return gradient.Undetermined
	}
	var by [3]num.BallVec
	best, unknown := -1, false
	for i := range s.found {
		x := &s.found[i]
		switch {
		case !x.finite():
			unknown = true
			continue
		case best < 0:
			by, best = x.by, i
			continue
		case x.square.E < s.found[best].square.E:
			best = i
		}
		for k, v := range x.by {
			for c := range v {
				by[k][c] = by[k][c].Union(v[c])
			}
		}
	}
	for k := range by {
		for c := range by[k] {
			if !(by[k][c].E <= s.scaled(k, 0.45*gradient.Tolerance)) {
				return gradient.Tie
			}
		}
	}
	if unknown {
		return gradient.Undetermined
	}
	by = s.found[best].by                       // These are in the union, as the true derivatives are.
	vec := func(v *num.BallVec, e int) r3.Vec { // The sums make 0 of -0.
		return r3.Vec{X: math.Ldexp(v[0].H, e) + 0, Y: math.Ldexp(v[1].H, e) + 0, Z: math.Ldexp(v[2].H, e) + 0}
	}
	out.PositionA, out.RotationA = vec(&by[0], 0), vec(&by[1], s.exponent)
	out.PositionB, out.RotationB = r3.Sub(r3.Vec{}, out.PositionA), r3.Sub(r3.Vec{}, vec(&by[2], s.exponent))
	return gradient.Defined
}
