package patch

// anyContact looks for a contact near a place and a time, not for the first one: by Gauss and
// Newton's method in all parameters and the time, the shortest step at a time. Where neighbors fold
// up they come together over a region at once, and the conditions of a first contact, which newton
// solves, determine none of its points.
func (cf *contactFinder) anyContact(p *place, t float64) (best newtonContact) {
	q := *p
	for i := range 2 {
		q.active[i] = activeAt(cf.surf[i].form, q.x[2*i], q.x[2*i+1])
	}
	for range 12 {
		cf.evaluate(&q.x, 1)
		cf.record(&best, &q, t, vec{})
		f, ft := cf.difference(t), cf.velocity()
		if best.found || f == (vec{}) {
			return best
		}
		var col [4]column
		n := cf.columns(&q, t, &col)
		var m system // J J' y = -F, and the step is J' y
		rows := [3]func(v vec) float64{vec.first, vec.second, vec.third}
		for i, a := range rows {
			for j, b := range rows {
				m[i][j] = a(ft) * b(ft)
				for k := range n {
					m[i][j] += float64(a(col[k].g) * b(col[k].g))
				}
			}
			m[i][3] = -a(f)
		}
		if !m.solve(3, 0x1p-300) {
			return best
		}
		y := vec{m[0][3], m[1][3], m[2][3]}
		for k := range n {
			m[k][n] = col[k].g.dot(y)
		}
		cf.takeStep(&q, &m, &col, n)
		if t += ft.dot(y); !(t >= 0 && t <= cf.until) {
			return best
		}
	}
	return best
}

func (a vec) first() float64  { return a.X }
func (a vec) second() float64 { return a.Y }
func (a vec) third() float64  { return a.Z }
