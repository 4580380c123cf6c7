package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/reference/volccd"
	"ccd/core/volume"
)

// volumes is a goroutine that compares steps of random volumes, edited at random, with brute force.
type volumes struct {
	seeded
	scenes, steps, contacts atomic.Int64
	exact                   atomic.Int64 // small scenes that were tested against the laws in exact arithmetic
}

// step tests one volume over some edits and steps.
func (w *volumes) step() {
	seed := w.seed()
	w.scenes.Add(1)
	w.test(seed, fmt.Sprintf("ccdtest.RandomVolume(%d)", seed), func() error { return w.follow(seed) })
	if seed%4 == 0 {
		w.test(seed, fmt.Sprintf("ccdtest.NewVolumeCase(%d)", seed), func() error { return w.smallScene(seed) })
	}
}

// smallScene tests the tree and [Tang2011] against the laws on a case of each family in turn.
func (w *volumes) smallScene(seed uint64) (err error) {
	w.exact.Add(1)
	c := ccdtest.NewVolumeCase(&ccdtest.VolumeFamilies[seed/4%uint64(len(ccdtest.VolumeFamilies))], seed)
	truth := ccdtest.NewVolumeTruth(&c)
	for _, search := range []volume.Search{nil, volccd.Options{}} {
		for _, broken := range ccdtest.CheckVolume(&c, truth,
			func(c *ccdtest.VolumeCase, threads int) ([]ccdtest.VolumeContact, ccdtest.VolumeContact, error) {
				return solveVolume(c, threads, search)
			}) {
			err = errors.Join(err, fmt.Errorf("%v, search %#v: %w", &c, search, broken))
		}
	}
	return err
}

// solveVolume runs a search, in the form of the laws.
func solveVolume(c *ccdtest.VolumeCase, threads int, search volume.Search) (all []ccdtest.VolumeContact,
	first ccdtest.VolumeContact, err error) {
	converted := func(x *volume.Contact) ccdtest.VolumeContact {
		return ccdtest.VolumeContact{Impact: x.Impact, Vertices: x.Vertices, Class: uint32(x.Class)}
	}
	s, o := volume.New(c.Volume), volume.DefaultOptions()
	o.Classes, o.Threads, o.MinSeparation, o.TMax, o.Search = volume.AllClasses, threads, c.D, c.TMax, search
	o.Flags = narrow.MaxNorm // the norm of the truth
	list, err := s.Collisions(c.X0, c.X1, &o)
	if err != nil {
		return nil, first, err
	}
	for i := range list {
		all = append(all, converted(&list[i]))
	}
	e, err := s.Earliest(c.X0, c.X1, &o)
	return all, converted(&e), err
}

func (w *volumes) follow(seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 11))
	x := ccdtest.RandomVolume(seed)
	v, err := x.Cells.Volume()
	if err != nil {
		return err
	}
	s := volume.New(v)
	x0, x1 := x.X0, x.X1
	for step := range 6 {
		o := volume.DefaultOptions()
		o.Classes, o.Surface = volume.Class(r.IntN(16)), r.IntN(4) == 0
		o.Threads = 1 + r.IntN(3)
		if r.IntN(4) == 0 {
			o.MinSeparation = r.Float64() * 0.1
		}
		paper := volccd.Options{
			Sides: []int{6, 16, 18, 26}[r.IntN(4)], Assignment: volccd.Assignment(r.IntN(2)),
			Axes: volccd.Axes(r.IntN(4)),
		}
		for _, o.Search = range []volume.Search{nil, paper} {
			if err := w.compare(s, x0, x1, o); err != nil {
				return fmt.Errorf("step %d, search %#v: %w", step, o.Search, err)
			}
		}
		for range r.IntN(4) {
			_ = s.Edit(func(v *mesh.Volume) error { return ccdtest.RandomEdit(r, v, true) }) // some are refused
		}
		x0, x1 = ccdtest.Follow(r, v, x0, x1)
	}
	return nil
}

func (w *volumes) compare(s *volume.Scene, x0, x1 []float64, o volume.Options) error {
	got, err := s.Collisions(x0, x1, &o)
	if err != nil {
		return err
	}
	first, err := s.Earliest(x0, x1, &o)
	if err != nil {
		return err
	}
	o.Flags |= narrow.BruteForce
	want, err := s.Collisions(x0, x1, &o)
	if err != nil {
		return err
	}
	w.steps.Add(1)
	w.contacts.Add(int64(len(want)))
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("contact %d is %+v, by brute force %+v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d contacts, by brute force %d", len(got), len(want))
	}
	if err := contactData(want, x0, x1, &o.Options); err != nil {
		return err
	}
	if len(want) > 0 && first != want[0] || len(want) == 0 && first.Verdict != geom.Separate {
		return fmt.Errorf("the earliest is %+v of %d", first, len(want))
	}
	return nil
}

// contactData holds the contacts, or some 50 of many, to law 9.
func contactData(list []volume.Contact, x0, x1 []float64, o *narrow.Options) error {
	for i := 0; i < len(list); i += 1 + len(list)/50 {
		c := &list[i]
		var q []float64
		for _, x := range [2][]float64{x0, x1} {
			for _, v := range c.Vertices {
				q = append(q, x[3*v:3*v+3]...)
			}
		}
		if err := ccdtest.CheckContact(q, o, &c.Impact, ccdtest.Promise{Exact: o.Unique()}); err != nil {
			return fmt.Errorf("contact %+v: %w", *c, err)
		}
	}
	return nil
}

func (w *volumes) print() {
	fmt.Printf("volumes: %d scenes, %d steps, %d contacts, %d small scenes in exact arithmetic, %d differ from "+
		"brute force or the oracle\n",
		w.scenes.Load(), w.steps.Load(), w.contacts.Load(), w.exact.Load(), w.wrong.Load())
}
