package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// moving is a ball in the frame of its target, over an interval [m - h, m + h].
type moving struct {
	x, v, a r3.Vec
	need    float64 // radius, separation and what x + t v + t^2/2 a errs by
	way     float64 // bounds how far the center moves from x
}

// place computes where a ball is in an interval.
func place(s *state, sl *slack, b *ball, h, separation float64) (m moving) {
	m.x, m.v, m.a = s.at(b.c)
	k := sl.at(b.far)
	rest := cubic(&k, h)
	m.need = (b.r + rest + separation) * (1 + 64*unit)
	m.way = float64(h*geom.Norm(m.v)) + float64(float64(0.5*h*h)*geom.Norm(m.a)) + rest
	return m
}

// least is the magnitude below which a square may have underflowed.
const least = 1e-280

// relative is above the roundings of the sums of a test of a ball.
const relative = 0x1p-48

// apart proves a ball and a box apart on the interval; it also returns their squared distance at
// its middle, rounded.
//
// Let d be the way from the nearest point of the box to x. For each point y of the box d.(x - y) is
// at least d.d, so the center comes no nearer to y along d than d.d - h |d.v| + h^2/2 min(0, d.a),
// less |d| times the rest.
func (m *moving) apart(n *node, i int, h float64) (bool, float64) {
	dx := m.x.X - min(max(m.x.X, n.lo[0][i]), n.hi[0][i])
	dy := m.x.Y - min(max(m.x.Y, n.lo[1][i]), n.hi[1][i])
	dz := m.x.Z - min(max(m.x.Z, n.lo[2][i]), n.hi[2][i])
	d := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
	dv := float64(dx*m.v.X) + float64(dy*m.v.Y) + float64(dz*m.v.Z)
	da := float64(dx*m.a.X) + float64(dy*m.a.Y) + float64(dz*m.a.Z)
	left := float64(d*(1-relative)) - float64(h*math.Abs(dv)) + float64(float64(0.5*h*h)*min(0, da))
	return left > float64(math.Sqrt(d)*m.need)*(1+relative) && d > least, d
}

// meet returns the boxes of a node, as bits, that are not proven apart from the ball and have a
// body that is tested.
func (m *moving) meet(n *node, h float64, mask uint64) (bits uint32) {
	for i := range 8 {
		if n.mask[i]&mask == 0 {
			continue
		}
		if apart, _ := m.apart(n, i, h); !apart {
			bits |= 1 << i
		}
	}
	return bits
}

// toward returns the squared distance from x to a box's middle.
func (n *node) toward(x r3.Vec, i int) float64 {
	dx := x.X - float64(0.5*(n.lo[0][i]+n.hi[0][i]))
	dy := x.Y - float64(0.5*(n.lo[1][i]+n.hi[1][i]))
	dz := x.Z - float64(0.5*(n.lo[2][i]+n.hi[2][i]))
	return float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
}

// outward returns the way from a box to x: from its nearest point, or from its middle if x is in
// the box. It has length 1.
func (n *node) outward(x r3.Vec, i int) r3.Vec {
	d := r3.Vec{
		X: x.X - min(max(x.X, n.lo[0][i]), n.hi[0][i]),
		Y: x.Y - min(max(x.Y, n.lo[1][i]), n.hi[1][i]),
		Z: x.Z - min(max(x.Z, n.lo[2][i]), n.hi[2][i]),
	}
	if geom.MaxAbs(d) < 1e-120 {
		d = r3.Sub(x, r3.Vec{X: float64(0.5 * (n.lo[0][i] + n.hi[0][i])), Y: float64(0.5 * (n.lo[1][i] + n.hi[1][i])),
			Z: float64(0.5 * (n.lo[2][i] + n.hi[2][i]))})
	}
	return normalized(d)
}

// normalized returns v at the length 1, within 4u, or the third axis where v is too short.
func normalized(v r3.Vec) r3.Vec {
	l := geom.Norm(v)
	if !(l > 1e-130) {
		return r3.Vec{Z: 1}
	}
	return r3.Vec{X: v.X / l, Y: v.Y / l, Z: v.Z / l}
}
