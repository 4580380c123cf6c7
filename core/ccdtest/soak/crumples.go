package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/patch"
)

// crumples is a goroutine that compares sheets of patches that meet themselves with the exact
// method.
type crumples struct {
	seeded
	scene              patch.Scene
	sheets, met, agree atomic.Int64
}

// step looks at one sheet.
func (w *crumples) step() {
	seed := w.seed()
	w.sheets.Add(1)
	r := rand.New(rand.NewPCG(seed, 12))
	o := patch.DefaultOptions()
	o.Tolerance = math.Pow(10, -4-6*r.Float64())
	o.MaxIterations = 20000
	if r.IntN(4) == 0 {
		o.MinSeparation = 0.01 * r.Float64()
	}
	width := math.Ldexp(1, -2-r.IntN(8))
	var v ccdtest.SelfVerdict
	made := fmt.Sprintf("ccdtest.RandomCrumple(%d), neighbourhood %v, %+v", seed, width, o.Options)
	if !w.test(seed, made, func() (err error) {
		v, err = ccdtest.RandomCrumple(seed).CheckSelf(&w.scene, width, &o)
		return err
	}) {
		return
	}
	if v.Exact <= 1 {
		w.met.Add(1)
	}
	if v.Impact.Verdict == geom.Contact && v.Exact <= 1 || v.Impact.Verdict == geom.Separate && v.Exact > 1 {
		w.agree.Add(1)
	}
}

func (w *crumples) print() {
	fmt.Printf("patches against themselves: %d sheets, %d meet exactly, %d verdicts agree, %d are wrong\n",
		w.sheets.Load(), w.met.Load(),
		w.agree.Load(), w.wrong.Load())
}
