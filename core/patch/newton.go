package patch

import "math"

// place is a pair of points, one on each patch: u, v on the first, u, v on the second; and the constraints that hold
// each at an edge of its domain.
type place struct {
	x      [4]float64
	active [2]uint8
}

// column is one direction in which a place may move: on which patch, by how much of u and v, and how F changes.
type column struct {
	patch int
	d     [2]float64
	g     vec
}

// look evaluates both patches at a place.
func (s *Solver) look(x *[4]float64, order int) {
	s.Work.Evaluations++
	for i := range s.surf {
		if !s.surf[i].loaded {
			s.surf[i].load(&s.trees[i])
		}
	}
	s.surf[0].eval(x[0], x[1], order, &s.jet[0])
	s.surf[1].eval(x[2], x[3], order, &s.jet[1])
}

// difference is F = A - B at time t, at the place looked at.
func (s *Solver) difference(t float64) vec {
	return s.jet[0].at(value, t).sub(s.jet[1].at(value, t))
}

// velocity is dF/dt at the place looked at.
func (s *Solver) velocity() vec { return s.jet[0].speed(value).sub(s.jet[1].speed(value)) }

// columns lists the directions in which a place is free to move, with their derivatives at time t.
func (s *Solver) columns(p *place, t float64, out *[4]column) int {
	n := 0
	for i := range 2 {
		d, m := freedom(s.surf[i].form, p.active[i])
		u, v := s.jet[i].at(byU, t), s.jet[i].at(byV, t)
		for _, e := range d[:m] {
			g := u.times(e[0]).along(e[1], v)
			if i == 1 {
				g = g.times(-1)
			}
			out[n] = column{i, e, g}
			n++
		}
	}
	return n
}

// excess is what F reaches beyond the separation: the vector from the cube or ball to F. Its length in the separation's
// norm is how far the two points are from contact.
func (c *checker) excess(f vec) vec {
	d := c.separation
	if d == 0 {
		return f
	}
	if c.euclidean {
		l := f.length()
		if l <= d {
			return vec{}
		}
		return f.times((l - d) / l)
	}
	clip := func(x float64) float64 { return x - min(max(x, -d), d) }
	return vec{clip(f.x), clip(f.y), clip(f.z)}
}

// size is the length of an excess in the norm of the separation.
func (c *checker) size(e vec) float64 {
	if c.euclidean {
		return e.length()
	}
	return e.most()
}

// approach moves a place towards the nearest one at time t, by Gauss and Newton's method with a little damping on the
// excess, within the domain, and returns how far from contact the best place is; x is that place. It gives up where it
// stalls: the answer is a true distance of two points of the patches, up to rounding, but need not be the least.
func (s *Solver) approach(p *place, t, enough float64) float64 {
	best := math.Inf(1)
	var at place
	damp := 0x1p-30
	for it := range 10 {
		s.look(&p.x, 1)
		e := s.check.excess(s.difference(t))
		far := s.check.size(e)
		switch {
		case far >= best:
			damp = max(damp*128, 0x1p-13)
			if it > 5 {
				*p = at
				return best
			}
		case far > 0.5*best && it > 3, far <= enough:
			return far
		}
		if far < best {
			best, at = far, *p
		}
		s.pressed(p, t, e)
		var col [4]column
		n := s.columns(p, t, &col)
		if n == 0 {
			break
		}
		var m system
		trace := 0.0
		for i := range n {
			for j := range n {
				m[i][j] = s.mask(col[i].g, e).dot(s.mask(col[j].g, e))
			}
			trace += m[i][i]
			m[i][n] = -col[i].g.dot(e)
		}
		for i := range n {
			m[i][i] += float64(damp*trace) + 0x1p-200
		}
		if !m.solve(n, 0x1p-300) {
			break
		}
		s.walk(p, &m, &col, n)
	}
	*p = at
	return best
}

// mask leaves out the components of a derivative in which F is within the separation's cube already.
func (s *Solver) mask(g, e vec) vec {
	if s.check.separation == 0 || s.check.euclidean {
		return g
	}
	if e.x == 0 {
		g.x = 0
	}
	if e.y == 0 {
		g.y = 0
	}
	if e.z == 0 {
		g.z = 0
	}
	return g
}

// pressed chooses the constraints that hold a place: those it is on and is drawn across by the excess e.
func (s *Solver) pressed(p *place, t float64, e vec) {
	for i := range 2 {
		f := s.surf[i].form
		gu, gv := e.dot(s.jet[i].at(byU, t)), e.dot(s.jet[i].at(byV, t))
		if i == 1 {
			gu, gv = -gu, -gv
		}
		p.active[i] = 0
		for k, c := range constraints[f.Shape] {
			if c[0]+float64(c[1]*p.x[2*i])+float64(c[2]*p.x[2*i+1]) < nearEdge && float64(gu*c[1])+float64(gv*c[2]) > 0 {
				p.active[i] |= 1 << k
			}
		}
	}
}

// walk takes the step in column n of a solved system, as far as each domain lets it.
func (s *Solver) walk(p *place, m *system, col *[4]column, n int) {
	var step [4]float64
	for i := range n {
		o := 2 * col[i].patch
		step[o] += float64(m[i][n] * col[i].d[0])
		step[o+1] += float64(m[i][n] * col[i].d[1])
	}
	for i := range 2 {
		f := s.surf[i].form
		u, v, du, dv := p.x[2*i], p.x[2*i+1], step[2*i], step[2*i+1]
		on := p.active[i] | touching(f, u, v)
		part, _ := stepWithin(f, on, u, v, du, dv, 1)
		p.x[2*i], p.x[2*i+1] = settle(f, u+float64(part*du), v+float64(part*dv))
	}
}
