package simd

// Net says which control points of a net are the rows along one direction: Bezier curves, each of which is halved when the net is.
type Net struct {
	previous, next [halvePoints]int64   // of the points in their rows; of the first and the last of a row any
	weight         [halvePoints]float64 // of the last point of a row the number of its segments, else 0
	halves         [halveStages][2]uint16
	stages, pad    int64
	rows           [][]int32
	n              int
}

const (
	halvePoints = 16 // the most points for which there are kernels
	halveStages = 16
)

// NewNet prepares the rows of n points, each of which is in one of them. Nets are stored as arrays of pad numbers, a multiple of 8; those beyond n repeat
// the first.
func NewNet(rows [][]int32, n, pad int) *Net {
	d := &Net{rows: rows, n: n, pad: int64(pad)}
	if pad > halvePoints {
		return d
	}
	for _, row := range rows {
		last := len(row) - 1
		d.stages = max(d.stages, int64(last))
		for k, i := range row {
			d.previous[i], d.next[i] = int64(row[max(k-1, 0)]), int64(row[min(k+1, last)])
			for s := 1; s <= last; s++ {
				if k >= s {
					d.halves[s-1][0] |= 1 << i
				}
				if k <= last-s {
					d.halves[s-1][1] |= 1 << i
				}
			}
		}
		d.weight[row[last]] = float64(last)
	}
	for i := n; i < halvePoints; i++ { // as the first
		d.previous[i], d.next[i] = d.previous[0], d.next[0]
		for s := range d.halves {
			for h := range 2 {
				d.halves[s][h] |= (d.halves[s][h] & 1) << i
			}
		}
	}
	return d
}

// Halve halves the rows of src by de Casteljau's scheme: six arrays of pad numbers one after another, as are those of the halves a and b.
//
//	c = a row of src, of n numbers
//	for k := range n {
//		a's row[k], b's row[n-1-k] = c[0], c[n-1-k]
//		for j := range n-1-k {
//			c[j] = 0.5 * (c[j] + c[j+1])
//		}
//	}
//
// AVX2 has no permutation of so many numbers, and takes the reference loop.
func (d *Net) Halve(src, a, b []float64) { halve(d, src, a, b) }

// Longest bounds the square of the length of the longest row of src at the times 0 and 1: for points x y z and what they move by, six arrays as
// above, the number of segments times the sum of their squares.
//
//	for each row
//		s = the sum over its segments, in their order, of the square of the way from one point to the next
//		s' = the same with what they move by added to that way
//		longest = max(longest, segments * max(s, s'))
//
// Squares are (x*x + y*y) + z*z. No sum is fused.
func (d *Net) Longest(src []float64) float64 { return longestRow(d, src) }

// fits reports whether there are kernels for the net, and x has its six arrays.
func (d *Net) fits(x []float64) bool { return d.pad <= halvePoints && len(x) >= 6*int(d.pad) }
