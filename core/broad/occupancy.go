package broad

import "math"

// An occupancy is a coarse grid of cells, of which some boxes are in. It reports whether another
// box may overlap one of them.
//
// Law: of a box that does not overlap the cells of any marked box (meets is false), no marked box
// overlaps. Proof. The map from coordinates to the cells of an axis is monotone, because each of
// its roundings is. So if two boxes overlap, their ranges of cells overlap on each axis, hence in a
// cell that both cover. The outermost cells extend without end, so every box covers a cell.
//
// A mark, and a test, take the same time for boxes of any size: marks are differences at the
// corners of the boxes, of which settle makes the number of marked cells before each cell, in all
// three axes.
type occupancy struct {
	lo, inv [3]float64
	last    [3]float64 // the last cell along each axis, at most maxCell
	wide    [3]int     // numbers along each axis: one for each cell, and one more
	sums    []int32
	// beyond, added to the code of a box all of which is in an outermost cell that no marked box
	// covers, makes a high bit.
	beyond cellCode
}

// cellCode is the cells of a box, or of a point: the first cell along each axis in bytes 0 to 2,
// and maxCell less the last in bytes 3 to 5. So the code of a box that holds two others is, byte by
// byte, the least of theirs.
type cellCode uint64

const (
	maxCell           = 127
	highBits cellCode = 0x0000_8080_8080_8080
)

// begin divides the box [lo, hi] into cells of about the size, at most most of them in all, and
// clears the marks.
func (o *occupancy) begin(lo, hi, size [3]float64, most int) {
	var n [3]float64
	for k := range 3 {
		n[k] = min(max(1, (hi[k]-lo[k])/(size[k]+0x1p-1000)), maxCell-1)
	}
	for n[0]*n[1]*n[2] > float64(max(most, 1)) {
		for k := range 3 {
			n[k] = max(1, 0.9*n[k])
		}
	}
	for k := range 3 {
		cells := math.Trunc(n[k])
		// A little less than the cells take, so that hi is in the last but one.
		if o.lo[k], o.inv[k] = lo[k], cells/(hi[k]-lo[k])*(1-0x1p-50); !(o.inv[k] < math.MaxFloat64) {
			cells, o.inv[k] = 1, 0
		}
		o.last[k], o.wide[k] = cells+1, int(cells)+3
	}
	clear(grow(&o.sums, o.wide[0]*o.wide[1]*o.wide[2]))
	o.beyond = 0
}

// code returns the cells of a box.
func (o *occupancy) code(lo, hi *[3]float64) cellCode {
	return o.cell(0, lo[0]) | o.cell(1, lo[1])<<8 | o.cell(2, lo[2])<<16 |
		(maxCell-o.cell(0, hi[0]))<<24 | (maxCell-o.cell(1, hi[1]))<<32 | (maxCell-o.cell(2, hi[2]))<<40
}

// cell returns the cell of a coordinate along an axis.
func (o *occupancy) cell(k int, x float64) cellCode {
	c := float64((x-o.lo[k])*o.inv[k]) + 1
	if c < 0 {
		return 0
	}
	if c > o.last[k] {
		c = o.last[k]
	}
	return cellCode(int64(c))
}

// join returns the code of the least box that holds both.
func (c cellCode) join(d cellCode) cellCode {
	// A byte of c, with a high bit, less one of d keeps the high bit where c is no less. No byte
	// borrows from the next.
	notLess := ((c | highBits) - d) & highBits
	return c ^ (c^d)&(notLess-notLess>>7)
}

// first and end return the range of cells along an axis, without its end.
func (c cellCode) first(k int) int { return int(c >> (8 * k) & 0xff) }
func (c cellCode) end(k int) int   { return maxCell + 1 - int(c>>(24+8*k)&0xff) }

// mark marks the cells of a box, until settle.
func (o *occupancy) mark(c cellCode) {
	nz := o.wide[2]
	z0, z1 := c.first(2), c.end(2)
	add := func(x, y int, d int32) {
		row := o.sums[(x*o.wide[1]+y)*nz:]
		row[z0] += d
		row[z1] -= d
	}
	add(c.first(0), c.first(1), 1)
	add(c.first(0), c.end(1), -1)
	add(c.end(0), c.first(1), -1)
	add(c.end(0), c.end(1), 1)
	o.beyond |= c.outermost(&o.last)
}

// outermost returns a high bit for each axis and side where the box is in an outermost cell.
func (c cellCode) outermost(last *[3]float64) (bits cellCode) {
	for k := range 3 {
		if c.first(k) == 0 {
			bits |= 0x80 << (24 + 8*k)
		}
		if c.end(k) == int(last[k])+1 {
			bits |= 0x80 << (8 * k)
		}
	}
	return bits
}

// settle ends the marks. From then on meets may be called.
func (o *occupancy) settle() {
	o.addUp(false)
	for i, n := range o.sums {
		o.sums[i] = min(n, 1) // marked or not
	}
	o.addUp(true)
	used := o.beyond
	o.beyond = 0
	for k := range 3 {
		if used&(0x80<<(8*k)) == 0 { // no mark in the last cell: a box that begins there is beyond all
			o.beyond |= (maxCell + 1 - cellCode(o.last[k])) << (8 * k)
		}
		if used&(0x80<<(24+8*k)) == 0 { // nor in the first: a box that ends there
			o.beyond |= 1 << (24 + 8*k)
		}
	}
}

// addUp replaces each number by the sum of those before it along each axis, and with it unless
// before is set.
func (o *occupancy) addUp(before bool) {
	nx, ny, nz := o.wide[0], o.wide[1], o.wide[2]
	s := o.sums
	sum := func(from, step, n int) {
		total := int32(0)
		for i, at := 0, from; i < n; i, at = i+1, at+step {
			x := s[at]
			if before {
				s[at] = total
				total += x
			} else {
				total += x
				s[at] = total
			}
		}
	}
	for row := range nx * ny {
		sum(row*nz, 1, nz)
	}
	for x := range nx {
		for z := range nz {
			sum(x*ny*nz+z, nz, ny)
		}
	}
	for yz := range ny * nz {
		sum(yz, ny*nz, nx)
	}
}

// meets reports whether a marked box may overlap a box with this code.
func (o *occupancy) meets(c cellCode) bool {
	if (c+o.beyond)&highBits != 0 {
		return false
	}
	ny, nz := o.wide[1], o.wide[2]
	x0, x1, y0, y1, z0, z1 := c.first(0)*ny, c.end(0)*ny, c.first(1), c.end(1), c.first(2), c.end(2)
	a, b := o.sums[(x1+y1)*nz:], o.sums[(x0+y0)*nz:]
	d, e := o.sums[(x1+y0)*nz:], o.sums[(x0+y1)*nz:]
	return (a[z1]-a[z0])+(b[z1]-b[z0]) != (d[z1]-d[z0])+(e[z1]-e[z0])
}
