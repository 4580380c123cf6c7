package narrow

import (
	"math"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// This file solves batches whose pairs have separations of their own. The kernels take one
// separation for a batch, and prove less with a larger one. So a block is divided into classes of
// nearly equal separations. Each class is filtered with its largest separation, and the remaining
// pairs are solved one by one.

// nClasses is the number of classes: four for each power of two below the block's largest
// separation, one for the rest, and one for 0.
const nClasses = 34

// classes divides a block into classes of nearly equal separations.
type classes struct {
	idx        [block][4]int32 // the queries of the block, class by class
	at         [block]int32    // their positions in the block
	separation [block]float64
	first      [nClasses + 1]int32 // Class c begins at first[c].

	// The following fields serve the function that a class passes to Until. It is made once, so
	// that no class allocates.
	options Options
	relay   func(i int, im *geom.Impact)
	emit    func(i int, im *geom.Impact)
	from    int // the position of the block
	lo      int // the beginning of the class
}

func newClasses() *classes {
	c := new(classes)
	c.relay = func(i int, im *geom.Impact) { c.emit(c.from+int(c.at[c.lo+i]), im) }
	return c
}

// UntilEach is Until for pairs of which the i-th has the separation d[i], in place of that of the
// options. It emits the results in any order. Each answer has the bits of the single call with the
// pair's separation.
func (s *Solver) UntilEach(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, d []float64, o *Options, tMax *float64,
	emit func(i int, im *geom.Impact)) {
	if s.each == nil {
		s.each = newClasses()
	}
	c := s.each
	c.options, c.emit = *o, emit
	whole := s.Margin
	if whole != nil {
		s.Margin = &kernel.Margin{Width: whole.Width, Left: func(i int32) {
			whole.Left(int32(c.from) + c.at[c.lo+int(i)])
		}}
	}
	defer func() { c.emit, s.Margin = nil, whole }()
	for first := 0; first < len(idx); first += block {
		end := min(first+block, len(idx))
		c.divide(idx[first:end], d[first:end])
		c.from = first
		for k := range nClasses {
			lo, hi := c.first[k], c.first[k+1]
			if lo == hi {
				continue
			}
			least, most := extremes(c.separation[lo:hi])
			c.lo, c.options.MinSeparation = int(lo), most
			if least == most {
				s.Until(kind, m, c.idx[lo:hi], &c.options, tMax, c.relay)
			} else {
				s.untilClass(kind, m, c.separation[lo:hi], tMax)
			}
		}
	}
}

// untilClass solves the pairs of a class with different separations, which are positive and at most
// that of the options.
func (s *Solver) untilClass(kind geom.Kind, m *geom.Trajectories, separation []float64, tMax *float64) {
	c := s.each
	o, idx := &c.options, c.idx[c.lo:c.lo+len(separation)]
	limited := *o
	limited.TMax, limited.MinSeparation = *tMax, s.Margin.Beyond(o.MinSeparation)
	alive := s.sieve(kind, m, idx, &limited)
	s.Margin.Leaves(0, alive)
	var q [24]float64
	var im geom.Impact
	for _, i := range alive {
		m.Query(kind, &idx[i], &q)
		o.MinSeparation = separation[i]
		if o.exact() {
			s.decide(kind, q[:kind.Len()], *tMax, o, &im)
		} else { // The filter proved less than the filter of a single call, so that is applied here.
			s.Solve(kind, q[:kind.Len()], o, &im)
		}
		if im.Verdict != geom.Separate {
			c.relay(int(i), &im)
		}
	}
}

// divide sorts a block of pairs by class: a counting sort, which keeps the order within a class.
func (c *classes) divide(idx [][4]int32, d []float64) {
	_, most := extremes(d)
	top := math.Float64bits(most) >> 50
	c.first = [nClasses + 1]int32{}
	for _, x := range d {
		c.first[classOf(x, top)+1]++
	}
	for k := range nClasses {
		c.first[k+1] += c.first[k]
	}
	next := c.first
	for i, x := range d {
		to := &next[classOf(x, top)]
		c.idx[*to], c.at[*to], c.separation[*to] = idx[i], int32(i), x
		*to++
	}
}

// classOf returns the class of a separation: the quarters of powers of two between it and the
// largest, whose leading bits are top.
func classOf(d float64, top uint64) int {
	if d == 0 {
		return nClasses - 1
	}
	return int(min(top-math.Float64bits(d)>>50, nClasses-2))
}

// extremes returns the least and the largest of some numbers.
func extremes(x []float64) (least, most float64) {
	least, most = x[0], x[0]
	for _, y := range x {
		least, most = min(least, y), max(most, y)
	}
	return least, most
}
