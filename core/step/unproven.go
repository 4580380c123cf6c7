package step

import (
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/narrow"
)

// keptPairs are, by kind, the pairs that the search of the whole step has not proven apart with a
// margin. Attempts test these alone.
type keptPairs [geom.EdgeFace][][2]int32

// unproven is the pairs that a worker's search does not prove apart with a margin.
type unproven struct {
	margin kernel.Margin
	lists  keptPairs
	kind   geom.Kind  // the kind of the current block
	block  [][2]int32 // the pairs of the current block
}

// add adds pair i of the current block.
func (p *unproven) add(i int32) { p.lists[p.kind] = append(p.lists[p.kind], p.block[i]) }

// clear forgets the pairs.
func (p *unproven) clear() {
	for k := range p.lists {
		p.lists[k] = p.lists[k][:0]
	}
}

// bytes returns the memory of the pairs.
func (p *unproven) bytes() (n int64) {
	for _, list := range p.lists {
		n += int64(8 * cap(list))
	}
	return n
}

// collect lets a solver collect the pairs of a block that it does not prove apart with a margin, if
// it is not 0. The function that it returns ends that.
func (p *unproven) collect(solver *narrow.Solver, margin float64, k geom.Kind, pairs [][2]int32) (end func()) {
	if margin == 0 {
		return func() {}
	}
	p.kind, p.block = k, pairs
	p.margin = kernel.Margin{Width: margin, Left: p.add}
	solver.Margin = &p.margin
	return func() { solver.Margin, p.block = nil, nil }
}
