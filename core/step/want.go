package step

import (
	"ccd/core/broad"
	"ccd/core/geom"
)

// A want is what a call looks for. It is chosen once, when the call begins. The loop (run.go) asks
// it once for each block of pairs, never once for each pair. These are all of them:
//
//	least       the earliest impact, which ends the search of all others (search.go)
//	impacts     every impact: for a list, a visitor, the steps of vertices, or until there is one
//	intervals   all intervals of contact of every pair
//	nearest     the distance of a line search
//	throughFaces   edges that pass through faces at t = 0 (start_check.go)
type want interface {
	// end returns the time up to which an impact still matters. It never rises.
	end() float64
	// every reports whether each pair matters once, and not only the first impact.
	every() bool
	// pass returns how the plan of the run is swept.
	pass(r *run) pass
	// block takes a block of pairs of one kind, whose vertices are in w.idx.
	block(w *worker, k geom.Kind, pairs [][2]int32)
}

// A pass is how a want has one plan swept.
type pass struct {
	order func(i int) int                     // the number of the task that comes at place i
	skip  func(w *worker, t *broad.Task) bool // nil, or whether no pair of a task matters
	after func(w *worker, t *broad.Task) bool // nil, or whether all workers stop after a task, for another plan
	whole bool                                // a device must not leave pairs out that it proves apart
}

// all is the part of a want of all pairs up to an end of time that stays.
type all struct{ tMax float64 }

func (a *all) end() float64     { return a.tMax }
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
	w.end = i.tMax
	w.current = pairs
	i.path.decide(w, k, pairs, i.c.o.Options, i)
}

func (i *impacts) take(w *worker, n int, im *geom.Impact) {
	im.A, im.B = int64(w.current[n][0]), int64(w.current[n][1])
	i.meet(w, im)
}
