package patch

import (
	"math"
	"sync"
)

// products are the tables of a form by which quadrics are fitted to its subpatches and composed
// with them.
type products struct {
	n      int       // the number of Bernstein polynomials of twice the degrees
	factor []float64 // the binomial or multinomial coefficient of each polynomial of the form
	to     []int16   // to[i*points+j] is the place among these of the product of polynomials i and j

	// samples are places of a subpatch: the values there of all polynomials. center is the one in
	// the middle, lines are the ends of two lines through it, along u and along v.
	samples [][]float64
	center  int
	lines   [2][2]int
}

// maxComposed is the most control points that a patch may have to be composed with a quadric: there
// are some 650 products of 36. Patches of higher degrees are separated by planes alone.
const maxComposed = 36

// productTables has the tables of each form of few enough points, made when they are first used.
var productTables = map[Form]func() *products{}

func init() {
	for f := range layouts {
		if f.Points() <= maxComposed {
			productTables[f] = sync.OnceValue(func() *products { return makeProducts(f) })
		}
	}
}

func productsOf(f Form) *products { return productTables[f]() }

// makeProducts makes the tables of a form.
func makeProducts(f Form) *products {
	twice := Form{f.Shape, 2 * f.U, 2 * f.V}
	n := f.Points()
	m := &products{n: twice.Points(), factor: make([]float64, n), to: make([]int16, n*n)}
	each := func(visit func(k, i, j int)) {
		for i := 0; i <= f.U; i++ {
			for j := 0; j <= f.V && (f.Shape != Triangle || i+j <= f.U); j++ {
				visit(f.Index(i, j), i, j)
			}
		}
	}
	each(func(k, i, j int) {
		m.factor[k] = multinomial[f.U][i][0] * multinomial[f.V][j][0]
		if f.Shape == Triangle {
			m.factor[k] = multinomial[f.U][i][j]
		}
		each(func(l, x, y int) { m.to[k*n+l] = int16(twice.Index(i+x, j+y)) })
	})
	m.sample(f, each)
	return m
}

// sample makes the samples: 25 of a quad, 28 of a triangle. A curve has none.
func (m *products) sample(f Form, each func(visit func(k, i, j int))) {
	steps, middle := 4, 2
	if f.Shape == Triangle {
		steps, middle = 6, 2
	} else if f.Shape == Curve {
		return
	}
	for a := 0; a <= steps; a++ {
		for b := 0; b <= steps && (f.Shape != Triangle || a+b <= steps); b++ {
			u, v := float64(a)/float64(steps), float64(b)/float64(steps)
			at := len(m.samples)
			switch [2]int{a, b} {
			case [2]int{middle, middle}:
				m.center = at
			case [2]int{0, middle}:
				m.lines[0][0] = at
			case [2]int{2 * middle, middle}:
				m.lines[0][1] = at
			case [2]int{middle, 0}:
				m.lines[1][0] = at
			case [2]int{middle, 2 * middle}:
				m.lines[1][1] = at
			}
			values := make([]float64, f.Points())
			power := func(x float64, k int) float64 { return math.Pow(x, float64(k)) }
			each(func(k, i, j int) {
				values[k] = m.factor[k] * power(u, i) * power(v, j)
				if f.Shape == Triangle {
					values[k] *= power(1-u-v, f.U-i-j)
				} else {
					values[k] *= power(1-u, f.U-i) * power(1-v, f.V-j)
				}
			})
			m.samples = append(m.samples, values)
		}
	}
}
