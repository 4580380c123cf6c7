package motion

import (
	"math"

	"ccd/core/num"
)

// Place is At, for a motion that Refines with radii of rounding alone: x are the positions at the
// time t in [0, 1], and the vertices are within radius of them, if that is not nil.
//
// The paths are enclosed on at most 2^-20 of the step, with t at an end: the remainder of a cubic
// is 2^-80 of that of the step, of a quintic 2^-120, and what is left is what rounding takes from
// the control point there.
func (m *Motion) Place(t float64, x, radius []float64) {
	if m.source == nil {
		m.At(t, x, radius)
		return
	}
	parts := newParts(m.source, m.source.bodies)
	var c [3 * (MaxDegree + 1)]float64
	t0, t1, l := placeOn(t, m.degree)
	for i := range m.n {
		r := parts.enclose(i, t0, t1, c[:])
		copy(x[3*i:3*i+3], c[3*l:])
		if radius != nil {
			radius[i] = r
		}
	}
}

// placeOn returns the part of time on which Place encloses the paths, and which of the control
// points is at t.
func placeOn(t float64, degree int) (t0, t1 float64, l int) {
	if t == 0 {
		return 0, 0x1p-20, 0
	}
	return max(0, t-0x1p-20), t, degree
}

// Place is Motion.Place for some vertices: x has a row, and radius a radius, for each of them.
func (p *Parts) Place(m *Motion, t float64, vertices []int32, x, radius []float64) {
	if m.source == nil {
		c := casteljauAt(m, t)
		for v, i := range vertices {
			radius[v] = c.at(int(i), x[3*v:3*v+3])
		}
		return
	}
	if p.source != m.source {
		p.reset(m.source, partSlots)
	}
	t0, t1, l := placeOn(t, m.degree)
	var c [3 * (MaxDegree + 1)]float64
	for v, i := range vertices {
		radius[v] = p.enclose(int(i), t0, t1, c[:])
		copy(x[3*v:3*v+3], c[3*l:])
	}
}

// Cut returns the motion of which vertex i goes along its path from 0 to ends[i], in [0, 1], as t
// runs from 0 to 1. The motion has one piece.
//
// The control points are those of the parts, by de Casteljau's algorithm in doubles: each is
// between the control points that it is made of. Where ends[i] is 1 they are the same doubles, and
// where it is 0 all are the first. Paths of radius 0 keep radius 0, with the rounded control points
// as their definition. A radius above 0 is increased by the rounding, so that it still holds the
// paths.
//
// With M the largest magnitude of the control points of a vertex and u = 2^-53: a step of the
// algorithm takes a difference of at most 2M, its product with ends[i] and a sum, 2u M + 2u M + u M
// at most; k <= 5 of them 25u M on an axis, 44u M in length. 64u M are taken, and 2^-1000 for what
// underflows.
func (m *Motion) Cut(ends []float64) *Motion {
	out := &Motion{n: m.n, degree: m.degree, times: m.times, control: append([]float64(nil), m.control...)}
	if m.radius != nil {
		out.radius = append([]float64(nil), m.radius...)
	}
	var c [MaxDegree + 1]float64
	for i, end := range ends {
		if end == 1 {
			continue
		}
		most := 0.0
		for k := range 3 {
			for l := range m.degree + 1 {
				c[l] = m.at(0, l, i)[k]
				most = max(most, math.Abs(c[l]))
			}
			if end > 0 {
				firstPart(c[:m.degree+1], end)
			}
			for l := range m.degree + 1 {
				if end == 0 {
					c[l] = c[0]
				}
				out.at(0, l, i)[k] = c[l]
			}
		}
		if m.radius != nil && m.radius[i] > 0 && end > 0 {
			out.radius[i] = num.AddUp(out.radius[i], float64(0x1p-47*most)+0x1p-1000)
		}
	}
	return out
}

// LengthBound returns the length of the polygon of a vertex's control points on a piece, in floats,
// which is at least that of its path but for rounding.
func (m *Motion) LengthBound(j, i int) float64 {
	sum := 0.0
	for l := range m.degree {
		var e deviation
		for k := range 3 {
			e[k] = math.Abs(m.at(j, l+1, i)[k] - m.at(j, l, i)[k])
		}
		sum += e.length()
	}
	return sum
}

// Moves reports whether the control points of a vertex differ.
func (m *Motion) Moves(i int) bool {
	first := m.at(0, 0, i)
	for j := range m.Pieces() {
		for l := range m.degree + 1 {
			if p := m.at(j, l, i); p[0] != first[0] || p[1] != first[1] || p[2] != first[2] {
				return true
			}
		}
	}
	return false
}
