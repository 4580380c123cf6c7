package simd

// close is Close of any number of points, by the kernels of Reach.
func (g *Gap) close(a []float64, padA int, b []float64, padB int) int {
	p, q := &g.sides[0], &g.sides[1]
	n := g.N
	a0, i, a1, ia := p.Along(a, padA, n[0], n[1], n[2], g.T0, g.T1)
	b0, j, b1, ib := q.Along(b, padB, -n[0], -n[1], -n[2], g.T0, g.T1)
	g.A, g.B = int64(i), int64(j)
	if !(-b0-a0-g.Reach > g.Bound) {
		return GapOpen
	}
	t := g.T1
	for range 16 {
		gap := -b1 - a1 - g.Reach
		if gap > g.Bound {
			g.End = t
			if t == g.T1 {
				return GapThrough
			}
			return GapUntil
		}
		speed := -q.Vel[ib] - p.Vel[ia]
		if !(speed < 0) {
			break
		}
		t -= (gap - 2*g.Bound) / speed
		if !(t > g.T0) {
			break
		}
		a1, ia = p.At(padA, t)
		b1, ib = q.At(padB, t)
	}
	g.End = g.T0
	return GapUntil
}
