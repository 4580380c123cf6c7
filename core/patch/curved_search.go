package patch

import "math"

// tryQuadrics halves a cell, and begins to use quadrics if one of them proves as much for the cell
// as planes do for all its parts. The search then begins again at the time that it has reached,
// since there are fewer and larger cells then. Where the patches meet along a line it begins again
// with planes, which need long thin parts there.
func tryQuadrics(s *search, c *cell) {
	if s.curved.next = 2 * s.Work.Cells; s.known.found {
		s.curved.next = max(s.curved.next, firstWithContact)
	}
	t := c.t0
	pays := !s.curved.advance(&t, c.t1, c.a, c.b, nil) || t > c.t0
	// The times of the parts must not depend on other pairs of the scene.
	horizon := s.check.horizon
	s.check.horizon, s.curved.least = math.Inf(1), math.Inf(1)
	s.split(c)
	s.check.horizon = horizon
	switch {
	case pays && t-c.t0 >= float64(0.25*(s.curved.least-c.t0)) && s.curved.follows(c, min(t, c.t1), followShare(s)):
		s.curved.activate()
	case s.curved.thinUntil == 0 && meetAlongLine(s, c):
		s.check.thin, s.curved.thinUntil = true, s.Work.Cells+mostThin
	default:
		return
	}
	beginAgain(s, c.t0)
}

// followShare returns how much one patch may bend against the quadric of the other, in parts of
// what planes leave. Where Newton's method has found a contact, an exclusion around it often ends
// the search soon, unless the patches follow each other closely.
func followShare(s *search) float64 {
	if s.known.found && s.Work.Cells < firstWithContact {
		return 0x1p-8
	}
	return 0x1p-4
}

// approachEvery is the number of cells between two looks for points within the tolerance, while
// quadrics are used: the time then moves to that of the contact after few cells.
const approachEvery = 8

// contactNear writes the impact and returns true if points near those of a cell are within the
// tolerance.
func contactNear(s *search, c *cell, lo float64, im *Impact) bool {
	var p place
	s.guess(c, &p)
	enough := s.enough(c.t0)
	if d := s.check.separation; d > 0 { // The nearest points come first: from others a small excess shrinks slowly.
		s.check.separation = 0
		s.approach(&p, c.t0, 0)
		s.check.separation = d
	}
	far := s.approach(&p, c.t0, 0.01*enough)
	if !(far <= enough && holds(&s.query, &p.x)) {
		return false
	}
	s.contact(lo, &newtonContact{place: p, t: c.t0}, im)
	return true
}

// heldBytes returns the memory of the trees and of the quadrics of a search.
func heldBytes(s *search) int {
	return s.bytes() + s.curved.bytes(len(s.trees[0].nodes)+len(s.trees[1].nodes))
}
