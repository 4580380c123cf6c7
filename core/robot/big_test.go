package robot

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// The reference: kinematics in numbers of 300 bits, written from the definition of Joint alone,
// with poses in the root's coordinates.

const bits = 300

type bigVec [3]*big.Float

type bigMat [3]bigVec

func newBig(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }

func bigOf(v r3.Vec) bigVec { return bigVec{newBig(v.X), newBig(v.Y), newBig(v.Z)} }

func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Mul(a, b) }
func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Sub(a, b) }
func quo(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Quo(a, b) }

func (a bigVec) plus(b bigVec) bigVec {
	return bigVec{add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])}
}
func (a bigVec) minus(b bigVec) bigVec {
	return bigVec{sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])}
}
func (a bigVec) times(s *big.Float) bigVec {
	return bigVec{mul(a[0], s), mul(a[1], s), mul(a[2], s)}
}
func (a bigVec) dot(b bigVec) *big.Float {
	return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}
func (a bigVec) cross(b bigVec) bigVec {
	return bigVec{sub(mul(a[1], b[2]), mul(a[2], b[1])), sub(mul(a[2], b[0]), mul(a[0], b[2])),
		sub(mul(a[0], b[1]), mul(a[1], b[0]))}
}
func (a bigVec) norm() float64 {
	f, _ := new(big.Float).SetPrec(bits).Sqrt(a.dot(a)).Float64()
	return f
}

func (m bigMat) apply(v bigVec) bigVec { return bigVec{m[0].dot(v), m[1].dot(v), m[2].dot(v)} }

func (m bigMat) transposed() (t bigMat) {
	for i := range 3 {
		for k := range 3 {
			t[i][k] = m[k][i]
		}
	}
	return t
}

func (m bigMat) product(o bigMat) (p bigMat) {
	t := o.transposed()
	for i := range 3 {
		for k := range 3 {
			p[i][k] = m[i].dot(t[k])
		}
	}
	return p
}

// nearestRotation returns the rotation nearest to a matrix: the Newton-Schulz iteration.
func nearestRotation(m *geom.Mat) bigMat {
	x := bigMat{bigOf(m.X), bigOf(m.Y), bigOf(m.Z)}
	for range 8 {
		y := x.product(x.transposed()).product(x)
		for i := range 3 {
			x[i] = x[i].times(newBig(1.5)).minus(y[i].times(newBig(0.5)))
		}
	}
	return x
}

// sincos sums Taylor's series.
func sincos(x *big.Float) (sin, cos *big.Float) {
	sin, cos = newBig(0), newBig(0)
	term := newBig(1)
	for n := 1; n < 400; n++ {
		switch n % 4 {
		case 1:
			cos = add(cos, term)
		case 2:
			sin = add(sin, term)
		case 3:
			cos = sub(cos, term)
		case 0:
			sin = sub(sin, term)
		}
		term = quo(mul(term, x), newBig(float64(n)))
		if f, _ := term.Float64(); math.Abs(f) < 1e-80 && n > 4 {
			break
		}
	}
	return sin, cos
}

func bigTurn(axis bigVec, x *big.Float) (m bigMat) {
	sin, cos := sincos(x)
	d := sub(newBig(1), cos)
	for i := range 3 {
		for k := range 3 {
			m[i][k] = mul(mul(axis[i], axis[k]), d)
			if i == k {
				m[i][k] = add(m[i][k], cos)
			}
		}
	}
	for i := range 3 {
		k, l := (i+1)%3, (i+2)%3
		m[k][i] = add(m[k][i], mul(axis[l], sin))
		m[i][k] = sub(m[i][k], mul(axis[l], sin))
	}
	return m
}

type bigPose struct {
	r bigMat
	t bigVec
}

func (p *bigPose) place(x r3.Vec) bigVec { return p.r.apply(bigOf(x)).plus(p.t) }

// inverse takes a point in the root's coordinates to those of the link.
func (p *bigPose) inverse(x bigVec) bigVec { return p.r.transposed().apply(x.minus(p.t)) }

// poses returns the poses of all links at the time s of an edge.
func poses(m *Model, q0, q1 []float64, s *big.Float) []bigPose {
	q := make([]*big.Float, len(q0))
	for i := range q {
		q[i] = add(newBig(q0[i]), mul(s, sub(newBig(q1[i]), newBig(q0[i]))))
	}
	return posesAt(m, q)
}

// posesOn returns the poses of all links on a curve: by the sum of Bernstein's polynomials.
func posesOn(m *Model, control []float64, degree int, s *big.Float) []bigPose {
	q := make([]*big.Float, m.Variables)
	rest := sub(newBig(1), s)
	for k := range q {
		q[k] = newBig(0)
		for i := range degree + 1 {
			term := new(big.Float).SetPrec(bits).SetInt(new(big.Int).Binomial(int64(degree), int64(i)))
			for range i {
				term = mul(term, s)
			}
			for range degree - i {
				term = mul(term, rest)
			}
			q[k] = add(q[k], mul(term, newBig(control[i*m.Variables+k])))
		}
	}
	return posesAt(m, q)
}

// posesAt returns the poses of all links where the variables have these values.
func posesAt(m *Model, q []*big.Float) []bigPose {
	out := make([]bigPose, m.Links)
	identity := bigMat{bigOf(r3.Vec{X: 1}), bigOf(r3.Vec{Y: 1}), bigOf(r3.Vec{Z: 1})}
	above := make([]int, m.Links)
	for i := range above {
		above[i] = -1
	}
	for i, j := range m.Joints {
		above[j.Child] = i
	}
	done := make([]bool, m.Links)
	var find func(link int)
	find = func(link int) {
		if done[link] {
			return
		}
		done[link] = true
		if above[link] < 0 {
			out[link] = bigPose{identity, bigOf(r3.Vec{})}
			return
		}
		j := &m.Joints[above[link]]
		find(j.Parent)
		p := &out[j.Parent]
		r, t := p.r.product(nearestRotation(&j.Rotation)), p.place(j.Position)
		if j.Kind != Fixed {
			value := add(mul(newBig(j.Factor), q[j.Variable]), newBig(j.Offset))
			axis := bigOf(j.Axis)
			axis = axis.times(quo(newBig(1), new(big.Float).SetPrec(bits).Sqrt(axis.dot(axis))))
			if j.Kind == Revolute {
				r = r.product(bigTurn(axis, value))
			} else {
				t = t.plus(r.apply(axis.times(value)))
			}
		}
		out[link] = bigPose{r, t}
	}
	for link := range out {
		find(link)
	}
	return out
}

// bigTriangles places a body's triangles.
func bigTriangles(m *Model, at []bigPose, body int) (list [][3]bigVec) {
	b := &m.Bodies[body]
	pose := bigPose{bigMat{bigOf(r3.Vec{X: 1}), bigOf(r3.Vec{Y: 1}), bigOf(r3.Vec{Z: 1})}, bigOf(r3.Vec{})}
	if b.Link != Scene {
		pose = at[b.Link]
	}
	for i := range b.Shapes {
		var x []bigVec
		for _, v := range b.Shapes[i].Vertices {
			x = append(x, pose.place(v))
		}
		for _, f := range b.Shapes[i].Faces {
			list = append(list, [3]bigVec{x[f[0]], x[f[1]], x[f[2]]})
		}
	}
	return list
}

// bigSign returns the sign of det(b - a, c - a, d - a), 0 if it is below 1e-60.
func bigSign(a, b, c, d bigVec) int {
	det := b.minus(a).cross(c.minus(a)).dot(d.minus(a))
	if f, _ := det.Float64(); math.Abs(f) < 1e-60 {
		return 0
	}
	return det.Sign()
}

// bigCrosses reports whether an edge of one triangle passes through the other.
func bigCrosses(a, b *[3]bigVec) bool {
	for k := range 3 {
		lo, hi := func() (x, y float64) {
			x, y = math.Inf(1), math.Inf(-1)
			for i := range 3 {
				f, _ := a[i][k].Float64()
				x, y = min(x, f), max(y, f)
			}
			return
		}()
		low, high := math.Inf(1), math.Inf(-1)
		for i := range 3 {
			f, _ := b[i][k].Float64()
			low, high = min(low, f), max(high, f)
		}
		if lo > high || low > hi {
			return false
		}
	}
	one := func(a, b *[3]bigVec) bool {
		for i := range 3 {
			p, q := a[i], a[(i+1)%3]
			if bigSign(b[0], b[1], b[2], p)*bigSign(b[0], b[1], b[2], q) >= 0 {
				continue
			}
			s := bigSign(p, q, b[0], b[1])
			if s != 0 && s == bigSign(p, q, b[1], b[2]) && s == bigSign(p, q, b[2], b[0]) {
				return true
			}
		}
		return false
	}
	return one(a, b) || one(b, a)
}

// bigTouches reports whether a pair of bodies crosses at the time s, and which.
func bigTouches(m *Model, q0, q1 []float64, s float64) ([2]int, bool) {
	return bigTouchesAt(m, poses(m, q0, q1, newBig(s)))
}

// bigTouchesAt does that for given poses.
func bigTouchesAt(m *Model, at []bigPose) ([2]int, bool) {
	all := make([][][3]bigVec, len(m.Bodies))
	for i := range all {
		all[i] = bigTriangles(m, at, i)
	}
	for _, p := range m.Pairs {
		for i := range all[p[0]] {
			for k := range all[p[1]] {
				if bigCrosses(&all[p[0]][i], &all[p[1]][k]) {
					return p, true
				}
			}
		}
	}
	return [2]int{}, false
}
