package ccdtest

import (
	"math"
	"math/big"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// Law 9 of docs/numerics.md, contact data. Everything here is computed over the rationals from the
// query and the reported doubles alone: nothing is taken from core/exact or core/narrow.

// Law9ContactData: the points that u and v name are within d + delta + eps of each other at toi_hi,
// the normal is a unit vector from b to a, and the contact point is where it is said to be; also
// when the budget is a few boxes, and when a positive time is required.
func (s *Suite) Law9ContactData(t *testing.T, k geom.Kind) {
	s.single(t, k, 9)
	for _, budget := range []int64{1, 3, 30} {
		s.run(t, k, 9, func(o *narrow.Options) { o.MaxIterations = budget })
	}
	s.run(t, k, 9, func(o *narrow.Options) { o.Flags |= narrow.NoZeroTOI })
	s.run(t, k, 9, func(o *narrow.Options) { o.Tolerance *= 1e-5 })
}

// contactData is law 9 for one pair.
func contactData(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) error {
	if out.Verdict != geom.Contact {
		return nil
	}
	for _, x := range append(append([]float64{out.TOILo, out.TOIHi, out.U, out.V}, out.Point[:]...), out.Normal[:]...) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return violation(9, "not finite: %+v", *out)
		}
	}
	c := newContact(j, o, out, p)
	for _, part := range []func() error{c.near, c.directed, c.inside, c.placed} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// CheckContact is law 9 for an impact of a scene: q is its query.
func CheckContact(q []float64, o *narrow.Options, im *geom.Impact, p Promise) error {
	j := &KnownCase{Case: Case{Kind: im.Kind, Q: q, D: o.MinSeparation, Delta: o.Tolerance, TMax: o.TMax}}
	return contactData(j, o, im, p)
}

// CheckConstraint is law 9 for the constraint of an active set, of a mesh without radii: (c) of its
// weights, and (e) of its gap.
func CheckConstraint(q []float64, o *narrow.Options, im *geom.Impact, weights [4]float64,
	gap, separation float64) error {
	j := &KnownCase{Case: Case{Kind: im.Kind, Q: q, D: o.MinSeparation, Delta: o.Tolerance, TMax: o.TMax}}
	c := newContact(j, o, im, Promise{})
	if separation != o.MinSeparation {
		return violation(9, "(e) the separation is %v, want %v", separation, o.MinSeparation)
	}
	return c.linearized(weights, gap)
}

// linearized checks that the weights of a are not negative and those of b not positive, that they
// add up to 1 and -1 but for the rounding of 1-u-v, and that with the places of the vertices they
// give p_a - p_b; and of the gap that it is the normal's product with that difference at the end of
// the step, less the separation. Each axis of the difference errs by eps, its product with the
// normal by u of itself, and the gap by u of itself again.
func (c *contact) linearized(weights [4]float64, gap float64) error {
	sides := [2]*big.Rat{new(big.Rat), new(big.Rat)}
	sum := ratVec{new(big.Rat), new(big.Rat), new(big.Rat)}
	most := 0.0
	for i, w := range weights {
		if i >= c.kind.Points() {
			if w != 0 {
				return violation(9, "(c) a vertex that the kind lacks has the weight %v", w)
			}
			continue
		}
		side := 0
		if i >= c.kind.Info().Split {
			side = 1
		}
		if side == 0 && w < 0 || side == 1 && w > 0 {
			return violation(9, "(c) weights %v: that of vertex %d has the wrong sign", weights, i)
		}
		sides[side].Add(sides[side], ratOf(w))
		x, y := vertex(c.kind, c.q, i)
		at := x.plus(ratOf(c.out.TOIHi), y.minus(x))
		sum = sum.plus(ratOf(w), at)
		largest, _ := at.largest().Float64()
		most = max(most, largest)
	}
	for side, want := range []int64{1, -1} {
		off := new(big.Rat).Sub(sides[side], big.NewRat(want, 1))
		if off.Abs(off).Cmp(ratOf(0x1p-52)) > 0 {
			return violation(9, "(c) weights %v do not add up to 1 and -1", weights)
		}
	}
	if off := sum.minus(c.late).largest(); off.Cmp(ratOf(0x1p-51*most)) > 0 {
		return violation(9, "(c) weights %v give %v, not p_a - p_b = %v", weights, sum.float(), c.late.float())
	}
	end := difference(c.kind, c.q, 1, c.out.U, c.out.V)
	want := ratVecOf(c.out.Normal).dot(end)
	off := new(big.Rat).Sub(ratOf(gap), new(big.Rat).Sub(want, ratOf(c.d)))
	if off.Abs(off).Cmp(ratOf(4*c.rounding()+0x1p-53*math.Abs(gap))) > 0 {
		exact, _ := want.Float64()
		return violation(9, "(e) the gap is %v, the points are %v apart along the normal at the end of the step, "+
			"and the separation is %v", gap, exact, c.d)
	}
	return nil
}

// CheckNearest is law 9 for a near pair of one frame, whose points are x: the points that u and v
// name are no farther apart than hi but for eps on each axis, u and v lie in the domain, and the
// points reported are those.
func CheckNearest(k geom.Kind, x []float64, u, v, hi float64, pointA, pointB [3]float64) error {
	q := append(append([]float64{}, x...), x...)
	c := &contact{kind: k, q: q, out: &geom.Impact{U: u, V: v}, late: difference(k, q, 0, u, v), euclidean: true, d: hi}
	c.eps = ErrorBound(k, q, &narrow.Options{})
	if err := c.near(); err != nil {
		return err
	}
	if err := c.inside(); err != nil {
		return err
	}
	a, b := touching(k, q, 0, u, v)
	if err := c.at(pointA, a); err != nil {
		return err
	}
	return c.at(pointB, b)
}

// contact is the result of a query, with the points at its parameters.
type contact struct {
	kind        geom.Kind
	q           []float64
	out         *geom.Impact
	euclidean   bool
	exact       bool
	patches     bool
	d           float64
	delta, eps  float64 // what (a) allows beyond d
	early, late ratVec  // p_a - p_b at toi_lo and at toi_hi
}

func newContact(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) *contact {
	c := &contact{kind: j.Kind, q: j.Q, out: out, d: j.D, exact: p.Exact, patches: p.Patches}
	c.euclidean = o.Flags&narrow.MaxNorm == 0 && j.D > 0
	own := *o
	if p.Exact {
		own.SceneBound = [3]float64{} // only a search takes its errors from it
	} else {
		c.delta = o.Tolerance
	}
	c.eps = contactError(j.Kind, j.Q, &own, p.Rounding)
	c.early, c.late = difference(j.Kind, j.Q, out.TOILo, out.U, out.V), difference(j.Kind, j.Q, out.TOIHi, out.U, out.V)
	return c
}

// contactError is the eps of law 9: 2 eps of law 3, and 2^-42 (S + d) where the middle of what is
// within the cube of a separation d is taken. Rounding, if given, takes the place of law 3's.
func contactError(k geom.Kind, q []float64, o *narrow.Options,
	rounding func(geom.Kind, []float64, *narrow.Options) float64) float64 {
	eps := ErrorBound(k, q, o)
	if rounding != nil {
		return rounding(k, q, o)
	}
	e := 2 * eps
	if o.MinSeparation > 0 && o.Flags&narrow.MaxNorm != 0 {
		// S = eps 2^49 is at least every length of the query on an axis.
		e += 0x1p-42 * (0x1p49*eps + o.MinSeparation)
	}
	return e * (1 + 0x1p-20)
}

// near is (a).
func (c *contact) near() error {
	within := ratOf(c.d)
	within.Add(within, ratOf(c.delta)).Add(within, ratOf(c.eps))
	if !c.euclidean {
		if c.late.largest().Cmp(within) > 0 {
			return violation(9, "(a) the points differ by %v at toi_hi: more than %v + %v + %v", c.late.float(), c.d,
				c.delta, c.eps)
		}
		return nil
	}
	within.Add(within, ratOf(c.eps)) // eps is the error on one axis: sqrt 3 < 2
	if c.late.dot(c.late).Cmp(within.Mul(within, within)) > 0 {
		return violation(9, "(a) the points differ by %v at toi_hi: more than %v + %v + 2 x %v", c.late.float(), c.d,
			c.delta, c.eps)
	}
	return nil
}

// directed is (b).
func (c *contact) directed() error {
	n := ratVecOf(c.out.Normal)
	if square, _ := n.dot(n).Float64(); math.Abs(square-1) > 0x1p-49 {
		return violation(9, "(b) the normal %v has a length of %v", c.out.Normal, math.Sqrt(square))
	}
	// Whoever computes p_a - p_b errs by eps on an axis, and by 3 eps (|x| + |y|) in the product of
	// two of them: in between law 9 says nothing.
	eps := c.rounding()
	apart := func(x ratVec) bool { return x.largest().Cmp(ratOf(5*eps)) > 0 }
	margin := new(big.Rat).Add(c.early.largest(), c.late.largest())
	margin.Mul(margin, ratOf(3*eps))
	along := c.early.dot(c.late)
	switch {
	case c.d == 0, c.late.largest().Cmp(ratOf(3*eps)) <= 0, !c.exact && along.Cmp(new(big.Rat).Neg(margin)) < 0:
		if c.patches {
			return nil
		}
		return c.opposed(n)
	case apart(c.late) && (c.exact || along.Cmp(margin) > 0):
		if n.dot(c.late).Sign() <= 0 {
			return violation(9, "(b) the normal %v does not point from b to a: the points differ by %v at toi_hi",
				c.out.Normal, c.late.float())
		}
		if apart(c.early) && n.dot(c.early).Sign() <= 0 {
			return violation(9, "(b) the normal %v does not point from b to a: the points differ by %v at toi_lo",
				c.out.Normal, c.early.float())
		}
		if !c.patches {
			return c.along(n, eps)
		}
	}
	return nil
}

// along: where the points are apart at toi_hi the normal is their difference, up to the 4 eps that
// it errs by on an axis.
func (c *contact) along(n ratVec, eps float64) error {
	share := new(big.Rat).Quo(n.dot(c.late), n.dot(n))
	across := c.late.plus(share.Neg(share), n)
	if across.largest().Cmp(ratOf(8*eps)) > 0 { // sqrt 3 < 2
		return violation(9, "(b) the normal %v is not along the points' difference %v at toi_hi", c.out.Normal,
			c.late.float())
	}
	return nil
}

// rounding is the error of a difference of points on an axis, whatever bound on the scene is given.
func (c *contact) rounding() float64 { return ErrorBound(c.kind, c.q, &narrow.Options{}) }

// opposed: where the points coincide, or pass each other within the tolerance, the normal is
// against the motion of a's point relative to b's, up to 2^-39 of the speeds in it and what both
// ends of the step err by.
func (c *contact) opposed(n ratVec) error {
	w := difference(c.kind, c.q, 1, c.out.U, c.out.V).minus(difference(c.kind, c.q, 0, c.out.U, c.out.V))
	speeds := new(big.Rat)
	for i := range c.kind.Points() {
		x, y := vertex(c.kind, c.q, i)
		for j := range i {
			a, b := vertex(c.kind, c.q, j)
			speeds.Add(speeds, y.minus(x).minus(b.minus(a)).largest())
		}
	}
	along, _ := n.dot(w).Float64()
	if most, _ := speeds.Float64(); along > 0x1p-39*most+4*c.rounding() {
		return violation(9, "(b) the normal %v is along the motion %v where the points coincide", c.out.Normal,
			w.float())
	}
	return nil
}

// inside is (c), of the parameters: the weights 1-u-v, u, v of a face and 1-u, u of an edge are not
// negative, but for the rounding of u+v.
func (c *contact) inside() error {
	u, v := c.out.U, c.out.V
	ok := insideDomain(c.kind, u, v)
	if c.kind.Info().Domain == geom.Triangle && !c.patches {
		ok = ok && v <= 1-u && u+v <= 1
	}
	if !ok {
		return violation(9, "(c) u = %v, v = %v are outside of the domain", u, v)
	}
	return nil
}

// placed is (d): at toi_lo the contact point is b's for a vertex and a face, and for a point and an
// edge, else midway between both. Coordinates round as they are reported: 20u of the largest on an
// axis are allowed for that.
func (c *contact) placed() error {
	a, b := touching(c.kind, c.q, c.out.TOILo, c.out.U, c.out.V)
	want := b
	if c.patches {
		want = a
	} else if c.kind == geom.EdgeEdge || c.kind == geom.PointPoint {
		want = b.plus(big.NewRat(1, 2), a.minus(b))
	}
	return c.at(c.out.Point, want)
}

// at checks the position of a reported point.
func (c *contact) at(point [3]float64, want ratVec) error {
	off := ratVecOf(point).minus(want)
	for k := range off {
		most := 0.0
		for i := k; i < len(c.q); i += 3 {
			most = max(most, math.Abs(c.q[i]))
		}
		if off[k].Abs(off[k]).Cmp(ratOf(c.eps+20*0x1p-53*most)) > 0 {
			return violation(9, "(d) the point %v is not at %v", point, want.float())
		}
	}
	return nil
}

type ratVec [3]*big.Rat

func ratOf(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func ratVecOf(x [3]float64) ratVec { return ratVec{ratOf(x[0]), ratOf(x[1]), ratOf(x[2])} }

func (a ratVec) minus(b ratVec) (r ratVec) {
	for k := range r {
		r[k] = new(big.Rat).Sub(a[k], b[k])
	}
	return r
}

// plus is a + s b.
func (a ratVec) plus(s *big.Rat, b ratVec) (r ratVec) {
	for k := range r {
		r[k] = new(big.Rat).Mul(s, b[k])
		r[k].Add(r[k], a[k])
	}
	return r
}

func (a ratVec) dot(b ratVec) *big.Rat {
	s := new(big.Rat)
	for k := range a {
		s.Add(s, new(big.Rat).Mul(a[k], b[k]))
	}
	return s
}

// largest is the max norm.
func (a ratVec) largest() *big.Rat {
	m := new(big.Rat)
	for k := range a {
		if x := new(big.Rat).Abs(a[k]); x.Cmp(m) > 0 {
			m = x
		}
	}
	return m
}

func (a ratVec) float() (x [3]float64) {
	for k := range x {
		x[k], _ = a[k].Float64()
	}
	return x
}

// vertex is point i of a query at both ends of the step.
func vertex(k geom.Kind, q []float64, i int) (x, y ratVec) {
	n := k.Points()
	return ratVecOf([3]float64(q[3*i : 3*i+3])), ratVecOf([3]float64(q[3*(n+i) : 3*(n+i)+3]))
}

// touching returns the points of a and b at the parameters u and v and the time t.
func touching(k geom.Kind, q []float64, t, u, v float64) (a, b ratVec) {
	at := func(i int) ratVec {
		x, y := vertex(k, q, i)
		return x.plus(ratOf(t), y.minus(x))
	}
	on := func(w float64, i, j int) ratVec { return at(i).plus(ratOf(w), at(j).minus(at(i))) }
	switch k {
	case geom.VertexFace:
		return at(0), on(u, 1, 2).plus(ratOf(v), at(3).minus(at(1)))
	case geom.EdgeEdge:
		return on(u, 0, 1), on(v, 2, 3)
	case geom.PointEdge:
		return at(0), on(u, 1, 2)
	case geom.PointPoint:
		return at(0), at(1)
	}
	panic("ccdtest: " + k.String())
}

func difference(k geom.Kind, q []float64, t, u, v float64) ratVec {
	a, b := touching(k, q, t, u, v)
	return a.minus(b)
}
