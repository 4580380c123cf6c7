package broad

import (
	"math/bits"
	"slices"
)

// chunks is a list of pairs in pieces, so that growing copies nothing.
type chunks [][][2]int32

const chunkLen = 1 << 15

func (c *chunks) add(pairs [][2]int32) {
	for len(pairs) > 0 {
		n := len(*c)
		if n == 0 || len((*c)[n-1]) == cap((*c)[n-1]) {
			*c = append(*c, make([][2]int32, 0, chunkLen))
			n++
		}
		last := &(*c)[n-1]
		k := min(len(pairs), cap(*last)-len(*last))
		*last = append(*last, pairs[:k]...)
		pairs = pairs[k:]
	}
}

// sorted is the pairs in the order of (a, b). A pass over memory parts them by the leading bits of a, into parts that fit in cache, each
// of which is then sorted by the rest: a radix sort from the other end.
func (c chunks) sorted(threads int) ([][2]int32, error) {
	n, maxA, maxB := 0, int32(0), int32(0)
	for _, piece := range c {
		n += len(piece)
		for _, p := range piece {
			maxA, maxB = max(maxA, p[0]), max(maxB, p[1])
		}
	}
	if n == 0 {
		return nil, nil
	}
	shift := max(0, bits.Len32(uint32(maxA))-partBits)
	start := make([]int, maxA>>shift+2)
	for _, piece := range c {
		for _, p := range piece {
			start[p[0]>>shift+1]++
		}
	}
	for i := 1; i < len(start); i++ {
		start[i] += start[i-1]
	}
	out, at := make([][2]int32, n), slices.Clone(start)
	for i, piece := range c {
		for _, p := range piece {
			to := &at[p[0]>>shift]
			out[*to] = p
			*to++
		}
		c[i] = nil
	}
	parts := len(start) - 1
	err := Crew(min(threads, parts), func(worker int) {
		var s partSorter
		for i := worker; i < parts; i += min(threads, parts) {
			s.sort(out[start[i]:start[i+1]], shift, bits.Len32(uint32(maxB)))
		}
	})
	return out, err
}

// partBits is how many leading bits of a make a part: 2048 parts of some thousand pairs.
const partBits = 11

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
