package patch

import "math"

// An exclusion is a proof that a box of parameters holds no contact before a time: it lets the
// search stop early around a contact that is known, whatever the tolerance.
//
// Let x*, t* be a contact found by Newton's method, with multiplier lambda, e1 and e2 two
// directions across F_t, B a box of parameters around x*, and t a time from tlo to t*, tau =
// t* - t. Suppose there is a contact, F(x,t) = 0, at x = x* + dx in B. By Taylor's theorem along
// the segment from x* to x, along which the parameters stay in the box and in the domain,
//
//	0 = lambda.F(x*,t) + g.dx + 1/2 dx'H dx,   g_i = lambda.F_i(x*,t)
//	0 = e_k.F(x*,t) + J_k dx
//
// where H is a mean of the second derivatives of lambda.F over the segment, and J_k =
// e_k.F_i(x*,t) + 1/2 dx'H_k with such a mean of those of e_k.F: all within bounds over the box and
// the times.
//
//  1. A variable at an edge of its domain, at which lambda.F does not fall inwards at any of the
//     times, adds g_i dx_i >= g_i dx_i^2 / r_i, r_i the reach of the box: as much as a curvature of
//     2 g_i / r_i. Let M be H with these added to its diagonal.
//  2. The second line says that dx is nearly in the null space of J: with two variables P whose
//     columns are an invertible matrix J_P, N the others, dx_P = -S dx_N - e, S = J_P^-1 J_N, e =
//     J_P^-1 (e_k.F(x*,t))_k, which is next to nothing. The proof shows that the form dx_N' K dx_N
//     = dx'M dx for dx = (dx_N, -S dx_N) is positive definite, whatever M and S are within their
//     bounds. So dx'M dx >= -3 sum_j |e_j| w_j over j in P, w_j = sum_i |M_ij| r_i, if |e_j| <=
//     r_j.
//  3. Let kappa = -lambda.F_t(x*), near 1, a_i = lambda.F_i, b_i = lambda.F_it, p_k = e_k.F and
//     q_k = e_k.F_t, all at x*, t*, and G >= |J_P^-1|. Let, over the free variables i,
//     turn = sum_i r_i |b_i| + 3/2 sum_jk w_j G_jk |q_k| and
//     rest = |lambda.F| + sum_i r_i |a_i| + 3/2 sum_jk w_j G_jk |p_k|.
//     Then the first line is at least tau (kappa - turn) - rest, which is a contradiction if
//     tau > late = rest / (kappa - turn). So there is no contact in B before t* - late.
//
// Of rational patches, F is another function with the same zeros (rational.go).
//
// lambda, e1 and e2 are whatever doubles they are; values carry their bounds, and all else is
// computed in intervals. Contacts inside, at edges and at corners of either patch need no cases.
// Variables of a triangle held by u + v = 1 are changed to ones that are distances from the edges,
// so that every constraint met bounds one variable.
type exclusion struct {
	axes [2][2][3]float64 // variable i of patch p is axes[p][i] . (1, u, v)
	box  [4]interval
	t    float64
}

// What a variable may do.
const (
	free    = iota
	atLower // the variable is at its least value
	atUpper // the variable is at its greatest value
	absent  // curves have no v
)

// contains reports whether a node's domain lies in the box's part of patch p.
func (e *exclusion) contains(p int, t *tree, nd *node) bool {
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

// excluder holds the exclusions of a query and tries to add to them.
type excluder struct {
	*query
	list        []exclusion
	proof       proof
	homogeneous homogeneous // the pair in homogeneous coordinates, where patches are rational
	earliest    float64     // least time of the exclusions, or +Inf
	halfWidth   float64     // half the width of the box to exclude next
	nextTry     int64       // the cell at which to try again
}

func (ex *excluder) begin(q *query) {
	ex.query = q
	ex.list, ex.earliest = ex.list[:0], math.Inf(1)
	ex.halfWidth, ex.nextTry = 0.25, 0
}

// excluded reports whether a cell has no contact before the time of an exclusion.
func (ex *excluder) excluded(c *cell) bool {
	a, b := &ex.trees[0].nodes[c.a], &ex.trees[1].nodes[c.b]
	for i := range ex.list {
		if ex.list[i].contains(0, &ex.trees[0], a) && ex.list[i].contains(1, &ex.trees[1], b) {
			return true
		}
	}
	return false
}

// try tries boxes around a contact, from the size that last succeeded on downwards. Before t0, the
// time of the cell taken up, there is no contact anyway: so what is known to be safe never falls.
func (ex *excluder) try(in *newtonContact, t0 float64) {
	ex.nextTry = ex.Work.Cells + ex.Work.Cells/2 + 2
	if rational := ex.trees[0].rational || ex.trees[1].rational; rational && ex.Work.Cells < firstRationalTry {
		ex.nextTry = firstRationalTry
		return
	}
	if !ex.prepare(in, t0) {
		return
	}
	for range 3 {
		if ex.exclude(ex.halfWidth) {
			in.tried = true
			ex.earliest = min(ex.earliest, max(t0, ex.list[len(ex.list)-1].t))
			ex.halfWidth = min(2*ex.halfWidth, 0.5)
			return
		}
		if ex.halfWidth *= 0.5; ex.halfWidth < leastHalfWidth {
			break
		}
	}
	ex.halfWidth = max(2*ex.halfWidth, leastHalfWidth)
}

// firstRationalTry is the cell from which on boxes are tried around contacts of rational patches.
// These proofs cost several times as much, and most queries are over by then.
const firstRationalTry = 24

// leastHalfWidth is half the width of the least box that is tried.
const leastHalfWidth = 0x1p-9

// exclude tries to prove that a box around the contact that was prepared, of the given half width,
// holds no contact before it.
func (ex *excluder) exclude(halfWidth float64) bool {
	p := &ex.proof
	for i := range 2 {
		p.width(i, halfWidth)
		if !p.rational {
			ex.secondRange(p, i)
		}
	}
	if p.rational {
		p.secondRational()
	}
	return p.firstRange() && p.reduce() && p.curved.definite() && ex.keep(p)
}

// keep finds the time up to which the proof holds, and keeps the exclusion unless the loss of time
// is more than the tolerance allows.
func (ex *excluder) keep(p *proof) bool {
	rest, turn := p.value.mag(), 0.0
	for i := range 4 {
		if p.roles[i] == free {
			r := p.dx[i].mag()
			rest, turn = above(rest+above(float64(r*p.at[i]))), above(turn+above(float64(r*p.turn[i])))
		}
	}
	for k := range 2 {
		rest, turn = above(rest+above(float64(p.residualWeights[k]*p.residual[k]))),
			above(turn+above(float64(p.residualWeights[k]*p.residualRate[k])))
	}
	rate := below(p.kappa - turn)
	if !(rate > 0x1p-4) {
		return false
	}
	late := above(rest / rate)
	if way := float64(late * p.speed); way > 0.5*ex.tolerance && way > 64*ex.gapError {
		return false
	}
	p.t = below(p.t1 - late)
	ex.list = append(ex.list, p.exclusion)
	ex.Work.Exclusions++
	return true
}
