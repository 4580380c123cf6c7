package boxed

import "math"

// envelope is the greatest of some lines pos + t vel over [t0, t1], a convex chain: line k is the
// greatest from at[k] to at[k+1] ([Chen2024], section 4.3 and figure 3). It is computed in plain
// doubles and proves nothing by itself: what is cut by it is proven by period.cut.
type envelope struct {
	n            int
	at, pos, vel [maxPoints]float64
}

// build makes the envelope of the lines of a side, which order lists by rising slope: of the
// greatest for sign 1; for sign -1 of the negated ones, whose greatest is the least of them.
func (e *envelope) build(s *side, order []int32, sign, t0, t1 float64) {
	e.n = 0
	for k := range order {
		i := order[k]
		if sign < 0 {
			i = order[len(order)-1-k]
		}
		p, v := float64(sign*s.pos[i]), float64(sign*s.vel[i])
		from := t0
		for e.n > 0 {
			top := e.n - 1
			start := e.at[top]
			if p+float64(v*start) >= e.pos[top]+float64(e.vel[top]*start) {
				e.n-- // no flatter, and no lower where that line begins to lead: it never does
				continue
			}
			from = math.Inf(1)
			if v > e.vel[top] {
				from = max((e.pos[top]-p)/(v-e.vel[top]), start)
			}
			break
		}
		if e.n == 0 {
			from = t0
		}
		if e.n == 0 || from < t1 {
			e.at[e.n], e.pos[e.n], e.vel[e.n] = from, p, v
			e.n++
		}
	}
}

// gapInterval walks along the chains of the upper boundary of one patch and the (negated) lower
// boundary of the other and returns where in [t0, t1] the gap between them exceeds least. It is
// concave, so that is one interval.
func gapInterval(upper, lower *envelope, t0, t1, least float64) (from, to float64, ok bool) {
	i, j, s := 0, 0, t0
	for {
		end := t1
		if i+1 < upper.n {
			end = min(end, upper.at[i+1])
		}
		if j+1 < lower.n {
			end = min(end, lower.at[j+1])
		}
		pos, vel := -lower.pos[j]-upper.pos[i]-least, -lower.vel[j]-upper.vel[i]
		g0, g1 := pos+float64(vel*s), pos+float64(vel*end)
		root := min(max(-pos/vel, s), end) // read only where the sign changes
		switch {
		case !ok && g0 > 0:
			from, to, ok = s, end, true
		case !ok && g1 > 0:
			from, to, ok = root, end, true
		}
		if ok {
			if !(g1 > 0) {
				if g0 > 0 {
					to = root
				}
				return from, to, true
			}
			to = end
		}
		if end >= t1 {
			return from, to, ok
		}
		if i+1 < upper.n && upper.at[i+1] <= end {
			i++
		}
		if j+1 < lower.n && lower.at[j+1] <= end {
			j++
		}
		s = end
	}
}

// bySlope writes the numbers of a side's lines in the order of their slopes. Insertion: there are
// few, often nearly in order.
func bySlope(s *side, order *[maxPoints]int32) []int32 {
	for i := range s.pos {
		k := i
		for k > 0 && s.vel[order[k-1]] > s.vel[i] {
			order[k] = order[k-1]
			k--
		}
		order[k] = int32(i)
	}
	return order[:len(s.pos)]
}
