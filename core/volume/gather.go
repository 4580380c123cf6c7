package volume

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"ccd/core/geom"
)

// contactBytes is the memory of a contact until the list is returned: as found, two copies of its
// key during the sort, and in the list.
const contactBytes = 2*int(unsafe.Sizeof(Contact{})) + 2*sortKeyBytes

// gather merges the contacts of all workers; the list does not depend on which worker found which
// contact. It is divided at quantiles of the longest of the sorted lists, and the parts are merged
// in parallel.
func (s *Scene) gather() ([]Contact, error) {
	const least = 2048 // A part has at least this many contacts.
	var lists [][]sortKey
	n, longest := 0, 0
	for _, w := range s.workers[:s.call.Stats.Threads] {
		if n += len(w.keys); len(w.keys) > 0 {
			lists = append(lists, w.keys)
			if len(w.keys) > len(lists[longest]) {
				longest = len(lists) - 1
			}
		}
	}
	all := make([]Contact, n)
	s.call.Progress.List(n)
	if n == 0 {
		return all, nil
	}
	parts := max(1, min(n/least, 4*int(s.call.Stats.Threads)))
	var undecided atomic.Int64
	err := s.parallelFor(parts, func(i int) {
		part, at := slicePart(lists, lists[longest], i, parts)
		size := 0
		for _, list := range part {
			size += len(list)
		}
		if s.call.Progress.Pass(int64(size)) { // If Pass returns false, finish returns the error.
			undecided.Add(merge(part, all[at:]))
		}
	})
	s.call.Stats.Impacts, s.call.Stats.Undecided = int64(n), undecided.Load()
	return all, err
}

// slicePart returns part i of the given number: of every list the keys between two keys of cutter;
// and the number of keys before.
func slicePart(lists [][]sortKey, cutter []sortKey, i, parts int) (part [][]sortKey, before int) {
	for _, list := range lists {
		lo, hi := 0, len(list)
		if i > 0 {
			lo, _ = slices.BinarySearchFunc(list, cutter[i*len(cutter)/parts], compareKeys)
		}
		if i < parts-1 {
			hi, _ = slices.BinarySearchFunc(list, cutter[(i+1)*len(cutter)/parts], compareKeys)
		}
		before += lo
		if lo < hi {
			part = append(part, list[lo:hi])
		}
	}
	return part, before
}

// merge copies the contacts of sorted lists in order and returns the number of undecided ones.
func merge(lists [][]sortKey, to []Contact) (undecided int64) {
	for at := 0; len(lists) > 0; at++ {
		first := 0
		for i := 1; i < len(lists); i++ {
			if compareKeys(lists[i][0], lists[first][0]) < 0 {
				first = i
			}
		}
		if to[at] = *lists[first][0].c; to[at].Verdict == geom.Undecided {
			undecided++
		}
		if lists[first] = lists[first][1:]; len(lists[first]) == 0 {
			lists = slices.Delete(lists, first, first+1)
		}
	}
	return undecided
}
