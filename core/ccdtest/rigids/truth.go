package rigids

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// A Placing is where a motion puts points at a time, in floats, by the textbook: quaternion,
// Rodrigues' formula.
type Placing struct {
	m       *rigid.Motion
	origin  r3.Vec // the place of the pivot
	axis    r3.Vec
	sin, co float64
	q       quat.Number
}

// Place is a motion at the time t.
func Place(m *rigid.Motion, t float64) *Placing {
	p := &Placing{m: m, origin: r3.Add(m.Position, geom.Scale(t, m.Velocity)), co: 1,
		q: quat.Scale(1/quat.Abs(m.Rotation), m.Rotation)}
	if w := geom.Norm(m.AngularVelocity); w > 0 {
		p.axis = geom.Scale(1/w, m.AngularVelocity)
		p.sin, p.co = math.Sincos(w * t)
	}
	return p
}

func (p *Placing) point(x r3.Vec) r3.Vec { return r3.Add(p.arm(x), p.origin) }

// arm is a point seen from the pivot.
func (p *Placing) arm(x r3.Vec) r3.Vec {
	v := r3.Sub(x, p.m.Pivot)
	w := geom.Product(geom.Product(p.q, quat.Number{Imag: v.X, Jmag: v.Y, Kmag: v.Z}), quat.Conj(p.q))
	v = r3.Vec{X: w.Imag, Y: w.Jmag, Z: w.Kmag}
	k := geom.Cross(p.axis, v)
	return r3.Add(v, r3.Add(geom.Scale(p.sin, k), geom.Scale(1-p.co, geom.Cross(p.axis, k))))
}

// at is both sides at t, seen from where A's pivot is, in floats.
func (c *Case) at(t float64) (a, b Solid) {
	pa := Place(&c.MA, t)
	for _, tri := range c.A {
		a = append(a, [3]r3.Vec{pa.arm(tri[0]), pa.arm(tri[1]), pa.arm(tri[2])})
	}
	if c.To == nil {
		pb := Place(&c.MB, t)
		off := r3.Add(r3.Sub(c.MB.Position, c.MA.Position), geom.Scale(t, r3.Sub(c.MB.Velocity, c.MA.Velocity)))
		for _, tri := range c.B {
			b = append(b, [3]r3.Vec{r3.Add(pb.arm(tri[0]), off), r3.Add(pb.arm(tri[1]), off),
				r3.Add(pb.arm(tri[2]), off)})
		}
		return a, b
	}
	f := c.part(t)
	for i, tri := range c.B {
		var out [3]r3.Vec
		for k := range tri {
			out[k] = r3.Sub(r3.Add(tri[k], geom.Scale(f, r3.Sub(c.To[i][k], tri[k]))), pa.origin)
		}
		b = append(b, out)
	}
	return a, b
}

func (c *Case) part(t float64) float64 {
	if c.O.TMax == c.O.TMin {
		return 0
	}
	return (t - c.O.TMin) / (c.O.TMax - c.O.TMin)
}

// Distance is that of both sides at t, in floats, 0 where they cross; and a bound on its error.
func (c *Case) Distance(t float64) (distance, slack float64) {
	a, b := c.at(t)
	distance = math.Inf(1)
	for i := range a {
		for j := range b {
			distance = min(distance, triangles(&a[i], &b[j]))
		}
	}
	far := 4 +
		float64(math.Abs(t)*(geom.Norm(c.MA.Velocity)+geom.Norm(c.MB.Velocity)+geom.Norm(c.MA.AngularVelocity)+
			geom.Norm(c.MB.AngularVelocity))) + geom.Norm(c.MA.Position) +
		geom.Norm(c.MB.Position) + geom.Norm(c.MA.Pivot) + geom.Norm(c.MB.Pivot)
	for i := range c.To {
		far += geom.Norm(c.B[i][0]) + geom.Norm(c.To[i][0])
	}
	return distance, 256 * 0x1p-53 * far
}

// radius bounds the distance of the points from the pivot.
func (s Solid) radius(pivot r3.Vec) (r float64) {
	for _, tri := range s {
		for _, p := range tri {
			r = max(r, geom.Norm(r3.Sub(p, pivot)))
		}
	}
	return r
}

// Speed bounds how fast the two sides approach each other.
func (c *Case) Speed() float64 {
	speed := float64(geom.Norm(c.MA.AngularVelocity) * c.A.radius(c.MA.Pivot))
	if c.To == nil {
		return speed + float64(geom.Norm(c.MB.AngularVelocity)*c.B.radius(c.MB.Pivot)) +
			geom.Norm(r3.Sub(c.MB.Velocity, c.MA.Velocity))
	}
	way := 0.0
	for i := range c.B {
		for k := range c.B[i] {
			if span := c.O.TMax - c.O.TMin; span > 0 {
				way = max(way, geom.Norm(r3.Sub(geom.Scale(1/span, r3.Sub(c.To[i][k], c.B[i][k])), c.MA.Velocity)))
			}
		}
	}
	return speed + way
}

// triangles is the distance of two triangles, 0 where they cross: of all edges, and of corners and
// faces.
func triangles(a, b *[3]r3.Vec) float64 {
	best := math.Inf(1)
	for i := range 3 {
		for j := range 3 {
			best = min(best, segments(a[i], a[(i+1)%3], b[j], b[(j+1)%3]))
		}
	}
	for _, s := range [2][2]*[3]r3.Vec{{a, b}, {b, a}} {
		n := geom.Cross(r3.Sub(s[1][1], s[1][0]), r3.Sub(s[1][2], s[1][0]))
		if l := geom.Norm(n); l > 1e-200 {
			n = geom.Scale(1/l, n)
		}
		for k, p := range s[0] {
			h, g := geom.Dot(n, r3.Sub(p, s[1][0])), geom.Dot(n, r3.Sub(s[0][(k+1)%3], s[1][0]))
			if inside(r3.Sub(p, geom.Scale(h, n)), s[1], n) {
				best = min(best, math.Abs(h))
			}
			if h*g < 0 && inside(r3.Add(p, geom.Scale(h/(h-g), r3.Sub(s[0][(k+1)%3], p))), s[1], n) {
				return 0
			}
		}
	}
	return best
}

// inside reports whether a point of the plane is in a triangle with the normal n.
func inside(p r3.Vec, t *[3]r3.Vec, n r3.Vec) bool {
	for k := range t {
		if !(geom.Dot(geom.Cross(r3.Sub(t[(k+1)%3], t[k]), r3.Sub(p, t[k])), n) > 0) {
			return false
		}
	}
	return true
}

// segments is the distance of p0 p1 and q0 q1: the least of ends and segments, and of the inner
// points where the lines are nearest.
func segments(p0, p1, q0, q1 r3.Vec) float64 {
	best := min(toSegment(p0, q0, q1), toSegment(p1, q0, q1), toSegment(q0, p0, p1), toSegment(q1, p0, p1))
	d, e := r3.Sub(p1, p0), r3.Sub(q1, q0)
	n := geom.Cross(d, e)
	if n2 := geom.Dot(n, n); n2 > 1e-24*geom.Dot(d, d)*geom.Dot(e, e) {
		s, t := 0.0, 0.0
		for range 3 { // On lines that are nearly parallel, the first points err along both.
			r := r3.Sub(r3.Add(q0, geom.Scale(t, e)), r3.Add(p0, geom.Scale(s, d)))
			s, t = s+geom.Dot(geom.Cross(r, e), n)/n2, t+geom.Dot(geom.Cross(r, d), n)/n2
		}
		if s > 0 && s < 1 && t > 0 && t < 1 {
			best = min(best, geom.Norm(r3.Sub(r3.Add(p0, geom.Scale(s, d)), r3.Add(q0, geom.Scale(t, e)))))
		}
	}
	return best
}

func toSegment(p, a, b r3.Vec) float64 {
	d := r3.Sub(b, a)
	s := 0.0
	if dd := geom.Dot(d, d); dd > 0 {
		s = min(max(geom.Dot(r3.Sub(p, a), d)/dd, 0), 1)
	}
	return geom.Norm(r3.Sub(p, r3.Add(a, geom.Scale(s, d))))
}

// Exact is the distance of both sides at t, over numbers of 400 and 512 bits, each place seen from
// A's pivot and rounded once; that two triangles cross it does not see.
func (c *Case) Exact(t float64) float64 {
	best := math.Inf(1)
	a, b := c.exactPlaces(t)
	for i := range a {
		for j := range b {
			best = min(best, exactTriangles(&a[i], &b[j]))
		}
	}
	return best
}

// Crosses reports whether an edge of one side crosses a triangle of the other at t, by signs of
// volumes over numbers of 400 bits.
func (c *Case) Crosses(t float64) bool {
	a, b := c.exactPlaces(t)
	for i := range a {
		for j := range b {
			if exactCrosses(&a[i], &b[j]) || exactCrosses(&b[j], &a[i]) {
				return true
			}
		}
	}
	return false
}

// exactCrosses reports it for the edges of one triangle and the inside of another.
func exactCrosses(edges, face *[3][3]float64) bool {
	for i := range 3 {
		p, q := edges[i], edges[(i+1)%3]
		if volume(face[0], face[1], face[2], p)*volume(face[0], face[1], face[2], q) >= 0 {
			continue
		}
		s := volume(p, q, face[0], face[1])
		if s != 0 && s == volume(p, q, face[1], face[2]) && s == volume(p, q, face[2], face[0]) {
			return true
		}
	}
	return false
}

// volume is the sign of det(b-a, c-a, d-a).
func volume(a, b, c, d [3]float64) int {
	var m [3][3]*big.Float
	for i, p := range [3][3]float64{b, c, d} {
		for k := range p {
			m[i][k] = ccdtest.Plus(ccdtest.Big(p[k]), ccdtest.Big(-a[k]))
		}
	}
	sum := ccdtest.Big(0)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		minor := ccdtest.Plus(ccdtest.Times(m[1][i], m[2][j]),
			ccdtest.Times(ccdtest.Big(-1), ccdtest.Times(m[1][j], m[2][i])))
		sum = ccdtest.Plus(sum, ccdtest.Times(m[0][k], minor))
	}
	return sum.Sign()
}

// exactPlaces are the corners of both sides.
func (c *Case) exactPlaces(t float64) (a, b [][3][3]float64) {
	time := ccdtest.Big(t)
	origin := exactPoint(&c.MA, c.MA.Pivot, time)
	seen := func(x [3]*big.Float) (out [3]float64) {
		for k := range out {
			out[k], _ = ccdtest.Plus(x[k], ccdtest.Times(ccdtest.Big(-1), origin[k])).Float64()
		}
		return out
	}
	for _, tri := range c.A {
		a = append(a, [3][3]float64{seen(exactPoint(&c.MA, tri[0], time)), seen(exactPoint(&c.MA, tri[1], time)),
			seen(exactPoint(&c.MA, tri[2], time))})
	}
	for i, tri := range c.B {
		var out [3][3]float64
		for k := range tri {
			if c.To == nil {
				out[k] = seen(exactPoint(&c.MB, tri[k], time))
			} else {
				out[k] = seen(c.exactCorner(i, k, time))
			}
		}
		b = append(b, out)
	}
	return a, b
}

// exactCorner is a corner of the mesh.
func (c *Case) exactCorner(i, k int, t *big.Float) (x [3]*big.Float) {
	from, to := geom.Components(c.B[i][k]), geom.Components(c.To[i][k])
	minus := ccdtest.Big(-c.O.TMin)
	for n := range x {
		x[n] = ccdtest.Big(from[n])
		if c.O.TMax > c.O.TMin {
			part := ccdtest.Over(ccdtest.Plus(t, minus), ccdtest.Plus(ccdtest.Big(c.O.TMax), minus))
			x[n] = ccdtest.Plus(x[n], ccdtest.Times(part, ccdtest.Plus(ccdtest.Big(to[n]), ccdtest.Big(-from[n]))))
		}
	}
	return x
}

// exactPoint is the place of a body's point.
func exactPoint(m *rigid.Motion, p r3.Vec, t *big.Float) (x [3]*big.Float) {
	x, _, _ = ccdtest.RigidMotion(*m).At(p, t)
	return x
}

// exactTriangles is the distance of two triangles that do not cross.
func exactTriangles(a, b *[3][3]float64) float64 {
	best := math.Inf(1)
	add := func(k geom.Kind, points ...[3]float64) {
		var q []float64
		for range 2 {
			for _, p := range points {
				q = append(q, p[:]...)
			}
		}
		d, _ := ccdtest.DistanceSquared(k, q, 0).Float64()
		best = min(best, math.Sqrt(d))
	}
	for i := range 3 {
		add(geom.VertexFace, a[i], b[0], b[1], b[2])
		add(geom.VertexFace, b[i], a[0], a[1], a[2])
		for j := range 3 {
			add(geom.EdgeEdge, a[i], a[(i+1)%3], b[j], b[(j+1)%3])
		}
	}
	return best
}
