package meshfile

import (
	"bytes"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Cells is the content of a file of elements: coordinates, and the elements in the order and with
// the corners of VTK.
type Cells struct {
	Vertices []float64 // n x 3
	Kinds    []mesh.Element
	Corners  []int32

	Beside

	curved curvedCells
	lines  [][2]int32 // cells of one dimension, of which a surface makes edges
	points []int32    // vertices that cells of no dimension name

	refused error // A cell is of order 3 or more: this is the error of surfaces and volumes.
	pending bool  // The cell that was added last is one.

	oldHexahedra bool // Lagrange hexahedra have two of their sides in another order, as before VTK 9.
}

// ReadCells reads a file of elements: VTK's legacy format and its XML (.vtu), Gmsh (.msh, versions
// 2 and 4), MEDIT (.mesh, .meshb); the content determines the format. Errors are of the kind
// status.ErrFile and name the path and the position. Cells of less than two dimensions, elements
// given twice and ghost cells are left out, and counted.
func ReadCells(path string) (*Cells, error) {
	return DecodeFile(path, DecodeCells)
}

// DecodeCells is ReadCells for the content of a file.
func DecodeCells(data []byte) (*Cells, error) {
	c, err := decodeCells(data)
	if err == nil {
		err = c.refuseCurved()
	}
	if err != nil {
		return nil, err
	}
	c.clean()
	return c, nil
}

func decodeCells(data []byte) (*Cells, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	read := cellReader(data)
	switch {
	case len(data) == 0:
		return nil, status.Errorf(status.ErrFile, "the file is empty")
	case foreign(data) != nil:
		return nil, foreign(data)
	case read == nil:
		return nil, status.Errorf(status.ErrFile, "line 1: no file of elements that is read here: it begins with %s; "+
			"VTK, Gmsh and MEDIT files hold elements, OBJ, PLY, STL and OFF files triangles alone",
			Shown(firstWord(data)))
	}
	return read(data)
}

// cellReader returns the reader of a file of elements by its content, or nil for another format.
func cellReader(data []byte) func(data []byte) (*Cells, error) {
	first := firstWord(data)
	switch {
	case bytes.HasPrefix(data, []byte("# vtk DataFile")):
		return readVTK
	case packedMEDIT(data) != nil:
		return readPackedMEDIT
	case bytes.HasPrefix(first, []byte("<?xml")), bytes.HasPrefix(first, []byte("<VTKFile")):
		return readVTU
	case bytes.EqualFold(first, []byte("MeshVersionFormatted")):
		return readMEDIT
	case bytes.HasPrefix(first, []byte("$")):
		return readMSH
	}
	return nil
}

// HoldsElements reports whether a file is of a format of elements, by its first bytes.
func HoldsElements(data []byte) bool {
	return len(data) > 0 && foreign(data) == nil && cellReader(data) != nil
}

// Volume returns the topology of the cells.
func (c *Cells) Volume() (*mesh.Volume, error) {
	return mesh.NewVolume(len(c.Vertices)/3, c.Kinds, c.Corners)
}

// surface returns the shells among the cells, with quadrilaterals split as fans, and the lines.
// Where there are no shells, but solids of order 2 or polyhedra, which are no elements, it is the
// boundary of all solids.
func (c *Cells) surface() (*Surface, error) {
	if c.refused != nil {
		return nil, c.refused
	}
	s := &Surface{Vertices: c.Vertices, Edges: c.lines, Beside: c.Beside, points: c.points}
	at, solids := 0, 0
	for _, k := range c.Kinds {
		corners := c.Corners[at : at+k.Corners()]
		at += len(corners)
		if k.Shell() {
			if err := s.polygon(corners); err != nil {
				return nil, err
			}
		} else {
			solids++
		}
	}
	flat := flattened{to: s}
	curved, err := flat.curvedShells(&c.curved)
	if err != nil {
		return nil, err
	}
	if curved > 0 && len(s.Faces) == 0 {
		if err := flat.boundary(c); err != nil {
			return nil, err
		}
		s.note("%d cells with an inside have no surface of their own: their boundary is read.", solids+curved)
		solids, curved = 0, 0
	}
	if flat.bent > 0 {
		s.note("%d faces and lines of order 2 are flat between their nodes here.", flat.bent)
	}
	if solids > 0 && len(s.Faces) == 0 {
		return nil, status.Errorf(status.ErrFile,
			"a volume, of %d elements, without triangles or quadrilaterals of its own: it is no surface; "+
				"read it as a volume (ccd.volume.read, ccd_cells_read, ccd volume), or write its boundary as "+
				"triangles",
			solids)
	}
	s.leave(solidElements, solids+curved)
	return s, nil
}
