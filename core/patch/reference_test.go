package patch

import "math"

// reference is the reference implementation of the solver: the traditional method in five
// dimensions ([Chen2024], algorithm 1), with boxes of the swept control points, depth-first, in
// arithmetic of its own. It splits everything in half, widens boxes by a margin far above rounding,
// and says Separate only when every box is apart.
type reference struct {
	separation float64
	margin     float64
	least      float64 // size below which it gives up on a box
	budget     int
}

// net is one patch over a window of time: control points at both ends, homogeneous.
type referenceNet struct {
	form Form
	x    [2][][4]float64
}

func referenceOf(p *Patch) *referenceNet {
	n := p.Form.Points()
	t := &referenceNet{form: p.Form}
	for e, x := range [2][]float64{p.X0, p.X1} {
		t.x[e] = make([][4]float64, n)
		for i := range n {
			w := 1.0
			if p.W != nil {
				w = p.W[i]
			}
			t.x[e][i] = [4]float64{w * x[3*i], w * x[3*i+1], w * x[3*i+2], w}
		}
	}
	return t
}

func mix(a, b [4]float64, s float64) (c [4]float64) {
	for k := range c {
		c[k] = (1-s)*a[k] + s*b[k]
	}
	return c
}

// longest returns the direction in which the net is longest in space.
func (t *referenceNet) longest() (dir int) {
	l := layoutOf(t.form)
	best := -1.0
	for d := range l.dirs {
		for _, row := range l.rows[d] {
			s := 0.0
			for k := 1; k < len(row); k++ {
				a, b := t.x[0][row[k-1]], t.x[0][row[k]]
				s += math.Hypot(math.Hypot(a[0]/a[3]-b[0]/b[3], a[1]/a[3]-b[1]/b[3]), a[2]/a[3]-b[2]/b[3])
			}
			if s > best {
				best, dir = s, d
			}
		}
	}
	return dir
}

// halves splits along that direction.
func (t *referenceNet) halves() (out [2]*referenceNet) {
	l, dir := layoutOf(t.form), t.longest()
	for h := range out {
		out[h] = &referenceNet{form: t.form}
		for e := range 2 {
			y := make([][4]float64, len(t.x[e]))
			for _, row := range l.rows[dir] {
				c := make([][4]float64, len(row))
				for k, i := range row {
					c[k] = t.x[e][i]
				}
				for k := range row {
					last := len(row) - 1 - k
					if h == 0 {
						y[row[k]] = c[0]
					} else {
						y[row[last]] = c[last]
					}
					for j := range last {
						c[j] = mix(c[j], c[j+1], 0.5)
					}
				}
			}
			out[h].x[e] = y
		}
	}
	return out
}

// box returns the box of the patch swept over the window, and its size.
func (t *referenceNet) box() (lo, hi [3]float64, size float64) {
	for k := range 3 {
		lo[k], hi[k] = math.Inf(1), math.Inf(-1)
		for e := range 2 {
			for _, c := range t.x[e] {
				lo[k], hi[k] = min(lo[k], c[k]/c[3]), max(hi[k], c[k]/c[3])
			}
		}
		size = max(size, hi[k]-lo[k])
	}
	return lo, hi, size
}

// within cuts the window to a part of it.
func (t *referenceNet) within(a, b float64) *referenceNet {
	out := &referenceNet{form: t.form}
	for e, s := range [2]float64{a, b} {
		out.x[e] = make([][4]float64, len(t.x[0]))
		for i := range out.x[e] {
			out.x[e][i] = mix(t.x[0][i], t.x[1][i], s)
		}
	}
	return out
}

// apart reports whether the two keep more than the separation (max norm) over their window; ok is
// false if it cannot tell.
func (w *reference) apart(a, b *referenceNet) (apart, ok bool) {
	if w.budget--; w.budget < 0 {
		return false, false
	}
	alo, ahi, as := a.box()
	blo, bhi, bs := b.box()
	for k := range 3 {
		if blo[k]-ahi[k] > w.separation+w.margin || alo[k]-bhi[k] > w.separation+w.margin {
			return true, true
		}
	}
	if as < w.least && bs < w.least {
		return false, false
	}
	for _, h := range [2][2]float64{{0, 0.5}, {0.5, 1}} {
		c, d := a.within(h[0], h[1]), b.within(h[0], h[1])
		parts := c.halves()
		other := d
		if bs > as {
			parts, other = d.halves(), c
		}
		for _, p := range parts {
			x, y := p, other
			if bs > as {
				x, y = other, p
			}
			if apart, ok := w.apart(x, y); !apart {
				return false, ok
			}
		}
	}
	return true, true
}
