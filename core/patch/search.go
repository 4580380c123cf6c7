package patch

import (
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
)

// search takes up cells of a query in the order of the time up to which they are known to be apart,
// until one settles it.
type search struct {
	query
	heap      queue
	newton    newtonTurn
	known     newtonContact
	finder    contactFinder
	excluder  excluder
	certifier certifier
	sheets    sheetProof
	curved    curvedSeparator

	incumbent *engine.Incumbent[Impact] // nil, or the earliest impact so far of a scene in which this pair is one
	pair      placedPair                // the pair's place in that scene
	skipped   int                       // the number of cells that were skipped because of the incumbent

	limit    limit
	progress *engine.Progress // nil, or the progress of the call that has this query
}

// newtonTurn says when Newton's method is tried. It is tried at the first cell already if atOnce is
// true. For curved patches it fails there, and a search for the earliest impact gives up most pairs
// at the second.
type newtonTurn struct {
	next   int64 // the cell at which to try it again
	atOnce bool
}

// pairSearch decides the query of one pair. Its methods take and return values: pointers would make
// every cell and impact escape to the heap.
type pairSearch interface {
	start() (root cell, ok bool) // checks the whole patches; false if they keep apart
	find() Impact                // decides the query
}

// start checks the whole patches; ok is false if they keep apart.
func (s *search) start() (root cell, ok bool) {
	root.t1 = s.until
	return root, s.admit(&root)
}

// apart decides the query of patches that have nothing in common by construction.
type apart struct{ of *search }

func (p apart) start() (root cell, ok bool) { return p.of.start() }
func (p apart) expand(c cell)               { p.of.expand(c) }
func (p apart) find() Impact                { return p.of.run(p) }

// expander begins with a cell, and replaces cells by smaller ones.
type expander interface {
	start() (root cell, ok bool)
	expand(c cell)
}

// run takes up cells until one settles the query.
func (s *search) run(by expander) (im Impact) {
	im.SetSeparate()
	root, ok := by.start()
	defer func() { s.Work.Directions = s.check.steps }()
	if !ok {
		return im
	}
	s.heap.Push(&root)
	for len(s.heap) > 0 {
		c := s.heap.Pop()
		if s.beaten(&c) {
			return im
		}
		s.Work.Cells++
		if putOff(s, &c) {
			return im
		}
		if s.settled(&c, &im) {
			return im
		}
		if why := s.spent(len(s.heap) + s.skipped); why != 0 {
			s.undecided(&c, why|s.overArea(&c), &im)
			return im
		}
		by.expand(c)
	}
	s.finish(&im)
	return im
}

// expand halves a cell into smaller ones, unless sheetProof proves that all cells are apart for
// longer.
func (s *search) expand(c cell) {
	if s.sheetsApart(c.t0) {
		return
	}
	if s.curved.givesUp() {
		beginAgain(s, c.t0)
		return
	}
	if s.check.thin && s.Work.Cells >= s.curved.thinUntil {
		s.check.thin = false
		beginAgain(s, c.t0)
		return
	}
	if s.curved.due(&c) {
		tryQuadrics(s, &c)
		return
	}
	s.split(&c)
}

// beginAgain puts the whole patches in the place of all cells, from the time that the search has
// reached.
func beginAgain(s *search, at float64) {
	root := cell{t0: at, t1: s.until}
	if s.heap = s.heap[:0]; s.admit(&root) {
		s.queue(&root)
	}
}

// queue puts a cell into the queue, unless another pair is known to come first at the cell's time.
// Such cells are counted in skipped.
func (s *search) queue(c *cell) {
	if c.t0 > s.check.horizon {
		s.skipped++
		return
	}
	s.heap.Push(c)
}

// limit is the budget of a search.
type limit struct {
	checks int64
	cells  int
	bytes  int
}

func limitOf(o *Options) limit {
	l := limit{o.MaxIterations, 0, o.memory()}
	if l.checks == 0 {
		l.checks = math.MaxInt64
	}
	l.cells = l.bytes / 128
	return l
}

// spent returns the limit that is reached, as one of geom's reasons, or 0; waiting is the number of
// cells kept. A canceled call returns no impact, so any reason may end its searches.
func (s *search) spent(waiting int) (why uint32) {
	if s.progress != nil && s.Work.Cells%passEvery == 0 && !s.progress.Pass(0) {
		return geom.ReasonIterations
	}
	l := &s.limit
	switch {
	case s.Work.Checks >= l.checks:
		return geom.ReasonIterations
	case waiting > l.cells || heldBytes(s) > l.bytes:
		return geom.ReasonMemory
	}
	return 0
}

// passEvery is the number of cells between two calls of Progress.Pass: a few milliseconds at most.
const passEvery = 1 << 8

// beginSearch begins the search of a query.
func (s *search) beginSearch(a, b *Patch, o *Options, shared sharedPoints, coarse float64) {
	s.query.beginQuery(a, b, o, shared, coarse)
	s.heap, s.limit = s.heap[:0], limitOf(o)
	s.check.horizon, s.skipped, s.pair.waits = math.Inf(1), 0, false
	s.newton.next = 1
	s.sheets.begin(&s.query)
	s.curved.begin(&s.query)
	s.check.thin, s.curved.thinUntil = false, 0
	s.newton.atOnce = s.incumbent == nil && max(a.Form.U, a.Form.V, b.Form.U, b.Form.V) <= 1
	s.known = newtonContact{}
	s.excluder.begin(&s.query)
	s.finder.query, s.certifier.query = &s.query, &s.query
}

// admit checks a new cell, and returns false if its subpatches stay apart.
func (s *search) admit(c *cell) bool {
	if cutAway(&s.query, c) {
		return false
	}
	s.Work.Checks++
	s.selectPair(c.a, c.b)
	from := c.t0
	if !s.check.advance(&c.t0, c.t1, &c.dir) {
		return false
	}
	if c.closest, c.bend = s.check.last.closestFeatures(), noBend; s.check.thin {
		c.bend = bendOf(s, c)
	}
	return !s.curved.active || c.t0 > s.check.horizon || s.curved.move(c, c.t0 == from)
}

// sheetsApart restarts the search at the time up to which sheetProof holds. It returns false if
// that is no later than from, the time that the search has reached.
func (s *search) sheetsApart(from float64) bool {
	until, all := s.sheets.prove(from)
	if !(until > from) && !all {
		return false
	}
	s.excluder.earliest = max(s.excluder.earliest, until)
	root := cell{t0: until, t1: s.until, bend: noBend}
	if s.heap, s.newton.next = s.heap[:0], 0; !all && s.admit(&root) {
		s.heap.Push(&root)
	}
	return true
}

// split halves the larger subpatch of a cell twice and puts the pairs that may meet into the queue;
// if it is known where the cell bends most, it halves there, once.
func (s *search) split(c *cell) {
	if c.bend != noBend {
		which := int(c.bend) / 2
		first := halveAlong(&s.trees[which], [2]int32{c.a, c.b}[which], int(c.bend)%2)
		s.offer(c, which, first)
		s.offer(c, which, first+1)
		return
	}
	which := 0
	a, b := s.trees[0].node(c.a), s.trees[1].node(c.b)
	if a.dir < 0 || (b.dir >= 0 && b.size > a.size) {
		which = 1
	}
	t := &s.trees[which]
	id := [2]int32{c.a, c.b}[which]
	first := t.halve(id)
	for h := first; h < first+2; h++ {
		if t.node(h).dir < 0 {
			s.offer(c, which, h)
			continue
		}
		for q, k := t.halve(h), int32(0); k < 2; k++ {
			s.offer(c, which, q+k)
		}
	}
}

// offer puts the cell with one subpatch replaced into the queue, unless it stays apart.
func (s *search) offer(c *cell, which int, id int32) {
	k := cell{t0: c.t0, t1: min(c.t1, s.until), a: c.a, b: c.b, depth: c.depth + 1, dir: c.dir}
	if which == 0 {
		k.a = id
	} else {
		k.b = id
	}
	if k.t0 <= k.t1 && !s.excluder.excluded(&k) && s.admit(&k) && (!s.sheets.over.parts || s.sheets.apartInParts(&k)) {
		s.curved.least = min(s.curved.least, k.t0)
		s.queue(&k)
	}
}

// settled reports whether the cell with the least time settles the query. A cell of neighbors,
// which may touch all the time, does so by its time alone.
func (s *search) settled(c *cell, im *Impact) bool {
	if s.knownIsFirst(c, im) {
		return true
	}
	if c.class != unrelated {
		return false
	}
	lo := min(c.t0, s.excluder.earliest)
	a, b := s.trees[0].node(c.a), s.trees[1].node(c.b)
	last := a.dir < 0 && b.dir < 0
	if s.known.found && !s.known.tried && s.Work.Cells >= s.excluder.nextTry {
		s.excluder.try(&s.known, c.t0)
	}
	if !last && s.Work.Cells < s.newton.next {
		return s.curved.used && s.Work.Cells%approachEvery == 0 && contactNear(s, c, lo, im)
	}
	newton := s.check.separation == 0 && (s.Work.Cells > 1 || s.newton.atOnce)
	s.newton.next = max(6, 2*s.Work.Cells)
	enough := s.enough(c.t0)
	var p place
	s.guess(c, &p)
	far := s.approach(&p, c.t0, 0.01*enough)
	if !holds(&s.query, &p.x) {
		far = withinLoops(s, c, &p, enough)
	}
	if s.shared.Strays(c.a, c.b, p.x) {
		far = s.backToCell(c, &p)
	}
	if last {
		s.selectPair(c.a, c.b)
		s.gapError = gapBound(&s.check.a, &s.check.b, s.check.separation)
	}
	if last && s.known.found && far > enough {
		s.contact(lo, &s.known, im)
		return true
	}
	if last || far <= enough {
		if t, ok := s.finder.closes(&p, c.t0, far, enough); ok {
			s.contact(lo, &newtonContact{place: p, t: t}, im)
		} else {
			s.undecided(c, geom.ReasonCoarse, im)
		}
		return true
	}
	if !newton {
		return false
	}
	in := s.finder.find(&p, c.t0)
	if in.found && in.t >= c.t0 && (!s.known.found || in.t < s.known.t) {
		s.known = in
		s.until = min(s.until, in.t)
		s.excluder.try(&s.known, c.t0)
	}
	if s.knownIsNear(lo) {
		s.contact(lo, &s.known, im)
		return true
	}
	return false
}

// backToCell moves a place that strayed to where the patches always touch back to the nearest
// points of the cell's hulls, and returns its distance from contact there. Newton's method is tried
// again soon.
func (s *search) backToCell(c *cell, p *place) float64 {
	s.newton.next = s.Work.Cells + s.Work.Cells/8 + 1
	s.guess(c, p)
	if s.shared.Strays(c.a, c.b, p.x) {
		return math.Inf(1)
	}
	s.evaluate(&p.x, 1)
	return s.check.size(s.check.excess(s.difference(c.t0)))
}

// finish writes the impact when the queue is empty: the known contact, if there is one. Where cells
// were skipped, another pair comes first.
func (s *search) finish(im *Impact) {
	if lo := min(s.known.t, s.excluder.earliest); s.known.found && !(s.skipped > 0 && lo > s.check.horizon) {
		s.contact(lo, &s.known, im)
	}
}

// knownIsFirst writes the impact once the known contact is the first, or so near to the first that
// further search gains nothing; it reports whether.
func (s *search) knownIsFirst(c *cell, im *Impact) bool {
	lo := min(c.t0, s.excluder.earliest)
	if s.known.found && (s.known.t <= lo || s.excluder.earliest < c.t0) || s.knownIsNear(lo) {
		s.contact(min(lo, s.known.t), &s.known, im)
		return true
	}
	return false
}

// knownIsNear reports whether the known contact is so near to the time lo, before which there is
// none, that the patches' motion from lo to it, and the distance that remains between them, are
// within the tolerance.
func (s *search) knownIsNear(lo float64) bool {
	b := &s.known
	if !b.found || lo == 0 && s.noZero && b.t > 0 {
		return false
	}
	return float64((b.t-lo)*b.speed)+b.distance <= s.tolerance
}

// contact writes the verdict Contact: the patches are apart before lo, and the points of the
// contact are within the tolerance at its time.
func (s *search) contact(lo float64, in *newtonContact, im *Impact) {
	*im = Impact{Verdict: geom.Contact, A: -1, B: -1, TOILo: lo, TOIHi: max(lo, in.t)}
	if r, ok := s.certifier.certify(in, s.end); ok && holdsAround(&s.query, &in.x, r) {
		// Law 9: the points must be within the tolerance at the later time that a certificate
		// names. A place that Newton's method has not brought together, a cell's center, may be as
		// far apart as that before.
		late := max(lo, in.t+r)
		if s.check.size(s.check.excess(s.difference(late))) <= s.tolerance+s.contactTolerance {
			im.Flags |= geom.Certified
			im.TOIHi = late
		}
	}
	s.report(&in.place, im)
}

// undecided writes the verdict of a spent budget. The cell's time is still safe, unless a box was
// excluded only up to an earlier time.
func (s *search) undecided(c *cell, why uint32, im *Impact) {
	*im = Impact{Verdict: geom.Undecided, Flags: why, A: -1, B: -1,
		TOILo: min(c.t0, s.excluder.earliest), TOIHi: s.until}
	p := place{x: s.center(c)}
	s.report(&p, im)
}
