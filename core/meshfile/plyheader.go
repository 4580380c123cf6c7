package meshfile

import (
	"slices"
	"strconv"
)

// plyScalar is a scalar type of a PLY file.
type plyScalar int

const (
	plyInt8 plyScalar = 1 + iota
	plyUint8
	plyInt16
	plyUint16
	plyInt32
	plyUint32
	plyFloat32
	plyFloat64
)

var plyScalars = map[string]plyScalar{
	"char": plyInt8, "uchar": plyUint8, "short": plyInt16, "ushort": plyUint16,
	"int": plyInt32, "uint": plyUint32, "float": plyFloat32, "double": plyFloat64,
	"int8": plyInt8, "uint8": plyUint8, "int16": plyInt16, "uint16": plyUint16,
	"int32": plyInt32, "uint32": plyUint32, "float32": plyFloat32, "float64": plyFloat64,
}

func (t plyScalar) size() int {
	return [...]int{plyInt8: 1, plyUint8: 1, plyInt16: 2, plyUint16: 2, plyInt32: 4, plyUint32: 4, plyFloat32: 4,
		plyFloat64: 8}[t]
}

func (t plyScalar) integer() bool { return t < plyFloat32 }

// plyProperty is a value of each element, or a list of them when count is set.
type plyProperty struct {
	name         string
	count, value plyScalar
	role         int // what the reader does with it: a place in the element's used names, or -1
}

// mostOfHeader is how many elements a file has at most, and properties each of them: names are
// compared one by one.
const mostOfHeader = 1000

// plyElement is a table of the file.
type plyElement struct {
	name       string
	rows       int
	properties []plyProperty
}

// plyHeader is what stands before end_header.
type plyHeader struct {
	format   string // ascii, binary_little_endian, binary_big_endian
	elements []plyElement
}

func readPLYHeader(t *text) (*plyHeader, error) {
	h := &plyHeader{}
	t.next() // ply
	for {
		line, ok := t.next()
		if !ok {
			return nil, t.truncated("end_header")
		}
		switch keyword := string(word(&line)); keyword {
		case "end_header":
			return h, h.check(t)
		case "", "comment", "obj_info":
		case "format":
			h.format = string(word(&line))
			if version := string(word(&line)); version != "1.0" {
				return nil, t.fail("format version %s: only 1.0 is read", shown(version))
			}
			if !slices.Contains([]string{"ascii", "binary_little_endian", "binary_big_endian"}, h.format) {
				return nil, t.fail("format %s: not ascii, binary_little_endian or binary_big_endian", shown(h.format))
			}
		case "element":
			if err := h.element(t, line); err != nil {
				return nil, err
			}
		case "property":
			if err := h.property(t, line); err != nil {
				return nil, err
			}
		default:
			return nil, t.fail("%s is no keyword of a PLY header", shown(keyword))
		}
	}
}

func (h *plyHeader) element(t *text, line []byte) error {
	name := string(word(&line))
	rows, err := t.integer(&line, "the number of elements")
	switch {
	case err != nil:
		return err
	case rows < 0:
		return t.fail("element %s: the number of elements is %d", shown(name), rows)
	case len(h.elements) == mostOfHeader:
		return t.fail("a header of more than %d elements", mostOfHeader)
	case h.find(name) != nil:
		return t.fail("element %s comes twice", shown(name))
	case name == "tristrips" && rows > 0:
		return t.fail("triangle strips are not read: write the mesh as triangles")
	}
	h.elements = append(h.elements, plyElement{name: name, rows: rows})
	return nil
}

func (h *plyHeader) property(t *text, line []byte) error {
	if len(h.elements) == 0 {
		return t.fail("a property before any element")
	}
	e := &h.elements[len(h.elements)-1]
	var p plyProperty
	scalar := func() (s plyScalar, err error) {
		w := word(&line)
		if s = plyScalars[string(w)]; s == 0 {
			err = t.fail("%s is no type of a PLY property", shown(w))
		}
		return s, err
	}
	var err error
	if after := line; string(word(&after)) == "list" {
		line = after
		if p.count, err = scalar(); err != nil {
			return err
		}
		if !p.count.integer() {
			return t.fail("the length of a list is no integer type")
		}
	}
	if p.value, err = scalar(); err != nil {
		return err
	}
	if p.name = string(word(&line)); p.name == "" {
		return t.fail("a property without a name")
	}
	for _, q := range e.properties {
		if q.name == p.name {
			return t.fail("property %s of element %s comes twice", shown(p.name), shown(e.name))
		}
	}
	if len(e.properties) == mostOfHeader {
		return t.fail("an element of more than %d properties", mostOfHeader)
	}
	p.role = plyRole(e.name, p.name)
	e.properties = append(e.properties, p)
	return nil
}

// Names that the reader uses. The role of a property is its place, modulo the number of values that
// the element must have.
var plyUsed = map[string]struct {
	names []string
	need  int
}{
	"vertex": {[]string{"x", "y", "z"}, 3},
	"edge":   {[]string{"vertex1", "vertex2"}, 2},
	"face":   {[]string{"vertex_indices", "vertex_index"}, 1},
}

func plyRole(element, property string) int {
	used := plyUsed[element]
	if i := slices.Index(used.names, property); i >= 0 {
		return i % used.need
	}
	return -1
}

func (h *plyHeader) find(name string) *plyElement {
	for i := range h.elements {
		if h.elements[i].name == name {
			return &h.elements[i]
		}
	}
	return nil
}

// check reports whether the elements that are used have their properties, of the right types.
func (h *plyHeader) check(t *text) error {
	if h.format == "" {
		return t.fail("the header has no format")
	}
	if h.find("vertex") == nil {
		return t.fail("the header has no element vertex")
	}
	for i := range h.elements {
		e := &h.elements[i]
		used := plyUsed[e.name]
		seen := make([]bool, used.need)
		for _, p := range e.properties {
			if p.role < 0 {
				continue
			}
			if list := p.count != 0; list != (e.name == "face") {
				return t.fail("property %s of element %s is a list: %s", p.name, e.name, strconv.FormatBool(list))
			}
			if e.name != "vertex" && !p.value.integer() {
				return t.fail("property %s of element %s has no integer type", p.name, e.name)
			}
			if seen[p.role] {
				return t.fail("element %s has both %s and %s", e.name, used.names[0], used.names[1])
			}
			seen[p.role] = true
		}
		if k := slices.Index(seen, false); k >= 0 && (e.rows > 0 || e.name == "vertex") {
			return t.fail("element %s has no property %s", e.name, used.names[k])
		}
	}
	return nil
}
