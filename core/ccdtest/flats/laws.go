package flats

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/proximity"
	"ccd/core/reference/oracle"
	"ccd/core/step"
)

// Counts is what checks have seen.
type Counts struct{ Impacts, Compared, Apart int }

// Check holds the calls of a step to their laws on the scene. r chooses the pairs that are compared
// with the exact oracles.
func (s *Scene) Check(r *rand.Rand, c *Counts) error {
	check := s.checkPlain
	if s.Paths != nil {
		check = s.checkPaths
	}
	if err := check(r, c); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}

// pairs are all that the mesh allows, in the order of impacts.
func (s *Scene) pairs() (list []pair, err error) {
	mo, err := geom.NewTrajectories(s.X0, s.X1)
	if err != nil {
		return nil, err
	}
	all, err := broad.BruteForce(s.Mesh, mo, broad.Options{MinSeparation: 8})
	if err != nil {
		return nil, err
	}
	for _, k := range geom.StepKinds {
		for _, p := range all.Of(k) {
			list = append(list, pair{k, p[0], p[1]})
		}
	}
	return list, nil
}

// checkPlain: the list is that of all pairs by themselves, some of which are compared with the
// oracles; the earliest is its first; each pair's first interval begins at its toi_lo (T2); the
// positions of sizes obey law S1; the least distance obeys D1 to D5.
func (s *Scene) checkPlain(r *rand.Rand, c *Counts) error {
	list, err := step.Collisions(s.Mesh, s.X0, s.X1, s.options(1))
	if err != nil {
		return err
	}
	c.Impacts += len(list)
	brute := s.options(2)
	brute.Flags |= narrow.BruteForce
	if all, err := step.Collisions(s.Mesh, s.X0, s.X1, brute); err != nil || !slices.Equal(all, list) {
		return fmt.Errorf("%d impacts, by brute force %d, or others: %w", len(list), len(all), err)
	}
	if err := s.checkFirst(list, func() (geom.Impact, error) {
		return step.Earliest(s.Mesh, s.X0, s.X1, s.options(2))
	}); err != nil {
		return err
	}
	if err := s.checkOracle(r, list, c); err != nil {
		return err
	}
	intervals, err := step.Intervals(s.Mesh, s.X0, s.X1, s.options(2))
	if err != nil {
		return err
	}
	first := map[pair]float64{}
	for i := range intervals {
		p := pair{intervals[i].Kind, int32(intervals[i].A), int32(intervals[i].B)}
		if _, later := first[p]; !later {
			first[p] = intervals[i].Enter
		}
	}
	for i := range list {
		if t, ok := first[pair{list[i].Kind, int32(list[i].A), int32(list[i].B)}]; !ok || t != list[i].TOILo ||
			len(first) != len(list) {
			return fmt.Errorf("T2: %d pairs have intervals, %d impacts; the first interval of %+v begins at %v",
				len(first), len(list), list[i], t)
		}
	}
	return s.checkDistances(c)
}

// checkFirst: the earliest impact is the first of all.
func (s *Scene) checkFirst(list []geom.Impact, earliest func() (geom.Impact, error)) error {
	im, err := earliest()
	switch {
	case err != nil:
		return err
	case len(list) == 0 && im.Verdict != geom.Separate, len(list) > 0 && im != list[0]:
		return fmt.Errorf("the earliest is %+v, the list has %d impacts", im, len(list))
	}
	return nil
}

// checkOracle: some pairs near each other have the times of the exact oracle.
func (s *Scene) checkOracle(r *rand.Rand, list []geom.Impact, c *Counts) error {
	all, err := s.pairs()
	if err != nil {
		return err
	}
	mo, err := geom.NewTrajectories(s.X0, s.X1)
	if err != nil {
		return err
	}
	for range 6 {
		p := all[r.IntN(len(all))]
		if len(list) > 0 && r.IntN(2) == 0 {
			im := &list[r.IntN(len(list))]
			p = pair{im.Kind, int32(im.A), int32(im.B)}
		}
		v := s.Mesh.Indices(p.kind, p.a, p.b)
		var q [24]float64
		mo.Query(p.kind, &v, &q)
		var want oracle.SeparationTruth
		switch n := p.kind.Len(); {
		case s.D == 0:
			touch := oracle.Contact(p.kind, q[:n]).Until(1)
			want = oracle.SeparationTruth{Contact: touch.Verdict == geom.Contact, Lo: touch.TOILo}
		case s.Flags&narrow.MaxNorm != 0:
			want = oracle.Separation(p.kind, q[:n], s.D, 1)
		default:
			want = oracle.EuclideanSeparation(p.kind, q[:n], s.D, 1)
		}
		at := slices.IndexFunc(list, func(im geom.Impact) bool { return pair{im.Kind, int32(im.A), int32(im.B)} == p })
		if c.Compared++; (at >= 0) != want.Contact || at >= 0 && list[at].TOILo != want.Lo {
			return fmt.Errorf("%+v: the oracle has %+v, the list of %d impacts has it at %d; q = %v", p, want,
				len(list), at, q[:p.kind.Len()])
		}
	}
	return nil
}

// checkDistances: sizes and the least distance.
func (s *Scene) checkDistances(c *Counts) error {
	so := step.DefaultSizesOptions()
	alpha, y := make([]float64, s.Mesh.NV), make([]float64, len(s.X0))
	if _, err := step.Sizes(s.Mesh, s.X0, s.X1, alpha, y, &so, s.options(2)); err != nil {
		return err
	}
	if err := ccdtest.CheckSizes(s.Mesh, s.X0, y, s.D, so.KeepRatio, s.Flags&narrow.MaxNorm == 0); err != nil {
		return err
	}
	o := s.options(2)
	o.Flags = 0
	d, err := step.LeastDistance(s.Mesh, s.X0, s.X1,
		func(bracket float64, call *engine.CallOptions) (geom.LeastDistance, error) {
			q := proximity.LeastQuery{Mesh: s.Mesh, X0: s.X0, X1: s.X1, TMax: 1, Bracket: bracket}
			return proximity.LeastDistance(&q, &proximity.Options{CallOptions: *call})
		}, o)
	if err != nil || d.Hi == 0 {
		return err
	}
	c.Apart++
	return ccdtest.CheckLeastStep(s.Mesh, s.X0, s.X1, 1, &d)
}

// checkPaths: the list of the motion is that of all pairs by themselves, and the earliest is its
// first.
func (s *Scene) checkPaths(_ *rand.Rand, c *Counts) error {
	list, err := step.Curved(s.Mesh, s.Paths).Collisions(s.options(1))
	if err != nil {
		return err
	}
	c.Impacts += len(list)
	if err := s.checkFirst(list, func() (geom.Impact, error) {
		return step.Curved(s.Mesh, s.Paths).Earliest(s.options(2))
	}); err != nil {
		return err
	}
	pairs, err := s.pairs()
	if err != nil {
		return err
	}
	var all []geom.Impact
	for _, k := range geom.StepKinds {
		var of [][2]int64
		for _, p := range pairs {
			if p.kind == k {
				of = append(of, [2]int64{int64(p.a), int64(p.b)})
			}
		}
		if len(of) == 0 {
			continue
		}
		one, err := step.Curved(s.Mesh, s.Paths).Pairs(k, of, s.options(2))
		if err != nil {
			return err
		}
		all = append(all, slices.DeleteFunc(one, func(im geom.Impact) bool { return im.Verdict == geom.Separate })...)
	}
	slices.SortFunc(all, func(x, y geom.Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	if c.Compared += len(all); !slices.Equal(all, list) {
		return fmt.Errorf("%d impacts, of all pairs by themselves %d, or others", len(list), len(all))
	}
	return nil
}
