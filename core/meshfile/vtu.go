package meshfile

import (
	"bytes"
	"ccd/core/status"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// vtu is an unstructured grid or polygonal data in VTK's XML being read: first its outline and
// where the arrays stand, then the arrays.
type vtu struct {
	data     []byte
	xml      *xml.Decoder
	order    binary.ByteOrder
	header   int     // bytes of a number before a block of packed data
	packer   *packer // the compressor of packed data, or nil
	pieces   []piece
	appended []byte // what follows the underscore
	base64   bool   // base64 says how the appended data is encoded.
	taken    int    // bytes of the file that arrays were read from, so far
	unzip    io.ReadCloser
	polydata bool
	old      bool // The file is of a version below 2.1.
}

// piece is a part of the grid with vertices of its own.
type piece struct {
	points, cells                        int
	place, connectivity, offsets, kindOf *array
	ghosts                               *array // a number for each cell, see ghostBits
	polyhedra                            map[string]*array
	lists                                []polyList // Polygonal data has them in place of the arrays of cells.
	fields                               []*array   // data at the points
}

// array is one DataArray.
type array struct {
	name, kind, format string
	components         int
	text               []byte // where it is not appended
	offset             int    // where it is
	line               int
}

// readVTU reads an unstructured grid or polygonal data: arrays in text, in base64, or appended as
// they are or in base64; compressed by zlib, LZ4, LZMA or not. The pieces follow one another. Data
// at the points become fields; data of cells are left alone, but for marks of ghosts. A file of
// several time steps is refused: whatever step was read, a caller would take it for another.
//
// A compressed array unpacks to what its Piece has room for, points and cells: that is compared
// before anything is unpacked, and with what the compressor can do. It is the only memory of which
// a small file can declare much: up to unpack.ExpansionXZ times its size.
func readVTU(data []byte) (*Cells, error) {
	v := &vtu{data: data, xml: xml.NewDecoder(bytes.NewReader(data)), order: binary.LittleEndian, header: 4}
	// Tags and numbers are ASCII in all encodings that such files have.
	v.xml.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	if err := v.outline(); err != nil {
		return nil, err
	}
	if len(v.pieces) == 0 {
		return nil, v.fail("no Piece of an UnstructuredGrid or of PolyData")
	}
	c, pieces := &Cells{oldHexahedra: v.old}, 0
	for i := range v.pieces {
		if err := v.piece(c, &v.pieces[i]); err != nil {
			return nil, err
		}
		pieces += min(v.pieces[i].points, 1)
	}
	v.fields(c)
	if n := copies(c.Vertices, pieces > 1); n > 0 {
		c.note("The file has %d pieces with points of their own, %d of them at the place of another: weld them.",
			pieces, n)
	}
	return c, nil
}

// notXML returns what is wrong with the file as XML. The decoder's own words may quote it.
func notXML(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case !errors.As(err, &syntax):
		return status.Errorf(status.ErrFile, "not well-formed XML")
	case syntax.Msg == "unexpected EOF":
		return status.Errorf(status.ErrFile, "line %d: the file ends within an element (unexpected EOF)", syntax.Line)
	}
	return status.Errorf(status.ErrFile, "line %d: not well-formed XML", syntax.Line)
}

func (v *vtu) fail(format string, args ...any) error {
	line, _ := v.xml.InputPos()
	return status.Errorf(status.ErrFile, "line "+strconv.Itoa(line)+": "+format, args...)
}

func (a *array) fail(format string, args ...any) error {
	return status.Errorf(status.ErrFile, "the DataArray in line "+strconv.Itoa(a.line)+": "+format, args...)
}

// attribute returns the value of an attribute, or what it is where it is not given.
func attribute(e *xml.StartElement, name, otherwise string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return otherwise
}

// outline walks over the tags.
func (v *vtu) outline() error {
	within := ""
	for {
		token, err := v.xml.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return notXML(err)
		}
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "VTKFile" {
			return nil
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch name := e.Name.Local; name {
		case "VTKFile":
			err = v.file(&e)
		case "UnstructuredGrid", "PolyData":
			err = v.timeSteps(attribute(&e, "TimeValues", ""))
		case "Piece":
			err = v.begin(&e)
		case "Points", "Cells", "PointData", "CellData", "Verts", "Lines", "Strips", "Polys":
			within = name
			if len(v.pieces) == 0 {
				err = v.fail("%s outside a Piece", name)
			}
		case "DataArray":
			err = v.array(&e, within)
		case "AppendedData":
			return v.append(&e)
		default: // fields and what else there may be
			if err = v.xml.Skip(); err != nil {
				err = notXML(err)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (v *vtu) file(e *xml.StartElement) error {
	kind := attribute(e, "type", "")
	v.old = oldVersion(attribute(e, "version", ""))
	if v.polydata = kind == "PolyData"; !v.polydata && kind != "UnstructuredGrid" {
		return v.fail("a VTKFile of type %s: only UnstructuredGrid and PolyData are read", shown(kind))
	}
	switch order := attribute(e, "byte_order", "LittleEndian"); order {
	case "LittleEndian":
	case "BigEndian":
		v.order = binary.BigEndian
	default:
		return v.fail("byte_order %s", shown(order))
	}
	switch header := attribute(e, "header_type", "UInt32"); header {
	case "UInt32":
	case "UInt64":
		v.header = 8
	default:
		return v.fail("header_type %s: only UInt32 and UInt64 are read", shown(header))
	}
	switch how := attribute(e, "compressor", ""); how {
	case "":
	default:
		if v.packer = packers[how]; v.packer == nil {
			return v.fail("compressor %s: vtkZLibDataCompressor, vtkLZ4DataCompressor and vtkLZMADataCompressor "+
				"are read", shown(how))
		}
	}
	return nil
}

// oldVersion reports whether the version of a file is below 2.1.
func oldVersion(version string) bool {
	major, minor, _ := strings.Cut(strings.TrimSpace(version), ".")
	a, _ := strconv.Atoi(major)
	b, _ := strconv.Atoi(minor)
	return a < 2 || a == 2 && b < 1
}

func (v *vtu) begin(e *xml.StartElement) error {
	var p piece
	counts := map[string]*int{"NumberOfPoints": &p.points, "NumberOfCells": &p.cells}
	if v.polydata {
		delete(counts, "NumberOfCells")
	}
	for name, to := range counts {
		// For lines pyevtk writes a number that ends in ".0".
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(attribute(e, name, "")), ".0"))
		if err != nil || n < 0 || n > math.MaxInt32/3 {
			return v.fail("a Piece whose %s is %s", name, shown(attribute(e, name, "")))
		}
		*to = n
	}
	if v.polydata {
		if err := v.beginLists(e, &p); err != nil {
			return err
		}
	}
	v.pieces = append(v.pieces, p)
	return nil
}

// timeSteps returns an error for a grid of several time steps.
func (v *vtu) timeSteps(values string) error {
	if n := len(strings.Fields(values)); n > 1 {
		return v.fail(
			"a file of %d time steps: only files of one are read; write each step to a file of its own, as "+
				"ParaView's Save Data does with Write Time Steps", n)
	}
	return nil
}

// Arrays of data that are read: all at points, and of cells the marks of ghosts.
func wantedData(within, name, kind string) bool {
	_, number := scalars[kind]
	return number && (within == "PointData" && name != "" && !isGhosts(name) || within == "CellData" && isGhosts(name))
}

func isGhosts(name string) bool { return name == "vtkGhostType" || name == "vtkGhostLevels" }

// array notes a DataArray within Points, Cells or the data on them.
func (v *vtu) array(e *xml.StartElement, within string) error {
	if within == "" {
		return v.fail("a DataArray outside Points and Cells")
	}
	line, _ := v.xml.InputPos()
	a := &array{name: attribute(e, "Name", ""), kind: attribute(e, "type", ""),
		format: attribute(e, "format", "ascii"), line: line}
	if data := strings.HasSuffix(within, "Data"); data && !wantedData(within, a.name, a.kind) {
		if err := v.xml.Skip(); err != nil {
			return notXML(err)
		}
		return nil
	}
	if a.format == "append" { // The package uvw writes this word.
		a.format = "appended"
	}
	var err error
	if a.components, err = strconv.Atoi(attribute(e, "NumberOfComponents", "1")); err != nil || a.components < 1 {
		a.components = 0 // refused where it matters
	}
	if a.format == "appended" {
		n, err := strconv.Atoi(attribute(e, "offset", ""))
		if err != nil || n < 0 {
			return a.fail("its offset is %s", shown(attribute(e, "offset", "")))
		}
		a.offset = n
	}
	for depth := 1; depth > 0; {
		token, err := v.xml.Token()
		if err != nil {
			return notXML(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 1 {
				a.text = append(a.text, x...)
			}
		}
	}
	return v.place(e, within, a)
}

// place puts an array where it belongs. Two in one place are of two time steps.
func (v *vtu) place(e *xml.StartElement, within string, a *array) error {
	p := &v.pieces[len(v.pieces)-1]
	var to **array
	list := p.list(within)
	switch {
	case list != nil && a.name == "connectivity":
		to = &list.connectivity
	case list != nil && a.name == "offsets":
		to = &list.offsets
	case list != nil:
		return nil
	case within == "Points":
		if n := attribute(e, "NumberOfComponents", ""); n != "3" {
			return a.fail("points of %s components, not 3", shown(n))
		}
		to = &p.place
	case within == "PointData":
		p.fields = append(p.fields, a)
		return nil
	case within == "CellData":
		to = &p.ghosts
	case a.name == "connectivity":
		to = &p.connectivity
	case a.name == "offsets":
		to = &p.offsets
	case a.name == "types":
		to = &p.kindOf
	case polyhedronArrays[a.name]:
		if p.polyhedra == nil {
			p.polyhedra = map[string]*array{}
		}
		if p.polyhedra[a.name] == nil {
			p.polyhedra[a.name] = a
		}
		return nil
	default:
		return nil
	}
	if *to != nil && within != "CellData" {
		return a.fail(
			"a second one of its kind in one Piece, as in files of several time steps: only files of one are read; " +
				"write each step to a file of its own")
	}
	*to = a
	return nil
}

// append notes what is appended. It ends the outline, for it is no XML.
func (v *vtu) append(e *xml.StartElement) error {
	switch how := attribute(e, "encoding", "base64"); how {
	case "base64":
		v.base64 = true
	case "raw":
	default:
		return v.fail("AppendedData in encoding %s: only raw and base64 are read", shown(how))
	}
	rest := bytes.TrimLeft(v.data[v.xml.InputOffset():], blanks+"\r\n")
	if len(rest) == 0 || rest[0] != '_' {
		return v.fail("AppendedData does not begin with an underscore")
	}
	v.appended = rest[1:]
	return nil
}

// piece reads the arrays of a piece and adds its vertices and cells.
func (v *vtu) piece(c *Cells, p *piece) error {
	if p.points == 0 && p.cells == 0 {
		return nil
	}
	for name, a := range map[string]*array{"Points": p.place, "connectivity": p.connectivity, "offsets": p.offsets,
		"types": p.kindOf} {
		if a == nil && (p.cells > 0 && !v.polydata || name == "Points") {
			return v.fail("a Piece without its %s", name)
		}
	}
	first := len(c.Vertices) / 3
	points, err := v.numbers(p.place, 3*p.points, false)
	if err != nil {
		return err
	}
	if len(points.reals) != 3*p.points {
		return p.place.fail("%s numbers, where coordinates are expected", p.place.kind)
	}
	if len(c.Vertices)+len(points.reals) > math.MaxInt32 {
		return p.place.fail("more than %d vertices", math.MaxInt32/3)
	}
	for i, x := range points.reals {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return p.place.fail("a coordinate of point %d is %v: not finite", i/3, x)
		}
	}
	c.Vertices = append(c.Vertices, points.reals...)
	if p.cells == 0 {
		return nil
	}
	if v.polydata {
		return v.polyCells(c, p, first)
	}
	return v.cells(c, p, first)
}
