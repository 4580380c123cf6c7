package geom

import (
	"ccd/core/status"
	"fmt"
	"math"
	"unsafe"
)

// MaxCoordinate is the largest magnitude a coordinate may have. A product of two differences stays finite below it;
// a product of three does not, so a float path that multiplies three first normalises by a power of two.
const MaxCoordinate = 1e150

// Trajectories holds the vertices of a step: vertex i moves on the segment x0[i] -> x1[i] as t runs from 0 to 1.
//
// Rec is one 64-byte line per vertex, {x0 y0 z0 0 x1 y1 z1 0}, aligned to 64 bytes, so that a kernel loads a vertex
// at both ends with one instruction.
type Trajectories struct {
	N   int
	Rec []float64
}

// NewTrajectories checks and packs two frames of n vertices, row-major n x 3 doubles each.
func NewTrajectories(x0, x1 []float64) (*Trajectories, error) {
	m := new(Trajectories)
	if err := m.Load(x0, x1); err != nil {
		return nil, err
	}
	return m, nil
}

// Load is NewTrajectories into existing storage.
func (m *Trajectories) Load(x0, x1 []float64) error {
	if len(x0) != len(x1) {
		return fmt.Errorf("x0 has %d coordinates, x1 has %d", len(x0), len(x1))
	}
	if len(x0)%3 != 0 {
		return fmt.Errorf("x0 has %d coordinates, not a multiple of 3", len(x0))
	}
	n := len(x0) / 3
	m.Reserve(n)
	for i := range n {
		r := m.Rec[8*i : 8*i+8]
		for k := range 3 {
			a, b := x0[3*i+k], x1[3*i+k]
			if !(math.Abs(a) <= MaxCoordinate) {
				return fmt.Errorf("x0[%d][%d] is %v: %w", i, k, a, status.ErrNonFinite)
			}
			if !(math.Abs(b) <= MaxCoordinate) {
				return fmt.Errorf("x1[%d][%d] is %v: %w", i, k, b, status.ErrNonFinite)
			}
			r[k], r[4+k] = a, b
		}
		r[3], r[7] = 0, 0
	}
	return nil
}

// Reserve makes room for n vertices, whose records are those that were there before, or 0.
func (m *Trajectories) Reserve(n int) {
	if cap(m.Rec) < 8*n {
		m.Rec = aligned(8 * n)
	}
	m.N, m.Rec = n, m.Rec[:8*n]
}

// aligned returns n doubles whose first lies on a 64-byte line.
func aligned(n int) []float64 {
	s := make([]float64, n+7)
	off := (64 - uintptr(unsafe.Pointer(unsafe.SliceData(s)))%64) % 64 / 8
	return s[off : int(off)+n : int(off)+n]
}

// Query gathers the query of the four vertices v (as many as k has points) into q, t=0 then t=1.
func (m *Trajectories) Query(k Kind, v *[4]int32, q *[24]float64) {
	n := k.Points()
	for i := range n {
		r := m.Rec[8*int(v[i]) : 8*int(v[i])+8]
		q[3*i], q[3*i+1], q[3*i+2] = r[0], r[1], r[2]
		o := 3 * (n + i)
		q[o], q[o+1], q[o+2] = r[4], r[5], r[6]
	}
}

// EdgeAndFace gathers an edge and a face at t = 0 into q: e0, e1, f0, f1, f2.
func (m *Trajectories) EdgeAndFace(e *[2]int32, f *[3]int32, q *[15]float64) {
	for i, v := range [5]int32{e[0], e[1], f[0], f[1], f[2]} {
		copy(q[3*i:3*i+3], m.Rec[8*int(v):])
	}
}
