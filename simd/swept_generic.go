package simd

import "math"

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

// sumUp returns the least double not below a + b: the rounded sum s, or the next double where the error of Knuth's TwoSum is positive, which a
// sum of 0 never has.
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
