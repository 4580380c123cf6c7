package constraint

import (
	"math"

	"ccd/core/status"
)

// Frame is what the rows of a contact Jacobian measure. Its value is the number of rows of a
// constraint.
type Frame int32

// The frames, with the values of CCD_FRAME_NORMAL and CCD_FRAME_CONTACT.
const (
	NormalFrame  Frame = 1 // The rows measure along the normal.
	ContactFrame Frame = 3 // The rows measure along the normal and both of its tangents.
)

// stencil has the vertices of a constraint in ascending order, each once, with their weights.
type stencil struct {
	count    int
	vertices [4]int32
	weights  [4]float64
}

// stencilOf sorts the vertices of a constraint. A vertex that fills up the four of a smaller kind
// has weight 0, so adding its weights changes none.
func stencilOf(c *Constraint) (s stencil) {
	for i, v := range c.Vertices {
		w, at := c.Weights[i], s.count
		for at > 0 && s.vertices[at-1] > v {
			at--
		}
		if at > 0 && s.vertices[at-1] == v {
			s.weights[at-1] += w
			continue
		}
		for k := s.count; k > at; k-- {
			s.vertices[k], s.weights[k] = s.vertices[k-1], s.weights[k-1]
		}
		s.vertices[at], s.weights[at] = v, w
		s.count++
	}
	return s
}

// Jacobian writes the contact Jacobian of constraints over n vertices, a sparse matrix of frame x
// len(set) rows and 3n columns, row by row: row i has the entries from rows[i] to rows[i+1] of
// columns and values, and columns ascend in a row. The directions of a constraint's rows are its
// normal, or its normal and its Tangents. The entry of a vertex with weight w is w times the
// direction, rounded once.
//
// rows has room for frame x len(set) + 1 numbers, columns and values for 12 x frame x len(set). On
// an error the matrix has no entries.
func Jacobian(set []Constraint, n int, frame Frame, rows, columns []int32, values []float64) error {
	clear(rows)
	if err := checkJacobian(set, n, frame); err != nil {
		return err
	}
	row, entries := 0, 0
	for i := range set {
		s := stencilOf(&set[i])
		axes := [3][3]float64{set[i].Normal}
		if frame == ContactFrame {
			axes[1], axes[2] = tangents(&set[i].Normal)
		}
		for _, axis := range axes[:frame] {
			for j, v := range s.vertices[:s.count] {
				for k := range 3 {
					columns[entries], values[entries] = 3*v+int32(k), s.weights[j]*axis[k]
					entries++
				}
			}
			row++
			rows[row] = int32(entries)
		}
	}
	return nil
}

// checkJacobian checks the arguments of Jacobian. Row starts and columns are numbers of 32 bits, as
// in SciPy and Eigen.
func checkJacobian(set []Constraint, n int, frame Frame) error {
	if frame != NormalFrame && frame != ContactFrame {
		return status.Errorf(status.ErrArgument, "frame is %d: must be CCD_FRAME_NORMAL or CCD_FRAME_CONTACT", frame)
	}
	if n > math.MaxInt32/3 {
		return status.Errorf(status.ErrArgument, "n is %d: the Jacobian has 3 n columns, which are at most 2^31 - 1", n)
	}
	if most := math.MaxInt32 / (12 * int(frame)); len(set) > most {
		return status.Errorf(status.ErrArgument, "count is %d: the Jacobian of more than %d constraints has over "+
			"2^31 - 1 entries; pass them in parts", len(set), most)
	}
	if err := checkConstraints(set, n); err != nil {
		return err
	}
	for i := range set {
		if set[i].Normal == [3]float64{} {
			return status.Errorf(status.ErrArgument, "constraints[%d].impact.normal is 0: it has no direction", i)
		}
	}
	return nil
}
