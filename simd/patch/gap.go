package patch

// Gap compares two sets of points that move linearly, along a direction: the query, and the result of Close.
type Gap struct {
	N            [3]float64
	T0, T1       float64
	Reach, Bound float64 // the bound is positive
	End          float64
	A, B         int64
	sides        [2]Reach
}

// What Close finds of the gap.
const (
	GapOpen    = iota // it does not exceed the bound at T0
	GapUntil          // it does from T0 to End
	GapThrough        // it does from T0 to T1
)

// gapPoints is the most points of a set for which Close is one kernel.
const gapPoints = 16

// Close finds how long the gap between two sets of points along N exceeds the bound, from T0 to T1 at most. Points are as those of
// Reach.Along. A and B are the points of the sets that are nearest to each other at T0.
//
// The gap is the least of finitely many lines: if it exceeds the bound at T0 and at End, it does between them. Newton's method from the right ends at
// the zero of such a function in finitely many steps; here at twice the bound, so that rounding does not spoil the proof at End.
//
//	gap(t) = -(the greatest -N.b + t*(-N.vb)) - (the greatest N.a + t*N.va) - Reach
//
//	if !(gap(T0) > Bound) return GapOpen
//	t = T1
//	at most 16 times:
//		if gap(t) > Bound, End = t; return GapThrough if t = T1, else GapUntil
//		speed = the derivative of gap, of the least points that have the greatest
//		if !(speed < 0), leave
//		t -= (gap(t) - 2*Bound) / speed
//		if !(t > T0), leave
//	End = T0; return GapUntil
func (g *Gap) Close(a []float64, padA int, b []float64, padB int) int {
	return gap(g, a, padA, b, padB)
}

func gapFits(x []float64, pad int) bool { return (pad == 8 || pad == gapPoints) && len(x) >= 6*pad }

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
