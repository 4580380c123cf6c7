package narrow

import (
	"fmt"
	"math"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/num"
	"ccd/core/status"
)

// Solver decides queries. It holds the scratch of one goroutine: it grows once and then allocates
// no more. Its results do not depend on earlier queries.
//
// Size: the methods are the calls for first contacts, intervals and least distances, and the steps
// of the searches with a tolerance.
type Solver struct {
	// Boxed says that the boxes of all queries at both ends, inflated by the separation, met. Batch
	// and Until of an exact method then skip the comparison along the axes. It changes no result.
	Boxed bool
	// Remote, if not nil, is a device that Batch and Until of an exact method use for the first
	// stages. It changes no result.
	Remote *kernel.Remote
	// Wanted, if not nil, reports whether the caller of Until still needs a query. It is for the
	// exact method without a separation: see exact.Resolver.
	Wanted func(i int) bool
	// Times says that the caller of Batch and Until reads only the verdict, kind, times and flags
	// of an impact, which are those of the single call.
	Times bool
	// Margin, if not nil, gets the queries that the filters of Until and UntilEach do not prove to
	// be farther apart than its width. The method must be exact, and Remote nil.
	Margin *kernel.Margin

	form     form
	tight    tight
	contract contract
	exact    exact.Resolver
	separate clearance.SeparationResolver
	euclid   clearance.EuclideanResolver
	lists    lists
	each     *classes // nil before the first UntilEach
	moving   moving
	times    []geom.Interval
}

// NewSolver returns a Solver.
func NewSolver() *Solver { return new(Solver) }

// exact reports whether the options select the exact method.
func (o *Options) exact() bool {
	return o.Method == Exact || o.Method == Default
}

// Unique reports whether mathematics alone determines the result of a pair, so that a part of the
// step that holds its contact gives the same TOILo as the whole step.
func (o *Options) Unique() bool { return o.exact() }

// Supported returns an error for options that the kind does not support. The options have passed
// Check.
func (o *Options) Supported(kind geom.Kind) error {
	if !kind.Valid() {
		return fmt.Errorf("kind is %d: must be 1 to %d", kind, len(geom.StepKinds))
	}
	if o.Flags&ApartAtTOI != 0 && !o.exact() {
		return fmt.Errorf("options.flags has CCD_APART_AT_TOI: the exact method alone has it, options.method is %d",
			o.Method)
	}
	return nil
}

// CheckQuery reports the first coordinate of a query that is not finite, above geom.MaxCoordinate,
// or beyond the scene bound.
func CheckQuery(kind geom.Kind, q []float64, o *Options) error {
	if len(q) != kind.Len() {
		return fmt.Errorf("q has %d doubles, %v takes %d", len(q), kind, kind.Len())
	}
	for i, x := range q {
		if !(math.Abs(x) <= geom.MaxCoordinate) {
			return fmt.Errorf("q[%d] is %v: %w", i, x, status.ErrNonFinite)
		}
		if b := o.SceneBound[i%3]; b != 0 && math.Abs(x) > b {
			return fmt.Errorf("q[%d] is %v: beyond options.scene_bound[%d] = %v", i, x, i%3, b)
		}
	}
	return nil
}

// Solve writes the impact of the query q of a kind (geom.Kind.Len doubles, all points at t=0, then
// all at t=1), under the laws of docs/numerics.md. The options have passed Check and Supported, the
// query CheckQuery. out is always written; A = B = -1.
func (s *Solver) Solve(kind geom.Kind, q []float64, o *Options, out *geom.Impact) {
	if o.exact() {
		s.decide(kind, q, o.TMax, o, out)
		if o.Flags&ApartAtTOI != 0 {
			s.moveApart(kind, q, o, out)
		}
		return
	}
	out.SetSeparate(kind)
	if apart(kind, q, o.MinSeparation) {
		return
	}
	s.search(kind, q, o, out)
	// Kernels prove no query separate whose contact is certified.
	if out.Verdict != geom.Separate && out.Flags&geom.Certified == 0 && s.filtered(kind, q, o) {
		out.SetSeparate(kind)
	}
}

// decide solves the query exactly, for t in [0, tMax].
func (s *Solver) decide(kind geom.Kind, q []float64, tMax float64, o *Options, out *geom.Impact) {
	switch {
	case o.MinSeparation == 0:
		s.exact.Resolve(kind, q, tMax, out)
	case o.Flags&MaxNorm == 0:
		s.euclid.Resolve(kind, q, o.MinSeparation, tMax, out)
	default:
		s.separate.Resolve(kind, q, o.MinSeparation, tMax, out)
	}
	s.finish(kind, q, o, out)
}

// finish adds the contact point and the normal to an exact impact with a separation. Without a
// separation, package exact has written them.
func (s *Solver) finish(kind geom.Kind, q []float64, o *Options, out *geom.Impact) {
	if out.Verdict == geom.Contact && o.MinSeparation > 0 {
		s.form.load(kind, q, o)
		s.form.fill(kind, q, out)
	}
}

// search decides a query by the searches in floats; out is Separate.
func (s *Solver) search(kind geom.Kind, q []float64, o *Options, out *geom.Impact) {
	s.form.load(kind, q, o)
	r := s.answer(o)
	start := o.Flags&NoZeroTOI != 0 && r.verdict == geom.Contact && r.lo == 0
	if s.handsOver(o) && (start || r.verdict == geom.Undecided) {
		s.decide(kind, q, o.TMax, o, out)
		return
	}
	if r.verdict != geom.Separate && r.lo == 0 {
		r = s.atStart(kind, q, o, r)
	}
	if r.verdict == geom.Separate {
		return
	}
	out.Verdict, out.TOILo, out.TOIHi = r.verdict, r.lo, max(r.lo, r.hi)
	out.U, out.V, out.Width, out.Flags = r.u, r.v, r.width/s.form.scale, r.flags
	if s.form.euclidean && r.verdict == geom.Contact {
		out.U, out.V = s.form.nearer(out.TOIHi, out.U, out.V)
	}
	if s.form.domain == geom.Triangle {
		out.V = min(out.V, 1-out.U) // u + v <= 1 by a rounded sum; 1-u-v must not be negative
	}
	s.form.fill(kind, q, out)
}

// atStart checks a result with toi_lo = 0.
func (s *Solver) atStart(kind geom.Kind, q []float64, o *Options, r found) found {
	switch {
	case o.Flags&NoZeroTOI != 0:
		return s.positive(kind, q, o)
	case r.verdict == geom.Undecided && !newStart(kind, q, s.form.euclidean).exceeds(o.MinSeparation):
		return contactAtStart(kind, q, s.form.euclidean, o.MinSeparation)
	}
	return r
}

// apart reports whether an axis separates the primitives throughout the step. Every kind has a
// function of its own, for a loop over the points takes twice as long; a switch calls them, for
// through a table of functions q would move to the heap.
func apart(kind geom.Kind, q []float64, d float64) bool {
	switch kind {
	case geom.VertexFace:
		return apartVertexFace(q, d)
	case geom.EdgeEdge:
		return apartEdgeEdge(q, d)
	case geom.PointEdge:
		return apartPointEdge(q, d)
	case geom.PointPoint:
		return apartPointPoint(q, d)
	}
	panic("narrow: " + kind.String())
}

// answer tests t = 0 first, so that contact at the start is not refined without end, and then
// searches. (The time-contracted search tests t = 0 itself, if its first cell still begins there
// after contraction.)
func (s *Solver) answer(o *Options) found {
	if o.Method == TightInclusion {
		if u, v, yes, proven := s.form.touching(); yes {
			r := found{verdict: geom.Contact, u: u, v: v}
			if proven {
				r.flags = geom.Certified | geom.InitialContact
			}
			return r
		}
	}
	return s.refine(o)
}

// handover is the greatest budget of the time-contracted search where an exact method stands behind
// it. Of 48,000 queries of ccdtest's families, all but 9 (vertex-face) and 15 (edge-edge) need
// fewer boxes for d = 0, all but 154 and 37 for d > 0; 128 boxes take as long as some ten exact
// decisions.
const handover = 128

// handsOver reports whether the exact method decides what the search leaves undecided: all but
// Euclidean separations, whose search keeps its budget, and Tight Inclusion, which is kept as it is
// known.
func (s *Solver) handsOver(o *Options) bool { return o.Method != TightInclusion && !s.form.euclidean }

// refine runs the method's search over the form.
func (s *Solver) refine(o *Options) found {
	switch {
	case o.Method == TightInclusion:
		return s.tight.search(&s.form, o.MaxIterations)
	case s.handsOver(o) && (o.MaxIterations == 0 || o.MaxIterations > handover):
		return s.contract.search(&s.form, handover)
	}
	return s.contract.search(&s.form, o.MaxIterations)
}

// positive enforces law 8 where the search returned toi_lo = 0. The distance at t = 0 is compared
// with d exactly: if it does not exceed d, the contact is at t = 0. Otherwise it exceeds d by more
// than some g = 2^e, and by no more than 2g. A search with a tolerance of g/2 then accepts no cell
// at t = 0 unless g is near eps. If that fails too, |F| moves no faster than speed and needs
// g/speed to come within d; law 3 holds there when g < eps/2, for |F| <= d + 3g. Where the
// exponents are so wild that g/speed underflows, the exact method answers; a Euclidean separation
// is then left with toi_lo = 0.
func (s *Solver) positive(kind geom.Kind, q []float64, o *Options) found {
	f := &s.form
	at := newStart(kind, q, f.euclidean)
	if !at.exceeds(o.MinSeparation) {
		return contactAtStart(kind, q, f.euclidean, o.MinSeparation)
	}
	if o.TMax == 0 {
		return found{verdict: geom.Separate}
	}
	e := at.gap(o.MinSeparation)
	g := math.Ldexp(1, e) * f.scale
	r := found{verdict: geom.Contact, hi: o.TMax}
	tiny := g < 0.5*max(f.eps[0], f.eps[1], f.eps[2])
	if tiny {
		r.u, r.v = newStartPlace(kind, q, f.euclidean).nearest(sumWithPower(o.MinSeparation, e+1))
	} else {
		f.delta, f.apart = min(f.delta, 0.5*g), true
		r = s.refine(o)
	}
	if r.verdict == geom.Separate || r.lo > 0 {
		return r
	}
	r.lo = r.hi
	if w := speed(kind, q, f.euclidean); w > 0 {
		r.lo = min(r.lo, quotientBelow(e, w))
	}
	if r.lo == 0 && !f.euclidean {
		return s.exactly(kind, q, o) // The quotient g/speed is no normal double, so the bound is useless.
	}
	if tiny {
		r.hi = r.lo // |F| <= d + 3g there, which need not hold later
	}
	return r
}

// exactly returns the exact result in the form of a search's. The separation is in the max norm.
func (s *Solver) exactly(kind geom.Kind, q []float64, o *Options) found {
	var out geom.Impact
	s.decide(kind, q, o.TMax, o, &out)
	return found{verdict: out.Verdict, lo: out.TOILo, hi: out.TOIHi, u: out.U, v: out.V, flags: out.Flags}
}

// quotientBelow returns a double not above 2^e / v that is positive wherever the quotient is a
// normal double.
func quotientBelow(e int, v float64) float64 {
	if e > 1000 {
		e = 1000
	}
	m, k := math.Frexp(v) // v = m 2^k, m in [0.5,1): 1/m is at least 1
	x := math.Ldexp(num.DivDown(1, m), max(e-k, -1500))
	if x < 0x1p-1022 {
		return num.Down(max(x, math.SmallestNonzeroFloat64)) // Ldexp rounds, so take the next double below.
	}
	return x
}
