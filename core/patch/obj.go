package patch

import (
	"math"
	"slices"

	"ccd/core/meshfile"
	"ccd/core/status"
)

// objReader reads the free-form part of OBJ: v with a weight, cstype [rat] bezier and bspline, deg,
// curv, surf, parm, end; and faces, as linear triangles. Curves and surfaces refer to vertices
// before or after them, from 1, or from the last by negative numbers. A surface's points come u
// fastest. Trimming, other bases and parts of a B-spline's range are errors.
type objReader struct {
	*lines
	m       *Model
	weights []float64 // the weights of the vertices
	rat     bool
	kind    string
	deg     [2]int
	open    *objSurface
	done    []objItem
}

// objItem is a triangle of a face, or an element between curv or surf and end. The points of a
// face's count from 0.
type objItem struct {
	line    int32
	face    [3]int32
	surface *objSurface // nil: a triangle
}

// objSurface is one element between curv or surf and end. index counts from 0.
type objSurface struct {
	line  int
	dim   int // 1: a curve, 2: a surface
	rat   bool
	kind  string
	deg   [2]int
	ends  [2][2]float64
	parm  [2][]float64
	index []int32
}

// objSkipped are the statements that say nothing about shape.
var objSkipped = []string{
	"vn", "vt", "vp", "o", "g", "s", "mg", "mtllib", "usemtl", "maplib", "usemap", "lod", "bevel",
	"c_interp", "d_interp",
	"shadow_obj", "trace_obj", "ctech", "stech", "con", "p", "l",
}

// objRead are the statements that say something about shape.
var objRead = []string{"v", "f", "cstype", "deg", "curv", "surf", "parm", "end"}

// objBegins reports whether the first statement of a file is one of OBJ.
func objBegins(data []byte) bool {
	key := string(firstWord(data))
	return slices.Contains(objRead, key) || slices.Contains(objSkipped, key)
}

func (m *Model) readOBJ(l *lines) error {
	r := &objReader{lines: l, m: m}
	for words := l.next(); words != nil; words = l.next() {
		if err := r.statement(string(words[0]), words[1:]); err != nil {
			return err
		}
	}
	if r.open != nil {
		return l.fail("the file ends here, before the end of the element of line %d", r.open.line)
	}
	m.Forms, m.Index = slices.Grow(m.Forms, len(r.done)), slices.Grow(m.Index, 3*len(r.done))
	for i := range r.done {
		if err := r.finish(&r.done[i]); err != nil {
			return status.Errorf(status.ErrFile, "line %d: %v", r.done[i].line, err)
		}
	}
	return nil
}

func (r *objReader) statement(key string, words [][]byte) error {
	switch key {
	case "v":
		return r.vertex(words)
	case "f":
		return r.face(words)
	case "cstype":
		r.rat = len(words) > 0 && string(words[0]) == "rat"
		if r.rat {
			words = words[1:]
		}
		if len(words) != 1 || string(words[0]) != "bezier" && string(words[0]) != "bspline" {
			return r.fail("cstype: only [rat] bezier and [rat] bspline are read")
		}
		r.kind = string(words[0])
		return nil
	case "deg":
		return r.degrees(words)
	case "curv", "surf":
		return r.begin(key == "surf", words)
	case "parm":
		return r.parameters(words)
	case "end":
		if r.open == nil {
			return r.fail("end without curv or surf")
		}
		r.done, r.open = append(r.done, objItem{line: int32(r.open.line), surface: r.open}), nil
		return nil
	}
	if !slices.Contains(objSkipped, key) {
		return r.fail("%s is not read: trimmed surfaces and other bases are not supported", meshfile.Shown(key))
	}
	return nil
}

func (r *objReader) vertex(words [][]byte) error {
	w := 1.0
	if len(words) == 4 {
		var err error
		if w, err = r.number(words[3]); err != nil {
			return err
		}
		words = words[:3]
	}
	r.weights = append(r.weights, w)
	if len(words) == 6 { // The last three numbers are a color.
		words = words[:3]
	}
	return r.place(words, r.m)
}

// vertices reads references; what follows a slash is left out.
func (r *objReader) vertices(words [][]byte) (index []int32, err error) {
	index = make([]int32, 0, len(words))
	for _, w := range words {
		if i := slices.Index(w, '/'); i >= 0 {
			w = w[:i]
		}
		n, err := r.integer(w)
		if err != nil {
			return nil, err
		}
		if n < 0 {
			n += len(r.m.Points)/3 + 1
		}
		if n < 1 || n > math.MaxInt32 {
			return nil, r.fail("vertex index %s is out of range", w)
		}
		index = append(index, int32(n-1))
	}
	return index, nil
}

func (r *objReader) face(words [][]byte) error {
	index, err := r.vertices(words)
	if err != nil {
		return err
	}
	if len(index) < 3 {
		return r.fail("a face of %d vertices", len(index))
	}
	r.done = slices.Grow(r.done, len(index)-2) // a long one at once
	for i := 2; i < len(index); i++ {
		r.done = append(r.done, objItem{line: int32(r.line), face: [3]int32{index[0], index[i-1], index[i]}})
	}
	return nil
}

func (r *objReader) degrees(words [][]byte) (err error) {
	if len(words) < 1 || len(words) > 2 {
		return r.fail("deg with %d numbers", len(words))
	}
	r.deg = [2]int{}
	for i, w := range words {
		if r.deg[i], err = r.integer(w); err != nil {
			return err
		}
		if r.deg[i] < 1 || r.deg[i] > MaxDegree {
			return r.fail("degree %d: must be in [1, %d]", r.deg[i], MaxDegree)
		}
	}
	return nil
}

func (r *objReader) begin(surface bool, words [][]byte) (err error) {
	dim := 1
	if surface {
		dim = 2
	}
	switch {
	case r.open != nil:
		return r.fail("the element of line %d has not ended", r.open.line)
	case r.kind == "" || r.deg[dim-1] == 0:
		return r.fail("no cstype or no deg before it")
	case len(words) < 2*dim:
		return r.fail("%d numbers before the vertices, not %d", len(words), 2*dim)
	}
	s := &objSurface{line: r.line, dim: dim, rat: r.rat, kind: r.kind, deg: r.deg}
	if !surface {
		s.deg[1] = 0
	}
	for i := range 2 * dim {
		if s.ends[i/2][i%2], err = r.number(words[i]); err != nil {
			return err
		}
	}
	s.index, err = r.vertices(words[2*dim:])
	r.open = s
	return err
}

func (r *objReader) parameters(words [][]byte) error {
	if r.open == nil || len(words) < 3 || len(words[0]) != 1 || words[0][0] != 'u' && words[0][0] != 'v' {
		return r.fail("parm: must be u or v and two numbers or more, within curv or surf")
	}
	k := words[0][0] - 'u'
	r.open.parm[k] = nil
	for _, w := range words[1:] {
		x, err := r.number(w)
		if err != nil {
			return err
		}
		r.open.parm[k] = append(r.open.parm[k], x)
	}
	return nil
}

// finish adds one element to the model.
func (r *objReader) finish(item *objItem) error {
	s, index := item.surface, item.face[:]
	if s != nil {
		index = s.index
	}
	for _, i := range index {
		if int(i) >= len(r.weights) {
			return status.Errorf(status.ErrIndex, "vertex index %d is out of range: the file has %d vertices",
				i+1, len(r.weights))
		}
	}
	if s == nil {
		return r.m.add(Form{Triangle, 1, 1}, index, nil)
	}
	nurbs := &NURBS{U: s.deg[0], V: s.deg[1]}
	count := [2]int{1, 1} // control points along u, v
	for k, to := range []*[]float64{&nurbs.KnotsU, &nurbs.KnotsV}[:s.dim] {
		knots, err := s.knots(k)
		if err != nil {
			return err
		}
		*to, count[k] = knots, len(knots)-s.deg[k]-1
	}
	if len(s.index) != count[0]*count[1] {
		return status.Errorf(status.ErrArgument, "%d control points, not %d x %d", len(s.index), count[0], count[1])
	}
	index = make([]int32, len(s.index))
	for j := range count[1] {
		for i := range count[0] {
			v := s.index[j*count[0]+i]
			index[i*count[1]+j] = v
			if s.rat {
				if nurbs.W == nil {
					nurbs.W = make([]float64, len(index))
				}
				nurbs.W[i*count[1]+j] = r.weights[v]
			}
		}
	}
	return r.m.addNURBS(nurbs, index)
}

// knots returns the knots of parameter k: for Bezier pieces every value of parm as often as the
// degree, and once more at the ends. The element's range must be all of it.
func (s *objSurface) knots(k int) ([]float64, error) {
	name, p, parm := string(rune('u'+k)), s.deg[k], s.parm[k]
	knots := parm
	if s.kind == "bezier" {
		if parm == nil {
			parm = s.ends[k][:]
		}
		knots = append(make([]float64, 0, p*len(parm)+2), parm[0])
		for _, x := range parm {
			for range p {
				knots = append(knots, x)
			}
		}
		knots = append(knots, parm[len(parm)-1])
	}
	if len(knots) < 2*p+2 {
		return nil, status.Errorf(status.ErrArgument, "parm %s gives %d knots: degree %d needs at least %d",
			name, len(knots), p, 2*p+2)
	}
	if lo, hi := knots[p], knots[len(knots)-p-1]; s.ends[k] != [2]float64{lo, hi} {
		return nil, status.Errorf(status.ErrArgument,
			"the range of %s is [%v, %v], not all of [%v, %v]: parts of a surface are not read",
			name, s.ends[k][0], s.ends[k][1], lo, hi)
	}
	return knots, nil
}
