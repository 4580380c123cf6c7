package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// settle decides whether bodies that are more than their triangles, which were measured, share a
// point.
func (r *Ruler) settle(ma, mb *Motion, t float64) {
	g := r.growth()
	if r.meets || !g.some() {
		return
	}
	inner := [2]float64{g.a.inner, g.b.inner}
	switch {
	case g.inner > 0 && r.best.hi <= g.inner:
		r.meets = true
	case g.inner > 0 && r.still && min(r.lowest, r.best.hi) <= num.AddUp(inner[0], inner[1]):
		best, lowest, spent, steps := r.best, r.lowest, r.spent, r.steps
		r.meets = r.reaching(inner)
		r.best, r.lowest, r.spent, r.steps = best, lowest, spent, steps+r.steps
	}
	if !r.meets && nested(r.a.body, r.b.body, ma, mb, t) {
		r.meets, r.inside = true, true
	}
}

// growth returns what the bodies are beyond their triangles.
func (r *Ruler) growth() growth { return growthOf(r.a.body, r.b.body) }

// write writes the result, in the world.
func (r *Ruler) write(ma *Motion, t float64, out *Gap) {
	c, g := &r.best, r.growth()
	*out = Gap{Lo: min(r.lowest, c.hi), Hi: c.hi, IndexA: int64(c.ta), IndexB: int64(c.tb), FeatureA: c.near.FA,
		FeatureB: c.near.FB, Normal: r3.Sub(r3.Vec{}, c.n), Time: t, Iterations: r.steps}
	pa, pb := c.near.PA, c.near.PB
	out.Epsilon = float64(4 * r.f.margin)
	if g.outer > 0 {
		out.Lo = max(0, num.SubDown(out.Lo, g.outer))
		out.Hi = max(num.SubUp(out.Hi, g.inner), math.SmallestNonzeroFloat64)
		if !r.inside {
			pa, pb = r.onBodies(&g)
		}
		out.Epsilon += max(g.a.deviation(), g.b.deviation())
	}
	if r.meets {
		out.Flags, out.Lo, out.Hi = GapIntersecting, 0, 0
	} else if r.spent {
		out.Flags = GapUnfinished
	}
	if r.inside {
		out.Flags |= GapInside
		out.Normal = c.n
	}
	at := ma.Along(t)
	out.PointA, out.PointB = r3.Add(pa, at), r3.Add(pb, at)
	// The points are seen from A's pivot: adding its place rounds it, product and sum, by 2u of
	// what is added.
	far := geom.Norm(at) + geom.Norm(pa) + geom.Norm(pb)
	out.Epsilon += float64(0x1p-50 * far)
	// The points are where an edge and a face cross, up to rounding over their angle.
	if r.meets && !r.still && g.outer == 0 {
		out.Epsilon = max(out.Epsilon, float64(math.Sqrt(c.near.D2)*stretch))
	}
}

// onBodies returns the near points, which are on the triangles, moved to the bodies: toward each
// other by their radii, to a common point where these reach so far.
func (r *Ruler) onBodies(g *growth) (pa, pb r3.Vec) {
	n := &r.best.near
	way := r3.Sub(n.PB, n.PA)
	d := geom.Norm(way)
	if !(d > 0) {
		return n.PA, n.PB
	}
	toB, toA := float64(g.a.inner/d), float64(g.b.inner/d)
	if r.meets {
		// A reaches from 0 to toB on the way, B from 1 - toA to 1: the middle of what both reach.
		toB = float64(0.5 * (max(0, 1-toA) + min(1, toB)))
		toA = 1 - toB
	}
	return r3.Add(n.PA, geom.Scale(toB, way)), r3.Sub(n.PB, geom.Scale(toA, way))
}

// reaching reports whether triangles come as near as the sum of two radii, in exact arithmetic.
func (r *Ruler) reaching(radii [2]float64) bool {
	r.begin(DistanceOptions{}, math.Inf(1))
	least, most := num.AddDown(radii[0], radii[1]), num.AddUp(radii[0], radii[1])
	goal := float64((most + r.f.margin) * stretch)
	for n := len(r.stack); n > 0; n = len(r.stack) {
		it := r.stack[n-1]
		r.stack = r.stack[:n-1]
		if a, b := r.a.body.child[it.a], r.b.body.child[it.b]; a < 0 && b < 0 && !it.same {
			r.steps++
			if r.within(^a, ^b, radii, least, most) {
				return true
			}
			continue
		}
		x, y, a, b, want := childrenOf(r.a.body, r.b.body, &it.pending)
		var step [4]float64
		r.advance(x, y, want, goal, tiny, &step)
		for k := range int32(4) {
			if r.steps++; want>>k&1 != 0 && !(step[k] > 0) {
				r.stack = append(r.stack, nodePair{pending: pending{a + k>>1, b + k&1, false}})
			}
		}
	}
	return false
}

// within reports whether two triangles come as near as the sum of the radii, which is in [least,
// most].
func (r *Ruler) within(ta, tb int32, radii [2]float64, least, most float64) bool {
	a, b := &r.a.body.tri[ta], &r.b.body.tri[tb]
	r.leaf.set(&r.query, a, b)
	if num.AddUp(math.Sqrt(r.leaf.Near.D2), r.f.margin) <= least {
		return true
	}
	n, low := r.along()
	if low <= most {
		_, low = r.search(n, low, num.Up(most))
	}
	if low > most {
		return false
	}
	return r.exact.Share(*a, *b) || r.exact.Within(*a, *b, radii)
}
