package step

import "ccd/core/geom"

// all is the part of a want of all pairs up to a horizon that stays.
type all struct{ tMax float64 }

func (a *all) horizon() float64 { return a.tMax }
func (a *all) every() bool      { return true }
func (a *all) pass(r *run) pass { return pass{order: r.plan.LongestFirst} }

// impacts wants every impact, and passes each to meet on the thread that finds it.
type impacts struct {
	all
	c     *call
	path  path
	times bool // places and normals of impacts do not matter
	meet  func(w *worker, im *geom.Impact)
}

// everyImpact returns the want of the impacts of a call.
func everyImpact(c *call, meet func(w *worker, im *geom.Impact)) *impacts {
	return &impacts{all: all{c.o.TMax}, c: c, path: c.path, meet: meet}
}

// block solves a block of pairs.
func (i *impacts) block(w *worker, k geom.Kind, pairs [][2]int32) {
	w.solver.Times = i.times
	w.horizon = i.tMax
	w.current = pairs
	i.path.decide(w, k, pairs, i.c.o.Options, i)
}

func (i *impacts) take(w *worker, n int, im *geom.Impact) {
	im.A, im.B = int64(w.current[n][0]), int64(w.current[n][1])
	i.meet(w, im)
}
