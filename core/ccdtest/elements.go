package ccdtest

import (
	"math"
	"math/rand/v2"
	"slices"

	"ccd/core/mesh"
	"ccd/core/meshfile"
)

// Cuts are the ways in which Block cuts a cell: a hexahedron's corners in the order of VTK, 8 its
// center.
var cuts = map[mesh.Element][][]int{
	mesh.Triangle:      {{0, 1, 2}, {0, 2, 3}},
	mesh.Quadrilateral: {{0, 1, 2, 3}},
	mesh.Tetrahedron:   {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}},
	mesh.Hexahedron:    {{0, 1, 2, 3, 4, 5, 6, 7}},
	mesh.Prism:         {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}},
	mesh.Pyramid: {{0, 1, 2, 3, 8}, {4, 5, 6, 7, 8}, {0, 1, 5, 4, 8}, {1, 2, 6, 5, 8}, {2, 3, 7, 6, 8},
		{3, 0, 4, 7, 8}},
}

// ElementKinds are the elements there are.
var ElementKinds = []mesh.Element{mesh.Triangle, mesh.Quadrilateral, mesh.Tetrahedron, mesh.Hexahedron, mesh.Prism,
	mesh.Pyramid}

// Block is a box of nx x ny x nz unit cells, each cut into elements of the kind that kind gives for
// its layer z; shells are layers. All kinds fit together: a quadrilateral is cut from its corner of
// least index, as tetrahedra and prisms are.
func Block(nx, ny, nz int, kind func(z int) mesh.Element) *meshfile.Cells {
	c := new(meshfile.Cells)
	at := func(x, y, z int) int32 { return int32(x + (nx+1)*(y+(ny+1)*z)) }
	for z := range nz + 1 {
		for y := range ny + 1 {
			for x := range nx + 1 {
				c.Vertices = append(c.Vertices, float64(x), float64(y), float64(z))
			}
		}
	}
	for z := range nz {
		for y := range ny {
			for x := range nx {
				corners := []int32{at(x, y, z), at(x+1, y, z), at(x+1, y+1, z), at(x, y+1, z),
					at(x, y, z+1), at(x+1, y, z+1), at(x+1, y+1, z+1), at(x, y+1, z+1)}
				k := kind(z)
				if k == mesh.Pyramid {
					corners = append(corners, int32(len(c.Vertices)/3))
					c.Vertices = append(c.Vertices, float64(x)+0.5, float64(y)+0.5, float64(z)+0.5)
				}
				for _, part := range cuts[k] {
					c.Kinds = append(c.Kinds, k)
					for _, i := range part {
						c.Corners = append(c.Corners, corners[i])
					}
				}
			}
		}
	}
	return c
}

// Join is several meshes in one.
func Join(parts ...*meshfile.Cells) *meshfile.Cells {
	all := new(meshfile.Cells)
	for _, p := range parts {
		first := int32(len(all.Vertices) / 3)
		all.Vertices = append(all.Vertices, p.Vertices...)
		all.Kinds = append(all.Kinds, p.Kinds...)
		for _, x := range p.Corners {
			all.Corners = append(all.Corners, first+x)
		}
	}
	return all
}

// Moved are coordinates with a map applied to every point.
func Moved(x []float64, move func(p [3]float64) [3]float64) []float64 {
	y := slices.Clone(x)
	for i := 0; i < len(y); i += 3 {
		p := move([3]float64(y[i:]))
		copy(y[i:], p[:])
	}
	return y
}

// VolumeScene is a small volume in motion: some blocks that overlap or nearly do, their vertices
// shaken.
type VolumeScene struct {
	Cells  *meshfile.Cells
	X0, X1 []float64
}

// RandomVolume makes a scene from a seed: of every kind of element, mixed, from nearly still to
// torn apart, on coordinates of full precision or on a coarse grid, where coincidences abound.
func RandomVolume(seed uint64) VolumeScene {
	r := rand.New(rand.NewPCG(seed, 9))
	var parts []*meshfile.Cells
	for range 1 + r.IntN(3) {
		first := r.IntN(len(ElementKinds))
		b := Block(1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(2), func(z int) mesh.Element {
			return ElementKinds[(first+z)%len(ElementKinds)]
		})
		shift := [3]float64{1.5 * r.Float64(), 1.5 * r.Float64(), 1.5 * r.Float64()}
		b.Vertices = Moved(b.Vertices, func(p [3]float64) [3]float64 {
			return [3]float64{p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]}
		})
		parts = append(parts, b)
	}
	s := VolumeScene{Cells: Join(parts...)}
	shake, fling := math.Ldexp(1, -r.IntN(12)), math.Ldexp(1, 1-r.IntN(10))
	grid := 0.0
	if r.IntN(3) == 0 {
		grid = 0.25
	}
	snap := func(x float64) float64 {
		if grid > 0 {
			return math.Round(x/grid) * grid
		}
		return x
	}
	for _, x := range s.Cells.Vertices {
		x = snap(x + shake*(r.Float64()-0.5))
		s.X0, s.X1 = append(s.X0, x), append(s.X1, snap(x+fling*(r.Float64()-0.5)))
	}
	return s
}

// RandomEdit removes an element; with more it may instead add one, split a vertex or merge two. It
// may be refused.
func RandomEdit(r *rand.Rand, v *mesh.Volume, more bool) error {
	var live []int32
	for e, k := range v.Kinds {
		if k != mesh.Removed {
			live = append(live, int32(e))
		}
	}
	if len(live) < 2 {
		return nil
	}
	e := live[r.IntN(len(live))]
	corners := slices.Clone(v.Corners(e))
	x := corners[r.IntN(len(corners))]
	sort := 0
	if more {
		sort = r.IntN(4)
	}
	switch sort {
	case 1:
		first, err := v.AddVertices([]int32{x})
		if err != nil {
			return err
		}
		corners[slices.Index(corners, x)] = first
		_, err = v.Add([]mesh.Element{v.Kinds[e]}, corners)
		return err
	case 2:
		star := slices.Clone(v.Star(x))
		_, err := v.Split(x, star[:1+r.IntN(len(star))])
		return err
	case 3:
		other := v.Corners(live[r.IntN(len(live))])
		return v.Merge(x, other[r.IntN(len(other))])
	}
	return v.Remove([]int32{e})
}

// Follow gives the vertices that edits have added places at both ends of a step: their origins',
// shaken at the end.
func Follow(r *rand.Rand, v *mesh.Volume, x0, x1 []float64) ([]float64, []float64) {
	for len(x0) < 3*v.NV {
		from := 3 * int(v.Origin[len(x0)/3])
		x0, x1 = append(x0, x0[from:from+3]...), append(x1, x1[from:from+3]...)
		x1[len(x1)-1] += r.Float64() - 0.5
	}
	return x0, x1
}
