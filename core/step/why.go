package step

import (
	"math"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Cause says what limits a step.
type Cause int32

// The causes, of which the first three hold for pairs that are farther apart than their separation
// at the start. Exact arithmetic decides between Touching, WithinRadii and WithinSeparation.
const (
	Unlimited        Cause = iota // no pair limits the step
	Meeting                       // the pair comes within its separation during the step
	TooShort                      // the pair does so that early that the positions there round to x0
	Crossing                      // an edge passes through a face at the start
	Touching                      // the pair touches at the start
	WithinRadii                   // the pair is within the sum of its radii at the start
	WithinSeparation              // the pair is within its separation at the start, not within its radii
	Undecided                     // a budget was spent before the pair was decided
)

// Why says what limits a step.
//
// Size: it is one record of the C interface. Its layout is that of ccd_why: 776 bytes, no hidden
// padding.
type Why struct {
	Impact        geom.Impact // that of Earliest
	Alpha         float64     // the step of Advance, of which all is taken
	Lo, Hi        float64     // the distance of the pair at the start, without its radii, is in [Lo, Hi]
	Separation    float64     // that of the pair
	MinSeparation float64     // that of the options
	Radius        [2]float64  // those of A and B
	Initial       int64       // the pairs that are within their separation at the start
	// Query has the places of the pair's vertices at the start, then those at the end: the query
	// that replays it. The rest is 0.
	Query    [30]float64
	Vertices [5]int32 // those of A, then those of B; -1 where there is none
	Cause    Cause
	// Rings is the least number of edges of the mesh from a vertex of A to one of B; -1 if it is
	// above mesh.MostRings.
	Rings    int32
	Same     [2]int32 // a vertex of A and one of B that are at one place at the start; -1
	Response int32    // 1 if the step is that of Respond, which keeps a part of the separation
	// AtStart counts the pairs of Initial by their cause, from Crossing to WithinSeparation.
	AtStart [startCauses]int64
	// Others are pairs that limit the step when the remedy for this one is done, where the cause is
	// one at the start: the first of each cause at the start, from Crossing to WithinSeparation,
	// which the remedy leaves, and then the earliest of those that begin farther apart. The cause
	// of a place without a pair is Unlimited.
	Others [startCauses + 1]Limit
}

// startCauses is the number of causes of pairs that are within their separation at the start.
const startCauses = int(WithinSeparation-Crossing) + 1

// Limit is a pair that limits a step, in the layout of ccd_limit: 56 bytes.
type Limit struct {
	TOI      float64 // the time up to which it is apart: 0 at the start
	A, B     int64
	Kind     geom.Kind
	Cause    Cause
	Vertices [5]int32 // those of A, then those of B; -1 where there is none
	Reserved int32
}

// nothing is the result for a step that no pair limits.
func nothing(alpha float64) Why {
	w := Why{Alpha: alpha, Hi: math.Inf(1), Lo: math.Inf(1), Rings: -1, Same: [2]int32{-1, -1}}
	for i := range w.Vertices {
		w.Vertices[i] = -1
	}
	w.Impact = noImpact()
	for i := range w.Others {
		w.Others[i] = noLimit()
	}
	return w
}

// noLimit is the place of a pair that is not there.
func noLimit() Limit {
	return Limit{TOI: math.Inf(1), A: -1, B: -1, Vertices: [5]int32{-1, -1, -1, -1, -1}}
}

// Why says which pair limits the step, and what keeps it from going on: the impact of Earliest, the
// step of Advance, and what is true of the pair at the start. The laws of those calls hold for
// both. A scene does not support it, because its pairs are those of a part of its mesh.
func (s *Step) Why(o *Options) (w Why, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		if p.names != nil {
			return status.Errorf(status.ErrUnsupported,
				"scene: it does not say why a step is short; make a step of a mesh with the same vertices")
		}
		w, err = p.why(o)
		return err
	})
	if err != nil {
		return nothing(0), err
	}
	return w, nil
}

// why is the call Why.
func (p *Part) why(o *Options) (Why, error) {
	x0, _ := p.course.ends()
	if len(x0) == 0 && p.mesh.NV > 0 {
		return Why{}, status.Errorf(status.ErrUnsupported,
			"x0: it is on a device; to learn why a step is short, give x0 and x1 in the host's memory")
	}
	alpha, first, err := advanceFrom(p.mesh, p.course, make([]float64, len(x0)), 1, o)
	if err != nil {
		return Why{}, err
	}
	return p.explain(alpha, &first, o)
}

// explain says why a step is alpha, whose earliest impact is first. Nothing is added to the
// statistics of the options.
func (p *Part) explain(alpha float64, first *geom.Impact, o *Options) (Why, error) {
	w := nothing(alpha)
	if first.Verdict == geom.Separate {
		return w, nil
	}
	w.Impact, w.MinSeparation = *first, o.MinSeparation
	x0, x1 := p.course.ends()
	w.describe(p.mesh, x0, x1, o.Flags&narrow.MaxNorm != 0)
	if first.TOILo > 0 {
		return w, nil
	}
	quiet := *o
	quiet.Stats, quiet.Progress = nil, nil
	return w, w.findOthers(p, x0, &quiet)
}

// describe completes what is known of the pair of the impact, whose mesh is at x0 and at x1. The
// separation is one in the max norm or in the Euclidean norm.
func (w *Why) describe(m *mesh.Mesh, x0, x1 []float64, maxNorm bool) {
	k := w.Impact.Kind
	info, a, b := k.Info(), int32(w.Impact.A), int32(w.Impact.B)
	sides := [2][]int32{m.VerticesOf(info.Shapes[0], a), m.VerticesOf(info.Shapes[1], b)}
	all := append(append([]int32(nil), sides[0]...), sides[1]...)
	copy(w.Vertices[:], all)
	for i, v := range all {
		copy(w.Query[3*i:], x0[3*v:3*v+3])
		copy(w.Query[3*(len(all)+i):], x1[3*v:3*v+3])
	}
	w.Rings = m.RingsBetween(sides[0], sides[1])
	w.Same = samePlace(all, info.Shapes[0].Vertices(), x0)
	if k == geom.EdgeFace {
		w.Cause, w.Lo, w.Hi = Crossing, 0, 0
		return
	}
	radii := m.Filter().Radii()
	w.Radius = [2]float64{radii.Of(info.Shapes[0], a), radii.Of(info.Shapes[1], b)}
	w.Separation = mesh.Separation(w.MinSeparation, w.Radius[0], w.Radius[1])
	w.measure(len(all), maxNorm)
	switch {
	case w.Impact.Verdict == geom.Undecided:
		w.Cause = Undecided
	case w.Impact.TOILo > 0 && w.Alpha == 0:
		w.Cause = TooShort
	case w.Impact.Flags&geom.InitialContact == 0:
		w.Cause = Meeting
	default:
		w.Cause = newStarts(m, x0, maxNorm).cause(&w.Impact)
	}
}

// samePlace returns a vertex of one primitive and one of another at one place in x, or -1. The
// first n of the vertices are those of the one.
func samePlace(vertices []int32, n int, x []float64) [2]int32 {
	for _, u := range vertices[:n] {
		for _, v := range vertices[n:] {
			if [3]float64(x[3*u:]) == [3]float64(x[3*v:]) {
				return [2]int32{u, v}
			}
		}
	}
	return [2]int32{-1, -1}
}

// measure brackets the distance of the pair, of n vertices, at the start, in the norm of the
// separation.
func (w *Why) measure(n int, maxNorm bool) {
	rest := append(append([]float64(nil), w.Query[:3*n]...), w.Query[:3*n]...)
	o, s := narrow.DefaultOptions(), narrow.NewSolver()
	var found geom.LeastDistance
	s.LeastDistance(w.Impact.Kind, rest, &o, &found)
	w.Lo, w.Hi = found.Lo, found.Hi
	if !maxNorm || w.Hi > 1e150 {
		return
	}
	// A distance in the max norm is between 1/sqrt(3) and 1 times the Euclidean one; the exact
	// method decides whether it is above a number.
	o.TMax, o.Flags = 0, narrow.MaxNorm
	w.Lo *= 0.577
	for range 64 {
		o.MinSeparation = w.Lo + float64(0.5*(w.Hi-w.Lo))
		if !(w.Lo < o.MinSeparation && o.MinSeparation < w.Hi) {
			break
		}
		var im geom.Impact
		if s.Solve(w.Impact.Kind, rest, &o, &im); im.Verdict == geom.Separate {
			w.Lo = o.MinSeparation
		} else {
			w.Hi = o.MinSeparation
		}
	}
}
