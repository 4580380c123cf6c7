package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/contain"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// grown is what a body is beyond its triangles. Let K be the triangles or, where solid, they and
// what they enclose. The body holds all points within inner of K, and none that is farther than
// outer: its envelope, the points within outer of K, contains it.
type grown struct {
	inner, outer float64
	solid        bool // the triangles are the closed surface of a convex body
}

// deviation bounds how far a point of the envelope may be from the body.
func (g *grown) deviation() float64 { return num.SubUp(g.outer, g.inner) }

// Radius returns by how much the body is larger than its triangles, or what they enclose: the
// radius of its shape and the padding.
func (b *Body) Radius() float64 { return b.grown.inner }

// Deviation bounds how much smaller than its envelope, which searches use, the body may be; 0 where
// the two are the same.
func (b *Body) Deviation() float64 { return b.grown.deviation() }

// Solid reports whether what the triangles enclose is part of the body.
func (b *Body) Solid() bool { return b.grown.solid }

// Padded returns the body that holds all points within a distance of b, which it shares the tree
// with. Its radius is the sum of that of b and the padding. Where the sum is no double, the inner
// radius is rounded down and the outer one up, so that no point is lost: the deviation grows by the
// distance of two neighboring doubles.
func (b *Body) Padded(padding float64) (*Body, error) {
	if !(padding >= 0 && padding <= MaxMagnitude) {
		return nil, status.Errorf(status.ErrArgument, "padding is %v: must be in [0, %v]", padding, MaxMagnitude)
	}
	g := b.grown
	g.inner, g.outer = num.AddDown(g.inner, padding), num.AddUp(g.outer, padding)
	if g.outer > MaxMagnitude {
		return nil, status.Errorf(status.ErrArgument,
			"padding is %v: with the radius and the deviation of the body, %v and %v, it exceeds %v", padding,
			b.Radius(), b.Deviation(), MaxMagnitude)
	}
	return b.with(g), nil
}

// Deviating returns the body that the triangles of b stand for where they are off by a deviation:
// no point of it is farther than that from b, which it shares the tree with, and it holds b.
// Deviations add up; the sum is rounded up, so that the envelope loses no point.
func (b *Body) Deviating(deviation float64) (*Body, error) {
	if !(deviation >= 0 && deviation <= MaxMagnitude) {
		return nil, status.Errorf(status.ErrArgument, "deviation is %v: must be in [0, %v]", deviation, MaxMagnitude)
	}
	g := b.grown
	if g.outer = num.AddUp(g.outer, deviation); g.outer > MaxMagnitude {
		return nil, status.Errorf(status.ErrArgument,
			"deviation is %v: with the radius and the deviation of the body, %v and %v, it exceeds %v", deviation,
			b.Radius(), b.Deviation(), MaxMagnitude)
	}
	return b.with(g), nil
}

// with returns a body with the same triangles that is something else beyond them.
func (b *Body) with(g grown) *Body {
	return &Body{
		Faces: b.Faces, tri: b.tri, child: b.child, boxes: b.boxes, lo: b.lo, hi: b.hi, bare: b.bare,
		radius: num.AddUp(b.bare, g.outer), grown: g,
	}
}

// growth is what two bodies are beyond their triangles.
type growth struct {
	a, b         grown
	inner, outer float64 // the sums, rounded down and up
}

func growthOf(a, b *Body) growth {
	return growth{a.grown, b.grown, num.AddDown(a.grown.inner, b.grown.inner), num.AddUp(a.grown.outer, b.grown.outer)}
}

// some reports whether one of the bodies is more than its triangles.
func (g *growth) some() bool { return g.outer > 0 || g.a.solid || g.b.solid }

// around returns the options for the triangles of bodies whose outer radii have the given sum: they
// keep more by so much. What the sum rounds is taken off the tolerance.
func (o Options) around(outer float64) Options {
	if outer == 0 {
		return o
	}
	kept := num.AddUp(o.MinSeparation, outer)
	o.Tolerance = max(0, num.SubDown(o.Tolerance, num.SubUp(num.SubUp(kept, outer), o.MinSeparation)))
	o.MinSeparation = kept
	return o
}

// grow moves the near points of an impact, which are on the triangles, to the envelopes.
func (g *growth) grow(im *Impact) {
	d := r3.Sub(im.PointA, im.PointB)
	n, ok := geom.Unit(d, d)
	if !ok || g.outer == 0 {
		return
	}
	im.Normal = n
	im.Distance = max(0, im.Distance-g.outer)
	im.PointA = r3.Sub(im.PointA, geom.Scale(g.a.outer, n))
	im.PointB = r3.Add(im.PointB, geom.Scale(g.b.outer, n))
}

// nested reports whether, at the time t, one of the bodies is solid and a corner of the other one
// is inside of its triangles, which do not come near. It is false where rounding hides it.
func nested(a, b *Body, ma, mb *Motion, t float64) bool {
	return a.grown.solid && a.encloses(b, ma, mb, t) || b.grown.solid && b.encloses(a, mb, ma, t)
}

// encloses reports whether a corner of each of some component of the other body's triangles is
// inside of b's.
func (b *Body) encloses(other *Body, m, mo *Motion, t float64) bool {
	frame := seenFrom(m, mo, t)
	reach := float64((b.radiusAbout(m.Pivot) + other.radiusAbout(mo.Pivot)) * (1 + 0x1p-40))
	if float64(geom.Norm(r3.Sub(mo.Along(t), m.Along(t)))*(1-0x1p-40)) > reach {
		return false // The balls about the pivots are apart.
	}
	inside := b.solid()
	solid := other.solid()
	for c := range solid.Components() {
		p := frame.point(solid.Corner(c))
		if w, place := inside.Winding(&p); place == contain.Off && w != 0 {
			return true
		}
	}
	return false
}

// overlapsAtStart reports whether bodies that are more than their triangles overlap at TMin beyond
// rounding, by their radii or because one is inside of the other; if so it writes the impact.
func (s *Solver) overlapsAtStart(g *growth, ma, mb *Motion) bool {
	t := s.o.TMin
	held := (g.a.solid || g.b.solid) && nested(s.a.body, s.b.body, ma, mb, t)
	if !held && g.inner == 0 {
		return false
	}
	if s.start == nil {
		s.start = new(Ruler)
	}
	r := s.start
	r.still = false
	r.prepare(s.a.body, s.b.body, ma, mb, t)
	limit := math.Inf(1)
	if !held {
		limit = num.Up(g.inner)
	}
	r.measure(DistanceOptions{MaxIterations: s.o.MaxIterations}, limit)
	s.over.steps += r.steps
	rounding := r.f.margin + s.grain
	deep := g.inner > 0 && r.best.ta >= 0 && r.best.hi < g.inner-rounding
	if held = held && !r.meets && min(r.lowest, r.best.hi) > rounding; !held && !deep {
		return false
	}
	r.meets, r.inside = true, held
	var gap Gap
	r.write(ma, t, &gap)
	*s.out = Impact{
		Verdict: geom.Contact, Flags: InitialContact | Intersecting, TOILo: t, TOIHi: t, IndexA: gap.IndexA,
		IndexB: gap.IndexB, FeatureA: gap.FeatureA, FeatureB: gap.FeatureB, PointA: gap.PointA,
		PointB: gap.PointB, Normal: gap.Normal,
	}
	return true
}
