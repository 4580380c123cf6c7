package ccd

import (
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/core/step"
)

// Candidates are the pairs of a mesh that may come within a separation during a step: those whose
// boxes over the step overlap. They serve several calls on parts of one step, as those of a line
// search. FindCandidates makes them.
type Candidates struct {
	mesh *Mesh
	core *broad.Candidates
}

// FindCandidates returns the candidates of the step from x0 to x1, for every separation up to
// Options.MinSeparation. Of the options it also uses Threads, MemoryLimit, Progress and BruteForce;
// it writes no Stats.
func FindCandidates(m *Mesh, x0, x1 []float64, o *Options) (*Candidates, error) {
	return onMesh(&stepCalls, m, o, func(c *mesh.Mesh, s *settings) (*Candidates, error) {
		s.stats = nil
		found, err := broad.Find(c, x0, x1, s.narrow.Flags&narrow.BruteForce != 0, s.broad())
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

// Step returns the step from x0 to x1 whose pairs are these. It must stay within the one that the
// candidates were found for: each vertex within the box of its motion there at both ends. A step
// that leaves it is an ErrArgument of its calls.
func (c *Candidates) Step(x0, x1 []float64) *Step {
	m, known, err := c.get()
	if err != nil {
		return &Step{err: err}
	}
	if _, err := m.get(); err != nil {
		return &Step{err: err}
	}
	return &Step{core: step.Among(known, x0, x1), rows: known.Mesh().NV}
}
