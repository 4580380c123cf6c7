package patch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// couple is two patches that share an edge or a corner, or one patch twice, over a step.
type couple struct {
	a, b *Patch
	same bool
}

// places returns the control points of a form in its own parameters.
func places(f Form) (list [][2]float64) {
	list = make([][2]float64, f.Points())
	for i := 0; i <= f.U; i++ {
		for j := 0; j <= f.V; j++ {
			if f.Shape == Triangle && i+j > f.U {
				break
			}
			list[f.Index(i, j)] = [2]float64{float64(i) / float64(max(f.U, 1)), float64(j) / float64(max(f.V, 1))}
		}
	}
	return list
}

// inner returns a direction that leads from an edge into the domain.
func inner(f Form, b *domainEdge) [2]float64 {
	c := constraints[f.Shape][b.constraint]
	return [2]float64{c[1], c[2]}
}

// bent lifts a plane into space and moves it: a quadratic, noise, an affine map; fold turns what
// lies beyond a line about it.
type bent struct {
	q     [5]float64
	noise float64
}

func (b *bent) lift(r *rand.Rand, x, y, z float64) [3]float64 {
	h := z + b.q[0]*x*x + b.q[1]*x*y + b.q[2]*y*y + b.q[3]*x + b.q[4]*y
	return [3]float64{x + b.noise*r.NormFloat64(), y + b.noise*r.NormFloat64(), h + b.noise*r.NormFloat64()}
}

func bends(r *rand.Rand, much, noise float64) *bent {
	b := &bent{noise: noise}
	for k := range b.q {
		b.q[k] = much * r.NormFloat64()
	}
	return b
}

// gentle returns a patch little bent, whose second place may be mapped and folded: at is where a
// parameter goes in space.
func gentle(r *rand.Rand, f Form, rational float64, bends [2]*bent, at func(e int, p [2]float64) [3]float64) *Patch {
	p := &Patch{Form: f}
	for e := range 2 {
		for _, x := range places(f) {
			y := at(e, x)
			z := bends[e].lift(r, y[0], y[1], y[2])
			if e == 0 {
				p.X0 = append(p.X0, z[:]...)
			} else {
				p.X1 = append(p.X1, z[:]...)
			}
		}
	}
	if rational > 0 {
		for range f.Points() {
			p.W = append(p.W, math.Exp(rational*r.NormFloat64()))
		}
	}
	return p
}

func (p *Patch) set(i int32, q *Patch, j int32, factor float64) {
	copy(p.X0[3*i:3*i+3], q.X0[3*j:])
	copy(p.X1[3*i:3*i+3], q.X1[3*j:])
	if p.W != nil {
		p.W[i] = factor * q.weight(j)
	}
}

// randomCouple makes one of every sort: surfaces and curves, rational or not, edges in either
// sense, corners, collapsed edges.
func randomCouple(r *rand.Rand) couple {
	forms := []Form{
		{Triangle, 1, 1}, {Triangle, 2, 2}, {Triangle, 3, 3}, {Quad, 1, 1}, {Quad, 2, 2}, {Quad, 3, 3}, {Quad, 1, 3},
		{Quad, 3, 2}, {Quad, 5, 5},
	}
	f := forms[r.IntN(len(forms))]
	rational, noise, much := 0.0, 0.1*r.Float64()*r.Float64(), 1.5*r.Float64()
	if r.IntN(3) == 0 {
		rational = 0.3 * r.Float64()
	}
	b := [2]*bent{bends(r, much, noise), bends(r, much, noise)}
	flat := func(_ int, p [2]float64) [3]float64 { return [3]float64{p[0], p[1]} }
	a := gentle(r, f, rational, b, flat)
	la := layoutOf(f)
	if r.IntN(6) == 0 && (rational == 0 || f.Shape == Quad) { // an edge that is a point
		e := f.edges()[r.IntN(len(f.edges()))]
		row := la.edgeRow(&e)
		for _, i := range row {
			a.set(i, a, row[0], 1)
		}
	}
	if r.IntN(4) == 0 {
		return couple{a, a, true}
	}
	if r.IntN(8) == 0 { // a curve along an edge, or from a corner
		row := la.edgeRow(&f.edges()[r.IntN(len(f.edges()))])
		away := func(_ int, p [2]float64) [3]float64 { return [3]float64{-p[0], -0.3, 0.2 * p[0]} }
		c := gentle(r, Form{Curve, len(row) - 1, 0}, rational, b, away)
		for k := range row {
			if k == 0 || r.IntN(2) == 0 {
				c.set(int32(k), a, row[k], 1)
			}
		}
		return couple{a, c, false}
	}
	for {
		g := forms[r.IntN(len(forms))]
		lb := layoutOf(g)
		x, y := f.edges()[r.IntN(len(f.edges()))], g.edges()[r.IntN(len(g.edges()))]
		ra, rb := la.edgeRow(&x), lb.edgeRow(&y)
		if len(ra) != len(rb) || g.Shape == Triangle && collapsed(a, ra) {
			continue
		}
		turned := r.IntN(2) == 0
		p0, p1 := wholeDomain.corner(x.ends[0]), wholeDomain.corner(x.ends[1])
		if turned {
			p0, p1 = p1, p0
		}
		q0, q1 := wholeDomain.corner(y.ends[0]), wholeDomain.corner(y.ends[1])
		da, db := inner(f, &x), inner(g, &y)
		fold := [2]float64{math.Pi * r.Float64(), math.Pi * r.Float64()}
		at := func(e int, p [2]float64) [3]float64 {
			along := [2]float64{q1[0] - q0[0], q1[1] - q0[1]}
			s := ((p[0]-q0[0])*along[0] + (p[1]-q0[1])*along[1]) / (along[0]*along[0] + along[1]*along[1])
			h := ((p[0]-q0[0])*db[0] + (p[1]-q0[1])*db[1]) / (db[0]*db[0] + db[1]*db[1])
			c := h * math.Cos(fold[e])
			return [3]float64{p0[0] + s*(p1[0]-p0[0]) - c*da[0], p0[1] + s*(p1[1]-p0[1]) - c*da[1],
				h * math.Sin(fold[e])}
		}
		c := gentle(r, g, rational, b, at)
		factor := []float64{1, 4, 3}[r.IntN(3)]
		corner := r.IntN(4) == 0
		for k := range rb {
			j := k
			if turned {
				j = len(ra) - 1 - k
			}
			if !corner || k == 0 {
				c.set(rb[k], a, ra[j], factor)
			}
		}
		return couple{a, c, false}
	}
}

// step makes a body of a couple.
func (c *couple) step(t testing.TB) *BodyStep {
	t.Helper()
	list := []*Patch{c.a, c.b}
	if c.same {
		list = list[:1]
	}
	f := &BodyStep{}
	var forms []Form
	var index []int32
	var weights []float64
	for _, p := range list {
		forms = append(forms, p.Form)
		for i := range p.Form.Points() {
			index = append(index, int32(len(f.X0)/3+i))
			weights = append(weights, p.weight(int32(i)))
		}
		f.X0, f.X1 = append(f.X0, p.X0...), append(f.X1, p.X1...)
	}
	body, err := NewBody(len(index), forms, index, weights)
	if err != nil {
		t.Fatal(err)
	}
	f.Body = body
	return f
}

// plant moves the ends of control points that coincide, wherever they are, so that two places meet
// at a time: those that move least.
func (c *couple) plant(x *[4]float64, at float64) {
	type spot struct {
		p *Patch
		i int32
	}
	list := []*Patch{c.a, c.b}
	if c.same {
		list = list[:1]
	}
	groups := map[[6]float64][]spot{}
	var order [][6]float64
	for _, p := range list {
		for i := range int32(p.Form.Points()) {
			k := p.point(i)
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], spot{p, i})
		}
	}
	best, most := [6]float64{}, 0.0
	for _, k := range order {
		effect := 0.0
		for _, g := range groups[k] {
			probe := &Patch{Form: g.p.Form, W: g.p.W, X0: make([]float64, len(g.p.X0)),
				X1: make([]float64, len(g.p.X0))}
			probe.X0[3*g.i], probe.X1[3*g.i] = 1, 1
			if g.p == c.a {
				effect += probe.At(x[0], x[1], 0)[0]
			}
			if g.p == c.b {
				effect -= probe.At(x[2], x[3], 0)[0]
			}
		}
		if math.Abs(effect) > math.Abs(most) {
			best, most = k, effect
		}
	}
	p, q := c.a.At(x[0], x[1], at), c.b.At(x[2], x[3], at)
	for _, g := range groups[best] {
		for k := range 3 {
			g.p.X1[3*int(g.i)+k] += (q[k] - p[k]) / most / at
		}
	}
}
