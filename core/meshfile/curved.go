package meshfile

import (
	"ccd/core/mesh"
	"ccd/core/status"
	"fmt"
	"math"
	"slices"
)

// Cells of order 2 and polyhedra are no elements, for those have corners alone. A surface has flat
// triangles between the nodes of their faces, and Deviation bounds how far it is from the curved
// ones. Of solids these are the sides that one cell alone has.

// curvedCells are cells of order 2 and polyhedra, with their nodes one after the other.
type curvedCells struct {
	kinds []int
	ends  []int
	nodes []int32
}

// curvedKind is a cell of order 2: its number of nodes, and the nodes of its faces. A face has its
// corners first, then the nodes on its sides, then that in its middle. A shell has one face.
type curvedKind struct {
	nodes int
	faces [][]uint8
}

const (
	vtkQuadraticEdge = 21
	vtkPolyhedron    = 42
)

var (
	hexahedronSides = [][]uint8{{0, 4, 7, 3, 16, 15, 19, 11}, {1, 2, 6, 5, 9, 18, 13, 17}, {0, 1, 5, 4, 8, 17, 12, 16},
		{3, 7, 6, 2, 19, 14, 18, 10}, {0, 3, 2, 1, 11, 10, 9, 8}, {4, 5, 6, 7, 12, 13, 14, 15}}
	prismSides = [][]uint8{{0, 1, 2, 6, 7, 8}, {3, 5, 4, 11, 10, 9}, {0, 3, 4, 1, 12, 9, 13, 6},
		{1, 4, 5, 2, 13, 10, 14, 7}, {2, 5, 3, 0, 14, 11, 12, 8}}
)

// curvedKinds are the cells of order 2 by their types in VTK.
var curvedKinds = map[int]curvedKind{
	22: {6, [][]uint8{{0, 1, 2, 3, 4, 5}}},
	23: {8, [][]uint8{{0, 1, 2, 3, 4, 5, 6, 7}}},
	24: {10, [][]uint8{{0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}, {0, 2, 1, 6, 5, 4}}},
	25: {20, hexahedronSides},
	26: {15, prismSides},
	27: {13, [][]uint8{{0, 3, 2, 1, 8, 7, 6, 5}, {0, 1, 4, 5, 10, 9}, {1, 2, 4, 6, 11, 10}, {2, 3, 4, 7, 12, 11},
		{3, 0, 4, 8, 9, 12}}},
	28: {9, [][]uint8{{0, 1, 2, 3, 4, 5, 6, 7, 8}}},
	29: {27, withMiddles(hexahedronSides, 20, 21, 22, 23, 24, 25)},
	32: {18, withMiddles(prismSides, 15, 16, 17)},
	33: {24, withMiddles(hexahedronSides, 20, 21, 22, 23, 0, 0)},
	34: {7, [][]uint8{{0, 1, 2, 3, 4, 5, 6}}},
}

// withMiddles adds nodes in the middle of the last faces; 0 adds none.
func withMiddles(faces [][]uint8, middles ...uint8) [][]uint8 {
	faces = slices.Clone(faces)
	for i, m := range middles {
		at := len(faces) - len(middles) + i
		if faces[at] = slices.Clone(faces[at]); m > 0 {
			faces[at] = append(faces[at], m)
		}
	}
	return faces
}

// lagrange are the cells of VTK with any order: their types of order 1 and of order 2.
var lagrange = map[int][2]int{68: {vtkLine, vtkQuadraticEdge}, 69: {5, 22}, 70: {9, 28}, 71: {10, 24}, 72: {12, 29},
	73: {13, 32}}

// ordinary returns the type of order 1 or 2 of a cell that may have any order, or the same type.
func ordinary(cell, nodes int) int {
	kinds, ok := lagrange[cell]
	switch {
	case !ok:
	case kinds[0] == vtkLine && nodes == 2 || nodes == mesh.Element(kinds[0]).Corners() && nodes > 0:
		return kinds[0]
	case kinds[1] == vtkQuadraticEdge && nodes == 3 || nodes == curvedKinds[kinds[1]].nodes:
		return kinds[1]
	}
	return cell
}

// curvedCell reports whether a cell of the type is read for surfaces alone.
func curvedCell(cell int64) bool {
	_, quadratic := curvedKinds[int(cell)]
	_, any := lagrange[int(cell)]
	return quadratic || any || cell == vtkQuadraticEdge || cell == vtkPolyhedron
}

// addCurved appends a cell of order 2, or a polyhedron: the number of its faces, and for each face
// the number of its corners and these. old says that the nodes on two sides of a hexahedron have
// changed places.
func (c *Cells) addCurved(cell int, nodes []int32, old bool) error {
	if cell == vtkPolyhedron {
		if err := checkPolyhedron(nodes, len(c.Vertices)/3); err != nil {
			return err
		}
	} else if kind, ok := curvedKinds[cell]; ok && len(nodes) != kind.nodes ||
		cell == vtkQuadraticEdge && len(nodes) != 3 {
		return fmt.Errorf("cell type %d, %s, with %d nodes", cell, vtkRefused[cell], len(nodes))
	} else if !ok && cell != vtkQuadraticEdge {
		c.higher(cell, nodes)
		return fmt.Errorf("cell type %d, %s, with %d nodes: of these, only cells of order 1 and 2 are read", cell,
			vtkRefused[cell], len(nodes))
	}
	if cell == 29 && old {
		nodes[18], nodes[19] = nodes[19], nodes[18]
	}
	c.curved.kinds = append(c.curved.kinds, cell)
	c.curved.nodes = append(c.curved.nodes, nodes...)
	c.curved.ends = append(c.curved.ends, len(c.curved.nodes))
	return nil
}

// checkPolyhedron returns an error unless numbers are the faces of a polyhedron.
func checkPolyhedron(list []int32, points int) error {
	if len(list) == 0 {
		return fmt.Errorf("a polyhedron without faces")
	}
	rest := list[1:]
	for i := range list[0] {
		if len(rest) == 0 || rest[0] < 3 || int(rest[0]) > len(rest)-1 {
			return fmt.Errorf("face %d of a polyhedron has other corners than there are", i)
		}
		n := 1 + int(rest[0])
		for _, v := range rest[1:n] {
			if v < 0 || int(v) >= points {
				return fmt.Errorf("face %d of a polyhedron has the corner %d: out of range for %d points", i, v, points)
			}
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return fmt.Errorf("a polyhedron has more numbers than those of its %d faces", list[0])
	}
	return nil
}

// refuseCurved returns an error if there is a cell that is no element.
func (c *Cells) refuseCurved() error {
	if c.refused != nil {
		return c.refused
	}
	if len(c.curved.kinds) == 0 {
		return nil
	}
	kind := c.curved.kinds[0]
	return status.Errorf(status.ErrFile, "cell type %d, %s", kind, refusal(kind))
}

// each calls do with the type and the nodes of each cell.
func (l *curvedCells) each(do func(kind int, nodes []int32) error) error {
	from := 0
	for i, kind := range l.kinds {
		nodes := l.nodes[from:l.ends[i]]
		from = l.ends[i]
		if err := do(kind, nodes); err != nil {
			return err
		}
	}
	return nil
}

// flattened adds what curved cells become to a surface.
type flattened struct {
	to   *Surface
	bent int // faces and lines of order 2
}

// curvedShells adds the lines and the shells of order 2, and returns the number of solids.
func (s *flattened) curvedShells(l *curvedCells) (solids int, err error) {
	face := make([]int32, 0, 9)
	err = l.each(func(kind int, nodes []int32) error {
		switch shape := curvedKinds[kind].faces; {
		case kind == vtkQuadraticEdge:
			s.to.Edges = append(s.to.Edges, [2]int32{nodes[0], nodes[2]}, [2]int32{nodes[2], nodes[1]})
			a, b := vec(s.to.Vertices[3*nodes[0]:]), vec(s.to.Vertices[3*nodes[1]:])
			middle := vec(s.to.Vertices[3*nodes[2]:])
			s.deviates(bend(a, middle, b).length()/8, []vec{a, middle, b})
		case len(shape) == 1:
			face = pick(face[:0], nodes, shape[0])
			s.curvedFace(face)
		default:
			solids++
		}
		return nil
	})
	return solids, err
}

func pick(to, nodes []int32, at []uint8) []int32 {
	for _, i := range at {
		to = append(to, nodes[i])
	}
	return to
}

// sixNodes are the triangles of a face of 6 nodes, and of one of 7, which leaves out the last.
var sixNodes = [][3]uint8{{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}

// flatTriangles are the triangles of a face of order 2, by its number of nodes.
var flatTriangles = map[int][][3]uint8{
	6: sixNodes, 7: sixNodes,
	8: {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {6, 3, 7}, {4, 5, 6}, {4, 6, 7}},
	9: {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {6, 3, 7}, {4, 5, 8}, {5, 6, 8}, {6, 7, 8}, {7, 4, 8}},
}

// curvedFace adds the triangles between the nodes of a face of order 2.
func (s *flattened) curvedFace(f []int32) {
	for _, t := range flatTriangles[len(f)] {
		s.to.Faces = append(s.to.Faces, [3]int32{f[t[0]], f[t[1]], f[t[2]]})
	}
	s.to.cuts.sum += len(f)
	x := make([]vec, len(f), 9)
	for i, node := range f {
		x[i] = vec(s.to.Vertices[3*node:])
	}
	s.deviates(faceDeviates(x), x)
}

// deviates notes that a face or line of some nodes is at most so far from what it became. Rounding
// adds less than 2^-46 of the largest coordinate.
func (s *flattened) deviates(most float64, nodes []vec) {
	largest := 0.0
	for _, x := range nodes {
		largest = max(largest, math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2]))
	}
	s.bent++
	s.to.Deviation = max(s.to.Deviation, float64(most*(1+0x1p-40))+float64(largest*0x1p-46))
}

// vec is a point or a difference of points.
type vec [3]float64

// term is a vector and its factor.
type term struct {
	factor float64
	x      vec
}

// sum returns the sum of some terms.
func sum(terms ...term) (all vec) {
	for _, t := range terms {
		for k, x := range t.x {
			all[k] += float64(t.factor * x)
		}
	}
	return all
}

func (x vec) length() float64 { return math.Hypot(math.Hypot(x[0], x[1]), x[2]) }

// bend returns the second difference along a side of three nodes.
func bend(a, middle, b vec) vec { return sum(term{1, a}, term{-2, middle}, term{1, b}) }

// faceDeviates bounds how far a face of order 2 is from its triangles
// (docs/proofs/curved-cells.md).
func faceDeviates(x []vec) float64 {
	if len(x) > 7 {
		return quadDeviates(x)
	}
	most := max(bend(x[0], x[3], x[1]).length(), bend(x[1], x[4], x[2]).length(), bend(x[2], x[5], x[0]).length()) / 6
	if len(x) == 7 { // The node in the middle may be elsewhere than 6 nodes have it.
		most += sum(term{9, x[6]}, term{-4, x[3]}, term{-4, x[4]}, term{-4, x[5]}, term{1, x[0]}, term{1, x[1]},
			term{1, x[2]}).length() / 9
	}
	return most
}

// quadDeviates is faceDeviates for 8 and 9 nodes.
func quadDeviates(x []vec) float64 {
	var middle vec // It is a node, or where 8 nodes have it.
	if len(x) == 9 {
		middle = x[8]
	} else {
		for k := range 3 {
			middle[k] = float64((x[4][k]+x[5][k]+x[6][k]+x[7][k])/2) -
				float64((x[0][k]+x[1][k]+x[2][k]+x[3][k])/4)
		}
	}
	grid := [3][3]vec{{x[0], x[4], x[1]}, {x[7], middle, x[5]}, {x[3], x[6], x[2]}}
	across := grid
	for i := range 3 {
		for j := range 3 {
			across[i][j] = grid[j][i]
		}
	}
	twist := 0.0
	for i := range 2 {
		for j := range 2 {
			twist = max(twist, sum(term{1, grid[i][j]}, term{-1, grid[i+1][j]}, term{-1, grid[i][j+1]},
				term{1, grid[i+1][j+1]}).length())
		}
	}
	most := float64((bends(grid)+bends(across))/8) + float64(twist/4)
	if len(x) == 8 { // The triangles pass by the place in the middle.
		most += sum(term{1, middle}, term{-0.5, x[4]}, term{-0.5, x[6]}).length()
	}
	return most
}

// bends bounds the second difference of a biquadratic face along its rows, at any place across, by
// the control points of the parabola that has it at three of them.
func bends(grid [3][3]vec) float64 {
	var d [3]vec
	for i, row := range grid {
		d[i] = bend(row[0], row[1], row[2])
	}
	return max(d[0].length(), d[2].length(), sum(term{2, d[1]}, term{-0.5, d[0]}, term{-0.5, d[2]}).length())
}
