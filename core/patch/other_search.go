package patch

import "gonum.org/v1/gonum/spatial/r3"

// Search decides pairs in another way than this package. The caller passes it in Options, so this
// package imports none; core/reference/boxed is one. Several workers call it at the same time.
type Search interface {
	Check() error // whether its own options are valid
	// Find decides a query by q.Contact or q.Undecided. Without either the result is Separate.
	Find(q *Query)
}

// Query is a pair of patches over a step as a Search sees it: in a local space, whose unit is a
// power of two and whose origin lies between the patches and moves with them. Each of the two
// patches is a tree of subpatches, made by halving; subpatch 0 is the whole.
type Query struct {
	Options    *Options // The call's options; the search takes TMax, Tolerance and MinSeparation from the fields below.
	TMax       float64  // times in [0, TMax] matter
	Tolerance  float64  // a length in the local unit, as are all lengths here
	Separation float64
	GapError   float64 // the bound on the error of a gap between the whole patches: see Pair
	Work       *Work   // the search counts Checks and Directions

	search *search
	im     *Impact
}

// handedIn decides a query by the Search of the options.
type handedIn struct {
	of *search
	o  Options
}

func (h handedIn) start() (root cell, ok bool) { return h.of.start() }

func (h handedIn) find() (im Impact) {
	s := h.of
	im.SetSeparate()
	h.o.Search.Find(&Query{&h.o, s.until, s.tolerance, s.check.separation, s.gapError, &s.Work, s, &im})
	return im
}

// Form returns the form of patch i, 0 or 1, of the query. Their order is that of the query, not of
// the caller.
func (q *Query) Form(i int) Form { return q.search.trees[i].form }

// Pair returns subpatch a of the first patch and b of the second, and a bound on the error of a gap
// between them: the difference of two projections on a unit vector, less the separation, as
// computed from Subpatch.Point and Reach. The subpatches are valid up to the next call.
func (q *Query) Pair(a, b int32) (first, second *Subpatch, gapError float64) {
	gapError = q.gapError(a, b)
	return &q.search.check.a, &q.search.check.b, gapError
}

// Reach returns how far apart along n two sets of points must be to keep the separation.
func (q *Query) Reach(n r3.Vec) float64 { return q.search.check.reach(vec(n)) }

// Divisible reports whether a subpatch of patch i can be halved: it is no point, and its range of
// parameters has doubles inside.
func (q *Query) Divisible(i int, id int32) bool {
	t := &q.search.trees[i]
	return t.form.U > 0 && t.node(id).dir >= 0
}

// Halve returns the first of the two halves of a subpatch; the second has the next number. along is
// the direction: 0 for u, 1 for v, or -1 for that in which the net is longest, which a triangle
// needs.
func (q *Query) Halve(i int, id int32, along int) (first int32) {
	t := &q.search.trees[i]
	if along >= 0 {
		t.node(id).dir = int8(along)
	}
	return t.halve(id)
}

// Width returns the width of the parameters of a subpatch.
func (q *Query) Width(i int, id int32) (w float64) {
	t := &q.search.trees[i]
	for d := range t.dirs {
		if t.form.U > 0 {
			w = max(w, t.edge(&t.nodes[id], d))
		}
	}
	return w
}

// Next records that the search takes up a pair of subpatches, and that there is no contact before
// time t. It returns false if the search may stop, because another pair of the scene comes first.
func (q *Query) Next(t float64) bool {
	if q.search.beaten(&cell{t0: t}) {
		return false
	}
	q.Work.Cells++
	return true
}

// Spent returns why the budget is spent, one of geom's reasons, or 0; waiting is how many pairs of
// subpatches the search keeps. A call that is cancelled has some reason.
func (q *Query) Spent(waiting int) (why uint32) { return q.search.spent(waiting) }

// Onward moves the first time t0 of two subpatches on to one before which they are apart, as this
// package's own search does, and returns false if they are until t1. Where a positive time is
// required it proves what boxes at the time 0 would take too many parts for: law 8.
func (q *Query) Onward(a, b int32, t0 *float64, t1 float64) bool {
	var n vec
	q.search.selectPair(a, b)
	return q.search.check.advance(t0, t1, &n)
}

// Near reports whether the middles of two subpatches are near enough at a time to be a contact: law
// 3, and law 8 where a positive time is required.
func (q *Query) Near(a, b int32, t float64) bool {
	s := q.search
	p := q.place(a, b, t)
	s.evaluate(&p.x, 0)
	enough := s.contactTolerance
	if !(t == 0 && s.noZero) || !q.Divisible(0, a) && !q.Divisible(1, b) {
		s.gapError = q.gapError(a, b)
		enough = s.farthestContact(t)
	}
	return s.check.size(s.check.excess(s.difference(t))) <= enough
}

// gapError returns the bound of Pair.
func (q *Query) gapError(a, b int32) float64 {
	c := &q.search.check
	q.search.selectPair(a, b)
	return gapBound(&c.a, &c.b, c.separation)
}

// place returns the middles of two subpatches, or, where only rounding may make a contact of them,
// the points beside them that are nearest to each other.
func (q *Query) place(a, b int32, t float64) place {
	s := q.search
	p := place{x: s.center(&cell{a: a, b: b})}
	if t == 0 && s.noZero {
		s.approach(&p, t, 0.01*s.enough(t))
	}
	return p
}

// Contact sets the result to a contact at time t in the middles of two subpatches; there must be
// none before.
func (q *Query) Contact(a, b int32, t float64) {
	q.search.contact(t, &newtonContact{place: q.place(a, b, t), t: t}, q.im)
}

// Undecided sets the result to undecided, for one of geom's reasons: there is no contact before
// time t, and the middles of two subpatches may be a contact.
func (q *Query) Undecided(a, b int32, t float64, why uint32) {
	q.search.undecided(&cell{a: a, b: b, t0: t}, why, q.im)
}

// Len returns how many control points a subpatch has.
func (s *Subpatch) Len() int { return s.n }

// Corners returns the numbers of the control points at the corners: the first, the ends of u and of
// v, and of a quad the one opposite.
func (s *Subpatch) Corners() []int32 { return s.corners }

// Point returns control point i at t=0 and its displacement over the step.
func (s *Subpatch) Point(i int) (p, displacement r3.Vec) {
	x, n := s.x[i:], s.pad
	return r3.Vec{X: x[0], Y: x[n], Z: x[2*n]}, r3.Vec{X: x[3*n], Y: x[4*n], Z: x[5*n]}
}
