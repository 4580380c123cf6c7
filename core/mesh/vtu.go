package mesh

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

// vtu is an unstructured grid in VTK's XML being read: first its outline and where the arrays stand, then the arrays.
type vtu struct {
	data     []byte
	xml      *xml.Decoder
	order    binary.ByteOrder
	header   int  // bytes of a number before a block of packed data
	zlib     bool // packed data is compressed
	pieces   []piece
	appended []byte // what follows the underscore
	base64   bool   // of what is appended
	taken    int    // bytes of the file that arrays were read from, so far
	unzip    io.ReadCloser
}

// piece is a part of the grid with vertices of its own.
type piece struct {
	points, cells                        int
	place, connectivity, offsets, kindOf *array
}

// array is one DataArray.
type array struct {
	kind, format string
	text         []byte // where it is not appended
	offset       int    // where it is
	line         int
}

// readVTU reads an unstructured grid: arrays in text, in base64, or appended as they are or in base64; compressed by zlib or not.
// The pieces follow one another. Fields on points and cells are left alone.
//
// A compressed array unpacks to what its Piece has room for, points and cells: that is compared before anything is unpacked, and with what
// zlib can do. It is the only memory of which a small file can declare much: up to mostExpansion times its size.
func readVTU(data []byte) (*Cells, error) {
	v := &vtu{data: data, xml: xml.NewDecoder(bytes.NewReader(data)), order: binary.LittleEndian, header: 4}
	v.xml.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // tags and numbers are ASCII in all
	if err := v.outline(); err != nil {
		return nil, err
	}
	if len(v.pieces) == 0 {
		return nil, v.fail("no Piece of an UnstructuredGrid")
	}
	c := new(Cells)
	for i := range v.pieces {
		if err := v.piece(c, &v.pieces[i]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// notXML is what is wrong with the file as XML. The decoder's own words may quote it.
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

// attribute is the value of an attribute, or what it is where it is not given.
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
		case "UnstructuredGrid":
		case "Piece":
			err = v.begin(&e)
		case "Points", "Cells":
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
	if kind := attribute(e, "type", ""); kind != "UnstructuredGrid" {
		return v.fail("a VTKFile of type %s: only UnstructuredGrid is read", shown(kind))
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
	case "vtkZLibDataCompressor":
		v.zlib = true
	default:
		return v.fail("compressor %s: only vtkZLibDataCompressor is read", shown(how))
	}
	return nil
}

func (v *vtu) begin(e *xml.StartElement) error {
	var p piece
	for name, to := range map[string]*int{"NumberOfPoints": &p.points, "NumberOfCells": &p.cells} {
		n, err := strconv.Atoi(strings.TrimSpace(attribute(e, name, "")))
		if err != nil || n < 0 || n > math.MaxInt32/3 {
			return v.fail("a Piece whose %s is %s", name, shown(attribute(e, name, "")))
		}
		*to = n
	}
	v.pieces = append(v.pieces, p)
	return nil
}

// array notes a DataArray within Points or Cells.
func (v *vtu) array(e *xml.StartElement, within string) error {
	if within == "" {
		return v.fail("a DataArray outside Points and Cells")
	}
	line, _ := v.xml.InputPos()
	a := &array{kind: attribute(e, "type", ""), format: attribute(e, "format", "ascii"), line: line}
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
	p := &v.pieces[len(v.pieces)-1]
	name := attribute(e, "Name", "")
	switch {
	case within == "Points":
		if n := attribute(e, "NumberOfComponents", ""); n != "3" {
			return a.fail("points of %s components, not 3", shown(n))
		}
		p.place = a
	case name == "connectivity":
		p.connectivity = a
	case name == "offsets":
		p.offsets = a
	case name == "types":
		p.kindOf = a
	}
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
	for name, a := range map[string]*array{"Points": p.place, "connectivity": p.connectivity, "offsets": p.offsets, "types": p.kindOf} {
		if a == nil && (p.cells > 0 || name == "Points") {
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
	return v.cells(c, p, first)
}

func (v *vtu) cells(c *Cells, p *piece, first int) error {
	var list [3][]int64
	for i, a := range []*array{p.connectivity, p.offsets, p.kindOf} {
		count := p.cells
		if i == 0 {
			count *= MostCorners
		}
		x, err := v.numbers(a, count, i == 0)
		if err != nil {
			return err
		}
		if x.reals != nil {
			return a.fail("%s numbers, where integers are expected", a.kind)
		}
		list[i] = x.integers
	}
	from := int64(0)
	for i, to := range list[1] {
		if to < from || to > int64(len(list[0])) {
			return p.offsets.fail("cell %d has the vertices from %d to %d, of %d", i, from, to, len(list[0]))
		}
		if to-from > MostCorners {
			return status.Errorf(status.ErrFile, "cell %d: %d corners", i, to-from)
		}
		var corners [MostCorners]int32
		for j, x := range list[0][from:to] {
			if x < 0 || x >= int64(p.points) {
				return status.Errorf(status.ErrFile, "cell %d: its corner %d is %d: out of range for %d points", i, j, x, p.points)
			}
			corners[j] = int32(first) + int32(x)
		}
		if err := c.add(int(list[2][i]), corners[:to-from]); err != nil {
			return status.Errorf(status.ErrFile, "cell %d: %v", i, err)
		}
		from = to
	}
	return nil
}
