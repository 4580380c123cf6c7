package penetration

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid"
)

// draft computes depths of convex bodies in floats, and proves them with balls of double-doubles.
// It leaves to the exact search what these do not decide.
//
// Floats are in a unit of 2^exponent, as those of a difference are: corners of bodies err by less
// than 12u on an axis, and the radii about the origins and the way between these add up to less
// than 1/2.
//
// Size: its fields are the memory of one search and its proof, which read each other's.
type draft struct {
	exponent int
	unit     float64 // 2^-exponent
	side     [2]drafted
	apart    r3.Vec // the way from A's origin to B's, scaled

	near   simplex
	v      []corner
	faces  []draftFace
	steps  int64
	budget int64 // the most steps; 0 is no limit
	round  int32
	failed bool // a plane is not known well enough

	answered bool // the draft gave the answer of the last call

	visible []int32
	rim     []rimEdge
	starts  []int32 // the new face whose edge of the rim begins at a corner

	known bool // The balls of the rotations are known.
	way   num.BallVec
	cache []ballCorner
}

// drafted is one body of a draft.
type drafted struct {
	shape *rigid.Convexity
	pose  *geom.Pose
	turn  geom.Mat
	last  int32 // the corner that was the farthest in the last search
	rows  [3]num.BallVec
}

// ballCorner is where a corner of a body is about A's origin, scaled.
type ballCorner struct {
	side int
	i    int32
	at   num.BallVec
}

// farthestUnit bounds the exponents for which powers of two scale all that matters exactly.
const farthestUnit = 600

// set begins a draft. It reports whether the sizes are such as it can serve.
func (d *draft) set(a *rigid.Body, pa *geom.Pose, b *rigid.Body, pb *geom.Pose) bool {
	x := r3.Sub(pb.Position, pa.Position)
	size := float64(2 * (a.Reach() + a.Outer() + (b.Reach() + b.Outer()) + geom.Norm(x)) * (1 + 0x1p-40))
	_, d.exponent = math.Frexp(size)
	if !(size > 0) || d.exponent > farthestUnit || d.exponent < -farthestUnit {
		return false
	}
	d.unit = math.Ldexp(1, -d.exponent)
	d.apart = geom.Scale(d.unit, x)
	d.side[0].set(a.Convexity(), pa)
	d.side[1].set(b.Convexity(), pb)
	d.known, d.cache, d.steps, d.failed = false, d.cache[:0], 0, false
	return true
}

// spent reports whether the budget of steps is.
func (d *draft) spent() bool { return d.budget > 0 && d.steps >= d.budget }

func (b *drafted) set(shape *rigid.Convexity, pose *geom.Pose) {
	b.shape, b.pose, b.last, b.turn = shape, pose, 0, geom.Mat{}
	if !b.isOrigin() {
		b.turn = geom.Rotation(pose.Rotation)
	}
}

// isOrigin reports whether the body without its radius is the origin alone, as a ball is.
func (b *drafted) isOrigin() bool { return len(b.shape.Corners) == 1 && b.shape.Corners[0] == r3.Vec{} }

// far returns the corner that is the farthest along g, in the axes of the body, or of many corners
// one that is farther than its neighbors.
func (b *drafted) far(g r3.Vec) int32 {
	own, c := b.shape.Corners, b.shape
	if c.From == nil {
		at, _ := farthestOf(own, g)
		return at
	}
	at := b.last
	most := geom.Dot(g, own[at])
	for to := int32(-1); to != at; {
		to = at
		for _, j := range c.Beside[c.From[to]:c.From[to+1]] {
			if x := geom.Dot(g, own[j]); x > most {
				at, most = j, x
			}
		}
	}
	b.last = at
	return at
}

// farthestOf returns the first of the points whose product with g is the greatest in floats.
func farthestOf(points []r3.Vec, g r3.Vec) (at int32, most float64) {
	most = math.Inf(-1)
	for i := range points {
		if x := geom.Dot(g, points[i]); x > most {
			at, most = int32(i), x
		}
	}
	return at, most
}

// support returns a corner of C that is far along n.
func (d *draft) support(n r3.Vec) corner {
	a := d.side[0].far(geom.Scale(-1, d.side[0].turn.ApplyTransposed(n)))
	return d.corner(a, d.side[1].far(d.side[1].turn.ApplyTransposed(n)))
}

// corner returns the difference of a corner of each body.
func (d *draft) corner(a, b int32) corner { return corner{a, b, r3.Sub(d.at(1, b), d.at(0, a))} }

// at returns where a corner of a body is about A's origin, scaled. The operations, and so the
// error, are those of difference.set.
func (d *draft) at(side int, i int32) r3.Vec {
	b := &d.side[side]
	x := b.turn.Apply(geom.Scale(d.unit, b.shape.Corners[i]))
	if side == 1 {
		x = r3.Add(x, d.apart)
	}
	return x
}

// draw computes the depth of two convex bodies by a draft; it reports whether that is the answer.
func (s *Solver) draw(out *Depth) bool {
	d := &s.draft
	if !d.set(s.a, &s.pa, s.b, &s.pb) {
		return false
	}
	outer := num.AddUp(s.a.Outer(), s.b.Outer())
	d.budget = s.o.MaxIterations
	switch d.approach(float64(outer * d.unit)) {
	case apart:
		out.Iterations = d.steps
		return d.parted(outer)
	case beside:
		return outer > 0 && s.drawRounded(out)
	case around:
		return s.drawFacet(out)
	}
	return false
}

// parted proves that the nearest point of C known is the normal of a plane that has C, and with it
// the radii, beyond it.
//
// A product of v with a corner of a body, in the axes of the body, errs by less than 38u |v| times
// the length of the corner (see reach), that with the way between the origins by less than 4u |v|:
// in all by less than 21u |v|, as the lengths add up to less than 1/2. v itself is exact.
func (d *draft) parted(outer float64) bool {
	v := d.near.v
	m := geom.Scale(d.unit, v)
	_, top := farthestOf(d.side[0].shape.Corners, d.side[0].turn.ApplyTransposed(m))
	_, low := farthestOf(d.side[1].shape.Corners, geom.Scale(-1, d.side[1].turn.ApplyTransposed(m)))
	gap := geom.Dot(v, d.apart) - low - top
	return gap-float64((64*u+float64(outer*d.unit))*geom.Norm(v)*(1+16*u)) > 0x1p-140
}

// drawRounded is Solver.rounded for a draft whose search found the nearest point of C: the sum of
// the radii less the distance.
//
// The point is a mean of corners with weights that are not negative, so the distance D is at most
// its length. Its error is that of corners, 12 sqrt(3) u < 21u, and less than 8u by the products
// with weights below 1, their quotients by their sum, and the sums; the length rounds by 3u of
// itself: 40u, and 8u of it, are more. Along any m the way out is proven, by prove.
func (s *Solver) drawRounded(out *Depth) bool {
	d := &s.draft
	inner, outer := num.AddDown(s.a.Radius(), s.b.Radius()), num.AddDown(s.a.Outer(), s.b.Outer())
	var m num.BallVec
	var far float64
	if d.side[0].isOrigin() && d.side[1].isOrigin() {
		m = d.between()
		_, far = m.Dot(&m).Sqrt().Ends()
		for k := range m {
			m[k] = m[k].Neg().Center()
		}
	} else {
		v := d.near.v
		far = float64((geom.Norm(v) + 40*u) * (1 + 8*u))
		m = num.BallVec{num.BallOf(-v.X), num.BallOf(-v.Y), num.BallOf(-v.Z)}
	}
	far = math.Ldexp(far, d.exponent)
	if !(far < outer) {
		return false // They may touch: the exact search tells.
	}
	lo := max(0, num.SubDown(inner, far))
	open := float64(0x1p-37*s.reach()) + s.deviations()
	if _, ok := s.prove(&m, lo, open, out); !ok {
		// The nearest point is so near that rounding decides the way to it.
		if m, ok = d.outward(); !ok {
			return false
		}
		if _, ok = s.prove(&m, lo, open, out); !ok {
			return false
		}
	}
	s.kind, out.Iterations = byGap, d.steps
	a, b := d.near.points(d)
	s.place(a, b, out)
	return true
}

// deviations returns the sum of the deviations of both bodies.
func (s *Solver) deviations() float64 { return s.a.Deviation() + s.b.Deviation() }

// place writes the deepest points, of those of the bodies without their radii, about A's origin and
// scaled.
func (s *Solver) place(a, b r3.Vec, out *Depth) {
	d := &s.draft
	size, n := math.Ldexp(1, d.exponent), out.Normal
	out.PointA = r3.Sub(r3.Add(s.pa.Position, geom.Scale(size, a)), geom.Scale(s.a.Radius(), n))
	out.PointB = r3.Add(r3.Add(s.pa.Position, geom.Scale(size, b)), geom.Scale(s.b.Radius(), n))
	s.settle(float64(32*u*size), out)
}
