package volume

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
)

// storeBlock is how many contacts a block of a store has: 156 kB.
const storeBlock = 1024

// store is a list of contacts that grows without moving them.
type store struct {
	blocks []*[storeBlock]Contact
	n      int
}

// contactBytes is what a contact takes until a list of all is handed out: as it is found, its place twice while they are sorted, and
// in the list.
const contactBytes = 2*int64(unsafe.Sizeof(Contact{})) + 2*int64(placeLen)

// add appends a contact, unless the budget has no room for it. Blocks are left from earlier calls, so that contacts are counted one
// by one.
func (s *store) add(c *Contact, b *engine.Budget) {
	if !b.Take(contactBytes) {
		return
	}
	if s.n == storeBlock*len(s.blocks) {
		s.blocks = append(s.blocks, new([storeBlock]Contact))
	}
	*s.at(s.n) = *c
	s.n++
}

func (s *store) at(i int) *Contact { return &s.blocks[i/storeBlock][i%storeBlock] }

func (s *store) bytes() int { return len(s.blocks) * int(unsafe.Sizeof([storeBlock]Contact{})) }

// gather merges what the crew found; the list does not depend on who found what. It is cut where the places of the longest of
// the sorted lists stand, so that the crew may merge the parts each on its own.
func (s *Scene) gather() ([]Contact, error) {
	const least = 2048 // contacts of a part
	var lists [][]place
	n, longest := 0, 0
	for _, w := range s.crew[:s.call.Stats.Threads] {
		if n += len(w.places); len(w.places) > 0 {
			lists = append(lists, w.places)
			if len(w.places) > len(lists[longest]) {
				longest = len(lists) - 1
			}
		}
	}
	all := make([]Contact, n)
	if n == 0 {
		return all, nil
	}
	parts := max(1, min(n/least, 4*int(s.call.Stats.Threads)))
	var undecided atomic.Int64
	err := s.share(parts, func(i int) {
		part, at := cutOut(lists, lists[longest], i, parts)
		undecided.Add(merge(part, all[at:]))
	})
	s.call.Stats.Impacts, s.call.Stats.Undecided = int64(n), undecided.Load()
	return all, err
}

// cutOut is part i of so many: of every list what lies between two places of the one that cuts; and how many places come before.
func cutOut(lists [][]place, cutter []place, i, parts int) (part [][]place, before int) {
	for _, list := range lists {
		lo, hi := 0, len(list)
		if i > 0 {
			lo, _ = slices.BinarySearchFunc(list, cutter[i*len(cutter)/parts], comparePlaces)
		}
		if i < parts-1 {
			hi, _ = slices.BinarySearchFunc(list, cutter[(i+1)*len(cutter)/parts], comparePlaces)
		}
		before += lo
		if lo < hi {
			part = append(part, list[lo:hi])
		}
	}
	return part, before
}

// merge copies the contacts of sorted lists in order, and counts the undecided ones.
func merge(lists [][]place, to []Contact) (undecided int64) {
	for at := 0; len(lists) > 0; at++ {
		first := 0
		for i := 1; i < len(lists); i++ {
			if comparePlaces(lists[i][0], lists[first][0]) < 0 {
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
