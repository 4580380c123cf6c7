package gradient

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// State says whether a time of impact has a derivative. The zero State is Undetermined: a forgotten
// assignment never reads as one.
type State int32

// The states, with the values of the C constants CCD_GRADIENT_UNDETERMINED and so on. Where a state
// says that something is 0 or equal, it is that or cannot be distinguished from it in
// double-doubles.
const (
	Undetermined State = iota // the derivatives are beyond the range of doubles; NaN
	Defined                   // the derivatives exist, and are within Tolerance
	NoImpact                  // the pair is separate; 0
	Initial                   // the pair is in contact at t = 0, and toi stays 0 or jumps; 0
	Grazing                   // the pair does not approach at toi: a double root; NaN
	Tie                       // several points, features or events touch first, at once; NaN
	// Border: small changes make the contact vanish, at the border of a primitive without a
	// separation, or at t_max; NaN.
	Border
	states
)

func (s State) String() string {
	if s < 0 || s >= states {
		return "invalid"
	}
	return [...]string{"undetermined", "defined", "no impact", "initial", "grazing", "tie", "border"}[s]
}

// Tolerance bounds the error of each derivative of a Defined gradient, over the largest of them.
const Tolerance = 1e-12

// Gradient is the derivative of a pair's time of impact. Its layout is that of ccd_gradient: 288
// bytes, no hidden padding.
//
// Laws G1 to G6 of docs/numerics.md.
type Gradient struct {
	X0, X1 [4][3]float64 // the derivatives of toi with respect to each vertex at t = 0 and at t = 1
	TOI    float64       // the time: the largest double not above it; +Inf without an impact
	// Conditioning is |n.v| / |v|, where v is the velocity of a relative to b at the contact: in
	// (0, 1] where Defined, else 0.
	Conditioning float64
	Weights      [4]float64 // the weights of the vertices in p_a - p_b at the contact; 0 unless Defined
	Normal       [3]float64 // n, unit, from b to a: of the features that touch first; 0 unless Defined
	Vertices     [4]int32   // -1 where there is none
	Kind         geom.Kind
	State        State
}

// Set writes a gradient without derivatives: 0 for NoImpact and Initial, NaN otherwise. It leaves
// Vertices as they are.
func (g *Gradient) Set(k geom.Kind, s State, toi float64) {
	*g = Gradient{Kind: k, State: s, TOI: toi, Vertices: g.Vertices}
	if s == NoImpact || s == Initial {
		return
	}
	for i := range k.Points() {
		for c := range 3 {
			g.X0[i][c], g.X1[i][c] = math.NaN(), math.NaN()
		}
	}
}

// Query is a pair whose impact is known.
type Query struct {
	Kind       geom.Kind
	Q          []float64 // Kind.Len() doubles
	Separation float64
	MaxNorm    bool
	TMax       float64
}

// Of writes the gradient of the time of an exact impact: the verdict, TOILo, TOIHi and
// InitialContact of im are those of the exact method for just this query; its other fields are not
// read.
//
// With the weights w and the normal n of the contact, t = toi and v = sum w_i (x1_i - x0_i):
//
//	dt/dx0_i = -(1 - t) w_i n / (n.v)        dt/dx1_i = -t w_i n / (n.v)
func (g *Gradient) Of(q *Query, im *geom.Impact) {
	switch {
	case im.Verdict != geom.Contact:
		g.Set(q.Kind, NoImpact, math.Inf(1))
		return
	case im.Flags&geom.InitialContact != 0:
		g.Set(q.Kind, Initial, 0)
		return
	case im.TOILo >= q.TMax:
		g.Set(q.Kind, Border, im.TOILo)
		return
	}
	var p pair
	p.load(q)
	t := num.BallBetween(im.TOILo, im.TOIHi)
	for pass := 0; ; pass++ {
		c := p.contact(&t)
		state := c.state
		if state == Defined {
			state = g.fill(&p, &c, &t)
		}
		if state == Defined {
			g.TOI = im.TOILo
			return
		}
		if pass == passes || !p.narrow(&c, &t) {
			g.Set(q.Kind, state, im.TOILo)
			return
		}
	}
}

// passes is the number of times that the time is narrowed. Before the first pass its error is
// 2^-53; each pass squares the error, down to the precision of balls.
const passes = 3

// contact is where and how a pair touches at a time.
type contact struct {
	state State
	u, v  num.Ball
	n     num.BallVec // a vector along the normal, of any length
	event event       // the event that makes the contact in the max norm
}

// wide is the error of u or v beyond which several places touch, as far as balls tell.
const wide = 0x1p-42

// nearOne returns a vector times a power of two, with a largest component of about 1.
func nearOne(a *num.BallVec) (r num.BallVec) {
	_, e := math.Frexp(a[steepest(a)].H)
	for k, x := range a {
		r[k] = num.Ball{H: math.Ldexp(x.H, -e), L: math.Ldexp(x.L, -e), E: math.Ldexp(x.E, -e)}
	}
	return r
}

// fill computes the derivatives, and returns Defined where they are good enough.
func (g *Gradient) fill(p *pair, c *contact, t *num.Ball) State {
	v := p.velocity(c.u, c.v)
	speed := c.n.Dot(&v)
	bad := Grazing
	if c.u.E > wide || c.v.E > wide {
		bad = Tie
	}
	if speed.Sign() == 0 {
		return bad
	}
	out := Gradient{Kind: p.kind, State: Defined, Vertices: g.Vertices}
	w := p.weights(c.u, c.v)
	least := num.BallOf(1).Sub(*t)
	largest, worst := 0.0, 0.0
	for k := range 3 {
		r := c.n[k].Div(speed).Neg()
		for i := range p.kind.Points() {
			s := w[i].Mul(r)
			a, b := least.Mul(s), t.Mul(s)
			largest, worst = max(largest, math.Abs(a.H), math.Abs(b.H)), max(worst, a.E, b.E)
			out.X0[i][k], out.X1[i][k] = p.perLength(a.H), p.perLength(b.H)
			if math.IsInf(out.X0[i][k], 0) || math.IsInf(out.X1[i][k], 0) {
				return Undetermined
			}
		}
	}
	if !(worst <= 0.5*Tolerance*largest) {
		return bad
	}
	n, move := nearOne(&c.n), nearOne(&v) // The squares of short vectors would underflow.
	length, fast := n.Dot(&n).Sqrt(), move.Dot(&move).Sqrt()
	cosine := n.Dot(&move)
	if length.Sign() == 0 || fast.Sign() == 0 || cosine.Sign() == 0 {
		return Undetermined
	}
	out.Conditioning = min(1, math.Abs(cosine.H)/(length.H*fast.H))
	turn := -float64(speed.Sign()) // The sign makes a approach b.
	for k := range 3 {
		out.Normal[k] = turn*n[k].H/length.H + 0
	}
	for i := range p.kind.Points() {
		out.Weights[i] = w[i].H
	}
	*g = out
	return Defined
}
