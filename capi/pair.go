package main

// #include "internal.h"
import "C"

import (
	"sync"
	"time"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// A desk has what a thread needs to solve queries. A call takes one for each of its threads and
// gives them back, so that a query does not allocate.
type desk struct {
	settings settings // the settings of a call for one pair
	solver   *narrow.Solver
}

var desks = sync.Pool{New: func() any { return &desk{solver: narrow.NewSolver()} }}

//export go_pair
func go_pair(kind int32, q *float64, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	return statusOf(pair(geom.Kind(kind), q, o, (*geom.Impact)(out)))
}

func pair(kind geom.Kind, q *float64, o unsafe.Pointer, out *geom.Impact) error {
	d := desks.Get().(*desk)
	defer desks.Put(d)
	if err := d.settings.readFor(kind, o); err != nil {
		return err
	}
	if q == nil {
		return null("q")
	}
	if out == nil {
		return null("out")
	}
	query := unsafe.Slice(q, kind.Len())
	if err := narrow.CheckQuery(kind, query, &d.settings.narrow); err != nil {
		return invalid(err)
	}
	if d.settings.stats == nil {
		d.solver.Solve(kind, query, &d.settings.narrow, out)
		return nil
	}
	start := time.Now()
	d.solver.Solve(kind, query, &d.settings.narrow, out)
	took := time.Since(start).Seconds()
	counted := &d.settings.counted
	*counted = engine.Stats{SecondsNarrow: took, SecondsTotal: took, Threads: 1}
	counted.Candidates[kind-1] = 1
	counted.Count(out.Verdict != geom.Separate, out.Verdict == geom.Undecided)
	d.settings.writeStats()
	return nil
}

//export go_pairs
func go_pairs(kind int32, q *float64, n uintptr, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	return statusOf(pairs(geom.Kind(kind), q, n, o, (*geom.Impact)(out)))
}

func pairs(kind geom.Kind, q *float64, n uintptr, o unsafe.Pointer, out *geom.Impact) error {
	var s settings
	if err := s.readFor(kind, o); err != nil {
		return err
	}
	queries, err := view("q", q, "n", n, kind.Len())
	if err != nil {
		return err
	}
	impacts, err := view("out", out, "n", n, 1)
	if err != nil {
		return err
	}
	if err := narrow.Queries(kind, queries, &s.narrow, &s.call, impacts); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}
