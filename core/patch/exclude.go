package patch

import "math"

// An exclusion is a proof that in a box of parameters there is no contact before a time: what lets the search stop early
// around a contact that is known, whatever the tolerance.
//
// Let x*, t* be an incumbent with multiplier lambda, e1 and e2 two directions across F_t, and over a box B of parameters
// around x* and the times from tlo to t*
//
//	psi = lambda.F + mu/2 ((e1.F)^2 + (e2.F)^2).
//
// At a contact psi = 0. The proof shows psi > 0 on B for t < t* - late:
//
//  1. For each variable at an edge of its domain psi rises inwards over all of B and all times. So psi at a place is at
//     least that at the place on the edge: only the face where these variables are as at x* matters.
//  2. On that face the Hessian of psi by the other, free, variables is positive definite. So psi is convex there and lies
//     above its tangent at x*: psi(x) >= psi(x*) + grad.dx.
//  3. With tau = t* - t: psi(x*) >= lambda.F(x*,t*) + kappa tau, kappa = -lambda.F_t(x*), near 1; the gradient's i-th entry is
//     a_i - tau b_i + mu sum_k (p_k - tau q_k) (e_k.F_i), where a_i = lambda.F_i, b_i = lambda.F_it, p_k = e_k.F, q_k = e_k.F_t,
//     all at x*, t*; a_i, p_k, q_k are nearly 0. So psi >= tau (kappa - turn) - rest with
//     turn = sum_i r_i (|b_i| + mu sum_k |q_k| |e_k.F_i|), rest = |lambda.F| + sum_i r_i (|a_i| + mu sum_k |p_k| |e_k.F_i|),
//     r_i the reach of the box in variable i: positive when tau > late = rest / (kappa - turn).
//
// lambda, e1, e2 and mu are whatever doubles they are; values carry their bounds, and all else is computed in spans. Contacts
// inside, at edges and at corners of either patch need no cases. Variables of a triangle held by u + v = 1 are changed to
// ones that are distances from the edges, so that every constraint met bounds one variable.
type exclusion struct {
	axes [2][2][3]float64 // variable i of patch p is axes[p][i] . (1, u, v)
	box  [4]span
	t    float64
}

// What a variable may do.
const (
	free   = iota
	up     // at its least value
	down   // at its greatest
	absent // curves have no v
)

// holds tells whether a node's domain lies in the box's part of patch p.
func (e *exclusion) holds(p int, t *tree, nd *node) bool {
	n := 3
	if t.form.Shape == Curve {
		n = 2
	}
	for i := range 2 {
		a, b := &e.axes[p][i], e.box[2*p+i]
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, c := range nd.domain[:n] {
			x := a[0] + float64(a[1]*c[0]) + float64(a[2]*c[1])
			lo, hi = min(lo, x), max(hi, x)
		}
		if lo < b.lo || hi > b.hi {
			return false
		}
	}
	return true
}

// excluded tells whether a cell has no contact before the time of an exclusion.
func (s *Solver) excluded(c *cell) bool {
	a, b := &s.trees[0].nodes[c.a], &s.trees[1].nodes[c.b]
	for i := range s.excl {
		if s.excl[i].holds(0, &s.trees[0], a) && s.excl[i].holds(1, &s.trees[1], b) {
			return true
		}
	}
	return false
}

// proof is the scratch of one attempt.
type proof struct {
	exclusion
	does     [4]int
	dir      [4][2]float64 // how u, v change with the variable
	dx       [4]span
	frame    [3]vec // e1, e2, lambda
	weight   [3]float64
	second   [4][4][3]span // F_ij in the frame, over the box and the times
	first    [4][3]span    // F_i in the frame, over the same
	turn     [4]span       // lambda.F_it at x*
	at       [4]span       // lambda.F_i at x*, t*
	across   [2]span       // e_k.F over the box and the times
	from, to float64
	stray    [2]float64 // |p_k|
	drift    [2]float64 // |q_k|
	value    span       // lambda.F at x*, t*
	kappa    float64    // lower bound
}

// exclude tries to prove that a box of half the width rho around the incumbent holds no contact before it, from tlo on.
func (s *Solver) exclude(in *incumbent, tlo, rho float64) bool {
	p := &s.proof
	ft, ok := in.forward(s)
	if !ok || in.lambda.most() > 0x1p40 {
		return false
	}
	side := vec{1, 0, 0}
	if math.Abs(ft.x) > 0.6 {
		side = vec{0, 1, 0}
	}
	e1, _ := ft.cross(side).unit()
	p.frame = [3]vec{e1, ft.cross(e1), in.lambda}
	for k, f := range p.frame {
		p.weight[k] = (math.Abs(f.x) + math.Abs(f.y) + math.Abs(f.z)) * (1 + 0x1p-50)
	}
	p.from, p.to, p.t = tlo, in.t, in.t
	for i := range 2 {
		p.variables(s.surf[i].form, i, in, rho)
		s.surf[i].measure(s.trees[i].nodes[0].err)
		s.secondRange(p, i, in)
	}
	if !s.firstRange(p) {
		return false
	}
	for _, factor := range [...]float64{1.5, 6, 0.4} {
		mu, only := p.penalty(factor)
		if s.convex(p, mu) {
			return s.keep(p, mu, in.speed)
		}
		if only {
			break
		}
	}
	return false
}

// forward looks at the incumbent and returns the direction of F_t, if the multiplier fits it.
func (in *incumbent) forward(s *Solver) (vec, bool) {
	s.look(&in.x, 2)
	ft := s.velocity()
	n, ok := ft.unit()
	return n, ok && math.Abs(1+in.lambda.dot(ft)) < 0x1p-20
}

// variables chooses the two variables of patch i and the box.
func (p *proof) variables(f Form, i int, in *incumbent, rho float64) {
	u, v, a := in.x[2*i], in.x[2*i+1], in.active[i]
	axes := [2][3]float64{{0, 1, 0}, {0, 0, 1}}
	dir := [2][2]float64{{1, 0}, {0, 1}}
	at := [2]float64{u, v}
	does := [2]int{free, free}
	one := func(k, lower, upper int) {
		if a>>lower&1 != 0 {
			does[k] = up
		} else if upper >= 0 && a>>upper&1 != 0 {
			does[k] = down
		}
	}
	switch {
	case f.Shape == Quad:
		one(0, 0, 1)
		one(1, 2, 3)
	case f.Shape == Curve:
		one(0, 0, 1)
		does[1] = absent
		if f.U == 0 {
			does[0] = absent
		}
	case a&4 == 0:
		one(0, 0, -1)
		one(1, 1, -1)
	case a&1 != 0: // at u = 0, v = 1: variables u and w = 1 - u - v
		axes, dir = [2][3]float64{{0, 1, 0}, {1, -1, -1}}, [2][2]float64{{1, -1}, {0, -1}}
		at, does = [2]float64{0, 0}, [2]int{up, up}
	default: // on the edge w = 0: variables w and v
		axes, dir = [2][3]float64{{1, -1, -1}, {0, 0, 1}}, [2][2]float64{{-1, 0}, {-1, 1}}
		at, does[0] = [2]float64{0, v}, up
		one(1, 1, -1)
	}
	p.axes[i] = axes
	for k := range 2 {
		lo, hi := max(0, at[k]-rho), min(1, at[k]+rho)
		if does[k] == absent {
			lo, hi = at[k], at[k]
		}
		p.does[2*i+k], p.dir[2*i+k] = does[k], dir[k]
		p.box[2*i+k] = span{lo, hi}
		p.dx[2*i+k] = span{below(lo - at[k]), above(hi - at[k])}
		if does[k] == absent {
			p.dx[2*i+k] = span{}
		}
	}
}

// firstRange bounds F, its gradient and their rates at x* and over the box. False if the box turns too far for step 3.
//
// off is what a value of the jet may be off by in a coordinate at any time (see offset), twice that a rate, which is the
// difference of two values. So a projection is off by the weight, |.|_1, of
// its direction times that and 6U of the magnitude.
func (s *Solver) firstRange(p *proof) bool {
	proj := func(k int, v vec, off float64) span {
		d := p.frame[k].dot(v)
		return around(d, float64(p.weight[k]*(off+float64(0x1p-50*v.most()))))
	}
	off := s.surf[0].offset(value) + s.surf[1].offset(value)
	f, ft := s.difference(p.to), s.velocity()
	p.value = proj(2, f, off)
	p.kappa = -proj(2, ft, 2*off).hi
	for k := range 2 {
		p.stray[k], p.drift[k] = proj(k, f, off).mag(), proj(k, ft, 2*off).mag()
	}
	turn := 0.0
	for i := range 4 {
		if p.does[i] == absent {
			p.first[i] = [3]span{}
			continue
		}
		j, d, sign := &s.jet[i/2], p.dir[i], 1.0-2*float64(i/2)
		off := 2 * (s.surf[i/2].offset(byU) + s.surf[i/2].offset(byV))
		g := func(t float64) vec { return j.at(byU, t).times(sign*d[0]).along(sign*d[1], j.at(byV, t)) }
		g0, g1 := g(p.from), g(p.to)
		rate := j.speed(byU).times(sign*d[0]).along(sign*d[1], j.speed(byV))
		for k := range 3 {
			a, b := proj(k, g0, off), proj(k, g1, off)
			sum := span{min(a.lo, b.lo), max(a.hi, b.hi)}
			if k == 2 {
				p.at[i] = b
				p.turn[i] = proj(2, rate, 2*off)
			}
			for q := i &^ 1; q < i&^1+2; q++ {
				sum = sum.add(p.second[i][q][k].mul(p.dx[q]))
			}
			p.first[i][k] = sum
		}
		if p.does[i] == free {
			turn += float64(p.turn[i].mag() * p.dx[i].mag())
		}
	}
	if !(turn < 0.5) {
		return false
	}
	for k := range 2 {
		r := above(p.stray[k] + float64(p.drift[k]*(p.to-p.from)))
		sum := span{-r, r}
		for i := range 4 {
			sum = sum.add(p.first[i][k].mul(p.dx[i]))
		}
		p.across[k] = sum
	}
	return true
}

// penalty proposes mu: large enough to lift the curvature of lambda.F, times a factor. only tells that others are no better.
func (p *proof) penalty(factor float64) (mu float64, only bool) {
	curved, across, n := 0.0, 0.0, 0
	for i := range 4 {
		if p.does[i] != free {
			continue
		}
		n++
		for j := i &^ 1; j < i&^1+2; j++ {
			curved = max(curved, p.second[i][j][2].mag())
		}
		a, b := p.first[i][0].middle(), p.first[i][1].middle()
		across += float64(a*a) + float64(b*b)
	}
	if n == 0 || !(across > 0) {
		return 0, true
	}
	return (curved + 0x1p-10) * float64(n) / across * factor, false
}

// convex carries out steps 1 and 2.
func (s *Solver) convex(p *proof, mu float64) bool {
	var ids [4]int
	n := 0
	for i, does := range p.does {
		switch does {
		case free:
			ids[n] = i
			n++
		case up, down:
			g := p.first[i][2]
			for k := range 2 {
				g = g.add(p.across[k].mul(p.first[i][k]).times(mu))
			}
			if does == up && !(g.lo > 0) || does == down && !(g.hi < 0) {
				return false
			}
		}
	}
	var h [4][4]span
	for a := range n {
		for b := range a + 1 {
			i, j := ids[a], ids[b]
			var sum span
			if i/2 == j/2 {
				sum = p.second[i][j][2]
			}
			for k := range 2 {
				z := p.first[i][k].mul(p.first[j][k])
				if i == j {
					z = p.first[i][k].square()
				}
				if i/2 == j/2 {
					z = z.add(p.across[k].mul(p.second[i][j][k]))
				}
				sum = sum.add(z.times(mu))
			}
			h[a][b], h[b][a] = sum, sum
		}
	}
	return definite(&h, n)
}

// definite tells for certain that every symmetric matrix within h is positive definite: with T an approximate inverse of
// the Cholesky factor of its middle, lower triangular without zeros on its diagonal, all matrices T h T' have diagonals
// greater than the sum of magnitudes beside them.
func definite(h *[4][4]span, n int) bool {
	var l, t [4][4]float64
	for i := range n {
		for j := 0; j <= i; j++ {
			v := h[i][j].middle()
			for k := range j {
				v -= float64(l[i][k] * l[j][k])
			}
			if i > j {
				l[i][j] = v / l[j][j]
			} else if l[i][i] = math.Sqrt(v); !(v > 0) {
				return false
			}
		}
	}
	for i := range n {
		t[i][i] = 1 / l[i][i]
		for j := range i {
			v := 0.0
			for k := j; k < i; k++ {
				v -= float64(l[i][k] * t[k][j])
			}
			t[i][j] = v / l[i][i]
		}
		if !(t[i][i] > 0x1p-500 && t[i][i] < 0x1p300) {
			return false
		}
	}
	var off [4]float64
	var diag [4]float64
	for a := range n {
		var row [4]span // row a of T h
		for j := range n {
			for i := 0; i <= a; i++ {
				row[j] = row[j].add(h[i][j].times(t[a][i]))
			}
		}
		for b := 0; b <= a; b++ {
			var x span
			for j := 0; j <= b; j++ {
				x = x.add(row[j].times(t[b][j]))
			}
			if a == b {
				diag[a] = x.lo
			} else {
				off[a], off[b] = above(off[a]+x.mag()), above(off[b]+x.mag())
			}
		}
	}
	for a := range n {
		if !(diag[a] > off[a]) {
			return false
		}
	}
	return true
}

// keep carries out step 3 and keeps the exclusion. speed is |F_t|.
func (s *Solver) keep(p *proof, mu, speed float64) bool {
	rest, turn := p.value.mag(), 0.0
	for i := range 4 {
		if p.does[i] != free {
			continue
		}
		r := p.dx[i].mag()
		a, b := p.at[i].mag(), p.turn[i].mag()
		for k := range 2 {
			g := float64(mu * p.first[i][k].mag())
			a = above(a + float64(p.stray[k]*g))
			b = above(b + float64(p.drift[k]*g))
		}
		rest, turn = above(rest+above(float64(r*a))), above(turn+above(float64(r*b)))
	}
	left := below(p.kappa - turn)
	if !(left > 0x1p-4) {
		return false
	}
	late := above(rest / left)
	if way := float64(late * speed); way > 0.5*s.tolerance && way > 64*s.slack {
		return false // it would cost the answer more than the tolerance
	}
	p.t = below(p.to - late)
	s.excl = append(s.excl, p.exclusion)
	s.Work.Exclusions++
	return true
}
