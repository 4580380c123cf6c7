package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/patch"
)

// crumples is a goroutine that compares sheets of patches that meet themselves with the exact method.
type crumples struct {
	dir                       string
	next                      uint64 // seed
	scene                     patch.Scene
	sheets, met, agree, wrong atomic.Int64
}

// step looks at one sheet. A difference is noted by its seed, which makes it again.
func (w *crumples) step() {
	seed := w.next
	w.next++
	w.sheets.Add(1)
	r := rand.New(rand.NewPCG(seed, 12))
	o := patch.DefaultOptions()
	o.Tolerance = math.Pow(10, -4-6*r.Float64())
	o.MaxBoxes = 20000
	if r.IntN(4) == 0 {
		o.MinSeparation = 0.01 * r.Float64()
	}
	width := math.Ldexp(1, -2-r.IntN(8))
	v, err := w.check(seed, width, &o)
	if err != nil {
		w.wrong.Add(1)
		text := fmt.Sprintf("ccdtest.RandomCrumple(%d), neighbourhood %v, %+v: %v\n", seed, width, o.Options, err)
		fmt.Print(text)
		if err := os.WriteFile(filepath.Join(w.dir, fmt.Sprintf("crumple-%d.txt", seed)), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	if v.Exact <= 1 {
		w.met.Add(1)
	}
	if v.Impact.Verdict == geom.Contact && v.Exact <= 1 || v.Impact.Verdict == geom.Separate && v.Exact > 1 {
		w.agree.Add(1)
	}
}

func (w *crumples) check(seed uint64, width float64, o *patch.Options) (v ccdtest.SelfVerdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return ccdtest.RandomCrumple(seed).CheckSelf(&w.scene, width, o)
}

func (w *crumples) print() {
	fmt.Printf("patches against themselves: %d sheets, %d meet exactly, %d verdicts agree, %d are wrong\n", w.sheets.Load(), w.met.Load(),
		w.agree.Load(), w.wrong.Load())
}
