package volume

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// thick is a case of a volume with radii of its vertices.
type thick struct {
	ccdtest.VolumeCase
	radius []float64
}

func thickCase(t testing.TB, family *ccdtest.VolumeFamily, seed uint64) thick {
	t.Helper()
	c := thick{VolumeCase: ccdtest.NewVolumeCase(family, seed)}
	r := rand.New(rand.NewPCG(seed, 17))
	size := 0.0
	for i, x := range c.X0 {
		size = max(size, math.Abs(x-c.X0[i%3]))
	}
	c.radius = make([]float64, c.Volume.NV)
	for i := range c.radius {
		if r.IntN(3) > 0 {
			c.radius[i] = size * math.Ldexp(r.Float64(), -3-r.IntN(10))
		}
	}
	if err := c.Volume.SetRadii(c.radius); err != nil {
		t.Fatal(err)
	}
	return c
}

// eachAlone solves every pair of features by the single call with the pair's own separation: by
// kind and vertices.
func (c *thick) eachAlone(o *Options) map[[5]int32]geom.Impact {
	v, out, solver := c.Volume, map[[5]int32]geom.Impact{}, narrow.NewSolver()
	add := func(kind geom.Kind, q [4]int32) {
		var most [2]float64
		var points []float64
		for i, x := range q {
			side := min(1, i/kind.Info().Split)
			most[side] = max(most[side], c.radius[x])
		}
		for _, x := range [2][]float64{c.X0, c.X1} {
			for _, i := range q {
				points = append(points, x[3*i:3*i+3]...)
			}
		}
		one := o.Options
		one.MinSeparation = mesh.Separation(o.MinSeparation, most[0], most[1])
		var im geom.Impact
		if solver.Solve(kind, points, &one, &im); im.Verdict != geom.Separate {
			im.A, im.B = 0, 0
			out[[5]int32{int32(kind), q[0], q[1], q[2], q[3]}] = im
		}
	}
	for f, t := range v.Faces {
		for x := range v.NV {
			if v.FaceOwner[f] >= 0 && v.VertexOwner[x] >= 0 && !slices.Contains(t[:], int32(x)) {
				add(geom.VertexFace, [4]int32{int32(x), t[0], t[1], t[2]})
			}
		}
	}
	for i, e := range v.Edges {
		for j, g := range v.Edges[:i] {
			if v.EdgeOwner[i] < 0 || v.EdgeOwner[j] < 0 || slices.Contains(g[:], e[0]) || slices.Contains(g[:], e[1]) {
				continue
			}
			if e[1] < g[1] {
				add(geom.EdgeEdge, [4]int32{e[0], e[1], g[0], g[1]})
			} else {
				add(geom.EdgeEdge, [4]int32{g[0], g[1], e[0], e[1]})
			}
		}
	}
	return out
}

// check compares all ways to solve a step with the single calls.
func (c *thick) check(t *testing.T, label string) (contacts int) {
	t.Helper()
	for name, change := range methods() {
		for _, norm := range []uint32{0, narrow.MaxNorm} {
			o := DefaultOptions()
			o.Classes, o.Threads, o.MinSeparation, o.TMax, o.Flags = AllClasses, 2, c.D, c.TMax, norm
			want := c.eachAlone(&o)
			change(&o)
			s := New(c.Volume)
			list, err := s.Collisions(c.X0, c.X1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != len(want) {
				t.Fatalf("%s, %s: %d contacts, want %d", label, name, len(list), len(want))
			}
			for i := range list {
				x := list[i].Impact
				x.A, x.B = 0, 0
				q := list[i].Vertices
				if w, found := want[[5]int32{int32(x.Kind), q[0], q[1], q[2], q[3]}]; !found || w != x {
					t.Fatalf("%s, %s: %+v, want %+v", label, name, x, w)
				}
			}
			first, err := s.Earliest(c.X0, c.X1, &o)
			if err != nil || len(list) == 0 && first.Verdict != geom.Separate || len(list) > 0 && first != list[0] {
				t.Fatalf("%s, %s: earliest is %+v, %v", label, name, first, err)
			}
			contacts += len(list)
		}
	}
	return contacts
}

// Law 4 of radii for volumes: every way to solve a step has the bits of the single calls, after
// edits too. New vertices have the radius of the vertex that they are split from.
func TestRadiiLaw4Volumes(t *testing.T) {
	contacts, splits := 0, 0
	for i := range ccdtest.VolumeFamilies {
		for seed := range uint64(2) {
			c := thickCase(t, &ccdtest.VolumeFamilies[i], seed)
			contacts += c.check(t, fmt.Sprint(&c.VolumeCase))
			vertex := slices.IndexFunc(c.Volume.VertexOwner, func(e int32) bool { return e >= 0 })
			if vertex < 0 || len(c.Volume.Star(int32(vertex))) < 2 {
				continue
			}
			if _, err := c.Volume.Split(int32(vertex), c.Volume.Star(int32(vertex))[:1]); err != nil {
				continue // a side that would have three elements
			}
			splits++
			c.radius = append(c.radius, c.radius[vertex])
			for _, x := range []*[]float64{&c.X0, &c.X1} {
				*x = append(*x, (*x)[3*vertex:3*vertex+3]...)
			}
			if got := c.Volume.Radii().Of(geom.Vertex, int32(c.Volume.NV-1)); got != c.radius[vertex] {
				t.Fatalf("the new vertex has the radius %v, its origin %v", got, c.radius[vertex])
			}
			contacts += c.check(t, fmt.Sprint(&c.VolumeCase, ", split"))
		}
	}
	if contacts < 1000 || splits < 3 {
		t.Errorf("only %d contacts, %d splits", contacts, splits)
	}
}
