package patch

import (
	"math"
	"math/big"
	"sync"

	"ccd/core/num"
	"ccd/core/status"
)

// MaxLagrangeDegree is the highest degree in one parameter of an element that is given by its
// nodes.
const MaxLagrangeDegree = 6

// maxNode bounds the coordinates of nodes: a row of coefficients has magnitudes that add up to less
// than 2^13, and numerators below 2^26, so control points are below geom.MaxCoordinate and sums
// within what num.Ball holds.
const maxNode = 1e140

// nodeTerm is one summand of a control point: a node of the element, and the numerator of its
// coefficient.
type nodeTerm struct {
	node      int
	numerator float64
}

// conversion is a control point of an element as a combination of nodes: the sum of the terms over
// the denominator, all integers.
type conversion struct {
	terms       []nodeTerm
	denominator float64
}

// NewLagrange makes a body of elements that are given by their nodes: p(u,v) = sum L_i(u,v) x_i,
// with L_i the Lagrange polynomials of the form's degrees that are 1 at node i and 0 at the others.
// Nodes are equidistant: node (i, j) lies at u = i/U, v = j/V. index holds the nodes of each
// element in turn, in the order of the control points of its form. The body's control points are
// the nodes.
func NewLagrange(points int, forms []Form, index []int32) (*Body, error) {
	b, err := NewBody(points, forms, index, nil)
	if err != nil {
		return nil, err
	}
	for i, f := range forms {
		if f.U > MaxLagrangeDegree || f.V > MaxLagrangeDegree {
			return nil, status.Errorf(status.ErrArgument,
				"patch %d: degrees %d and %d of an element with nodes: at most %d",
				i, f.U, f.V, MaxLagrangeDegree)
		}
	}
	b.lagrange = true
	return b, nil
}

// fromNodes computes the Bezier patches of all elements at both ends of a step. Nodes move on
// segments, and so do control points, for they are fixed combinations of nodes.
func (f *BodyStep) fromNodes() ([]*Patch, error) {
	for e, x := range [2][]float64{f.X0, f.X1} {
		for i, v := range x {
			if math.Abs(v) > maxNode {
				return nil, status.Errorf(status.ErrNonFinite,
					"x%d[%d][%d] is %v: nodes must be at most %v in magnitude",
					e, i/3, i%3, v, maxNode)
			}
		}
	}
	patches := make([]*Patch, f.Body.Patches())
	for i := range patches {
		form := f.Body.patches[i].form
		p := &Patch{Form: form, X0: make([]float64, 3*form.Points()), X1: make([]float64, 3*form.Points())}
		nodes, rows := f.Body.indices(i), conversions(form)
		for at := range rows {
			for k := range 3 {
				var e0, e1 float64
				p.X0[3*at+k], e0 = rows[at].apply(nodes, f.X0, k)
				p.X1[3*at+k], e1 = rows[at].apply(nodes, f.X1, k)
				p.Err = max(p.Err, e0, e1)
			}
		}
		patches[i] = p
	}
	return patches, nil
}

// apply returns coordinate k of a control point, the double nearest to it, and a bound on its
// distance from there.
//
// As the nearest double it depends on the true value alone, not on the order of the nodes: elements
// with a common edge, whose control points there are those of its nodes, have the same ones. The
// ball has some 104 bits, so a value that is not known to round to z is rare; it is computed in
// rational numbers, and so is one that is so small that the ball's error does not tell.
func (c *conversion) apply(nodes []int32, x []float64, k int) (z, err float64) {
	if len(c.terms) == 1 { // a corner
		return x[3*nodes[c.terms[0].node]+int32(k)], 0
	}
	var sum num.Ball
	same := true
	first := x[3*nodes[c.terms[0].node]+int32(k)]
	for _, t := range c.terms {
		v := x[3*nodes[t.node]+int32(k)]
		same = same && v == first
		sum = sum.Add(num.BallOf(t.numerator).Mul(num.BallOf(v)))
	}
	if same { // coefficients add up to 1
		return first, 0
	}
	q := sum.Div(num.BallOf(c.denominator))
	e := num.Up(q.E)
	if z = q.H; z+num.AddUp(q.L, e) == z && z+num.AddDown(q.L, -e) == z {
		return z, num.AddUp(math.Abs(q.L), e)
	}
	return c.exactly(nodes, x, k)
}

// exactly is apply in rational numbers.
func (c *conversion) exactly(nodes []int32, x []float64, k int) (z, err float64) {
	sum, v := new(big.Rat), new(big.Rat)
	for _, t := range c.terms {
		v.SetFloat64(t.numerator)
		sum.Add(sum, v.Mul(v, new(big.Rat).SetFloat64(x[3*nodes[t.node]+int32(k)])))
	}
	sum.Quo(sum, v.SetFloat64(c.denominator))
	z, exact := sum.Float64()
	if exact {
		return z, 0
	}
	off, _ := sum.Sub(sum, v.SetFloat64(z)).Float64()
	return z, num.Up(math.Abs(off))
}

var conversionCache sync.Map // maps a Form to its []conversion

// conversions returns the control points of a form, in its order, as combinations of its nodes.
//
// The matrix of the Bernstein polynomials at the nodes takes control points to nodes; these are its
// inverse, in rational numbers. That of a quad is the product of those of its two directions.
func conversions(f Form) []conversion {
	if known, ok := conversionCache.Load(f); ok {
		return known.([]conversion)
	}
	var inverse [][]*big.Rat
	switch f.Shape {
	case Triangle:
		inverse = inverted(triangleNodes(f.U))
	default:
		inverse = product(inverted(lineNodes(f.U)), inverted(lineNodes(f.V)))
	}
	rows := make([]conversion, len(inverse))
	for i, row := range inverse {
		rows[i] = conversionOf(row)
	}
	conversionCache.Store(f, rows)
	return rows
}

// conversionOf writes a row of rational numbers with one denominator, without what is 0.
func conversionOf(row []*big.Rat) conversion {
	common := big.NewInt(1)
	for _, x := range row {
		d := new(big.Int).GCD(nil, nil, common, x.Denom())
		common.Mul(common, d.Quo(x.Denom(), d))
	}
	c := conversion{denominator: float64(common.Int64())}
	scale := new(big.Rat).SetInt(common)
	for i, x := range row {
		if x.Sign() != 0 {
			n, _ := new(big.Rat).Mul(x, scale).Float64()
			c.terms = append(c.terms, nodeTerm{i, n})
		}
	}
	return c
}

// lineNodes returns the Bernstein polynomials of a degree (columns) at equidistant nodes (rows).
func lineNodes(n int) [][]*big.Rat {
	rows := make([][]*big.Rat, n+1)
	for i := range rows {
		for a := range n + 1 {
			rows[i] = append(rows[i], bernsteinAt(n, i, n-i, 0, a, n-a, 0))
		}
	}
	return rows
}

// triangleNodes is lineNodes of a triangle, both in the order of its control points.
func triangleNodes(n int) (rows [][]*big.Rat) {
	for j := range n + 1 {
		for i := range n + 1 - j {
			var row []*big.Rat
			for b := range n + 1 {
				for a := range n + 1 - b {
					row = append(row, bernsteinAt(n, i, j, n-i-j, a, b, n-a-b))
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// bernsteinAt returns n! / (a! b! c!) i^a j^b k^c / n^n: the Bernstein polynomial of the powers a,
// b, c at the barycentric coordinates i/n, j/n, k/n.
func bernsteinAt(n, i, j, k, a, b, c int) *big.Rat {
	if n == 0 {
		return big.NewRat(1, 1)
	}
	power := func(x, e int) *big.Int { return new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(int64(e)), nil) }
	top := new(big.Int).Binomial(int64(n), int64(a))
	top.Mul(top, new(big.Int).Binomial(int64(b+c), int64(b)))
	top.Mul(top, power(i, a)).Mul(top, power(j, b)).Mul(top, power(k, c))
	return new(big.Rat).SetFrac(top, power(n, n))
}

// inverted returns the inverse of a matrix that has one, by elimination.
func inverted(m [][]*big.Rat) [][]*big.Rat {
	n := len(m)
	out := make([][]*big.Rat, n)
	for i := range out {
		for j := range n {
			one := new(big.Rat)
			if i == j {
				one.SetInt64(1)
			}
			out[i] = append(out[i], one)
		}
	}
	for c := range n {
		p := c
		for m[p][c].Sign() == 0 {
			p++
		}
		m[c], m[p], out[c], out[p] = m[p], m[c], out[p], out[c]
		d := new(big.Rat).Inv(m[c][c])
		for j := range n {
			m[c][j].Mul(m[c][j], d)
			out[c][j].Mul(out[c][j], d)
		}
		for r := range n {
			if r == c || m[r][c].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Set(m[r][c])
			for j := range n {
				m[r][j].Sub(m[r][j], d.Mul(f, m[c][j]))
				out[r][j].Sub(out[r][j], d.Mul(f, out[c][j]))
			}
		}
	}
	return out
}

// product returns the Kronecker product of two square matrices: its index is that of the first
// times the size of the second, plus that of the second.
func product(a, b [][]*big.Rat) [][]*big.Rat {
	out := make([][]*big.Rat, 0, len(a)*len(b))
	for _, ra := range a {
		for _, rb := range b {
			var row []*big.Rat
			for _, x := range ra {
				for _, y := range rb {
					row = append(row, new(big.Rat).Mul(x, y))
				}
			}
			out = append(out, row)
		}
	}
	return out
}
