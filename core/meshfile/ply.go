package meshfile

import (
	"bytes"
	"ccd/core/status"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
)

// plyBody gives the values of the elements one after the other, from text or from bytes.
type plyBody interface {
	begin() error                          // begin begins a row.
	value(t plyScalar) (float64, error)    // every scalar type is exact in a double
	skip(t plyScalar, n int) error         // n values
	room(t plyScalar) int                  // so many values there are at most
	end() error                            // end ends a row.
	finish() error                         // finish ends the file, of which nothing must be left.
	fail(format string, args ...any) error // an error at this place
}

// plyReader fills the surface from the rows.
type plyReader struct {
	Surface
	body     plyBody
	vertices int // that the header promises
	row      struct {
		xyz     [3]float64
		ends    [2]int32
		corners []int32
	}
}

func readPLY(data []byte) (*Surface, error) {
	t := &text{rest: data}
	h, err := readPLYHeader(t)
	if err != nil {
		return nil, err
	}
	r := &plyReader{vertices: h.find("vertex").rows}
	if r.vertices > math.MaxInt32 {
		return nil, t.fail("%d vertices: more than %d", r.vertices, math.MaxInt32)
	}
	switch h.format {
	case "ascii":
		r.body = &plyText{text: t}
	case "binary_little_endian":
		r.body = &plyBytes{all: data, at: plyBodyAt(data, t), order: binary.LittleEndian}
	default:
		r.body = &plyBytes{all: data, at: plyBodyAt(data, t), order: binary.BigEndian}
	}
	for i := range h.elements {
		if err := r.readElement(&h.elements[i]); err != nil {
			return nil, err
		}
	}
	if err := r.body.finish(); err != nil {
		return nil, err
	}
	return &r.Surface, nil
}

// plyBodyAt returns where the bytes begin. When the lines of the header end with CR alone, a LF
// after the last is the first byte.
func plyBodyAt(data []byte, t *text) int {
	at := len(data) - len(t.rest)
	if bytes.HasPrefix(data, []byte("ply\r")) && data[4] != '\n' && data[at-1] == '\n' {
		at--
	}
	return at
}

func (r *plyReader) readElement(e *plyElement) error {
	if len(e.properties) == 0 {
		return nil // its rows are empty, whatever their number
	}
	if _, known := plyUsed[e.name]; !known {
		r.leave("rows of PLY elements other than vertices, faces and edges", e.rows)
	}
	for i := range e.rows {
		if err := r.body.begin(); err != nil {
			return rowError(err, e, i)
		}
		for j := range e.properties {
			if err := r.readProperty(e, &e.properties[j]); err != nil {
				return rowError(err, e, i)
			}
		}
		if err := r.body.end(); err != nil {
			return rowError(err, e, i)
		}
		if err := r.store(e); err != nil {
			return rowError(err, e, i)
		}
	}
	return nil
}

func rowError(err error, e *plyElement, row int) error {
	return status.Errorf(status.ErrFile, "%v, in %s %d of %d", err, strings.Trim(Shown(e.name), "\""), row, e.rows)
}

func (r *plyReader) readProperty(e *plyElement, p *plyProperty) error {
	n := 1
	if p.count != 0 {
		x, err := r.body.value(p.count)
		if err != nil {
			return err
		}
		if x < 0 {
			return r.body.fail("a list of %v values", x)
		}
		n = int(x)
	}
	if p.role < 0 {
		return r.body.skip(p.value, n)
	}
	if r.row.corners = r.row.corners[:0]; p.count != 0 {
		r.row.corners = slices.Grow(r.row.corners, min(n, r.body.room(p.value)))
	}
	for range n {
		x, err := r.body.value(p.value)
		if err != nil {
			return err
		}
		if e.name == "vertex" {
			r.row.xyz[p.role] = x
			continue
		}
		if x < 0 || x >= float64(r.vertices) {
			return r.body.fail("vertex index %v is out of range for %d vertices", x, r.vertices)
		}
		if e.name == "edge" {
			r.row.ends[p.role] = int32(x)
		} else {
			r.row.corners = append(r.row.corners, int32(x))
		}
	}
	return nil
}

// store adds the present row to the surface.
func (r *plyReader) store(e *plyElement) error {
	switch e.name {
	case "vertex":
		for k, x := range r.row.xyz {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return r.body.fail("%c is %v: not finite", 'x'+k, x)
			}
		}
		r.Vertices = append(r.Vertices, r.row.xyz[:]...)
	case "edge":
		r.Edges = append(r.Edges, r.row.ends)
	case "face":
		if len(r.row.corners) < 3 {
			return r.body.fail("a face of %d corners", len(r.row.corners))
		}
		if err := r.polygon(r.row.corners); err != nil {
			return r.body.fail("%v", err)
		}
	}
	return nil
}

// plyText is the body of an ascii file: a row is a line.
type plyText struct {
	*text
	numbers []byte
}

func (b *plyText) begin() error {
	var ok bool
	for len(b.numbers) == 0 {
		if b.numbers, ok = b.next(); !ok {
			return b.fail("the file ends here")
		}
		b.numbers = bytes.TrimLeft(b.numbers, blanks)
	}
	return nil
}

func (b *plyText) value(t plyScalar) (float64, error) {
	w := word(&b.numbers)
	if len(w) == 0 {
		return 0, b.fail("a value is missing")
	}
	x, err := strconv.ParseFloat(string(w), 64)
	switch {
	case err != nil && !math.IsInf(x, 0):
		return 0, b.fail("%s is not a number", shown(w))
	case t.integer() && !(math.Abs(x) <= math.MaxUint32 && x == math.Trunc(x)):
		return 0, b.fail("%s is not an integer of 32 bits", shown(w))
	}
	return x, nil
}

func (b *plyText) skip(_ plyScalar, n int) error {
	for range n {
		if len(word(&b.numbers)) == 0 {
			return b.fail("a value is missing")
		}
	}
	return nil
}

func (b *plyText) room(plyScalar) int { return (len(b.numbers) + 1) / 2 }

func (b *plyText) end() error {
	if w := word(&b.numbers); len(w) > 0 {
		return b.fail("%s is one value too many", shown(w))
	}
	b.numbers = nil
	return nil
}

func (b *plyText) finish() error {
	for {
		line, ok := b.next()
		if !ok {
			return nil
		}
		if len(bytes.TrimLeft(line, blanks)) > 0 {
			return b.fail("more lines than the header promises")
		}
	}
}

// plyBytes is the body of a binary file.
type plyBytes struct {
	all   []byte
	at    int
	order binary.ByteOrder
}

func (b *plyBytes) fail(format string, args ...any) error {
	return status.Errorf(status.ErrFile, "byte "+strconv.Itoa(b.at)+": "+format, args...)
}

func (b *plyBytes) begin() error { return nil }
func (b *plyBytes) end() error   { return nil }

func (b *plyBytes) skip(t plyScalar, n int) error {
	if n > (len(b.all)-b.at)/t.size() {
		b.at = len(b.all)
		return b.fail("the file ends here")
	}
	b.at += n * t.size()
	return nil
}

func (b *plyBytes) room(t plyScalar) int { return (len(b.all) - b.at) / t.size() }

func (b *plyBytes) value(t plyScalar) (float64, error) {
	p := b.all[b.at:]
	if err := b.skip(t, 1); err != nil {
		return 0, err
	}
	switch t {
	case plyInt8:
		return float64(int8(p[0])), nil
	case plyUint8:
		return float64(p[0]), nil
	case plyInt16:
		return float64(int16(b.order.Uint16(p))), nil
	case plyUint16:
		return float64(b.order.Uint16(p)), nil
	case plyInt32:
		return float64(int32(b.order.Uint32(p))), nil
	case plyUint32:
		return float64(b.order.Uint32(p)), nil
	case plyFloat32:
		return float64(math.Float32frombits(b.order.Uint32(p))), nil
	}
	return math.Float64frombits(b.order.Uint64(p)), nil
}

// finish allows the white space with which some writers end a file.
func (b *plyBytes) finish() error {
	if len(bytes.TrimSpace(b.all[b.at:])) > 0 {
		return b.fail("%d bytes more than the header promises", len(b.all)-b.at)
	}
	return nil
}
