package linkage

import (
	"math"
	"slices"

	"ccd/core/status"
)

const (
	firstTurn = 0.2     // radians that the drives turn in the first pieces
	finest    = 0x1p-24 // shorter parts of an edge are refused
)

// mostPieces is how many pieces an edge has at most. It is a variable for tests.
var mostPieces = 20000

// Piece is a part of an edge.
type Piece struct {
	Edge   int
	S0, S1 float64
}

// Closed is the motion of a chain along a path.
type Closed struct {
	Pieces  []Piece
	Control []float64 // 6 rows of all variables for each piece, the form of Bernstein of degree 5
	Errors  []float64 // how far the variables that follow are from the exact ones at most
	Drives  []int     // the other variables of the loops
}

// Close computes the variables that follow along a path of all variables, whose values of them are
// not read. Values near those at the start choose the branch. The radii are at most the tolerance.
//
// It fails where the loops cannot be closed, and where there is no proof: near configurations where
// branches meet or a drive cannot go on.
func (c *Chain) Close(control []float64, degree int, start []float64, tolerance float64) (*Closed, error) {
	t, err := c.prepare()
	if err != nil {
		return nil, err
	}
	if !(tolerance >= 1e-11 && tolerance <= 1e-3) {
		return nil, status.Errorf(status.ErrArgument, "tolerance is %g: must be in [1e-11, 1e-3]", tolerance)
	}
	if err := t.tooFar(control, c.Variables); err != nil {
		return nil, err
	}
	w := &walk{tree: t, variables: c.Variables, degree: degree, control: slices.Clone(control)}
	edges := len(control) / ((degree + 1) * c.Variables)
	if err := w.join(edges); err != nil {
		return nil, err
	}
	found := &Closed{Errors: make([]float64, t.count), Drives: slices.Clone(t.columns[t.count:])}
	if edges == 0 {
		return found, nil
	}
	y, ok := t.newton(start, w.drives(0, 0), math.Inf(1))
	if !ok {
		return nil, status.Errorf(status.ErrArgument,
			"start: the loops cannot be closed at the start of the path from %v", start)
	}
	for edge := range edges {
		if y, err = w.follow(edge, y, tolerance, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// join makes the drives of an edge begin with the bits that those of the one before end with.
func (w *walk) join(edges int) error {
	for e := 1; e < edges; e++ {
		before, after := w.edge(e - 1)[w.degree*w.variables:], w.edge(e)
		for _, v := range w.columns[w.count:] {
			if !(math.Abs(after[v]-before[v]) <= float64(1e-9*(1+math.Abs(before[v])))) {
				return status.Errorf(status.ErrArgument,
					"control: edge %d begins with %g for variable %d, where edge %d ends with %g: they must join",
					e, after[v], v, e-1, before[v])
			}
			if w.degree > 0 {
				after[v] = before[v]
			}
		}
	}
	return nil
}

// follow adds the pieces of an edge, which begins with y, and returns what it ends with.
func (w *walk) follow(edge int, y []float64, tolerance float64, found *Closed) ([]float64, error) {
	type part struct {
		s0, s1 float64
		best   float64 // the radius of the part that this one is half of
	}
	count := w.first(edge)
	w.steps = 0
	open, before := make([]part, 0, count), len(found.Pieces)
	for i := count - 1; i >= 0; i-- {
		open = append(open, part{float64(i) / float64(count), float64(i+1) / float64(count), math.Inf(1)})
	}
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		end, err := w.next(edge, p.s0, y, p.s1, 0)
		if err != nil {
			return nil, err
		}
		control := w.piece(edge, p.s0, p.s1, y, end)
		radius, ok := w.radii(control, tolerance)
		best := math.Inf(1)
		if ok {
			best = slices.Max(radius)
		}
		if best <= tolerance {
			for i, r := range radius {
				found.Errors[i] = max(found.Errors[i], r)
			}
			w.keep(edge, p.s0, p.s1, control, found)
			y = end
			continue
		}
		switch {
		case ok && best > p.best/2:
			return nil, status.Errorf(status.ErrArgument, "%s: doubles prove a radius of %.3g alone: tolerance is %g",
				w.where(edge, p.s0), best, tolerance)
		case p.s1-p.s0 < finest:
			return nil, status.Errorf(status.ErrArgument, "%s: %s", w.where(edge, p.s0), advice)
		case len(found.Pieces)-before+len(open) >= mostPieces:
			return nil, tooLong(edge, p.s0)
		}
		middle := (p.s0 + p.s1) / 2
		open = append(open, part{middle, p.s1, best}, part{p.s0, middle, best})
	}
	return y, nil
}

func tooLong(edge int, s float64) error {
	return status.Errorf(status.ErrArgument,
		"control: edge %d needs more than %d pieces, which are proven up to s = %.6g: cut it into shorter ones", edge,
		mostPieces, s)
}

// first is the number of pieces that an edge begins with, a power of two.
func (w *walk) first(edge int) int {
	rows, way := w.edge(edge), 0.0
	for i, v := range w.columns[w.count:] {
		for k := range w.degree {
			way += float64(w.turns[w.count+i] * math.Abs(rows[(k+1)*w.variables+v]-rows[k*w.variables+v]))
		}
	}
	count := 1
	for float64(count)*firstTurn < way && 2*count <= mostPieces {
		count *= 2
	}
	return count
}

// piece is the control values of all columns on a part of an edge: of those that follow, the
// polynomials of degree 5 with these values and two derivatives at both ends.
func (w *walk) piece(edge int, s0, s1 float64, y0, y1 []float64) []rows {
	h := s1 - s0
	v0, a0 := w.bend(edge, s0, y0)
	v1, a1 := w.bend(edge, s1, y1)
	var found []rows
	for i := range y0 {
		first, second := float64(h*v0[i]), float64(h*h*a0[i])/20
		last, other := float64(h*v1[i]), float64(h*h*a1[i])/20
		found = append(found, rows{y0[i], y0[i] + first/5, y0[i] + float64(0.4*first) + second,
			y1[i] - float64(0.4*last) + other, y1[i] - last/5, y1[i]})
	}
	for _, v := range w.columns[w.count:] {
		found = append(found, w.part(edge, v, s0, s1))
	}
	return found
}

// part is the control values of degree 5 of a variable on a part of an edge, by blossoms and
// elevations. At the ends of the edge it has its bits.
func (w *walk) part(edge, variable int, s0, s1 float64) (found rows) {
	var given, d [6]float64
	for i := range w.degree + 1 {
		given[i] = w.edge(edge)[i*w.variables+variable]
	}
	for ones := range w.degree + 1 {
		d = given
		for step := range w.degree {
			s := s0
			if step < ones {
				s = s1
			}
			for i := range w.degree - step {
				d[i] += float64(s * (d[i+1] - d[i]))
			}
		}
		found[ones] = d[0]
	}
	if s0 == 0 {
		found[0] = given[0]
	}
	if s1 == 1 {
		found[w.degree] = given[w.degree]
	}
	for n := w.degree + 1; n < len(found); n++ {
		found[n] = found[n-1]
		for i := n - 1; i > 0; i-- {
			part := float64(i) / float64(n)
			found[i] = float64(part*found[i-1]) + float64((1-part)*found[i])
		}
	}
	return found
}

// keep adds a piece with control values of the columns; all other variables go as on the path.
func (w *walk) keep(edge int, s0, s1 float64, control []rows, found *Closed) {
	column := make([]rows, w.variables)
	inLoop := make([]bool, w.variables)
	for i, v := range w.columns {
		column[v], inLoop[v] = control[i], true
	}
	for v := range column {
		if !inLoop[v] {
			column[v] = w.part(edge, v, s0, s1)
		}
	}
	for i := range 6 {
		for v := range column {
			found.Control = append(found.Control, column[v][i])
		}
	}
	found.Pieces = append(found.Pieces, Piece{edge, s0, s1})
}
