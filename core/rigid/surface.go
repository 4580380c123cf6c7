package rigid

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Surface returns the triangles of the body, in their order, and the vertices that they name, in
// the order of their numbers at NewBody. Vertices that no triangle names are left out, and those
// behind them have lower numbers. The radius of the body is not in it.
func (b *Body) Surface() (vertices []r3.Vec, faces [][3]int32) {
	named := make([]int32, 0, 3*len(b.Faces))
	for _, f := range b.Faces {
		named = append(named, f[:]...)
	}
	slices.Sort(named)
	named = slices.Compact(named)
	vertices, faces = make([]r3.Vec, len(named)), make([][3]int32, len(b.Faces))
	for i, f := range b.Faces {
		for j, v := range f {
			k, _ := slices.BinarySearch(named, v)
			vertices[k], faces[i][j] = b.tri[i][j], int32(k)
		}
	}
	return vertices, faces
}
