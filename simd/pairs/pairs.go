// Package pairs finds the pairs of primitives whose boxes overlap as package gpu's kernels do it,
// in plain Go: the same lists in the same order, so it is what they are tested against, and what a
// call goes on with after its device failed.
//
//	pairs.go   what is given: a mesh, a space, families of pairs
//	plan.go    Plan: boxes, their order along the first axis, their cells
//	sweep.go   the sweep of the cells, and positions in the list of pairs
//
// The list of a family has one order, and a pair one position in it. So a part of the list can be
// found alone: positions are counted before any pair is written, and no buffer of pairs overflows.
package pairs

import (
	"math"

	"ccd/simd/box"
)

// Mesh is what does not change between the plans of a call.
type Mesh struct {
	Edges, Faces []int32 // vertices: two of each edge, three of each face
	Group        []int32 // Group[v] is the collision group of vertex v, or -1; nil: there are no groups
	Static       []uint8 // Static[v] is 1 if vertex v is static; nil: none is
	// Worlds is how many copies of one mesh this is, whose primitives follow each other; 0 and 1:
	// it is one. Primitives of two copies are no pair: each copy has cells of its own.
	Worlds   int
	Vertices int // their number, where there are copies
}

// Worlds that are no more than one are no copies.
func (m *Mesh) copies() int { return max(m.Worlds, 1) }

// World returns the number of primitives with so many vertices that a copy has; 0 where there are
// no copies.
func (m *Mesh) World(width int) int {
	if m.copies() == 1 {
		return 0
	}
	return [4]int{1: m.Vertices, 2: len(m.Edges) / 2, 3: len(m.Faces) / 3}[width] / m.Worlds
}

// Space is how boxes are made and which pairs count.
type Space struct {
	box.VertexMap           // Grow is not read
	Error         float64   // bound of the error of a coordinate at T
	Inflation     float64   // the distance by which all boxes grow
	Each          []float64 // Each[v] replaces Inflation at vertex v: a primitive grows by the largest of its vertices
	Exact         bool      // compare boxes over the whole step, in the end those of doubles; T is 1
	Slab          *Slab     // nil, or the slab that must own a pair
}

// Slab owns the pairs whose larger minimum along a coordinate axis lies in [Lo, Hi).
type Slab struct {
	Axis   int
	Lo, Hi float64
}

// Set is N primitives of a shape: vertices, edges or faces, by their number of vertices. IDs lists
// them; nil: 0, 1, 2, ...
type Set struct {
	Width, N int
	IDs      []int32
}

// ID returns the i-th primitive.
func (s *Set) ID(i int) int32 {
	if s.IDs == nil {
		return int32(i)
	}
	return s.IDs[i]
}

// Family is the pairs of A and B, or with Self the unordered pairs of A.
type Family struct {
	A, B     Set
	Self     bool
	Excluded []uint64    // pairs that do not count: a<<32 | b, sorted; with Self a < b
	Grid     Grid        // its cells
	Coarsen  func(*Grid) // makes fewer cells of a grid of several
	Most     int64       // the most entries of primitives in cells, beyond which the grid is made coarser
}

// Sets returns the family's sets: one with Self, else A and B.
func (f *Family) Sets() []*Set {
	if f.Self {
		return []*Set{&f.A}
	}
	return []*Set{&f.A, &f.B}
}

// Lists returns the number of its lists: a pass for each set.
func (f *Family) Lists() int { return len(f.Sets()) }

// Grid divides the second and third axis of a space into N[0] by N[1] cells.
type Grid struct {
	box.CellGrid
	N [2]int
}

// Cells returns their number, in one copy of a mesh.
func (g *Grid) Cells() int { return g.N[0] * g.N[1] }

// Box is the box of a primitive at both ends of the motion, as 64 bytes: the layout of
// kernels/broad.cl.
type Box struct {
	Ends  [12]float32 // the least at 0, at T, minus the largest at 0, at T, three floats each
	ID    uint32      // the number of the primitive; Static is added where all its vertices are static
	Group int32       // that of all its vertices, or -1
	Least float64     // the least coordinate of its vertices along the slab's axis, over the whole step
}

// Found is what a narrow phase leaves of some pairs, item by item: the pair, the pieces of time
// that may hold its first contact, and the time and the state of a search for it (linear.RootsVF).
type Found struct {
	Pairs [][2]int32
	Masks []uint8
	TOI   []float64
	State []uint8
}

// Resize makes room for n items.
func (f *Found) Resize(n int) {
	if cap(f.Pairs) < n {
		*f = Found{make([][2]int32, n), make([]uint8, n), make([]float64, n), make([]uint8, n)}
	}
	f.Pairs, f.Masks, f.TOI, f.State = f.Pairs[:n], f.Masks[:n], f.TOI[:n], f.State[:n]
}

// Bytes returns its memory.
func (f *Found) Bytes() int64 { return int64(18 * cap(f.Pairs)) }

// Static marks the ID of a static primitive.
const Static = 1 << 31

// Grow returns by how much a box of this inflation grows on each side: bound.RecordSpace.Records
// derives it.
func (s *Space) Grow(inflation float64) float32 {
	return float32((float64(s.Scale*(inflation+s.Error)) + 0x1p-120) * (1 + 0x1p-20))
}

// inflation returns the inflation of a primitive.
func (s *Space) inflation(v []int32) float64 {
	if s.Each == nil {
		return s.Inflation
	}
	most := 0.0
	for _, i := range v {
		most = max(most, s.Each[i])
	}
	return most
}

// ends returns along axis k of the space the least at both ends and minus the largest at both ends.
func (s *Space) ends(rec []float64, v []int32, k int) (e [4]float32) {
	grow := s.Grow(s.inflation(v))
	for j := range e {
		e[j] = math.MaxFloat32
	}
	a := s.Order[k]
	for _, i := range v {
		r := (*[8]float64)(rec[8*int(i):])
		x0, x1 := r[a], r[4+a]
		if s.T < 1 {
			x1 = math.FMA(s.T, x1-x0, x0)
		}
		for end, x := range [2]float64{x0, x1} {
			z := float32((x - s.C[4*int32(end)+a]) * s.Scale)
			more := float32(abs32(z)*0x1p-22) + grow
			e[end], e[2+end] = min(e[end], z-more), min(e[2+end], -z-more)
		}
	}
	return e
}

// least returns the least coordinate of vertices along a coordinate axis over the whole step.
func least(rec []float64, v []int32, axis int) float64 {
	x := math.Inf(1)
	for _, i := range v {
		r := (*[8]float64)(rec[8*int(i):])
		x = min(x, r[axis], r[4+axis])
	}
	return x
}

// overlap reports whether the boxes of doubles of two primitives over the whole step overlap.
func (s *Space) overlap(rec []float64, v, w []int32) bool {
	p, q := s.inflation(v), s.inflation(w)
	for axis := range 3 {
		a, b := double(rec, v, axis, p), double(rec, w, axis, q)
		if a[0] > b[1] || b[0] > a[1] {
			return false
		}
	}
	return true
}

// double returns the bounds of a primitive along a coordinate axis over the whole step, inflated.
func double(rec []float64, v []int32, axis int, r float64) [2]float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, i := range v {
		x := (*[8]float64)(rec[8*int(i):])
		lo, hi = min(lo, x[axis], x[4+axis]), max(hi, x[axis], x[4+axis])
	}
	if r == 0 {
		return [2]float64{lo, hi}
	}
	return [2]float64{-addUp(-lo, r), addUp(hi, r)}
}

// addUp returns the least double not below a + b, which are at most 1e150 in magnitude.
func addUp(a, b float64) float64 {
	s := a + b
	c := s - a
	e := (a - (s - c)) + (b - c) // exact: [Knuth], 4.2.2
	switch {
	case !(e > 0):
		return s
	case s == 0:
		return math.SmallestNonzeroFloat64
	case s > 0:
		return math.Float64frombits(math.Float64bits(s) + 1)
	}
	return math.Float64frombits(math.Float64bits(s) - 1)
}

func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
