package broad

import (
	"math/bits"
	"slices"

	"ccd/core/engine"
)

// sortPairs writes the pairs of a list to out, which has their number, in the order of (a, b).
// First members are below n, second ones below m.
//
// One pass distributes the pairs by the leading bits of a to buckets that fit in cache. The other
// bits of a and those of b fit in 32 bits together, and a radix sort sorts each bucket.
func sortPairs[T int32 | int64](l *pairList, out [][2]T, n, m, threads int) error {
	if len(out) == 0 {
		return nil
	}
	s, ok := newOrdering(n, m, len(out))
	if !ok {
		return sortByComparison(l, out)
	}
	threads = max(1, min(threads, len(l.chunks)))
	start := make([][]int32, threads) // start has by thread and bucket where the next pair goes.
	err := engine.Parallel(threads, func(i int) {
		start[i] = make([]int32, s.buckets+1)
		s.count(l.chunks, i, threads, start[i])
	})
	if err != nil {
		return err
	}
	sum := int32(0)
	first := make([]int32, s.buckets+1)
	for p := range s.buckets + 1 {
		first[p] = sum
		for i := range start {
			start[i][p], sum = sum, sum+start[i][p]
		}
	}
	keys := make([]uint32, len(out))
	err = engine.Parallel(threads, func(i int) { s.scatter(l.chunks, i, threads, start[i], keys) })
	if err != nil {
		return err
	}
	tasks := engine.NewTasks(0, s.buckets)
	return engine.Parallel(threads, func(int) {
		var sorter bucketSorter
		for p := range tasks.All() {
			from, to := first[p], first[p+1]
			sortBucket(&sorter, keys[from:to], out[from:to], &s, p)
		}
	})
}

// ordering divides a pair into the bucket a >> low and the key (low bits of a) << second | b.
type ordering struct {
	low, second int
	buckets     int
}

// bucketLen is about the mean number of pairs of a bucket.
const bucketLen = 4096

// newOrdering returns the ordering of pairs below (n, m); ok is false where it needs too many
// buckets.
func newOrdering(n, m, pairs int) (s ordering, ok bool) {
	first := bits.Len(uint(n - 1))
	s.second = bits.Len(uint(m - 1))
	leading := min(first, max(bits.Len(uint(pairs/bucketLen)), first+s.second-32))
	s.low = first - leading
	s.buckets = 1 << leading
	return s, leading <= 20
}

// count counts the pairs of every step-th chunk, the first of which is from, by bucket.
func (s *ordering) count(chunks []*listChunk, from, step int, count []int32) {
	for i := from; i < len(chunks); i += step {
		p := chunks[i]
		for k := range p.pairs[:p.n] {
			count[p.pairs[k][0]>>s.low]++
		}
	}
}

// scatter writes the keys of the pairs of these chunks to their buckets; at has the position of the
// next key of each.
func (s *ordering) scatter(chunks []*listChunk, from, step int, at []int32, keys []uint32) {
	low, second, mask := s.low, s.second, uint32(1)<<s.low-1
	for i := from; i < len(chunks); i += step {
		p := chunks[i]
		for _, x := range p.pairs[:p.n] {
			to := &at[x[0]>>low]
			keys[*to] = uint32(x[0])&mask<<second | uint32(x[1])
			*to++
		}
	}
}

// bucketSorter holds the working memory for sorting buckets.
type bucketSorter struct {
	keys  []uint32
	count [4][1 << digitBits]int32
}

const digitBits = 9

// sortBucket sorts the keys of bucket p and writes them as pairs.
func sortBucket[T int32 | int64](s *bucketSorter, keys []uint32, out [][2]T, o *ordering, p int) {
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
func (s *bucketSorter) sort(keys []uint32, passes int) []uint32 {
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

// sortByComparison does the same where there are too many primitives for buckets.
func sortByComparison[T int32 | int64](l *pairList, out [][2]T) error {
	n := 0
	for _, p := range l.chunks {
		for _, x := range p.pairs[:p.n] {
			out[n] = [2]T{T(x[0]), T(x[1])}
			n++
		}
	}
	slices.SortFunc(out, func(x, y [2]T) int { return slices.Compare(x[:], y[:]) })
	return nil
}
