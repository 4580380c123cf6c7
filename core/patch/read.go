package patch

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"ccd/core/geom"
	"ccd/core/meshfile"
	"ccd/core/status"
)

// Model is the shape that a file holds: Bezier patches on common control points, as NewBody takes
// them.
type Model struct {
	Points  []float64 // n x 3
	Forms   []Form
	Index   []int32
	Weights []float64 // one for each entry of Index; nil: all equal

	// Err bounds how far a coordinate of a control point may lie from that of the file's surface:
	// what the insertion of knots into NURBS and B-splines has rounded. Zero for Bezier patches. A
	// caller who moves the points takes them as they are.
	Err float64

	shared map[[3]float64]int32 // points that conversions made
}

// MemoryPerPoint is how many bytes reading takes at most for a control point that it makes, all
// that is allocated counted: what TestMemoryIsBoundedByTheFile measures, 248, and a quarter more.
const MemoryPerPoint = 310

// Read reads a file of patches; the content decides the format: a list of Bezier patches as of the
// Utah teapot (teapot.go), OBJ with free-form curves and surfaces (obj.go), JSON (json.go), or a
// file of elements, whose lines, shells and sides become patches (elements.go).
// Errors are of the kind status.ErrFile and name the path and the line; of the content they quote
// what those of mesh.Read do. The memory it takes is at most mesh.MemoryPerByte times the file's
// size, and MemoryPerPoint for each control point of the patches that NURBS and B-splines become:
// (u+1)(v+1) for each pair of knot spans.
func Read(path string) (*Model, error) {
	return meshfile.DecodeFile(path, Decode)
}

// Decode is Read for the content of a file.
func Decode(data []byte) (*Model, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	m := &Model{}
	var err error
	switch first := bytes.TrimLeft(data, " \t\r\n"); {
	case len(first) == 0:
		err = status.Errorf(status.ErrFile, "line 1: the file is empty")
	case first[0] == '{':
		err = m.readJSON(data)
	case teapotBegins(data):
		err = m.readTeapot(&lines{rest: data})
	case meshfile.HoldsElements(data):
		err = m.readElements(data)
	case objBegins(data):
		err = m.readOBJ(&lines{rest: data})
	default:
		err = status.Errorf(status.ErrFile,
			"line 1: neither a list of Bezier patches, OBJ, JSON, nor a file of elements: it begins with %s",
			meshfile.Shown(firstWord(data)))
	}
	if err != nil {
		return nil, err
	}
	if len(m.Forms) == 0 {
		return nil, status.Errorf(status.ErrFile, "the file ends without a patch")
	}
	m.shared = nil
	return m, nil
}

// firstWord returns the first word of a text outside comments.
func firstWord(data []byte) []byte {
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte{'\n'})
		line, _, _ = bytes.Cut(line, []byte{'#'})
		if line = bytes.TrimLeft(line, " \t\r,"); len(line) > 0 {
			if end := bytes.IndexAny(line, " \t\r,"); end >= 0 {
				line = line[:end]
			}
			return line
		}
	}
	return nil
}

// Body returns a body of all patches.
func (m *Model) Body() (*Body, error) { return NewBody(len(m.Points)/3, m.Forms, m.Index, m.Weights) }

// add appends a Bezier patch on points that are there already; w may be nil.
func (m *Model) add(f Form, index []int32, w []float64) error {
	if err := f.Check(); err != nil {
		return err
	}
	if len(index) != f.Points() {
		return status.Errorf(status.ErrArgument, "%d control points: a %v of degrees %d and %d has %d",
			len(index), f.Shape, f.U, f.V, f.Points())
	}
	if err := checkWeights(f.Points(), w); err != nil {
		return err
	}
	for _, i := range index {
		if n := len(m.Points) / 3; i < 0 || int(i) >= n {
			return status.Errorf(status.ErrIndex, "control point %d of %d", i, n)
		}
	}
	m.weigh(w)
	m.Forms, m.Index = append(m.Forms, f), append(m.Index, index...)
	if m.Weights != nil && w == nil {
		w = slices.Repeat([]float64{1}, len(index))
	}
	m.Weights = append(m.Weights, w...)
	return nil
}

// weigh gives all patches so far weights, when one comes that has them.
func (m *Model) weigh(w []float64) {
	if w != nil && m.Weights == nil {
		m.Weights = slices.Repeat([]float64{1}, len(m.Index))
	}
}

// addNURBS appends the Bezier patches of a NURBS surface on some of the points. Where no knot had
// to be inserted the control points are those of the file; others are new, and equal ones are the
// same, so that neighbors share an edge.
func (m *Model) addNURBS(s *NURBS, index []int32) error {
	if err := s.Check(); err != nil {
		return err
	}
	if nu, nv := s.Points(); len(index) != nu*nv {
		return status.Errorf(status.ErrArgument, "%d control points: the knots ask for %d x %d", len(index), nu, nv)
	}
	if m.shared == nil {
		m.shared = map[[3]float64]int32{}
	}
	var x []float64
	for _, i := range index {
		if n := len(m.Points) / 3; i < 0 || int(i) >= n {
			return status.Errorf(status.ErrIndex, "control point %d of %d", i, n)
		}
		p := [3]float64(m.Points[3*i:])
		x = append(x, p[:]...)
		m.shared[p] = i
	}
	patches, _, err := s.Bezier(x, x)
	if err != nil {
		return err
	}
	for _, p := range patches {
		at := make([]int32, p.Form.Points())
		for i := range at {
			at[i] = m.point([3]float64(p.X0[3*i:]))
		}
		if err := m.add(p.Form, at, p.W); err != nil {
			return err
		}
		m.Err = max(m.Err, p.Err)
	}
	return nil
}

// point returns the number of a point that a conversion made.
func (m *Model) point(p [3]float64) int32 {
	if i, ok := m.shared[p]; ok {
		return i
	}
	i := int32(len(m.Points) / 3)
	m.Points = append(m.Points, p[:]...)
	m.shared[p] = i
	return i
}

// lines reads the statements of a text file.
type lines struct {
	rest []byte
	line int // number of the present line, from 1

	words [][]byte // the words of the present line
}

// next returns the words of the next line that has any, up to a comment, with the lines it
// continues on by a backslash; nil at the end. They are there until the next call.
func (l *lines) next() [][]byte {
	words := l.words[:0]
	for len(l.rest) > 0 {
		var line []byte
		line, l.rest, _ = bytes.Cut(l.rest, []byte{'\n'})
		l.line++
		line, _, _ = bytes.Cut(line, []byte{'#'})
		line = bytes.TrimRight(line, " \t\r")
		line, goesOn := bytes.CutSuffix(line, []byte{'\\'})
		words = split(words, line)
		if len(words) > 0 && !goesOn {
			break
		}
	}
	if l.words = words; len(words) == 0 {
		return nil
	}
	return words
}

// split appends the words of a line. They are counted first: a list of them takes twelve times the
// line where it has no room to spare, and several times that where it grows.
func split(words [][]byte, line []byte) [][]byte {
	each := func(visit func(word []byte)) {
		for at := 0; at < len(line); at++ {
			if from := at; !separates(line[at]) {
				for at < len(line) && !separates(line[at]) {
					at++
				}
				visit(line[from:at])
			}
		}
	}
	n := 0
	each(func([]byte) { n++ })
	if n > 64 {
		words = slices.Grow(words, n)
	}
	each(func(w []byte) { words = append(words, w) })
	return words
}

// separates reports whether a byte stands between words.
func separates(c byte) bool { return c == ' ' || c == '\t' || c == ',' || c == '\r' }

// fail returns an error at the present line.
func (l *lines) fail(format string, args ...any) error {
	return status.Errorf(status.ErrFile, "line %d: %s", l.line, fmt.Sprintf(format, args...))
}

// number returns a word as a finite number within what patches take.
func (l *lines) number(w []byte) (float64, error) {
	x, err := strconv.ParseFloat(string(w), 64)
	if err != nil || !(math.Abs(x) <= geom.MaxCoordinate) {
		return 0, l.fail("%s is not a number within 1e150", meshfile.Shown(w))
	}
	return x, nil
}

// integer returns a word as an integer.
func (l *lines) integer(w []byte) (int, error) {
	n, err := strconv.Atoi(string(w))
	if err != nil {
		return 0, l.fail("%s is not an integer", meshfile.Shown(w))
	}
	return n, nil
}

// place returns a line of three coordinates.
func (l *lines) place(words [][]byte, m *Model) error {
	if len(words) != 3 {
		return l.fail("%d numbers, not the 3 of a point", len(words))
	}
	for _, w := range words {
		x, err := l.number(w)
		if err != nil {
			return err
		}
		m.Points = append(m.Points, x)
	}
	if len(m.Points)/3 > math.MaxInt32 {
		return l.fail("too many points")
	}
	return nil
}
