package meshfile

import (
	"math"
	"slices"

	"ccd/core/status"
)

// MostWeldBits is the largest tolerance of Weld.
const MostWeldBits = 48

// Weld finds the vertices that are copies of an earlier one, as writers make them that give each
// element points of its own. It returns, for each vertex of x (row-major, n x 3 doubles), the
// number of its place, and the number of places; places are numbered in the order of their first
// vertex.
//
// A vertex is a copy of the first vertex of a place if no coordinate differs by more than 2^bits -
// 1 units in the last place of the largest coordinate; of single precision where all coordinates
// are exact in it, since a file then has no finer ones. So bits 0 asks for equal coordinates, and 2
// allows the last two bits to differ. A place is that of its first vertex alone: chains of copies
// do not grow.
func Weld(x []float64, bits int) (places []int32, n int, err error) {
	if bits < 0 || bits > MostWeldBits {
		return nil, 0, status.Errorf(status.ErrArgument, "bits is %d: must be in [0, %d]", bits, MostWeldBits)
	}
	if len(x)%3 != 0 {
		return nil, 0, status.Errorf(status.ErrArgument, "x has %d coordinates: not a multiple of 3", len(x))
	}
	if err := finite(x); err != nil {
		return nil, 0, err
	}
	unit := unitOf(x)
	w := weld{known: make(map[[3]float64]int32)}
	if bits > 0 {
		w.tolerance, w.width = float64(uint64(1)<<bits-1)*unit, float64(uint64(1)<<bits)*unit
	}
	places = make([]int32, len(x)/3)
	for i := range places {
		places[i] = w.place([3]float64(x[3*i:]))
	}
	return places, len(w.next), nil
}

// finite returns an error that names the first coordinate of n x 3 that is not finite.
func finite(x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return status.Errorf(status.ErrNonFinite, "x[%d][%d] is %v: not finite", i/3, i%3, v)
		}
	}
	return nil
}

// unitOf returns the unit in the last place of the largest coordinate: a power of two, or 0 where
// all coordinates are 0.
func unitOf(x []float64) float64 {
	largest, digits := 0.0, 23
	for _, v := range x {
		largest = max(largest, math.Abs(v))
		if float64(float32(v)) != v {
			digits = 52
		}
	}
	if largest == 0 {
		return 0
	}
	_, e := math.Frexp(largest) // largest is in [2^(e-1), 2^e), where doubles are 2^(e-1-52) apart
	return math.Ldexp(1, max(e-1-digits, -1074))
}

// weld is the places so far: the coordinates of their first vertices, and lists of them by cells of
// a grid. The cells are a power of two wide, not less than the tolerance, so the numbers of cells
// are exact, and a vertex and its copy are in the same cell or in neighbors. Where the tolerance is
// 0 the cell is the coordinates themselves.
type weld struct {
	tolerance, width float64
	first            []float64
	next             []int32 // next is for each place 1 + the next of its cell, or 0.
	known            map[[3]float64]int32
}

// place returns the place of a vertex, a new one where it is no copy.
func (w *weld) place(p [3]float64) int32 {
	cell, reach := p, 0.0
	if w.tolerance > 0 {
		reach = 1
		for k := range cell {
			cell[k] = math.Floor(p[k] / w.width)
		}
	}
	if at := w.near(p, cell, reach); at >= 0 {
		return at
	}
	at := int32(len(w.next))
	w.first, w.next = append(w.first, p[:]...), append(w.next, w.known[cell])
	w.known[cell] = at + 1
	return at
}

// near returns the first of the places within the tolerance of p, or -1.
func (w *weld) near(p, cell [3]float64, reach float64) int32 {
	found := int32(-1)
	var d [3]float64
	for d[0] = -reach; d[0] <= reach; d[0]++ {
		for d[1] = -reach; d[1] <= reach; d[1]++ {
			for d[2] = -reach; d[2] <= reach; d[2]++ {
				at := w.known[[3]float64{cell[0] + d[0], cell[1] + d[1], cell[2] + d[2]}] - 1
				for ; at >= 0; at = w.next[at] - 1 {
					if (found < 0 || at < found) && w.within(p, at) {
						found = at
					}
				}
			}
		}
	}
	return found
}

// within reports whether p is a copy of the first vertex of a place.
func (w *weld) within(p [3]float64, at int32) bool {
	for k, v := range w.first[3*at : 3*at+3] {
		if math.Abs(p[k]-v) > w.tolerance {
			return false
		}
	}
	return true
}

// copies returns how many vertices are at the very place of an earlier one, if that is worth the
// time to look.
func copies(x []float64, look bool) (n int) {
	if !look {
		return 0
	}
	order := make([]int32, len(x)/3)
	for i := range order {
		order[i] = int32(i)
	}
	compare := func(a, b int32) int { return slices.Compare(x[3*a:3*a+3], x[3*b:3*b+3]) }
	slices.SortFunc(order, compare)
	for i := 1; i < len(order); i++ {
		if compare(order[i-1], order[i]) == 0 {
			n++
		}
	}
	return n
}

// noteCopies says of a file whether vertices are copies of others, exactly or within some units in
// the last place, where few vertices are in two elements: the elements have so many corners, and so
// many vertices are in them. Of others the search would take time for nothing: in a mesh whose
// elements share their vertices each is in several.
func (b *Beside) noteCopies(x []float64, corners, used int) {
	if corners >= 2*used {
		return
	}
	places, n, err := Weld(x, usualWeldBits)
	if err != nil || n == len(places) {
		return
	}
	const remedy = "Weld them, or the mesh is in contact with itself."
	if corners == used {
		b.note("Each element has points of its own: %d points at %d places. "+remedy, len(places), n)
		return
	}
	b.note("Of %d points %d are copies of others. "+remedy, len(places), len(places)-n)
}

// usualWeldBits is what the copies of writers differ in at most: the last bit of a product that one
// rounds before a sum and another does not, and the next.
const usualWeldBits = 2
