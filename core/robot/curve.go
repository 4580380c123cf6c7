package robot

import "math"

// HighestDegree is that of the polynomials which joint variables may follow on an edge.
const HighestDegree = 5

// curve is how all variables go on an edge: polynomials in s, by their control values in the form
// of Bernstein, and their values and first two derivatives at one time.
type curve struct {
	variables, degree int
	net               [3][]float64 // control values of the variables and of two derivatives, by rows
	size              [4][]float64 // bounds on the magnitudes of the variables and of three derivatives
	q, rate, second   []float64    // the variables and two derivatives at the time set
	work              []float64
}

func newCurve(variables int) curve {
	c := curve{variables: variables, degree: 1, work: make([]float64, variables*(HighestDegree+1))}
	for k := range c.net {
		c.net[k] = make([]float64, variables*(HighestDegree+1))
	}
	for k := range c.size {
		c.size[k] = make([]float64, variables)
	}
	c.q, c.rate, c.second = make([]float64, variables), make([]float64, variables), make([]float64, variables)
	return c
}

// set takes control values, degree + 1 rows of all variables.
//
// The differences of the first derivative err by u of themselves, those of the second one by that
// of what they are differences of, and so on: 2^-40 of the first derivative is above what the sizes
// of the second and third one may lack.
func (c *curve) set(control []float64, degree int) {
	n := c.variables
	c.degree = degree
	copy(c.net[0], control)
	c.size[0] = largest(c.size[0], c.net[0][:n*(degree+1)])
	from := c.net[0]
	for k := 1; k < len(c.size); k++ {
		clear(c.size[k])
		rows := degree - k + 1
		if rows < 1 {
			continue
		}
		to := c.work
		if k < len(c.net) {
			to = c.net[k]
		}
		for i := range rows * n {
			to[i] = float64(rows) * (from[i+n] - from[i])
		}
		c.size[k] = largest(c.size[k], to[:rows*n])
		for i := range c.size[k] {
			c.size[k][i] = float64(c.size[k][i] * (1 + 16*unit))
			if k > 1 {
				c.size[k][i] += float64(0x1p-40 * c.size[1][i])
			}
		}
		from = to
	}
}

// largest fills a row with the greatest magnitudes of the columns of a table.
func largest(row, table []float64) []float64 {
	clear(row)
	for i, v := range table {
		row[i%len(row)] = max(row[i%len(row)], math.Abs(v))
	}
	return row
}

// at computes the values at a time.
func (c *curve) at(s float64) {
	if c.degree == 1 {
		for i := range c.q {
			c.rate[i] = c.net[1][i]
			c.q[i] = c.net[0][i] + float64(s*c.rate[i])
			c.second[i] = 0
		}
		return
	}
	c.evaluate(c.q, 0, s)
	c.evaluate(c.rate, 1, s)
	c.evaluate(c.second, 2, s)
}

// evaluate computes a derivative by de Casteljau's algorithm.
func (c *curve) evaluate(out []float64, k int, s float64) {
	n, rows := c.variables, c.degree-k+1
	if rows < 1 {
		clear(out)
		return
	}
	w := c.work[:rows*n]
	copy(w, c.net[k])
	for ; rows > 1; rows-- {
		for i := range (rows - 1) * n {
			w[i] += float64(s * (w[i+n] - w[i]))
		}
	}
	copy(out, w[:n])
}

// off bounds what the value of a variable of at most this magnitude errs by at a time, twice the
// factor and the offset of a joint included.
func (c *curve) off(most float64) float64 {
	if c.degree <= 1 {
		return float64(8 * unit * most)
	}
	return float64(64 * unit * most)
}

// bend bounds what the first two derivatives of a joint's value err by, when they are multiplied
// with a computed axis, the error of the axis apart.
func (c *curve) bend(rate, second float64) (offRate, offSecond float64) {
	if c.degree <= 1 {
		return float64(16 * unit * rate), 0
	}
	return float64(64 * unit * rate), float64(64 * unit * (rate + second))
}
