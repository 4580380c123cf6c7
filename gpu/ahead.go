package gpu

import (
	"errors"
	"unsafe"

	"ccd/simd/pairs"
)

// This file makes a plan and looks at the first pairs of its lists at once: nothing waits for the
// host between the packet that it sends and the one that it reads. What a count on the device
// decides is memory alone, so the host claims as much as it expects. Kernels write nothing where it
// is not enough; the counts, which come back with the results, say so, and the plan is made as
// without Ahead. So results do not depend on what is expected.

// ahead is what Ahead has said, and the results of it.
type ahead struct {
	n         int // the first pairs of each list; 0: Ahead has said nothing
	tmax, sep float64
	entries   int // the entries to expect; -1: as many as the last plan had. Tests set it.

	each    int   // how many pairs of a list were looked at, at most
	many    array // how many of each list were
	lists   []readyList
	results []result // those of the lists, one after the other
}

// readyList is the first n pairs of a list, of which results are left.
type readyList struct {
	n       int
	results []result
}

// Ahead lets the next Plan find too what FirstOf leaves of the first n pairs, about, of each list
// of vertex-face and edge-edge pairs; a Plan of exact boxes does not. Ready then says of how many
// it did. It changes no result; it spares the launches and copies of some windows.
func (s *Session) Ahead(n int, tmax, sep float64) {
	defer s.begin()()
	s.broad.ahead.n, s.broad.ahead.tmax, s.broad.ahead.sep = n, tmax, sep
}

// Ready returns how many of the first pairs of a list the last Plan has looked at.
func (s *Session) Ready(list int) int {
	defer s.begin()()
	if list < len(s.broad.ahead.lists) {
		return s.broad.ahead.lists[list].n
	}
	return 0
}

// forget forgets the results.
func (a *ahead) forget() { a.lists, a.each = nil, 0 }

// constants returns those of narrow.cl, or none.
func (a *ahead) constants() []float64 {
	if a.n == 0 {
		return nil
	}
	return constantsOf(a.tmax, a.sep)
}

// take writes the results of n pairs of a list to found, if they are there: those of an end of time
// that is tmax or later.
func (a *ahead) take(list int, from int64, n int, tmax, sep float64, found *pairs.Found) bool {
	if from != 0 || list >= len(a.lists) || n > a.lists[list].n || tmax > a.tmax || sep != a.sep {
		return false
	}
	results := a.lists[list].results
	found.Resize(len(results))
	k := 0
	for i := range results {
		if r := &results[i]; int(r.state>>queryShift)%a.each < n {
			r.write(found, k)
			k++
		}
	}
	found.Resize(k)
	return true
}

// setPlaces gives each list of vertex-face and edge-edge pairs a place, and returns how many there
// are, and how many of vertex-face pairs. Those come first, as in the families of a mesh.
func (b *sweeps) setPlaces() (lists, faces int, ok bool) {
	for _, p := range b.passes {
		l := b.layers[p.layer]
		f := b.families[l.family].of
		face := !f.Self && f.A.Width == 1 && f.B.Width == 3
		if !face && !(f.Self && f.A.Width == 2) {
			continue
		}
		if l.place = uint32(lists); face {
			if faces != lists {
				return 0, 0, false
			}
			faces++
		}
		lists++
	}
	return lists, faces, lists > 0
}

// expected returns for how many entries memory is claimed: a quarter more than the last plan had
// for each box, and never more than the families may have.
func (b *sweeps) expected(s *Session) int {
	n, spare := b.ahead.entries, 0
	if n < 0 {
		spare = tile * len(b.layers)
		per := s.device.perBox
		if per == 0 {
			per = 2
		}
		n = int(min(per*1.25*float64(b.boxed), most/2))
		all := 0
		for _, f := range b.families {
			all += int(min(f.of.Most, most/8))
		}
		n = min(n, max(all, b.boxed))
	}
	return max(tile, (n+tile-1)/tile*tile+spare)
}

// makeAhead makes the lists at once, as Ahead has said. boxed says that it has made the boxes, and
// done that it has done it all; else the plan is to be made with counts on the way.
func (b *sweeps) makeAhead(s *Session) (boxed, done bool, err error) {
	a := &b.ahead
	if a.n <= 0 || b.items == 0 || b.items > most || b.space.Exact {
		return false, false, nil
	}
	lists, faces, ok := b.setPlaces()
	if !ok || lists > mostQueries/group {
		return false, false, nil
	}
	a.each = min((a.n+group-1)/group, mostQueries/group/lists) * group
	n := b.expected(s)
	q := query{faces: uintArg(faces * a.each), n: lists * a.each, each: a.each, sep: a.sep,
		head: (2*len(b.layers) + 2) / 3}
	var over *OverBudget
	packet, err := b.packed(s)
	if err == nil {
		err = b.reserveAhead(s, &q, n, lists)
	}
	if need := s.held + 8*int64(len(packet)) + leastRoom; err == nil && s.budget > 0 && need > s.budget {
		err = &OverBudget{need, s.budget} // Windows would not fit beside it.
	}
	if err == nil {
		err = b.send(s, packet)
	}
	if err != nil {
		b.forgetArrays(s)
		s.freeLists()
		if errors.As(err, &over) { // It takes more memory at a time than the other way.
			return false, false, nil
		}
		return false, false, err
	}
	if err := b.launchAhead(s, &q, n); err != nil {
		return false, false, err
	}
	return b.readAhead(s, &q, n, lists)
}

// reserveAhead makes room for all that is written at once, with n entries.
func (b *sweeps) reserveAhead(s *Session, q *query, n, lists int) error {
	items := max(n, b.items)
	if err := b.reserveSort(s, items); err != nil {
		return err
	}
	if err := b.reserveBoxes(s, items); err != nil {
		return err
	}
	for _, x := range []struct {
		*array
		bytes int
	}{{&b.blockSums, 4 * group * b.blocks(items)}, {&b.starts, 4 * b.cells}, {&b.pairs, 8 * q.n}, {&s.idx, 16 * q.n},
		{&b.ahead.many, 4 * lists}} {
		if err := s.reserve(x.array, x.bytes); err != nil {
			return err
		}
	}
	return q.reserve(s)
}

// launchAhead launches all that is done at once.
func (b *sweeps) launchAhead(s *Session, q *query, n int) error {
	q.idx, q.k, q.pairs, q.many = s.idx.arg(), b.at.arg(), b.pairs.arg(), b.ahead.many.arg()
	layers := len(b.layers)
	for _, step := range []func() error{
		func() error { return b.order(s) },
		func() error { return b.countCells(s, sumsTo{&b.entries, n, &s.out, 0}) },
		func() error { return b.sortEntries(s, n) },
		func() error { return b.findStarts(s) },
		func() error { return b.countPairs(s, n, sumsTo{new(array), 0, &s.out, layers}) },
		func() error {
			return s.on.launch("sweep_write", n/group, b.sweep(s, b.before.arg(), b.sums.arg(), uintArg(0), uintArg(0),
				uintArg(0), uintArg(0), uintArg(0), uintArg(0), uintArg(q.each), q.many, q.pairs, q.idx)...)
		},
		func() error { return q.launch(s) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// readAhead reads the counts and the results. done is false where the grids are to be coarser, or
// there are more than n entries.
func (b *sweeps) readAhead(s *Session, q *query, n, lists int) (boxed, done bool, err error) {
	a := &b.ahead
	a.results = a.results[:0]
	if err := q.fetch(s, func(int) {}, func(_ int, r *result) { a.results = append(a.results, *r) }); err != nil {
		return false, false, err
	}
	layers := len(b.layers)
	totals := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(s.results))), 2*layers)
	if err := b.checkCells(totals[:layers]); err != nil {
		return false, false, err
	}
	coarser := b.coarsen(totals[:layers])
	if !coarser {
		if err := b.setEntries(s, totals[:layers]); err != nil {
			return false, false, err
		}
	}
	if coarser || b.entryItems() > n {
		b.keys[0], b.cellOf = b.cellOf, array{}
		b.values[0], b.ents = b.ents, array{}
		s.freeLists()
		a.forget()
		if coarser {
			err = b.pack(s)
		}
		return true, false, err
	}
	for _, p := range b.passes {
		p.total = totals[layers+p.layer]
	}
	b.split(a, lists)
	return true, true, nil
}

// split divides the results among the lists.
func (b *sweeps) split(a *ahead, lists int) {
	a.lists = make([]readyList, len(b.passes))
	rest := a.results
	for i, p := range b.passes {
		place := b.layers[p.layer].place
		if place == noList {
			continue
		}
		end := 0
		for end < len(rest) && rest[end].state>>queryShift < (place+1)*uint32(a.each) {
			end++
		}
		a.lists[i] = readyList{n: int(min(p.total, uint64(a.each))), results: rest[:end]}
		rest = rest[end:]
	}
}
