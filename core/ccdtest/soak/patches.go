package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/patch"
)

// patches is a goroutine that checks the contact data of curved patches, law 9: pairs by every method, bodies, and bodies against themselves.
type patches struct {
	dir                            string
	next                           uint64 // seed
	solver                         patch.Solver
	scene                          patch.Scene
	pairs, scenes, contacts, wrong atomic.Int64
}

// step checks one pair, and now and then a scene. What is broken is noted by its seed, which makes it again.
func (w *patches) step() {
	seed := w.next
	w.next++
	name := fmt.Sprintf("ccdtest.RandomPatchPair(%d)", seed)
	check := w.pair
	if seed%64 == 0 {
		name = fmt.Sprintf("ccdtest.RandomPatchScene(%d)", seed)
		check = w.bodies
	}
	if err := guarded(func() error { return check(seed) }); err != nil {
		w.wrong.Add(1)
		text := fmt.Sprintf("%s: %v\n", name, err)
		fmt.Print(text)
		if err := os.WriteFile(filepath.Join(w.dir, fmt.Sprintf("patches-%d.txt", seed)), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
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

// guarded turns a panic into an error.
func guarded(check func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return check()
}

func (w *patches) print() {
	fmt.Printf("contact data of patches: %d pairs, %d scenes, %d contacts, %d are wrong\n", w.pairs.Load(), w.scenes.Load(), w.contacts.Load(),
		w.wrong.Load())
}
