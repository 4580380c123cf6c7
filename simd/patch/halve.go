package patch

import "ccd/simd/internal/vec"

// Net says which control points of a net are the rows along one direction: Bezier curves, each of
// which is halved when the net is.
type Net struct {
	previous, next [halvePoints]int64   // the points before and behind each in its row; any point at the ends of a row
	weight         [halvePoints]float64 // the number of segments of a row at its last point, else 0
	halves         [halveStages][2]uint16
	stages, pad    int64
	rows           [][]int32
	n              int
}

const (
	halvePoints = 16 // the most points for which there are kernels
	halveStages = 16
)

// NewNet prepares the rows of n points, each of which is in one of them. Nets are stored as arrays
// of pad numbers, a multiple of 8; those beyond n repeat the first.
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
	for i := n; i < halvePoints; i++ { // Padding repeats the first point.
		d.previous[i], d.next[i] = d.previous[0], d.next[0]
		for s := range d.halves {
			for h := range 2 {
				d.halves[s][h] |= (d.halves[s][h] & 1) << i
			}
		}
	}
	return d
}

// Halve halves the rows of src by de Casteljau's scheme: six arrays of pad numbers one after
// another, as are those of the halves a and b.
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

// Longest bounds the square of the length of the longest row of src at the times 0 and 1: for
// points x y z and what they move by, six arrays as above, the number of segments times the sum of
// their squares.
//
//	for each row
//		s = the sum over its segments, in their order, of the square of the way from one point to
//		    the next
//		s' = the same with what they move by added to that way
//		longest = max(longest, segments * max(s, s'))
//
// Squares are (x*x + y*y) + z*z. No sum is fused.
func (d *Net) Longest(src []float64) float64 { return longestRow(d, src) }

// fits reports whether there are kernels for the net, and x has its six arrays.
func (d *Net) fits(x []float64) bool { return d.pad <= halvePoints && len(x) >= 6*int(d.pad) }

func (d *Net) halveGeneric(src, a, b []float64) {
	pad := int(d.pad)
	for k := range 6 {
		c, p, q := src[k*pad:(k+1)*pad], a[k*pad:(k+1)*pad], b[k*pad:(k+1)*pad]
		for _, row := range d.rows {
			halveRow(row, c, p, q)
		}
		for i := d.n; i < pad; i++ {
			p[i], q[i] = p[0], q[0]
		}
	}
}

// halveRow writes the two halves of one row. The degrees that matter most are written out.
func halveRow(row []int32, src, a, b []float64) {
	switch len(row) {
	case 1:
		a[row[0]], b[row[0]] = src[row[0]], src[row[0]]
	case 2:
		p, q := src[row[0]], src[row[1]]
		m := 0.5 * (p + q)
		a[row[0]], a[row[1]], b[row[0]], b[row[1]] = p, m, m, q
	case 3:
		p, q, r := src[row[0]], src[row[1]], src[row[2]]
		pq, qr := float64(0.5*(p+q)), float64(0.5*(q+r))
		m := 0.5 * (pq + qr)
		a[row[0]], a[row[1]], a[row[2]] = p, pq, m
		b[row[0]], b[row[1]], b[row[2]] = m, qr, r
	case 4:
		p, q, r, s := src[row[0]], src[row[1]], src[row[2]], src[row[3]]
		pq, qr, rs := float64(0.5*(p+q)), float64(0.5*(q+r)), float64(0.5*(r+s))
		pqr, qrs := float64(0.5*(pq+qr)), float64(0.5*(qr+rs))
		m := 0.5 * (pqr + qrs)
		a[row[0]], a[row[1]], a[row[2]], a[row[3]] = p, pq, pqr, m
		b[row[0]], b[row[1]], b[row[2]], b[row[3]] = m, qrs, rs, s
	default:
		var c [halveStages]float64
		n := len(row)
		for k, i := range row {
			c[k] = src[i]
		}
		for k := range n {
			a[row[k]], b[row[n-1-k]] = c[0], c[n-1-k]
			for j := range n - 1 - k {
				c[j] = 0.5 * (c[j] + c[j+1])
			}
		}
	}
}

func (d *Net) longestGeneric(src []float64) float64 {
	pad := int(d.pad)
	at := func(k int) []float64 { return src[k*pad : (k+1)*pad] }
	x, y, z, vx, vy, vz := at(0), at(1), at(2), at(3), at(4), at(5)
	// With equal lengths, the compiler checks one index for all.
	y, z, vx, vy, vz = y[:len(x)], z[:len(x)], vx[:len(x)], vy[:len(x)], vz[:len(x)]
	longest := 0.0
	for _, row := range d.rows {
		s0, s1 := 0.0, 0.0
		i := row[0]
		p, v := vec.Vec3{X: x[i], Y: y[i], Z: z[i]}, vec.Vec3{X: vx[i], Y: vy[i], Z: vz[i]}
		for _, j := range row[1:] {
			q, w := vec.Vec3{X: x[j], Y: y[j], Z: z[j]}, vec.Vec3{X: vx[j], Y: vy[j], Z: vz[j]}
			way := vec.Minus(q, p)
			s0 += vec.Dot(way, way)
			way = vec.Plus(way, vec.Minus(w, v))
			s1 += vec.Dot(way, way)
			p, v = q, w
		}
		longest = max(longest, float64(len(row)-1)*max(s0, s1))
	}
	return longest
}
