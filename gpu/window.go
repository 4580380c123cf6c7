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

// WindowBytes is the memory of a session for each pair of the largest window: before the narrow
// phase, in it, and after it.
const WindowBytes = 8 + BatchBytes + 8

// room returns how many pairs of a window the budget allows.
func (s *Session) room() (int, error) {
	const more = 1 << 13 // sums of tiles, constants, a window
	if s.budget <= 0 {
		return mostWindow, nil
	}
	n := (s.budget - s.held - more) / WindowBytes
	if n < leastWindow {
		return 0, &OverBudget{s.held + more + WindowBytes*leastWindow, s.budget}
	}
	return int(min(n, mostWindow)), nil
}

// Pairs writes the pairs of a list from position from on to out.
func (s *Session) Pairs(list int, from int64, out [][2]int32) error {
	if len(out) == 0 {
		return nil
	}
	defer s.begin()()
	if err := s.find(list, from, len(out)); err != nil {
		return err
	}
	return download(&s.memory, out, &s.broad.pairs)
}

// FirstOf is First for n pairs of a list of vertex-face or edge-edge pairs, from position from on.
// It writes to found what it leaves, in the order of the list, in new memory where that of found is
// too small.
func (s *Session) FirstOf(list int, face bool, from int64, n int, tmax, sep float64, found *pairs.Found) error {
	found.Resize(0)
	if n == 0 {
		return nil
	}
	defer s.begin()()
	if err := s.prepare(tmax, sep); err != nil {
		return err
	}
	if err := s.find(list, from, n); err != nil {
		return err
	}
	b := &s.broad
	if err := s.reserve(&s.idx, 16*n); err != nil {
		return err
	}
	if err := s.launch("pair_vertices", n, b.pairs.arg(), uintArg(n), boolArg(face), b.arrays.edges.arg(),
		b.arrays.faces.arg(), s.idx.arg()); err != nil {
		return err
	}
	c := chain{Session: s, face: boolArg(face), n: n, whole: true}
	c.findContacts(sep)
	if c.err != nil || c.n == 0 {
		return c.err
	}
	if err := s.reserve(&b.left, 8*c.n); err != nil {
		return err
	}
	if err := s.launch("pairs_at", c.n, b.pairs.arg(), c.list().arg(), uintArg(c.n), b.left.arg()); err != nil {
		return err
	}
	found.Resize(c.n)
	if err := download(&s.memory, found.Pairs, &b.left); err != nil {
		return err
	}
	c.fetch(found.Masks, found.TOI, found.State, sep == 0)
	return c.err
}

// find writes n pairs of a list, from position from on, to the array pairs.
func (s *Session) find(list int, from int64, n int) error {
	b := &s.broad
	if list < 0 || list >= len(b.passes) || from < 0 || uint64(from)+uint64(n) > b.passes[list].total {
		return fmt.Errorf("there are no pairs %d to %d of list %d", from, from+int64(n), list)
	}
	p := b.passes[list]
	to := uint64(from) + uint64(n)
	first := sort.Search(len(p.tiles), func(i int) bool { return p.tiles[i] > uint64(from) }) - 1
	end := sort.Search(len(p.tiles), func(i int) bool { return p.tiles[i] >= to })
	queries := min(p.query.entries, end*tile) - first*tile
	if err := s.reserve(&b.pairs, 8*n); err != nil {
		return err
	}
	window := []uint64{uint64(from), to, uint64(first * tile)}
	if err := upload(&s.memory, &b.window, window); err != nil {
		return err
	}
	return s.launch("sweep_write", queries,
		append(b.arguments(s, p, p.query.entries), p.at.arg(), p.before.arg(), b.window.arg(), b.pairs.arg())...)
}
