package ccd

import (
	"ccd/core/step"
)

// Cause says what limits a step.
type Cause int

// The causes. Exact arithmetic decides between CauseTouching, CauseRadii and CauseSeparation.
const (
	CauseNone       = Cause(step.Unlimited)        // no pair limits the step
	CauseMeeting    = Cause(step.Meeting)          // the pair comes within its separation during the step
	CauseTooShort   = Cause(step.TooShort)         // the pair does so that early that its places round to x0
	CauseCrossing   = Cause(step.Crossing)         // an edge passes through a face at the start: Options.CheckStart
	CauseTouching   = Cause(step.Touching)         // the pair touches at the start
	CauseRadii      = Cause(step.WithinRadii)      // the pair is within the sum of its radii at the start
	CauseSeparation = Cause(step.WithinSeparation) // the pair is within its separation at the start only
	CauseUndecided  = Cause(step.Undecided)        // a budget was spent before the pair was decided
)

// Why says why a step is short: the first pair that limits it, and what is true of it at the start.
// String returns sentences, with what to do.
//
// Size: an impact, and each thing that may limit a step.
type Why struct {
	Impact       // Impact is that of Earliest.
	Cause  Cause // Cause says what limits the step.
	Alpha  float64
	// DistanceLo and DistanceHi bracket the distance of the pair at the start, without its radii;
	// +Inf without a pair.
	DistanceLo, DistanceHi float64
	Separation             float64    // Separation is MinSeparation and both radii.
	Radius                 [2]float64 // Radius has those of A and B.
	Initial                int        // Initial counts the pairs that are within their separation at the start.
	Vertices               []int      // Vertices are those of A, then those of B.
	// Rings is the least number of edges of the mesh from a vertex of A to one of B; -1 above 64.
	Rings  int
	Same   [2]int       // Same is a vertex of A and one of B at one place at the start; or -1.
	X0, X1 [][3]float64 // X0 and X1 are where Vertices are at the start and at the end.
	// AtStart counts the pairs of Initial by their cause.
	AtStart map[Cause]int
	// Others are pairs that limit the step when the remedy for this one is done, where the cause is
	// one at the start: the first of each cause at the start that the remedy leaves, and then the
	// earliest of the pairs that begin farther apart, with the present separation.
	Others []Limit
	text   string
}

// Limit is a pair that limits a step.
type Limit struct {
	Cause    Cause
	TOILo    float64 // TOILo is the time up to which the pair is proven apart: 0 at the start.
	Kind     Kind
	A, B     int
	Vertices []int // Vertices are those of A, then those of B.
}

// String says in sentences which pair limits the step, why, and what to do.
func (w Why) String() string { return w.text }

// Why says why the step is short: which pair limits it, and whether radii, the separation, an
// intersection, vertices at one place or a spent budget are the reason. Alpha is the step of
// Advance. A step of a scene does not support it.
func (s *Step) Why(o *Options) (Why, error) {
	return callStep(s, o, func(o *step.Options) (Why, error) {
		w, err := s.core.Why(o)
		if err != nil {
			return Why{}, err
		}
		return whyOf(&w), nil
	})
}

func whyOf(w *step.Why) Why {
	out := Why{
		Impact: impactOf(&w.Impact), Cause: Cause(w.Cause), Alpha: w.Alpha,
		DistanceLo: w.Lo, DistanceHi: w.Hi, Separation: w.Separation, Radius: w.Radius,
		Initial: int(w.Initial), Rings: int(w.Rings), Same: [2]int{int(w.Same[0]), int(w.Same[1])},
		Vertices: present(w.Vertices[:]), AtStart: map[Cause]int{}, text: w.String(),
	}
	for k, n := range w.AtStart {
		if n > 0 {
			out.AtStart[CauseCrossing+Cause(k)] = int(n)
		}
	}
	for i := range w.Others {
		if l := &w.Others[i]; l.Cause != step.Unlimited {
			out.Others = append(out.Others, Limit{
				Cause: Cause(l.Cause), TOILo: l.TOI, Kind: Kind(l.Kind), A: int(l.A), B: int(l.B),
				Vertices: present(l.Vertices[:]),
			})
		}
	}
	n := len(out.Vertices)
	for i := range n {
		out.X0 = append(out.X0, [3]float64(w.Query[3*i:]))
		out.X1 = append(out.X1, [3]float64(w.Query[3*(n+i):]))
	}
	return out
}

// present returns the vertices that there are.
func present(vertices []int32) (list []int) {
	for _, v := range vertices {
		if v >= 0 {
			list = append(list, int(v))
		}
	}
	return list
}
