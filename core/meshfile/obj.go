package meshfile

import (
	"bytes"
	"math"
	"slices"
	"strconv"
)

// objIgnored are the statements of an OBJ file that say nothing about vertices, triangles or lines.
var objIgnored = []string{
	"vn", "vt", "vp", "o", "g", "s", "mg", "mtllib", "usemtl", "maplib", "usemap", "lod", "bevel", "c_interp",
	"d_interp", "shadow_obj", "trace_obj",
}

// objFreeForm are those whose curves and surfaces this reader does not have.
var objFreeForm = []string{
	"curv", "curv2", "surf", "cstype", "deg", "bmat", "step", "parm", "trim", "hole", "scrv", "sp", "end", "con",
	"ctech", "stech",
}

func objKeyword(word []byte) bool {
	w := string(word)
	return w == "v" || w == "f" || w == "l" || w == "p" || slices.Contains(objIgnored, w) ||
		slices.Contains(objFreeForm, w)
}

// objReader reads v, f and l. Faces and lines may refer to vertices that come later.
type objReader struct {
	text
	Surface
	corners []int32 // corners are those of the present face or line.
	largest int     // index that a face or line refers to, from 0
	at      int     // the line that does so
	plane   bool    // vertices have two coordinates
}

func readOBJ(data []byte) (*Surface, error) {
	r := &objReader{text: text{rest: data}, largest: -1}
	for {
		line, ok := r.statement()
		if !ok {
			break
		}
		if err := r.read(line); err != nil {
			return nil, err
		}
	}
	n := len(r.Vertices) / 3
	if r.largest >= n {
		r.line = r.at
		return nil, r.fail("vertex index %d is out of range: the file has %d vertices", r.largest+1, n)
	}
	if n == 0 {
		return nil, r.fail("the file ends without a vertex")
	}
	return &r.Surface, nil
}

// statement returns the next line that says something, joined with those that it continues on with
// a backslash.
func (r *objReader) statement() ([]byte, bool) {
	line, ok := r.nextWords('#')
	if !ok || !bytes.HasSuffix(line, []byte{'\\'}) {
		return line, ok
	}
	joined := bytes.Clone(line[:len(line)-1])
	for {
		more, ok := r.next()
		if !ok {
			return joined, true
		}
		more, _, _ = bytes.Cut(more, []byte{'#'})
		next, goesOn := bytes.CutSuffix(more, []byte{'\\'})
		joined = append(append(joined, ' '), next...)
		if !goesOn {
			return joined, true
		}
	}
}

func (r *objReader) read(line []byte) error {
	keyword := string(word(&line))
	switch {
	case keyword == "v":
		return r.vertex(line)
	case keyword == "p":
		if err := r.readCorners(line); err != nil {
			return err
		}
		r.points = append(r.points, r.corners...)
	case keyword == "f":
		if err := r.readCorners(line); err != nil {
			return err
		}
		if len(r.corners) < 3 {
			return r.fail("a face of %d vertices", len(r.corners))
		}
		if err := r.polygon(r.corners); err != nil {
			return r.fail("%v", err)
		}
	case keyword == "l":
		if err := r.readCorners(line); err != nil {
			return err
		}
		if len(r.corners) < 2 {
			return r.fail("a line of %d vertices", len(r.corners))
		}
		for i := 1; i < len(r.corners); i++ {
			r.Edges = append(r.Edges, [2]int32{r.corners[i-1], r.corners[i]})
		}
	case slices.Contains(objFreeForm, keyword):
		return r.fail("free-form geometry (%s) is not read", keyword)
	case keyword != "" && !slices.Contains(objIgnored, keyword):
		return r.fail("unknown statement %s", shown(keyword))
	}
	return nil
}

// vertex reads a vertex. In scenes of a plane all have two coordinates; then z is 0.
func (r *objReader) vertex(line []byte) error {
	if len(r.Vertices) == 0 && len(bytes.Fields(line)) == 2 {
		r.plane = true
		r.note("The vertices have two coordinates: z is 0.")
	}
	if !r.plane {
		return r.point(&line, &r.Surface)
	}
	if words := len(bytes.Fields(line)); words != 2 {
		return r.fail("a vertex of %d coordinates, where the first has 2", words)
	}
	line = append(bytes.Clone(line), " 0"...)
	return r.point(&line, &r.Surface)
}

// readCorners reads the words v, v/vt, v//vn or v/vt/vn of a face or line: indices from 1, or from
// -1 backwards.
func (r *objReader) readCorners(line []byte) error {
	r.corners = r.corners[:0]
	for {
		w := word(&line)
		if len(w) == 0 {
			return nil
		}
		v, attributes, _ := bytes.Cut(w, []byte{'/'})
		i, err := strconv.Atoi(string(v))
		if err != nil || !attributeIndices(attributes) {
			return r.fail("%s is not v, v/vt, v//vn or v/vt/vn", shown(w))
		}
		n := len(r.Vertices) / 3
		if i < 0 {
			i += n + 1
		}
		if i < 1 || i > math.MaxInt32 {
			return r.fail("vertex index %s is out of range: %d vertices come before it", v, n)
		}
		if i-1 > r.largest {
			r.largest, r.at = i-1, r.line
		}
		r.corners = append(r.corners, int32(i-1))
	}
}

// attributeIndices reports whether s is empty, vt, /vn or vt/vn. The indices are not used.
func attributeIndices(s []byte) bool {
	vt, vn, both := bytes.Cut(s, []byte{'/'})
	integer := func(w []byte) bool {
		_, err := strconv.Atoi(string(w))
		return err == nil
	}
	return (len(vt) == 0 || integer(vt)) && (!both || len(vn) == 0 || integer(vn))
}
