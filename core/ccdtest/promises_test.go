package ccdtest_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/boxed"
)

// A promise is a row of the table "What each call promises" of docs/numerics.md.
type promise struct {
	name   string
	new    func() ccdtest.Method
	exact  bool // contact means d, not d and the tolerance
	beyond bool // the distance exceeds d at toi_lo itself
	proven bool // the flag of an initial contact: the distance at 0 is at most d, proven; else contact at 0
}

func narrowBy(m narrow.Method) func() ccdtest.Method {
	return func() ccdtest.Method {
		var s narrow.Solver
		return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
			with := *o
			with.Method, with.MaxIterations = m, min(o.MaxIterations, 4000)
			s.Solve(k, q, &with, out)
		}
	}
}

// TestPromisesAtTOILo: with distances of 512 bits, what each call keeps at toi_lo, and what a
// contact at the start means.
func TestPromisesAtTOILo(t *testing.T) {
	for i, p := range []promise{
		{"exact", narrowBy(narrow.Exact), true, false, true},
		{"tight inclusion", narrowBy(narrow.TightInclusion), false, false, true},
		{"time-contracted", narrowBy(narrow.TimeContracted), false, false, true},
		{"patches", asPatches(nil), false, true, false},
		{"patches, time-contracted", asPatches(boxed.Options{}), false, true, false},
		{"patches, tight inclusion", asPatches(boxed.Options{Traditional: true}), false, true, false},
	} {
		method, times, starts := p.new(), 0, 0
		for f, fam := range ccdtest.Families {
			if fam.Exponents {
				continue
			}
			r := ccdtest.NewRand(uint64(81+i), uint64(f))
			for n := range 64 {
				c := fam.Make(r, geom.Kind(1+n%4), n/4%2 == 1)
				o := c.Options()
				var im geom.Impact
				method(c.Kind, c.Q, &o, &im)
				if err := p.check(&c, &im); err != nil {
					t.Errorf("%s: %v: %+v\n%v", p.name, err, im, &c)
				}
				if im.TOILo > 0 && im.Verdict != geom.Separate {
					times++
				} else if im.Verdict == geom.Contact {
					starts++
				}
			}
		}
		t.Logf("%s: %d impacts, %d starts in contact", p.name, times, starts)
		if times < 100 || starts < 50 {
			t.Errorf("%s: %d impacts, %d starts in contact", p.name, times, starts)
		}
	}
}

// check compares the distances at toi_lo and at the start with what is promised.
func (p *promise) check(c *ccdtest.Case, im *geom.Impact) error {
	d := new(big.Float).SetPrec(512).SetFloat64(c.D)
	d.Mul(d, d)
	start := ccdtest.DistanceSquared(c.Kind, c.Q, 0)
	within := start.Cmp(d) <= 0
	initial := im.Flags&geom.InitialContact != 0
	switch {
	case im.Verdict == geom.Separate:
		if within {
			return errors.New("separate, within d at the start")
		}
		return nil
	case im.TOILo > 0:
		kept := ccdtest.DistanceSquared(c.Kind, c.Q, im.TOILo).Cmp(d)
		if within || initial || kept < 0 || p.beyond && kept == 0 {
			return fmt.Errorf("the distance compares as %d with d at toi_lo, within d at the start: %v", kept, within)
		}
		return nil
	case im.Verdict != geom.Contact:
		return nil
	}
	far, _ := start.Float64()
	reach := c.D
	if !p.exact {
		// Without a separation some measure the tolerance in the max norm.
		reach += float64(c.Delta*math.Sqrt(3)) + float64(1e-13*size(c.Q))
	}
	later := p.exact && !within // contact so soon that toi_lo is 0
	if initial && p.proven && !within || !initial && (p.exact && within || !p.proven) ||
		!later && math.Sqrt(far) > reach*(1+1e-15) {
		return fmt.Errorf("contact at 0, the flag of an initial contact: %v, at a distance of %v", initial,
			math.Sqrt(far))
	}
	return nil
}

func size(q []float64) (m float64) {
	for _, x := range q {
		m = max(m, math.Abs(x))
	}
	return m
}
