package ccdtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// Crumple is a sheet of triangles that moves at random over a step, and the same as a body of
// patches: its triangles at degree 1, 2 or 4, which are the same surface. Coordinates are multiples
// of 2^-20, so that raising the degree rounds nothing.
type Crumple struct {
	X0, X1 []float64
	Faces  [][3]int32
	Body   *patch.Body
	P0, P1 []float64 // control points of the body
}

// RandomCrumple makes one from a seed.
func RandomCrumple(seed uint64) *Crumple {
	r := rand.New(rand.NewPCG(seed, 41))
	n := 2 + r.IntN(3)
	c := &Crumple{}
	rough, much := 0.3*r.Float64()*r.Float64(), 1.5*r.Float64()
	number := func(x float64) float64 { return math.Round(x*0x1p20) * 0x1p-20 }
	for i := range n {
		for j := range n {
			for _, x := range [3]float64{float64(i), float64(j), 0} {
				y := x + rough*r.NormFloat64()
				c.X0 = append(c.X0, number(y))
				c.X1 = append(c.X1, number(y+much*r.NormFloat64()))
			}
			if a := int32(i*n + j); i+1 < n && j+1 < n {
				b := a + int32(n)
				if r.IntN(2) == 0 {
					c.Faces = append(c.Faces, [3]int32{a, b, b + 1}, [3]int32{a, b + 1, a + 1})
				} else {
					c.Faces = append(c.Faces, [3]int32{a, b, a + 1}, [3]int32{b, b + 1, a + 1})
				}
			}
		}
	}
	c.raise([]int{1, 2, 4}[r.IntN(3)])
	return c
}

// raise makes the body of patches.
func (c *Crumple) raise(degree int) {
	form := patch.Form{Shape: patch.Triangle, U: degree, V: degree}
	var forms []patch.Form
	var index []int32
	for _, f := range c.Faces {
		forms = append(forms, form)
		for j := 0; j <= degree; j++ {
			for i := 0; i <= degree-j; i++ {
				index = append(index, int32(len(c.P0)/3))
				for k := range int32(3) {
					mean := func(x []float64) float64 {
						a, b := float64(float64(i)*x[3*f[1]+k]), float64(float64(j)*x[3*f[2]+k])
						return (float64(float64(degree-i-j)*x[3*f[0]+k]) + a + b) / float64(degree)
					}
					c.P0, c.P1 = append(c.P0, mean(c.X0)), append(c.P1, mean(c.X1))
				}
			}
		}
	}
	body, err := patch.NewBody(len(index), forms, index, nil)
	if err != nil {
		panic(err)
	}
	c.Body = body
}

// first is the exact time of the first contact of features that share no vertex; +Inf if there is
// none.
func (c *Crumple) first() (float64, error) {
	m, err := mesh.New(len(c.X0)/3, nil, flat(c.Faces))
	if err != nil {
		return 0, err
	}
	var s narrow.Solver
	o := narrow.DefaultOptions()
	least := math.Inf(1)
	look := func(kind geom.Kind, v [4]int32) error {
		var q [24]float64
		for i, a := range v {
			copy(q[3*i:3*i+3], c.X0[3*a:])
			copy(q[12+3*i:15+3*i], c.X1[3*a:])
		}
		var im geom.Impact
		s.Solve(kind, q[:], &o, &im)
		if im.Verdict == geom.Undecided {
			return errors.New("the exact method is undecided")
		}
		least = min(least, im.TOILo)
		return nil
	}
	for v := range int32(len(c.X0) / 3) {
		for _, f := range m.Faces {
			if v != f[0] && v != f[1] && v != f[2] {
				err = errors.Join(err, look(geom.VertexFace, [4]int32{v, f[0], f[1], f[2]}))
			}
		}
	}
	for i, e := range m.Edges {
		for _, g := range m.Edges[i+1:] {
			if e[0] != g[0] && e[0] != g[1] && e[1] != g[0] && e[1] != g[1] {
				err = errors.Join(err, look(geom.EdgeEdge, [4]int32{e[0], e[1], g[0], g[1]}))
			}
		}
	}
	return least, err
}

func flat(faces [][3]int32) (list []int32) {
	for _, f := range faces {
		list = append(list, f[:]...)
	}
	return list
}

// SelfVerdict is the result of a crumple's search for contacts with itself.
type SelfVerdict struct {
	Exact  float64 // the exact time
	Impact patch.Impact
	Left   patch.Unresolved
}

// CheckSelf holds the search of patches to the exact method: it is never later than the first
// contact of features that share no vertex, unless that may have been left out beside what its
// triangles share, and what it reports is a contact.
func (c *Crumple) CheckSelf(s *patch.Scene, width float64, o *patch.Options) (v SelfVerdict, err error) {
	f := &patch.BodyStep{Body: c.Body, X0: c.P0, X1: c.P1}
	if v.Impact, v.Left, err = s.SelfEarliest(f, width, o); err != nil {
		return v, err
	}
	if v.Exact, err = c.first(); err != nil {
		return v, err
	}
	im := &v.Impact
	if late := math.Nextafter(v.Exact, 2); v.Left.TFrom > v.Exact && im.TOILo > late {
		return v, fmt.Errorf("%v at %v, exactly at %v; %+v", im.Verdict, im.TOILo, v.Exact, v.Left)
	}
	if im.Verdict != geom.Contact {
		return v, nil
	}
	p, q := c.at(im.A, im.UVA, im.TOIHi), c.at(im.B, im.UVB, im.TOIHi)
	for k := range 3 {
		if d := math.Abs(p[k] - q[k]); d > o.MinSeparation+o.Tolerance+1e-12 {
			return v, fmt.Errorf("the points of a contact are %v apart", d)
		}
	}
	if im.A == im.B && math.Abs(im.UVA[0]-im.UVB[0]) < width/4 && math.Abs(im.UVA[1]-im.UVB[1]) < width/4 {
		return v, fmt.Errorf("a contact of patch %d at %v and %v is trivial", im.A, im.UVA, im.UVB)
	}
	return v, nil
}

// at is a point of a face.
func (c *Crumple) at(face int64, uv [2]float64, t float64) (p [3]float64) {
	f := c.Faces[face]
	w := [3]float64{1 - uv[0] - uv[1], uv[0], uv[1]}
	for k := range int32(3) {
		for i, a := range f {
			x := float64((1-t)*c.X0[3*a+k]) + float64(t*c.X1[3*a+k])
			p[k] += float64(w[i] * x)
		}
	}
	return p
}
