package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// worker is one goroutine with scratch and counts of its own.
type worker struct {
	r       *rand.Rand
	record  *record
	entries []entry
	methods []ccdtest.Method
	stages  []func() map[string]int64
	busy    atomic.Pointer[task]

	cases                atomic.Int64
	queries, undecided   []atomic.Int64
	slowest, nanoseconds []atomic.Int64
}

// task is what a worker is at.
type task struct {
	since  time.Time
	method string
	c      ccdtest.Case
}

func newWorker(seed, stream uint64, rec *record) *worker {
	w := &worker{r: ccdtest.NewRand(seed, stream), record: rec, entries: methods()}
	n := len(w.entries)
	w.queries, w.undecided = make([]atomic.Int64, n), make([]atomic.Int64, n)
	w.slowest, w.nanoseconds = make([]atomic.Int64, n), make([]atomic.Int64, n)
	for _, e := range w.entries {
		m, s := e.open()
		w.methods, w.stages = append(w.methods, m), append(w.stages, s)
	}
	return w
}

// step draws one case, computes its truth, and tests every method.
func (w *worker) step() {
	fam := ccdtest.Families[w.r.IntN(len(ccdtest.Families))]
	c := fam.Make(w.r, geom.Kind(1+w.r.IntN(4)), w.r.IntN(2) == 0)
	w.busy.Store(&task{time.Now(), "oracle", c})
	j := ccdtest.NewKnownCase(c)
	if c.D == 0 && w.cases.Load()%4 == 0 {
		w.oracles(&j)
	}
	for i := range w.entries {
		if takes := w.entries[i].takes; takes == nil || takes(&c) {
			w.busy.Store(&task{time.Now(), w.entries[i].name, c})
			w.testMethod(i, &j)
		}
	}
	if w.cases.Load()%4 == 0 {
		w.busy.Store(&task{time.Now(), "proximity", c})
		w.frame(&c)
	}
	w.busy.Store(nil)
	w.cases.Add(1)
}

// oracles compares the two oracles, which share no arithmetic.
func (w *worker) oracles(j *ccdtest.KnownCase) {
	im := oracle.Contact(j.Kind, j.Q).Until(j.TMax)
	if (im.Verdict == geom.Contact) != j.Truth.Contact || im.TOILo != j.Truth.Lo || im.TOIHi != j.Truth.Hi {
		w.record.broken("oracles", 3, &j.Case, fmt.Errorf("one says %+v, the other %+v", im, j.Truth))
	}
}

// testMethod runs one method on one case with random options, and checks the laws.
func (w *worker) testMethod(i int, j *ccdtest.KnownCase) {
	e := &w.entries[i]
	defer func() {
		if p := recover(); p != nil {
			w.record.broken(e.name, 0, &j.Case, fmt.Errorf("panic: %v", p))
			w.methods[i], w.stages[i] = e.open()
		}
	}()
	o := w.options(e, j)
	out := geom.Impact{Verdict: -1, Kind: -1, TOILo: math.NaN()} // must be overwritten
	start := time.Now()
	w.methods[i](j.Kind, j.Q, &o, &out)
	took := time.Since(start)
	w.queries[i].Add(1)
	w.nanoseconds[i].Add(int64(took))
	if out.Verdict == geom.Undecided {
		w.undecided[i].Add(1)
	}
	if int64(took) > w.slowest[i].Load() { // again, for the machine may have been busy elsewhere
		start = time.Now()
		w.methods[i](j.Kind, j.Q, &o, new(geom.Impact))
		if took = min(took, time.Since(start)); int64(took) > w.slowest[i].Load() {
			w.slowest[i].Store(int64(took))
			w.record.slow(e.name, took, &j.Case)
		}
	}
	promise := ccdtest.Promise{Exact: e.exactly(&j.Case), Rounding: e.rounding, Patches: e.patches}
	for _, err := range ccdtest.Check(j, &o, &out, promise) {
		w.record.broken(e.name, err.(*ccdtest.Violation).Law, &j.Case, err)
	}
	if w.r.IntN(16) != 0 {
		return
	}
	s := ccdtest.Suite{
		New:     func() ccdtest.Method { return w.methods[i] },
		Options: func(again *narrow.Options) { *again = o },
		Exact:   e.exactly(&j.Case),

		Rounding: e.rounding,
	}
	for _, law := range []int{6, 7} {
		if err := s.Check(j, law); err != nil {
			w.record.broken(e.name, law, &j.Case, err)
		}
	}
}

// options draws a budget, now and then a finer tolerance and a bound for the scene.
func (w *worker) options(e *entry, j *ccdtest.KnownCase) narrow.Options {
	o := j.Options()
	o.MaxIterations = [...]int64{1, 10, 100, 1000, 1000, 1000, 1000, 10000}[w.r.IntN(8)]
	if e.change != nil {
		e.change(&o)
	}
	if w.r.IntN(8) == 0 {
		o.Tolerance *= 1e-5
	}
	if w.r.IntN(8) == 0 {
		for i, x := range j.Q {
			o.SceneBound[i%3] = max(o.SceneBound[i%3], math.Abs(x))
		}
	}
	return o
}
