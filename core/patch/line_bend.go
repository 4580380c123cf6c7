package patch

import "math"

// alongLine is how much the straighter direction of a patch may bend, in parts of the one that
// bends most, in a contact along a line.
const alongLine = 0x1p-10

// mostThin is the number of cells after which long thin parts are given up, and the search begins
// again without them. Where they help, a thousand checks suffice; where the patches meet at an end
// of a line after all, or past an edge, they would go on until the budget is spent.
const mostThin = 1024

// bendsAlong returns how much both subpatches of a cell bend along u and v of each, across its
// direction, and how long they are along them: the greatest second differences of the heights of
// the control points on it at the cell's time, scaled to derivatives, and the greatest distances of
// neighbors in the net. Bends of less than noise, what rounding may leave of them, count as none.
func bendsAlong(s *search, k *cell) (bend, size [4]float64, noise float64) {
	for i, id := range [2]int32{k.a, k.b} {
		t := &s.trees[i]
		o, n, f := int(id)*t.stride, t.pad, t.form
		at := func(i, j int) vec {
			x := t.points[o+f.Index(i, j):]
			return vec{x[0], x[n], x[2*n]}.along(k.t0, vec{x[3*n], x[4*n], x[5*n]})
		}
		within := func(i, j int) bool { return i <= f.U && j <= f.V && (f.Shape != Triangle || i+j <= f.U) }
		least := 16 * (t.nodes[id].err + float64(0x1p-50*t.mag))
		noise = max(noise, float64(float64(max(f.U, f.V)*max(f.U, f.V))*least))
		for u := 0; u <= f.U; u++ {
			for v := 0; within(u, v); v++ {
				for d, step := range [2][2]int{{1, 0}, {0, 1}} {
					x, y, degree := u+step[0], v+step[1], float64([2]int{f.U, f.V}[d])
					if !within(x, y) {
						continue
					}
					p, q := at(u, v), at(x, y)
					size[2*i+d] = max(size[2*i+d], float64(degree*q.sub(p).length()))
					if !within(x+step[0], y+step[1]) {
						continue
					}
					rise := math.Abs(k.dir.dot(p) - float64(2*k.dir.dot(q)) + k.dir.dot(at(x+step[0], y+step[1])))
					if rise > least {
						bend[2*i+d] = max(bend[2*i+d], float64(degree*degree*rise))
					}
				}
			}
		}
	}
	return bend, size, noise
}

// meetAlongLine reports whether both patches are straight along one of their parameters, across the
// direction of a cell, next to how they bend along another: a cylinder on a plate, a torus on a
// plate, two rods side by side. Such patches touch along a line, and planes prove long thin parts
// of them apart. A patch is not straight along a parameter in which it is short. The whole patches
// are looked at: parts of a sphere look straight at its pole. Of trimmed patches long thin parts
// are seldom wholly outside of their faces, where nothing has to be proven, so they are not taken
// for such.
func meetAlongLine(s *search, k *cell) bool {
	if s.surf[0].trimming != nil || s.surf[1].trimming != nil {
		return false
	}
	whole := cell{t0: k.t0, dir: k.dir}
	b, size, noise := bendsAlong(s, &whole)
	most := max(b[0], b[1], b[2], b[3])
	straight := func(d, other int) bool { return b[d] <= alongLine*most && size[d] >= 0.125*size[other] }
	return alongLine*most > noise && (straight(0, 1) || straight(1, 0) || s.surf[0].form.Shape == Curve) &&
		(straight(2, 3) || straight(3, 2) || s.surf[1].form.Shape == Curve)
}

// bendOf returns the direction in which a cell bends most, or noBend if none can be halved.
func bendOf(s *search, k *cell) int8 {
	to, most := int8(noBend), 0.0
	bends, _, _ := bendsAlong(s, k)
	for d, x := range bends {
		if id := [2]int32{k.a, k.b}[d/2]; x > most && s.curved.divisible(d/2, id, d%2) {
			to, most = int8(d), x
		}
	}
	return to
}
