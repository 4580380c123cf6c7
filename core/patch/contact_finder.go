package patch

import "math"

// newtonContact is a contact that Newton's method has found: an upper bound on the first one,
// usually the first one itself.
type newtonContact struct {
	place
	found    bool
	tried    bool // whether a box around it is excluded already
	t        float64
	speed    float64 // |dF/dt|
	distance float64 // |F|, which is no more than rounding
	lambda   vec     // multiplier: lambda . dF/dt = -1, lambda . F does not fall inwards from the place
}

// contactFinder looks for contacts of a query, by Newton's method.
type contactFinder struct{ *query }

// find looks for a contact from a place at time t.
func (cf *contactFinder) find(p *place, t float64) newtonContact {
	in := cf.contactFrom(p, t)
	if cf.adjacent && !in.found {
		in = cf.anyContact(p, t)
	}
	return in
}

// newton looks for a first contact, with d = 0: least t with F(x,t) = 0. It solves the conditions
// of Karush, Kuhn and Tucker, F = 0, lambda . F_t = -1 and lambda . F_i = 0 along the free
// directions, by Newton's method, with the constraints met on the way added and those of the wrong
// sign dropped, one at a time. Every contact that it meets on the way is recorded.
func (cf *contactFinder) newton(p place, t float64, lambda vec) (best newtonContact) {
	for i := range 2 {
		p.active[i] = activeAt(cf.surf[i].form, p.x[2*i], p.x[2*i+1])
	}
	drops := 0
	for range 16 {
		cf.evaluate(&p.x, 2)
		cf.record(&best, &p, t, lambda)
		var col [4]column
		n := cf.columns(&p, t, &col)
		var m system
		if !cf.conditions(&m, &col, n, t, lambda) {
			return best
		}
		var step [4]float64
		for i := range n {
			o := 2 * col[i].patch
			step[o] += float64(m[i][n+4] * col[i].d[0])
			step[o+1] += float64(m[i][n+4] * col[i].d[1])
		}
		far := max(math.Abs(step[0]), math.Abs(step[1]), math.Abs(step[2]), math.Abs(step[3]), math.Abs(m[n][n+4]))
		part, met := 1.0, [2]int{-1, -1}
		if far > 0.3 {
			part = 0.3 / far
		}
		for i := range 2 {
			var at int
			part, at = stepWithin(cf.surf[i].form, p.active[i], p.x[2*i], p.x[2*i+1], step[2*i], step[2*i+1], part)
			if at >= 0 {
				met = [2]int{-1, -1}
				met[i] = at
			}
		}
		for i := range 2 {
			p.x[2*i], p.x[2*i+1] = settle(cf.surf[i].form, p.x[2*i]+float64(part*step[2*i]),
				p.x[2*i+1]+float64(part*step[2*i+1]))
			if met[i] >= 0 {
				p.active[i] |= 1 << met[i]
			}
		}
		t += float64(part * m[n][n+4])
		lambda = lambda.along(part, vec{m[n+1][n+4], m[n+2][n+4], m[n+3][n+4]})
		if !(t > -0.2 && t < 1.2) {
			return best
		}
		if met[0] < 0 && met[1] < 0 && far < 0x1p-30 {
			if drops++; drops > 4 || !cf.drop(&p, t, lambda) {
				cf.evaluate(&p.x, 2)
				cf.record(&best, &p, t, lambda)
				return best
			}
		}
	}
	return best
}

// record keeps the place evaluated last if it is a contact within the step, up to rounding, and the
// earliest so far.
func (cf *contactFinder) record(best *newtonContact, p *place, t float64, lambda vec) {
	if cf.shared.Trivial(p.x) || !holds(cf.query, &p.x) {
		return
	}
	f := cf.difference(t).length()
	if f <= cf.contactTolerance && t >= 0 && t <= cf.until && (!best.found || t <= best.t) {
		*best = newtonContact{place: *p, found: true, t: t, speed: cf.velocity().length(), distance: f, lambda: lambda}
	}
}

// conditions fills in and solves the linear system of a Newton step for the free directions, the
// time and lambda.
func (cf *contactFinder) conditions(m *system, col *[4]column, n int, t float64, lambda vec) bool {
	f, ft := cf.difference(t), cf.velocity()
	for i := range n {
		a := &col[i]
		j := &cf.jet[a.patch]
		sign := 1.0
		if a.patch == 1 {
			sign = -1
		}
		uu, uv, vv := sign*lambda.dot(j.at(byUU, t)), sign*lambda.dot(j.at(byUV, t)), sign*lambda.dot(j.at(byVV, t))
		for k := range n {
			if b := &col[k]; b.patch == a.patch {
				m[i][k] = float64(a.d[0]*b.d[0]*uu) + float64((float64(a.d[0]*b.d[1])+float64(a.d[1]*b.d[0]))*uv) +
					float64(a.d[1]*b.d[1]*vv)
			}
		}
		m[i][n] = sign * (float64(a.d[0]*lambda.dot(j.speed(byU))) + float64(a.d[1]*lambda.dot(j.speed(byV))))
		m[n][i] = m[i][n]
		m[i][n+1], m[i][n+2], m[i][n+3] = a.g.X, a.g.Y, a.g.Z
		m[n+1][i], m[n+2][i], m[n+3][i] = a.g.X, a.g.Y, a.g.Z
		m[i][n+4] = -lambda.dot(a.g)
	}
	m[n][n+1], m[n][n+2], m[n][n+3] = ft.X, ft.Y, ft.Z
	m[n+1][n], m[n+2][n], m[n+3][n] = ft.X, ft.Y, ft.Z
	m[n][n+4] = -1 - lambda.dot(ft)
	m[n+1][n+4], m[n+2][n+4], m[n+3][n+4] = -f.X, -f.Y, -f.Z
	return m.solve(n+4, 0x1p-46)
}

// drop releases one constraint across which the contact would come sooner, and reports whether it
// did.
func (cf *contactFinder) drop(p *place, t float64, lambda vec) bool {
	for i := range 2 {
		f := cf.surf[i].form
		gu, gv := lambda.dot(cf.jet[i].at(byU, t)), lambda.dot(cf.jet[i].at(byV, t))
		if i == 1 {
			gu, gv = -gu, -gv
		}
		for k := range constraints[f.Shape] {
			if p.active[i]>>k&1 == 0 {
				continue
			}
			d := inward(f, p.active[i], k)
			if float64(gu*d[0])+float64(gv*d[1]) < -0x1p-30 {
				p.active[i] &^= 1 << k
				return true
			}
		}
	}
	return false
}

// inward returns a direction that leaves constraint k of the mask and keeps the others.
func inward(f Form, active uint8, k int) [2]float64 {
	c := constraints[f.Shape][k]
	d, n := freedom(f, active&^(1<<k))
	if n != 1 {
		return [2]float64{c[1], c[2]}
	}
	if float64(c[1]*d[0][0])+float64(c[2]*d[0][1]) < 0 {
		return [2]float64{-d[0][0], -d[0][1]}
	}
	return d[0]
}

// contactFrom starts Newton's method from a place at time t: the multiplier along the difference,
// the time at which the difference closes at its present speed.
func (cf *contactFinder) contactFrom(p *place, t float64) newtonContact {
	cf.evaluate(&p.x, 1)
	f, ft := cf.difference(t), cf.velocity()
	q := f.dot(ft)
	if q == 0 {
		return newtonContact{}
	}
	meet := t - f.dot(f)/q
	if !(meet > t && meet < cf.until) {
		meet = t
	}
	return cf.newton(*p, meet, f.times(-1/q))
}

// closes returns the first of some times from t on at which the points of a place, far from contact
// at t, are near enough: t itself where none is. What can be halved no more may be larger than the
// tolerance, and then they come together only after the hulls do. Points of patches that slide past
// each other part meanwhile, so at each time those nearest to them are tried too, which p becomes;
// not where the nearest points may be those that the patches always have in common. ok is false if
// the points are farther apart than law 3 allows for a contact: where weights are far apart, parts
// of the least parameters may be large.
func (cf *contactFinder) closes(p *place, t, far, enough float64) (float64, bool) {
	if far <= enough {
		return t, true
	}
	cf.evaluate(&p.x, 0)
	step := far / cf.velocity().length()
	for range 4 {
		at := t + step
		if !(at <= cf.until) {
			break
		}
		cf.evaluate(&p.x, 0)
		if cf.check.size(cf.check.excess(cf.difference(at))) <= enough {
			return at, true
		}
		near := *p
		if !cf.adjacent && cf.approach(&near, at, 0.01*enough) <= enough && holds(cf.query, &near.x) {
			*p = near
			return at, true
		}
		step *= 2
	}
	return t, far <= cf.farthestContact(t)
}
