package rigids

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// A World is rigid bodies in a box, simulated from event to event by the loop of docs/numerics.md,
// law 12: to the earliest impact, an impulse at its points, and on from there. Body 0 is the box,
// which stands still. All others have the mass 1 and the inertia of a ball.
type World struct {
	Solids      []Solid
	Motions     []rigid.Motion // motions from the present time on
	O           rigid.Options
	Restitution float64
	Part        float64 // the least speed along the normal with which points leave an impact
	Gravity     r3.Vec  // acts between frames

	Events     int // impacts
	AtOnce     int // impacts among Events at the time of the one before
	MostAtOnce int // the longest run of such impacts

	scene   rigid.Scene
	inertia []float64
}

// NewWorld is n bodies in a box of half the width half, on a grid, turned and moving at random.
func NewWorld(r *rand.Rand, n int, half float64, shape func(r *rand.Rand) Solid) (*World, error) {
	w := &World{O: rigid.DefaultOptions(), inertia: []float64{0}}
	w.O.Flags, w.scene.Threads = rigid.IgnoreSeparating, 1
	w.Solids, w.Motions = []Solid{Box(half, half, half)}, []rigid.Motion{{Rotation: quat.Number{Real: 1}}}
	side := int(math.Ceil(math.Cbrt(float64(n))))
	pitch := 2 * half / float64(side)
	for i := range n {
		s := shape(r)
		radius := 0.45 * pitch
		scale := radius / s.radius(r3.Vec{})
		for k := range s {
			for j := range s[k] {
				s[k][j] = geom.Scale(scale, s[k][j])
			}
		}
		at := func(k int) float64 { return (float64(k)+0.5)*pitch - half }
		m := rigid.Motion{Rotation: turn(r, ""), Position: r3.Vec{X: at(i % side), Y: at(i / side % side),
			Z: at(i / side / side)}}
		m.Rotation = quat.Scale(1/quat.Abs(m.Rotation), m.Rotation)
		m.Velocity, m.AngularVelocity = vec(r, 1), vec(r, 3)
		w.Solids, w.Motions = append(w.Solids, s), append(w.Motions, m)
		w.inertia = append(w.inertia, 0.4*radius*radius)
	}
	return w, w.begin()
}

// NewStack is n boxes of equal size on a floor, each a gap above the one below, at rest, seen from
// where the place at is the origin.
func NewStack(n int, edge, gap float64, at r3.Vec) (*World, error) {
	return NewCutStack(n, edge, gap, at, 0)
}

// NewCutStack is NewStack with each triangle cut into four, as often as cuts says.
func NewCutStack(n int, edge, gap float64, at r3.Vec, cuts int) (*World, error) {
	w := &World{O: rigid.DefaultOptions(), inertia: []float64{0}}
	w.O.Flags, w.scene.Threads = rigid.IgnoreSeparating, 1
	w.Solids, w.Motions = []Solid{Box(4*edge, 4*edge, edge)},
		[]rigid.Motion{{Rotation: quat.Number{Real: 1}, Position: r3.Add(at, r3.Vec{Z: -edge})}}
	for i := range n {
		h := 0.5 * edge
		w.Solids = append(w.Solids, Box(h, h, h))
		w.Motions = append(w.Motions, rigid.Motion{Rotation: quat.Number{Real: 1},
			Position: r3.Add(at, r3.Vec{Z: float64(float64(i)*(edge+gap)) + gap + h})})
		w.inertia = append(w.inertia, edge*edge/6)
	}
	for range cuts {
		for i, s := range w.Solids {
			w.Solids[i] = quartered(s)
		}
	}
	return w, w.begin()
}

// quartered cuts each triangle at the middles of its edges.
func quartered(s Solid) (out Solid) {
	for _, t := range s {
		var m [3]r3.Vec
		for k := range m {
			m[k] = r3.Scale(0.5, r3.Add(t[k], t[(k+1)%3]))
		}
		out = append(out, [3]r3.Vec{t[0], m[0], m[2]}, [3]r3.Vec{m[0], t[1], m[1]}, [3]r3.Vec{m[2], m[1], t[2]},
			[3]r3.Vec{m[0], m[1], m[2]})
	}
	return out
}

// begin makes the bodies.
func (w *World) begin() error {
	for _, s := range w.Solids {
		b, err := Body(s)
		if err != nil {
			return err
		}
		w.scene.Bodies = append(w.scene.Bodies, b)
	}
	return nil
}

// Box is the surface of a box about the origin.
func Box(x, y, z float64) (s Solid) {
	for axis := range 3 {
		for _, sign := range []float64{-1, 1} {
			at := func(u, v float64) r3.Vec {
				p := [3]float64{}
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = sign, u, v
				return r3.Vec{X: x * p[0], Y: y * p[1], Z: z * p[2]}
			}
			s = append(s, [3]r3.Vec{at(-1, -1), at(1, -1), at(1, 1)}, [3]r3.Vec{at(-1, -1), at(1, 1), at(-1, 1)})
		}
	}
	return s
}

// Frame moves on by dt. It fails if that takes more than the given number of events, or breaks a
// law.
func (w *World) Frame(dt float64, events int) error {
	for i := range w.Motions[1:] {
		w.Motions[i+1].Velocity = r3.Add(w.Motions[i+1].Velocity, geom.Scale(dt, w.Gravity))
	}
	w.scene.Motions = w.Motions
	for row := 0; ; events-- {
		w.O.TMin, w.O.TMax = 0, dt
		im, err := w.scene.Earliest(&w.O)
		if err != nil {
			return err
		}
		if im.Verdict == geom.Separate {
			w.advance(dt)
			return w.apart()
		}
		if w.Events++; im.TOILo > 0 {
			row = 0
		} else {
			row++
			w.AtOnce++
			w.MostAtOnce = max(w.MostAtOnce, row)
		}
		if err := w.check(&im); err != nil {
			return err
		}
		if events == 0 {
			return fmt.Errorf("no end of a frame: %v of it are left", dt)
		}
		w.advance(im.TOILo)
		dt -= im.TOILo
		w.respond(&im)
	}
}

// advance moves all bodies on by a time; poses are rounded.
func (w *World) advance(t float64) {
	for i := range w.Motions {
		if m := &w.Motions[i]; t > 0 {
			q := m.At(t).Rotation
			m.Rotation, m.Position = quat.Scale(1/quat.Abs(q), q), r3.Add(m.Position, geom.Scale(t, m.Velocity))
		}
	}
}

// pair is the query of two bodies.
func (w *World) pair(a, b int64) *Case {
	return &Case{Family: "world", A: w.Solids[a], B: w.Solids[b], MA: w.Motions[a], MB: w.Motions[b], O: w.O}
}

// check holds an impact to laws 4 and 12, and to what a loop needs of law 2.
func (w *World) check(im *rigid.SceneImpact) error {
	switch {
	case im.Verdict != geom.Contact:
		return violation(4, "%+v", *im)
	case im.Flags&rigid.Intersecting != 0:
		return violation(2, "%+v", *im)
	case im.TOILo == 0:
		c := w.pair(im.A, im.B)
		c.O.Tolerance = c.tolerance()
		return c.onward(&im.Impact)
	}
	return nil
}

// apart checks that all bodies are apart: that they kept half the separation, for rounding may have
// cost some of it.
func (w *World) apart() error {
	for a := range w.Solids {
		for b := range a {
			c := w.pair(int64(a), int64(b))
			d, slack := c.Distance(0)
			if d < slack+0.5*c.separation() && (c.Crosses(0) || c.Exact(0) < 0.5*c.separation()) {
				return violation(2, "bodies %d and %d are %v apart", a, b, d)
			}
		}
	}
	return nil
}

// respond gives both bodies the impulse along the normal after which the points part.
func (w *World) respond(im *rigid.SceneImpact) {
	met := -w.pair(im.A, im.B).Parting(&im.Impact)
	inverse := 0.0
	ends := [2]struct {
		i    int64
		p    r3.Vec
		sign float64
	}{{im.A, im.PointA, 1}, {im.B, im.PointB, -1}}
	lever := func(k int) r3.Vec { return geom.Cross(r3.Sub(ends[k].p, w.Motions[ends[k].i].Position), im.Normal) }
	for k, e := range ends {
		if e.i > 0 {
			inverse += 1 + geom.Dot(lever(k), lever(k))/w.inertia[e.i]
		}
	}
	j := (max(w.Restitution*met, w.Part) + met) / inverse
	for k, e := range ends {
		if e.i > 0 {
			m := &w.Motions[e.i]
			m.Velocity = r3.Add(m.Velocity, geom.Scale(e.sign*j, im.Normal))
			m.AngularVelocity = r3.Add(m.AngularVelocity, geom.Scale(e.sign*j/w.inertia[e.i], lever(k)))
		}
	}
}
