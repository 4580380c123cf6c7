package meshfile

import (
	"bytes"
	"ccd/core/mesh"
	"ccd/core/status"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
)

// vtk walks over a legacy VTK file, in text or big-endian binary.
type vtk struct {
	text
	binary  bool
	numbers []byte // what is left of the line that numbers are taken from

	polydata, placed bool // polygonal data; its points are read
	lists            []cellList
	types            []int64
	ghosts           []float64 // marks of the cells, as many as there are, or nil
	cellAt           int       // the number of the next cell, over all lists
}

// readVTK reads an unstructured grid or polygonal data of the legacy format, with the cells of
// either version (up to 4.2: counts and vertices; from 5.0 on: offsets and vertices). What follows
// the cells is data on them: data at the points become fields.
func readVTK(data []byte) (*Cells, error) {
	t := &vtk{text: text{rest: data}}
	header, _ := t.next()
	t.next() // the title
	line, _ := t.next()
	switch format := strings.ToUpper(string(word(&line))); format {
	case "ASCII":
	case "BINARY":
		t.binary = true
	default:
		return nil, t.fail("%s: neither ASCII nor BINARY", shown(format))
	}
	_, version, _ := strings.Cut(string(header), "Version")
	c := &Cells{oldHexahedra: !laterVersion(version)}
	if err := t.geometry(c); err != nil {
		return nil, err
	}
	for _, l := range t.lists {
		if t.polydata {
			t.types = slices.Repeat([]int64{l.cell}, max(0, l.n))
		}
		add := t.byCounts
		if l.offsets {
			add = t.byOffsets
		}
		if err := add(c, l.list, t.types); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// laterVersion reports whether a file is of version 5.1 or later.
func laterVersion(version string) bool {
	v, err := strconv.ParseFloat(strings.TrimSpace(version), 64)
	return err == nil && v >= 5.1
}

// cellList is one list of cells: those of a grid, or those of one type of polygonal data.
type cellList struct {
	list    []int64
	n       int // cells
	offsets bool
	cell    int64 // their type; in a grid each has its own
}

// polyLists are the lists of polygonal data, and the types of their cells.
var polyLists = map[string]int64{"VERTICES": vtkVertices, "LINES": vtkPolyline, "POLYGONS": vtkPolygon,
	"TRIANGLE_STRIPS": vtkStrip}

// geometry reads the points and the lists of cells, and the data that follow.
func (t *vtk) geometry(c *Cells) error {
	for {
		before := t.text
		line, ok := t.nextWords(0)
		if !ok {
			if t.complete() {
				return nil
			}
			return t.truncated("POINTS, CELLS and CELL_TYPES")
		}
		key := strings.ToUpper(string(word(&line)))
		if t.complete() && polyLists[key] == 0 {
			t.text = before
			t.data(c)
			return nil
		}
		if err := t.section(c, key, line); err != nil {
			return err
		}
	}
}

// complete reports whether the sections that a file must have are read.
func (t *vtk) complete() bool {
	if t.polydata {
		return t.placed
	}
	return t.types != nil && len(t.lists) > 0
}

// section reads a section of the geometry.
func (t *vtk) section(c *Cells, key string, line []byte) (err error) {
	cell, poly := polyLists[key]
	switch {
	case key == "DATASET":
		what := string(word(&line))
		t.polydata = strings.EqualFold(what, "POLYDATA")
		if !t.polydata && !strings.EqualFold(what, "UNSTRUCTURED_GRID") {
			return t.fail(
				"DATASET %s: only UNSTRUCTURED_GRID and POLYDATA are read; write it as one of them, as ParaView's "+
					"Save Data does after the filter Extract Surface", shown(what))
		}
	case key == "POINTS":
		t.placed = true
		return t.points(&line, c)
	case key == "CELLS" && !t.polydata, poly && t.polydata:
		l := cellList{cell: cell}
		l.list, l.n, l.offsets, err = t.cells(&line)
		t.lists = append(t.lists, l)
		if len(t.lists) > len(polyLists) {
			return t.fail("%s a second time", shown(key))
		}
	case key == "CELL_TYPES" && !t.polydata:
		t.types, err = t.sized(&line, "the number of cell types", 1, "int")
	case key == "METADATA":
		t.metadata()
	case key == "FIELD":
		_, err = t.fieldData(&line, nil)
	default:
		return t.fail("%s: not POINTS, CELLS or CELL_TYPES", shown(key))
	}
	return err
}

// metadata skips a section up to its empty line.
func (t *vtk) metadata() {
	for l, ok := t.next(); ok && len(bytes.TrimSpace(l)) > 0; l, ok = t.next() {
	}
}

func (t *vtk) points(line *[]byte, c *Cells) error {
	n, err := t.integer(line, "the number of points")
	if err != nil {
		return err
	}
	kind := string(word(line))
	if n < 0 || n > math.MaxInt32 || n > len(t.rest) { // a coordinate takes a byte at least
		return t.fail("%d points", n)
	}
	c.Vertices = make([]float64, 3*n)
	for i := range c.Vertices {
		x, err := t.float(kind)
		if err != nil {
			return err
		}
		c.Vertices[i] = x
	}
	t.endOfList()
	return nil
}

// cells reads the list of cells. Old files: for every cell a count and its vertices. New files: two
// lists, which follow here one after the other, the number of offsets before them.
func (t *vtk) cells(line *[]byte) (list []int64, cells int, offsets bool, err error) {
	n, err := t.integer(line, "the number of cells")
	if err != nil {
		return nil, 0, false, err
	}
	size, err := t.integer(line, "the size of the list of cells")
	if err != nil {
		return nil, 0, false, err
	}
	if n < 0 || n > len(t.rest) {
		return nil, 0, false, t.fail("%d cells", n)
	}
	after := t.text
	next, ok := t.nextWords(0)
	if !ok || !strings.EqualFold(string(word(&next)), "OFFSETS") {
		t.text = after
		list, err = t.integers(size, "int")
		return list, n, false, err
	}
	list = []int64{int64(n)}
	for i, count := range []int{n, size} {
		if i == 1 {
			if next, ok = t.nextWords(0); !ok || !strings.EqualFold(string(word(&next)), "CONNECTIVITY") {
				return nil, 0, false, t.fail("CONNECTIVITY is missing")
			}
		}
		part, err := t.integers(count, string(word(&next)))
		if err != nil {
			return nil, 0, false, err
		}
		list = append(list, part...)
	}
	return list, max(0, n-1), true, nil
}

// sized reads a count off a line, and after it that many times per integers.
func (t *vtk) sized(line *[]byte, name string, per int, kind string) ([]int64, error) {
	n, err := t.integer(line, name)
	if err != nil {
		return nil, err
	}
	return t.integers(n*per, kind)
}

func (t *vtk) integers(n int, kind string) ([]int64, error) {
	if n < 0 || n > len(t.rest) {
		return nil, t.fail("%d numbers", n)
	}
	list := make([]int64, n)
	for i := range list {
		x, err := t.int(kind)
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	t.endOfList()
	return list, nil
}

// byCounts adds the cells of an old file.
func (t *vtk) byCounts(c *Cells, list, types []int64) error {
	for i, kind := range types {
		if len(list) == 0 || list[0] < 0 || list[0] >= int64(len(list)) {
			return status.Errorf(status.ErrFile, "CELLS ends within cell %d", i)
		}
		n := list[0]
		if err := t.cell(c, i, kind, list[1:1+n]); err != nil {
			return err
		}
		list = list[1+n:]
	}
	if len(list) > 0 {
		return status.Errorf(status.ErrFile, "CELLS has more cells than CELL_TYPES")
	}
	return nil
}

// byOffsets adds the cells of a new file: list is the number of offsets, the offsets, and the
// vertices.
func (t *vtk) byOffsets(c *Cells, list, types []int64) error {
	n := int(list[0])
	offsets, vertices := list[1:1+n], list[1+n:]
	if n != len(types)+1 {
		return status.Errorf(status.ErrFile, "CELLS has %d offsets, CELL_TYPES %d types", n, len(types))
	}
	for i, kind := range types {
		from, to := offsets[i], offsets[i+1]
		if from < 0 || to < from || to > int64(len(vertices)) {
			return status.Errorf(status.ErrFile, "the offsets of cell %d are %d and %d, of %d vertices",
				i, from, to, len(vertices))
		}
		if err := t.cell(c, i, kind, vertices[from:to]); err != nil {
			return err
		}
	}
	return nil
}

// cell adds the i-th cell of a list, unless it is a ghost.
func (t *vtk) cell(c *Cells, i int, kind int64, vertices []int64) error {
	if err := checkCell(kind); err != nil {
		return status.Errorf(status.ErrFile, "cell %d: %v", i, err)
	}
	at := t.cellAt
	t.cellAt++
	corners := make([]int32, len(vertices), max(len(vertices), mesh.MostCorners))
	for j, x := range vertices {
		if kind == vtkPolyhedron && x >= 0 && x <= math.MaxInt32 { // among counts of faces and corners
			corners[j] = int32(x)
			continue
		}
		if x < 0 || x >= int64(len(c.Vertices)/3) {
			return status.Errorf(status.ErrFile, "cell %d: its corner %d is %d: out of range for %d points",
				i, j, x, len(c.Vertices)/3)
		}
		corners[j] = int32(x)
	}
	if at < len(t.ghosts) && c.ghost(int64(t.ghosts[at])) {
		return nil
	}
	if err := c.add(int(kind), corners); err != nil {
		if err = status.Errorf(status.ErrFile, "cell %d: %v", i, err); !c.postpone(err) {
			return err
		}
	}
	return nil
}

// token returns the next word of a list, which runs over lines.
func (t *vtk) token() ([]byte, error) {
	for {
		if w := word(&t.numbers); len(w) > 0 {
			return w, nil
		}
		line, ok := t.next()
		if !ok {
			return nil, t.truncated("the end of a list of numbers")
		}
		t.numbers = line
	}
}

// endOfList leaves the line that the last number stands on.
func (t *vtk) endOfList() { t.numbers = nil }

func (t *vtk) float(kind string) (float64, error) {
	if !t.binary {
		w, err := t.token()
		if err != nil {
			return 0, err
		}
		return t.coordinate(&w, "a coordinate")
	}
	var x float64
	switch strings.ToLower(kind) {
	case "float":
		b, err := t.bytes(4)
		if err != nil {
			return 0, err
		}
		x = float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	case "double":
		b, err := t.bytes(8)
		if err != nil {
			return 0, err
		}
		x = math.Float64frombits(binary.BigEndian.Uint64(b))
	default:
		return 0, t.fail("points of type %s", shown(kind))
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, t.fail("a coordinate is %v", x)
	}
	return x, nil
}

func (t *vtk) int(kind string) (int64, error) {
	if !t.binary {
		w, err := t.token()
		if err != nil {
			return 0, err
		}
		n, err := strconv.ParseInt(string(w), 10, 64)
		if err != nil {
			return 0, t.fail("%s: not an integer", shown(w))
		}
		return n, nil
	}
	switch strings.ToLower(kind) {
	case "int", "vtkidtype": // VTK writes its own type as int, whatever its size in memory
		b, err := t.bytes(4)
		if err != nil {
			return 0, err
		}
		return int64(int32(binary.BigEndian.Uint32(b))), nil
	case "vtktypeint64", "long":
		b, err := t.bytes(8)
		if err != nil {
			return 0, err
		}
		return int64(binary.BigEndian.Uint64(b)), nil
	}
	return 0, t.fail("integers of type %s", shown(kind))
}

func (t *vtk) bytes(n int) ([]byte, error) {
	if len(t.rest) < n {
		return nil, status.Errorf(status.ErrFile, "the file ends within a list of numbers")
	}
	b := t.rest[:n]
	t.rest = t.rest[n:]
	return b, nil
}
