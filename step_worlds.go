package ccd

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/step"
)

// EarliestBatch returns the earliest impact of each of several worlds: of a mesh at other
// positions. x0 and x1 have the coordinates of one world after the other. Each impact has the bits
// of Earliest. Options.MemoryLimit holds for each world; Options.Stats add up all.
func EarliestBatch(m *Mesh, x0, x1 []float64, o *Options) ([]Impact, error) {
	return onMesh(&stepCalls, m, o, func(c *mesh.Mesh, s *settings) ([]Impact, error) {
		found := make([]geom.Impact, worldsOf(c, x0))
		if err := step.EarliestBatch(c, x0, x1, found, s.step()); err != nil {
			return nil, err
		}
		return converted(found, impactOf), nil
	})
}

// worldsOf returns the number of worlds of a mesh that have so many coordinates.
func worldsOf(m *mesh.Mesh, x0 []float64) int { return len(x0) / max(1, 3*m.NV) }

// WorldSteps are the steps of several worlds, and the positions that they lead to.
type WorldSteps struct {
	Alpha   []float64 // the step of each world; where it is 0, its positions are those of x0
	X       []float64 // the positions of one world after the other
	Impacts []Impact  // what ended the step of each world, as EarliestBatch finds it
}

// AdvanceBatch goes as far as is safe in each of several worlds: of a mesh at other positions. x0
// and x1 have the coordinates of one world after the other; share, in (0, 1], is the part of the
// longest safe step of each to take. Steps and positions of a world have the bits of Advance.
// Options.MemoryLimit holds for each world; Options.Stats add up all searches of all worlds.
func AdvanceBatch(m *Mesh, x0, x1 []float64, share float64, o *Options) (WorldSteps, error) {
	return onMesh(&stepCalls, m, o, func(c *mesh.Mesh, s *settings) (WorldSteps, error) {
		worlds := worldsOf(c, x0)
		out := WorldSteps{Alpha: make([]float64, worlds), X: make([]float64, len(x0))}
		found := make([]geom.Impact, worlds)
		if err := step.AdvanceBatch(c, x0, x1, share, out.Alpha, out.X, found, s.step()); err != nil {
			return WorldSteps{}, err
		}
		out.Impacts = converted(found, impactOf)
		return out, nil
	})
}
