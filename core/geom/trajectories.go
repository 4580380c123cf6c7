package geom

import (
	"fmt"
	"math"
	"sync/atomic"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/status"
)

// MaxCoordinate is the largest magnitude a coordinate may have. A product of two differences stays
// finite below it; a product of three does not, so a float path that multiplies three first
// normalizes by a power of two.
const MaxCoordinate = 1e150

// Trajectories holds the vertices of a step: vertex i moves on the segment x0[i] -> x1[i] as t runs
// from 0 to 1.
//
// Rec is one 64-byte line per vertex, {x0 y0 z0 0 x1 y1 z1 0}, aligned to 64 bytes, so that a
// kernel loads a vertex at both ends with one instruction.
type Trajectories struct {
	N   int
	Rec []float64

	largest float64 // the largest magnitude of a coordinate, where Load set all of Rec; 0: unknown
}

// NewTrajectories checks and packs two frames of n vertices, row-major n x 3 doubles each.
func NewTrajectories(x0, x1 []float64) (*Trajectories, error) {
	m := new(Trajectories)
	if err := m.Load(x0, x1); err != nil {
		return nil, err
	}
	return m, nil
}

// Load is NewTrajectories into existing storage. Whoever changes Rec afterwards calls Reserve
// first.
func (m *Trajectories) Load(x0, x1 []float64) error { return m.LoadParallel(x0, x1, 1) }

// packVertices is the number of vertices that Load packs at once: 0.1 MB of records.
const packVertices = 2048

// LoadParallel is Load on some threads.
func (m *Trajectories) LoadParallel(x0, x1 []float64, threads int) error {
	if len(x0) != len(x1) {
		return fmt.Errorf("x0 has %d coordinates, x1 has %d", len(x0), len(x1))
	}
	if len(x0)%3 != 0 {
		return fmt.Errorf("x0 has %d coordinates, not a multiple of 3", len(x0))
	}
	n := len(x0) / 3
	m.Reserve(n)
	var largest uint64
	if blocks := (n + packVertices - 1) / packVertices; blocks <= 1 || threads <= 1 {
		largest = m.pack(x0, x1, 0, n)
	} else {
		var most atomic.Uint64
		tasks := engine.NewTasks(0, blocks)
		err := engine.Parallel(min(threads, blocks), func(int) {
			here := uint64(0)
			for i := range tasks.All() {
				here = max(here, m.pack(x0, x1, packVertices*i, min(packVertices*(i+1), n)))
			}
			for old := most.Load(); here > old && !most.CompareAndSwap(old, here); old = most.Load() {
			}
		})
		if err != nil {
			return err
		}
		largest = most.Load()
	}
	if largest > math.Float64bits(MaxCoordinate) {
		return beyond(x0, x1)
	}
	m.largest = math.Float64frombits(largest)
	return nil
}

// pack writes the records of the vertices from, ..., to-1 and returns the largest bits of a
// magnitude. Bits of magnitudes are in the order of the magnitudes, infinity and NaN after all
// others, and integers are compared without a branch.
func (m *Trajectories) pack(x0, x1 []float64, from, to int) uint64 {
	var a, b uint64 // With two, one comparison does not wait for the other.
	for i := from; i < to; i++ {
		r, x, y := m.Rec[8*i:8*i+8:8*i+8], x0[3*i:3*i+3:3*i+3], x1[3*i:3*i+3:3*i+3]
		a = max(a, magnitude(x[0]), magnitude(x[1]), magnitude(x[2]))
		b = max(b, magnitude(y[0]), magnitude(y[1]), magnitude(y[2]))
		r[0], r[1], r[2], r[3] = x[0], x[1], x[2], 0
		r[4], r[5], r[6], r[7] = y[0], y[1], y[2], 0
	}
	return max(a, b)
}

// magnitude returns the bits of |x|.
func magnitude(x float64) uint64 { return math.Float64bits(x) &^ (1 << 63) }

// beyond returns the error of the first coordinate whose magnitude exceeds MaxCoordinate or is
// none.
func beyond(x0, x1 []float64) error {
	for i := range x0 {
		for e, x := range [2]float64{x0[i], x1[i]} {
			if !(math.Abs(x) <= MaxCoordinate) {
				return fmt.Errorf("x%d[%d][%d] is %v: %w", e, i/3, i%3, x, status.ErrNonFinite)
			}
		}
	}
	return nil
}

// Largest returns the largest magnitude of a coordinate.
func (m *Trajectories) Largest() float64 {
	if m.largest != 0 {
		return m.largest
	}
	var a, b uint64
	for i := 0; i+8 <= len(m.Rec); i += 8 {
		r := m.Rec[i : i+8 : i+8]
		a = max(a, magnitude(r[0]), magnitude(r[1]), magnitude(r[2]))
		b = max(b, magnitude(r[4]), magnitude(r[5]), magnitude(r[6]))
	}
	return math.Float64frombits(max(a, b))
}

// Move makes some vertices end at their places in x1 instead, whose coordinates are no larger than
// Largest, which stays.
func (m *Trajectories) Move(vertices []int32, x1 []float64) {
	for _, v := range vertices {
		copy(m.Rec[8*int(v)+4:8*int(v)+7], x1[3*int(v):])
	}
}

// Reserve makes room for n vertices, whose records are those that were there before, or 0. The
// caller may change them.
func (m *Trajectories) Reserve(n int) {
	if cap(m.Rec) < 8*n {
		m.Rec = aligned(8 * n)
	}
	m.N, m.Rec, m.largest = n, m.Rec[:8*n], 0
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
