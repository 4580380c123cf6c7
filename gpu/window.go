package gpu

import (
	"fmt"
	"sort"

	"ccd/simd/pairs"
)

// This file computes windows, parts of the lists that Plan counts. A pair has a position in its
// list, so a window takes as many pairs as fit, and the others are in later windows.

// The least and the largest number of pairs of a window.
const (
	leastWindow = 1 << 12
	mostWindow  = 1 << 18
)

// WindowBytes is the memory of a session for each pair of the largest window: the pair, and what
// the narrow phase needs.
const WindowBytes = 8 + BatchBytes

// What a window needs beside its pairs: sums of tiles, constants; and what the least one needs.
const (
	moreRoom  = 1 << 13
	leastRoom = moreRoom + WindowBytes*leastWindow
)

// room returns how many pairs of a window the budget allows.
func (s *Session) room() (int, error) {
	if s.budget <= 0 {
		return mostWindow, nil
	}
	n := (s.budget - s.held - moreRoom) / WindowBytes
	if n < leastWindow {
		return 0, &OverBudget{s.held + leastRoom, s.budget}
	}
	return int(min(n, mostWindow)), nil
}

// Pairs writes the pairs of a list from position from on to out.
func (s *Session) Pairs(list int, from int64, out [][2]int32) error {
	if len(out) == 0 {
		return nil
	}
	defer s.begin()()
	if err := s.find(list, from, len(out), new(array)); err != nil {
		return err
	}
	return download(&s.memory, out, &s.broad.pairs)
}

// FirstOf is First for n pairs of a list of vertex-face or edge-edge pairs, from position from on.
// It writes to found what it leaves, in the order of the list, in new memory where that of found is
// too small. Where the pairs are those of Ready, their times were looked for up to the end that
// Ahead was given: a pair may be left whose contact is later than tmax, with its time.
func (s *Session) FirstOf(list int, face bool, from int64, n int, tmax, sep float64, found *pairs.Found) error {
	found.Resize(0)
	if n == 0 {
		return nil
	}
	defer s.begin()()
	if s.broad.ahead.take(list, from, n, tmax, sep, found) {
		return nil
	}
	if err := s.prepare(tmax, sep); err != nil {
		return err
	}
	if err := s.reserve(&s.idx, 16*n); err != nil {
		return err
	}
	if err := s.find(list, from, n, &s.idx); err != nil {
		return err
	}
	q := query{faces: facesOf(face, n), n: n, sep: sep, idx: s.idx.arg(), k: s.constants.arg(),
		pairs: s.broad.pairs.arg(), many: new(array).arg()}
	return q.run(s, func(n int) { found.Resize(n) }, func(i int, r *result) { r.write(found, i) })
}

// write writes a result to place i.
func (r *result) write(found *pairs.Found, i int) {
	found.Pairs[i] = [2]int32{int32(r.a), int32(r.b)}
	found.TOI[i], found.Masks[i], found.State[i] = r.toi, uint8(r.mask), uint8(r.state&stateBits)
}

// find writes n pairs of a list, from position from on, to the array pairs, and with idx their
// vertices there.
func (s *Session) find(list int, from int64, n int, idx *array) error {
	b := &s.broad
	if list < 0 || list >= len(b.passes) || from < 0 || uint64(from)+uint64(n) > b.passes[list].total {
		return fmt.Errorf("there are no pairs %d to %d of list %d", from, from+int64(n), list)
	}
	p := b.passes[list]
	to := uint64(from) + uint64(n)
	if err := b.readGroups(s); err != nil {
		return err
	}
	first := sort.Search(len(p.groups), func(i int) bool { return p.groups[i] > uint64(from) }) - 1
	end := sort.Search(len(p.groups), func(i int) bool { return p.groups[i] >= to })
	if err := s.reserve(&b.pairs, 8*n); err != nil {
		return err
	}
	return s.on.launch("sweep_write", end-first, b.sweep(s, b.before.arg(), b.sums.arg(), uintArg(p.layer),
		uintArg(int(from)), uintArg(int(from>>32)), uintArg(int(to)), uintArg(int(to>>32)), uintArg(first*group),
		uintArg(0), new(array).arg(), b.pairs.arg(), idx.arg())...)
}
