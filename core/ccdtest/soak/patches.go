package main

import (
	"fmt"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/patch"
)

// patches is a goroutine that checks the contact data of curved patches, law 9: pairs by every
// method, bodies, and bodies against themselves.
type patches struct {
	seeded
	solver                  patch.Solver
	scene                   patch.Scene
	pairs, scenes, contacts atomic.Int64
}

// step checks one pair, and now and then a scene.
func (w *patches) step() {
	seed := w.seed()
	if seed%64 == 0 {
		w.test(seed, fmt.Sprintf("ccdtest.RandomPatchScene(%d)", seed), func() error { return w.bodies(seed) })
		return
	}
	w.test(seed, fmt.Sprintf("ccdtest.RandomPatchPair(%d)", seed), func() error { return w.pair(seed) })
}

func (w *patches) pair(seed uint64) error {
	w.pairs.Add(1)
	im, err := ccdtest.RandomPatchPair(seed).Check(&w.solver)
	if im.Verdict == geom.Contact {
		w.contacts.Add(1)
	}
	return err
}

func (w *patches) bodies(seed uint64) error {
	w.scenes.Add(1)
	n, err := ccdtest.RandomPatchScene(seed).Check(&w.scene)
	w.contacts.Add(int64(n))
	return err
}

func (w *patches) print() {
	fmt.Printf("contact data of patches: %d pairs, %d scenes, %d contacts, %d are wrong\n", w.pairs.Load(),
		w.scenes.Load(), w.contacts.Load(),
		w.wrong.Load())
}
