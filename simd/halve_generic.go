package simd

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
	y, z, vx, vy, vz = y[:len(x)], z[:len(x)], vx[:len(x)], vy[:len(x)], vz[:len(x)] // one check of an index does for all
	longest := 0.0
	for _, row := range d.rows {
		s0, s1 := 0.0, 0.0
		i := row[0]
		p, v := vec3{x[i], y[i], z[i]}, vec3{vx[i], vy[i], vz[i]}
		for _, j := range row[1:] {
			q, w := vec3{x[j], y[j], z[j]}, vec3{vx[j], vy[j], vz[j]}
			way := minus(q, p)
			s0 += dot(way, way)
			way = plus(way, minus(w, v))
			s1 += dot(way, way)
			p, v = q, w
		}
		longest = max(longest, float64(len(row)-1)*max(s0, s1))
	}
	return longest
}
