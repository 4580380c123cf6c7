package patch

import (
	"fmt"

	"ccd/core/status"
	"ccd/simd/patch"
)

// Shape is the domain of a patch's parameters.
type Shape int32

// The shapes, with the values of the C constants CCD_PATCH_CURVE and so on.
const (
	Curve    Shape = 1 + iota // u in [0,1]; of degree 0: a point
	Triangle                  // u, v >= 0, u + v <= 1
	Quad                      // u, v in [0,1]
)

func (s Shape) String() string {
	switch s {
	case Curve:
		return "curve"
	case Triangle:
		return "triangle"
	case Quad:
		return "quad"
	}
	return fmt.Sprintf("shape(%d)", int32(s))
}

// MaxDegree is the highest degree in one parameter.
const MaxDegree = 9

// Form is the shape and the degrees of a patch.
//
// The order of the control points: Curve by the power of u. Quad: point (i, j), i along u, j along
// v, has the index i (V+1) + j. Triangle of degree n: point (i, j), the power of u and of v, by
// rows of equal j: (0,0) (1,0) ... (n,0), (0,1) ... (n-1,1), ..., (0,n).
type Form struct {
	Shape Shape
	U, V  int // degrees; V is 0 for curves and equals U for triangles
}

// Points returns how many control points the form has.
func (f Form) Points() int {
	if f.Shape == Triangle {
		return (f.U + 1) * (f.U + 2) / 2
	}
	return (f.U + 1) * (f.V + 1)
}

// Index returns the place of control point (i, j) in the order of the form.
func (f Form) Index(i, j int) int {
	if f.Shape == Triangle {
		return j*(f.U+1) - j*(j-1)/2 + i
	}
	return i*(f.V+1) + j
}

// Check reports the first field that is out of its range.
func (f Form) Check() error {
	least, v := 1, f.V
	switch f.Shape {
	case Curve:
		if v != 0 {
			return status.Errorf(status.ErrArgument, "v degree %d of a curve: must be 0", v)
		}
		least, v = 0, 1
	case Triangle:
		if v != f.U {
			return status.Errorf(status.ErrArgument, "degrees %d and %d of a triangle: must be equal", f.U, v)
		}
	case Quad:
	default:
		return status.Errorf(status.ErrArgument, "shape %d: must be 1 to 3", int32(f.Shape))
	}
	if f.U < least || f.U > MaxDegree {
		return status.Errorf(status.ErrArgument, "u degree %d of a %v: must be in [%d, %d]",
			f.U, f.Shape, least, MaxDegree)
	}
	if v < 1 || v > MaxDegree {
		return status.Errorf(status.ErrArgument, "v degree %d of a %v: must be in [1, %d]", v, f.Shape, MaxDegree)
	}
	return nil
}

// layout is what halving and search need of a form. There is one for each form.
//
// The domain is the affine image of a standard one with three corners: the ends of u and v from the
// first corner. A quad halves along u (0) or v (1); a triangle halves one of its edges,
// first-second (0), first-third (1) or second-third (2). Rows[d] are the Bezier curves along d that
// make up the control net: halving each halves the patch.
type layout struct {
	form    Form
	n       int // control points
	pad     int // n rounded up to a multiple of 8: the length of one array of a node
	rows    [3][][]int32
	nets    [3]*patch.Net // the rows along each direction, for the kernels
	dirs    int
	corners []int32

	// Where control points lie if the patch is the identity: the parameters, from the first corner,
	// that a point of the patch has if it is a mean of control points with certain weights.
	places [][2]float64
}

var layouts = map[Form]*layout{}

// layoutOf finds the layout of a form that has passed Check.
func layoutOf(f Form) *layout { return layouts[f] }

func init() {
	for u := 0; u <= MaxDegree; u++ {
		makeLayout(Form{Curve, u, 0})
		if u == 0 {
			continue
		}
		makeLayout(Form{Triangle, u, u})
		for v := 1; v <= MaxDegree; v++ {
			makeLayout(Form{Quad, u, v})
		}
	}
}

func makeLayout(f Form) {
	l := &layout{form: f, n: f.Points()}
	l.pad = (l.n + 7) &^ 7
	n := f.U
	row := func(d, length int, at func(k int) (i, j int)) {
		r := make([]int32, length)
		for k := range r {
			r[k] = int32(f.Index(at(k)))
		}
		l.rows[d] = append(l.rows[d], r)
	}
	switch f.Shape {
	case Triangle:
		l.dirs = 3
		l.corners = []int32{0, int32(n), int32(l.n - 1)}
		for s := 0; s <= n; s++ { // rows of length 1 come last: halving leaves them alone
			row(0, n-s+1, func(k int) (int, int) { return k, s })
			row(1, n-s+1, func(k int) (int, int) { return s, k })
			row(2, n-s+1, func(k int) (int, int) { return n - s - k, k })
		}
	default:
		l.dirs = 2
		if f.Shape == Curve {
			l.dirs = 1
		}
		for s := 0; s <= f.V; s++ {
			row(0, f.U+1, func(k int) (int, int) { return k, s })
		}
		for s := 0; s <= f.U; s++ {
			row(1, f.V+1, func(k int) (int, int) { return s, k })
		}
		l.corners = []int32{0, int32(f.Index(f.U, 0)), int32(f.V), int32(l.n - 1)}
	}
	l.places = make([][2]float64, l.n)
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V && (f.Shape != Triangle || i+j <= n); j++ {
			l.places[f.Index(i, j)] = [2]float64{float64(i) / float64(max(f.U, 1)), float64(j) / float64(max(f.V, 1))}
		}
	}
	for d := range l.dirs {
		l.nets[d] = patch.NewNet(l.rows[d], l.n, l.pad)
	}
	layouts[f] = l
}
