package box

import "math"

// A SweptSet is some primitives of 1, 2 or 3 vertices each: those of primitive i are
// Verts[Width*i:Width*i+Width], or vertex i where Width is 1.
type SweptSet struct {
	Verts []int32
	Width int
}

// SweptOverlaps writes to out, in order, the pairs (i, j) of a primitive of a and one of b whose
// boxes over the step overlap, and returns their number. rec holds {x0 y0 z0 0 x1 y1 z1 0} of each
// vertex; the box of a primitive is that of its vertices at both ends, in doubles. Box i of pair k
// is inflated by grow[k][0] >= 0, box j by grow[k][1], each bound to the nearest double that is not
// inside the true one; no box is inflated if grow is nil. Coordinates are finite, and so are their
// sums with grow, which is below math.MaxFloat64. The widths are 1 and 3, 2 and 2, 1 and 2, or 1
// and 1.
//
//	for k, p := range pairs {
//		x, y := box(a, p[0]).Inflate(grow[k][0]), box(b, p[1]).Inflate(grow[k][1])
//		if x.min <= y.max && y.min <= x.max on all axes { out[n] = p; n++ }
//	}
//
// out must hold len(pairs) and may be pairs itself.
func SweptOverlaps(rec []float64, a, b SweptSet, grow [][2]float64, pairs, out [][2]int32) int {
	out = out[:len(pairs)]
	if grow != nil {
		grow = grow[:len(pairs)]
	}
	if len(pairs) == 0 {
		return 0
	}
	return swept(rec, a, b, grow, pairs, out)
}

func sweptGeneric(rec []float64, a, b SweptSet, grow [][2]float64, pairs, out [][2]int32) int {
	n := 0
	for k, p := range pairs {
		x, y := a.box(rec, p[0]), b.box(rec, p[1])
		if grow != nil {
			for axis := range 3 {
				x[axis], x[3+axis] = sumUp(x[axis], grow[k][0]), sumUp(x[3+axis], grow[k][0])
				y[axis], y[3+axis] = sumUp(y[axis], grow[k][1]), sumUp(y[3+axis], grow[k][1])
			}
		}
		out[n] = p
		if -x[0] <= y[3] && -x[1] <= y[4] && -x[2] <= y[5] && -y[0] <= x[3] && -y[1] <= x[4] && -y[2] <= x[5] {
			n++
		}
	}
	return n
}

// box returns the box of primitive i: the negative minima, and the maxima.
func (s *SweptSet) box(rec []float64, i int32) (x [6]float64) {
	for j := range s.Width {
		v := i
		if s.Width > 1 {
			v = s.Verts[s.Width*int(i)+j]
		}
		r := (*[8]float64)(rec[8*int(v):])
		for k := range 3 {
			lo, hi := -r[k], r[k]
			if -r[4+k] > lo {
				lo = -r[4+k]
			}
			if r[4+k] > hi {
				hi = r[4+k]
			}
			if j == 0 || lo > x[k] {
				x[k] = lo
			}
			if j == 0 || hi > x[3+k] {
				x[3+k] = hi
			}
		}
	}
	return x
}

// sumUp returns the least double not below a + b: the rounded sum s, or the next double where the
// error of Knuth's TwoSum is positive, which a sum of 0 never has. The error is exact where the sum
// is finite and |b| below math.MaxFloat64 (num.TwoSum of core has the proof).
func sumUp(a, b float64) float64 {
	s := a + b
	t := s - a
	if (a-(s-t))+(b-t) > 0 {
		step := int64(1)
		if s < 0 {
			step = -1
		}
		s = math.Float64frombits(uint64(int64(math.Float64bits(s)) + step))
	}
	return s
}
