package patch

import "math"

// The plain way to look at a side, which the methods that search by boxes use: both patches projected on one direction, the
// highest of the one beside the lowest of the other.

// project writes the projections of positions and velocities on n.
func (s *side) project(n vec) {
	p := s.pad
	x, y, z := s.x[:p], s.x[p:2*p], s.x[2*p:3*p]
	vx, vy, vz := s.x[3*p:4*p], s.x[4*p:5*p], s.x[5*p:6*p]
	for i := range s.n {
		s.pos[i] = float64(n.X*x[i]) + float64(n.Y*y[i]) + float64(n.Z*z[i])
		s.vel[i] = float64(n.X*vx[i]) + float64(n.Y*vy[i]) + float64(n.Z*vz[i])
	}
}

// highest is the control point that reaches farthest along the direction at time t.
func (s *side) highest(t float64) (float64, int) {
	best, at := math.Inf(-1), 0
	for i := range s.n {
		if h := s.pos[i] + float64(t*s.vel[i]); h > best {
			best, at = h, i
		}
	}
	return best, at
}

// lowest is highest the other way.
func (s *side) lowest(t float64) (float64, int) {
	best, at := math.Inf(1), 0
	for i := range s.n {
		if h := s.pos[i] + float64(t*s.vel[i]); h < best {
			best, at = h, i
		}
	}
	return best, at
}
