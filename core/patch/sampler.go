package patch

import (
	"math"
	"slices"

	"ccd/core/geom"
)

// sampler collects contacts whose points are at least minDistance from each other. It takes up
// cells in the order of a search, and continues after the first contact.
type sampler struct {
	*selfSearch
	minDistance float64
	list        []Impact
}

// sample adds the contacts of one pair up to the query's end of time.
func (m *sampler) sample(c *candidatePair, root *cell) {
	m.heap.Push(root)
	for len(m.heap) > 0 && m.spent(len(m.heap)+m.skipped) == 0 {
		k := m.heap.Pop()
		m.Work.Cells++
		nd := [2]*node{m.trees[0].node(k.a), m.trees[1].node(k.b)}
		if m.covered(&k) {
			continue
		}
		if k.class != unrelated {
			m.selfSearch.expandNear(k)
			continue
		}
		for _, t := range [2]float64{k.t0, m.until} {
			p := place{x: m.center(&k)}
			if far := m.approach(&p, t, 0.01*m.tolerance); far > m.tolerance || m.shared.Strays(k.a, k.b, p.x) ||
				!holds(&m.query, &p.x) {
				continue
			}
			im := Impact{Verdict: geom.Contact, A: int64(c.a), B: int64(c.b), TOILo: k.t0, TOIHi: t}
			m.report(&p, &im)
			if !slices.ContainsFunc(m.list, func(x Impact) bool {
				return distance3(x.Point, im.Point) < m.minDistance
			}) {
				m.list = append(m.list, im)
			}
			break
		}
		if nd[0].dir >= 0 || nd[1].dir >= 0 {
			m.split(&k)
		}
	}
}

// coverFactor is what a point of the list covers, in units of minDistance: a little more than where
// new points are refused, else cells at which that distance is met exactly would be neither covered
// nor yield a point, however small.
const coverFactor = 1 + 0x1p-10

// covered reports whether the subpatch of the caller's first patch in a cell lies, at its time,
// within minDistance, and a little more, of a point of the list.
func (m *sampler) covered(c *cell) bool {
	t := &m.trees[m.callersFirst]
	m.check.a.set(t, [2]int32{c.a, c.b}[m.callersFirst])
	o := &m.local.origin
	for i := range m.list {
		var at [3]float64
		for k := range at {
			at[k] = (m.list[i].Point[k] - float64((1-c.t0)*o[0][k]) - float64(c.t0*o[1][k])) * m.local.unit
		}
		far := 0.0
		for k := range t.n {
			far = max(far, m.check.a.point(k, c.t0).sub(vec{at[0], at[1], at[2]}).length())
		}
		if far < coverFactor*m.minDistance*m.local.unit {
			return true
		}
	}
	return false
}

// distance3 returns the distance of two points.
func distance3(p, q [3]float64) float64 {
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}
