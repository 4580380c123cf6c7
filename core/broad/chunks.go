package broad

import (
	"math/bits"
	"slices"
	"sync"
)

// chunks is a list of pairs in pieces, so that growing copies nothing, and how many there are of each part: of each
// value of the leading bits of a.
type chunks struct {
	pieces []*piece
	shift  int
	count  []int
}

// piece is a part of a list.
type piece struct {
	n     int
	pairs [1 << 15][2]int32
}

// pieces keeps them between calls, as long as the garbage collector lets it: fresh memory costs as much as the sort.
var pieces = sync.Pool{New: func() any { return new(piece) }}

// partBits is how many leading bits of a make a part: 2048 parts of some thousand pairs.
const partBits = 11

// newChunks is for pairs whose first member is below n.
func newChunks(n int) chunks {
	c := chunks{shift: max(0, bits.Len(uint(max(n-1, 0)))-partBits)}
	c.count = make([]int, max(n-1, 0)>>c.shift+1)
	return c
}

func (c *chunks) add(pairs [][2]int32) {
	for i := range pairs {
		c.count[pairs[i][0]>>c.shift]++
	}
	for len(pairs) > 0 {
		n := len(c.pieces)
		if n == 0 || c.pieces[n-1].n == len(c.pieces[n-1].pairs) {
			p := pieces.Get().(*piece)
			p.n = 0
			c.pieces = append(c.pieces, p)
			n++
		}
		last := c.pieces[n-1]
		k := copy(last.pairs[last.n:], pairs)
		last.n += k
		pairs = pairs[k:]
	}
}

// sorted is the pairs of all lists, which are for the same n, in the order of (a, b); the second members are below m.
// A pass over memory parts them by the leading bits of a, into parts that fit in cache, each of which is then sorted
// by the rest: a radix sort from the other end.
func sorted(all []chunks, m, threads int) ([][2]int32, error) {
	shift, parts := all[0].shift, len(all[0].count)
	start := make([]int, parts+1)
	for i := range all {
		for p, n := range all[i].count {
			start[p+1] += n
		}
	}
	for p := range parts {
		start[p+1] += start[p]
	}
	if start[parts] == 0 {
		return nil, nil
	}
	out, at := make([][2]int32, start[parts]), slices.Clone(start)
	for i := range all {
		for _, piece := range all[i].pieces {
			for _, p := range piece.pairs[:piece.n] {
				to := &at[p[0]>>shift]
				out[*to] = p
				*to++
			}
			pieces.Put(piece)
		}
		all[i].pieces = nil
	}
	err := Crew(min(threads, parts), func(worker int) {
		var s partSorter
		for i := worker; i < parts; i += min(threads, parts) {
			s.sort(out[start[i]:start[i+1]], shift, bits.Len(uint(max(m-1, 0))))
		}
	})
	return out, err
}

// partSorter is the scratch for sorting parts.
type partSorter struct {
	other [][2]int32
	count [1 << digitBits]int32
}

const digitBits = 9

// sort orders by b, of which bBits count, and then by the lowest aBits of a.
func (s *partSorter) sort(p [][2]int32, aBits, bBits int) {
	if len(p) < 64 {
		slices.SortFunc(p, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
		return
	}
	a, b := p, grow(&s.other, len(p))
	for i, width := range [2]int{bBits, aBits} {
		for from := 0; from < width; from += digitBits {
			s.pass(a, b, 1-i, from)
			a, b = b, a
		}
	}
	if &a[0] != &p[0] {
		copy(p, a)
	}
}

// pass is one pass of a radix sort, from a to b, by nine bits of member k.
func (s *partSorter) pass(a, b [][2]int32, k, from int) {
	clear(s.count[:])
	const mask = 1<<digitBits - 1
	for i := range a {
		s.count[a[i][k]>>from&mask]++
	}
	sum := int32(0)
	for d, n := range s.count {
		s.count[d] = sum
		sum += n
	}
	for i := range a {
		to := &s.count[a[i][k]>>from&mask]
		b[*to] = a[i]
		*to++
	}
}
