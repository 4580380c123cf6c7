package screw

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/poses"
)

// A Screw is the motion of B as A sees it, where that is a turn about one fixed axis with a slide
// along it, or a slide alone, up to an error that is bounded. docs/proofs/screws.md proves what
// this file computes.
type Screw struct {
	Axes [2]Axis // the axis in the coordinates of A, and of B
	// The error holds for the times [From, To]; mid is the time between that phase belongs to.
	From, To float64
	mid      float64
	rate     num.Interval // the rate of the turn; of a slide, its speed
	phase    float64      // the angle at mid; of a slide, the place along the axis
	// shift moves the images of B to those of A: (0, z - h angle) of a turn, (x, y) of a slide.
	shift [2]float64
	error float64 // bounds how far the true motion moves a point of B from where this one does
	size  float64 // bounds the distances of the points of both bodies from the origins of their axes
}

// A Body is what this package asks of a body. Triangles, the box that holds them and what is kept
// stay the same objects.
type Body interface {
	Triangles() []bvh.Triangle
	Box() (lo, hi r3.Vec)
	RadiusAbout(p r3.Vec) float64 // the radius of a ball around p that holds the body
	Kept() *Kept
}

// An Axis is an axis through a body, in the body's coordinates, with what the images of the
// body along it depend on. Its numbers are rounded to few bits, so that the same axis has the same
// frame at every call, although a caller's poses round.
type Axis struct {
	axis, across, point r3.Vec // across is a direction that is not along axis; none needs to be unit
	advance             float64
	slide               bool
}

// axisBits is how many bits of the frame's numbers are kept.
const axisBits = 44

// kept rounds each component to a multiple of grain, a power of two.
func kept(v r3.Vec, grain float64) r3.Vec {
	round := func(x float64) float64 { return math.RoundToEven(x/grain) * grain }
	return r3.Vec{X: round(v.X), Y: round(v.Y), Z: round(v.Z)}
}

// powerAbove returns the least power of two above x > 0.
func powerAbove(x float64) float64 {
	_, e := math.Frexp(x)
	return math.Ldexp(1, e)
}

// middle returns the center of the box of a body, and the power of two above its half extents.
func middle(b Body) (center r3.Vec, size float64) {
	lo, hi := b.Box()
	center = geom.Scale(0.5, r3.Add(lo, hi))
	return center, powerAbove(max(geom.MaxAbs(r3.Sub(hi, center)), 0x1p-400))
}

// AxisOf returns the frame of the axis through p along the unit e, both in the body's coordinates.
func AxisOf(b Body, p, e r3.Vec) (f Axis) {
	center, size := middle(b)
	p = r3.Add(p, geom.Scale(geom.Dot(r3.Sub(center, p), e), e)) // the point that is nearest to the center
	f.axis = kept(e, math.Ldexp(1, -axisBits))
	f.point = kept(p, math.Ldexp(max(size, powerAbove(geom.Norm(r3.Sub(p, center))+0x1p-400)), -axisBits))
	x := geom.Components(f.axis)
	least := 0
	for k := range x {
		if math.Abs(x[k]) < math.Abs(x[least]) {
			least = k
		}
	}
	f.across = [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[least]
	return f
}

// rows returns x, y and z of the frame as rows, and what they differ at most from those of a
// rotation, in the Frobenius norm: that of M M^T - I.
func (f *Axis) rows() (m geom.Mat, off float64) {
	m.Z, _ = geom.Unit(f.axis, f.axis)
	x := r3.Sub(f.across, geom.Scale(geom.Dot(f.across, m.Z), m.Z))
	m.X, _ = geom.Unit(x, x)
	m.Y = geom.Cross(m.Z, m.X)
	exact := poses.MatrixAround(&m, 0)
	turned := exact.Transposed()
	square := exact.Times(&turned)
	return m, square.LessTurn(1, 0)
}

// A spinning is the turn of one body, for the error of a screw.
type spinning struct {
	turns bool
	sign  float64   // 1 if it turns about the axis of the screw, -1 about the opposite
	unit  poses.Box // its axis, in the world
	rate  num.Interval
	off   float64 // how far the unit is from that of A's frame
}

func newSpinning(m *poses.Motion, e r3.Vec, toA *poses.Matrix) (t spinning) {
	hi, _ := m.Rate()
	if t.turns = hi > 0; !t.turns {
		return t
	}
	arc := m.Around(0)
	t.rate, t.sign = arc.Rate, math.Copysign(1, geom.Dot(m.AngularVelocity, e))
	for k, x := range geom.Components(m.AngularVelocity) {
		t.unit[k] = num.Point(x).Div(t.rate)
	}
	t.off = toA.Apply(t.unit).Less(poses.PointBox(r3.Vec{Z: t.sign})).Most()
	return t
}

// direction returns the axis of the screw, a unit in the world, if there may be one.
func direction(ma, mb *poses.Motion) (e r3.Vec, slide, ok bool) {
	e = r3.Sub(mb.AngularVelocity, ma.AngularVelocity)
	if slide = e == (r3.Vec{}); slide {
		if e = ma.AngularVelocity; e == (r3.Vec{}) {
			e = r3.Sub(mb.Velocity, ma.Velocity)
		}
	}
	if most := geom.MaxAbs(e); most > 0 {
		e = r3.Vec{X: e.X / most, Y: e.Y / most, Z: e.Z / most} // Squares of small rates would underflow.
	}
	e, ok = geom.Unit(e, e)
	return e, slide, ok
}

// A Pair is two bodies that move, about a time. What it knows about that time chooses an axis: any
// is sound, for the error of a screw pays for it.
type Pair struct {
	Bodies        [2]Body
	Motions       [2]*poses.Motion
	From, Mid, To float64
	Turns         [2]geom.Mat // about the rotations at Mid
	Way           r3.Vec      // about the way from A's pivot to B's at Mid
}

// Of returns the motion of B as A sees it for the times [From, To] of a pair, if that is a screw.
func Of(p *Pair) (s Screw, ok bool) {
	e, slide, ok := direction(p.Motions[0], p.Motions[1])
	if !ok {
		return s, false
	}
	s.From, s.mid, s.To = p.From, p.Mid, p.To
	s.setAxes(p, e, slide)
	s.setError(p, e, slide)
	_, sizeA := middle(p.Bodies[0])
	_, sizeB := middle(p.Bodies[1])
	moves := s.rate.Lo > 0 || s.rate.Hi < 0
	return s, moves && s.error <= 0x1p-12*min(sizeA, sizeB) && s.size < math.Inf(1)
}

// Slides reports whether B does not turn, as A sees it.
func (s *Screw) Slides() bool { return s.Axes[0].slide }

// setAxes chooses the axis in the coordinates of both bodies. Any choice is sound: setError bounds
// what it is off.
func (s *Screw) setAxes(p *Pair, e r3.Vec, slide bool) {
	x, ra, rb, ma, mb := p.Way, &p.Turns[0], &p.Turns[1], p.Motions[0], p.Motions[1]
	var base r3.Vec // a point of the axis, seen from A's pivot
	switch {
	case ma.AngularVelocity != (r3.Vec{}):
	case mb.AngularVelocity != (r3.Vec{}):
		base = x
	default:
		center, _ := middle(p.Bodies[0])
		base = ra.Apply(r3.Sub(center, ma.Pivot))
	}
	s.Axes[0] = AxisOf(p.Bodies[0], r3.Add(ma.Pivot, ra.ApplyTransposed(base)), ra.ApplyTransposed(e))
	s.Axes[1] = AxisOf(p.Bodies[1], r3.Add(mb.Pivot, rb.ApplyTransposed(r3.Sub(base, x))), rb.ApplyTransposed(e))
	if slide {
		m, _ := s.Axes[0].rows()
		s.Axes[1].across = kept(rb.ApplyTransposed(ra.Apply(m.X)), math.Ldexp(1, -axisBits))
	} else {
		spin := r3.Sub(mb.AngularVelocity, ma.AngularVelocity)
		most := geom.MaxAbs(spin)
		w := r3.Vec{X: spin.X / most, Y: spin.Y / most, Z: spin.Z / most}
		advance := geom.Dot(r3.Sub(mb.Velocity, ma.Velocity), w) / geom.Dot(w, w) / most
		_, sizeA := middle(p.Bodies[0])
		_, sizeB := middle(p.Bodies[1])
		grain := math.Ldexp(max(sizeA, sizeB), -axisBits)
		s.Axes[0].advance = kept(r3.Vec{X: advance}, grain).X
	}
	s.Axes[0].slide, s.Axes[1].slide = slide, slide
	s.Axes[1].advance = s.Axes[0].advance
}

// setError computes the place of the screw at mid, its rate, and the bound of its error.
//
// With F the pose of a body as a map, a point y of B in the frame of its axis is, in the frame of
// A's axis, at N y + T; the screw has it at turn(z, phase + s rate) y + (z + s h rate) e_z, s the
// time since mid. The comments name the terms of the difference.
func (s *Screw) setError(p *Pair, e r3.Vec, slide bool) {
	ma, mb := p.Motions[0], p.Motions[1]
	mA, offA := s.Axes[0].rows()
	mB, offB := s.Axes[1].rows()
	kA, kB := poses.MatrixAround(&mA, offA), poses.MatrixAround(&mB, offB)
	arcA, arcB := ma.Around(s.mid), mb.Around(s.mid)
	poseA, poseB := arcA.Natural(num.Point(0)), arcB.Natural(num.Point(0))
	backA, backB := poseA.R.Transposed(), poseB.R.Transposed()
	toA, toB := kA.Times(&backA), kB.Times(&backB)
	fromB := toB.Transposed()
	n := toA.Times(&fromB)
	half := num.Point(max(num.SubUp(s.To, s.mid), num.SubUp(s.mid, s.From)))

	var x, v, spin poses.Box
	pa, pb := geom.Components(ma.Position), geom.Components(mb.Position)
	va, vb := geom.Components(ma.Velocity), geom.Components(mb.Velocity)
	wa, wb := geom.Components(ma.AngularVelocity), geom.Components(mb.AngularVelocity)
	for k := range 3 {
		v[k] = num.Point(vb[k]).Sub(num.Point(va[k]))
		x[k] = num.Point(pb[k]).Sub(num.Point(pa[k])).Add(v[k].Scale(s.mid))
		spin[k] = num.Point(wb[k]).Sub(num.Point(wa[k]))
	}
	g := poseB.R.Apply(poses.PointBox(s.Axes[1].point).Less(poses.PointBox(mb.Pivot)))
	tau := toA.Apply(x.Plus(g)).Plus(kA.Apply(poses.PointBox(ma.Pivot).Less(poses.PointBox(s.Axes[0].point))))
	at := [3]float64{center(tau[0]), center(tau[1]), center(tau[2])}

	reachA, reachB := p.Bodies[0].RadiusAbout(s.Axes[0].point), p.Bodies[1].RadiusAbout(s.Axes[1].point)
	a, b := newSpinning(ma, e, &toA), newSpinning(mb, e, &toA)
	sum := num.Point(float64(offA * reachA)).Add(num.Point(float64(offB * reachB))) // The frames are no rotations.
	add := func(x num.Interval) { sum = sum.Add(x) }
	if slide {
		add(num.Point(n.LessTurn(1, 0)).Scale(reachB))
		if a.turns {
			way := num.Point(x.Lateral(a.unit).Most()).Add(half.Scale(v.Lateral(a.unit).Most()))
			add(way.Scale(2))
		}
		along := toA.Apply(v)
		s.rate = num.Point(center(along[2]))
		add(half.Scale(along.Less(poses.Box{{}, {}, s.rate}).Most()))
		add(num.Point(tau.Less(poses.PointBox(r3.Vec{X: at[0], Y: at[1], Z: at[2]})).Most()))
		s.phase, s.shift = at[2], [2]float64{at[0], at[1]}
	} else {
		h := s.Axes[0].advance
		s.phase = angleOf(center(n[1][0])-center(n[0][1]), center(n[0][0])+center(n[1][1]))
		sin, cos := num.Sincos(s.phase, 0)
		turn := num.Point(n.LessTurn(cos, sin)).Add(num.Point(4 * num.SincosBound))
		drift := num.Point(v.Less(spin.Scaled(num.Point(h))).Most())
		for _, t := range []*spinning{&a, &b} {
			if t.turns {
				turn = turn.Add(num.Point(t.off).Scale(2))
				drift = drift.Add(t.rate.Mul(num.Point(t.off)).Scale(math.Abs(h)))
			}
		}
		add(turn.Scale(reachB))
		add(half.Mul(drift))
		if b.turns {
			add(num.Point(g.Lateral(b.unit).Most()).Scale(2))
		}
		if a.turns {
			y := x.Plus(g)
			way := num.Point(y.Lateral(a.unit).Most()).Add(half.Scale(v.Lateral(a.unit).Most()))
			add(way.Scale(2))
		}
		add(num.Point(tau.Less(poses.PointBox(r3.Vec{Z: at[2]})).Most()))
		s.rate = b.rate.Scale(b.sign).Sub(a.rate.Scale(a.sign))
		folded := float64(h * s.phase)
		s.shift = [2]float64{0, at[2] - folded}
		add(num.Point(0x1p-50 * (math.Abs(at[2]) + math.Abs(folded)))) // the rounding of the shift
	}
	s.error = float64(sum.Hi*(1+0x1p-40)) + 0x1p-500
	s.size = (reachA + reachB) * (1 + 0x1p-40)
}

func center(i num.Interval) float64 { return float64(0.5*i.Lo) + float64(0.5*i.Hi) }

// angleError bounds the error of angleOf, in radians. See there.
const angleError = 0x1p-49

// angleOf returns the angle of the direction (x, y), in [-pi, pi], within angleError. Its bits are
// the same on every platform, which those of math.Atan2 are not.
//
// Let t = min/max of |x|, |y| be the tangent of an angle within [0, pi/4], and first the value of t
// (pi/4 + 0.273 (1 - t)), off by less than 0.004. The rest has the tangent d = (b c - a s)/(a c + b
// s), a = 1 and b = t scaled; d - d^3/3 + d^5/5 leaves d^7/7 < 3e-18. Sine and cosine err by 2.5u,
// t by u, products and sums by u each: d errs by less than 10u. Subtracting from pi/2 and from pi
// rounds by 2u, and these constants by as much: 16u in all.
func angleOf(y, x float64) float64 {
	a, b := math.Abs(x), math.Abs(y)
	swap := b > a
	if swap {
		a, b = b, a
	}
	if a == 0 {
		return 0
	}
	t := b / a
	guess := float64(t * (math.Pi/4 + float64(0.273*(1-t))))
	s, c := num.Sincos(guess, 0)
	d := (float64(t*c) - s) / (c + float64(t*s))
	d2 := float64(d * d)
	angle := guess + float64(d*(1-float64(d2*(1.0/3-float64(d2*0.2)))))
	if swap {
		angle = math.Pi/2 - angle
	}
	if x < 0 {
		angle = math.Pi - angle
	}
	return math.Copysign(angle, y)
}
