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
// at the start. Between Touching, WithinRadii and WithinSeparation the bracket of the distance
// decides; its width is at most 1e-9 of the size of the pair.
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
// Size: it is one record of the C interface. Its layout is that of ccd_why: 464 bytes, no hidden
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
	Reserved int32
}

// nothing is the result for a step that no pair limits.
func nothing(alpha float64) Why {
	w := Why{Alpha: alpha, Hi: math.Inf(1), Lo: math.Inf(1), Rings: -1, Same: [2]int32{-1, -1}}
	for i := range w.Vertices {
		w.Vertices[i] = -1
	}
	w.Impact = noImpact()
	return w
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
	radii := p.mesh.Filter().Radii()
	c, err := p.begin(o)
	first, err := runEarliest(c, err)
	if err != nil {
		return Why{}, err
	}
	x0, x1 := p.course.ends()
	if len(x0) == 0 && p.mesh.NV > 0 {
		return Why{}, status.Errorf(status.ErrUnsupported,
			"x0: it is on a device; to learn why a step is short, give x0 and x1 in the host's memory")
	}
	quiet := *o
	quiet.Stats, quiet.Progress = nil, nil
	x := make([]float64, 3*p.mesh.NV)
	alpha, err := advanceOn(p.mesh, p.course, x, 1, &quiet)
	w := nothing(alpha)
	if err != nil || first.Verdict == geom.Separate {
		return w, err
	}
	w.Impact, w.MinSeparation = first, o.MinSeparation
	if first.TOILo == 0 {
		quiet.TMax = 0
		c, err := p.begin(&quiet)
		err = runVisit(c, err, func(batch []geom.Impact) bool {
			w.Initial += int64(len(batch))
			return false
		})
		if err != nil {
			return w, err
		}
	}
	p.course.stay(x)
	w.describe(p.mesh, radii, x, x1, o.Flags&narrow.MaxNorm != 0)
	return w, nil
}

// describe completes what is known of the pair of the impact, whose mesh is at x0 and at x1. The
// separation is one in the max norm or in the Euclidean norm.
func (w *Why) describe(m *mesh.Mesh, radii *mesh.Radii, x0, x1 []float64, maxNorm bool) {
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
	for _, u := range sides[0] {
		for _, v := range sides[1] {
			if w.Same[0] < 0 && [3]float64(x0[3*u:]) == [3]float64(x0[3*v:]) {
				w.Same = [2]int32{u, v}
			}
		}
	}
	if k == geom.EdgeFace {
		w.Cause, w.Lo, w.Hi = Crossing, 0, 0
		return
	}
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
	case w.Hi == 0:
		w.Cause = Touching
	case w.Lo <= mesh.Separation(0, w.Radius[0], w.Radius[1]):
		w.Cause = WithinRadii
	default:
		w.Cause = WithinSeparation
	}
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
