package meshfile

import (
	"fmt"

	"ccd/core/mesh"
)

// The cell types of VTK that are no Element, and that are read.
const (
	vtkVertex   = 1
	vtkVertices = 2
	vtkLine     = 3
	vtkPolyline = 4
	vtkStrip    = 6
	vtkPolygon  = 7
	vtkPixel    = 8
	vtkVoxel    = 11

	vtkLagrangeHexahedron = 72
)

// vtkRefused names the other cell types of VTK.
var vtkRefused = map[int]string{
	0: "an empty cell", 15: "a pentagonal prism", 16: "a hexagonal prism",
	21: "a quadratic edge", 22: "a quadratic triangle", 23: "a quadratic quadrilateral", 24: "a quadratic tetrahedron",
	25: "a quadratic hexahedron", 26: "a quadratic prism", 27: "a quadratic pyramid", 28: "a biquadratic quadrilateral",
	29: "a triquadratic hexahedron", 30: "a quadratic-linear quadrilateral", 31: "a quadratic-linear prism",
	32: "a biquadratic-quadratic prism", 33: "a biquadratic-quadratic hexahedron", 34: "a biquadratic triangle",
	35: "a cubic line",
	36: "a quadratic polygon", 37: "a triquadratic pyramid", 41: "a convex set of points", 42: "a polyhedron",
	51: "a parametric curve", 52: "a parametric surface", 53: "a parametric triangle", 54: "a parametric quadrilateral",
	55: "a parametric tetrahedron", 56: "a parametric hexahedron",
	60: "an edge of higher order", 61: "a triangle of higher order", 62: "a quadrilateral of higher order",
	63: "a polygon of higher order",
	64: "a tetrahedron of higher order", 65: "a prism of higher order", 66: "a pyramid of higher order",
	67: "a hexahedron of higher order",
	68: "a Lagrange curve", 69: "a Lagrange triangle", 70: "a Lagrange quadrilateral", 71: "a Lagrange tetrahedron",
	72: "a Lagrange hexahedron", 73: "a Lagrange prism", 74: "a Lagrange pyramid",
	75: "a Bezier curve", 76: "a Bezier triangle", 77: "a Bezier quadrilateral", 78: "a Bezier tetrahedron",
	79: "a Bezier hexahedron",
	80: "a Bezier prism", 81: "a Bezier pyramid",
}

// onlyLinear is what to do about elements of higher order.
const onlyLinear = "only linear elements are read here; write the mesh with linear elements (order 1), " +
	"or split it, as ParaView's filter Tessellate does"

// checkCell returns an error for a cell type that is not read.
func checkCell(cell int64) error {
	switch cell {
	case vtkVertex, vtkVertices, vtkLine, vtkPolyline, vtkStrip, vtkPolygon, vtkPixel, vtkVoxel:
		return nil
	}
	if cell > 0 && cell <= 255 && mesh.Element(cell).Corners() > 0 || curvedCell(cell) {
		return nil
	}
	if vtkRefused[int(cell)] == "" {
		return fmt.Errorf("cell type %d is none of VTK that is known here", cell)
	}
	return fmt.Errorf("cell type %d, %s", cell, refusal(int(cell)))
}

// refusal returns the name of a cell type that is not read, and what to do.
func refusal(cell int) string {
	switch {
	case curvedCell(int64(cell)):
		return vtkRefused[cell] + ": no element of a volume; read its surface (ccd.read, ccd_surface_file_read)"
	case cell > 20 && cell < 41 || cell >= 60:
		return vtkRefused[cell] + ": " + onlyLinear
	}
	return vtkRefused[cell] + ", is not read; split such cells into tetrahedra, as ParaView's filter " +
		"Tetrahedralize does"
}

// variable reports whether cells of the type may have any number of corners.
func variable(cell int64) bool {
	return cell == vtkVertices || cell == vtkPolyline || cell == vtkStrip || cell == vtkPolygon || cell == vtkPolyhedron
}

// add appends an element given by its VTK cell type; it returns an error for other types. Polygons
// and strips become triangles.
func (c *Cells) add(cell int, corners []int32) error {
	if err := checkCell(int64(cell)); err != nil {
		return err
	}
	x, n := corners, len(corners)
	old := c.oldHexahedra && cell == vtkLagrangeHexahedron
	cell = ordinary(cell, n)
	switch {
	case curvedCell(int64(cell)):
		return c.addCurved(cell, corners, old)
	case cell == vtkVoxel && n == 8: // a hexahedron with the corners in the order of a grid
		cell, corners = int(mesh.Hexahedron), []int32{x[0], x[1], x[3], x[2], x[4], x[5], x[7], x[6]}
	case cell == vtkPixel && n == 4:
		cell, corners = int(mesh.Quadrilateral), []int32{x[0], x[1], x[3], x[2]}
	case cell == vtkLine && n == 2, cell == vtkPolyline && n > 1:
		for i := range n - 1 {
			c.lines = append(c.lines, [2]int32(corners[i:]))
		}
		return nil
	case cell == vtkVertex && n == 1, cell == vtkVertices:
		c.points = append(c.points, corners...)
		return nil
	case cell == vtkPolygon && n > 2:
		return c.addPolygon(corners)
	case cell == vtkStrip && n > 2:
		for i := range n - 2 {
			c.addTriangle(x[i+i%2], x[i+1-i%2], x[i+2])
		}
		return nil
	}
	k := mesh.Element(cell)
	if k.Corners() == 0 {
		return fmt.Errorf("cell type %d with %d corners", cell, n)
	}
	if k.Corners() != n {
		return fmt.Errorf("a %v of %d corners", k, n)
	}
	c.Kinds = append(c.Kinds, k)
	c.Corners = append(c.Corners, corners...)
	return nil
}

func (c *Cells) addTriangle(a, b, d int32) {
	c.Kinds = append(c.Kinds, mesh.Triangle)
	c.Corners = append(c.Corners, a, b, d)
}

// addPolygon cuts a polygon into triangles.
func (c *Cells) addPolygon(corners []int32) error {
	s := Surface{Vertices: c.Vertices}
	faces, err := s.cut(nil, corners)
	if err != nil {
		return err
	}
	c.leave(crossedPolygons, s.count(crossedPolygons))
	for _, f := range faces {
		if f[0] != f[1] && f[1] != f[2] && f[2] != f[0] {
			c.addTriangle(f[0], f[1], f[2])
		} else {
			c.leave(facesRepeating, 1)
		}
	}
	return nil
}
