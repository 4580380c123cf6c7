package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// meter keeps the least distance found by a search for it. The search leaves out what is farther
// than that less the tolerance, which is the separation of the front.
type meter struct {
	front     *front
	tolerance float64
	coarse    float64 // A look leaves out what is not nearer by this part of the least distance.
	least     float64 // Two bodies are at most so far apart at the time s.
	s         float64
	task      int32
	pa, pb    int32 // primitives, -1 if no pair was measured
	touches   bool  // Whether they certainly touch then.
}

// take notes that two primitives are at most this far apart at the middle of the interval.
func (g *meter) take(distance float64, it item, pa, pb int32, touches bool) {
	if !(distance < g.least) && !(touches && !g.touches) {
		return
	}
	g.least, g.s, g.task, g.pa, g.pb, g.touches = distance, g.front.m, it.task, pa, pb, touches
	g.leaveOut()
}

// leaveOut sets the separation from which on a search for the least distance leaves pairs out.
func (g *meter) leaveOut() {
	if g.front.separation = g.least; !math.IsInf(g.least, 1) {
		g.front.separation = max(0, num.Down(g.least-max(g.tolerance, float64(g.coarse*g.least))))
	}
}

// glance looks for a smaller distance at one time among the items from first to last.
func (g *meter) glance(s float64, first, last, budget int) {
	g.coarse = 0.1
	g.leaveOut()
	g.front.probe(s, first, last, budget, nil)
	g.coarse = 0
	g.leaveOut()
}

// measureRounds is how many directions of two clusters are tried before their primitives are.
const measureRounds = 8

// measure tests two leaves on the interval, and measures their distance at its middle.
func (g *meter) measure(it item, m *moving) answer {
	w := g.front
	t := &w.robot.tasks[it.task]
	n := &w.robot.targets[t.target].nodes[it.node]
	mv := &w.robot.movers[t.mover]
	ca, cb := &w.robot.clusters[mv.balls[it.ball].cluster], &w.robot.clusters[^n.child[it.slot]]
	w.counts.Leaves++
	p := newPair(w.kin.get(t.way), &w.lim.slack[t.way], ca, cb, w.h, w.separation)
	apart, _, gap := p.separate(n.outward(m.x, int(it.slot)), p.need, measureRounds)
	if apart {
		return cleared
	}
	var paths [smallPrimitives]path
	p.paths(w.robot.primitives, &paths, w.h > 0)
	now := cleared
	for i, at := range ca.primitives {
		pa := &w.robot.primitives[at]
		for _, other := range cb.primitives {
			pb := &w.robot.primitives[other]
			by := paths[i].way + p.need
			if now == open { // Only what is nearer than all so far matters still.
				by = g.least
			}
			if paths[i].away(pb, pa.radius+pb.radius+by) {
				continue
			}
			c := nearest(pa, &paths[i].x, pb)
			g.takePair(it, &p, &paths[i], at, other, &c, gap)
			if !p.keeps(pa, &paths[i], pb, &c) {
				now = open
			}
		}
	}
	return now
}

// takePair measures two primitives at the middle of the interval. Clusters with a gap between them
// do not touch.
func (g *meter) takePair(it item, p *pair, o *path, at, other int32, c *closest, gap float64) {
	pa, pb := &g.front.robot.primitives[at], &g.front.robot.primitives[other]
	ea, eb := p.k[0]+p.a.off, p.b.off
	if !(gap > p.static) {
		if how, _ := contactOf(pa, &o.x, pb, ea, eb, 0); how != NoContact {
			g.take(0, it, at, other, true)
			return
		}
	}
	g.take(c.upper(pa, &o.x, pb, ea, eb), it, at, other, false)
}

// upper bounds the distance of two primitives whose vertices are within ea and eb of their doubles:
// both points are off their primitives, and the distance is rounded, by less than 64u of the size.
func (c *closest) upper(pa *primitive, a *[3]r3.Vec, pb *primitive, ea, eb float64) float64 {
	size := 0.0
	for i := range 3 {
		size = max(size, geom.MaxAbs(a[i]), geom.MaxAbs(pb.x[i]))
	}
	far := float64((math.Sqrt(c.square) + ea + eb + float64(64*unit*size)) * (1 + 32*unit))
	return max(0, num.Up(num.Up(far-pa.radius)-pb.radius))
}
