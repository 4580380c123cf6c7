package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/step"
)

// readIntervals reads the options of a call for intervals of contact of bare pairs, and the kind.
func (s *settings) readIntervals(kind int32, o unsafe.Pointer) (geom.Kind, error) {
	k, err := kindOf(kind)
	if err != nil {
		return 0, err
	}
	if err := s.read(&intervalCalls, o); err != nil {
		return 0, err
	}
	return k, s.narrow.HasIntervals()
}

//export go_pair_intervals
func go_pair_intervals(kind int32, q *float64, o unsafe.Pointer, dst unsafe.Pointer, room uintptr, count *uintptr) status {
	return guard(func() error {
		d := desks.Get().(*desk)
		defer desks.Put(d)
		k, err := d.settings.readIntervals(kind, o)
		if err != nil {
			return err
		}
		if q == nil {
			return null("q")
		}
		query := unsafe.Slice(q, k.Len())
		if err := narrow.CheckQuery(k, query, &d.settings.narrow); err != nil {
			return invalid(err)
		}
		var few [4]geom.Interval
		list := d.solver.Intervals(k, query, &d.settings.narrow, few[:0])
		counted := &d.settings.counted
		counted.Threads = 1
		counted.Candidates[k-1] = 1
		counted.Count(len(list) > 0, false)
		d.settings.writeStats()
		return copyOut((*geom.Interval)(dst), room, count, list, same)
	})
}

//export go_pairs_intervals
func go_pairs_intervals(kind int32, q *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return guard(func() error {
		var s settings
		k, err := s.readIntervals(kind, o)
		if err != nil {
			return err
		}
		queries, err := view("q", q, "n", n, k.Len())
		if err != nil {
			return err
		}
		err = listed(out, func() ([]geom.Interval, error) { return narrow.QueryIntervals(k, queries, &s.narrow, &s.call) })
		if err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}

//export go_step_intervals
func go_step_intervals(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return intervalsOf(m, x0, x1, n, o, out, func(a, b []float64, o *step.Options) ([]geom.Interval, error) {
			return step.Intervals(m, a, b, o)
		})
	})
}

//export go_candidates_intervals
func go_candidates_intervals(h uintptr, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr) status {
	return with("candidates", h, func(known *broad.Candidates) error {
		m := known.Mesh()
		return intervalsOf(m, x0, x1, n, o, out, func(a, b []float64, o *step.Options) ([]geom.Interval, error) {
			if err := known.ValidFor(m, o.MinSeparation, m.Filter().Radii()); err != nil {
				return nil, err
			}
			o.Candidates = known
			return step.Intervals(m, a, b, o)
		})
	})
}

//export go_step_pairs_intervals
func go_step_pairs_intervals(h uintptr, x0, x1 *float64, n uintptr, kind int32, pairs unsafe.Pointer, count uintptr, o unsafe.Pointer, out *uintptr) status {
	return with("mesh", h, func(m *mesh.Mesh) error {
		return intervalsOf(m, x0, x1, n, o, out, func(a, b []float64, o *step.Options) ([]geom.Interval, error) {
			k, err := kindOf(kind)
			if err != nil {
				return nil, err
			}
			given, err := view("pairs", (*[2]int64)(pairs), "count", count, 1)
			if err != nil {
				return nil, err
			}
			return step.PairIntervals(m, a, b, k, given, o)
		})
	})
}

// intervalsOf checks the shared arguments of a call for the intervals of a step and runs it.
func intervalsOf(m *mesh.Mesh, x0, x1 *float64, n uintptr, o unsafe.Pointer, out *uintptr,
	call func(a, b []float64, o *step.Options) ([]geom.Interval, error)) error {
	var s settings
	if err := s.read(&intervalCalls, o); err != nil {
		return err
	}
	a, b, err := vertices(m, x0, x1, n)
	if err != nil {
		return err
	}
	options := step.Options{Options: s.narrow, CallOptions: s.call}
	if err := listed(out, func() ([]geom.Interval, error) { return call(a, b, &options) }); err != nil {
		return invalid(err)
	}
	s.writeStats()
	return nil
}
