package hierarchy

import (
	"math/bits"
	"sync"

	"ccd/core/engine"
	"ccd/simd/box"
)

// sorting is the memory in which pairs are put in order. The next ones reuse it.
//
// Pairs are sorted without comparing them. Records go to the groups of 64 primitives that their
// pairs begin with. Of each group a table has a mask for each second primitive: which of the 64 it
// is paired with. The second primitives are visited in the order of their numbers, and each pair
// goes to the next place of its first primitive, whose pairs are counted before.
type sorting struct {
	records []box.Record // The records of each group, those of a block with those of another.
	first   [][]int32    // For each thread and group: where its next record goes.
	ends    []int32      // For each group: where its records end.
	start   []int        // For each first primitive: where its pairs begin.
	tables  []table      // One for each thread.
}

var sortings = sync.Pool{New: func() any { return new(sorting) }}

// Sorted writes the pairs to out, which has their number, in the order of (a, b). A mesh has first
// and second primitives of their shapes.
func Sorted[T int32 | int64](p *Pairs, out [][2]T, first, second, threads int) error {
	if p.Len() == 0 {
		return nil
	}
	s := sortings.Get().(*sorting)
	f := &p.order.families[p.family]
	threads = max(1, min(threads, len(p.chunks)))
	if err := s.group(f, p.chunks, threads); err != nil {
		return err
	}
	if err := s.count(f, first, threads); err != nil {
		return err
	}
	for len(s.tables) < threads {
		s.tables = append(s.tables, table{})
	}
	for i := range threads {
		s.tables[i].reserve(second, len(f.b.ids)/box.Children)
	}
	err := engine.Each(len(f.a.ids)>>groupBits, threads, func(worker, g int) {
		if list := s.of(g); len(list) > 0 {
			t := &s.tables[worker]
			t.fill(list, f.b.ids)
			write(t, (*[groupLen]int32)(f.a.ids[g<<groupBits:]), s.start, out)
		}
	})
	if err == nil { // Else a table may not be empty.
		sortings.Put(s)
	}
	return err
}

// groupLen is the number of primitives of a group.
const groupLen = 1 << groupBits

// group puts the records in the order of the groups of their first primitives. Of a family of one
// tree the smaller number of a pair comes first, so each record becomes one of either block.
func (s *sorting) group(f *family, chunks []*recordChunk, threads int) error {
	groups, n := len(f.a.ids)>>groupBits, 0
	for len(s.first) < threads {
		s.first = append(s.first, nil)
	}
	for i := range threads {
		s.first[i] = grown(s.first[i], groups)
		clear(s.first[i])
	}
	err := engine.Parallel(threads, func(worker int) {
		first := s.first[worker]
		for i := worker; i < len(chunks); i += threads {
			for k := range chunks[i].list[:chunks[i].n] {
				r := &chunks[i].list[k]
				first[r.A>>3]++
				if f.self {
					first[r.B>>3]++
				}
			}
		}
	})
	if err != nil {
		return err
	}
	for g := range groups {
		for i := range threads {
			n, s.first[i][g] = n+int(s.first[i][g]), int32(n)
		}
	}
	s.records, s.ends = grown(s.records, n), s.first[threads-1]
	return engine.Parallel(threads, func(worker int) {
		for i := worker; i < len(chunks); i += threads {
			if list := chunks[i].list[:chunks[i].n]; f.self {
				s.placeBoth(list, f.a.ids, s.first[worker])
			} else {
				s.place(list, s.first[worker])
			}
		}
	})
}

// place puts records where they go.
func (s *sorting) place(list []box.Record, first []int32) {
	for i := range list {
		at := &first[list[i].A>>3]
		s.records[*at] = list[i]
		*at++
	}
}

// placeBoth puts the pairs of records where they go whose first number is that of block A, and then
// those whose first number is that of block B.
func (s *sorting) placeBoth(list []box.Record, ids, first []int32) {
	var less [64]uint64
	for len(list) > 0 {
		some := list[:min(len(less), len(list))]
		list = list[len(some):]
		box.Below(some, ids, less[:])
		for i := range some {
			r := &some[i]
			at := &first[r.A>>3]
			s.records[*at] = box.Record{A: r.A, B: r.B, Mask: r.Mask & less[i]}
			*at++
			at = &first[r.B>>3]
			s.records[*at] = box.Record{A: r.B, B: r.A, Mask: transposed(r.Mask &^ less[i])}
			*at++
		}
	}
}

// transposed returns the mask whose bit 8j+i is bit 8i+j of m.
func transposed(m uint64) uint64 {
	t := (m ^ m>>7) & 0x00aa00aa00aa00aa
	m ^= t ^ t<<7
	t = (m ^ m>>14) & 0x0000cccc0000cccc
	m ^= t ^ t<<14
	t = (m ^ m>>28) & 0x00000000f0f0f0f0
	return m ^ t ^ t<<28
}

// of returns the records of a group.
func (s *sorting) of(group int) []box.Record {
	from := int32(0)
	if group > 0 {
		from = s.ends[group-1]
	}
	return s.records[from:s.ends[group]]
}

// mostCounted is the number of records whose pairs of a row are counted in 16 bits.
const mostCounted = 1<<16/box.Children - 1

// count sets where the pairs of each of n first primitives begin, and where the last ones end.
func (s *sorting) count(f *family, n, threads int) error {
	s.start = grown(s.start, n+1)
	clear(s.start)
	err := engine.Each(len(f.a.ids)>>groupBits, threads, func(_, g int) {
		for list := s.of(g); len(list) > 0; list = list[min(mostCounted, len(list)):] {
			var even, odd [box.Children]uint64 // Of each block, by rows.
			for i := range list[:min(mostCounted, len(list))] {
				m := list[i].Mask
				m -= m >> 1 & 0x5555555555555555
				m = m&0x3333333333333333 + m>>2&0x3333333333333333
				m = (m + m>>4) & 0x0f0f0f0f0f0f0f0f // The number of bits in each byte.
				even[list[i].A&7] += m & 0x00ff00ff00ff00ff
				odd[list[i].A&7] += m >> 8 & 0x00ff00ff00ff00ff
			}
			for i, id := range f.a.ids[g<<groupBits : (g+1)<<groupBits] {
				counts := even[i>>3]
				if i&1 != 0 {
					counts = odd[i>>3]
				}
				if id >= 0 {
					s.start[id] += int(counts >> (i & 6 * 8) & 0xffff)
				}
			}
		}
	})
	sum := 0
	for i, k := range s.start {
		s.start[i] = sum
		sum += k
	}
	return err
}

// table is the memory in which the pairs of a group are sorted.
type table struct {
	// slots has, for each block of second primitives, 1 + its number among those met, or 0.
	slots []int32
	met   []int32
	// columns has, of each block met, which of the group each of its primitives is paired with.
	columns [][box.Children]uint64

	// places has, for each second primitive that is met, by its number, where it is in columns.
	places []int32
	// Bit k%64 of words[k/64] says that number k is met, and bit k%64 of sums[k/64] that words[k]
	// is not 0.
	words, sums []uint64

	// second has the second primitives in their order, and rows, of each 64 of these, which of them
	// each row is paired with.
	second []int32
	rows   [][64]uint64
}

// reserve makes room for the numbers below n, in some blocks.
func (t *table) reserve(n, blocks int) {
	if len(t.places) < n {
		t.places, t.words, t.sums = make([]int32, n), make([]uint64, n/64+1), make([]uint64, n/64/64+1)
	}
	if len(t.slots) < blocks {
		t.slots = make([]int32, blocks)
	}
}

// fill sets second and rows to those of some records of one group, of which ids has the second
// primitives.
func (t *table) fill(list []box.Record, ids []int32) {
	t.met, t.columns, t.second, t.rows = t.met[:0], t.columns[:0], t.second[:0], t.rows[:0]
	for i := range list {
		r := &list[i]
		if r.Mask == 0 {
			continue
		}
		slot := &t.slots[r.B]
		if *slot == 0 {
			t.met, t.columns = append(t.met, r.B), append(t.columns, [box.Children]uint64{})
			*slot = int32(len(t.met))
		}
		c, m, shift := &t.columns[*slot-1], transposed(r.Mask), 8*(r.A&7)
		c[0] |= m & 255 << shift
		c[1] |= m >> 8 & 255 << shift
		c[2] |= m >> 16 & 255 << shift
		c[3] |= m >> 24 & 255 << shift
		c[4] |= m >> 32 & 255 << shift
		c[5] |= m >> 40 & 255 << shift
		c[6] |= m >> 48 & 255 << shift
		c[7] |= m >> 56 << shift
	}
	for i, block := range t.met {
		t.slots[block] = 0
		b := (*[box.Children]int32)(ids[8*int(block):])
		for j, m := range &t.columns[i] {
			if m != 0 {
				id := uint(b[j])
				t.places[id] = int32(8*i + j)
				t.words[id>>6] |= 1 << (id & 63)
				t.sums[id>>12] |= 1 << (id >> 6 & 63)
			}
		}
	}
	t.sort()
}

// sort empties the words to second and rows.
func (t *table) sort() {
	n := 0
	for i, sum := range t.sums {
		for ; sum != 0; sum &= sum - 1 {
			w := i<<6 | bits.TrailingZeros64(sum)
			for word := t.words[w]; word != 0; word &= word - 1 {
				id := w<<6 | bits.TrailingZeros64(word)
				if n&63 == 0 {
					t.rows = append(t.rows, [64]uint64{})
				}
				at := t.places[id]
				t.rows[n>>6][n&63] = t.columns[at>>3][at&7]
				t.second = append(t.second, int32(id))
				n++
			}
			t.words[w] = 0
		}
		t.sums[i] = 0
	}
	for i := range t.rows {
		transpose(&t.rows[i])
	}
	for len(t.second)&63 != 0 {
		t.second = append(t.second, 0)
	}
}

// transpose makes bit i of a[j] bit j of a[i]: it swaps squares of 32 bits, and within these such
// of 16, down to bits.
func transpose(a *[64]uint64) {
	m := uint64(1<<32 - 1)
	for j := 32; j != 0; j >>= 1 {
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			x, y := &a[k&63], &a[(k+j)&63]
			t := (*x>>(j&63) ^ *y) & m
			*x ^= t << (j & 63)
			*y ^= t
		}
		m ^= m << (j >> 1 & 63)
	}
}

// write writes the pairs of the rows of a table, whose first primitives are a. Those of each begin
// at start, and end where those of the next number begin.
func write[T int32 | int64](t *table, a *[groupLen]int32, start []int, out [][2]T) {
	for i, id := range a {
		if id < 0 {
			return
		}
		box.WriteRow(t.rows, i, t.second, T(id), out[start[id]:start[id+1]])
	}
}
