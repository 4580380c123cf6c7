package ccd

import (
	"ccd/core/broad"
	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/core/step"
)

// Earliest returns the first impact of a mesh over the step from x0 to x1, which have 3 coordinates for each vertex: the one with the least
// TOILo, of equal ones the first in the order (Kind, A, B).
//
// Separate is a proof that no pair comes within the separation for t <= TMax. Otherwise no pair does so for t < TOILo. An edge and a face
// that it passes through at x0 are no pair of a step; with Options.CheckStart they are found too.
func Earliest(m *Mesh, x0, x1 []float64, o *Options) (Impact, error) {
	return earliest(m, x0, x1, o, nil)
}

// Collisions returns the impact of every pair that is not Separate, sorted by (TOILo, Kind, A, B), impacts of the kind EdgeFace first.
func Collisions(m *Mesh, x0, x1 []float64, o *Options) ([]Impact, error) {
	return collisions(m, x0, x1, o, nil)
}

// Size returns a safe step: for every t in [0, alpha] all pairs keep more than the separation. It is TMax if no pair comes too near.
//
// This holds of the motion in real arithmetic. Positions x0 + alpha (x1 - x0) that are computed in doubles are rounded, and a pair may touch
// there: Advance returns positions that are proven.
func Size(m *Mesh, x0, x1 []float64, o *Options) (alpha float64, err error) {
	return size(m, x0, x1, o, nil)
}

// Advance goes as far as is safe: it returns a step alpha and the positions x that it leads to, so that all pairs keep more than the
// separation on the straight way from x0 to just these doubles, in exact arithmetic. share, in (0, 1], is the part of the longest safe step
// to take. If alpha is 0, x is x0.
func Advance(m *Mesh, x0, x1 []float64, share float64, o *Options) (alpha float64, x []float64, err error) {
	return advance(m, x0, x1, share, o, nil)
}

// SizesOptions are the options of Sizes beside those of a step.
type SizesOptions struct {
	Groups    []int32 // nil, or by vertex: the vertices of a group have one step; less than the number of vertices, negative for none
	Share     float64 // in (0, 1): the part of the way to its impact that a pair keeps
	KeepRatio float64 // in [0, 1]: the part of its distance at x0 that a pair within the separation keeps
	MaxPasses int     // at least 1: searches after which vertices in contact rest
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
	Alpha   []float64 // by vertex, in [0, 1]
	X       []float64 // the positions that the steps lead to: x0 + alpha (x1 - x0), in doubles, 3 coordinates for each vertex
	Used    float64   // sum |alpha (x1 - x0)| / sum |x1 - x0| over the vertices; 1 if none moves
	Floor   float64   // an alpha is at least Floor, or 0; 1 if no pair came too near
	Resting int       // vertices with alpha 0 of which x1 is not x0
	Passes  int       // searches
}

// Sizes chooses a step for each vertex, so that the motion from x0 straight to the positions X, to just these doubles, is safe in exact
// arithmetic: one early impact ends the step of a whole mesh with Advance, and here that of a few vertices. nil stands for
// DefaultSizesOptions. Options.TMax must be 1 and the method exact.
//
// Every pair that does not touch at x0 keeps its separation, or, where it is within it at x0, KeepRatio of at least half its distance. A vertex
// of a pair that touches at x0 rests.
func Sizes(m *Mesh, x0, x1 []float64, so *SizesOptions, o *Options) (VertexSteps, error) {
	return onStep(m, o, func(m *mesh.Mesh, o *step.Options) (VertexSteps, error) {
		v := VertexSteps{Alpha: make([]float64, m.NV), X: make([]float64, len(x0))}
		report, err := step.Sizes(m, x0, x1, v.Alpha, v.X, so.core(), o)
		return v.with(&report), err
	})
}

func (v VertexSteps) with(r *step.SizesReport) VertexSteps {
	v.Used, v.Floor, v.Resting, v.Passes = r.Used, r.Floor, int(r.Resting), int(r.Passes)
	return v
}

// ActiveSet returns every pair that comes within the separation during the step, as a constraint for a solver, in the order of Collisions.
// With Options.CheckStart an edge that passes through a face at x0 is an ErrArgument that names both.
func ActiveSet(m *Mesh, x0, x1 []float64, o *Options) ([]Constraint, error) {
	return onStep(m, o, func(m *mesh.Mesh, o *step.Options) ([]Constraint, error) {
		list, err := step.ActiveSet(m, x0, x1, o)
		return converted(list, constraintOf), err
	})
}

// Constraint is a contact constraint, linearized at the impact of its pair. With the normal n and the points in contact p_a and p_b, the gap
// n . (p_a - p_b) = sum of Weights[i] n . x[Vertices[i]] must be at least the separation.
type Constraint struct {
	Impact
	Vertices [4]int32   // of the pair: those of A, then those of B; where there are fewer than four, one repeats with the weight 0
	Weights  [4]float64 // positive on A, negative on B
	Gap      float64    // at x1; negative where the step went through
}

func constraintOf(c *constraint.Constraint) Constraint {
	return Constraint{Impact: impactOf(&c.Impact), Vertices: c.Vertices, Weights: c.Weights, Gap: c.Gap}
}

// Candidates are the pairs of a mesh that may come within a separation during a step: those whose boxes over the step overlap. They serve
// several calls on parts of one step, as those of a line search. FindCandidates makes them.
type Candidates struct {
	mesh *Mesh
	core *broad.Candidates
}

// FindCandidates returns the candidates of the step from x0 to x1, for every separation up to Options.MinSeparation. Of the options it also
// uses Threads, MemoryLimit, Progress and BruteForce; it writes no Stats.
func FindCandidates(m *Mesh, x0, x1 []float64, o *Options) (*Candidates, error) {
	return onMesh(&stepCalls, m, o, func(c *mesh.Mesh, s *settings) (*Candidates, error) {
		s.stats = nil
		found, err := broad.Find(c, x0, x1, s.narrow.Flags&narrow.BruteForce != 0, broad.Options{
			MinSeparation: s.narrow.MinSeparation, Threads: s.call.Workers(), Progress: s.call.Progress, MemoryLimit: s.call.MemoryLimit,
		})
		if err != nil {
			return nil, err
		}
		return &Candidates{m, found}, nil
	})
}

// get returns the mesh and the pairs.
func (c *Candidates) get() (*Mesh, *broad.Candidates, error) {
	if c == nil || c.core == nil {
		return nil, nil, status.Errorf(ErrArgument, "candidates is nil or zero: make it with FindCandidates")
	}
	return c.mesh, c.core, nil
}

// Count returns the number of pairs of a kind.
func (c *Candidates) Count(kind Kind) int {
	if _, known, err := c.get(); err == nil {
		return known.Count(geom.Kind(kind))
	}
	return 0
}

// Pairs returns the pairs (a, b) of a kind, sorted; a < b if both primitives have one shape.
func (c *Candidates) Pairs(kind Kind) [][2]int {
	_, known, err := c.get()
	if err != nil {
		return nil
	}
	return converted(known.Of(geom.Kind(kind)), func(p *[2]int32) [2]int { return [2]int{int(p[0]), int(p[1])} })
}

// Earliest is the function Earliest with these pairs, for a step within the one that the candidates were found for: each vertex must be
// within the box of its motion there at both ends. A step that leaves it is an ErrArgument.
func (c *Candidates) Earliest(x0, x1 []float64, o *Options) (Impact, error) {
	m, known, err := c.get()
	if err != nil {
		return Impact{}, err
	}
	return earliest(m, x0, x1, o, known)
}

// Collisions is the function Collisions with these pairs; see Earliest.
func (c *Candidates) Collisions(x0, x1 []float64, o *Options) ([]Impact, error) {
	m, known, err := c.get()
	if err != nil {
		return nil, err
	}
	return collisions(m, x0, x1, o, known)
}

// Size is the function Size with these pairs; see Earliest.
func (c *Candidates) Size(x0, x1 []float64, o *Options) (alpha float64, err error) {
	m, known, err := c.get()
	if err != nil {
		return 0, err
	}
	return size(m, x0, x1, o, known)
}

// Advance is the function Advance with these pairs; see Earliest.
func (c *Candidates) Advance(x0, x1 []float64, share float64, o *Options) (alpha float64, x []float64, err error) {
	m, known, err := c.get()
	if err != nil {
		return 0, nil, err
	}
	return advance(m, x0, x1, share, o, known)
}

func earliest(m *Mesh, x0, x1 []float64, o *Options, known *broad.Candidates) (Impact, error) {
	return onStep(m, o, func(m *mesh.Mesh, o *step.Options) (Impact, error) {
		o.Candidates = known
		first, err := step.Earliest(m, x0, x1, o)
		return impactOf(&first), err
	})
}

func collisions(m *Mesh, x0, x1 []float64, o *Options, known *broad.Candidates) ([]Impact, error) {
	return onStep(m, o, func(m *mesh.Mesh, o *step.Options) ([]Impact, error) {
		o.Candidates = known
		list, err := step.Collisions(m, x0, x1, o)
		return converted(list, impactOf), err
	})
}

func size(m *Mesh, x0, x1 []float64, o *Options, known *broad.Candidates) (float64, error) {
	return onStep(m, o, func(m *mesh.Mesh, o *step.Options) (float64, error) {
		o.Candidates = known
		return step.Size(m, x0, x1, o)
	})
}

func advance(m *Mesh, x0, x1 []float64, share float64, o *Options, known *broad.Candidates) (alpha float64, x []float64, err error) {
	x = make([]float64, len(x0))
	alpha, err = onStep(m, o, func(m *mesh.Mesh, o *step.Options) (float64, error) {
		o.Candidates = known
		return step.Advance(m, x0, x1, x, share, o)
	})
	if err != nil {
		return 0, nil, err
	}
	return alpha, x, nil
}
