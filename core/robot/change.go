package robot

import (
	"math"
	"slices"

	"ccd/core/status"
)

// Change is how a robot differs from another one: what it grasped or put down, or obstacles that
// are new or gone.
type Change struct {
	Bodies []Body // Further bodies: their numbers follow those that the robot has.
	// Pairs and Separations are those of a Model, and come to those that the robot has.
	Pairs       [][2]int
	Separations []float64
	Without     []int // Bodies whose pairs are not tested any more. Their numbers stay.
}

// With prepares a robot with a change. The trees of bodies that the robot has are shared, so it
// takes a small part of the time of New. The robot itself stays as it is: what is attached to it is
// detached by going back to it.
func (r *Robot) With(c *Change) (*Robot, error) {
	m := r.model
	m.Bodies = append(slices.Clip(m.Bodies), c.Bodies...)
	gone := make([]bool, len(m.Bodies))
	for i, b := range c.Without {
		if b < 0 || b >= len(r.model.Bodies) {
			return nil, status.Errorf(status.ErrIndex, "without[%d] is %d: must be one of the %d bodies", i, b,
				len(r.model.Bodies))
		}
		gone[b] = true
	}
	if c.Separations != nil && len(c.Separations) != len(c.Pairs) {
		return nil, status.Errorf(status.ErrArgument, "separations: there are %d, and %d pairs", len(c.Separations),
			len(c.Pairs))
	}
	m.Pairs, m.Separations = nil, nil
	add := func(pairs [][2]int, separations []float64) {
		for i, p := range pairs {
			d := math.NaN()
			if separations != nil {
				d = separations[i]
			}
			m.Pairs, m.Separations = append(m.Pairs, p), append(m.Separations, d)
		}
	}
	for i, p := range r.model.Pairs {
		if gone[p[0]] || gone[p[1]] {
			continue
		}
		var d []float64
		if r.model.Separations != nil {
			d = r.model.Separations[i : i+1]
		}
		add([][2]int{p}, d)
	}
	add(c.Pairs, c.Separations)
	if err := m.checkAfter(len(r.model.Bodies), len(m.Pairs)-len(c.Pairs)); err != nil {
		return nil, err
	}
	return prepared(&m, r), nil
}
