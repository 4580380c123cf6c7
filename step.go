package ccd

import (
	"ccd/core/geom"
	"ccd/core/status"
	"ccd/core/step"
)

// Earliest returns the first impact of a mesh over the step from x0 to x1, which have 3 coordinates
// for each vertex: the one with the least TOILo, of equal ones the first in the order (Kind, A, B).
//
// Separate is a proof that no pair comes within the separation for t <= TMax. Otherwise no pair
// does so for t < TOILo. An edge and a face that it passes through at x0 are no pair of a step;
// with Options.CheckStart they are found too.
func Earliest(m *Mesh, x0, x1 []float64, o *Options) (Impact, error) {
	return NewStep(m, x0, x1).Earliest(o)
}

// Collisions returns the impact of every pair that is not Separate, sorted by (TOILo, Kind, A, B),
// impacts of the kind EdgeFace first.
func Collisions(m *Mesh, x0, x1 []float64, o *Options) ([]Impact, error) {
	return NewStep(m, x0, x1).Collisions(o)
}

// Size returns a safe step: for every t in [0, alpha] all pairs keep more than the separation. It
// is TMax if no pair comes too near.
//
// This holds of the motion in real arithmetic. Positions x0 + alpha (x1 - x0) that are computed in
// doubles are rounded, and a pair may touch there: Advance returns positions that are proven.
func Size(m *Mesh, x0, x1 []float64, o *Options) (alpha float64, err error) {
	return NewStep(m, x0, x1).Size(o)
}

// Advance goes as far as is safe: it returns a step alpha and the positions x that it leads to, so
// that all pairs keep more than the separation on the straight way from x0 to just these doubles,
// in exact arithmetic. share, in (0, 1], is the part of the longest safe step to take. If alpha is
// 0, x is x0.
func Advance(m *Mesh, x0, x1 []float64, share float64, o *Options) (alpha float64, x []float64, err error) {
	return NewStep(m, x0, x1).Advance(share, o)
}

// Step is what moves, and which pairs count. Its methods are the calls on whole steps. NewStep
// makes one of a mesh, NewStepOn of a mesh on the paths of a motion, Candidates.Step and StepOn
// of known pairs, Neighbors.Step of the mesh of a list, and Scene.Step of the vertices of a scene
// that move. Results have the bits of those of the same mesh and positions; a call that a step does
// not have is an ErrUnsupported that says why.
//
// A step copies nothing: a call reads the positions that the arrays hold when it begins. Goroutines
// may share a step as long as none writes to the arrays during a call. A wrong argument of what
// makes a step is an error of its calls.
type Step struct {
	core *step.Step
	rows int // vertices of the mesh, or those of a scene that move
	err  error
}

// NewStep returns the step of a mesh on which vertex i moves from x0[i] to x1[i], 3 coordinates
// each.
func NewStep(m *Mesh, x0, x1 []float64) *Step {
	c, err := m.get()
	if err != nil {
		return &Step{err: err}
	}
	return &Step{core: step.Straight(c, x0, x1), rows: c.NV}
}

// callStep runs a call on a step.
func callStep[T any](s *Step, o *Options, call func(o *step.Options) (T, error)) (T, error) {
	return callStepOf(&stepCalls, s, o, call)
}

// callStepOf runs a call of a domain on a step.
func callStepOf[T any](d *domain, s *Step, o *Options, call func(o *step.Options) (T, error)) (T, error) {
	return with(d, o, func(set *settings) (out T, err error) {
		if s == nil || s.core == nil && s.err == nil {
			return out, status.Errorf(ErrArgument, "step is nil or zero: make it with NewStep")
		}
		if s.err != nil {
			return out, s.err
		}
		return call(set.step())
	})
}

// Earliest returns the first impact of a step, as the function Earliest does. Of a scene: if it is
// Separate and TMax is 1, the motion is proven (Scene.CommitProven).
func (s *Step) Earliest(o *Options) (Impact, error) {
	return callStep(s, o, func(o *step.Options) (Impact, error) {
		first, err := s.core.Earliest(o)
		return impactOf(&first), err
	})
}

// Collisions returns all impacts, as the function Collisions does. Of a scene: if there are none
// and TMax is 1, the motion is proven.
func (s *Step) Collisions(o *Options) ([]Impact, error) {
	return callStep(s, o, func(o *step.Options) ([]Impact, error) {
		list, err := s.core.Collisions(o)
		return converted(list, impactOf), err
	})
}

// FirstImpacts returns the first count impacts of Collisions, with the same bits, or all of them if
// there are no more: for a solver that handles impacts in the order of time, some at a time. It
// takes little more time than Earliest where the impacts come early, and memory for count of them.
// count is at least 1. Of a scene: if there are none and TMax is 1, the motion is proven.
func (s *Step) FirstImpacts(count int, o *Options) ([]Impact, error) {
	return callStep(s, o, func(o *step.Options) ([]Impact, error) {
		if count < 1 {
			return nil, status.Errorf(ErrArgument, "count is %d: must be at least 1", count)
		}
		list, err := s.core.FirstImpacts(count, o)
		return converted(list, impactOf), err
	})
}

// Visit passes the impacts of Collisions to a function, some at a time and in no particular order,
// and stores none. visit may be called on any goroutine, but never twice at once; if it returns
// true, the call ends with ErrCancelled. It must not call the scene of the step.
func (s *Step) Visit(o *Options, visit func(some []Impact) (stop bool)) error {
	_, err := callStep(s, o, func(o *step.Options) (struct{}, error) {
		if visit == nil {
			return struct{}{}, status.Errorf(ErrArgument, "visit is nil: must be a function")
		}
		return struct{}{}, s.core.Visit(o, func(batch []geom.Impact) bool { return visit(converted(batch, impactOf)) })
	})
	return err
}

// Size returns a safe step, as the function Size does. Of a scene: if it is 1, the motion is
// proven.
func (s *Step) Size(o *Options) (alpha float64, err error) {
	return callStep(s, o, func(o *step.Options) (float64, error) { return s.core.Size(o) })
}

// Advance goes as far as is safe, as the function Advance does. Of a scene x has a row for each
// vertex that moves, and the motion to x is proven.
func (s *Step) Advance(share float64, o *Options) (alpha float64, x []float64, err error) {
	alpha, err = callStep(s, o, func(o *step.Options) (float64, error) {
		x = make([]float64, 3*s.rows)
		return s.core.Advance(x, share, o)
	})
	if err != nil {
		return 0, nil, err
	}
	return alpha, x, nil
}

// LineSearchBound says how far a line search may go.
type LineSearchBound struct {
	Alpha      float64 // every step up to it is safe
	Distance   float64 // all pairs are farther apart than this at x0
	Separation float64 // all pairs keep more than this up to Alpha
}

// LineSearch bounds the steps of a line search so that every pair keeps the part keepRatio, in (0,
// 1), of its distance at x0. Options.MinSeparation must be positive: it is a search radius, pairs
// farther apart are ignored.
func (s *Step) LineSearch(keepRatio float64, o *Options) (LineSearchBound, error) {
	return callStep(s, o, func(o *step.Options) (LineSearchBound, error) {
		b, err := s.core.LineSearch(keepRatio, o)
		return LineSearchBound{b.Alpha, b.Distance, b.Separation}, err
	})
}
