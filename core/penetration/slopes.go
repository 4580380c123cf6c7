package penetration

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/num"
	"ccd/core/rigid"
)

// A Gradient is a depth with its derivatives by the poses. Its layout is that of
// ccd_rigid_penetration_gradient: 240 bytes, no hidden padding.
//
// If A moves with the velocity v and turns about its origin with the angular velocity w, in the
// axes of the world, the depth changes at the rate PositionA.v + RotationA.w; and so for B.
type Gradient struct {
	Depth                Depth
	PositionA, RotationA r3.Vec
	PositionB, RotationB r3.Vec
	State                gradient.State
	Reserved             int32
}

// Gradient returns how deep two bodies at exact poses overlap, and the derivatives by these.
//
// Laws: in the state Defined the depth has derivatives, and each by a position is within
// gradient.Tolerance of the true one, each by a turn within it times the sum of the radii about the
// origins. Tie: several directions are equally short, or faces are parallel, or bodies touch; NaN.
// NoImpact: they are apart; 0. Undetermined: a body is not convex, or MaxIterations or a tolerance
// ended the search; NaN. Radii change no derivative; with deviations they are those of the facets.
func (s *Solver) Gradient(a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose, o rigid.DistanceOptions,
	out *Gradient) error {
	*out = Gradient{}
	if err := s.Depth(a, pa, b, pb, o, &out.Depth); err != nil {
		return err
	}
	if s.draft.answered { // Derivatives are of the facet that the exact search finds.
		var exact Depth
		s.kind = nothing
		if err := s.convex(&exact); err != nil {
			return err
		}
		if geom.Norm(r3.Sub(exact.Normal, out.Depth.Normal)) > gradient.Tolerance {
			out.Depth = exact // The draft's facet is another one, as near to rounding.
		}
	}
	var err error
	switch {
	case s.kind == nothing:
		out.State, err = s.touch()
	case s.kind == byMeet:
		out.State = gradient.Tie
	case s.kind == byGap:
		err = s.ofGap(out)
	case s.kind == byFacet && s.how == inside:
		out.State = s.ofFacet(out)
	}
	if out.State != gradient.Defined && out.State != gradient.NoImpact {
		nan := r3.Vec{X: math.NaN(), Y: math.NaN(), Z: math.NaN()}
		out.PositionA, out.RotationA, out.PositionB, out.RotationB = nan, nan, nan, nan
	}
	return err
}

// touch returns the state of bodies that do not overlap.
func (s *Solver) touch() (gradient.State, error) {
	if s.ballsApart() {
		return gradient.NoImpact, nil
	}
	meets, err := s.ruler.Intersects(s.a, &s.pa, s.b, &s.pb)
	if err != nil || !meets {
		return gradient.NoImpact, err
	}
	return gradient.Tie, nil
}

// ofGap writes the derivatives where the depth is the radii less a distance.
func (s *Solver) ofGap(out *Gradient) error {
	if s.d.a.isOrigin() && s.d.b.isOrigin() { // Turns change nothing, and errors have no size to compare with.
		n := unitOf(s.d.exact(corner{}))
		out.State, out.PositionA, out.PositionB = gradient.Defined, n, r3.Sub(r3.Vec{}, n)
		return nil
	}
	var g rigid.GapGradient
	if err := s.ruler.DistanceGradient(s.a.Bare(), &s.pa, s.b.Bare(), &s.pb, s.o, &g); err != nil {
		return err
	}
	if out.State = g.State; g.State == gradient.Initial {
		out.State = gradient.Tie
	}
	minus := func(v r3.Vec) r3.Vec { return r3.Sub(r3.Vec{}, v) }
	out.PositionA, out.RotationA = minus(g.PositionA), minus(g.RotationA)
	out.PositionB, out.RotationB = minus(g.PositionB), minus(g.RotationB)
	return nil
}

// isOrigin reports whether a body without its radius is the origin alone, as a ball is.
func (p *placed) isOrigin() bool { return len(p.own) == 1 && p.own[0] == r3.Vec{} }

// ofFacet writes the derivatives where one facet of C is nearest.
//
// The facet is the sum of the faces of B and of A that lie farthest along its normal n. Where the
// numbers of their dimensions add up to 2, the point of each that the foot of the origin belongs to
// is unique, and moves of the bodies move the facet's plane with these points; else faces are
// parallel, and the facet falls apart. If no other plane is as near, the depth is the distance of
// this one in a neighborhood: n.v for a motion with which the point of B moves by v.
func (s *Solver) ofFacet(out *Gradient) gradient.State {
	p := &s.p
	f := &p.faces[s.at]
	if !f.sharp { // A tolerance ended the search: the facet need not be one of C.
		return gradient.Undetermined
	}
	if p.tied(f) {
		return gradient.Tie
	}
	var faces [2][]num.IntVec
	dimensions := 0
	for side := range faces {
		faces[side] = p.farthest(f, side)
		dimensions += dimensionsOf(faces[side])
	}
	if dimensions != 2 {
		return gradient.Tie
	}
	a, b := p.feet(f, faces[0], faces[1])
	n := p.normal(f).n
	// b is about A's origin, as a is.
	b = r3.Sub(b, p.d.apart)
	size := math.Ldexp(1, p.d.exponent)
	out.PositionB, out.RotationB = n, geom.Scale(size, geom.Cross(b, n))
	out.PositionA, out.RotationA = r3.Sub(r3.Vec{}, n), geom.Scale(size, geom.Cross(n, a))
	return gradient.Defined
}

// tied reports whether another plane is as near to the origin as that of a facet, or nearer by less
// than rounding. A facet of C that is beyond the polytope has a facet of the polytope before it, so
// none is overlooked.
func (p *polytope) tied(f *facet) bool {
	e := p.plane(f)
	square := e.n.Dot(e.n)
	for i := range p.faces {
		g := &p.faces[i]
		if g.gone || g == f || g.lo > f.hi {
			continue
		}
		other := p.plane(g)
		if isZero(e.n.Cross(other.n)) && e.n.Dot(other.n).Sign() > 0 {
			continue
		}
		if other.c.Sign() <= 0 {
			return true
		}
		// other.c / |other.n| against e.c / |e.n|
		x, y := new(big.Int).Mul(other.c, other.c), new(big.Int).Mul(e.c, e.c)
		if x.Mul(x, square).Cmp(y.Mul(y, other.n.Dot(other.n))) <= 0 {
			return true
		}
	}
	return false
}

// farthest returns the corners of a body that lie farthest along a facet's normal, exactly.
func (p *polytope) farthest(f *facet, side int) (list []num.IntVec) {
	e := p.plane(f)
	b := [2]*placed{&p.d.a, &p.d.b}[side]
	sign := float64(2*side - 1)
	off := float64((f.off+float64(64*u*f.length))*slack) + 0x1p-140
	_, most := b.far(f.n, sign)
	var top *big.Int
	for i := range b.at {
		if float64(sign*(most-geom.Dot(f.n, b.at[i]))) > off {
			continue
		}
		v := p.d.exactOf(side, int32(i))
		x := e.n.Dot(v)
		switch {
		case top == nil || x.Cmp(top) == 2*side-1:
			top, list = x, append(list[:0], v)
		case x.Cmp(top) == 0:
			list = append(list, v)
		}
	}
	return list
}

// dimensionsOf returns the number of dimensions of the hull of points in a plane.
func dimensionsOf(v []num.IntVec) int {
	if len(v) == 1 {
		return 0
	}
	e := v[1].Minus(v[0])
	for _, w := range v[2:] {
		if !isZero(e.Cross(w.Minus(v[0]))) {
			return 2
		}
	}
	return 1
}

// feet returns the points of the faces of A and B whose difference is the foot of the origin on a
// facet's plane, about A's origin and scaled.
func (p *polytope) feet(f *facet, a, b []num.IntVec) (atA, atB r3.Vec) {
	e := p.plane(f)
	square := e.n.Dot(e.n)
	// The foot is c n / |n|^2: times |n|^2 it is an integer, as all points below are.
	times := func(v num.IntVec, x *big.Int) (out num.IntVec) {
		for k := range out {
			out[k] = new(big.Int).Mul(v[k], x)
		}
		return out
	}
	plus := func(v, w num.IntVec) (out num.IntVec) {
		for k := range out {
			out[k] = new(big.Int).Add(v[k], w[k])
		}
		return out
	}
	foot, den := times(e.n, e.c), square
	var wa, wb num.IntVec
	switch {
	case len(a) == 1:
		wa = times(a[0], den)
		wb = plus(wa, foot)
	case len(b) == 1:
		wb = times(b[0], den)
		wa = wb.Minus(foot)
	default: // Two edges, which are not parallel: b0 + t eb - (a0 + s ea) is the foot.
		ea, eb := a[1].Minus(a[0]), b[1].Minus(b[0])
		rest := foot.Minus(times(b[0].Minus(a[0]), den))
		t, part := rest.Cross(ea).Dot(e.n), eb.Cross(ea).Dot(e.n)
		wb = plus(times(b[0], new(big.Int).Mul(den, part)), times(eb, t))
		foot, den = times(foot, part), new(big.Int).Mul(den, part)
		wa = wb.Minus(foot)
	}
	return p.d.vec(wa, den), p.d.vec(wb, den)
}

// vec returns a point v / den about A's origin, scaled, each component rounded once but for 2^-180.
func (d *difference) vec(v num.IntVec, den *big.Int) r3.Vec {
	whole := new(big.Float).SetPrec(precision).SetInt(new(big.Int).Mul(den, d.scale))
	var out [3]float64
	for k := range out {
		x := new(big.Float).SetPrec(precision).SetInt(v[k])
		x.Quo(x, whole)
		out[k], _ = x.SetMantExp(x, d.unit-d.exponent).Float64()
	}
	return geom.VecOf(out[:])
}
