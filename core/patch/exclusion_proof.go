package patch

import "math"

// proof is the memory of the attempts to exclude boxes around one contact.
type proof struct {
	exclusion
	proofSpace
	atContact
	overBox
}

// proofSpace holds the variables, times and directions of a proof.
type proofSpace struct {
	roles      [4]int
	dir        [4][2]float64 // the derivatives of u and v by the variable
	from       [4]float64    // x*
	t0, t1     float64       // tlo and t*
	speed      float64       // |F_t|
	directions [3]vec        // e1, e2, lambda
	weight     [3]float64    // |.|_1 of it
}

// atContact is what a proof needs of F at x*. The last index counts the directions of the proof, on
// which F is projected.
type atContact struct {
	value        interval       // lambda.F at t*
	kappa        float64        // lower bound
	residual     [2]float64     // |p_k|
	residualRate [2]float64     // |q_k|
	slopes       [4][3]interval // F_i on the directions, at all times
	at           [4]float64     // |lambda.F_i| at t*
	turn         [4]float64     // |lambda.F_it|
	curves       [2]curvature   // bounds on second derivatives, where patches are polynomial

	rational  bool
	termsHere [2][terms]term
	// how much uu, uv, vv change with u and v: projected on the directions, and their weights
	termSlopes [2][3][2][4]float64
}

// overBox is what a proof needs of F over one box.
type overBox struct {
	dx              [4]interval
	second          [4][4][3]interval // F_ij on the directions, as a mean over a segment from x*, at all times
	slope           [4][2]interval    // J
	rise            [4]float64        // the least rate of lambda.F inwards at all times, for variables at an edge
	curved          quadratic         // K
	residualWeights [2]float64        // 3/2 sum_j w_j G_jk
}

// prepare evaluates a contact and what all boxes around it need. False if no box around it could be
// excluded: the multiplier does not fit it, or a variable at an edge falls inwards.
func (ex *excluder) prepare(in *newtonContact, tlo float64) bool {
	ex.evaluate(&in.x, 2)
	ft := ex.velocity()
	n, ok := ft.unit()
	if !ok || !(math.Abs(1+in.lambda.dot(ft)) < 0x1p-20) || in.lambda.most() > 0x1p40 {
		return false
	}
	p := &ex.proof
	other := vec{1, 0, 0}
	if math.Abs(n.X) > 0.6 {
		other = vec{0, 1, 0}
	}
	e1, _ := n.cross(other).unit()
	p.directions = [3]vec{e1, n.cross(e1), in.lambda}
	for k, f := range p.directions {
		p.weight[k] = (math.Abs(f.X) + math.Abs(f.Y) + math.Abs(f.Z)) * (1 + 0x1p-50)
	}
	p.t0, p.t1, p.t, p.speed = tlo, in.t, in.t, in.speed
	for i := range 2 {
		p.variables(ex.surf[i].form, i, in)
	}
	if p.rational = ex.trees[0].rational || ex.trees[1].rational; p.rational {
		return ex.homogenize(p, in)
	}
	for i := range 2 {
		ex.surf[i].measure(ex.trees[i].nodes[0].err)
		ex.surf[i].curvature(p, &ex.jet[i], &p.curves[i])
	}
	return ex.gradient(p)
}

// variables chooses the two variables of patch i.
func (p *proof) variables(f Form, i int, in *newtonContact) {
	u, v, a := in.x[2*i], in.x[2*i+1], in.active[i]
	axes := [2][3]float64{{0, 1, 0}, {0, 0, 1}}
	dir := [2][2]float64{{1, 0}, {0, 1}}
	at := [2]float64{u, v}
	does := [2]int{free, free}
	one := func(k, lower, upper int) {
		if a>>lower&1 != 0 {
			does[k] = atLower
		} else if upper >= 0 && a>>upper&1 != 0 {
			does[k] = atUpper
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
	case a&1 != 0: // the corner u = 0, v = 1, with the variables u and w = 1 - u - v
		axes, dir = [2][3]float64{{0, 1, 0}, {1, -1, -1}}, [2][2]float64{{1, -1}, {0, -1}}
		at, does = [2]float64{0, 0}, [2]int{atLower, atLower}
	default: // the edge w = 0, with the variables w and v
		axes, dir = [2][3]float64{{1, -1, -1}, {0, 0, 1}}, [2][2]float64{{-1, 0}, {-1, 1}}
		at, does[0] = [2]float64{0, v}, atLower
		one(1, 1, -1)
	}
	p.axes[i] = axes
	for k := range 2 {
		p.roles[2*i+k], p.dir[2*i+k], p.from[2*i+k] = does[k], dir[k], at[k]
	}
}

// width makes the box of patch i half as wide as halfWidth on either side of x*.
func (p *proof) width(i int, halfWidth float64) {
	for k := 2 * i; k < 2*i+2; k++ {
		at := p.from[k]
		if p.roles[k] == absent {
			p.box[k], p.dx[k] = interval{at, at}, interval{}
			continue
		}
		lo, hi := max(0, at-halfWidth), min(1, at+halfWidth)
		p.box[k] = interval{lo, hi}
		p.dx[k] = interval{below(lo - at), above(hi - at)}
	}
}

// project encloses the projection of v on direction k of the proof, where v is off by off in a
// coordinate: the weight of the direction times that, and 6U of the magnitude.
func (p *proof) project(k int, v vec, off float64) interval {
	d := p.directions[k].dot(v)
	return around(d, float64(p.weight[k]*(off+float64(0x1p-50*v.most()))))
}

// gradient bounds F, its rate and its gradient at x*. off is what a value of the jet may be off by
// in a coordinate at any time (see offset), twice that a rate, which is the difference of two
// values.
func (ex *excluder) gradient(p *proof) bool {
	off := ex.surf[0].offset(value) + ex.surf[1].offset(value)
	f, ft := ex.difference(p.t1), ex.velocity()
	p.value = p.project(2, f, off)
	p.kappa = -p.project(2, ft, 2*off).hi
	for k := range 2 {
		p.residual[k], p.residualRate[k] = p.project(k, f, off).mag(), p.project(k, ft, 2*off).mag()
	}
	for i := range 4 {
		if p.roles[i] == absent {
			continue
		}
		j, d, sign := &ex.jet[i/2], p.dir[i], 1.0-2*float64(i/2)
		off := 2 * (ex.surf[i/2].offset(byU) + ex.surf[i/2].offset(byV))
		g := func(t float64) vec { return j.at(byU, t).times(sign*d[0]).along(sign*d[1], j.at(byV, t)) }
		g0, g1 := g(p.t0), g(p.t1)
		for k := range 3 {
			a, b := p.project(k, g0, off), p.project(k, g1, off)
			p.slopes[i][k] = interval{min(a.lo, b.lo), max(a.hi, b.hi)}
			if k == 2 {
				p.at[i] = b.mag()
			}
		}
		rate := j.speed(byU).times(sign*d[0]).along(sign*d[1], j.speed(byV))
		p.turn[i] = p.project(2, rate, 2*off).mag()
		if !p.rises(i) {
			return false
		}
	}
	return true
}

// rises notes how a variable at an edge rises, and reports whether it does, at all times. Free ones
// need not.
func (p *proof) rises(i int) bool {
	switch p.roles[i] {
	case atLower:
		p.rise[i] = p.slopes[i][2].lo
	case atUpper:
		p.rise[i] = -p.slopes[i][2].hi
	default:
		return true
	}
	return p.rise[i] >= 0
}

// firstRange bounds the means J over the box. False if it is so wide that lambda.F may turn within
// the times.
func (p *proof) firstRange() bool {
	turn := 0.0
	for i, does := range p.roles {
		if does == absent {
			continue
		}
		for k := range 2 {
			sum := p.slopes[i][k]
			for q := range 4 {
				if p.rational || q/2 == i/2 {
					sum = sum.add(p.second[i][q][k].mul(p.dx[q]).times(0.5))
				}
			}
			p.slope[i][k] = sum
		}
		if does == free {
			turn += float64(p.turn[i] * p.dx[i].mag())
		}
	}
	return turn < 0.5
}
