package rigids

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/rigid"
)

// Method solves cases; it has its own scratch.
type Method struct {
	solver rigid.Solver
	scene  rigid.MeshScene
}

// Solve returns the impact of a case; IndexB is a triangle of the solid B, also where that is a
// mesh.
func (m *Method) Solve(c *Case) (im rigid.Impact, err error) {
	a, err := Body(c.A)
	if err != nil {
		return im, err
	}
	if c.To != nil {
		return m.over(a, c)
	}
	b, err := Body(c.B)
	if err != nil {
		return im, err
	}
	err = m.solver.Earliest(a, b, &c.MA, &c.MB, &c.O, &im)
	return im, err
}

// over solves the case with B as a mesh: each corner of a triangle is a vertex, and equal corners
// of one triangle are one vertex.
func (m *Method) over(a *rigid.Body, c *Case) (im rigid.Impact, err error) {
	var x0, x1 []float64
	edges, faces := []int32{}, []int32{}
	var owner [3][]int64 // the triangle of the solid that an element is
	for i, tri := range c.B {
		first := int32(len(x0) / 3)
		n := 0
		for k := range tri {
			if k > 0 && tri[k] == tri[k-1] {
				continue
			}
			p, q := tri[k], c.To[i][k]
			x0, x1 = append(x0, p.X, p.Y, p.Z), append(x1, q.X, q.Y, q.Z)
			owner[rigid.MeshVertex] = append(owner[rigid.MeshVertex], int64(i))
			n++
		}
		switch n {
		case 3:
			faces = append(faces, first, first+1, first+2)
			owner[rigid.MeshFace] = append(owner[rigid.MeshFace], int64(i))
			edges = append(edges, first, first+1, first+1, first+2, first+2, first)
		case 2:
			edges = append(edges, first, first+1)
		}
		for len(owner[rigid.MeshEdge]) < len(edges)/2 {
			owner[rigid.MeshEdge] = append(owner[rigid.MeshEdge], int64(i))
		}
	}
	if m.scene.Mesh, err = mesh.New(len(x0)/3, edges, faces); err != nil {
		return im, err
	}
	m.scene.Bodies, m.scene.Motions = []*rigid.Body{a}, []rigid.Motion{c.MA}
	first, err := m.scene.Earliest(x0, x1, &c.O)
	if err == nil && c.O.Search == nil {
		err = m.firstOfAll(x0, x1, c, &first)
	}
	if first.IndexB >= 0 {
		first.IndexB = owner[first.Shape][first.IndexB]
	}
	return first.Impact, err
}

// firstOfAll compares the earliest contact with all of them.
func (m *Method) firstOfAll(x0, x1 []float64, c *Case, first *rigid.MeshImpact) error {
	all, err := m.scene.Collisions(x0, x1, &c.O)
	if err == nil && (len(all) == 0) != (first.Verdict == geom.Separate) || len(all) > 0 && all[0] != *first {
		return violation(7, "the earliest is %+v, all are %+v", *first, all)
	}
	return err
}

// Body returns the body of a solid.
func Body(s Solid) (*rigid.Body, error) {
	var x []float64
	var faces [][3]int32
	for i, tri := range s {
		for _, p := range tri {
			x = append(x, p.X, p.Y, p.Z)
		}
		faces = append(faces, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
	}
	return rigid.NewBody(x, faces, 1)
}

// Laws6And7 solves the case again with fresh scratch, and in other units of length and time, powers
// of two.
func (m *Method) Laws6And7(c *Case, im *rigid.Impact, length, time int) error {
	again, err := new(Method).Solve(c)
	if err != nil || again != *im {
		return violation(7, "%+v, then %+v, %v", *im, again, err)
	}
	l, s := math.Ldexp(1, length), math.Ldexp(1, time)
	d := c.scaled(l, s)
	again, err = m.Solve(d)
	if err != nil || again.Verdict != im.Verdict || again.TOILo != im.TOILo*s || again.TOIHi != im.TOIHi*s ||
		again.Iterations != im.Iterations ||
		again.Distance != im.Distance*l || again.Normal != im.Normal {
		return violation(6, "%+v, in units of %v and %v %+v, %v", *im, l, s, again, err)
	}
	return nil
}

func (c *Case) scaled(l, s float64) *Case {
	d := *c
	solid := func(in Solid) (out Solid) {
		for _, tri := range in {
			out = append(out, [3]r3.Vec{geom.Scale(l, tri[0]), geom.Scale(l, tri[1]), geom.Scale(l, tri[2])})
		}
		return out
	}
	d.A, d.B, d.To = solid(c.A), solid(c.B), solid(c.To)
	for _, m := range []*rigid.Motion{&d.MA, &d.MB} {
		m.Position, m.Pivot = geom.Scale(l, m.Position), geom.Scale(l, m.Pivot)
		m.Velocity, m.AngularVelocity = geom.Scale(l/s, m.Velocity), geom.Scale(1/s, m.AngularVelocity)
	}
	d.O.TMin, d.O.TMax, d.O.MinSeparation, d.O.Tolerance = c.O.TMin*s, c.O.TMax*s, c.O.MinSeparation*l, c.O.Tolerance*l
	return &d
}
