package broad

import (
	"math/bits"

	"ccd/core/engine"
)

// choose sets chosen to the primitives that meet the box of the plan's keeper.
func (l *layer) choose(p *Plan) error {
	if p.keeps.box == nil {
		return nil
	}
	words := (l.n + 63) / 64
	marks, n := grow(&l.marks, words), blocks(l.n, p.how.Work.Threads)
	first := make([]int, n+1) // first has where the primitives of each block begin.
	err := engine.Parallel(n, func(i int) {
		for w := words * i / n; w < words*(i+1)/n; w++ {
			marks[w] = l.mark(p, w)
			first[i+1] += bits.OnesCount64(marks[w])
		}
	})
	if err != nil {
		return err
	}
	for i := range n {
		first[i+1] += first[i]
	}
	l.chosen.n = first[n]
	if err := p.room.fits(p, 4*(l.chosen.n-cap(l.kept))); err != nil {
		return err
	}
	l.chosen.ids = grow(&l.kept, l.chosen.n)
	return engine.Parallel(n, func(i int) {
		out := l.chosen.ids[first[i]:first[i+1]]
		for w := words * i / n; w < words*(i+1)/n; w++ {
			for rest := marks[w]; rest != 0; rest &= rest - 1 {
				out[0] = l.id(64*w + bits.TrailingZeros64(rest))
				out = out[1:]
			}
		}
	})
}

// mark returns a bit for each of the 64 primitives from number 64w on: whether it meets the box of
// the plan's keeper.
func (l *layer) mark(p *Plan, w int) (mask uint64) {
	for i := 64 * w; i < min(64*w+64, l.n); i++ {
		if p.keeps.meets(l.Shape, l.id(i)) {
			mask |= 1 << (i % 64)
		}
	}
	return mask
}
