package patch

import "math"

// reduce carries out step 2 of an exclusion's proof, without the test of K: it writes K and
// residualWeights. It returns false if J_P may not be invertible.
func (p *proof) reduce() bool {
	var m quadratic // M restricted to the variables in use, as is J
	var slope [4][2]interval
	var reach, heavy [4]float64
	for i, does := range p.roles {
		if does == absent {
			continue
		}
		a := m.n
		m.n++
		for j, b := 0, 0; j <= i; j++ {
			if p.roles[j] == absent {
				continue
			}
			if p.rational || j/2 == i/2 {
				m.h[a][b] = p.second[i][j][2]
				m.h[b][a] = m.h[a][b]
			}
			b++
		}
		reach[a] = p.dx[i].mag()
		heavy[a] = 1
		if does != free {
			heavy[a] = 1. / 64
			rise := below(float64(2*p.rise[i]) / reach[a])
			m.h[a][a] = m.h[a][a].add(interval{rise, rise})
		}
		slope[a] = p.slope[i]
	}
	var e elimination
	if !e.pivot(&slope, m.n, &heavy) || !e.invert(&slope) || !p.boundResidual(&m, &e, &reach) {
		return false
	}
	e.solve(&slope)
	e.eliminate(&m, &p.curved)
	return true
}

// elimination is dx_P = -S dx_N. It uses as many rows of J as there are pivots: 2, or fewer if
// there are few columns.
type elimination struct {
	pivots, rows [2]int
	rank         int
	others       [4]int
	n            int           // the number of variables in N
	c            [2][2]float64 // an approximate inverse of J_P
	within       [2][2]float64 // (I - E)^-1, |c J_P - I| <= E
	g            [2][2]float64 // |J_P^-1| at most; column by row of J
	s            [2][4]interval
}

// pivot chooses P: the two columns with the largest determinant, or the largest entry.
func (e *elimination) pivot(slope *[4][2]interval, n int, heavy *[4]float64) bool {
	var j [4][2]float64
	best := 0.0
	for a := range n {
		j[a] = [2]float64{slope[a][0].middle(), slope[a][1].middle()}
		for b := range a {
			if d := math.Abs(float64(j[a][0]*j[b][1])-float64(j[a][1]*j[b][0])) * heavy[a] * heavy[b]; d > best {
				best, e.rank, e.pivots = d, 2, [2]int{b, a}
			}
		}
	}
	e.rows = [2]int{0, 1}
	if e.rank == 0 {
		for a := range n {
			for k := range 2 {
				if d := math.Abs(j[a][k]); d > best {
					best, e.rank, e.pivots[0], e.rows[0] = d, 1, a, k
				}
			}
		}
	}
	for a := range n {
		if e.rank > 0 && a == e.pivots[0] || e.rank > 1 && a == e.pivots[1] {
			continue
		}
		e.others[e.n] = a
		e.n++
	}
	p, q := &j[e.pivots[0]], &j[e.pivots[1]]
	switch e.rank {
	case 1:
		e.c[0][0] = 1 / p[e.rows[0]]
	case 2:
		det := float64(p[0]*q[1]) - float64(q[0]*p[1])
		e.c = [2][2]float64{{q[1] / det, -q[0] / det}, {-p[1] / det, p[0] / det}}
	}
	for k := range e.rank {
		if !(math.Abs(e.c[k][0])+math.Abs(e.c[k][1]) < 0x1p400) {
			return false
		}
	}
	return true
}

// times returns row k of c times a column of J.
func (e *elimination) times(k int, column *[2]interval) interval {
	x := column[e.rows[0]].times(e.c[k][0])
	if e.rank == 2 {
		x = x.add(column[1].times(e.c[k][1]))
	}
	return x
}

// invert bounds J_P^-1 = (c J_P)^-1 c: with |c J_P - I| <= E entry by entry, |(c J_P)^-1| <= (I -
// E)^-1 where that is the sum of the powers of E, that is, if its entries as computed by Cramer's
// rule are positive.
func (e *elimination) invert(slope *[4][2]interval) bool {
	var off [2][2]float64
	for k := range e.rank {
		for l := range e.rank {
			x := e.times(k, &slope[e.pivots[l]])
			if k == l {
				x = x.add(interval{-1, -1})
			}
			off[k][l] = x.mag()
		}
	}
	a, d := below(1-off[0][0]), below(1-off[1][1])
	det := below(below(float64(a*d)) - above(float64(off[0][1]*off[1][0])))
	if !(a > 0 && d > 0 && det > 0) {
		return false
	}
	up := func(x float64) float64 { return above(above(x) / det) }
	e.within = [2][2]float64{{up(above(d)), up(off[0][1])}, {up(off[1][0]), up(above(a))}}
	for k := range e.rank {
		for l := range e.rank {
			sum := 0.0
			for x := range e.rank {
				sum = above(sum + above(float64(e.within[k][x]*math.Abs(e.c[x][l]))))
			}
			e.g[k][e.rows[l]] = sum
		}
	}
	return true
}

// boundResidual bounds what e, which is not quite zero, takes from the quadratic form. False if e
// is beyond the box.
func (p *proof) boundResidual(m *quadratic, e *elimination, reach *[4]float64) bool {
	p.residualWeights = [2]float64{}
	for k := range e.rank {
		j := e.pivots[k]
		w, far := 0.0, 0.0
		for i := range m.n {
			w = above(w + above(float64(m.h[i][j].mag()*reach[i])))
		}
		for l, g := range e.g[k] {
			far = above(far + above(float64(g*above(p.residual[l]+above(float64(above(p.t1-p.t0)*p.residualRate[l]))))))
			p.residualWeights[l] = above(p.residualWeights[l] + above(float64(1.5*above(float64(w*g)))))
		}
		if !(far <= reach[j]) {
			return false
		}
	}
	return true
}

// solve bounds S: J_P (S - S0) = J_N - J_P S0, so |S - S0| <= (I - E)^-1 |c (J_N - J_P S0)|.
func (e *elimination) solve(slope *[4][2]interval) {
	for j, o := range e.others[:e.n] {
		var s0, off [2]float64
		for k := range e.rank {
			s0[k] = e.times(k, &slope[o]).middle()
		}
		rest := slope[o]
		for l := range rest {
			for k := range e.rank {
				rest[l] = rest[l].add(slope[e.pivots[k]][l].times(-s0[k]))
			}
		}
		for k := range e.rank {
			off[k] = e.times(k, &rest).mag()
		}
		for k := range e.rank {
			r := above(above(float64(e.within[k][0]*off[0])) + above(float64(e.within[k][1]*off[1])))
			e.s[k][j] = around(s0[k], r)
		}
	}
}

// eliminate writes K = M_NN - M_NP S - S' (M_PN - M_PP S).
func (e *elimination) eliminate(m, k *quadratic) {
	k.n = e.n
	for a, i := range e.others[:e.n] {
		for b, j := range e.others[:a+1] {
			sum := m.h[i][j]
			for x, p := range e.pivots[:e.rank] {
				inner := m.h[p][j]
				for y, q := range e.pivots[:e.rank] {
					inner = inner.add(m.h[p][q].mul(e.s[y][b]).neg())
				}
				sum = sum.add(m.h[i][p].mul(e.s[x][b]).neg()).add(e.s[x][a].mul(inner).neg())
			}
			k.h[a][b], k.h[b][a] = sum, sum
		}
	}
}

// quadratic is the symmetric matrices of order n within h.
type quadratic struct {
	n int
	h [4][4]interval
}

// definite reports whether it is certain that they are all positive definite: with T an approximate
// inverse of the Cholesky factor of the middle one, lower triangular without zeros on its diagonal,
// all matrices T h T' have diagonals greater than the sum of magnitudes beside them.
func (m *quadratic) definite() bool {
	h, n := &m.h, m.n
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
		var row [4]interval // row a of T h
		for j := range n {
			for i := 0; i <= a; i++ {
				row[j] = row[j].add(h[i][j].times(t[a][i]))
			}
		}
		for b := 0; b <= a; b++ {
			var x interval
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
