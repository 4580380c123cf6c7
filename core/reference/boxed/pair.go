package boxed

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// pair is the subpatches of a cell.
type pair struct {
	query    *patch.Query
	sides    [2]side
	gapError float64 // see patch.Query.Pair
}

// side is one of them: its control points at t=0, and how they move over the step.
type side struct {
	x, v     []r3.Vec
	corners  []int32
	pos, vel []float64 // their projections on the axis at hand
}

// maxPoints is the most control points that a patch has.
const maxPoints = (patch.MaxDegree + 1) * (patch.MaxDegree + 1)

func (s *side) load(p *patch.Subpatch) {
	s.corners = p.Corners()
	s.x, s.v = s.x[:0], s.v[:0]
	for i := range p.Len() {
		x, v := p.Point(i)
		s.x, s.v = append(s.x, x), append(s.v, v)
	}
}

// at is control point i at a time.
func (s *side) at(i int, t float64) r3.Vec { return r3.Add(s.x[i], geom.Scale(t, s.v[i])) }

// euclidean reports whether the separation is in the Euclidean norm.
func (c *pair) euclidean() bool { return c.query.Options.Flags&narrow.MaxNorm == 0 }

// project writes the projections of both subpatches on n.
func (c *pair) project(n r3.Vec) {
	c.query.Work.Directions++
	for k := range c.sides {
		s := &c.sides[k]
		s.pos, s.vel = s.pos[:0], s.vel[:0]
		for i := range s.x {
			s.pos, s.vel = append(s.pos, geom.Dot(n, s.x[i])), append(s.vel, geom.Dot(n, s.v[i]))
		}
	}
}

// highest is the control point that reaches farthest along the axis at time t.
func (s *side) highest(t float64) (float64, int) {
	best, at := math.Inf(-1), 0
	for i := range s.pos {
		if h := s.pos[i] + float64(t*s.vel[i]); h > best {
			best, at = h, i
		}
	}
	return best, at
}

// lowest is highest the other way.
func (s *side) lowest(t float64) (float64, int) {
	best, at := math.Inf(1), 0
	for i := range s.pos {
		if h := s.pos[i] + float64(t*s.vel[i]); h < best {
			best, at = h, i
		}
	}
	return best, at
}

// farthest is, for each coordinate, the most by which a point of one hull and one of the other
// differ at time t.
func (c *pair) farthest(t float64) (m r3.Vec) {
	inf := r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}
	lo, hi := [2]r3.Vec{inf, inf}, [2]r3.Vec{geom.Scale(-1, inf), geom.Scale(-1, inf)}
	for k := range c.sides {
		s := &c.sides[k]
		for i := range s.x {
			p := s.at(i, t)
			lo[k] = r3.Vec{X: min(lo[k].X, p.X), Y: min(lo[k].Y, p.Y), Z: min(lo[k].Z, p.Z)}
			hi[k] = r3.Vec{X: max(hi[k].X, p.X), Y: max(hi[k].Y, p.Y), Z: max(hi[k].Z, p.Z)}
		}
	}
	p, q := r3.Sub(hi[0], lo[1]), r3.Sub(hi[1], lo[0])
	return r3.Vec{X: max(p.X, q.X), Y: max(p.Y, q.Y), Z: max(p.Z, q.Z)}
}
