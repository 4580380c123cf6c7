package meshfile

import (
	"encoding/binary"
	"fmt"
	"strings"

	"ccd/core/mesh"
)

// medit is a file of MEDIT being read: .mesh is text, .meshb packed. Both are sections: a keyword,
// or its number, and a count.
type medit struct {
	source
	version   int64
	dimension int64
	c         *Cells
	found     bool // some vertices
	bent      bool // Some elements are of order 2.

	ordered string // a section that gives the nodes of elements of order 2 another order
}

// meditElements are the sections with elements: the number of corners, and the cell type of VTK,
// whose corners are in the same order. Edges are lines of a surface.
var meditElements = map[string]struct {
	corners int
	kind    mesh.Element
}{
	"triangles": {3, mesh.Triangle}, "quadrilaterals": {4, mesh.Quadrilateral}, "tetrahedra": {4, mesh.Tetrahedron},
	"hexahedra": {8, mesh.Hexahedron}, "hexaedra": {8, mesh.Hexahedron},
	"prisms": {6, mesh.Prism}, "pentahedra": {6, mesh.Prism}, "pyramids": {5, mesh.Pyramid},
}

// meditNumbers are the keywords of packed files (libMeshb's GmfKwdCod); others are passed over.
var meditNumbers = map[int64]string{
	3: "dimension", 4: "vertices", 5: "edges", 6: "triangles", 7: "quadrilaterals", 8: "tetrahedra", 9: "prisms",
	10: "hexahedra",
	24: "trianglesp2", 25: "edgesp2", 27: "quadrilateralsq2", 30: "tetrahedrap2", 33: "hexahedraq2", 46: "polyhedra",
	47: "polygons", 49: "pyramids",
	54: "end", 86: "prismsp2", 87: "pyramidsp2", 88: "quadrilateralsq3", 89: "quadrilateralsq4", 90: "trianglesp3",
	91: "trianglesp4", 92: "edgesp3",
	93: "edgesp4", 96: "tetrahedrap3", 97: "tetrahedrap4", 98: "hexahedraq3", 99: "hexahedraq4", 100: "pyramidsp3",
	101: "pyramidsp4", 102: "prismsp3",
	103: "prismsp4",
}

// meditRefused are the other sections with elements.
var meditRefused = map[string]bool{
	"polygons": true, "polyhedra": true, "boundarypolygonheaders": true, "innerpolygonheaders": true,
	"polyhedraheaders": true, "prisms9": true,
	"hexahedra12": true, "quadrilaterals6": true,
}

// meditCurved are the sections with elements of order 2: the number of nodes, and the cell type of
// VTK, whose nodes are in the same order.
var meditCurved = map[string][2]int{
	"edgesp2": {3, vtkQuadraticEdge}, "trianglesp2": {6, 22}, "quadrilateralsq2": {9, 28}, "tetrahedrap2": {10, 24},
}

// higherOrder reports whether a keyword is that of elements of higher order: those of order 1 and
// their order, as TetrahedraP2 and HexahedraQ3.
func higherOrder(key string) bool {
	n := len(key)
	if n < 3 || key[n-1] < '2' || key[n-1] > '9' || key[n-2] != 'p' && key[n-2] != 'q' {
		return false
	}
	_, element := meditElements[key[:n-2]]
	return element || key[:n-2] == "edges"
}

// packedMEDIT returns the order of bytes of a packed file: its first number is 1, its second the
// version. nil for any other file.
func packedMEDIT(data []byte) binary.ByteOrder {
	if len(data) < 8 {
		return nil
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if v := order.Uint32(data[4:]); order.Uint32(data) == 1 && v >= 1 && v <= 4 {
			return order
		}
	}
	return nil
}

// readMEDIT reads a file in text.
func readMEDIT(data []byte) (*Cells, error) {
	m := &medit{source: source{data: data, remark: '#'}, dimension: 3, c: new(Cells)}
	for {
		w := m.word()
		key := strings.ToLower(string(w))
		var err error
		switch {
		case key == "end" || key == "":
			if !m.found {
				return nil, m.fail("the file ends here, without Vertices")
			}
			return m.c, nil
		case key == "meshversionformatted":
			m.version, err = m.integer(0, "the version")
		case key == "dimension":
			err = m.readDimension()
		case key[0] >= 'a' && key[0] <= 'z':
			err = m.section(key) // This section means nothing here, so its numbers are passed over.
		case strings.IndexByte("+-.0123456789", key[0]) < 0:
			err = m.fail("%s: neither a keyword nor a number", shown(w))
		}
		if err != nil {
			return nil, err
		}
	}
}

func (m *medit) readDimension() (err error) {
	if m.dimension, err = m.integer(4, "the dimension"); err == nil && m.dimension != 2 && m.dimension != 3 {
		err = m.fail("dimension %d: 2 or 3 are read", m.dimension)
	}
	return err
}

// readPackedMEDIT reads a packed file, section by section: each begins with the place of the next
// one.
func readPackedMEDIT(data []byte) (*Cells, error) {
	m := &medit{source: source{data: data, at: 4, order: packedMEDIT(data)}, dimension: 3, c: new(Cells)}
	m.version, _ = m.integer(4, "the version")
	place := 4
	if m.version >= 3 {
		place = 8
	}
	for {
		number, err := m.integer(4, "a keyword")
		if err != nil {
			return nil, err
		}
		key := meditNumbers[number]
		if key == "end" {
			if !m.found {
				return nil, m.fail("the file ends here, without Vertices")
			}
			return m.c, nil
		}
		next, err := m.integer(place, "the place of a section")
		if err != nil {
			return nil, err
		}
		switch {
		case next < int64(m.at) || next > int64(len(data)):
			err = m.fail("the next section begins at byte %d, of %d", next, len(data))
		case key == "dimension":
			err = m.readDimension()
		case key != "":
			err = m.section(key)
		}
		if err != nil {
			return nil, err
		}
		if int64(m.at) > next {
			return nil, m.fail("the section %s goes beyond the next one's place, %d", key, next)
		}
		m.at = int(next)
	}
}

// sizes of a packed file's counts and indices, and of its coordinates.
func (m *medit) sizes() (integer, real int) {
	integer, real = 4, 8
	if m.version == 4 {
		integer = 8
	}
	if m.version == 1 {
		real = 4
	}
	return integer, real
}

func (m *medit) section(key string) error {
	integer, real := m.sizes()
	if key == "vertices" {
		if m.found {
			return m.fail("Vertices a second time")
		}
		m.found = true
		return m.vertices(integer, real)
	}
	e, ok := meditElements[key]
	switch {
	case key == "edges":
		return m.edges(integer)
	case m.order == nil && meditCurved[key] != [2]int{}:
		return m.curved(key, integer)
	case strings.HasSuffix(key, "ordering") && meditCurved[strings.TrimSuffix(key, "ordering")] != [2]int{}:
		m.ordered = key
		return m.refuseOrder()
	case higherOrder(key):
		n, err := m.count(integer, 1, "the number of "+key)
		if err == nil && n > 0 {
			err = m.fail(
				"%d %s, elements of higher order: only linear elements are read; save the mesh with elements of "+
					"order 1 (in Gmsh: -order 1)", n, key)
		}
		return err
	case meditRefused[key]:
		n, err := m.count(integer, 1, "the number of "+key)
		if err == nil && n > 0 {
			err = m.fail("%d %s, which are not read: split them into triangles and tetrahedra", n, key)
		}
		return err
	case !ok:
		return nil
	}
	n, err := m.count(integer, e.corners, "the number of "+key)
	if err != nil {
		return err
	}
	var corners [mesh.MostCorners]int32
	for i := range n {
		for j := range e.corners {
			x, err := m.integer(integer, "a vertex")
			if err != nil {
				return err
			}
			if x < 1 || x > int64(len(m.c.Vertices)/3) {
				return m.fail("%s %d: its corner %d is %d: out of range for %d vertices, the first of which is 1",
					key, i+1, j, x, len(m.c.Vertices)/3)
			}
			corners[j] = int32(x - 1)
		}
		if _, err := m.integer(integer, fmt.Sprintf("the reference of %s %d", key, i+1)); err != nil {
			return err
		}
		m.c.Kinds = append(m.c.Kinds, e.kind)
		m.c.Corners = append(m.c.Corners, corners[:e.corners]...)
	}
	return nil
}

// refuseOrder returns an error if a section gives the nodes of elements of order 2 another order.
func (m *medit) refuseOrder() error {
	if m.bent && m.ordered != "" {
		return m.fail("%s, an order of nodes of one's own, is not read: save the mesh without it", m.ordered)
	}
	return nil
}

// curved reads a section with elements of order 2.
func (m *medit) curved(key string, integer int) error {
	count, kind := meditCurved[key][0], meditCurved[key][1]
	n, err := m.count(integer, count, "the number of "+key)
	if err != nil {
		return err
	}
	m.bent = m.bent || n > 0
	if err := m.refuseOrder(); err != nil {
		return err
	}
	nodes := make([]int32, count)
	for i := range n {
		for j := range nodes {
			x, err := m.integer(integer, "a vertex")
			if err != nil {
				return err
			}
			if x < 1 || x > int64(len(m.c.Vertices)/3) {
				return m.fail("%s %d: its node %d is %d: out of range for %d vertices, the first of which is 1",
					key, i+1, j, x, len(m.c.Vertices)/3)
			}
			nodes[j] = int32(x - 1)
		}
		if _, err := m.integer(integer, fmt.Sprintf("the reference of %s %d", key, i+1)); err != nil {
			return err
		}
		if err := m.c.add(kind, nodes); err != nil {
			return m.fail("%s %d: %v", key, i+1, err)
		}
	}
	return nil
}

func (m *medit) vertices(integer, real int) error {
	n, err := m.count(integer, 2*int(m.dimension), "the number of vertices")
	if err != nil {
		return err
	}
	for i := range n {
		for k := range int64(3) {
			x := 0.0
			if k < m.dimension {
				if x, err = m.real(real, fmt.Sprintf("a coordinate of vertex %d", i+1)); err != nil {
					return err
				}
			}
			m.c.Vertices = append(m.c.Vertices, x)
		}
		if _, err := m.integer(integer, fmt.Sprintf("the reference of vertex %d", i+1)); err != nil {
			return err
		}
	}
	return nil
}

// edges reads the lines of a surface.
func (m *medit) edges(integer int) error {
	n, err := m.count(integer, 2, "the number of edges")
	if err != nil {
		return err
	}
	for i := range n {
		var e [2]int32
		for j := range e {
			x, err := m.integer(integer, "a vertex")
			if err != nil {
				return err
			}
			if x < 1 || x > int64(len(m.c.Vertices)/3) {
				return m.fail("edges %d: its end %d is %d: out of range for %d vertices, the first of which is 1",
					i+1, j, x, len(m.c.Vertices)/3)
			}
			e[j] = int32(x - 1)
		}
		if _, err := m.integer(integer, fmt.Sprintf("the reference of edges %d", i+1)); err != nil {
			return err
		}
		m.c.lines = append(m.c.lines, e)
	}
	return nil
}
