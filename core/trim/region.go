package trim

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/status"
)

// Region is the part of a plane that closed loops enclose. It does not change, and goroutines may
// share it. A region without loops is the whole plane.
type Region struct {
	corners   [][2]float64 // the corners of all loops; the first of a loop is repeated at its end
	runs      [][2]int32   // the segments of a leaf begin at corners [from, to) of one loop
	levels    [][]box      // boxes of the leaves, of pairs of leaves, of pairs of these, up to one
	tolerance [2]float64
}

// box is a rectangle with sides along the axes: least and greatest x, least and greatest y.
type box struct{ lo, hi [2]float64 }

// segmentsPerLeaf is how many segments are compared one by one.
const segmentsPerLeaf = 4

// New makes a region. counts has the number of corners of each loop, at least 3; corners has the
// corners of all loops. Each loop is closed: its last corner is joined to its first. tolerance is a
// length along each axis.
func New(corners [][2]float64, counts []int32, tolerance [2]float64) (*Region, error) {
	for k, t := range tolerance {
		if !(t >= 0 && t <= geom.MaxCoordinate) {
			return nil, status.Errorf(status.ErrArgument, "tolerance[%d] is %v: must be 0 or more", k, t)
		}
	}
	r := &Region{tolerance: tolerance}
	at := 0
	for i, n := range counts {
		if n < 3 {
			return nil, status.Errorf(status.ErrArgument, "loop %d has %d corners: must have 3 or more", i, n)
		}
		if int(n) > len(corners)-at {
			return nil, status.Errorf(status.ErrArgument, "loop %d has %d corners: only %d are left",
				i, n, len(corners)-at)
		}
		loop := corners[at : at+int(n)]
		for j, c := range loop {
			if !(math.Abs(c[0]) <= geom.MaxCoordinate && math.Abs(c[1]) <= geom.MaxCoordinate) {
				return nil, fmt.Errorf("loop %d: corner %d is (%v, %v): %w", i, j, c[0], c[1], status.ErrNonFinite)
			}
		}
		r.add(loop)
		at += int(n)
	}
	if at != len(corners) {
		return nil, status.Errorf(status.ErrArgument, "%d corners: the loops need %d", len(corners), at)
	}
	r.build()
	return r, nil
}

// add appends a loop and its leaves.
func (r *Region) add(loop [][2]float64) {
	first := len(r.corners)
	r.corners = append(append(r.corners, loop...), loop[0])
	for from := first; from < len(r.corners)-1; from += segmentsPerLeaf {
		r.runs = append(r.runs, [2]int32{int32(from), int32(min(from+segmentsPerLeaf, len(r.corners)-1))})
	}
}

// build makes the boxes of the tree.
func (r *Region) build() {
	leaves := make([]box, len(r.runs))
	for i, run := range r.runs {
		b := box{r.corners[run[0]], r.corners[run[0]]}
		for _, c := range r.corners[run[0]+1 : run[1]+1] {
			b = b.join(box{c, c})
		}
		leaves[i] = b
	}
	r.levels = [][]box{leaves}
	for below := leaves; len(below) > 1; {
		above := make([]box, (len(below)+1)/2)
		for i := range above {
			if above[i] = below[2*i]; 2*i+1 < len(below) {
				above[i] = above[i].join(below[2*i+1])
			}
		}
		r.levels = append(r.levels, above)
		below = above
	}
}

func (b box) join(c box) box {
	for k := range 2 {
		b.lo[k], b.hi[k] = min(b.lo[k], c.lo[k]), max(b.hi[k], c.hi[k])
	}
	return b
}

// Whole reports whether the region is the whole plane.
func (r *Region) Whole() bool { return len(r.runs) == 0 }

// Bounds returns the least box around the loops.
func (r *Region) Bounds() (lo, hi [2]float64) {
	if r.Whole() {
		inf := math.Inf(1)
		return [2]float64{-inf, -inf}, [2]float64{inf, inf}
	}
	top := r.levels[len(r.levels)-1][0]
	return top.lo, top.hi
}

// Tolerance returns the tolerance along each axis.
func (r *Region) Tolerance() [2]float64 { return r.tolerance }

// visit calls leaf for each leaf, until it returns false; it passes over those of which enter
// returns false for a box around them.
func (r *Region) visit(enter func(b *box) bool, leaf func(corners [][2]float64) bool) bool {
	if r.Whole() {
		return true
	}
	return r.visitBelow(len(r.levels)-1, 0, enter, leaf)
}

func (r *Region) visitBelow(level, at int, enter func(b *box) bool, leaf func(corners [][2]float64) bool) bool {
	if at >= len(r.levels[level]) || !enter(&r.levels[level][at]) {
		return true
	}
	if level == 0 {
		run := r.runs[at]
		return leaf(r.corners[run[0] : run[1]+1])
	}
	return r.visitBelow(level-1, 2*at, enter, leaf) && r.visitBelow(level-1, 2*at+1, enter, leaf)
}

// Compare orders regions by their loops and tolerances.
func (r *Region) Compare(q *Region) int {
	if r == q {
		return 0
	}
	a, b := r.numbers(), q.numbers()
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return len(a) - len(b)
}

// numbers lists all that a region is made of.
func (r *Region) numbers() []float64 {
	list := []float64{r.tolerance[0], r.tolerance[1]}
	for _, run := range r.runs {
		list = append(list, float64(run[0]), float64(run[1]))
	}
	for _, c := range r.corners {
		list = append(list, c[0], c[1])
	}
	return list
}
