package penetration

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid"
)

// Flags of a Depth.
const (
	Overlapping uint32 = 1 << iota // the insides of the bodies surely share a point: Lo > 0
	UpperBound                     // a body is not convex: Hi is the shortest way out that was found
	Unfinished                     // MaxIterations ended the search: the bracket holds, but may be wide
)

// A Depth is the least translation that separates two bodies, as a bracket of its length and a
// translation of the length Hi. Its layout is that of ccd_rigid_penetration: 136 bytes, no hidden
// padding.
type Depth struct {
	Flags          uint32
	Reserved       int32
	Lo, Hi         float64 // the depth is in [Lo, Hi]; both are 0 where the bodies touch or are apart
	Translation    r3.Vec  // moved by it, A shares no point with B
	Normal         r3.Vec  // unit, from B to A: the direction of Translation; 0 where the depth is 0
	PointA, PointB r3.Vec  // the deepest points, in the world: PointA + Translation is about PointB
	Epsilon        float64 // how far PointA and PointB may be from points of the bodies with that difference
	Iterations     int64   // steps of the search that answered: facets, corners, sweeps along directions
}

// Solver is the memory of depths. It serves one goroutine at a time.
type Solver struct {
	d     difference
	p     polytope
	draft draft
	ruler rigid.Ruler
	sweep rigid.Solver

	a, b   *rigid.Body
	pa, pb geom.Pose
	o      rigid.DistanceOptions
	how    outcome
	at     int32 // the nearest facet
	flat   bool  // C has no inside
	kind   kind
}

// kind is what a depth was computed from.
type kind int

const (
	nothing kind = iota // the bodies touch or are apart
	byFacet             // the nearest facet of C
	byGap               // the radii, and the distance of the bodies without them
	byMeet              // the radii, of bodies that touch without them
	bySweep             // directions
)

// Depth returns how deep two bodies at exact poses overlap.
//
// The depth is the least length of a translation of A after which the insides of the bodies share
// no point. A body is what its triangles enclose, with its radius. Laws:
//
//  1. Convex bodies, which are shapes, padded or not, and surfaces that are the convex hull of
//     their corners: the depth is in [Lo, Hi]. Hi - Lo is at most the tolerance or, where that is
//     more, 2^-45 Hi and 2^-300 r, r the sum of the radii about the origins; of bodies that overlap
//     by their radii alone 2^-36 r more; and both deviations.
//  2. A, moved by Translation in real arithmetic, shares no point with B, unless Hi = 0. Hi is not
//     below the length of Translation.
//  3. Lo = Hi = 0 if the bodies touch or are apart: if and only if, for bodies without radii. This
//     is decided in exact arithmetic.
//  4. Of other bodies Lo = 0, and Flags has UpperBound unless the bodies touch or are apart.
//
// The direction, where several are equally good, is one of them, always the same.
//
// MaxIterations bounds the steps of each search. That in floats comes first, and answers only with
// a proof; where it does not, the exact one begins anew with the same budget. So a budget of
// Iterations gives the same answer as none, and an answer without Unfinished obeys law 1 whatever
// the budget was.
func (s *Solver) Depth(a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose, o rigid.DistanceOptions,
	out *Depth) error {
	return s.depth(a, pa, b, pb, o, true, out)
}

// depth is Depth, with or without a draft: without, the nearest facet is known in integers.
func (s *Solver) depth(a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose, o rigid.DistanceOptions,
	draft bool, out *Depth) error {
	*out = Depth{}
	if err := rigid.CheckPoses(pa, pb, &o); err != nil {
		return err
	}
	s.a, s.b, s.pa, s.pb, s.o, s.kind, s.draft.answered = a, b, *pa, *pb, o, nothing, false
	if s.ballsApart() {
		return nil
	}
	ca, cb := a.Convexity(), b.Convexity()
	if !ca.Convex || !cb.Convex {
		return s.surfaces(ca, cb, out)
	}
	if draft {
		if s.draft.answered = s.draw(out); s.draft.answered {
			return nil
		}
		*out, s.kind = Depth{}, nothing
	}
	return s.convex(out)
}

// ballsApart reports whether balls about the origins hold the bodies and share no point.
func (s *Solver) ballsApart() bool {
	apart := geom.Norm(r3.Sub(s.pb.Position, s.pa.Position))
	return float64(apart*(1-0x1p-40)) > s.reach()*slack
}

// reach returns the sum of the radii about the origins.
func (s *Solver) reach() float64 {
	return s.a.Reach() + s.b.Reach() + (s.a.Outer() + s.b.Outer())
}

// convex computes the depth of convex bodies.
func (s *Solver) convex(out *Depth) error {
	a, b := s.a, s.b
	s.d.set(a.Convexity().Corners, a.Reach()+a.Outer(), &s.pa, b.Convexity().Corners, b.Reach()+b.Outer(), &s.pb)
	outer := num.AddUp(a.Outer(), b.Outer())
	s.flat = false
	if !a.Solid() && !b.Solid() {
		n, _ := s.d.rank()
		s.flat = n < 3
	}
	if s.flat {
		s.how = outside
	} else {
		s.at, s.how = s.p.search(&s.d, math.Ldexp(s.o.Tolerance, -s.d.exponent), s.o.MaxIterations)
		out.Iterations = s.p.steps
	}
	switch {
	case s.how == outside && outer == 0:
		return nil
	case s.how == outside:
		return s.rounded(out)
	}
	f := &s.p.faces[s.at]
	s.kind = byFacet
	lo := math.Ldexp(max(f.lo, 0), s.d.exponent)
	if s.how == unfinished {
		out.Flags |= Unfinished
		lo = s.leastFacet()
	}
	if lo > 0 {
		lo = num.AddDown(lo, num.AddDown(a.Radius(), b.Radius()))
	}
	s.write(s.p.normal(f), lo, out)
	s.points(f, out)
	return nil
}

// leastFacet returns a lower bound of the distance of the origin from the border of C, of a search
// that was ended: 0 where the origin may be outside of the polytope.
func (s *Solver) leastFacet() float64 {
	return math.Ldexp(max(s.p.faces[s.p.nearest()].lo, 0), s.d.exponent)
}

// write writes the bracket and the way out along a direction, whose vector in floats is a unit.
func (s *Solver) write(m direction, lo float64, out *Depth) {
	t := s.d.way(m, s.a.Outer(), s.b.Outer())
	if t == (r3.Vec{}) {
		s.kind = nothing
		return
	}
	out.Translation, out.Hi = t, lengthUp(t)
	out.Normal = m.n
	out.Lo = min(lo, out.Hi)
	if lo > 0 {
		out.Flags |= Overlapping
	}
}

// rounded computes the depth of bodies with radii whose triangles, and what they enclose, touch or
// are apart: the sum of the radii less their distance.
func (s *Solver) rounded(out *Depth) error {
	if len(s.d.a.own) == 1 && len(s.d.b.own) == 1 {
		s.balls(out)
		return nil
	}
	var g rigid.Gap
	a, b := s.a.Bare(), s.b.Bare()
	o := rigid.DistanceOptions{Tolerance: s.o.Tolerance, MaxIterations: s.o.MaxIterations}
	if err := s.ruler.Distance(a, &s.pa, b, &s.pb, o, &g); err != nil {
		return err
	}
	out.Iterations += g.Iterations
	if g.Flags&rigid.GapUnfinished != 0 {
		out.Flags |= Unfinished
	}
	s.kind = byGap
	var m direction
	if g.Flags&rigid.GapIntersecting != 0 {
		s.kind = byMeet
		m = s.across()
	} else if meets, err := s.ruler.Intersects(s.a, &s.pa, s.b, &s.pb); err != nil || !meets {
		*out = Depth{Iterations: out.Iterations}
		s.kind = nothing
		return err
	} else {
		m = s.shortest(along(g.Normal), g.Hi)
	}
	n := m.n
	s.write(m, max(0, num.SubDown(num.AddDown(s.a.Radius(), s.b.Radius()), g.Hi)), out)
	if s.kind == nothing {
		*out = Depth{Iterations: out.Iterations}
		return nil
	}
	out.PointA = r3.Sub(g.PointA, geom.Scale(s.a.Radius(), n))
	out.PointB = r3.Add(g.PointB, geom.Scale(s.b.Radius(), n))
	s.settle(g.Epsilon, out)
	return nil
}

// shortest returns the direction of a distance or, where that is so small that rounding may have
// chosen it, the one of those across, to both sides, along which the way out is the shortest. The
// way out is proven along each of them, so no proof rests on the choice, nor on how small is small.
func (s *Solver) shortest(m direction, distance float64) direction {
	if distance > float64(0x1p-20*s.reach()) {
		return m
	}
	length := func(m direction) float64 { return lengthUp(s.d.way(m, s.a.Outer(), s.b.Outer())) }
	least := length(m)
	first := s.across()
	zero := num.IntVec{new(big.Int), new(big.Int), new(big.Int)}
	for _, other := range [2]direction{first, toward(zero.Minus(first.whole))} {
		if x := length(other); x < least {
			m, least = other, x
		}
	}
	return m
}

// balls is rounded for two points, as balls are: their distance is the root of an integer.
func (s *Solver) balls(out *Depth) {
	v := s.d.exact(corner{})
	m, lo := toward(num.IntVec{big.NewInt(0), big.NewInt(0), big.NewInt(1)}), num.AddDown(s.a.Radius(), s.b.Radius())
	if s.kind = byMeet; !isZero(v) {
		for _, x := range v {
			x.Neg(x)
		}
		s.kind, m = byGap, toward(v)
		length := new(big.Float).SetPrec(precision).SetInt(v.Dot(v))
		length.Sqrt(length)
		length.Quo(length, new(big.Float).SetPrec(precision).SetInt(s.d.scale))
		apart, _ := length.SetMantExp(length, s.d.unit).Float64()
		lo = max(0, num.SubDown(lo, num.Up(apart)))
	}
	s.write(m, lo, out)
	if s.kind == nothing {
		return
	}
	size := math.Ldexp(1, s.d.exponent)
	out.PointA = r3.Sub(r3.Add(s.pa.Position, geom.Scale(size, s.d.a.at[0])), geom.Scale(s.a.Radius(), m.n))
	out.PointB = r3.Add(r3.Add(s.pa.Position, geom.Scale(size, s.d.b.at[0])), geom.Scale(s.b.Radius(), m.n))
	s.settle(float64(32*u*size), out)
}

// across returns the direction in which bodies that touch without their radii are parted by
// nothing: the normal of the facet that the origin lies on, or one of a flat C.
func (s *Solver) across() direction {
	if !s.flat {
		return s.p.normal(&s.p.faces[s.at])
	}
	n, axes := s.d.rank()
	switch n {
	case 0:
		return along(r3.Vec{Z: 1})
	case 1: // Across the line: the product with an axis that it is not along.
		v := unitOf(axes[0])
		one, zero := big.NewInt(1), new(big.Int)
		least := num.IntVec{one, zero, zero}
		if math.Abs(v.X) > math.Abs(v.Y) {
			least = num.IntVec{zero, one, zero}
		}
		axes[1] = least
	}
	return toward(axes[0].Cross(axes[1]))
}

// points writes the corners' mean that is nearest to the origin: in the facets of the plane of the
// nearest one, where the foot of the origin lies.
func (s *Solver) points(f *facet, out *Depth) {
	p := &s.p
	best, weights := math.Inf(-1), [3]float64{}
	var at *facet
	for i := range p.faces {
		g := &p.faces[i]
		alike := float64(f.length * g.length * (1 - 0x1p-30))
		if g != f && (g.gone || g.lo > f.hi+0x1p-40 || geom.Dot(f.n, g.n) < alike) {
			continue
		}
		if w, least := p.weights(g); least > best || at == nil {
			at, best, weights = g, least, w
		}
	}
	sum := 0.0
	for k := range weights {
		weights[k] = max(weights[k], 0)
		sum += weights[k]
	}
	var a, b r3.Vec
	for k, v := range at.v {
		c := p.v[v]
		a = r3.Add(a, geom.Scale(weights[k]/sum, p.d.a.at[c.a]))
		b = r3.Add(b, geom.Scale(weights[k]/sum, p.d.b.at[c.b]))
	}
	n := out.Normal
	size := math.Ldexp(1, p.d.exponent)
	out.PointA = r3.Sub(r3.Add(s.pa.Position, geom.Scale(size, a)), geom.Scale(s.a.Radius(), n))
	out.PointB = r3.Add(r3.Add(s.pa.Position, geom.Scale(size, b)), geom.Scale(s.b.Radius(), n))
	s.settle(float64(32*u*size), out)
}

// settle writes how far the points are from such as the laws speak of: their own error, that of
// adding the place of A, and what their difference lacks.
func (s *Solver) settle(own float64, out *Depth) {
	far := geom.MaxAbs(s.pa.Position) + geom.MaxAbs(out.PointA) + geom.MaxAbs(out.PointB)
	lack := geom.Norm(r3.Sub(r3.Sub(out.PointB, out.PointA), out.Translation))
	out.Epsilon = float64((own + lack + float64(32*u*far) + s.a.Deviation() + s.b.Deviation()) * slack)
}

// weights returns the weights of a facet's corners in the foot of the origin on its plane, and the
// least of them.
func (p *polytope) weights(f *facet) (w [3]float64, least float64) {
	return weightsOf(p.v[f.v[0]].at, p.v[f.v[1]].at, p.v[f.v[2]].at, f.n)
}

// weightsOf is weights for three corners, and the vector product of two of their edges.
func weightsOf(a, b, c, n r3.Vec) (w [3]float64, least float64) {
	e1, e2 := r3.Sub(b, a), r3.Sub(c, a)
	square := geom.Dot(n, n)
	if !(square > 0) {
		return [3]float64{1, 0, 0}, math.Inf(-1)
	}
	w[1] = -geom.Dot(n, geom.Cross(a, e2)) / square
	w[2] = geom.Dot(n, geom.Cross(a, e1)) / square
	w[0] = 1 - w[1] - w[2]
	return w, min(w[0], w[1], w[2])
}
