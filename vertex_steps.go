package ccd

import (
	"ccd/core/constraint"
	"ccd/core/step"
)

// SizesOptions are the options of Sizes beside those of a step.
type SizesOptions struct {
	// Groups is nil, or by vertex: the vertices of a group have one step. A group is less than the
	// number of vertices, and negative for none.
	Groups    []int32
	Share     float64 // the part, in (0, 1), of the way to its impact that a pair keeps
	KeepRatio float64 // the part, in [0, 1], of its distance at x0 that a pair within the separation keeps
	MaxPasses int     // the number of searches, at least 1, after which vertices in contact rest
}

// DefaultSizesOptions returns a share of 0.9, a ratio of 0.5 and 64 passes.
func DefaultSizesOptions() SizesOptions {
	d := step.DefaultSizesOptions()
	return SizesOptions{d.Groups, d.Share, d.KeepRatio, d.MaxPasses}
}

// core returns the options as the core takes them; nil stands for the defaults.
func (so *SizesOptions) core() *step.SizesOptions {
	if so == nil {
		return nil
	}
	return &step.SizesOptions{Groups: so.Groups, Share: so.Share, KeepRatio: so.KeepRatio, MaxPasses: so.MaxPasses}
}

// VertexSteps is a step for each vertex, and what Sizes did.
type VertexSteps struct {
	Alpha   []float64 // the step of each vertex, in [0, 1]
	X       []float64 // where the steps lead: x0 + alpha (x1 - x0) in doubles, 3 for each vertex
	Used    float64   // sum |alpha (x1 - x0)| / sum |x1 - x0| over the vertices; 1 if none moves
	Floor   float64   // an alpha is at least Floor, or 0; 1 if no pair came too near
	Resting int       // vertices with alpha 0 of which x1 is not x0
	Passes  int       // searches
}

// Sizes chooses a step for each vertex, so that the motion from x0 straight to the positions X, to
// just these doubles, is safe in exact arithmetic: one early impact ends the step of a whole mesh
// with Advance, and here that of a few vertices. nil stands for DefaultSizesOptions. Options.TMax
// must be 1 and the method exact.
//
// Every pair that does not touch at x0 keeps its separation, or, where it is within it at x0,
// KeepRatio of at least half its distance. A vertex of a pair that touches at x0 rests.
func (s *Step) Sizes(so *SizesOptions, o *Options) (VertexSteps, error) {
	return callStep(s, o, func(o *step.Options) (VertexSteps, error) {
		v := VertexSteps{Alpha: make([]float64, s.rows), X: make([]float64, 3*s.rows)}
		report, err := s.core.Sizes(v.Alpha, v.X, so.core(), o)
		return v.with(&report), err
	})
}

func (v VertexSteps) with(r *step.SizesReport) VertexSteps {
	v.Used, v.Floor, v.Resting, v.Passes = r.Used, r.Floor, int(r.Resting), int(r.Passes)
	return v
}

// ActiveSet returns every pair that comes within the separation during the step, as a constraint
// for a solver, in the order of Collisions. With Options.CheckStart an edge that passes through a
// face at x0 is an ErrArgument that names both.
func (s *Step) ActiveSet(o *Options) ([]Constraint, error) {
	return callStep(s, o, func(o *step.Options) ([]Constraint, error) {
		list, err := s.core.ActiveSet(o)
		return converted(list, constraintOf), err
	})
}

// Constraint is a contact constraint, linearized at the impact of its pair. With the normal n and
// the points in contact p_a and p_b, the distance n . (p_a - p_b) = sum of Weights[i] n .
// x[Vertices[i]] must be at least Separation.
//
// Size: an impact and what a solver needs of it.
type Constraint struct {
	Impact
	// Vertices are those of A, then those of B; where there are fewer than four, one repeats with
	// the weight 0.
	Vertices [4]int32
	Weights  [4]float64 // positive on A, negative on B
	Gap      float64    // the distance at x1 less Separation; negative where the step comes too near
	// Separation is that of the pair: Options.MinSeparation and the radii of both.
	Separation float64
}

func constraintOf(c *constraint.Constraint) Constraint {
	return Constraint{impactOf(&c.Impact), c.Vertices, c.Weights, c.Gap, c.Separation}
}
