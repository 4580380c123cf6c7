package step

import (
	"slices"

	"ccd/core/geom"
)

// sift lets the device, where it takes the block, prove pairs apart by the block's largest
// separation: a pair that keeps more than that keeps more than its own. It reports whether it did;
// the others are in w.sifted.
func (w *worker) sift(k geom.Kind, tMax float64) bool {
	if len(w.each) == 0 {
		return false
	}
	r := w.solver.Remote
	if !r.First(k, w.idx, tMax, slices.Max(w.each)) {
		return false
	}
	s := &w.sifted
	s.idx, s.each, s.at = s.idx[:0], s.each[:0], s.at[:0]
	for j, i := range r.List {
		if r.Masks[j] != 0 {
			s.idx, s.each, s.at = append(s.idx, w.idx[i]), append(s.each, w.each[i]), append(s.at, i)
		}
	}
	return true
}
