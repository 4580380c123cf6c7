package meshfile

import "ccd/core/status"

// Faces of any order are given by their nodes: curved patches are made of them. A surface has only
// those of order 1 and 2, as flat triangles.

// MostOrder is the highest order of a Face.
const MostOrder = 6

// mostNodes is the largest number of nodes of a cell: of a quadrilateral of the highest order.
const mostNodes = (MostOrder + 1) * (MostOrder + 1)

// Face is a line, a triangle or a quadrilateral, by its nodes in the order of VTK (Places). A
// quadrilateral of order 2 may have 8: it has none in the middle.
type Face struct {
	Corners, Order int
	Nodes          []int32
}

// DecodeFaces reads the lines and the shells of a file of elements, of orders up to MostOrder;
// where there are no shells, the sides that one of the solids alone has, of order 1 and 2. The
// vertices are the nodes.
func DecodeFaces(data []byte) (vertices []float64, faces []Face, err error) {
	c, err := decodeCells(data)
	if err != nil {
		return nil, nil, err
	}
	if err := finite(c.Vertices); err != nil {
		return nil, nil, err
	}
	for _, e := range c.lines {
		faces = append(faces, Face{2, 1, e[:]})
	}
	faces, solids, err := c.shells(faces)
	if err != nil {
		return nil, nil, err
	}
	if solids > 0 && len(faces) == len(c.lines) {
		err = c.eachAlone(func(nodes []int32, curved bool) error {
			return addFace(&faces, nodes, curved)
		})
	}
	return c.Vertices, faces, err
}

// shells appends the shells, and lines of order 2 and more; it returns the number of solids.
func (c *Cells) shells(faces []Face) ([]Face, int, error) {
	at, solids := 0, 0
	for _, k := range c.Kinds {
		corners := c.Corners[at : at+k.Corners()]
		at += len(corners)
		if k.Shell() {
			faces = append(faces, Face{len(corners), 1, corners})
		} else {
			solids++
		}
	}
	err := c.curved.each(func(kind int, nodes []int32) error {
		corners, order := nodalCell(kind, len(nodes))
		switch {
		case kind == 34:
			return status.Errorf(status.ErrFile,
				"a triangle of 7 nodes is no polynomial of order 2: it is no patch here")
		case kind == 23:
			faces = append(faces, Face{4, 2, nodes})
		case order > 0:
			faces = append(faces, Face{corners, order, nodes})
		default:
			solids++
		}
		return nil
	})
	return faces, solids, err
}

// addFace appends a side of a solid.
func addFace(faces *[]Face, nodes []int32, curved bool) error {
	side := append([]int32(nil), nodes...)
	switch n := len(nodes); {
	case !curved && n > 4:
		return status.Errorf(status.ErrFile, "a polyhedron has a side of %d corners, which is no patch", n)
	case !curved:
		*faces = append(*faces, Face{n, 1, side})
	default:
		*faces = append(*faces, Face{len(corners(nodes, true)), 2, side})
	}
	return nil
}

// nodalCell returns the number of corners and the order of a line or a shell of VTK, by its type
// and its number of nodes; an order of 0 is another cell.
func nodalCell(kind, nodes int) (corners, order int) {
	for n := 1; n <= MostOrder; n++ {
		switch {
		case (kind == 68 || kind == vtkQuadraticEdge) && nodes == n+1:
			return 2, n
		case (kind == 69 || kind == 22) && nodes == (n+1)*(n+2)/2:
			return 3, n
		case (kind == 70 || kind == 28) && nodes == (n+1)*(n+1):
			return 4, n
		}
	}
	return 0, 0
}

// Places returns where the nodes of a face of an order are, as i and j of the parameters i/order
// and j/order, in the order of VTK: the corners, the sides, then what is inside.
func Places(corners, order int) [][2]int {
	switch n := order; corners {
	case 2:
		list := [][2]int{{0, 0}, {n, 0}}
		for k := 1; k < n; k++ {
			list = append(list, [2]int{k, 0})
		}
		return list
	case 3:
		return trianglePlaces(nil, n, 0)
	default:
		list := [][2]int{{0, 0}, {n, 0}, {n, n}, {0, n}}
		for _, side := range [4]func(k int) [2]int{
			func(k int) [2]int { return [2]int{k, 0} }, func(k int) [2]int { return [2]int{n, k} },
			func(k int) [2]int { return [2]int{k, n} }, func(k int) [2]int { return [2]int{0, k} },
		} {
			for k := 1; k < n; k++ {
				list = append(list, side(k))
			}
		}
		for j := 1; j < n; j++ {
			for i := 1; i < n; i++ {
				list = append(list, [2]int{i, j})
			}
		}
		return list
	}
}

// trianglePlaces appends the corners, the sides 01, 12 and 20, and then the triangle of the nodes
// inside in the same way.
func trianglePlaces(list [][2]int, n, s int) [][2]int {
	if n < 0 {
		return list
	}
	if n == 0 {
		return append(list, [2]int{s, s})
	}
	list = append(list, [2]int{s, s}, [2]int{s + n, s}, [2]int{s, s + n})
	for side := range 3 {
		for k := 1; k < n; k++ {
			list = append(list, [3][2]int{{s + k, s}, {s + n - k, s + k}, {s, s + n - k}}[side])
		}
	}
	return trianglePlaces(list, n-3, s+1)
}

// gmshPlaces is Places of a quadrilateral in the order of Gmsh: the sides go around, and what is
// inside is a quadrilateral again.
func gmshPlaces(list [][2]int, n, s int) [][2]int {
	if n < 0 {
		return list
	}
	if n == 0 {
		return append(list, [2]int{s, s})
	}
	list = append(list, [2]int{s, s}, [2]int{s + n, s}, [2]int{s + n, s + n}, [2]int{s, s + n})
	for side := range 4 {
		for k := 1; k < n; k++ {
			list = append(list, [4][2]int{{s + k, s}, {s + n, s + k}, {s + n - k, s + n}, {s, s + n - k}}[side])
		}
	}
	return gmshPlaces(list, n-2, s+1)
}

// gmshHigher are the lines and shells of order 3 and more by their types in Gmsh: VTK's type and
// the order.
var gmshHigher = map[int64][2]int{
	26: {68, 3}, 27: {68, 4}, 28: {68, 5}, 62: {68, 6},
	21: {69, 3}, 23: {69, 4}, 25: {69, 5}, 42: {69, 6},
	36: {70, 3}, 37: {70, 4}, 38: {70, 5}, 47: {70, 6},
}

// gmshHigherElement returns what a type of Gmsh of order 3 and more is here.
func gmshHigherElement(kind int64) (e gmshElement, ok bool) {
	found, ok := gmshHigher[kind]
	if !ok {
		return e, false
	}
	n := found[1]
	switch e.cell = found[0]; e.cell {
	case 68:
		e.nodes = n + 1
	case 69:
		e.nodes = (n + 1) * (n + 2) / 2
	default:
		at := map[[2]int]uint8{}
		for i, place := range gmshPlaces(nil, n, 0) {
			at[place] = uint8(i)
		}
		for _, place := range Places(4, n) {
			e.order = append(e.order, at[place])
		}
		e.nodes = len(e.order)
	}
	return e, true
}

// higher keeps a line or shell of order 3 or more, which is a patch and no element; it reports
// whether the cell is one.
func (c *Cells) higher(cell int, nodes []int32) bool {
	if _, order := nodalCell(cell, len(nodes)); order < 3 {
		return false
	}
	c.curved.kinds = append(c.curved.kinds, cell)
	c.curved.nodes = append(c.curved.nodes, nodes...)
	c.curved.ends = append(c.curved.ends, len(c.curved.nodes))
	c.pending = true
	return true
}

// postpone keeps the error about a cell that higher has just kept, for those who read elements or
// a surface; it reports whether there is one.
func (c *Cells) postpone(err error) bool {
	if !c.pending {
		return false
	}
	c.pending = false
	if c.refused == nil {
		c.refused = err
	}
	return true
}
