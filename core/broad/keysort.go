package broad

import (
	"math"
	"unsafe"

	"ccd/core/engine"
	"ccd/simd"
)

// The primitives of a layer are sorted by their keys once, before they are written to its cells. So the entries of every cell are sorted, in
// whatever number of cells a primitive is, and a sweep reads them as they are.

// keySorter holds the working memory for sorting primitives.
type keySorter struct {
	keys, ranks []int32
	order       [2][]keyed
	counts      [][3][keyDigits]int32 // by block and digit: first the number of its keys with this digit, then the place of its next one
}

// fewKeys is the largest number of primitives for which comparing all with all is the fastest way to sort.
const fewKeys = 192

// A key has three digits.
const (
	keyDigitBits = 11
	keyDigits    = 1 << keyDigitBits
)

// sort returns the positions of boxes in the order of their keys, and of the positions where keys are equal. The slice belongs to the sorter. The
// result does not depend on threads.
func (s *keySorter) sort(boxes []simd.CellRange, threads int) ([]keyed, error) {
	n := len(boxes)
	if n <= fewKeys {
		return s.rank(boxes), nil
	}
	blocks := blocks(n, threads)
	counts := grow(&s.counts, blocks)
	a, b := grow(&s.order[0], n), grow(&s.order[1], n)
	err := engine.Parallel(blocks, func(i int) {
		count := &counts[i]
		*count = [3][keyDigits]int32{}
		for j := n * i / blocks; j < n*(i+1)/blocks; j++ {
			e := keyed{keyOf(boxes[j].X0), int32(j)}
			a[j] = e
			for d := range count {
				count[d][e.digit(d)]++
			}
		}
	})
	for d := 0; d < len(counts[0]) && err == nil; d++ {
		if d > 0 && blocks > 1 { // other entries are in a block than at first
			err = countDigits(a, counts, d)
		}
		if err == nil && placeDigits(counts, d, a[0].digit(d), n) {
			a, b = b, a
			err = sortDigit(b, a, counts, d)
		}
	}
	return a, err
}

// countDigits counts the entries of each block by their digits number d.
func countDigits(a []keyed, counts [][3][keyDigits]int32, d int) error {
	n, blocks := len(a), len(counts)
	return engine.Parallel(blocks, func(i int) {
		count := &counts[i][d]
		clear(count[:])
		for _, e := range a[n*i/blocks : n*(i+1)/blocks] {
			count[e.digit(d)]++
		}
	})
}

// placeDigits turns the counts of digits number d into the places of the first entries with these digits, by block. It reports whether there is
// something to sort: not if all n entries have the same digit.
func placeDigits(counts [][3][keyDigits]int32, d int, digit uint32, n int) bool {
	same := 0
	for i := range counts {
		same += int(counts[i][d][digit])
	}
	if same == n {
		return false
	}
	sum := int32(0)
	for k := range keyDigits {
		for i := range counts {
			count := &counts[i][d][k]
			*count, sum = sum, sum+*count
		}
	}
	return true
}

// sortDigit writes the entries of a to b in the order of digits number d, those with equal digits in the order in which they are.
func sortDigit(a, b []keyed, counts [][3][keyDigits]int32, d int) error {
	n, blocks := len(a), len(counts)
	return engine.Parallel(blocks, func(i int) {
		at := &counts[i][d]
		for _, e := range a[n*i/blocks : n*(i+1)/blocks] {
			to := &at[e.digit(d)]
			b[*to] = e
			*to++
		}
	})
}

// digit returns digit number d of the entry's key, the lowest first, in the order of unsigned numbers.
func (e keyed) digit(d int) uint32 {
	return uint32(e.key^math.MinInt32) >> (keyDigitBits * d) % keyDigits
}

// rank is sort for at most fewKeys boxes.
func (s *keySorter) rank(boxes []simd.CellRange) []keyed {
	n := len(boxes)
	if s.keys == nil {
		s.keys, s.ranks = make([]int32, fewKeys+simd.SweepPad), make([]int32, fewKeys)
	}
	keys, ranks := s.keys[:n+simd.SweepPad], s.ranks[:n]
	for i := range boxes {
		keys[i] = keyOf(boxes[i].X0)
	}
	for i := n; i < len(keys); i++ {
		keys[i] = math.MaxInt32
	}
	simd.Ranks(keys, ranks)
	out := grow(&s.order[0], n)
	for i, r := range ranks {
		out[r] = keyed{keys[i], int32(i)}
	}
	return out
}

// more returns the memory that sorting n boxes takes beyond what the sorter has.
func (s *keySorter) more(n int) int {
	return int(unsafe.Sizeof(keyed{})) * (max(0, n-cap(s.order[0])) + max(0, n-cap(s.order[1])))
}

func (s *keySorter) bytes() int {
	return 4*(cap(s.keys)+cap(s.ranks)) + int(unsafe.Sizeof(keyed{}))*(cap(s.order[0])+cap(s.order[1])) + 3*4*keyDigits*cap(s.counts)
}
