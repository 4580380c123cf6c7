package step

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/simd"
)

// same fails the test unless Collisions and Earliest under o give want, bit for bit.
func same(t *testing.T, label string, s *scene, o *Options, want []geom.Impact) {
	t.Helper()
	got, err := Collisions(s.m, s.x0, s.x1, o)
	// Else the limit may be too small for a list.
	fits := o.MemoryLimit == 0 || len(want)*listedBytes < engine.LeastResults/2
	if err != nil && (fits || !errors.Is(err, status.ErrMemory)) {
		t.Fatalf("%s: %v", label, err)
	}
	if err == nil && !slices.Equal(got, want) {
		t.Errorf("%s: %d impacts, want %d", label, len(got), len(want))
	}
	if got = visited(t, label, s, o); !slices.Equal(got, want) {
		t.Errorf("%s: %d impacts were visited, want %d", label, len(got), len(want))
	}
	first, err := Earliest(s.m, s.x0, s.x1, o)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	if len(want) > 0 && first != want[0] || len(want) == 0 && first.Verdict != geom.Separate {
		t.Errorf("%s: earliest is %+v", label, first)
	}
	sameFirstImpacts(t, label, Straight(s.m, s.x0, s.x1), o, want)
}

// visited is what a visitor gets, in the order of impacts.
func visited(t *testing.T, label string, s *scene, o *Options) (all []geom.Impact) {
	t.Helper()
	err := Visit(s.m, s.x0, s.x1, o, func(batch []geom.Impact) bool {
		if len(batch) < 1 || len(batch) > visitBatch {
			t.Errorf("%s: a batch of %d", label, len(batch))
		}
		all = append(all, batch...)
		return false
	})
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	slices.SortFunc(all, func(x, y geom.Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	return all
}

// everyScene is the small scenes and, where the data is, the smallest real one.
func everyScene(t *testing.T) []scene {
	return append(scenes(t), dataScenes[0].loadOrMake(t))
}

// alongAxis is the region between two planes.
func alongAxis(axis int, lo, hi float64) *Region {
	inf := math.Inf(1)
	r := Region{Lo: [3]float64{-inf, -inf, -inf}, Hi: [3]float64{inf, inf, inf}}
	r.Lo[axis], r.Hi[axis] = lo, hi
	return &r
}

// everywhere is the region of all pairs.
func everywhere() *Region { return alongAxis(0, math.Inf(-1), math.Inf(1)) }

// slabsOf returns n regions with about the same number of primitives, along one axis.
func slabsOf(t *testing.T, m *mesh.Mesh, x0, x1 []float64, n int) (regions []Region) {
	t.Helper()
	var mo geom.Trajectories
	if err := m.Load(&mo, x0, x1); err != nil {
		t.Fatal(err)
	}
	for _, s := range broad.Slabs(m, &mo, n) {
		regions = append(regions, *alongAxis(s.Axis, s.Lo, s.Hi))
	}
	return regions
}

// Any number of regions along an axis: each impact is found in one of them, and together they are
// those of the whole.
func TestSlabsPartThePairs(t *testing.T) {
	for _, s := range everyScene(t) {
		for _, d := range []float64{0, 1e-3 * s.size()} {
			o := DefaultOptions()
			o.MinSeparation, o.MaxIterations = d, 2000
			want, err := Collisions(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{1, 2, 7, 64} {
				slabs := slabsOf(t, s.m, s.x0, s.x1, n)
				if len(slabs) != n {
					t.Fatalf("%d regions in place of %d", len(slabs), n)
				}
				var all []geom.Impact
				var least geom.Impact
				least.SetSeparate(0)
				for i := range slabs {
					o.Region = &slabs[i]
					part, err := Collisions(s.m, s.x0, s.x1, &o)
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, part...)
					first, err := Earliest(s.m, s.x0, s.x1, &o)
					if err != nil {
						t.Fatal(err)
					}
					if first.Before(&least) {
						least = first
					}
				}
				o.Region = nil
				slices.SortFunc(all, compare)
				label := fmt.Sprintf("%s, separation %v, %d slabs", s.name, d, n)
				if !slices.Equal(all, want) {
					t.Errorf("%s: %d impacts, want %d", label, len(all), len(want))
				}
				if len(want) > 0 && least != want[0] {
					t.Errorf("%s: earliest is %+v, want %+v", label, least, want[0])
				}
			}
		}
	}
}

// The memory limit, however small, changes no bit; nor do the level of the kernels, given
// candidates, and brute force.
func TestStepLaw7WhateverTheRoute(t *testing.T) {
	for at, s := range everyScene(t) {
		for i, d := range []float64{0, 1e-3 * s.size()} {
			if !long.On() && i != at%2 {
				continue
			}
			plain := DefaultOptions()
			plain.MinSeparation, plain.MaxIterations = d, 2000
			want, err := Collisions(s.m, s.x0, s.x1, &plain)
			if err != nil {
				t.Fatal(err)
			}
			label := fmt.Sprintf("%s, separation %v", s.name, d)
			for _, limit := range []uint64{1, 1 << 20, 1 << 22} {
				o := plain
				o.MemoryLimit = limit
				same(t, fmt.Sprint(label, ", memory limit ", limit), &s, &o, want)
			}
			for _, level := range simd.Levels() {
				restore, err := simd.Force(level)
				if err != nil {
					t.Fatal(err)
				}
				same(t, label+", "+level, &s, &plain, want)
				restore()
			}
			o := plain
			if o.Candidates, err = broad.Sweep(s.m, s.motion(t), broad.Options{MinSeparation: d}); err != nil {
				t.Fatal(err)
			}
			same(t, label+", given candidates", &s, &o, want)
			if s.name != "cloth-funnel" {
				o = plain
				o.Flags |= narrow.BruteForce
				same(t, label+", brute force", &s, &o, want)
			}
		}
	}
}

// The candidates of a whole step serve for every shorter one.
func TestCandidatesServeALineSearch(t *testing.T) {
	for _, s := range everyScene(t) {
		c, err := broad.Sweep(s.m, s.motion(t), broad.Options{MinSeparation: 1e-2 * s.size()})
		if err != nil {
			t.Fatal(err)
		}
		for _, alpha := range []float64{0, 0.25, 0.7} {
			short := s
			short.x1 = slices.Clone(s.x1)
			for i := range short.x1 {
				short.x1[i] = s.x0[i] + alpha*(s.x1[i]-s.x0[i])
			}
			o := DefaultOptions()
			o.MinSeparation, o.MaxIterations = 1e-3*s.size(), 2000
			want, err := Collisions(short.m, short.x0, short.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			o.Candidates = c
			same(t, fmt.Sprint(s.name, ", alpha ", alpha), &short, &o, want)
		}
	}
}

// compare orders impacts as every list of them is ordered.
func compare(x, y geom.Impact) int {
	switch {
	case x.Before(&y):
		return -1
	case y.Before(&x):
		return 1
	}
	return 0
}
