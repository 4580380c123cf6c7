package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// answer is what is known of two leaves in an interval.
type answer int

const (
	open    answer = iota // Nothing is proven.
	cleared               // They keep more than the separation on the whole interval.
	touched               // They certainly touch at the middle.
)

// path is what the vertices of a placed primitive do in an interval.
type path struct {
	x, v, a [3]r3.Vec
	lo, hi  r3.Vec // box of x
	way     float64
}

// paths places the primitives of a cluster.
func (p *pair) paths(all []primitive, out *[smallPrimitives]path, moves bool) {
	rest := cubic(&p.k, p.h)
	for i, at := range p.a.primitives {
		one, o := &all[at], &out[i]
		o.way = 0
		b := emptyBox()
		for k := range one.n {
			if !moves {
				o.x[k] = p.s.place(one.x[k])
			} else {
				o.x[k], o.v[k], o.a[k] = p.s.at(one.x[k])
				o.way = max(o.way, float64(p.h*geom.Norm(o.v[k]))+float64(float64(0.5*p.h*p.h)*geom.Norm(o.a[k])))
			}
			b.add(o.x[k], 0)
		}
		for k := one.n; k < 3; k++ {
			o.x[k], o.v[k], o.a[k] = o.x[0], o.v[0], o.a[0]
		}
		o.lo, o.hi, o.way = b.lo, b.hi, float64((o.way+rest)*up)
	}
}

// away reports whether the box of a placed primitive is more than `by` from that of another.
func (o *path) away(q *primitive, by float64) bool {
	return o.lo.X-max(q.x[0].X, q.x[1].X, q.x[2].X) > by || min(q.x[0].X, q.x[1].X, q.x[2].X)-o.hi.X > by ||
		o.lo.Y-max(q.x[0].Y, q.x[1].Y, q.x[2].Y) > by || min(q.x[0].Y, q.x[1].Y, q.x[2].Y)-o.hi.Y > by ||
		o.lo.Z-max(q.x[0].Z, q.x[1].Z, q.x[2].Z) > by || min(q.x[0].Z, q.x[1].Z, q.x[2].Z)-o.hi.Z > by
}

// keeps reports whether a primitive and one of the target are proven apart on the interval along
// the way between two near points of theirs, c.
func (p *pair) keeps(pa *primitive, o *path, pb *primitive, c *closest) bool {
	list, count := c.directions(pa, &o.x, pb)
	hh := float64(0.5*p.h) * p.h
	for _, n := range list[:count] {
		low := math.Inf(1)
		for k := range pa.n {
			low = min(low, geom.Dot(n, o.x[k])-float64(p.h*math.Abs(geom.Dot(n, o.v[k])))+
				float64(hh*min(0, geom.Dot(n, o.a[k]))))
		}
		if low-pb.reaches(n)-pa.radius > p.need {
			return true
		}
	}
	return false
}

// reaches returns the greatest of n.x over the primitive.
func (p *primitive) reaches(n r3.Vec) float64 {
	high := geom.Dot(n, p.x[0])
	for _, x := range p.x[1:p.n] {
		high = max(high, geom.Dot(n, x))
	}
	return high + p.radius
}

// hit is a certain contact at one time, or what a search found first.
type hit struct {
	s      float64
	task   int32
	pa, pb int32 // primitives
	how    How
	point  r3.Vec // Its coordinates are the target's.
}

// touch looks for primitives of two clusters that certainly touch at the middle of the interval.
func (w *front) touch(p *pair, paths *[smallPrimitives]path, found *hit) bool {
	all := w.robot.primitives
	ea, eb := p.k[0]+p.a.off, p.b.off
	for i, at := range p.a.primitives {
		pa := &all[at]
		for _, other := range p.b.primitives {
			pb := &all[other]
			if paths[i].away(pb, pa.radius+pb.radius+p.separation) {
				continue
			}
			if how, point := contactOf(pa, &paths[i].x, pb, ea, eb, p.separation); how != NoContact {
				found.pa, found.pb, found.how, found.point = at, other, how, point
				return true
			}
		}
	}
	return false
}

// leaves tests the clusters of a ball and a box, both leaves, on the interval. At a single pose,
// with h = 0, only a contact matters.
func (w *front) leaves(it item, m *moving, found *hit) answer {
	t := &w.robot.tasks[it.task]
	mv := &w.robot.movers[t.mover]
	b := &mv.balls[it.ball]
	n := &w.robot.targets[t.target].nodes[it.node]
	ca, cb := &w.robot.clusters[b.cluster], &w.robot.clusters[^n.child[it.slot]]
	w.counts.Leaves++
	p := newPair(w.kin.get(t.way), &w.lim.slack[t.way], ca, cb, w.h, w.apart(t.mover, cb.body))
	apart, _, gap := p.separate(n.outward(m.x, int(it.slot)), p.need, rounds)
	if apart {
		return cleared
	}
	if gap > p.static { // no contact is at the middle
		return open
	}
	var paths [smallPrimitives]path
	p.paths(w.robot.primitives, &paths, w.h > 0)
	if w.touch(&p, &paths, found) {
		found.s, found.task = w.m, it.task
		return touched
	}
	if w.h == 0 {
		return open
	}
	for i, at := range ca.primitives {
		pa := &w.robot.primitives[at]
		for _, other := range cb.primitives {
			pb := &w.robot.primitives[other]
			by := pa.radius + pb.radius + paths[i].way + p.need
			if paths[i].away(pb, by) {
				continue
			}
			if c := nearest(pa, &paths[i].x, pb); !p.keeps(pa, &paths[i], pb, &c) {
				return open
			}
		}
	}
	return cleared
}
