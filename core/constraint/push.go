package constraint

import "math"

// Push moves the positions y so that each constraint holds, one after the other: a round of
// Gauss-Seidel, color by color (Colors). x0 are the positions before the step, from which friction
// counts.
//
// A constraint with the normal n, the effective mass m and the distance d at y adds inverseMass[i]
// Weights[i] p to vertex i, with p = m max(Separation - d, 0) n: then the distance is Separation.
// Friction adds to p what takes back the way along the tangents that its points have gone since x0,
// at most friction times the length of p.
//
// Where only vertices move that have small weights, this would move them far. So m is at most what
// moves no vertex by more than farthest times what is missing; later rounds do the rest.
func Push(set []Constraint, x0, y, inverseMass []float64, friction float64) error {
	masses, colors := make([]float64, len(set)), make([]int32, len(set))
	if err := EffectiveMass(set, inverseMass, masses); err != nil {
		return err
	}
	count, err := Colors(set, len(inverseMass), inverseMass, colors)
	if err != nil {
		return err
	}
	p := push{x0: x0, y: y, inverseMass: inverseMass, friction: friction}
	for _, i := range byColor(colors, count) {
		p.apart(&set[i], masses[i])
	}
	return nil
}

// farthest bounds what a constraint moves a vertex in a round, as a multiple of what is missing.
// Two bodies that meet anywhere in the middle of a triangle or an edge take a multiple of 2 at
// most.
const farthest = 16

// push is a round of Push.
type push struct {
	x0, y, inverseMass []float64
	friction           float64
}

// byColor returns the constraints in the order of their colors, those of one color in their own.
func byColor(colors []int32, count int) []int32 {
	at := make([]int32, count+1)
	for _, c := range colors {
		at[c+1]++
	}
	for c := range count {
		at[c+1] += at[c]
	}
	out := make([]int32, len(colors))
	for i, c := range colors {
		out[at[c]] = int32(i)
		at[c]++
	}
	return out
}

// apart moves the vertices of a constraint.
func (p *push) apart(c *Constraint, mass float64) {
	most := 0.0
	for i, v := range c.Vertices {
		most = max(most, math.Abs(c.Weights[i])*p.inverseMass[v])
	}
	if most > 0 {
		mass = min(mass, farthest/most)
	}
	along := mass * max(c.Separation-distance(&c.Impact, p.y, &c.Vertices), 0)
	var impulse [3]float64
	for k := range 3 {
		impulse[k] = along * c.Normal[k]
	}
	if p.friction > 0 {
		slid := p.slid(c)
		length := max(mass*math.Hypot(math.Hypot(slid[0], slid[1]), slid[2]), 1e-300)
		part := mass * min(1, p.friction*along/length)
		for k := range 3 {
			impulse[k] -= float64(part * slid[k])
		}
	}
	for i, v := range c.Vertices {
		for k := range 3 {
			at := &p.y[3*int(v)+k]
			to := *at + float64(float64(c.Weights[i]*p.inverseMass[v])*impulse[k])
			if math.Abs(to) <= maxMagnitude {
				*at = to
			}
		}
	}
}

// slid returns the way of the touching points of a constraint relative to each other since x0,
// without its part along the normal.
func (p *push) slid(c *Constraint) (slid [3]float64) {
	normal := 0.0
	for k := range 3 {
		for i, v := range c.Vertices {
			at := 3*int(v) + k
			slid[k] += float64(c.Weights[i] * (p.y[at] - p.x0[at]))
		}
		normal += float64(slid[k] * c.Normal[k])
	}
	for k := range 3 {
		slid[k] -= float64(normal * c.Normal[k])
	}
	return slid
}
