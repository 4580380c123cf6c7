package main

// #include "internal.h"
import "C"

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/narrow"
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
func go_pair_intervals(kind int32, q *float64, o unsafe.Pointer, dst unsafe.Pointer, room uintptr,
	count *uintptr) status {
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
		err = listed(out, func() ([]geom.Interval, error) {
			return narrow.QueryIntervals(k, queries, &s.narrow, &s.call)
		})
		if err != nil {
			return invalid(err)
		}
		s.writeStats()
		return nil
	})
}
