package proximity

import (
	"math/bits"
	"slices"
	"unsafe"

	"ccd/core/engine"
)

// pairKey is the two primitives of a pair.
type pairKey struct{ a, b int32 }

// sortKey is a pair of a list, and where it is there.
type sortKey struct {
	pairKey
	from uint64 // the list, and its position there
}

// listBits is the number of bits of a position: there are at most 1,024 lists, one for each thread.
const listBits = 52

func (k *sortKey) list() int { return int(k.from >> listBits) }
func (k *sortKey) at() int   { return int(k.from & (1<<listBits - 1)) }

const (
	keyBytes  = int(unsafe.Sizeof(pairKey{}))
	sortBytes = int(unsafe.Sizeof(sortKey{}))
)

// pairOrder is the working memory of inOrder.
type pairOrder struct {
	starts  [][]int // starts[list][bucket] counts its pairs, then is the position of the next one
	first   []int   // first[b] is the position of the first pair of bucket b; one more at the end
	keys    []sortKey
	sorters []pairSorter // one sorter for each thread
}

// pairSorter is the working memory of a thread that sorts a bucket.
type pairSorter struct {
	starts []int32
	keys   []sortKey
}

func (o *pairOrder) bytes() int64 {
	n := sortBytes*cap(o.keys) + 8*cap(o.first)
	for _, s := range o.starts {
		n += 8 * cap(s)
	}
	for i := range o.sorters {
		n += 4*cap(o.sorters[i].starts) + sortBytes*cap(o.sorters[i].keys)
	}
	return int64(n)
}

const (
	// orderBuckets is the most buckets: enough for many threads, and few enough that their pairs
	// are written side by side.
	orderBuckets = 512
	orderedPairs = 2048 // pairs that are worth a thread
)

// inOrder sorts the pairs of some lists, each of which is in one of them once, by (a, b), where a
// is less than below. It calls emit with the keys from number at on, from several threads, for all
// keys.
//
// The leading bits of a distribute the pairs to buckets. In a bucket, the others are the keys of a
// counting sort, and the few pairs of each a are sorted by b.
func inOrder[T any](o *pairOrder, lists []*engine.List[T], key func(x *T) pairKey, below, threads int,
	emit func(at int, keys []sortKey)) error {
	total := 0
	for _, l := range lists {
		total += l.Len()
	}
	if total == 0 {
		return nil
	}
	low := max(0, bits.Len(uint(below-1))-bits.Len(orderBuckets-1))
	buckets := (below-1)>>low + 1
	threads = max(1, min(threads, total/orderedPairs))
	for len(o.starts) < len(lists) {
		o.starts = append(o.starts, nil)
	}
	for len(o.sorters) < threads {
		o.sorters = append(o.sorters, pairSorter{})
	}
	o.keys = slices.Grow(o.keys[:0], total)[:total]
	if err := countKeys(o, lists, key, buckets, low, threads); err != nil {
		return err
	}
	err := engine.Each(len(lists), threads, func(_, i int) {
		start, l, at := o.starts[i], lists[i], uint64(i)<<listBits
		for c := 0; len(l.Chunk(c)) > 0; c++ {
			chunk := l.Chunk(c)
			for j := range chunk {
				k := key(&chunk[j])
				to := &start[k.a>>low]
				o.keys[*to] = sortKey{k, at}
				*to++
				at++
			}
		}
	})
	if err != nil {
		return err
	}
	return engine.Each(buckets, threads, func(worker, b int) {
		if from, to := o.first[b], o.first[b+1]; from < to {
			emit(from, o.sorters[worker].sort(o.keys[from:to], low))
		}
	})
}

// countKeys sets, for each list and bucket, where the pairs of that list begin among the sorted
// ones: a bucket has the pairs of all lists, one list after the other.
func countKeys[T any](o *pairOrder, lists []*engine.List[T], key func(x *T) pairKey, buckets, low, threads int) error {
	err := engine.Each(len(lists), threads, func(_, i int) {
		start := slices.Grow(o.starts[i][:0], buckets)[:buckets]
		clear(start)
		l := lists[i]
		for c := 0; len(l.Chunk(c)) > 0; c++ {
			chunk := l.Chunk(c)
			for j := range chunk {
				start[key(&chunk[j]).a>>low]++
			}
		}
		o.starts[i] = start
	})
	if err != nil {
		return err
	}
	o.first = slices.Grow(o.first[:0], buckets+1)[:buckets+1]
	sum := 0
	for b := range buckets {
		o.first[b] = sum
		for _, start := range o.starts[:len(lists)] {
			start[b], sum = sum, sum+start[b]
		}
	}
	o.first[buckets] = sum
	return nil
}

// fewKeys is the largest number of keys that are sorted by insertion.
const fewKeys = 12

// sort sorts the keys of a bucket, which differ in b and the low bits of a.
func (s *pairSorter) sort(keys []sortKey, low int) []sortKey {
	if len(keys) <= fewKeys {
		insertKeys(keys)
		return keys
	}
	s.starts, s.keys = slices.Grow(s.starts[:0], 1<<low+1)[:1<<low+1], slices.Grow(s.keys[:0], len(keys))[:len(keys)]
	start, sorted, mask := s.starts, s.keys, int32(1)<<low-1
	clear(start)
	for i := range keys {
		start[keys[i].a&mask+1]++
	}
	sum := int32(0)
	for a, n := range start {
		sum += n
		start[a] = sum
	}
	for i := range keys {
		to := &start[keys[i].a&mask]
		sorted[*to] = keys[i]
		*to++ // In the end this is where a's keys end and those of a+1 begin.
	}
	from := int32(0)
	for _, to := range start {
		if to > from+1 {
			byB(sorted[from:to])
		}
		from = to
	}
	return sorted
}

// byB sorts keys of one a by b: by insertion where they are few, as nearly always.
func byB(keys []sortKey) {
	if len(keys) > fewKeys {
		slices.SortFunc(keys, func(x, y sortKey) int { return int(x.b) - int(y.b) })
		return
	}
	insertKeys(keys)
}

// insertKeys sorts keys by insertion.
func insertKeys(keys []sortKey) {
	for i := 1; i < len(keys); i++ {
		x, j := keys[i], i
		for ; j > 0 && (keys[j-1].a > x.a || keys[j-1].a == x.a && keys[j-1].b > x.b); j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = x
	}
}
