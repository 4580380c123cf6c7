// Package rigids holds the methods of core/rigid to their laws, as ccdtest does those of
// core/narrow: families of cases, a truth that shares nothing with the methods but the definition
// of a motion, and checks by the laws' numbers.
package rigids

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/reference/d2m"
	"ccd/core/rigid"
)

// The searches that are held to the laws beside that of package rigid itself.
var (
	D2M     rigid.Search = d2m.Search{}
	Spheres rigid.Search = d2m.Search{SpheresOnly: true}
)

// Solid is triangles, in a body's coordinates or the world's. One that repeats a corner is an edge
// or a point.
type Solid [][3]r3.Vec

// A Case is a query for the first time at which A comes near to B: another body, or, where To is
// not nil, a mesh that moves from B at TMin to To at TMax.
//
// Size: the methods are the laws of rigid.Solver.Earliest and what they compute of the true motion.
type Case struct {
	Family string
	A, B   Solid
	MA, MB rigid.Motion
	To     Solid
	O      rigid.Options
}

func (c *Case) String() string {
	return fmt.Sprintf("%s: %v by %+v, %v by %+v to %v, %+v", c.Family, c.A, c.MA, c.B, c.MB, c.To, c.O)
}

// Families are the sorts of cases.
var Families = []string{"generic", "grid", "slivers", "still", "translating", "spinning", "fast", "far", "drifting",
	"late", "pivots", "touching", "wide",
	"whirling", "orbits", "twins", "scales", "instants", "quaternions", "distant", "bounced", "parallel", "screws"}

// Make draws a case of a family, of two bodies or over a mesh.
func Make(r *rand.Rand, family string, mesh bool) *Case {
	c := &Case{Family: family, O: rigid.DefaultOptions()}
	c.A, c.B = solid(r, family), solid(r, family)
	c.MA = rigid.Motion{Rotation: turn(r, family), AngularVelocity: vec(r, 3)}
	c.MB = rigid.Motion{Rotation: turn(r, family), Position: vec(r, 1.2), AngularVelocity: vec(r, 3)}
	c.MB.Velocity = r3.Sub(geom.Scale(-1/(r.Float64()+0.1), c.MB.Position), vec(r, 0.3)) // B moves to A, more or less.
	switch family {
	case "still":
		c.MA.AngularVelocity, c.MB.Velocity = r3.Vec{}, r3.Vec{}
	case "translating":
		c.MA.AngularVelocity, c.MB.AngularVelocity = r3.Vec{}, r3.Vec{}
	case "spinning":
		c.MA.AngularVelocity = vec(r, 60)
	case "fast":
		c.MB.Velocity = geom.Scale(200, c.MB.Velocity)
	case "pivots":
		c.MA.Pivot, c.MB.Pivot = vec(r, 1), vec(r, 1)
	case "touching":
		c.MB.Position = geom.Scale(0.3, c.MB.Position)
	case "wide":
		c.O.MinSeparation, c.O.Tolerance = 0.1*r.Float64(), math.Ldexp(1, -r.IntN(30)-3)
	}
	c.unusual(r)
	if r.IntN(3) == 0 {
		c.O.MinSeparation = 0
	}
	if family == "late" {
		c.O.TMin = float64(r.IntN(2000) - 1000)
		c.O.TMax = c.O.TMin + float64(2*r.Float64())
		c.MB.Position = r3.Sub(c.MB.Position, geom.Scale(c.O.TMin, c.MB.Velocity))
	}
	if mesh {
		c.deform(r)
	}
	switch family {
	case "far":
		c.carry(vec(r, 1e6), r3.Vec{})
	case "drifting":
		c.carry(r3.Vec{}, vec(r, 1e4))
	case "distant":
		c.carry(vec(r, 1e9), r3.Vec{})
	case "bounced":
		c = c.bounced(r)
	}
	return c
}

// unusual makes cases that are rare but valid.
func (c *Case) unusual(r *rand.Rand) {
	switch c.Family {
	case "whirling": // many turns while the bodies pass each other slowly, or stay where they are
		slow := math.Ldexp(1, -r.IntN(8)) * float64(r.IntN(2))
		c.MB.Velocity, c.O.TMax = geom.Scale(slow, c.MB.Velocity), 60*r.Float64()
	case "orbits": // about pivots far from the bodies
		far := vec(r, 100)
		c.MA.Pivot = far
		c.MA.Position = far
		c.MA.Rotation, c.MA.AngularVelocity, c.MB.Velocity = quat.Number{Real: 1}, vec(r, 0.05), vec(r, 0.1)
	case "twins": // Both bodies have the same pose but for a shift, which may be along a face or 0.
		c.B = append(Solid{}, c.A...)
		c.MB.Rotation, c.MB.AngularVelocity = c.MA.Rotation, c.MA.AngularVelocity
		c.MB.Position, c.MB.Velocity = r3.Vec{}, vec(r, 1)
		if r.IntN(2) == 0 {
			c.MB.Position = vec(r, math.Ldexp(1, -r.IntN(40)))
		}
		if r.IntN(2) == 0 { // it slides
			c.MA.AngularVelocity, c.MB.AngularVelocity, c.MA.Rotation, c.MB.Rotation = r3.Vec{}, r3.Vec{},
				quat.Number{Real: 1}, quat.Number{Real: 1}
			c.MB.Velocity = r3.Sub(c.A[0][1], c.A[0][0])
		}
	case "scales": // one a dust grain beside the other
		grain := math.Ldexp(1, -r.IntN(40))
		for i := range c.B {
			for k := range c.B[i] {
				c.B[i][k] = geom.Scale(grain, c.B[i][k])
			}
		}
	case "parallel":
		c.parallel(r)
	case "screws":
		c.screw(r)
	case "instants":
		c.O.TMax = c.O.TMin + math.Ldexp(1, -r.IntN(60))*float64(r.IntN(5))
		c.MB.Position = geom.Scale(0.5, c.MB.Position)
	case "quaternions": // Quaternions have any length and sign.
		length := func() float64 { return math.Copysign(math.Ldexp(1+r.Float64(), r.IntN(300)-150), r.Float64()-0.5) }
		c.MA.Rotation, c.MB.Rotation = quat.Scale(length(), c.MA.Rotation), quat.Scale(length(), c.MB.Rotation)
		c.MA.AngularVelocity = geom.Scale(math.Ldexp(1, -r.IntN(180)), c.MA.AngularVelocity)
	}
}

// screw makes one body move along and about a fixed axis as the other sees it: B turns, A turns,
// both turn about one line, or B slides; for a part of a turn or for several.
func (c *Case) screw(r *rand.Rand) {
	axis := []r3.Vec{{Z: 1}, {X: 1, Y: 2, Z: -2}, vec(r, 1)}[r.IntN(3)]
	slide := geom.Scale(float64(r.IntN(2))*r.NormFloat64(), axis)
	c.MA.AngularVelocity, c.MB.AngularVelocity = r3.Vec{}, r3.Vec{}
	c.MA.Velocity, c.MB.Velocity = vec(r, 1), r3.Vec{}
	c.MA.Pivot, c.MB.Pivot, c.MA.Position = vec(r, 0.4), vec(r, 0.4), vec(r, 0.2)
	c.MB.Position = r3.Add(c.MA.Position, vec(r, 0.5))
	c.O.TMax = math.Ldexp(r.Float64(), r.IntN(6))
	switch r.IntN(4) {
	case 0:
		c.MB.AngularVelocity = axis
	case 1:
		c.MA.AngularVelocity = axis
	case 2:
		c.MA.AngularVelocity, c.MB.AngularVelocity = axis, geom.Scale(float64(r.IntN(5)-2), axis)
		c.MB.Position = r3.Add(c.MA.Position, geom.Scale(r.Float64(), axis))
	case 3:
		slide = geom.Scale(1/c.O.TMax, vec(r, 1))
		c.MB.Position = r3.Sub(c.MB.Position, geom.Scale(0.5*c.O.TMax, slide))
	}
	c.MB.Velocity = r3.Add(c.MA.Velocity, slide)
}

// parallel makes two triangles of which two edges pass each other at a small angle, at a short time
// from TMin. Their third corners are on an end of that edge, near it or anywhere.
func (c *Case) parallel(r *rand.Rand) {
	small := func() float64 { return math.Ldexp(1, -r.IntN(50)) }
	triangle := func(p, q r3.Vec) Solid {
		third := q
		switch r.IntN(3) {
		case 0:
			third = vec(r, 1)
		case 1:
			third = r3.Add(geom.Scale(0.5, r3.Add(p, q)), vec(r, small()))
		}
		return Solid{{p, q, third}}
	}
	p, q := vec(r, 1), vec(r, 1)
	d := r3.Sub(q, p)
	way := r3.Add(d, vec(r, small()))
	from := r3.Sub(r3.Add(p, geom.Scale(r.Float64(), d)), geom.Scale(r.Float64(), way))
	c.A, c.B = triangle(p, q), triangle(from, r3.Add(from, way))
	c.MA.Rotation, c.MB.Rotation = quat.Number{Real: 1}, quat.Number{Real: 1}
	c.MB.Velocity = vec(r, 1)
	c.MB.Position = geom.Scale(-small(), c.MB.Velocity)
	if r.IntN(2) == 0 {
		c.MA.AngularVelocity, c.MB.AngularVelocity = r3.Vec{}, r3.Vec{}
	}
}

// FromBytes is a case of two triangles in eighths: corners of A and B, B's place and its velocity,
// spins in radians, rotations, the velocity of both, in the order of the bytes, those that lack
// being 0. How chooses the method, the separation, the tolerance, whether parting is ignored, and
// whether B is a mesh.
func FromBytes(raw []byte, how uint8) *Case {
	next := func() float64 {
		x := 0.0
		if len(raw) > 0 {
			x, raw = float64(int8(raw[0]))/8, raw[1:]
		}
		return x
	}
	place := func() r3.Vec { return r3.Vec{X: next(), Y: next(), Z: next()} }
	c := &Case{Family: "bytes", A: make(Solid, 1), B: make(Solid, 1), O: rigid.DefaultOptions()}
	for _, s := range []Solid{c.A, c.B} {
		for k := range s[0] {
			s[0][k] = place()
		}
	}
	c.MB.Position, c.MB.Velocity, c.MA.AngularVelocity, c.MB.AngularVelocity = place(), place(), place(), place()
	for _, m := range []*rigid.Motion{&c.MA, &c.MB} {
		if m.Rotation = (quat.Number{Imag: next(), Jmag: next(), Kmag: next()}); next() == 0 ||
			m.Rotation == (quat.Number{}) {
			m.Rotation.Real = 1
		}
	}
	c.MA.Velocity = place()
	c.MB.Velocity = r3.Add(c.MB.Velocity, c.MA.Velocity)
	c.O.Search = []rigid.Search{nil, D2M, Spheres}[how%3]
	c.O.MinSeparation, c.O.Tolerance = []float64{1e-10, 0, 0.125, 1e-3}[how/3%4], []float64{1e-10, 1e-3}[how/12%2]
	if c.O.Search == nil && how/24%2 == 1 {
		c.O.Flags = rigid.IgnoreSeparating
	}
	if c.O.Search != Spheres && how/48%2 == 1 {
		c.To = make(Solid, 1)
		for k := range c.B[0] {
			c.To[0][k] = r3.Add(c.B[0][k], c.MB.Velocity)
		}
		c.MB = rigid.Motion{Rotation: quat.Number{Real: 1}}
	}
	return c
}

// deform makes B a mesh: in the world, at TMin where the body is, at TMax moved as far, and bent.
func (c *Case) deform(r *rand.Rand) {
	at := Place(&c.MB, c.O.TMin)
	way := geom.Scale(c.O.TMax-c.O.TMin, c.MB.Velocity)
	bend := []float64{0, 0.2, 1}[r.IntN(3)]
	c.To = make(Solid, len(c.B))
	for i := range c.B {
		for k, p := range c.B[i] {
			c.B[i][k] = at.point(p)
			c.To[i][k] = r3.Add(r3.Add(c.B[i][k], way), vec(r, bend))
			for j := range k { // corners that are one stay one
				if c.B[i][j] == c.B[i][k] {
					c.To[i][k] = c.To[i][j]
				}
			}
		}
	}
	c.MB = rigid.Motion{Rotation: quat.Number{Real: 1}}
}

// carry moves everything.
func (c *Case) carry(by, velocity r3.Vec) {
	move := func(m *rigid.Motion) {
		m.Position, m.Velocity = r3.Add(m.Position, by), r3.Add(m.Velocity, velocity)
	}
	move(&c.MA)
	if c.To == nil {
		move(&c.MB)
		return
	}
	shift := func(s Solid, t float64) {
		for i := range s {
			for k := range s[i] {
				s[i][k] = r3.Add(s[i][k], r3.Add(by, geom.Scale(t, velocity)))
			}
		}
	}
	shift(c.B, c.O.TMin)
	shift(c.To, c.O.TMax)
}

func vec(r *rand.Rand, s float64) r3.Vec {
	one := func() float64 { return s * (float64(2*r.Float64()) - 1) }
	return r3.Vec{X: one(), Y: one(), Z: one()}
}

func turn(r *rand.Rand, family string) quat.Number {
	if family == "grid" || r.IntN(5) == 0 {
		return quat.Number{Real: 1}
	}
	return quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
}

// solid is one to three triangles, degenerate now and then.
func solid(r *rand.Rand, family string) Solid {
	out := make(Solid, 1+r.IntN(3))
	for i := range out {
		t, center, size := &out[i], vec(r, 0.4), math.Ldexp(0.5, -r.IntN(4))
		for k := range t {
			t[k] = r3.Add(center, vec(r, size))
			if family == "grid" {
				t[k] = r3.Vec{X: math.Round(4*t[k].X) / 4, Y: math.Round(4*t[k].Y) / 4, Z: math.Round(4*t[k].Z) / 4}
			}
		}
		if family == "slivers" {
			t[2] = r3.Add(geom.Scale(0.5, r3.Add(t[0], t[1])), vec(r, math.Ldexp(1, -r.IntN(40))))
		}
		switch r.IntN(12) {
		case 0:
			t[2] = t[1]
		case 1:
			t[1], t[2] = t[0], t[0]
		}
	}
	return out
}
