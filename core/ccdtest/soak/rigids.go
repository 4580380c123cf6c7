package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// rigidCases is a goroutine that tests the laws for two rigid bodies, and for one over a mesh that
// deforms. It also compares scenes of many bodies with their single pairs.
type rigidCases struct {
	seeded
	method                             rigids.Method
	cases, scenes, contacts, undecided atomic.Int64
}

// step tests one case, or one scene.
func (w *rigidCases) step() {
	seed := w.seed()
	if !w.test(seed, fmt.Sprintf("rigid seed %d", seed), func() error { return w.follow(seed) }) {
		w.method = rigids.Method{} // a panic may have left it half done
	}
}

func (w *rigidCases) follow(seed uint64) error {
	r := ccdtest.NewRand(seed, 13)
	if seed%32 == 0 {
		return w.scene(r)
	}
	w.cases.Add(1)
	c := rigids.Make(r, rigids.Families[r.IntN(len(rigids.Families))], r.IntN(2) == 0)
	if r.IntN(4) == 0 { // triangles that touch, slide and lie in one plane
		raw := make([]byte, 24+r.IntN(24))
		for i := range raw {
			raw[i] = byte(r.IntN(17) - 8)
		}
		c = rigids.FromBytes(raw, uint8(r.IntN(96)))
	}
	switch r.IntN(8) {
	case 0:
		c.O.MaxIterations = int64(1 + r.IntN(100))
	case 1:
		c.O.Search, c.O.MaxIterations, c.O.Flags = rigids.D2M, 100000, 0
	}
	im, err := w.method.Solve(c)
	if err != nil {
		return fmt.Errorf("%w\n%v", err, c)
	}
	switch im.Verdict {
	case geom.Contact:
		w.contacts.Add(1)
	case geom.Undecided:
		w.undecided.Add(1)
	}
	broken := c.Check(&im)
	if r.IntN(4) == 0 && c.Family != "bytes" {
		if err := w.method.Laws6And7(c, &im, r.IntN(40)-20, r.IntN(20)-10); err != nil {
			broken = append(broken, err)
		}
	}
	if len(broken) > 0 {
		return fmt.Errorf("%v\n%v", broken, c)
	}
	return nil
}

// scene compares many bodies with their pairs.
func (w *rigidCases) scene(r *rand.Rand) error {
	w.scenes.Add(1)
	var s rigid.Scene
	var o rigid.Options
	var solids []rigids.Solid
	for range 2 + r.IntN(12) {
		c := rigids.Make(r, rigids.Families[r.IntN(3)], false)
		b, err := rigids.Body(c.A)
		if err != nil {
			return err
		}
		c.MB.Position.X += float64(3 * r.Float64())
		solids, s.Bodies, s.Motions, o = append(solids, c.A), append(s.Bodies, b), append(s.Motions, c.MB), c.O
	}
	var want []rigid.SceneImpact
	var solver rigid.Solver
	for a := range s.Bodies {
		for b := a + 1; b < len(s.Bodies); b++ {
			im := rigid.SceneImpact{A: int64(a), B: int64(b)}
			if err := solver.Earliest(s.Bodies[a], s.Bodies[b], &s.Motions[a], &s.Motions[b], &o, &im.Impact); err !=
				nil {
				return err
			}
			pair := rigids.Case{Family: "scene", A: solids[a], B: solids[b], MA: s.Motions[a], MB: s.Motions[b], O: o}
			if broken := pair.Check(&im.Impact); len(broken) > 0 {
				return fmt.Errorf("%v\n%v", broken, &pair)
			}
			if im.Verdict != geom.Separate {
				want = append(want, im)
			}
		}
	}
	s.Threads = 1 + r.IntN(3)
	got, err := s.Collisions(&o)
	if err != nil {
		return err
	}
	first, err := s.Earliest(&o)
	if err != nil {
		return err
	}
	if len(got) != len(want) || len(got) > 0 && first != got[0] || len(got) == 0 && first.Verdict != geom.Separate {
		return fmt.Errorf("%d contacts and the earliest %+v, one by one %d: %+v", len(got), first, len(want), s.Motions)
	}
	for _, im := range want {
		if !slices.Contains(got, im) {
			return fmt.Errorf("%+v is not among %+v: %+v", im, got, s.Motions)
		}
	}
	return nil
}

func (w *rigidCases) print() {
	fmt.Printf("rigid bodies: %d cases, %d contacts, %d open, %d scenes; %d broken\n", w.cases.Load(),
		w.contacts.Load(), w.undecided.Load(),
		w.scenes.Load(), w.wrong.Load())
}
