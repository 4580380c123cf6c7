package patch

import "math"

// Exclusions and certificates of rational patches. With homogeneous coordinates, A = P/w and B =
// Q/z, w and z positive, the patches touch where
//
//	G = z P - w Q
//
// vanishes: a polynomial, linear in time, which serves as F in both proofs. Near a contact its
// derivatives are no larger than those of the patches if P and Q are relative to the place of
// contact, moving with it: all from an origin c(t) on A, P - w c for P.

// homogeneous is a rational pair in homogeneous coordinates relative to a contact.
type homogeneous struct {
	surf [2]surface // homogeneous, relative to the origin
	jet  [2]jet
	off  float64 // bounds the error of a coordinate of a value, of a derivative, or of a weight
}

// term is P, or a derivative of it, with its weight: projected on the directions of a proof.
type term struct {
	now  [3]interval // the values at t*
	all  [3]interval // the values at all times of the proof
	rate [3]interval
	w    interval
}

// The terms of a patch: itself, its derivatives by the two variables and by two of them.
const (
	zeroth = iota
	first0
	first1
	second00
	second01
	second11
	terms
)

// loadAt makes the homogeneous pair for the place evaluated last, and evaluates it there.
//
// A coordinate w p errs by w (1 + werr) err, by werr of itself and by its rounding; w is at most 2.
// The shift takes off w c, which errs by (werr + U) of itself, and rounds. Velocities likewise; mag
// bounds both together.
func (h *homogeneous) loadAt(q *query, x *[4]float64) {
	o := q.jet[0][value]
	far := 0.0
	for k := range 3 {
		far = max(far, math.Abs(o[k])+math.Abs(o[3+k]))
	}
	h.off = 0
	for i := range h.surf {
		f, t := &h.surf[i], &q.trees[i]
		f.form, f.raw, f.rational, f.measured = t.form, true, true, false
		f.points = f.points[:0]
		n := f.room(value, t.n)
		n.down = [2]int{}
		for k := range n.c {
			c := q.surf[i].nets[value].c[k]
			for e := range 6 {
				c[e] -= float64(c[6] * o[e])
			}
			n.c[k] = c
		}
		f.differentiate()
		root := &t.nodes[0]
		f.measure(float64(4*root.err) + float64(float64(4*(t.mag+far+1))*(root.werr+0x1p-51)))
		f.eval(x[2*i], x[2*i+1], 2, &h.jet[i])
		for d := range derivatives {
			h.off = max(h.off, f.offset(d))
		}
	}
}

// terms encloses the terms of patch i at x*.
func (p *proof) terms(h *homogeneous, i int, out *[terms]term) {
	a, b := p.dir[2*i], p.dir[2*i+1]
	mix := func(x, y [2]float64) [derivatives]float64 {
		return [derivatives]float64{byUU: x[0] * y[0], byUV: float64(x[0]*y[1]) + float64(x[1]*y[0]), byVV: x[1] * y[1]}
	}
	for n, of := range [terms][derivatives]float64{{1}, {0, a[0], a[1]}, {0, b[0], b[1]}, mix(a, a),
		mix(a, b), mix(b, b)} {
		t := &out[n]
		var c [7]float64
		off := 0.0
		for d, f := range of {
			if f == 0 {
				continue
			}
			for k := range c {
				c[k] += float64(f * h.jet[i][d][k])
			}
			off += float64(math.Abs(f) * (h.surf[i].offset(d) + float64(0x1p-50*h.surf[i].nets[d].mag)))
		}
		at := func(time float64) vec {
			return vec{c[0] + float64(time*c[3]), c[1] + float64(time*c[4]), c[2] + float64(time*c[5])}
		}
		t.w = around(c[6], off)
		for k := range 3 {
			from := p.project(k, at(p.t0), off)
			t.now[k], t.rate[k] = p.project(k, at(p.t1), off), p.project(k, vec{c[3], c[4], c[5]}, 2*off)
			t.all[k] = interval{min(from.lo, t.now[k].lo), max(from.hi, t.now[k].hi)}
		}
	}
}

// paired returns z P - w Q for two terms, whose P, Q are one of now, all and rate, on direction k.
func paired(a, b *term, p, q *[3]interval, k int) interval {
	return b.w.mul(p[k]).add(a.w.mul(q[k]).neg())
}

// homogenize carries out for rational patches what prepare needs of x*.
func (ex *excluder) homogenize(p *proof, in *newtonContact) bool {
	h := &ex.homogeneous
	h.loadAt(ex.query, &in.x)
	scale := 1 / (h.jet[0][value][6] * h.jet[1][value][6]) // The scale brings kappa near 1.
	p.directions[2] = p.directions[2].times(scale)
	p.weight[2] *= scale * (1 + 0x1p-50)
	for i := range 2 {
		p.terms(h, i, &p.termsHere[i])
		for d := range 3 {
			for e, step := range [2][2]int{{1, 0}, {0, 1}} {
				n := &h.surf[i].nets[byUU+d]
				g := h.surf[i].degrees(n.down)
				if len(n.c) == 0 || [2]int{g.U, g.V}[e] == 0 {
					p.termSlopes[i][d][e] = [4]float64{}
					continue
				}
				most := h.surf[i].steepest(p, n, step)
				degree, slack := float64([2]int{g.U, g.V}[e]), float64(2*n.err)+float64(0x1p-48*n.mag)
				for k := range 3 {
					p.termSlopes[i][d][e][k] = above(float64(degree * (most[k] + float64(p.weight[k]*slack))))
				}
				p.termSlopes[i][d][e][3] = above(float64(degree * (most[3] + slack)))
			}
		}
	}
	a, b := &p.termsHere[0], &p.termsHere[1]
	p.value = paired(&a[0], &b[0], &a[0].now, &b[0].now, 2)
	p.kappa = -paired(&a[0], &b[0], &a[0].rate, &b[0].rate, 2).hi
	for k := range 2 {
		p.residual[k], p.residualRate[k] = paired(&a[0], &b[0], &a[0].now, &b[0].now, k).mag(),
			paired(&a[0], &b[0], &a[0].rate, &b[0].rate, k).mag()
	}
	for i, does := range p.roles {
		if does == absent {
			continue
		}
		x, y := &a[0], &b[0]
		if i < 2 {
			x = &a[first0+i]
		} else {
			y = &b[first0+i-2]
		}
		for k := range 3 {
			p.slopes[i][k] = paired(x, y, &x.all, &y.all, k)
		}
		p.at[i], p.turn[i] = paired(x, y, &x.now, &y.now, 2).mag(), paired(x, y, &x.rate, &y.rate, 2).mag()
		if !p.rises(i) {
			return false
		}
	}
	return true
}

// secondRational bounds the second derivatives of G over the box and the times.
func (p *proof) secondRational() {
	var box [2][terms]term
	for i := range 2 {
		p.widen(i, &box[i])
	}
	a, b := &box[0], &box[1]
	at := [2][2]int{{second00, second01}, {second01, second11}}
	for k := range 3 {
		for x := range 2 {
			for y := range 2 {
				p.second[x][y][k] = paired(&a[at[x][y]], &b[0], &a[at[x][y]].all, &b[0].all, k)
				p.second[2+x][2+y][k] = paired(&a[0], &b[at[x][y]], &a[0].all, &b[at[x][y]].all, k)
				z := paired(&a[first0+x], &b[first0+y], &a[first0+x].all, &b[first0+y].all, k)
				p.second[x][2+y][k], p.second[2+y][x][k] = z, z
			}
		}
	}
}

// widen bounds the terms of patch i over the box: second derivatives by how much they change, the
// others by Taylor's theorem.
func (p *proof) widen(i int, out *[terms]term) {
	*out = p.termsHere[i]
	dx := [2]interval{p.dx[2*i], p.dx[2*i+1]}
	a, b := p.dir[2*i], p.dir[2*i+1]
	reach := [2]float64{
		above(above(float64(dx[0].mag()*math.Abs(a[0]))) + above(float64(dx[1].mag()*math.Abs(b[0])))),
		above(above(float64(dx[0].mag()*math.Abs(a[1]))) + above(float64(dx[1].mag()*math.Abs(b[1])))),
	}
	var change [3][4]float64 // how much uu, uv and vv change at most
	for d := range 3 {
		for k := range 4 {
			s := &p.termSlopes[i][d]
			change[d][k] = above(above(float64(s[0][k]*reach[0])) + above(float64(s[1][k]*reach[1])))
		}
	}
	for n, xy := range [3][2][2]float64{{a, a}, {a, b}, {b, b}} {
		x, y := xy[0], xy[1]
		f := [3]float64{math.Abs(x[0] * y[0]), math.Abs(x[0]*y[1]) + math.Abs(x[1]*y[0]), math.Abs(x[1] * y[1])}
		r := func(k int) interval {
			sum := 0.0
			for d := range 3 {
				sum = above(sum + above(float64(f[d]*change[d][k])))
			}
			return interval{-sum, sum}
		}
		t := &out[second00+n]
		for k := range 3 {
			t.all[k] = t.all[k].add(r(k))
		}
		t.w = t.w.add(r(3))
	}
	taylor := func(to int, x, y *term) {
		t := &out[to]
		for k := range 3 {
			t.all[k] = t.all[k].add(x.all[k].mul(dx[0])).add(y.all[k].mul(dx[1]))
		}
		t.w = t.w.add(x.w.mul(dx[0])).add(y.w.mul(dx[1]))
	}
	taylor(first0, &out[second00], &out[second01])
	taylor(first1, &out[second01], &out[second11])
	taylor(zeroth, &out[first0], &out[first1])
}

// rationalEquations writes the equations of G. Every entry is z p - w q with p, q, w, z off by at
// most h.off, or twice that for a derivative along a direction such as (-1, 1), and twice again for
// a rate: with m a bound on all of them an entry errs by less than 2 (4 h.off) (m + 4 h.off) and 3U
// of 2 m^2. G itself, with |P| and |Q| small at a contact, errs by z o + |P| o + w o + |Q| o + 2
// o^2, o what the values of both are off by, and by its roundings, 3U of z |P| + w |Q|. A second
// derivative is such a difference too; the products of sums of bounds hold all of them, twice, as a
// direction may be the sum of two.
func (cert *certifier) rationalEquations(in *newtonContact, q *equations) {
	h := &cert.homogeneous
	h.loadAt(cert.query, &in.x)
	var sum [2]float64
	for i := range sum {
		for d := range derivatives {
			sum[i] += h.surf[i].nets[d].mag + h.surf[i].nets[d].err
		}
	}
	m := max(sum[0], sum[1])
	q.off = float64(16*h.off*(m+float64(4*h.off))) + float64(0x1p-49*m*m)
	q.turn = 16 * sum[0] * sum[1]
	a, b := &h.jet[0], &h.jet[1]
	w, z := a[value][6], b[value][6]
	pair := func(p, q vec) vec { return p.times(z).sub(q.times(w)) }
	p0, q0 := a.at(value, in.t), b.at(value, in.t)
	o := h.surf[0].offset(value) + h.surf[1].offset(value)
	size := float64(z*p0.most()) + float64(w*q0.most())
	q.slip = float64(o*(w+z+p0.most()+q0.most()+float64(4*o))) + float64(0x1p-50*size)
	q.f, q.ft = pair(p0, q0), pair(a.speed(value), b.speed(value))
	for i := range 2 {
		d, n := freedom(cert.surf[i].form, in.active[i])
		j := &h.jet[i]
		for _, e := range d[:n] {
			by := j.at(byU, in.t).times(e[0]).along(e[1], j.at(byV, in.t))
			weight := float64(e[0]*j[byU][6]) + float64(e[1]*j[byV][6])
			g := by.times(z).sub(q0.times(weight))
			if i == 1 {
				g = p0.times(weight).sub(by.times(w))
			}
			q.col[q.n] = column{i, e, g}
			q.n++
		}
	}
}
