package motion

import (
	"fmt"
	"math"
	"sort"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/status"
)

// MaxDegree is the greatest degree of a path in t.
const MaxDegree = 5

// MaxPieces is the greatest number of pieces.
const MaxPieces = 1 << 20

// Motion is the paths of n vertices for t in [0, 1]. It is not changed once it is made.
type Motion struct {
	n, degree int
	times     []float64 // the breakpoints, from 0 to 1
	control   []float64 // indexed by piece, control point, vertex, axis
	radius    []float64 // indexed by piece and vertex; nil where all radii are 0
	source    *source   // the exact source of the paths; nil if only the control points are known
}

// New makes a motion of n vertices from its control points: times are the ends of the pieces, nil
// for [0, 1]; control has degree + 1 blocks of n points for each piece; radius has n radii for each
// piece, nil for 0. The slices are copied.
func New(n, degree int, times, control, radius []float64) (*Motion, error) {
	m := &Motion{n: n, degree: degree}
	if n < 1 {
		return nil, fmt.Errorf("n is %d: a motion needs vertices", n)
	}
	if degree < 1 || degree > MaxDegree {
		return nil, fmt.Errorf("degree is %d: must be 1 to %d", degree, MaxDegree)
	}
	if err := m.setTimes(times); err != nil {
		return nil, err
	}
	if want := 3 * m.Pieces() * (degree + 1) * n; len(control) != want {
		return nil, fmt.Errorf("control has %d numbers: %d pieces of %d x %d points take %d",
			len(control), m.Pieces(), degree+1, n, want)
	}
	if radius != nil && len(radius) != m.Pieces()*n {
		return nil, fmt.Errorf("radius has %d numbers: %d pieces of %d vertices take %d",
			len(radius), m.Pieces(), n, m.Pieces()*n)
	}
	for i, x := range control {
		if !(math.Abs(x) <= geom.MaxCoordinate) {
			j := i / 3
			return nil, fmt.Errorf("control[%d][%d][%d][%d] is %v: %w",
				j/(n*(degree+1)), j/n%(degree+1), j%n, i%3, x, status.ErrNonFinite)
		}
	}
	for i, r := range radius {
		if !(r >= 0) || r > geom.MaxCoordinate {
			return nil, fmt.Errorf("radius[%d][%d] is %v: must be in [0, 1e150]", i/n, i%n, r)
		}
	}
	m.control = append([]float64(nil), control...)
	for _, r := range radius {
		if r > 0 {
			m.radius = append([]float64(nil), radius...)
			break
		}
	}
	return m, m.continuous()
}

// setTimes checks and copies the ends of the pieces.
func (m *Motion) setTimes(times []float64) error {
	if times == nil {
		times = []float64{0, 1}
	}
	switch {
	case len(times) < 2:
		return fmt.Errorf("times has %d entries: a piece has two ends", len(times))
	case len(times) > MaxPieces+1:
		return fmt.Errorf("times has %d entries: at most %d", len(times), MaxPieces+1)
	case times[0] != 0:
		return fmt.Errorf("times[0] is %v: must be 0", times[0])
	case times[len(times)-1] != 1:
		return fmt.Errorf("times[%d] is %v: the last must be 1", len(times)-1, times[len(times)-1])
	}
	for i := 1; i < len(times); i++ {
		if !(times[i] > times[i-1]) {
			return fmt.Errorf("times[%d] is %v: must be above times[%d] = %v", i, times[i], i-1, times[i-1])
		}
	}
	m.times = append([]float64(nil), times...)
	return nil
}

// continuous reports a vertex that jumps between two pieces: by more than their radii together. The
// distance is computed to within 8u and lowered by as much; the sum is rounded up.
func (m *Motion) continuous() error {
	for j := 1; j < m.Pieces(); j++ {
		for i := range m.n {
			var e deviation
			for k := range 3 {
				e[k] = math.Abs(m.at(j, 0, i)[k] - m.at(j-1, m.degree, i)[k])
			}
			if e == (deviation{}) {
				continue
			}
			r := num.AddUp(m.Radius(j-1, i), m.Radius(j, i))
			if d := e.length(); d*(1-0x1p-50) > r {
				return fmt.Errorf(
					"control: vertex %d jumps by %v at times[%d] = %v, where its pieces join; the radii allow %v",
					i, d, j, m.times[j], r)
			}
		}
	}
	return nil
}

// Vertices returns how many points move.
func (m *Motion) Vertices() int { return m.n }

// Degree returns the degree of the paths in t.
func (m *Motion) Degree() int { return m.degree }

// Pieces returns how many pieces each path has.
func (m *Motion) Pieces() int { return len(m.times) - 1 }

// Times returns the ends of the pieces, ascending from 0 to 1. The slice is the motion's own.
func (m *Motion) Times() []float64 { return m.times }

// Control returns the control points of all pieces. The slice is the motion's own.
func (m *Motion) Control() []float64 { return m.control }

// Radius returns the radius of vertex i on piece j.
func (m *Motion) Radius(j, i int) float64 {
	if m.radius == nil {
		return 0
	}
	return m.radius[j*m.n+i]
}

// Linear reports whether the motion is that of a plain step: one piece of degree 1, radius 0.
func (m *Motion) Linear() bool {
	return m.degree == 1 && m.Pieces() == 1 && m.radius == nil && m.source == nil
}

// Refines reports whether the paths can be enclosed anew on parts of a piece, with smaller radii.
func (m *Motion) Refines() bool { return m.source != nil }

func (m *Motion) at(j, l, i int) []float64 {
	p := 3 * ((j*(m.degree+1)+l)*m.n + i)
	return m.control[p : p+3 : p+3]
}

// Gather writes the control points of vertices on piece j: degree + 1 blocks of one point a vertex.
// It returns the radii through radius.
func (m *Motion) Gather(j int, vertices []int32, control, radius []float64) {
	for l := range m.degree + 1 {
		for p, i := range vertices {
			copy(control[3*(l*len(vertices)+p):], m.at(j, l, int(i)))
		}
	}
	for p, i := range vertices {
		radius[p] = m.Radius(j, int(i))
	}
}

// piece returns the last piece that begins at t or before.
func (m *Motion) piece(t float64) int {
	return max(sort.SearchFloat64s(m.times[:m.Pieces()], num.Up(t))-1, 0)
}

// At writes the positions at the time t, n points, into x, and the radii around them within which
// the vertices are into radius, if that is not nil. t must be in [0, 1].
//
// De Casteljau's algorithm in intervals: a position is the middle of an interval that holds the
// polynomial; the radius is rounded up.
func (m *Motion) At(t float64, x, radius []float64) {
	c := casteljauAt(m, t)
	for i := range m.n {
		e := c.at(i, x[3*i:3*i+3])
		if radius != nil {
			radius[i] = e
		}
	}
}

// casteljau is a time on a piece of a motion.
type casteljau struct {
	m     *Motion
	piece int
	t     float64
	r, s  num.Interval // the parts of the piece behind the time and before it
}

func casteljauAt(m *Motion, t float64) casteljau {
	j := m.piece(t)
	t0, t1 := num.Point(m.times[j]), num.Point(m.times[j+1])
	s := num.Point(t).Sub(t0).Div(t1.Sub(t0))
	return casteljau{m: m, piece: j, t: t, r: num.Point(1).Sub(s), s: s}
}

// at writes the position of vertex i, and returns the radius.
func (a *casteljau) at(i int, x []float64) (radius float64) {
	m, j := a.m, a.piece
	var p vector
	for k := range 3 {
		var c [MaxDegree + 1]num.Interval
		for l := range m.degree + 1 {
			c[l] = num.Point(m.at(j, l, i)[k])
		}
		switch {
		case a.t == m.times[j]:
		case a.t == m.times[j+1]:
			c[0] = c[m.degree]
		default:
			for n := m.degree; n > 0; n-- {
				for l := range n {
					c[l] = c[l].Mul(a.r).Add(c[l+1].Mul(a.s))
				}
			}
		}
		p[k] = c[0]
	}
	e := p.settle(x)
	return num.AddUp(e.length(), m.Radius(j, i))
}
