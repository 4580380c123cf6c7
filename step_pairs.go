package ccd

import (
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/step"
)

// Pairs returns the impacts of given pairs (a, b) of one kind, in their order, whether or not their
// boxes overlap. An index out of range is an ErrIndex. It does not check the start, and a scene
// does not have it.
func (s *Step) Pairs(kind Kind, pairs [][2]int, o *Options) ([]Impact, error) {
	return callStep(s, o, func(o *step.Options) ([]Impact, error) {
		list, err := s.core.Pairs(geom.Kind(kind), indices(pairs), o)
		return converted(list, impactOf), err
	})
}

// indices converts pairs of indices.
func indices(pairs [][2]int) [][2]int64 {
	return converted(pairs, func(p *[2]int) [2]int64 { return [2]int64{int64(p[0]), int64(p[1])} })
}

// Interval is a time during which a pair is in contact: within its separation. Enter is the largest
// double not above its begin, Exit the least not below its end.
type Interval struct {
	Kind        Kind
	Flags       Flags // InitialContact: contact at t = 0; FinalContact: at TMax
	A, B        int
	Enter, Exit float64 // fractions of the step
	// The signs of the volume of the pair's vertices before and after: they differ where it
	// crosses. 0 before t = 0 and after TMax, where the volume is 0 for a while, for points against
	// edges and points, and with a separation.
	SideBefore, SideAfter int
}

func intervalOf(i *geom.Interval) Interval {
	return Interval{
		Kind: Kind(i.Kind), Flags: Flags(i.Flags), A: int(i.A), B: int(i.B), Enter: i.Enter, Exit: i.Exit,
		SideBefore: int(i.SideBefore), SideAfter: int(i.SideAfter),
	}
}

// Intervals returns every interval of contact of every pair of Collisions, sorted by (Enter, Kind,
// A, B); the first of a pair begins at its TOILo. The method must be exact, and Options.CheckStart
// is ErrUnsupported.
func (s *Step) Intervals(o *Options) ([]Interval, error) {
	return callStep(s, o, func(o *step.Options) ([]Interval, error) {
		list, err := s.core.Intervals(o)
		return converted(list, intervalOf), err
	})
}

// PairIntervals returns the intervals of contact of given pairs of one kind, pair by pair in their
// order. Otherwise as Intervals; a scene does not have it.
func (s *Step) PairIntervals(kind Kind, pairs [][2]int, o *Options) ([]Interval, error) {
	return callStep(s, o, func(o *step.Options) ([]Interval, error) {
		list, err := s.core.PairIntervals(geom.Kind(kind), indices(pairs), o)
		return converted(list, intervalOf), err
	})
}

// Clearance is the least distance that any pair has during a step, with its time and place; or the
// distance at one time of it, by Step.Profile. Its fields have the names of those of a RigidGap.
type Clearance struct {
	Kind   Kind // 0: there is no pair
	A, B   int
	Time   float64 // a time at which the pair is at most Hi apart
	Lo, Hi float64 // the least distance of all pairs is in [Lo, Hi]; +Inf without a pair
	U, V   float64 // parameters of the nearest points at Time, as in Impact

	PointA, PointB [3]float64 // these points, on the surfaces at the radii; one point where they touch
	Normal         [3]float64 // unit, from B to A; zeros where nothing gives one
	Epsilon        float64    // how far each point may be from its surface
}

func clearanceOf(d *geom.LeastDistance) Clearance {
	return Clearance{Kind: Kind(d.Kind), A: int(d.A), B: int(d.B), Time: d.T, Lo: d.Lo, Hi: d.Hi, U: d.U, V: d.V,
		PointA: d.PointA, PointB: d.PointB, Normal: d.Normal, Epsilon: d.Epsilon}
}

// Clearance brackets the least distance, less radii, that any pair has during the step, and returns
// the pair, a time and the points. The method must be exact, the norm Euclidean;
// Options.MinSeparation does not matter. Candidates do not have it. On a motion whose paths have
// radii the bracket is wider by up to four of them, and Lo is 0 where a pair may touch. On a scene
// it costs what the scene contains.
func (s *Step) Clearance(o *Options) (Clearance, error) {
	return callStepOf(&leastCalls, s, o, func(o *step.Options) (Clearance, error) {
		d, err := s.core.LeastDistance(nearestPair, o)
		return clearanceOf(&d), err
	})
}

// Profile brackets the least distance, less radii, that any pair has at each of some times in [0,
// 1], for a plot. Options are those of Clearance, without TMax. Radii of a motion's paths widen the
// brackets.
func (s *Step) Profile(times []float64, o *Options) ([]Clearance, error) {
	return callStepOf(&profileCalls, s, o, func(o *step.Options) ([]Clearance, error) {
		found := make([]geom.LeastDistance, len(times))
		if err := s.core.Profile(times, found, distancesAt, o); err != nil {
			return nil, err
		}
		return converted(found, clearanceOf), nil
	})
}

// distancesAt is the function that package step has from package proximity.
func distancesAt(m *mesh.Mesh, on step.Moves, times []float64, out []geom.LeastDistance, o *engine.CallOptions) error {
	call := &proximity.Options{CallOptions: *o}
	if on.Paths != nil {
		return proximity.ProfileOnPaths(m, on.Paths, times, out, call)
	}
	return proximity.Profile(m, on.X0, on.X1, times, out, call)
}

// nearestPair is the search of package proximity, which package step does not import.
func nearestPair(m *mesh.Mesh, on step.Moves, tMax, bracket float64, o *engine.CallOptions) (
	geom.LeastDistance, error) {
	call := &proximity.Options{CallOptions: *o}
	if on.Paths != nil {
		q := proximity.PathQuery{Mesh: m, Motion: on.Paths, TMax: tMax, Bracket: bracket}
		return proximity.LeastOnPaths(&q, call)
	}
	q := proximity.LeastQuery{Mesh: m, X0: on.X0, X1: on.X1, TMax: tMax, Bracket: bracket}
	return proximity.LeastDistance(&q, call)
}

// GradientState says whether a time of impact has derivatives, and if not, why.
type GradientState int32

// The states. Where one says that something is 0 or equal, it is that or cannot be distinguished
// from it with 106 bits.
const (
	GradientUndetermined = GradientState(gradient.Undetermined) // the derivatives are beyond the range of doubles; NaN
	GradientDefined      = GradientState(gradient.Defined)      // each is within 1e-12 of the largest of them
	GradientNoImpact     = GradientState(gradient.NoImpact)     // the pair is separate; 0
	GradientInitial      = GradientState(gradient.Initial)      // The pair is in contact at t = 0: the gradient is 0.
	GradientGrazing      = GradientState(gradient.Grazing)      // the pair does not approach at the time; NaN
	GradientTie          = GradientState(gradient.Tie)          // several points or features touch first; NaN
	GradientBorder       = GradientState(gradient.Border)       // a small change ends the contact; NaN
)

// String returns "defined", "no impact" and so on.
func (s GradientState) String() string { return gradient.State(s).String() }

// Gradient is the derivatives of a pair's time of impact with respect to its vertices.
type Gradient struct {
	State GradientState
	Kind  Kind
	// X0, X1 are the derivatives of the time by each vertex at t = 0 and t = 1, in 1 / length.
	X0, X1       [4][3]float64
	TOI          float64    // the time that they are taken at; +Inf without an impact
	Conditioning float64    // how steeply the two meet, in (0, 1]; 0 unless defined
	Weights      [4]float64 // Weights are those of the vertices in the points in contact, 0 unless defined.
	Normal       [3]float64 // unit, from B to A; 0 unless defined
	Vertices     [4]int32   // Vertices are those of the pair, -1 where it has fewer.
}

func gradientOf(g *gradient.Gradient) Gradient {
	return Gradient{
		State: GradientState(g.State), Kind: Kind(g.Kind), X0: g.X0, X1: g.X1, TOI: g.TOI, Conditioning: g.Conditioning,
		Weights: g.Weights, Normal: g.Normal, Vertices: g.Vertices,
	}
}

// Gradients returns the derivatives of the times of some impacts of the step. Only Kind, A and B of
// the impacts are read. MinSeparation, Norm and TMax are those of the time that is differentiated.
// Scenes do not have it.
func (s *Step) Gradients(impacts []Impact, o *Options) ([]Gradient, error) {
	return callStep(s, o, func(o *step.Options) ([]Gradient, error) {
		given := converted(impacts, func(i *Impact) geom.Impact {
			return geom.Impact{Verdict: geom.Verdict(i.Verdict), Kind: geom.Kind(i.Kind), A: int64(i.A), B: int64(i.B)}
		})
		found := make([]gradient.Gradient, len(given))
		if err := s.core.Gradients(given, found, o); err != nil {
			return nil, err
		}
		return converted(found, gradientOf), nil
	})
}
