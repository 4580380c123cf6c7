package step

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Earliest returns the first impact of m as vertex i moves on the segment x0[i] -> x1[i]
// (row-major, m.NV x 3 doubles each).
//
// Separate is a proof: no pair comes within the separation for t <= TMax. Otherwise none does so
// for t < TOILo. Of several pairs with the same TOILo the first in the order (kind, a, b) is
// returned. With CheckStart an edge that passes through a face at x0 comes first.
//
// # Why the answer does not depend on the route
//
// Let best be the least impact of all pairs, in the order of impacts; it is the result. With a
// method other than the exact one every pair is solved in full, so the least is found in any order.
//
// For each pair the exact method returns the largest double L not above its first time of contact
// t, which is unique, and decides t <= T for any end T. At any moment the search knows an impact M
// of some pair, and tests only times up to the double after M.TOILo. A pair that is skipped there,
// by its boxes or by the method, has t > that double, so L > M.TOILo >= best.TOILo, and it is not
// best. A pair that is not skipped is compared with M by (L, kind, a, b). So in any order, best is
// compared with the least impact so far and replaces it. Finally best's pair is solved once more
// over the whole step, so that its other fields do not depend on the horizon at which it was
// found either.
func Earliest(m *mesh.Mesh, x0, x1 []float64, o *Options) (geom.Impact, error) {
	return runEarliest(start(m, x0, x1, o))
}

// runEarliest runs the call Earliest, if it could begin, and ends it.
func runEarliest(c *call, err error) (geom.Impact, error) {
	if err != nil {
		return noImpact(), err
	}
	defer c.end()
	return c.earliest()
}

// fewMoving is the part of the vertices that must move before a search uses the hierarchy, which
// fits the boxes of static primitives anew in each call. On five scenes of 34,000 to 5 million
// vertices, on a busy machine, it took with a thousandth moving 0.64 to 1.84 times as long as the
// grid (1.17 in the mean), with three thousandths 0.76 to 1.59 (1.08), with a hundredth 0.58 to
// 2.12 (1.04); on other scenes, with a hundredth, 0.54 to 1.03.
const fewMoving = 1.0 / 200

// manyMove reports whether at least fewMoving of the vertices are not static.
func manyMove(m *mesh.Mesh) bool {
	moving := m.Filter().Moving(geom.Vertex)
	return moving == nil || float64(len(moving)) >= fewMoving*float64(m.NV)
}

// earliest is the call Earliest.
func (c *call) earliest() (geom.Impact, error) {
	if im, err := firstCrossing(c); err != nil || im.Verdict != geom.Separate {
		return c.answer(im, err)
	}
	c.tactics.hierarchy = c.tactics.hierarchy && manyMove(c.m)
	pairs, err := newSource(c, narrowed{})
	if err != nil {
		return noImpact(), err
	}
	l := newLeast(c)
	if err := l.search(newRun(c, c.path, pairs, l)); err != nil {
		return noImpact(), err
	}
	return c.answer(l.result(), nil)
}
