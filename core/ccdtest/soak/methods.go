package main

import (
	"fmt"
	"math"

	"ccd/core/ccdtest"
	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// entry is one method with the options it is run under.
type entry struct {
	name    string
	exactly func(c *ccdtest.Case) bool                       // whether the result must be exact
	open    func() (ccdtest.Method, func() map[string]int64) // a method and its counts of queries by stage
	change  func(*narrow.Options)
	takes   func(c *ccdtest.Case) bool // nil: every case

	rounding func(k geom.Kind, q []float64, o *narrow.Options) float64 // see ccdtest.Promise
	patches  bool                                                      // the same
}

func none() map[string]int64 { return nil }

func always(*ccdtest.Case) bool { return true }

// methods lists what is soaked. A combination that narrow does not support is left out.
func methods() (list []entry) {
	list = []entry{
		{name: "exact", exactly: always, open: openResolver, takes: func(c *ccdtest.Case) bool { return c.D == 0 }},
		{name: "exact-separation", exactly: always, open: openSeparation,
			change: func(o *narrow.Options) { o.Flags = narrow.MaxNorm }},
		{name: "exact-euclidean", exactly: always,
			// Its oracle is slow.
			takes:  func(c *ccdtest.Case) bool { return c.D > 0 && math.Float64bits(c.Q[0])%16 == 0 },
			open:   func() (ccdtest.Method, func() map[string]int64) { return narrow.NewSolver().Solve, none },
			change: func(o *narrow.Options) { o.Method = narrow.Exact }},
		{name: "patches", exactly: func(*ccdtest.Case) bool { return false },
			open:     func() (ccdtest.Method, func() map[string]int64) { return ccdtest.Patches(), none },
			rounding: ccdtest.PatchRounding,
			patches:  true},
		{name: "patches-nozero", exactly: func(*ccdtest.Case) bool { return false },
			open:     func() (ccdtest.Method, func() map[string]int64) { return ccdtest.Patches(), none },
			rounding: ccdtest.PatchRounding,
			change:   func(o *narrow.Options) { o.Flags = narrow.MaxNorm | narrow.NoZeroTOI }, patches: true},
	}
	for _, v := range []struct {
		name   string
		method narrow.Method
		flags  uint32
	}{
		{"default", narrow.Default, narrow.MaxNorm},
		{"exact-method", narrow.Exact, narrow.MaxNorm},
		{"contracted", narrow.TimeContracted, narrow.MaxNorm},
		{"contracted-nozero", narrow.TimeContracted, narrow.MaxNorm | narrow.NoZeroTOI},
		{"contracted-euclidean", narrow.TimeContracted, 0},
		{"tight", narrow.TightInclusion, narrow.MaxNorm},
		{"tight-nozero", narrow.TightInclusion, narrow.MaxNorm | narrow.NoZeroTOI},
		{"tight-euclidean", narrow.TightInclusion, 0},
	} {
		o := narrow.DefaultOptions()
		o.Method, o.Flags = v.method, v.flags
		if o.Supported(geom.VertexFace) != nil {
			continue
		}
		list = append(list, entry{
			name: v.name,
			exactly: func(c *ccdtest.Case) bool {
				return v.method == narrow.Exact || v.method == narrow.Default && c.D == 0
			},
			open:   func() (ccdtest.Method, func() map[string]int64) { return narrow.NewSolver().Solve, none },
			change: func(o *narrow.Options) { o.Method, o.Flags = v.method, v.flags },
		})
	}
	return list
}

func openResolver() (ccdtest.Method, func() map[string]int64) {
	r := new(exact.Resolver)
	answer := func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) { r.Resolve(k, q, o.TMax, out) }
	return answer, func() map[string]int64 {
		m := map[string]int64{}
		for s := range exact.Stages {
			m[fmt.Sprint(s)] = r.Stats.Separate[s] + r.Stats.Contact[s]
		}
		return m
	}
}

func openSeparation() (ccdtest.Method, func() map[string]int64) {
	r := new(clearance.SeparationResolver)
	answer := func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
		r.Resolve(k, q, o.MinSeparation, o.TMax, out)
	}
	return answer, func() map[string]int64 {
		s := &r.Stats
		return map[string]int64{"axes": s.Axes, "floats": s.Floats, "doubles": s.Doubles, "wide": s.Wide}
	}
}
