package clearance

import (
	"math"
	"math/bits"

	"ccd/core/geom"
	"ccd/core/num"
)

// Features followed over time, in double-doubles. The certificates of euclid.go have directions
// that go linearly from one time to another, and lose a margin that grows with the square of the
// angle that they turn by. A pair that slides at a distance within 1e-17 of d has no such margin.
// The polynomials of the features lose nothing: they are Bernstein forms over a whole part of time.
//
// Statement. Over a part of time, the pair is
//
//   - apart, if (A.N)^2 - d^2 N.N > 0 throughout: the plane of the polygon is farther than d;
//   - apart, if for each feature near > 0 throughout, or a polynomial of its region is < 0
//     throughout: the nearest point lies in the relative interior of a feature, with the region > 0
//     there, or >= 0 by continuity, and near <= 0 in a contact;
//   - in contact, if for one feature near < 0 and the region > 0 throughout;
//   - turning at the only root of near, if for one feature the region > 0 throughout, the signs of
//     near change once, and this is the inside or all others are excluded as above: the nearest
//     point is in this feature, so contact is where near <= 0. (The foot of the perpendicular in
//     the polygon is the nearest point.)
//
// The last polynomial of each region, e.e or N.N, is not needed: the sum of others is e.e or N.N.
// A part that is none of these is halved.
//
// Without a separation the inside's near is A.N, and either sign of it keeps the pair apart;
// contact is at its root alone.
//
// Every polynomial is held with a bound on its error, see bernstein.go. So the answers are proofs,
// and what double-doubles cannot tell is left open. The root of a turning part is between doubles
// that double-doubles, and where these cannot tell, the exact signs of near at doubles show.

// Verdicts of a part of time.
type verdict int8

const (
	open verdict = iota
	apart
	inContact
	turning
)

// Course is a pair that Follower follows: straight paths in this package, polynomials in package
// curved.
type Course interface {
	// Over sets the corners, edges and bounds of f for the time from lo to hi: of the degree 0 if
	// they are one time.
	Over(lo, hi float64, f *Follower)
	// LookDouble, Ahead and Touches are those of EuclideanResolver, the last two at the time of the
	// last LookDouble.
	LookDouble(t float64, x *NearestDouble)
	Ahead(x *NearestDouble) float64
	Touches(x *NearestDouble) bool
	// Holds reports whether the direction of x keeps the pair apart from lo to hi.
	Holds(x *NearestDouble, lo, hi float64) bool
	// Stays reports whether the pair is certainly in contact from x's time to y's.
	Stays(x, y *NearestDouble) bool
	// Sign returns the exact sign of a polynomial of a feature at t: 0 is its near, others are its
	// region in the order of euclid.go; part is a feature as in nearest.
	Sign(part int8, poly int, t float64) int
}

// Follower follows the features of one pair. It holds the scratch of one goroutine.
//
// Size: the fields are the pair, its polynomials, and the state of one search.
type Follower struct {
	// Course sets these for a part of time: control points in Bernstein form, in a unit that keeps
	// them below 2.
	Degree  int
	Corners [4][3][MaxFollowed + 1]Double2
	Edges   [3][3][MaxFollowed + 1]Double2
	// Errors bound the errors of the components of corners and of edges.
	CornerErrors [3]float64
	EdgeErrors   [3][3]float64

	// Until, after a change, is the last time up to which the pair is known to stay as it is from
	// then on.
	Until float64

	course    Course
	lo, hi    float64 // the part of time
	list      []piece // the features that floats leave
	kind      geom.Kind
	d         float64
	touching  bool // there is no separation
	flat      int  // the axis across which a pair without a separation lies in one plane, or -1
	lines     bool // the pair is flat, with parallel edges
	room      room
	all       [9]followed // the features over the part
	state     verdict     // the verdict of the leaves so far
	next      verdict     // the verdict of the leaf after them, or state
	end       uint64      // the end of these leaves, in units of 2^-depth
	depth     int
	nextEnd   uint64 // the end of the leaf after them
	nextDepth int
	turns     []turner      // the features of a turning part that turn
	rivals    []turner      // those of the others' polynomials that exclude them on one side of the root
	alone     bool          // a part with rivals is no turning part
	plainly   bool          // Tests set it: alone is always true then.
	looks     int           // parts of time that are left to look at
	looked    NearestDouble // the nearest point at the time of the last look
	seen      verdict       // the verdict then
	ahead     float64       // about the distance less d then
	fresh     bool          // There was a last look.
	near      NearestDouble // the nearest point at the last time that border found the pair apart
	least     float64       // the time of the least distance, about, where border found the pair to part
	pace      float64       // the speed at which it comes beside the feature at first
	slowly    bool          // Tests set it: nothing is foreseen then.
}

// MaxFollowed is the greatest degree of a path in t.
const MaxFollowed = 5

const (
	followDepth = 10  // halvings of one part of time
	followLooks = 400 // parts of time that one search looks at
)

// followed is a feature's polynomials: near, then its region.
type followed struct {
	part int8
	poly [5]bernstein
	n    int
}

// piece is a feature on a part of time: the coefficients of those polynomials that are not yet
// decided, near being decided only if it is < 0 and another if it is > 0.
type piece struct {
	feature int8
	left    uint8 // the polynomials that are left, a bit for each
	c       [5][]Double2
}

// vector makes a vector of a course's control points.
func (f *Follower) vector(p *[3][MaxFollowed + 1]Double2, errors *[3]float64) (v [3]bernstein) {
	for k := range v {
		x := &v[k]
		x.c, x.err = f.room.take(f.Degree+1), errors[k]
		copy(x.c, p[k][:])
		x.weigh()
	}
	return v
}

func choose(n, k int) float64 { return math.Round(1 / inverses[n][k].Hi) }

// load makes the features over the time from lo to hi. It reports whether the plane alone shows
// that the pair is apart there.
func (f *Follower) load(lo, hi float64) (list []piece, apart bool) {
	f.course.Over(lo, hi, f)
	f.lo, f.hi = lo, hi
	m, shape := &f.room, &Shapes[f.kind]
	m.used = 0
	var p [4][3]bernstein
	var e [3][3]bernstein
	for c := range shape.Corners {
		p[c] = f.vector(&f.Corners[c], &f.CornerErrors)
	}
	for j := range shape.Edges {
		e[j] = f.vector(&f.Edges[j], &f.EdgeErrors[j])
	}
	h, l := num.TwoProd(f.d, f.d)
	square := m.constant(2*f.Degree, Double2{h, l})
	one := m.constant(0, Double2{Hi: 1})
	f.list = f.list[:0]
	if f.flat >= 0 {
		f.loadFlat(&p, &e)
		return f.list, false
	}
	if len(shape.Edges) > 1 {
		n := m.cross(&e[0], &e[1])
		nn := m.dot(&n, &n, nil, nil)
		near := f.planeNear(&p[0], &n, &nn, &square)
		plain := m.negated(&near)
		plain.plain()
		if s := -plain.sign(0); s > 0 || s < 0 && f.touching {
			return nil, true
		}
		f.add(f.inside(&p[0], &e[0], &e[1], &n, &nn, &near))
	}
	for c := range shape.Corners {
		if !f.cornerFar(&p[c]) {
			f.add([5]bernstein{m.dot(&p[c], &p[c], &square, &one)}, int8(c)+atCorner)
		}
	}
	for i, z := range PolygonSides[f.kind] {
		p, e := &p[z.From], &e[z.Edge]
		if !f.sideFar(p, e) {
			x, ee, pe := m.cross(p, e), m.dot(e, e, nil, nil), m.dot(p, e, nil, nil)
			near := m.dot(&x, &x, &ee, &square)
			f.add([5]bernstein{near, m.negated(&pe), m.plus(&pe, &ee)}, int8(i))
		}
	}
	return f.list, false
}

// add adds a feature, a part as in nearest, with its polynomials.
func (f *Follower) add(polys [5]bernstein, part int8) {
	i := len(f.list)
	x := &f.all[i]
	x.part, x.poly, x.n = part, polys, 0
	y := piece{feature: int8(i)}
	for x.n < len(polys) && polys[x.n].c != nil {
		x.poly[x.n].plain()
		y.c[x.n] = x.poly[x.n].c
		y.left |= 1 << x.n
		x.n++
	}
	f.list = append(f.list, y)
}

// planeNear returns near of the polygon's inside.
func (f *Follower) planeNear(a, n *[3]bernstein, nn, square *bernstein) bernstein {
	an := f.room.dot(a, n, nil, nil)
	if f.touching {
		return an
	}
	return f.room.sum(term{p: &an, q: &an}, term{nn, square, true})
}

// inside returns near and the region of the polygon's inside, n being B x C and nn its square.
func (f *Follower) inside(a, b, c, n *[3]bernstein, nn, near *bernstein) (polys [5]bernstein, part int8) {
	m := &f.room
	x, y := m.cross(c, a), m.cross(a, b)
	u, v := m.dot(&x, n, nil, nil), m.dot(&y, n, nil, nil)
	w := m.minus(nn, &u)
	if f.kind == geom.EdgeEdge {
		return [5]bernstein{*near, u, v, w, m.minus(nn, &v)}, Inner2d
	}
	return [5]bernstein{*near, u, v, m.minus(&w, &v)}, Inner2d
}

// sign returns that of a plain polynomial on a whole part, after so many halvings of all time,
// or 0.
func (p *bernstein) sign(depth int) int { return signOf(p.c, p.margin(depth)) }

func (p *bernstein) margin(depth int) float64 {
	return float64((p.err+float64(float64(6*depth*(len(p.c)-1))*square2*p.most))*(1+0x1p-40)) + lost
}

func signOf(c []Double2, e float64) int {
	above, below := true, true
	for i := range c {
		above, below = above && c[i].Hi > e, below && c[i].Hi < -e
	}
	switch {
	case above:
		return 1
	case below:
		return -1
	}
	return 0
}

// look decides what a feature says on a part: apart where it excludes itself, or the whole pair if
// it is the plane; or else what is left of it.
func (f *Follower) look(x *piece, depth int) verdict {
	for i := range f.all[x.feature].n {
		if x.left>>i&1 == 0 {
			continue
		}
		s := signOf(x.c[i], f.all[x.feature].poly[i].margin(depth))
		switch {
		case i == 0 && (s > 0 || s < 0 && f.crossed(x.feature)) || i > 0 && s < 0:
			x.left = uint8(1 << i)
			return apart
		case s != 0:
			x.left &^= 1 << i
		}
	}
	if x.left == 0 {
		return inContact
	}
	last := bits.TrailingZeros8(x.left)
	if x.left == 1<<last && (last == 0 || f.flat >= 0) && onceIn(x.c[last], f.all[x.feature].poly[last].margin(depth)) {
		return turning
	}
	return open
}

// crossed reports whether a feature's near is A.N, of which either sign keeps the pair apart: the
// inside's without a separation.
func (f *Follower) crossed(feature int8) bool { return f.touching && f.plane(feature) || f.lines }

// plane reports whether a feature is the polygon's inside.
func (f *Follower) plane(feature int8) bool { return f.all[feature].part == Inner2d }

// walk looks at the part [i, i + 1] 2^-depth, from the first to the last, and reports whether all
// of it has the verdict of what is before it.
func (f *Follower) walk(i uint64, depth int, list []piece) bool {
	f.looks--
	var kept [9]piece
	n, turns := 0, 0
	for j := range list {
		x := &kept[n]
		*x = list[j]
		switch v := f.look(x, depth); {
		case v == apart && x.left == 1 && f.plane(x.feature), v == inContact:
			return f.leaf(v, i, depth)
		case v == turning && (f.plane(x.feature) || f.lines):
			f.turns, f.rivals = f.turns[:0], f.rivals[:0]
			f.addTurn(x, i, depth)
			return f.leaf(turning, i, depth)
		case v == turning:
			n, turns = n+1, turns+1
		case v != apart:
			n++
		}
	}
	switch {
	case n == 0:
		return f.leaf(apart, i, depth)
	case turns > 0 && f.together(kept[:n], i, depth):
		return f.leaf(turning, i, depth)
	case depth == followDepth || f.looks <= 0:
		return f.leaf(open, i, depth)
	}
	mark := f.room.used
	right := kept
	for j := range n {
		x, y := &kept[j], &right[j]
		for p, c := range x.c {
			if x.left>>p&1 != 0 {
				x.c[p], y.c[p] = f.room.take(len(c)), f.room.take(len(c))
				halve(c, x.c[p], y.c[p])
			}
		}
	}
	same := f.walk(2*i, depth+1, kept[:n]) && f.walk(2*i+1, depth+1, right[:n])
	f.room.used = mark
	return same
}

// onceIn reports whether the signs of the coefficients certainly change once: one of them may be
// uncertain, between those of different signs.
func onceIn(c []Double2, e float64) bool {
	i, j := 0, len(c)-1
	first, last := c[0].Hi, c[j].Hi
	if !(math.Abs(first) > e && math.Abs(last) > e) || first > 0 == (last > 0) {
		return false
	}
	for math.Abs(c[i].Hi) > e && c[i].Hi > 0 == (first > 0) {
		i++
	}
	for math.Abs(c[j].Hi) > e && c[j].Hi > 0 == (last > 0) {
		j--
	}
	return j <= i
}

// leaf takes the verdict of a part, and reports whether to go on.
func (f *Follower) leaf(v verdict, i uint64, depth int) bool {
	if i == 0 {
		f.state, f.next = v, v
	} else if v != f.state {
		f.next, f.nextEnd, f.nextDepth = v, i+1, depth
		return false
	}
	f.end, f.depth = i+1, depth
	return v == apart || v == inContact
}
