package clearance

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// The certificates of the max norm followed over time, on paths that are polynomials. A direction
// taken at one time, or one that goes linearly between two, loses a margin as the pair turns and
// bends. The directions of separation.go's list are polynomials in t themselves: of degree 0, k and
// 2k for paths of degree k, and n.P is of k more.
//
// Statement. Over a part of time let q be n.P of a corner, and w the polynomial with the Bernstein
// coefficients d sum |n_k,i|, raised to the degree of q. A Bernstein polynomial is at most the one
// with the magnitudes of its coefficients, so w >= d |n|_1. Where q - w > 0 for all corners, n
// separates; where -q - w > 0 for all, -n does. The lower hull of the coefficients of the least
// shows up to which time that is certain, as at form.crossing. Nothing is lost while no component
// of n changes its sign.
//
// The search goes from certificate to certificate as that of separation_advance.go does: it follows
// one to a double a beyond which it does not certainly hold, and looks at all of the list on
// [a, b], b the next double. One that holds there is followed next. If certainly none separates
// weakly at b, the first contact is in (a, b). What double-doubles cannot tell is left open.

// Paths is a pair whose certificates are followed.
type Paths interface {
	// Corner and Edge set c to the control points of component k of a corner or an edge for the
	// time from lo to hi, of degree len(c) - 1, or to its value if lo = hi and the degree is 0.
	// They return a bound on the errors.
	Corner(i, k int, lo, hi float64, c []Double2) (err float64)
	Edge(j, k int, lo, hi float64, c []Double2) (err float64)
	// Rests reports whether component k of an edge is 0 at all times.
	Rests(j, k int) bool
	// Exact returns the sign at t of the least of +-n.P - d |n|_1 over the corners, + on side 0,
	// and about its value in a unit that is the same at all times.
	Exact(n, side int, t float64) (sign int, value float64)
}

// CubeFollower follows the certificates of one pair. It holds the scratch of one goroutine.
//
// Size: the fields are a pair and its polynomials; the methods are certificates, and two searches
// that use them.
type CubeFollower struct {
	paths      Paths
	shape      *shape
	directions []int // those that count
	path       int   // the degree of the paths
	d          float64

	lo, hi  float64 // the part of time
	degree  int     // that of paths on it: 0 at a single time
	room    room
	corners [4][3]bernstein // those of the part that were needed so far
	edges   [3][3]bernstein
	far     bernstein // d at all times

	start float64         // where the search began
	list  []certificateID // what turn looks at
}

// cubeForm is the two certificates of a direction on a part of time. c has, for each side, the
// Bernstein coefficients of the least over the corners, off by at most err; none says that the
// direction is 0 at all times.
type cubeForm struct {
	c    [2][3*MaxFollowed + 1]float64
	n    int
	err  float64
	size float64 // about that of the direction at the beginning
	none bool
}

// cubeLooks bounds the certificates that one search evaluates.
const cubeLooks = 240

// Begin starts the search for a pair whose paths have a degree, with the separation d in the
// paths' unit.
func (f *CubeFollower) Begin(kind geom.Kind, degree int, d float64, paths Paths) {
	f.paths, f.path, f.d = paths, degree, d
	f.shape, f.directions = &Shapes[kind], append(f.directions[:0], Directions(kind)...)
}

// InPlane says that component k of all points is 0. All directions that separate lie in the plane
// then: the other two axes, and e_k x E. The others are along axis k, where n.P = 0 for all
// corners: those do not separate, not even weakly.
func (f *CubeFollower) InPlane(k int) {
	f.directions = f.directions[:0]
	for n := range 3 {
		if n != k {
			f.directions = append(f.directions, n)
		}
	}
	for j := range f.shape.Edges {
		f.directions = append(f.directions, 3+3*j+k)
	}
}

// Directions numbers the directions that count in the max norm: 0 to 2 the axes, then e_k x E for
// each edge E, then the polygon's normal.
func Directions(kind geom.Kind) []int {
	edges := len(Shapes[kind].Edges)
	n := 3 + 3*edges
	if edges > 1 {
		n++
	}
	return allDirections[:n]
}

var allDirections = [13]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}

// over sets the part of time.
func (f *CubeFollower) over(lo, hi float64) {
	f.lo, f.hi, f.degree = lo, hi, f.path
	if lo == hi {
		f.degree = 0
	}
	f.room.used = 0
	f.corners, f.edges = [4][3]bernstein{}, [3][3]bernstein{}
	f.far = f.room.constant(f.degree, Double2{Hi: f.d})
}

// pathOf is Paths.Corner or Paths.Edge.
type pathOf func(i, k int, lo, hi float64, c []Double2) (err float64)

// component returns a path of the part, which it makes where there is none yet.
func (f *CubeFollower) component(p *bernstein, of pathOf, i, k int) *bernstein {
	if p.c == nil {
		p.c = f.room.take(f.degree + 1)
		p.err = of(i, k, f.lo, f.hi, p.c)
		p.weigh()
	}
	return p
}

func (f *CubeFollower) corner(c int8, k int) *bernstein {
	return f.component(&f.corners[c][k], f.paths.Corner, int(c), k)
}

func (f *CubeFollower) edge(j, k int) *bernstein {
	return f.component(&f.edges[j][k], f.paths.Edge, j, k)
}

// direction is a direction n on the part of time.
type direction struct {
	q     [4]bernstein // n.P of the corners that count
	count int
	n     [3]bernstein // its components that are not 0 at all times
	parts int
	none  bool // it is 0 at all times
}

// direction makes direction n on the part: 0 to 2 the axes, then e_k x E for each edge E, then the
// normal, as SeparationResolver.form has them.
func (f *CubeFollower) direction(n int, x *direction) {
	*x = direction{}
	m := &f.room
	switch {
	case n < 3:
		for c := range f.shape.Corners {
			x.q[c] = *f.corner(int8(c), n)
		}
		x.n[0], x.parts, x.count = m.constant(0, Double2{Hi: 1}), 1, len(f.shape.Corners)
	case n < 3+3*len(f.shape.Edges):
		f.cross((n-3)/3, (n-3)%3, x)
	default:
		f.normal(x)
	}
}

// cross makes the direction e_k x E, which has the components -E_l on axis i and E_i on l.
func (f *CubeFollower) cross(j, k int, x *direction) {
	i, l := (k+1)%3, (k+2)%3
	ei, el := f.edge(j, i), f.edge(j, l)
	for c, at := range f.shape.Across[j] {
		x.q[c] = f.room.sum(term{p: ei, q: f.corner(at, l)}, term{p: el, q: f.corner(at, i), less: true})
	}
	x.count = len(f.shape.Across[j])
	if !f.paths.Rests(j, l) {
		x.n[x.parts] = f.room.negated(el)
		x.parts++
	}
	if !f.paths.Rests(j, i) {
		x.n[x.parts] = *ei
		x.parts++
	}
	x.none = x.parts == 0
}

// normal makes the polygon's normal, along which all corners have the same component.
func (f *CubeFollower) normal(x *direction) {
	var p, n [3]bernstein
	for k := range 3 {
		i, l := (k+1)%3, (k+2)%3
		n[k] = f.room.sum(term{p: f.edge(0, i), q: f.edge(1, l)}, term{p: f.edge(0, l), q: f.edge(1, i), less: true})
		p[k] = *f.corner(0, k)
		if !f.paths.Rests(0, i) && !f.paths.Rests(1, l) || !f.paths.Rests(0, l) && !f.paths.Rests(1, i) {
			x.n[x.parts] = n[k]
			x.parts++
		}
	}
	x.q[0], x.count, x.none = f.room.dot(&p, &n, nil, nil), 1, x.parts == 0
}

// reach returns w, with the magnitudes of the coefficients of n, which is at least d |n|_1. With
// signs it has in place of a magnitude the component times one sign, and so is at most d |n|_1.
func (f *CubeFollower) reach(x *direction, signs bool) bernstein {
	var list [3]term
	var sizes [3]bernstein
	for k := range x.parts {
		p := &x.n[k]
		switch sum := 0.0; {
		case !signs:
			sizes[k] = f.room.magnitudes(p)
		default:
			for _, c := range p.c {
				sum += c.Hi
			}
			if sizes[k] = *p; sum < 0 {
				sizes[k] = f.room.negated(p)
			}
		}
		list[k] = term{p: &sizes[k], q: &f.far}
	}
	return f.room.sum(list[:x.parts]...)
}

// beyond returns q - w on side 0, -q - w on side 1, as plain coefficients.
func (f *CubeFollower) beyond(q, w *bernstein, side int) bernstein {
	p := *q
	if side == 1 {
		p = f.room.negated(q)
	}
	p = f.room.minus(&p, w)
	p.plain()
	return p
}

// form evaluates both certificates of a direction. Coefficients are rounded to doubles, which is
// within 2^-53 of each: for one up to 2^12 errors within the 2^-40 by which the error is enlarged,
// for others within the margin of crossing.
func (f *CubeFollower) form(n int, x *cubeForm) {
	*x = cubeForm{}
	var y direction
	if f.direction(n, &y); y.none {
		x.none = true
		return
	}
	w := f.reach(&y, false)
	for c := range y.count {
		for side := range 2 {
			p := f.beyond(&y.q[c], &w, side)
			x.n, x.err = len(p.c)-1, max(x.err, p.margin(0)*(1+0x1p-40))
			for m := range p.c {
				if c == 0 || p.c[m].Hi < x.c[side][m] {
					x.c[side][m] = p.c[m].Hi
				}
			}
		}
	}
	for k := range y.parts {
		x.size += math.Abs(y.n[k].c[0].Hi)
	}
}

// crossing and tangent are those of form, fails that of one at a single time.
func (x *cubeForm) crossing(side int) float64 {
	if x.none {
		return 0
	}
	return crossingOf(x.c[side][:x.n+1], x.err)
}

func (x *cubeForm) tangent(side int) float64 { return tangentOf(x.c[side][:x.n+1]) }

func (x *cubeForm) fails() bool { return x.none || x.c[0][0] < -x.err && x.c[1][0] < -x.err }

// at looks at the list at a time, and returns a direction that certainly separates there, the one
// that does so most beside its size, or whether certainly none does so weakly. open has the
// directions that may separate.
func (f *CubeFollower) at(t float64, open []int) (lead certificateID, meets bool, left []int) {
	f.over(t, t)
	lead, left = certificateID{direction: -1}, open[:0]
	most := 0.0
	var x cubeForm
	for _, n := range f.directions {
		if f.form(n, &x); x.fails() {
			continue
		}
		left = append(left, n)
		for side := range 2 {
			if y := (x.c[side][0] - x.err) / x.size; y > most {
				most, lead = y, certificateID{n, side}
			}
		}
	}
	return lead, len(left) == 0, left
}

// between returns one of the directions left that holds from a to b.
func (f *CubeFollower) between(a, b float64, left []int) certificateID {
	f.over(a, b)
	var x cubeForm
	for _, n := range left {
		f.form(n, &x)
		for side := range 2 {
			if x.crossing(side) == 1 {
				return certificateID{n, side}
			}
		}
	}
	return certificateID{direction: -1}
}

// First finds the first contact in [a, tMax], of a pair that is apart before a; started says that
// contact at a may be the first. If it is Undecided, the pair is apart before Lo.
func (f *CubeFollower) First(a, tMax float64, started bool) Instant {
	var room [13]int
	f.start = a
	lead, meets, left := f.at(a, room[:])
	if meets && started {
		return Instant{Contact: true, Lo: a, Hi: a}
	}
	for looks := cubeLooks; lead.direction >= 0 && looks > 0; {
		a = f.follow(a, tMax, lead, &looks)
		if a == tMax {
			return Instant{}
		}
		b := math.Nextafter(a, 2)
		last := lead
		if lead, meets, left = f.at(b, left); meets {
			return Instant{Contact: true, Lo: a, Hi: b}
		}
		if lead = f.between(a, b, left); lead.direction < 0 {
			return f.turn(a, tMax, last)
		}
		looks -= 4
	}
	return Instant{Undecided: true, Lo: a}
}

// follow returns a time in [a, tMax] up to which the certificate holds; a itself if it does not
// certainly hold beyond a.
func (f *CubeFollower) follow(a, tMax float64, l certificateID, looks *int) float64 {
	var x cubeForm
	for b := tMax; *looks > 0; *looks-- {
		f.over(a, b)
		f.form(l.direction, &x)
		s := x.crossing(l.side)
		if s == 1 {
			if b == tMax {
				return tMax
			}
			a, b = b, min(tMax, b+float64(8*(b-a)))
			continue
		}
		neighbor := num.Up(a)
		next := forward(a, b, s)
		switch {
		case next > a:
			a, b = next, trial(next, a, b, x.tangent(l.side), tMax)
		case b > neighbor:
			b = max(neighbor, a+float64(0x1p-10*(b-a)))
		default:
			return a
		}
	}
	return a
}
