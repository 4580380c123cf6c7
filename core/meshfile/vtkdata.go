package meshfile

import (
	"encoding/binary"
	"math"
	"net/url"
	"strconv"
	"strings"
)

// data reads what follows the cells of a legacy file: data on points and cells. What is malformed
// ends it and is counted: no vertex or cell depends on it.
func (t *vtk) data(c *Cells) {
	d := vtkData{vtk: t, c: c}
	for {
		line, ok := t.nextWords(0)
		if !ok {
			return
		}
		if err := d.attribute(line); err != nil {
			c.leave("rests of data on points and cells that are malformed", 1)
			return
		}
	}
}

// vtkData is the data on points or on cells being read.
type vtkData struct {
	*vtk
	c       *Cells
	onCells bool // what follows is on cells, not on points
	n       int  // points or cells
}

// vtkAttributes are the attributes of a fixed number of components.
var vtkAttributes = map[string]int{"VECTORS": 3, "NORMALS": 3, "TENSORS": 9, "TENSORS6": 6, "GLOBAL_IDS": 1,
	"PEDIGREE_IDS": 1, "EDGE_FLAGS": 1}

// attribute reads an attribute, whose heading is given.
func (d *vtkData) attribute(line []byte) (err error) {
	key := strings.ToUpper(string(word(&line)))
	if components := vtkAttributes[key]; components > 0 {
		name := string(word(&line))
		return d.take(name, components, string(word(&line)))
	}
	switch key {
	case "POINT_DATA", "CELL_DATA":
		d.onCells = key == "CELL_DATA"
		if d.n, err = d.integer(&line, "the number of values"); err == nil && !d.onCells && d.n != len(d.c.Vertices)/3 {
			err = d.fail("POINT_DATA %d: there are %d points", d.n, len(d.c.Vertices)/3)
		}
		return err
	case "SCALARS":
		name, kind, components := string(word(&line)), string(word(&line)), 1
		if len(strings.TrimSpace(string(line))) > 0 {
			if components, err = d.integer(&line, "the number of components"); err != nil {
				return err
			}
		}
		before := d.text
		if next, ok := d.nextWords(0); !ok || !strings.EqualFold(string(word(&next)), "LOOKUP_TABLE") {
			d.text = before
		}
		return d.take(name, components, kind)
	case "TEXTURE_COORDINATES":
		name := string(word(&line))
		components, err := d.integer(&line, "the number of components")
		if err != nil {
			return err
		}
		return d.take(name, components, string(word(&line)))
	case "COLOR_SCALARS", "LOOKUP_TABLE":
		return d.colors(key, line)
	case "FIELD":
		_, err = d.fieldData(&line, d)
		return err
	case "METADATA":
		d.metadata()
		return nil
	}
	return d.fail("%s: no attribute", shown(key))
}

// colors skips colors: numbers from 0 to 1 in text, bytes otherwise.
func (d *vtkData) colors(key string, line []byte) error {
	word(&line)
	components, err := d.integer(&line, "the number of components")
	if err != nil {
		return err
	}
	n := d.n
	if key == "LOOKUP_TABLE" {
		n, components = components, 4
	}
	_, err = d.values(n, components, "unsigned_char")
	return err
}

// take reads the values of an attribute and keeps those that are of use.
func (d *vtkData) take(name string, components int, kind string) error {
	values, err := d.values(d.n, components, kind)
	if err != nil {
		return err
	}
	d.use(name, components, values)
	return nil
}

// use keeps data at points as a field, and marks of ghost cells.
func (d *vtkData) use(name string, components int, values []float64) {
	if plain, err := url.PathUnescape(name); err == nil { // writers replace blanks and other signs in names
		name = plain
	}
	switch {
	case isGhosts(name):
		if d.onCells && components == 1 {
			d.ghosts = values
		}
	case !d.onCells && len(values) == components*len(d.c.Vertices)/3:
		d.c.keep(Field{Name: name, Components: components, Values: values})
	}
}

// fieldData reads the arrays of a FIELD, and hands those that belong to points or cells to d, which
// may be nil.
func (t *vtk) fieldData(line *[]byte, d *vtkData) (arrays int, err error) {
	word(line) // its name
	if arrays, err = t.integer(line, "the number of arrays"); err != nil {
		return 0, err
	}
	for range arrays {
		head, ok := t.nextWords(0)
		if ok && strings.EqualFold(strings.TrimSpace(string(head)), "METADATA") {
			t.metadata()
			head, ok = t.nextWords(0)
		}
		if !ok {
			return 0, t.truncated("an array of a FIELD")
		}
		name := string(word(&head))
		components, err := t.integer(&head, "the number of components")
		if err != nil {
			return 0, err
		}
		n, err := t.integer(&head, "the number of tuples")
		if err != nil {
			return 0, err
		}
		values, err := t.values(n, components, string(word(&head)))
		if err != nil {
			return 0, err
		}
		if d != nil && n == d.n {
			d.use(name, components, values)
		}
	}
	return arrays, nil
}

// values reads n times so many numbers.
func (t *vtk) values(n, components int, kind string) ([]float64, error) {
	if n < 0 || components < 0 || components > mostComponents || n > len(t.rest) || n*components > len(t.rest) {
		return nil, t.fail("%d times %d numbers", n, components)
	}
	defer t.endOfList()
	if strings.EqualFold(kind, "string") {
		return nil, t.strings(n * components)
	}
	x := make([]float64, n*components)
	if !t.binary {
		for i := range x {
			w, err := t.token()
			if err != nil {
				return nil, err
			}
			if x[i], err = strconv.ParseFloat(string(w), 64); err != nil && !math.IsInf(x[i], 0) {
				return nil, t.fail("%s: not a number", shown(w))
			}
		}
		return x, nil
	}
	s, ok := vtkKinds[strings.ToLower(kind)]
	if !ok {
		return nil, t.fail("numbers of type %s", shown(kind))
	}
	data, err := t.bytes(s.size * len(x))
	if err != nil {
		return nil, err
	}
	v := (&vtu{order: binary.BigEndian}).decode(data, s)
	for i, k := range v.integers {
		x[i] = float64(k)
	}
	copy(x, v.reals)
	return x, nil
}

// strings skips so many texts: lines, or bytes after their number, whose first two bits tell how
// many bytes it takes.
func (t *vtk) strings(n int) error {
	for range n {
		if !t.binary {
			if _, ok := t.next(); !ok {
				return t.truncated("a text of a FIELD")
			}
			continue
		}
		head, err := t.bytes(1)
		if err != nil {
			return err
		}
		length, more := uint64(head[0]&0x3f), [4]int{7, 3, 1, 0}[head[0]>>6]
		rest, err := t.bytes(more)
		if err != nil {
			return err
		}
		for _, b := range rest {
			length = length<<8 | uint64(b)
		}
		if length > uint64(len(t.rest)) {
			return t.fail("a text of %d bytes", length)
		}
		t.rest = t.rest[length:]
	}
	return nil
}

// vtkKinds are the types of numbers in legacy files.
var vtkKinds = map[string]vtkScalar{
	"unsigned_char": {size: 1, unsigned: true}, "char": {size: 1}, "unsigned_short": {size: 2, unsigned: true},
	"short":        {size: 2},
	"unsigned_int": {size: 4, unsigned: true}, "int": {size: 4}, "unsigned_long": {size: 8, unsigned: true},
	"long":         {size: 8},
	"vtktypeint64": {size: 8}, "vtkidtype": {size: 4}, "vtktypeuint64": {size: 8, unsigned: true},
	"float": {size: 4, real: true}, "double": {size: 8, real: true},
}
