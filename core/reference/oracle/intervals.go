package oracle

import (
	"math"
	"math/big"
	"slices"

	"ccd/core/geom"
)

// Intervals returns every interval of [0, tMax] in which a pair is within d, d = 0 meaning contact,
// in the Euclidean norm or the max norm: slow (up to tens of milliseconds), and meant to be
// obviously right. Laws T1 to T5 of docs/numerics.md define the result.
//
// Whether the pair is within d at t is a Boolean function of the signs of finitely many polynomials
// (Contact, EuclideanSeparation, Separation). Between two neighboring roots of all of them nothing
// changes. So it is enough to decide at 0, at each root, at tMax, and at one time between each two
// of these.
func Intervals(kind geom.Kind, q []float64, d float64, maxNorm bool, tMax float64) []geom.Interval {
	w := newWatch(kind, q, d, maxNorm)
	events := w.events(dyadicOf(tMax))
	var list []geom.Interval
	var open *geom.Interval
	var begin, ended *root // the begin of the open interval, and the end of the last one
	for i, e := range events {
		if w.within(e) {
			if open == nil {
				open, begin = &geom.Interval{Kind: kind, A: -1, B: -1, Enter: e.floor()}, e
				if i == 0 {
					open.Flags |= geom.InitialContact
				} else {
					open.SideBefore = w.side(between(events[i-1], e))
				}
			}
			open.Exit = ceiling(e)
		}
		last := i+1 == len(events)
		if open == nil || !last && w.within(between(e, events[i+1])) {
			continue
		}
		if last {
			open.Flags |= geom.FinalContact
		} else {
			open.SideAfter = w.side(between(e, events[i+1]))
		}
		if n := len(list); n > 0 && !apart(ended, begin) {
			y := &list[n-1]
			y.Exit, y.SideAfter, y.Flags = open.Exit, open.SideAfter, y.Flags|open.Flags
		} else {
			list = append(list, *open)
		}
		open, ended = nil, e
	}
	return list
}

// apart reports whether a double or a whole open interval between neighboring doubles lies between
// two times r < s.
func apart(r, s *root) bool {
	x := exactly(dyadicOf(ceiling(r)))
	if r.compare(x) < 0 { // Otherwise x is r, and the open interval after it is meant.
		return x.compare(s) < 0
	}
	return exactly(dyadicOf(math.Nextafter(x.floor(), 2))).compare(s) <= 0
}

// watch decides whether a pair is within a distance at a given time.
type watch struct {
	contact  *integerQuery // without a separation
	features []euclideanFeature
	apart    [][]poly // max norm: the pair is apart where all polynomials of a list are positive
}

func newWatch(kind geom.Kind, q []float64, d float64, maxNorm bool) *watch {
	if d == 0 {
		return &watch{contact: newIntegerQuery(kind, q)}
	}
	if maxNorm {
		w := &watch{}
		for _, c := range certificatesOf(kind, q, d) {
			c.all(func(intPoly) bool { return true }) // makes them
			var list []poly
			for _, p := range c.made {
				list = append(list, poly(p))
			}
			w.apart = append(w.apart, list)
		}
		return w
	}
	return &watch{features: euclideanFeatures(kind, q, d)}
}

// events are 0, the roots of all polynomials before tMax, and tMax, in order, each once.
func (w *watch) events(tMax dyadic) []*root {
	var all []poly
	if w.contact != nil {
		all = append(w.contact.consulted(), w.contact.f)
	}
	for _, f := range w.features {
		all = append(all, f.polynomials()...)
	}
	all = append(all, slices.Concat(w.apart...)...)
	end := exactly(tMax)
	roots := []*root{exactly(dyadicOf(0)), end}
	for _, p := range all {
		for _, r := range isolate(p) {
			if r.compare(end) < 0 {
				roots = append(roots, r)
			}
		}
	}
	slices.SortStableFunc(roots, (*root).compare)
	return slices.CompactFunc(roots, func(r, s *root) bool { return r.compare(s) == 0 })
}

func (w *watch) within(r *root) bool {
	if w.contact != nil {
		_, _, ok := w.contact.feasible(r)
		return ok
	}
	if w.apart != nil {
		return !slices.ContainsFunc(w.apart, func(list []poly) bool {
			return !slices.ContainsFunc(list, func(p poly) bool { return r.sign(p) <= 0 })
		})
	}
	return slices.ContainsFunc(w.features, func(f euclideanFeature) bool { return f.holds(r) })
}

// side is the sign of the volume, without a separation.
func (w *watch) side(r *root) int32 {
	if w.contact == nil {
		return 0
	}
	return int32(r.sign(w.contact.f))
}

// between is a time strictly between two roots r < s.
func between(r, s *root) *root {
	for r.hi.cmp(s.lo) >= 0 {
		r.refine()
		s.refine()
	}
	return exactly(r.hi.mid(s.lo))
}

// ceiling is the least double not below the root, which lies in [0, 1].
func ceiling(r *root) float64 {
	x := r.floor()
	if r.exact() && r.hi.cmp(dyadicOf(x)) == 0 {
		return x
	}
	return math.Nextafter(x, 2)
}

// WithinAt reports whether the distance of a pair is at most d at the time t, by the rational
// distance of the points at t, which share no code with Intervals.
func WithinAt(kind geom.Kind, q []float64, d float64, t *big.Rat) bool {
	n := 3 * kind.Points()
	x := make([]*big.Rat, n)
	for i := range x {
		from, to := new(big.Rat).SetFloat64(q[i]), new(big.Rat).SetFloat64(q[n+i])
		x[i] = from.Add(from, to.Sub(to, from).Mul(to, t))
	}
	r := new(big.Rat).SetFloat64(d)
	return DistanceOf(kind, x).Squared.Cmp(r.Mul(r, r)) <= 0
}
