package mesh

import "fmt"

// Element is the type of an element of a volume. The values are the cell types of VTK, and so are
// the orders of the corners.
type Element uint8

// The elements. Shells have no inside: a sheet of triangles or quadrilaterals.
const (
	Removed       Element = 0 // an element that was removed from a volume; callers never pass it
	Triangle      Element = 5
	Quadrilateral Element = 9
	Tetrahedron   Element = 10
	Hexahedron    Element = 12
	Prism         Element = 13 // two triangles and three quadrilaterals
	Pyramid       Element = 14 // a quadrilateral and an apex
)

// MostCorners is the largest number of corners of an element.
const MostCorners = 8

// MostSides is the largest number of triangles of an element's boundary.
const MostSides = 12

// shape lists the triangular and the quadrilateral sides of an element, as positions among its
// corners.
type shape struct {
	name      string
	corners   int
	shell     bool
	triangles [][3]uint8
	quads     [][4]uint8
}

var elements = [15]shape{
	Triangle:      {name: "triangle", corners: 3, shell: true, triangles: [][3]uint8{{0, 1, 2}}},
	Quadrilateral: {name: "quadrilateral", corners: 4, shell: true, quads: [][4]uint8{{0, 1, 2, 3}}},
	Tetrahedron: {name: "tetrahedron", corners: 4,
		triangles: [][3]uint8{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}},
	Hexahedron: {name: "hexahedron", corners: 8,
		quads: [][4]uint8{{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
	Prism: {name: "prism", corners: 6,
		triangles: [][3]uint8{{0, 1, 2}, {3, 4, 5}},
		quads:     [][4]uint8{{0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
	Pyramid: {name: "pyramid", corners: 5,
		triangles: [][3]uint8{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
		quads:     [][4]uint8{{0, 1, 2, 3}}},
}

// Corners returns the number of corners; 0 for values that are not an element.
func (k Element) Corners() int {
	if int(k) >= len(elements) {
		return 0
	}
	return elements[k].corners
}

// Sides returns the number of triangles on an element's boundary, two for every quadrilateral.
func (k Element) Sides() int {
	s := &elements[k]
	return len(s.triangles) + 2*len(s.quads)
}

// Shell reports whether the element has no inside.
func (k Element) Shell() bool { return elements[k].shell }

func (k Element) String() string {
	if k.Corners() == 0 {
		return fmt.Sprintf("element type %d", uint8(k))
	}
	return elements[k].name
}
