package patch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// outside reports whether two places are not both within h of a common point, in every parameter.
func outside(n *adjacency, a, b Form, x *[4]float64) bool {
	h := n.width
	if a.Shape == Triangle || b.Shape == Triangle {
		h *= 2
	}
	if n.same && math.Abs(x[0]-x[2]) <= 2*h && math.Abs(x[1]-x[3]) <= 2*h {
		return false
	}
	for k := range n.edges {
		g := &n.edges[k]
		fa, sa := g.segments[0].distance(a, x[0], x[1])
		fb, sb := g.segments[1].distance(b, x[2], x[3])
		if fa <= h && fb <= h && (g.point || math.Abs(sa-sb) <= 2*h) {
			return false
		}
	}
	return true
}

// selfReference is the reference implementation of the search for self-contact: boxes of swept
// control points in five dimensions, which knows nothing of neighbors but which pairs of points lie
// within h of a common point, and leaves those out.
type selfReference struct {
	reference
	shared adjacency
	a, b   Form
}

// part is a net and its domain.
type referencePart struct {
	*referenceNet
	domain [3][2]float64
}

func (p referencePart) corners() (list [][2]float64) {
	nd := node{domain: p.domain}
	for k := range p.form.cornerCount() {
		list = append(list, nd.corner(k))
	}
	return list
}

// halves cuts the domain as the net was cut: halves of the net along the same direction, which is
// found by trying.
func (p referencePart) halves() (out [2]referencePart) {
	dir := p.referenceNet.longest()
	nets := p.referenceNet.halves()
	from, to := ends(p.form.Shape, dir)
	a, b := p.domain[from], p.domain[to]
	mid := [2]float64{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}
	for h := range out {
		out[h] = referencePart{nets[h], p.domain}
		d := &out[h].domain
		switch {
		case p.form.Shape == Triangle:
			d[[2]int{to, from}[h]] = mid
		case h == 0:
			d[to] = mid
		default:
			d[0] = mid
			for c := range 2 {
				d[3-to][c] += mid[c] - a[c]
			}
		}
	}
	return out
}

// ignores reports whether all pairs of points of two parts lie within h of a common point.
func (w *selfReference) ignores(a, b referencePart) bool {
	for _, p := range a.corners() {
		for _, q := range b.corners() {
			if outside(&w.shared, w.a, w.b, &[4]float64{p[0], p[1], q[0], q[1]}) {
				return false
			}
		}
	}
	return true
}

// clear reports whether all pairs beyond the neighbourhood keep apart over the window, or some come
// within four times the least size of boxes; ok is false if the budget was spent.
func (w *selfReference) clear(a, b referencePart) (clear, ok bool) {
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
	if w.ignores(a, b) {
		return true, true
	}
	if as < w.least && bs < w.least {
		return false, true
	}
	for _, h := range [2][2]float64{{0, 0.5}, {0.5, 1}} {
		c, d := referencePart{a.within(h[0], h[1]), a.domain}, referencePart{b.within(h[0], h[1]), b.domain}
		parts := c.halves()
		if bs > as {
			parts = d.halves()
		}
		for _, p := range parts {
			x, y := p, d
			if bs > as {
				x, y = c, p
			}
			if clear, ok := w.clear(x, y); !clear {
				return false, ok
			}
		}
	}
	return true, true
}

// What is safe is safe for the reference implementation too: before the time of the answer it finds
// no points beyond the neighbourhood that are within the separation.
func TestSelfAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 1))
	var s Solver
	agreed, unsure := 0, 0
	for range 160 {
		c := randomCouple(r)
		if c.a.Form.Points() > 10 {
			continue
		}
		o := DefaultOptions()
		o.MinSeparation = 0.005 + 0.025*r.Float64()
		o.MaxIterations = 3000
		var im Impact
		s.beginNear(c.a, c.b, c.same, 0.25, &o)
		im = joined{&s.selfSearch}.find()
		until := min(im.TOILo, 1)
		if until < 1e-3 || im.Verdict != geom.Separate && r.IntN(2) == 0 {
			continue
		}
		w := selfReference{reference: reference{margin: 1e-9, least: o.MinSeparation / 4, budget: 4000},
			a: c.a.Form, b: c.b.Form}
		w.shared.width = s.adjacency.width
		w.shared.begin(nil, c.a, c.b, c.same)
		clear, ok := w.clear(referencePart{referenceOf(c.a).within(0, until), wholeDomain.domain},
			referencePart{referenceOf(c.b).within(0, until), wholeDomain.domain})
		switch {
		case clear:
			agreed++
		case ok:
			t.Fatalf("%v and %v (same %v): contact before %v", c.a.Form, c.b.Form, c.same, until)
		default:
			unsure++
		}
	}
	t.Logf("%d agreed, %d beyond the reference's budget", agreed, unsure)
	if agreed < 20 {
		t.Errorf("the reference agreed in %d cases only", agreed)
	}
}
