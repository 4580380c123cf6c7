package patch

import (
	"math"
	"unsafe"
)

// curvedSeparator moves the time of a cell on by quadrics, where planes make no progress: patches
// that come together over an area, or along a curve. Hulls of size h leave a gap of about h^2 times
// the curvature, so planes would need parts as small as the root of the tolerance all over the
// area. A quadric that is constant on one of the patches leaves none.
//
// For any function phi with phi > s on one subpatch and phi <= s on the other the two are apart, as
// they are if a plane does that. For a separation d,
//
//	phi(b) - phi(a) = (grad phi(a) + grad phi(b)).(b - a) / 2
//
// exactly, since phi is quadratic. So |b - a| > d if phi(b) - phi(a) > d L, with L at least the
// mean of |grad phi| on the two patches.
type curvedSeparator struct {
	of     *query
	tables [2]*products
	fitter fitter
	hosts  [2]composed // the quadric on the first and on the second subpatch
	plane  composed
	fits   [2]fitList

	active bool    // New cells are tried.
	next   int64   // the cell at which to try again whether quadrics pay
	used   bool    // New cells are or were tried.
	seen   bool    // The patches' shapes have been looked at.
	free   [2]bool // No quadric may be taken for that whole patch: its parts have their own.
	pays   payoff
	least  float64 // the least time of the cells queued since it was set

	thinUntil int64 // the cell at which long thin parts are given up, 0 before they are tried
}

// payoff counts whether quadrics pay.
type payoff struct {
	tried  int   // the number of cells that planes did not move lately
	gained int   // the number of those that a quadric moved
	begun  int64 // the number of checks before quadrics were first used
	given  bool  // Planes decide what is left.
}

// fitList keeps the quadrics of the subpatches of one patch.
type fitList struct {
	of   []int32 // the place of each node's quadric, plus one, or 0
	list []fitted
}

// fitted is a quadric, fitted at a time. ok is false if the subpatch has none.
type fitted struct {
	quadric
	at    float64 // the time, or 0 for a subpatch that only translates: its quadric fits at all times
	ok    bool
	like  bool // the subpatch is a quadric, but for what rounding of its control points may leave
	exact bool // it is so near to one that the difference does not matter
}

// The cells at which quadrics are first tried. Most queries are over by then; those between free
// forms go on for longer without need of quadrics.
const (
	firstRationalQuadric   = 32   // Rational patches are often quadrics.
	firstPolynomialQuadric = 64   // Polynomial patches seldom are.
	firstFreeFormQuadric   = 1024 // Neither patch is a quadric.
	firstWithContact       = 128  // A contact is known, and the patches follow each other roughly.
)

// begin begins a query.
func (c *curvedSeparator) begin(q *query) {
	c.of = q
	c.active, c.next, c.used, c.seen, c.pays = false, firstPolynomialQuadric, false, false, payoff{}
	c.free = [2]bool{}
	if q.trees[0].rational || q.trees[1].rational {
		c.next = firstRationalQuadric
	}
	for i := range c.fits {
		c.fits[i].of, c.fits[i].list = c.fits[i].of[:0], c.fits[i].list[:0]
	}
	flat := func(i int) bool { f := q.trees[i].form; return max(f.U, f.V) <= 1 && f.Shape != Quad }
	if q.adjacent || flat(0) && flat(1) || max(q.trees[0].n, q.trees[1].n) > maxComposed {
		c.next = math.MaxInt64
	}
}

// activate has new cells tried from now on.
func (c *curvedSeparator) activate() {
	if !c.used {
		c.pays.begun = c.of.Work.Checks
	}
	c.active, c.used, c.pays.tried, c.pays.gained = true, true, 0, 0
}

// mostCurvedChecks is the number of checks, from the first use of quadrics on, after which planes
// decide a pair: where quadrics serve, some thousands are enough. It is a variable for tests.
var mostCurvedChecks int64 = 1 << 15

// givesUp reports, once, that planes decide from now on.
func (c *curvedSeparator) givesUp() bool {
	if !c.used || c.pays.given || c.of.Work.Checks-c.pays.begun < mostCurvedChecks {
		return false
	}
	c.pays.given, c.active, c.next = true, false, math.MaxInt64
	return true
}

// move moves the time of a new cell on by quadrics, and returns false if they prove it to its end.
// stuck reports that planes did not move it. Where quadrics seldom move such cells either, they are
// left for later. Other cells are not counted: how far planes move those beyond another pair's
// contact depends on when that was found.
func (c *curvedSeparator) move(k *cell, stuck bool) bool {
	from := k.t0
	stays := c.advance(&k.t0, k.t1, k.a, k.b, &k.bend)
	if !stuck {
		return stays
	}
	if c.pays.tried++; !stays || k.t0 > from {
		c.pays.gained++
	}
	if c.pays.tried == curvedWindow {
		if 8*c.pays.gained < c.pays.tried {
			c.active, c.next = false, 4*c.of.Work.Cells
		}
		c.pays.tried, c.pays.gained = 0, 0
	}
	return stays
}

// curvedWindow is the number of cells over which is counted whether quadrics pay: whether they move
// one of eight. Where patches follow each other they move two of three and more, but few of those
// whose gap is near the rounding of both; a cell takes them five times as long as planes.
const curvedWindow = 32

// due reports whether a cell is one at which to try whether quadrics pay.
func (c *curvedSeparator) due(k *cell) bool {
	if c.active || c.of.Work.Cells < c.next || k.class != unrelated {
		return false
	}
	if !c.seen {
		c.seen = true
		c.prepare()
		curved := false
		for i := range c.free {
			curved = c.isQuadric(i, k.t0) || curved
			f := c.quadricOf(i, 0, k.t0)
			c.free[i] = f == nil || !f.exact
		}
		if !curved {
			c.next = firstFreeFormQuadric
			return false
		}
	}
	return true
}

// prepare finds the tables of both forms.
func (c *curvedSeparator) prepare() {
	for i := range c.tables {
		c.tables[i] = productsOf(c.of.trees[i].form)
	}
}

// isQuadric reports whether a patch is a curved quadric, as near as can be seen.
func (c *curvedSeparator) isQuadric(i int, at float64) bool {
	t := &c.of.trees[i]
	f := c.quadricOf(i, 0, at)
	if f == nil || !f.like {
		return false
	}
	size, most := 0.0, 0.0
	for _, p := range c.fitter.points {
		d := p.sub(f.c.along(f.at, f.v))
		size, most = max(size, d.most()), max(most, math.Abs(d.dot(f.times(d))))
	}
	return t.form.Shape != Curve && most > 0x1p-20*size
}

// bytes returns the memory of the quadrics of n subpatches, 0 if the query has none.
func (c *curvedSeparator) bytes(n int) int {
	if !c.seen {
		return 0
	}
	return n * (4 + int(unsafe.Sizeof(fitted{})))
}

// quadricOf returns the quadric of a subpatch at a time, or nil. Where the whole patch is a
// quadric, all parts have the same: one that is fitted to a thin part may be any that contains a
// curve.
func (c *curvedSeparator) quadricOf(i int, id int32, at float64) *fitted {
	l, t := &c.fits[i], &c.of.trees[i]
	if t.form.Shape == Curve {
		return nil
	}
	for len(l.of) <= int(id) {
		l.of = append(l.of, 0)
	}
	if l.of[id] == 0 {
		l.list = append(l.list, fitted{at: math.Inf(-1)})
		l.of[id] = int32(len(l.list))
	}
	if translates(t, id) {
		at = 0 // The order in which cells are tried must not change a bit.
	}
	place := l.of[id] - 1
	if l.list[place].at != at {
		f := c.fitTo(i, id, at) // The list may move.
		l.list[place] = f
	}
	if f := &l.list[place]; f.ok {
		return f
	}
	return nil
}

// fitTo fits a quadric to a subpatch.
func (c *curvedSeparator) fitTo(i int, id int32, at float64) (f fitted) {
	t := &c.of.trees[i]
	if id != 0 && !c.free[i] {
		if whole := c.quadricOf(i, 0, at); whole != nil && whole.exact {
			f = *whole
			x, n := t.points[int(id)*t.stride:], t.pad
			first := vec{x[0], x[n], x[2*n]}.along(at, vec{x[3*n], x[4*n], x[5*n]})
			f.quadric, f.at = whole.about(first.along(-at, whole.v)), at
			return f
		}
	}
	size, miss, ok := c.fitter.fit(&f.quadric, c.tables[i], t, id, at)
	f.at, f.ok, f.like = at, ok, ok && miss <= likeMiss
	f.exact = ok && (miss <= exactMiss || float64(miss*size) <= 0x1p-6*c.of.tolerance)
	return f
}

// The greatest misses, in parts of the size of a patch, of a quadric that may be the patch's own,
// and of one that is taken for it.
const (
	likeMiss  = 0x1p-20
	exactMiss = 0x1p-36
)

// translates reports whether all control points of a subpatch move alike, up to rounding.
func translates(t *tree, id int32) bool {
	v := meanRate(t, id)
	x, n := t.points[int(id)*t.stride:], t.pad
	for i := range t.n {
		if (vec{x[3*n+i], x[4*n+i], x[5*n+i]}).sub(v).most() > 0x1p-48*t.mag {
			return false
		}
	}
	return true
}

// advance moves the time t0 of two subpatches on to one up to which a quadric proves them apart,
// and returns false if that is t1. bend, unless it is nil, becomes the direction to halve them in:
// see choose.
func (c *curvedSeparator) advance(t0 *float64, t1 float64, a, b int32, bend *int8) bool {
	from, best := *t0, *t0
	choice := halving{to: noBend, gap: math.Inf(-1)}
	for i, id := range [2]int32{a, b} {
		q := c.quadricOf(i, id, from)
		if q == nil {
			continue
		}
		c.hosts[0].compose(&q.quadric, c.tables[0], &c.of.trees[0], a, from, t1, c.of.check.separation > 0)
		c.hosts[1].compose(&q.quadric, c.tables[1], &c.of.trees[1], b, from, t1, c.of.check.separation > 0)
		until := c.apart(&c.hosts[i], &c.hosts[1-i], from, t1)
		if until >= t1 {
			*t0 = t1
			return false
		}
		best = max(best, until)
		if bend == nil {
			continue
		}
		if h := c.choose(a, b, best); h.better(&choice) {
			choice = h
		}
	}
	*t0 = best
	if bend != nil {
		*bend = choice.to
	}
	return true
}

// apart returns the time up to which the values of the present quadric on two subpatches are proven
// apart from t0 on; t0 if they are not. host is the subpatch to which the quadric was fitted: its
// values change little, and are enclosed by one parabola.
func (c *curvedSeparator) apart(host, other *composed, t0, t1 float64) (until float64) {
	lo, hi := host.rangeAt(t0)
	low, high := other.rangeAt(t0)
	err, need := host.err+other.err, c.needed(host, other, t0, t0)
	sign := 1.0
	switch {
	case low-hi > need:
	case lo-high > need:
		sign = -1
	default:
		return t0
	}
	still := c.of.check.separation == 0 && host.still()
	until = t0
	for end, n := t1, 0; n < maxIntervals; n++ {
		least, root := c.gap(host, other, sign, err, until, end)
		if least > 0 {
			step := end - until
			until = end
			if end == t1 || step < 0.125*(until-t0) {
				break
			}
			if end = t1; !still {
				end = min(t1, until+2*step)
			}
			continue
		}
		switch {
		case root > until && root < end:
			end = root
		case still:
			return until
		default: // The interval is too long for its bounds to be of use.
			end = until + float64(0.125*(end-until))
		}
	}
	return until
}

// maxIntervals is how many intervals of time are tried for one quadric, one after another. The
// parabola that encloses the host's values is the better the shorter the interval is.
const maxIntervals = 20

// needed returns by how much the values on two subpatches must differ over an interval of time: by
// the bounds on their errors, and with a separation d by d L.
func (c *curvedSeparator) needed(host, other *composed, t0, t1 float64) float64 {
	err, d := host.err+other.err, c.of.check.separation
	if d == 0 {
		return err
	}
	l := 0.5 * (host.steepest(c.of.check.euclidean, t0, t1) + other.steepest(c.of.check.euclidean, t0, t1))
	return (err + float64(d*l)) * (1 + 0x1p-50)
}

// gap encloses sign times the difference of the values on other and on host over an interval of
// time, less what the separation asks for, rounding and its bound. It returns the least Bernstein
// coefficient of it: if that is positive, the subpatches keep apart. Else root is about the last
// time up to which the coefficients are positive.
func (c *curvedSeparator) gap(host, other *composed, sign, err, t0, t1 float64) (least, root float64) {
	need := c.needed(host, other, t0, t1)
	inf := math.Inf(1)
	top := parabola{-inf, -inf, -inf}
	for o := range host.values {
		b := host.over(&host.values[o], t0, t1)
		for k := range top {
			top[k] = max(top[k], sign*b[k])
		}
	}
	least, first := inf, 1.0
	for o := range other.values {
		b := other.over(&other.values[o], t0, t1)
		g := parabola{float64(sign*b[0]) - top[0] - need, float64(sign*b[1]) - top[1] - need,
			float64(sign*b[2]) - top[2] - need}
		m := min(g[0], g[1], g[2])
		if least = min(least, m); !(m > 0) {
			first = min(first, positiveUntil(&g, err))
		}
	}
	return least, t0 + float64(first*(t1-t0))
}

// positiveUntil returns about the greatest s up to 1 for which the parabola with the Bernstein
// coefficients g on [0,1] has coefficients above a margin on [0,s]: its first root, or beyond its
// vertex if it has none.
func positiveUntil(g *parabola, margin float64) float64 {
	c := g[0] - margin
	if !(c > 0) {
		return 0
	}
	b, a := 2*(g[1]-g[0]), g[0]-2*g[1]+g[2]
	d := float64(b*b) - float64(4*float64(a*c))
	switch {
	case d >= 0 && b < 0:
		return 2 * c / (math.Sqrt(d) - b)
	case d >= 0 && a < 0:
		return (b + math.Sqrt(d)) / (-2 * a)
	case b < 0:
		return 2 * c / -b
	}
	return 1
}
