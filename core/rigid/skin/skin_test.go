package skin

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
)

// cube returns the triangles of a cube: of each side along one of its diagonals, or around a point
// inside of it.
func cube(r *rand.Rand) (list []bvh.Triangle) {
	corner := func(axis, u, v, w int) (p r3.Vec) {
		for k, x := range [3]int{w, u, v} {
			*[]*float64{&p.X, &p.Y, &p.Z}[(axis+k)%3] = float64(x)
		}
		return p
	}
	for axis := range 3 {
		for w := range 2 {
			q := [4]r3.Vec{corner(axis, 0, 0, w), corner(axis, 1, 0, w), corner(axis, 1, 1, w), corner(axis, 0, 1, w)}
			if w == 0 {
				q[1], q[3] = q[3], q[1]
			}
			switch r.IntN(3) {
			case 0:
				list = append(list, bvh.Triangle{q[0], q[1], q[2]}, bvh.Triangle{q[0], q[2], q[3]})
			case 1:
				list = append(list, bvh.Triangle{q[1], q[2], q[3]}, bvh.Triangle{q[1], q[3], q[0]})
			default:
				middle := r3.Scale(0.5, r3.Add(q[0], q[2]))
				for k := range 4 {
					list = append(list, bvh.Triangle{q[k], q[(k+1)%4], middle})
				}
			}
		}
	}
	return list
}

// However a cube is cut, its skin has six faces, twelve edges and eight corners.
func TestSkinOfACubeDoesNotDependOnCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 200 {
		s := Of(&Surface{Triangles: cube(r), Radius: 2, Extent: 2, Closed: true})
		faces, corners := map[int32]bool{}, 0
		for _, f := range s.FaceOf {
			faces[f] = true
		}
		for i := range s.Vertices {
			if s.Vertices[i].Corner {
				corners++
			}
		}
		if len(faces) != 6 || len(s.Edges) != 12 || corners != 8 || s.Facing != 1 {
			t.Fatalf("%d faces, %d edges, %d corners, facing %v", len(faces), len(s.Edges), corners, s.Facing)
		}
	}
}
