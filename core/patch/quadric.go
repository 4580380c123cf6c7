package patch

import "math"

// quadric is a function whose level sets separate curved patches as planes separate their hulls:
//
//	phi(x, t) = n.d - d'Kd,  d = x - (c + t v),  K symmetric
//
// Its numbers are any doubles: how they are found does not matter to a proof.
type quadric struct {
	n, c, v vec
	k       [6]float64 // K: xx, yy, zz, xy, xz, yz
}

// times returns K d.
func (q *quadric) times(d vec) vec {
	k := &q.k
	return vec{
		float64(k[0]*d.X) + float64(k[3]*d.Y) + float64(k[4]*d.Z),
		float64(k[3]*d.X) + float64(k[1]*d.Y) + float64(k[5]*d.Z),
		float64(k[4]*d.X) + float64(k[5]*d.Y) + float64(k[2]*d.Z),
	}
}

// sizes returns the sum of the magnitudes of n, and that of the nine entries of K.
func (q *quadric) sizes() (n, k float64) {
	a := func(i int) float64 { return math.Abs(q.k[i]) }
	return math.Abs(q.n.X) + math.Abs(q.n.Y) + math.Abs(q.n.Z), a(0) + a(1) + a(2) + float64(2*(a(3)+a(4)+a(5)))
}

// parabola is a function of time: p[0] + p[1] t + p[2] t^2.
type parabola [3]float64

// over returns the Bernstein coefficients of a parabola over an interval of time: it stays between
// the least and the greatest of them. Each errs by at most 6U (|p[0]| + |p[1]| + |p[2]|).
func (p *parabola) over(t0, t1 float64) parabola {
	return parabola{
		p[0] + float64(t0*(p[1]+float64(t0*p[2]))),
		p[0] + float64(p[1]*float64(0.5*(t0+t1))) + float64(p[2]*float64(t0*t1)),
		p[0] + float64(t1*(p[1]+float64(t1*p[2]))),
	}
}

// composed is a quadric on a subpatch. With P_i the control points, w_i their weights and b_i the
// factors of their Bernstein polynomials (binomial or multinomial coefficients), phi of the patch
// is a Bezier patch of twice the degrees, whose coefficients are means of values of the polar form:
//
//	f_o = sum w_i w_j b_i b_j phi(P_i, P_j) / sum w_i w_j b_i b_j,  over i + j = o
//	phi(P, Q) = n.(P + Q) / 2 - P'KQ,  P and Q relative to c + t v
//
// So phi lies between the least and the greatest of f_o at every time. As control points move
// linearly, each f_o is a parabola: here of the time since from, because near a contact the points
// are small there, and rounding with them.
type composed struct {
	from, span float64 // Bounds hold for times between from and from + span, in [0,1].
	values     []parabola
	err        float64 // bounds the error of a value, over any interval of these times, as over computes it

	// With a separation, slopes are the coefficients of |grad phi|^2, made alike from the polar
	// form G_i.G_j of the gradients G_i = n - 2 K P_i; slopeErr bounds their errors. steps are the
	// gradients G_i themselves, and stepErr bounds the error of a coordinate.
	slopes   []parabola
	slopeErr float64
	steps    [][2]vec // G_i at the time from, and its rate
	stepErr  float64

	sums   []float64 // the denominators of f_o
	points []composedPoint
	start  float64 // the greatest coordinate of a control point at the time 0, relative to the origin
}

// composedPoint is a control point P relative to the moving origin at the time from, with K P and
// half of n.P; rate has those of its motion.
type composedPoint struct {
	w                float64 // w_i b_i
	at, rate         vec
	turned, turnRate vec
	half, halfRate   float64
}

// compose composes a quadric with a subpatch, whose form has the tables m, for the times from t0 to
// t1. docs/proofs/patches.md, "Curved separators", derives the bounds.
func (c *composed) compose(q *quadric, m *products, t *tree, id int32, t0, t1 float64, slopes bool) {
	n := t.n
	c.from, c.span = t0, t1-t0
	c.load(q, t, id, m)
	c.values, c.sums = grown(c.values, m.n), grown(c.sums, m.n)
	clear(c.values)
	clear(c.sums)
	for i := range c.points {
		p := &c.points[i]
		for j := range c.points[i:] {
			r := &c.points[i+j]
			o := m.to[i*n+i+j]
			w := float64(p.w * r.w)
			if j > 0 {
				w *= 2
			}
			f := &c.values[o]
			c.sums[o] += w
			f[0] += float64(w * ((p.half + r.half) - r.at.dot(p.turned)))
			f[1] += float64(w * ((p.halfRate + r.halfRate) - (r.at.dot(p.turnRate) + r.rate.dot(p.turned))))
			f[2] -= float64(w * r.rate.dot(p.turnRate))
		}
	}
	for o := range c.values {
		for k := range c.values[o] {
			c.values[o][k] /= c.sums[o]
		}
	}
	c.bound(q, t, id)
	if slopes {
		c.composeSlopes(q, m)
	}
}

// load makes the points of a subpatch.
func (c *composed) load(q *quadric, t *tree, id int32, m *products) {
	c.points = grown(c.points, t.n)
	x, w := t.points[int(id)*t.stride:], []float64(nil)
	if t.rational {
		w = t.at(id, 6)
	}
	n := t.pad
	c.start = 0
	for i := range c.points {
		p := &c.points[i]
		p.w = m.factor[i]
		if w != nil {
			p.w *= w[i]
		}
		p.rate = vec{x[3*n+i], x[4*n+i], x[5*n+i]}.sub(q.v)
		start := vec{x[i], x[n+i], x[2*n+i]}.sub(q.c)
		c.start = max(c.start, start.most())
		p.at = start.along(c.from, p.rate)
		p.turned, p.turnRate = q.times(p.at), q.times(p.rate)
		p.half, p.halfRate = 0.5*q.n.dot(p.at), 0.5*q.n.dot(p.rate)
	}
}

// bound writes the bounds on the errors of a composition.
//
// Let L be the span of time and D bound |P| + L |rate of P| of all points in every coordinate, at
// the time from; D0 the same at the time 0, over [0,1]; N and K the sums of magnitudes of n and K;
// G bound |grad phi|_1 at the control points; T the number of control points; E the error of the
// subpatch's points and w that of its weights. In phi(P, Q), at any time of the span:
//
//	points                     an error F = E + 4U D0 of each: F (G + K F)
//	n.P / 2, twice             3U N D
//	P'KQ                       6U K D^2 over its three terms in time
//	sums of terms              3U (N D + K D^2)
//
// Let A = N (D + F) + K (D + F)^2 bound |phi(P, Q)|, and S its differences between two pairs of
// points: S = 2 X G, X the distance, in every coordinate, of the points from the first one. Of f_o,
// weights that err by h = 2w + 4U together move a mean by at most h min(S, 2 A) / (1 - h); the
// products with them, sums of at most T terms in the numerator and in the denominator, and the
// quotient, err by (2T + 2) U A; composed.over by 8U A, and differences of two such values by 2U A.
// Together F (G + K F) + 2w min(S, 2 A) + (2T + 30) U A; 2T + 40 pays for terms of second order and
// for the rounding of the bound itself, 2^-800 for underflow: weights and their products are above
// 2^-203.
func (c *composed) bound(q *quadric, t *tree, id int32) {
	const u = 0x1p-53
	at, rate, extent, growth, steep := 0.0, 0.0, 0.0, 0.0, 0.0
	first := c.points[0]
	for i := range c.points {
		p := &c.points[i]
		at, rate = max(at, p.at.most()), max(rate, p.rate.most())
		extent = max(extent, p.at.sub(first.at).most())
		growth = max(growth, p.rate.sub(first.rate).most())
		steep = max(steep, q.n.sub(p.turned.times(2)).sum()+float64(2*c.span*p.turnRate.sum()))
	}
	nd := &t.nodes[id]
	n, k := q.sizes()
	off := nd.err + float64(4*u*(c.start+rate))
	far := at + float64(c.span*rate) + off
	slope := n + float64(2*k*far)
	// A coordinate of a gradient is at most slope; it is off by 2 K F, and its four roundings.
	c.stepErr = float64((float64(2*k*off)+float64(8*u*slope))*(1+0x1p-18)) + 0x1p-800
	steep += float64(3 * c.stepErr)
	all := float64(far * (n + float64(k*far)))
	spread := min(float64(2*all), float64(2*steep*(extent+float64(c.span*growth)+float64(2*off))))
	share := float64(u * float64(2*t.n+40))
	c.err = float64((float64(off*(steep+float64(k*off)))+float64(2*nd.werr*spread)+float64(share*all))*(1+0x1p-18)) +
		0x1p-800
	share += float64(4 * nd.werr)
	c.slopeErr = float64((float64(6*slope*c.stepErr)+float64(share*float64(3*slope*slope)))*(1+0x1p-18)) + 0x1p-800
}

// composeSlopes writes the gradients and the coefficients of their squared lengths.
func (c *composed) composeSlopes(q *quadric, m *products) {
	c.slopes, c.steps = grown(c.slopes, m.n), grown(c.steps, len(c.points))
	clear(c.slopes)
	for i := range c.points {
		p := &c.points[i]
		c.steps[i] = [2]vec{q.n.sub(p.turned.times(2)), p.turnRate.times(-2)}
	}
	for i, g := range c.steps {
		for j, h := range c.steps[i:] {
			f := &c.slopes[m.to[i*len(c.steps)+i+j]]
			w := float64(c.points[i].w * c.points[i+j].w)
			if j > 0 {
				w *= 2
			}
			f[0] += float64(w * g[0].dot(h[0]))
			f[1] += float64(w * (g[0].dot(h[1]) + g[1].dot(h[0])))
			f[2] += float64(w * g[1].dot(h[1]))
		}
	}
	for o := range c.slopes {
		for k := range c.slopes[o] {
			c.slopes[o][k] /= c.sums[o]
		}
	}
}

// steepest returns a bound on |grad phi| over the subpatch and an interval of time: in the
// Euclidean norm, or the sum of magnitudes, which belongs to the max norm.
func (c *composed) steepest(euclidean bool, t0, t1 float64) float64 {
	most := 0.0
	if euclidean {
		for o := range c.slopes {
			b := c.over(&c.slopes[o], t0, t1)
			most = max(most, b[0], b[1], b[2])
		}
		return math.Sqrt(most+c.slopeErr) * (1 + 0x1p-50)
	}
	for _, g := range c.steps { // |G_i|_1 is convex in time.
		for _, t := range [2]float64{t0, t1} {
			at := g[0].along(t-c.from, g[1])
			most = max(most, math.Abs(at.X)+math.Abs(at.Y)+math.Abs(at.Z))
		}
	}
	return (most + float64(3*c.stepErr)) * (1 + 0x1p-50)
}

// over returns the Bernstein coefficients of one of the parabolas over an interval of time.
func (c *composed) over(p *parabola, t0, t1 float64) parabola { return p.over(t0-c.from, t1-c.from) }

// still reports whether no value changes in time by more than rounding.
func (c *composed) still() bool {
	for o := range c.values {
		if p := &c.values[o]; !(float64(c.span*(math.Abs(p[1])+float64(c.span*math.Abs(p[2])))) <= c.err) {
			return false
		}
	}
	return true
}

// rangeAt returns the least and the greatest value at a time.
func (c *composed) rangeAt(t float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for o := range c.values {
		x := c.valueAt(o, t)
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

// grown returns a slice of n elements, with the memory of s if it has enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
