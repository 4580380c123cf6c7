package ccdtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
	"ccd/core/reference/boxed"
)

// PatchPair is a query between two patches, made from a seed.
type PatchPair struct {
	A, B    *patch.Patch
	Options patch.Options
}

// patchForms are what pairs are made of.
var patchForms = []patch.Form{
	{Shape: patch.Curve}, {Shape: patch.Curve, U: 1}, {Shape: patch.Curve, U: 3}, {Shape: patch.Triangle, U: 1, V: 1},
	{Shape: patch.Triangle, U: 2, V: 2},
	{Shape: patch.Triangle, U: 4, V: 4}, {Shape: patch.Quad, U: 1, V: 1}, {Shape: patch.Quad, U: 2, V: 2},
	{Shape: patch.Quad, U: 3, V: 3},
	{Shape: patch.Quad, U: 4, V: 2}, {Shape: patch.Quad, U: 9, V: 9},
}

// RandomPatchPair makes patches at random, that meet, that rest in contact or move alike, that are
// flat, or parts of one surface; of weights near to each other or far apart; of any size, and far
// from the origin.
func RandomPatchPair(seed uint64) *PatchPair {
	r := rand.New(rand.NewPCG(seed, 9))
	a := randomPatch(r, patchForms[r.IntN(len(patchForms))])
	b := randomPatch(r, patchForms[r.IntN(len(patchForms))])
	when := r.Float64()
	switch r.IntN(8) {
	case 0:
	case 1, 2: // they meet at a time
		touch(r, a, b, when)
	case 3: // The patches are at rest, or move alike, from a contact on.
		touch(r, a, b, 0)
		by := [3]float64{r.NormFloat64(), r.NormFloat64(), float64(r.IntN(2))}
		for _, p := range []*patch.Patch{a, b} {
			for i := range p.X1 {
				p.X1[i] = p.X0[i] + by[i%3]*float64(r.IntN(2)&1)
			}
		}
	case 4: // planes
		for i := 2; i < len(a.X0); i += 3 {
			a.X0[i], a.X1[i] = 1, -1
		}
		for i := 2; i < len(b.X0); i += 3 {
			b.X0[i], b.X1[i] = 0, 0
		}
	case 5: // apart by less than a separation, moving apart or together
		touch(r, a, b, 0)
		for i := range b.X0 {
			b.X0[i] += 0.01 * float64(i%3)
		}
	default: // a part of the same surface, from above
		b = PartOfPatch(r, a)
		for i := range b.X0 {
			b.X0[i] += []float64{0.1 * r.Float64(), 0, 3}[i%3] * float64(min(1, i%3))
			b.X1[i] = b.X1[i] - float64(i%3/2)
		}
	}
	by, shift := math.Ldexp(1, []int{0, 0, 0, -200, 60}[r.IntN(5)]), []float64{0, 0, 1e6}[r.IntN(3)]
	m := by
	for _, p := range []*patch.Patch{a, b} {
		for _, x := range [2][]float64{p.X0, p.X1} {
			for i := range x {
				x[i] = (x[i] + shift*float64(i%3-1)) * by
				m = max(m, math.Abs(x[i])-shift*by)
			}
		}
	}
	o := patch.DefaultOptions()
	o.Tolerance, o.MaxIterations = math.Pow(10, -1-11*r.Float64())*m, int64(1+r.IntN(3000))
	o.TMax = []float64{1, 1, r.Float64()}[r.IntN(3)]
	if r.IntN(3) == 0 {
		o.MinSeparation = 0.2 * r.Float64() * m
	}
	for _, f := range []uint32{narrow.MaxNorm, narrow.NoZeroTOI} {
		if r.IntN(3) == 0 {
			o.Flags |= f
		}
	}
	if r.IntN(8) == 0 {
		o.Search = boxed.Options{Traditional: r.IntN(2) == 1}
		o.MaxIterations = min(o.MaxIterations, 500)
	}
	return &PatchPair{a, b, o}
}

// Check solves the pair and returns the result, and an error if it breaks law 9.
func (c *PatchPair) Check(s *patch.Solver) (im patch.Impact, err error) {
	if err = s.Solve(c.A, c.B, &c.Options, &im); err != nil {
		return im, err
	}
	return im, CheckPatchContact(c.A, c.B, &c.Options, &im)
}

func randomPatch(r *rand.Rand, f patch.Form) *patch.Patch {
	n := f.Points()
	p := &patch.Patch{Form: f}
	for range 3 * n {
		p.X0, p.X1 = append(p.X0, 2*r.Float64()-1), append(p.X1, 2*r.Float64()-1)
	}
	if spread := []float64{0, 0, 1, 1, 12}[r.IntN(5)]; spread > 0 {
		for range n {
			p.W = append(p.W, math.Pow(10, spread*r.Float64()))
		}
	}
	return p
}

// touch moves b so that it touches a at a time, at random places of both.
func touch(r *rand.Rand, a, b *patch.Patch, t float64) {
	var x [2][3]float64
	for i, p := range []*patch.Patch{a, b} {
		u, v := r.Float64(), r.Float64()
		if p.Form.Shape == patch.Triangle && u+v > 1 {
			u, v = 1-u, 1-v
		}
		x[i] = p.At(u, v, t)
	}
	for i := range b.X0 {
		b.X0[i] += x[0][i%3] - x[1][i%3]
		b.X1[i] += x[0][i%3] - x[1][i%3]
	}
}

// PartOfPatch is a copy of a patch, or of a half of it, and raised by a degree where it can be: the
// same surface by another net, but for rounding. Weights are left out, with their surface, where
// there are any and it is raised or halved.
func PartOfPatch(r *rand.Rand, p *patch.Patch) *patch.Patch {
	q := &patch.Patch{Form: p.Form, X0: slices.Clone(p.X0), X1: slices.Clone(p.X1), W: slices.Clone(p.W)}
	if p.Form.Shape != patch.Quad {
		return q
	}
	if r.IntN(2) == 0 {
		q.W = nil
		for _, x := range [2][]float64{q.X0, q.X1} {
			lowerHalf(x, p.Form)
		}
	}
	if p.Form.U < patch.MaxDegree && r.IntN(2) == 0 {
		q.W = nil
		q.X0, q.X1 = raised(q.X0, p.Form), raised(q.X1, p.Form)
		q.Form.U++
	}
	return q
}

// lowerHalf restricts a quad's net to u <= 1/2, by the scheme of de Casteljau.
func lowerHalf(x []float64, f patch.Form) {
	for n := 1; n <= f.U; n++ {
		for i := f.U; i >= n; i-- {
			for k := range 3 * (f.V + 1) {
				x[3*f.Index(i, 0)+k] = 0.5 * (x[3*f.Index(i, 0)+k] + x[3*f.Index(i-1, 0)+k])
			}
		}
	}
}

// raised is a quad's net with the degree in u one higher.
func raised(x []float64, f patch.Form) (y []float64) {
	row := 3 * (f.V + 1)
	for i := range f.U + 2 {
		for k := range row {
			s := 0.0
			if i > 0 {
				s += float64(float64(i) * x[(i-1)*row+k])
			}
			if i <= f.U {
				s += float64(float64(f.U+1-i) * x[i*row+k])
			}
			y = append(y, s/float64(f.U+1))
		}
	}
	return y
}

// PatchScene is two sheets of patches that move at random over a step, made from a seed.
type PatchScene struct {
	Sheets  [2]patch.BodyStep
	Options patch.Options
	patches [2][]*patch.Patch
}

// RandomPatchScene makes sheets of quads, polynomial or rational, or NURBS; the first may fold so
// that it meets itself.
func RandomPatchScene(seed uint64) *PatchScene {
	r := rand.New(rand.NewPCG(seed, 10))
	c := &PatchScene{Options: patch.DefaultOptions()}
	for i := range c.Sheets {
		c.sheet(r, i)
	}
	o := &c.Options
	o.Tolerance, o.MaxIterations = math.Pow(10, -2-7*r.Float64()), 2000
	if r.IntN(3) == 0 {
		o.MinSeparation = 0.02 * r.Float64()
		o.Flags = []uint32{0, narrow.MaxNorm}[r.IntN(2)]
	}
	return c
}

func (c *PatchScene) sheet(r *rand.Rand, i int) {
	u, v, nu, nv := 1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(2), 1+r.IntN(3)
	mu, mv := nu*u+1, nv*v+1
	nurbs := r.IntN(3) == 0
	if nurbs {
		mu, mv = u+nu, v+nv
	}
	rough, fold := 0.3*r.Float64(), float64(i^1)*3*r.Float64()*float64(r.IntN(2))
	var x0, x1 []float64
	for j := range mu * mv {
		s, t := float64(j/mv)/float64(mu-1), float64(j%mv)/float64(mv-1)
		z := 0.6*float64(i) + rough*r.NormFloat64()
		x0 = append(x0, s, t, z)
		angle := fold * s
		x1 = append(x1, s*math.Cos(angle)+0.1*r.NormFloat64(), t,
			z+s*math.Sin(angle)-1.2*float64(i)+0.1*r.NormFloat64())
	}
	var weights []float64
	rational := r.IntN(3) == 0
	var body *patch.Body
	var err error
	if nurbs {
		n := &patch.NURBS{U: u, V: v, KnotsU: knots(r, u, mu), KnotsV: knots(r, v, mv)}
		for range mu * mv {
			if rational {
				n.W = append(n.W, 0.5+r.Float64())
			}
		}
		if body, err = patch.NewNURBS(n); err == nil {
			c.patches[i], _, err = n.Bezier(x0, x1)
		}
	} else {
		var forms []patch.Form
		var index []int32
		for k := range nu * nv {
			f := patch.Form{Shape: patch.Quad, U: u, V: v}
			p := &patch.Patch{Form: f}
			for j := range f.Points() {
				at := (k/nv*u+j/(v+1))*mv + k%nv*v + j%(v+1)
				index = append(index, int32(at))
				p.X0, p.X1 = append(p.X0, x0[3*at:3*at+3]...), append(p.X1, x1[3*at:3*at+3]...)
				if rational {
					weights = append(weights, 1+0.5*math.Sin(float64(at)))
					p.W = append(p.W, weights[len(weights)-1])
				}
			}
			forms, c.patches[i] = append(forms, f), append(c.patches[i], p)
		}
		body, err = patch.NewBody(mu*mv, forms, index, weights)
	}
	if err != nil {
		panic(err)
	}
	c.Sheets[i] = patch.BodyStep{Body: body, X0: x0, X1: x1}
}

// knots are clamped, at random places between.
func knots(r *rand.Rand, degree, points int) (k []float64) {
	for i := range points + degree + 1 {
		k = append(k, min(max(float64(i-degree), 0), float64(points-degree)))
		if i > degree && i < points {
			k[i] += 0.3 * r.Float64()
		}
	}
	return k
}

// Check makes every call on the sheets, and on the first against itself, and returns how many
// contacts there were and what breaks law 9.
func (c *PatchScene) Check(s *patch.Scene) (contacts int, err error) {
	a, b, o := &c.Sheets[0], &c.Sheets[1], &c.Options
	check := func(call string, list []patch.Impact, second int, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", call, err)
		}
		for i := range list {
			im := &list[i]
			if im.Verdict != geom.Contact {
				continue
			}
			contacts++
			if err := CheckPatchContact(c.patches[0][im.A], c.patches[second][im.B], o, im); err != nil {
				return fmt.Errorf("%s, patches %d and %d: %w", call, im.A, im.B, err)
			}
		}
		return nil
	}
	im, err := s.Earliest(a, b, o)
	if err = check("Earliest", []patch.Impact{im}, 1, err); err != nil {
		return contacts, err
	}
	list, err := s.Collisions(a, b, o)
	if err = check("Collisions", list, 1, err); err != nil {
		return contacts, err
	}
	list, err = s.Manifold(a, b, 0.01, 0.1, o)
	if err = check("Manifold", list, 1, err); err != nil {
		return contacts, err
	}
	im, _, err = s.SelfEarliest(a, 0.125, o)
	if err = check("SelfEarliest", []patch.Impact{im}, 0, err); err != nil {
		return contacts, err
	}
	list, _, err = s.SelfCollisions(a, 0.125, o)
	if err = check("SelfCollisions", list, 0, err); err != nil {
		return contacts, err
	}
	list, _, err = s.SelfManifold(a, 0.01, 0.1, 0.125, o)
	return contacts, check("SelfManifold", list, 0, err)
}
