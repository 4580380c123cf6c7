package patch

import (
	"math"

	"ccd/core/narrow"
)

// Solver answers queries. It is one goroutine's scratch, which grows to what queries need and is kept.
//
// The cost of the last query is in Work, of the query.
type Solver struct {
	query
	heap queue

	best   incumbent
	excl   excluder
	cert   certifier
	boxed  boxed
	sheets sheetProof
	hood   *neighbourhood // of patches that may have points in common by construction, else nil

	race  *race     // nil, or the search for an earliest impact of which this pair is one
	pair  candidate // in it
	spare int       // cells that were left out for it
	soon  bool      // try it at the first cell: of curved patches it fails there, and most pairs of a race are given up at the second
	next  int64     // the cell at which to try Newton's method again

	stop    func() bool // nil, or whether the caller wants no answer any more
	stopped bool        // it does not
}

// Solve answers whether a and b, moving over the step, come within the separation, and when first.
//
// Laws 1, 2: Separate is a proof for all t <= TMax; whatever the verdict, the patches keep more than the separation for
// every t < TOILo. Law 3: at some time in [TOILo, TOIHi] the points at UVA and UVB are within the separation, the tolerance
// and what rounding leaves (docs/numerics.md). Law 4: Undecided only when the budget is spent.
//
// The search takes up pairs of subpatches in the order of the time up to which they are known to be apart (paper 2024,
// algorithm 2, departs in all but that): the larger of the two is halved twice, each of the four pairs is checked by
// advance and goes back into the queue. So when a pair is taken up at t0, all others are apart before t0 too.
func (s *Solver) Solve(a, b *Patch, o *Options, im *Impact) error {
	if err := o.Check(); err != nil {
		return err
	}
	s.solve(a, b, o, im)
	return nil
}

func (s *Solver) solve(a, b *Patch, o *Options, im *Impact) {
	a, b = s.ordered(a, b)
	s.begin(a, b, o)
	defer func() { s.Work.Directions = s.check.steps }()
	if o.Method != narrow.Default {
		s.solveBoxed(o, im)
		return
	}
	im.SetSeparate()
	root := cell{t1: s.until}
	if !s.admit(&root) {
		return
	}
	s.heap.push(&root)
	limit := s.limits(o)
	for len(s.heap) > 0 {
		c := s.heap.pop()
		if s.outdone(&c) {
			return
		}
		s.Work.Cells++
		if s.settled(&c, im) {
			return
		}
		if s.spent(&limit) {
			s.undecided(&c, im)
			return
		}
		if s.sheetsApart(c.t0) {
			continue
		}
		s.split(&c)
	}
	s.exhausted(im)
}

// outdone tells whether another pair of a scene wins, whatever is found from a cell taken up on: the answer will be no earlier than this
// cell, for all others are apart as long as it, than the boxes that were excluded until s.excl.first, or than the contact known.
func (s *Solver) outdone(c *cell) bool {
	if s.race == nil {
		return false
	}
	s.check.late = s.race.least()
	from := min(c.t0, s.excl.first)
	if s.best.found {
		from = min(from, s.best.t)
	}
	return s.race.lost(from, &s.pair)
}

// queue puts a cell into the queue, unless the search is given up before it would be taken up. Such cells count all the same.
func (s *Solver) queue(c *cell) {
	if c.t0 > s.check.late {
		s.spare++
		return
	}
	s.heap.push(c)
}

// limit is when to stop.
type limit struct {
	checks int64
	cells  int
	bytes  int
}

func (s *Solver) limits(o *Options) limit {
	l := limit{o.MaxBoxes, 0, o.memory()}
	if l.checks == 0 {
		l.checks = math.MaxInt64
	}
	l.cells = l.bytes / 128
	return l
}

// spent tells whether a limit is reached, or the caller has asked to stop: it is asked every now and then.
func (s *Solver) spent(l *limit) bool {
	if s.Work.Cells%pulse == 0 && s.stop != nil && !s.stopped {
		s.stopped = s.stop()
	}
	return s.stopped || s.Work.Checks >= l.checks || len(s.heap)+s.spare > l.cells || s.bytes() > l.bytes
}

// pulse is how many cells are taken up before the caller is asked again: a millisecond or a few.
const pulse = 1 << 8

// begin starts the search of a query.
func (s *Solver) begin(a, b *Patch, o *Options) {
	s.query.begin(a, b, o, s.hood.width())
	s.heap = s.heap[:0]
	s.check.late, s.spare = math.Inf(1), 0
	s.next = 1
	s.sheets.begin(&s.query)
	s.soon = s.race == nil && max(a.Form.U, a.Form.V, b.Form.U, b.Form.V) <= 1
	s.best = incumbent{}
	s.excl.begin(&s.query)
	s.cert.query = &s.query
}

// admit checks a new cell; false if its subpatches stay apart.
func (s *Solver) admit(c *cell) bool {
	s.Work.Checks++
	s.pick(c.a, c.b)
	if !s.check.advance(&c.t0, c.t1, &c.dir) {
		return false
	}
	c.touch = s.check.last.witness()
	return true
}

// sheetsApart begins the search again from the time up to which sheetProof holds. False if that is no later than from, where the search is.
func (s *Solver) sheetsApart(from float64) bool {
	until, all := s.sheets.prove(from)
	if !(until > from) && !all {
		return false
	}
	s.excl.first = max(s.excl.first, until)
	root := cell{t0: until, t1: s.until}
	if s.heap, s.next = s.heap[:0], 0; !all && s.admit(&root) {
		s.heap.push(&root)
	}
	return true
}

// split halves the larger subpatch of a cell twice and puts the pairs that may meet into the queue.
func (s *Solver) split(c *cell) {
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
func (s *Solver) offer(c *cell, which int, id int32) {
	k := cell{t0: c.t0, t1: min(c.t1, s.until), a: c.a, b: c.b, depth: c.depth + 1, dir: c.dir}
	if which == 0 {
		k.a = id
	} else {
		k.b = id
	}
	if k.t0 <= k.t1 && !s.excl.excluded(&k) && s.admit(&k) && (!s.sheets.over.parts || s.sheets.apartInParts(&k)) {
		s.queue(&k)
	}
}

// settled tells whether the cell taken up, the one with the least time, settles the query.
func (s *Solver) settled(c *cell, im *Impact) bool {
	if s.met(c, im) {
		return true
	}
	lo := min(c.t0, s.excl.first)
	a, b := s.trees[0].node(c.a), s.trees[1].node(c.b)
	last := a.dir < 0 && b.dir < 0
	if s.best.found && !s.best.tried && s.Work.Cells >= s.excl.again {
		s.excl.try(&s.best, c.t0)
	}
	if !last && s.Work.Cells < s.next {
		return false
	}
	newton := s.check.separation == 0 && (s.Work.Cells > 1 || s.soon)
	s.next = max(6, 2*s.Work.Cells)
	enough := s.tolerance
	if c.t0 == 0 && s.noZero {
		enough = 2 * s.slack
	}
	var p place
	s.guess(c, &p)
	far := s.approach(&p, c.t0, 0.01*enough)
	if s.strays(c, &p.x) {
		far = s.returned(c, &p)
	}
	if last {
		s.pick(c.a, c.b)
		s.slack = gapBound(&s.check.a, &s.check.b, s.check.separation)
	}
	if last && s.best.found && far > enough {
		s.contact(lo, &s.best, im)
		return true
	}
	if last || far <= enough {
		if t, ok := s.closes(&p, c.t0, far, enough); ok {
			s.contact(lo, &incumbent{place: p, t: t}, im)
		} else {
			s.undecided(c, im)
		}
		return true
	}
	if !newton {
		return false
	}
	in := s.contactFrom(&p, c.t0)
	if s.hood != nil && !in.found {
		in = s.anyContact(&p, c.t0)
	}
	if in.found && in.t >= c.t0 && (!s.best.found || in.t < s.best.t) {
		s.best = in
		s.until = min(s.until, in.t)
		s.excl.try(&s.best, c.t0)
	}
	if s.near(lo) {
		s.contact(lo, &s.best, im)
		return true
	}
	return false
}
