package patch

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"ccd/core/num"
)

// bounds is the box of one patch over a step.
type bounds struct {
	lo, hi [3]float64
	patch  int32
}

// boxes returns the boxes of all patches over the step, grown by the error of their conversion and
// by the length by.
func (f *BodyStep) boxes(by float64) []bounds {
	out := make([]bounds, len(f.Body.patches))
	var p Patch
	for i := range out {
		x := &out[i]
		x.patch = int32(i)
		f.gather(i, &p)
		for k := range 3 {
			x.lo[k], x.hi[k] = math.Inf(1), math.Inf(-1)
		}
		for j := range p.X0 {
			k := j % 3
			x.lo[k], x.hi[k] = min(x.lo[k], p.X0[j], p.X1[j]), max(x.hi[k], p.X0[j], p.X1[j])
		}
		for k := range 3 {
			x.lo[k], x.hi[k] = num.SubDown(num.SubDown(x.lo[k], by), p.Err), num.AddUp(num.AddUp(x.hi[k], by), p.Err)
		}
	}
	return out
}

// sweep lists the pairs of boxes that meet, one of each list, along x.
func (s *Scene) sweep(a, b []bounds) {
	byLow := func(x, y bounds) int {
		return cmp.Or(cmp.Compare(x.lo[0], y.lo[0]), cmp.Compare(x.patch, y.patch))
	}
	b = reaching(b, a)
	a = reaching(a, b)
	slices.SortFunc(a, byLow)
	slices.SortFunc(b, byLow)
	for i, j := 0, 0; i < len(a) && j < len(b) && !s.call.Budget.Over(); {
		if a[i].lo[0] <= b[j].lo[0] { // Box a[i] begins first: it meets the boxes of b that begin before it ends.
			for k := j; k < len(b) && b[k].lo[0] <= a[i].hi[0]; k++ {
				if overlap(&a[i], &b[k]) {
					s.pair(a[i].patch, b[k].patch)
				}
			}
			i++
			continue
		}
		for k := i; k < len(a) && a[k].lo[0] <= b[j].hi[0]; k++ {
			if overlap(&a[k], &b[j]) {
				s.pair(a[k].patch, b[j].patch)
			}
		}
		j++
	}
}

// candidateBytes is the memory of a pair in a list that grows by a quarter at a time, while the old
// and the new list are there.
const candidateBytes = int64(unsafe.Sizeof(candidatePair{})) * 9 / 4

// pair lists a pair of patches, if the memory limit has room for it.
func (s *Scene) pair(a, b int32) {
	if s.call.Budget.Take(candidateBytes) {
		s.pairs = append(s.pairs, candidatePair{a: a, b: b})
	}
}

// reaching keeps the boxes of a that meet the box around all of b.
func reaching(a, b []bounds) []bounds {
	if len(b) == 0 {
		return nil
	}
	all := b[0]
	for i := range b {
		for k := range 3 {
			all.lo[k], all.hi[k] = min(all.lo[k], b[i].lo[k]), max(all.hi[k], b[i].hi[k])
		}
	}
	kept := a[:0]
	for i := range a {
		if a[i].lo[0] <= all.hi[0] && all.lo[0] <= a[i].hi[0] && overlap(&a[i], &all) {
			kept = append(kept, a[i])
		}
	}
	return kept
}

// overlap reports whether two boxes that meet along x do so along y and z.
func overlap(a, b *bounds) bool {
	return a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] && a.lo[2] <= b.hi[2] && b.lo[2] <= a.hi[2]
}

// sweepSelf lists the pairs of boxes of one list that meet, along x, and each box with itself.
func (s *Scene) sweepSelf(a []bounds) {
	slices.SortFunc(a, func(x, y bounds) int {
		return cmp.Or(cmp.Compare(x.lo[0], y.lo[0]), cmp.Compare(x.patch, y.patch))
	})
	for i := range a {
		s.pair(a[i].patch, a[i].patch)
		for k := i + 1; k < len(a) && a[k].lo[0] <= a[i].hi[0] && !s.call.Budget.Over(); k++ {
			if overlap(&a[i], &a[k]) {
				s.pair(min(a[i].patch, a[k].patch), max(a[i].patch, a[k].patch))
			}
		}
	}
}
