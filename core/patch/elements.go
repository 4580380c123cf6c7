package patch

import (
	"encoding/binary"
	"math/big"
	"slices"

	"ccd/core/meshfile"
	"ccd/core/status"
)

// elementReader makes Bezier patches of the lines and faces of a file of elements, which are given
// by their nodes. A control point is a combination of nodes; equal combinations are one point, so
// that neighbors share an edge, and nodes that lie on each other do not.
type elementReader struct {
	m     *Model
	nodes []float64
	known map[string]int32
}

// readElements reads the formats of elements: VTK, VTU, MSH and MEDIT.
func (m *Model) readElements(data []byte) error {
	nodes, faces, err := meshfile.DecodeFaces(data)
	if err != nil {
		return err
	}
	r := &elementReader{m, nodes, map[string]int32{}}
	for i, f := range faces {
		if err := r.face(f); err != nil {
			return status.Errorf(status.ErrFile, "face %d: %v", i, err)
		}
	}
	return nil
}

// face appends the patch of a face.
func (r *elementReader) face(f meshfile.Face) error {
	form := Form{Shape: Curve, U: f.Order}
	switch f.Corners {
	case 3:
		form = Form{Triangle, f.Order, f.Order}
	case 4:
		form = Form{Quad, f.Order, f.Order}
	}
	rows := conversions(form)
	nodes := make([]int32, form.Points())
	switch places := meshfile.Places(f.Corners, f.Order); {
	case len(f.Nodes) == 8 && form.Points() == 9:
		rows, nodes = withoutMiddle(), f.Nodes
	default:
		for i, place := range places {
			nodes[formIndex(form, place)] = f.Nodes[i]
		}
	}
	index := make([]int32, len(rows))
	for i := range rows {
		at, err := r.point(&rows[i], nodes)
		if err != nil {
			return err
		}
		index[i] = at
	}
	return r.m.add(form, index, nil)
}

// formIndex returns the number of the control point (i, j) in the order of a form.
func formIndex(f Form, place [2]int) int {
	i, j := place[0], place[1]
	switch f.Shape {
	case Triangle:
		return j*(f.U+1) - j*(j-1)/2 + i
	case Quad:
		return i*(f.V+1) + j
	}
	return i
}

// point returns the number of the control point that a combination of nodes is.
func (r *elementReader) point(c *conversion, nodes []int32) (int32, error) {
	terms := make([]nodeTerm, len(c.terms))
	for i, t := range c.terms {
		terms[i] = nodeTerm{int(nodes[t.node]), t.numerator}
	}
	slices.SortFunc(terms, func(a, b nodeTerm) int { return a.node - b.node })
	key := binary.LittleEndian.AppendUint64(nil, uint64(int64(c.denominator)))
	for _, t := range terms {
		key = binary.LittleEndian.AppendUint32(key, uint32(t.node))
		key = binary.LittleEndian.AppendUint64(key, uint64(int64(t.numerator)))
	}
	if at, ok := r.known[string(key)]; ok {
		return at, nil
	}
	for _, t := range terms {
		for k := range 3 {
			if x := r.nodes[3*t.node+k]; !(x >= -maxNode && x <= maxNode) {
				return 0, status.Errorf(status.ErrFile, "node %d is at %v: nodes must be within %v", t.node, x, maxNode)
			}
		}
	}
	at := int32(len(r.m.Points) / 3)
	for k := range 3 {
		x, off := c.apply(nodes, r.nodes, k)
		r.m.Points = append(r.m.Points, x)
		r.m.Err = max(r.m.Err, off)
	}
	r.known[string(key)] = at
	return at, nil
}

// withoutMiddle returns the control points of a quadrilateral of 8 nodes in VTK's order: its middle
// is half the sum of the nodes on the sides less a quarter of that of the corners.
func withoutMiddle() []conversion {
	form := Form{Quad, 2, 2}
	place := meshfile.Places(4, 2)
	number := make([]int, 9) // That of VTK for each control point of the form.
	for i, p := range place {
		number[formIndex(form, p)] = i
	}
	var rows []conversion
	for _, c := range conversions(form) {
		row := make([]*big.Rat, 8)
		for i := range row {
			row[i] = new(big.Rat)
		}
		for _, t := range c.terms {
			x := new(big.Rat).SetFrac64(int64(t.numerator), int64(c.denominator))
			if at := number[t.node]; at < 8 {
				row[at].Add(row[at], x)
				continue
			}
			for i := range row {
				share := big.NewRat(-1, 4)
				if i >= 4 {
					share = big.NewRat(1, 2)
				}
				row[i].Add(row[i], share.Mul(share, x))
			}
		}
		rows = append(rows, conversionOf(row))
	}
	return rows
}
