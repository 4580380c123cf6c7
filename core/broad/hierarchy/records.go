package hierarchy

import (
	"sync"
	"unsafe"

	"ccd/core/geom"
	"ccd/simd/box"
)

// records are records as they were found, in chunks, so that they grow without copying.
type records struct {
	chunks []*recordChunk
	pairs  int
}

// recordChunk has the bytes of a chunk of the runtime's memory.
type recordChunk struct {
	n    int
	list [1<<12 - 1]box.Record
}

// recordChunks keeps chunks between calls until the garbage collector takes them.
var recordChunks = sync.Pool{New: func() any { return new(recordChunk) }}

// reserve returns space for the records of a pair of groups; commit adds the first n of them.
func (r *records) reserve() []box.Record {
	if n := len(r.chunks); n > 0 {
		if c := r.chunks[n-1]; c.n <= len(c.list)-box.Children*box.Children {
			return c.list[c.n:]
		}
	}
	c := recordChunks.Get().(*recordChunk)
	c.n = 0
	r.chunks = append(r.chunks, c)
	return c.list[:]
}

func (r *records) commit(n, pairs int) {
	r.chunks[len(r.chunks)-1].n += n
	r.pairs += pairs
}

// Pairs are the pairs of a family, as records. Several goroutines may read them.
type Pairs struct {
	order  *Order
	family int
	records
}

// take moves records to the pairs.
func (p *Pairs) take(r *records) {
	p.chunks, p.pairs = append(p.chunks, r.chunks...), p.pairs+r.pairs
	*r = records{}
}

// Kind returns the kind of the pairs.
func (p *Pairs) Kind() geom.Kind { return p.order.families[p.family].kind }

// Len returns the number of pairs, of nil 0.
func (p *Pairs) Len() int {
	if p == nil {
		return 0
	}
	return p.pairs
}

// Bytes returns the memory of the pairs, the order not counted.
func (p *Pairs) Bytes() int64 { return int64(len(p.chunks)) * int64(unsafe.Sizeof(recordChunk{})) }

// Free returns the memory of the pairs. There are no pairs left then. It does nothing with nil.
func (p *Pairs) Free() {
	if p == nil {
		return
	}
	for _, c := range p.chunks {
		recordChunks.Put(c)
	}
	p.records = records{}
}

// Each writes the pairs into what room returns, room for 72 at least, and calls filled with
// how many it has written. Of two primitives of one shape the smaller number comes first. The order
// of the pairs is undefined.
func (p *Pairs) Each(room func() [][2]int32, filled func(n int)) {
	f := &p.order.families[p.family]
	for _, c := range p.chunks {
		for list := c.list[:c.n]; len(list) > 0; {
			read, n := box.Expand(list, f.a.ids, f.b.ids, f.kind.Info().Symmetric(), room())
			filled(n)
			list = list[read:]
		}
	}
}
