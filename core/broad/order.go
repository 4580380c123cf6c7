package broad

import (
	"ccd/core/engine"
	"math/bits"
	"slices"
	"sync/atomic"
)

// inOrder writes the pairs of a list to out, which has their number, in the order of (a, b). First members are below
// n, second ones below m.
//
// A pass over memory parts the pairs by the leading bits of a, into parts that fit in cache. What is left of a pair, the
// rest of a and then b, fits in 32 bits, and a radix sort puts each part in order.
func inOrder[T int32 | int64](l *pairList, out [][2]T, n, m, threads int) error {
	if len(out) == 0 {
		return nil
	}
	s, ok := newOrdering(n, m, len(out))
	if !ok {
		return compared(l, out)
	}
	threads = max(1, min(threads, len(l.pieces)))
	start := make([][]int32, threads) // by thread and part: where its pairs go
	err := engine.Parallel(threads, func(i int) {
		start[i] = make([]int32, s.parts+1)
		s.count(l.pieces, i, threads, start[i])
	})
	if err != nil {
		return err
	}
	sum := int32(0)
	first := make([]int32, s.parts+1)
	for p := range s.parts + 1 {
		first[p] = sum
		for i := range start {
			start[i][p], sum = sum, sum+start[i][p]
		}
	}
	keys := make([]uint32, len(out))
	err = engine.Parallel(threads, func(i int) { s.scatter(l.pieces, i, threads, start[i], keys) })
	if err != nil {
		return err
	}
	var next atomic.Int64
	return engine.Parallel(threads, func(int) {
		var sorter partSorter
		for {
			p := int(next.Add(1)) - 1
			if p >= s.parts {
				return
			}
			from, to := first[p], first[p+1]
			sortPart(&sorter, keys[from:to], out[from:to], &s, p)
		}
	})
}

// ordering says how a pair is taken to pieces: part a >> low, key (a, cut to low bits) << second | b.
type ordering struct {
	low, second int
	parts       int
}

// partLen is about how many pairs a part has, on average.
const partLen = 4096

// newOrdering is for pairs below (n, m). It fails where there would have to be too many parts.
func newOrdering(n, m, pairs int) (s ordering, ok bool) {
	first := bits.Len(uint(n - 1))
	s.second = bits.Len(uint(m - 1))
	leading := min(first, max(bits.Len(uint(pairs/partLen)), first+s.second-32))
	s.low = first - leading
	s.parts = 1 << leading
	return s, leading <= 20
}

func (s *ordering) count(pieces []*piece, from, step int, count []int32) {
	for i := from; i < len(pieces); i += step {
		p := pieces[i]
		for k := range p.pairs[:p.n] {
			count[p.pairs[k][0]>>s.low]++
		}
	}
}

func (s *ordering) scatter(pieces []*piece, from, step int, at []int32, keys []uint32) {
	low, second, mask := s.low, s.second, uint32(1)<<s.low-1
	for i := from; i < len(pieces); i += step {
		p := pieces[i]
		for _, x := range p.pairs[:p.n] {
			to := &at[x[0]>>low]
			keys[*to] = uint32(x[0])&mask<<second | uint32(x[1])
			*to++
		}
	}
}

// partSorter is the scratch for sorting parts.
type partSorter struct {
	keys  []uint32
	count [4][1 << digitBits]int32
}

const digitBits = 9

// sortPart puts the keys of part p in order, as pairs.
func sortPart[T int32 | int64](s *partSorter, keys []uint32, out [][2]T, o *ordering, p int) {
	passes := (o.low + o.second + digitBits - 1) / digitBits
	if len(keys) < 256 || passes == 0 {
		slices.Sort(keys)
	} else {
		keys = s.sort(keys, passes)
	}
	a, mask := p<<o.low, uint32(1)<<o.second-1
	for i, k := range keys {
		out[i] = [2]T{T(a + int(k>>o.second)), T(k & mask)}
	}
}

// sort is a radix sort from the lowest digit up.
func (s *partSorter) sort(keys []uint32, passes int) []uint32 {
	const mask = 1<<digitBits - 1
	for i := range passes {
		clear(s.count[i][:])
	}
	for _, k := range keys {
		s.count[0][k&mask]++
		s.count[1][k>>digitBits&mask]++
		s.count[2][k>>(2*digitBits)&mask]++
		s.count[3][k>>(3*digitBits)]++
	}
	other := grow(&s.keys, len(keys))
	for i := range passes {
		c, sum := &s.count[i], int32(0)
		for d, n := range c {
			c[d] = sum
			sum += n
		}
		for _, k := range keys {
			at := &c[k>>(digitBits*i)&mask]
			other[*at] = k
			*at++
		}
		keys, other = other, keys
	}
	return keys
}

// compared is inOrder where there are too many primitives for it.
func compared[T int32 | int64](l *pairList, out [][2]T) error {
	n := 0
	for _, p := range l.pieces {
		for _, x := range p.pairs[:p.n] {
			out[n] = [2]T{T(x[0]), T(x[1])}
			n++
		}
	}
	slices.SortFunc(out, func(x, y [2]T) int { return slices.Compare(x[:], y[:]) })
	return nil
}
