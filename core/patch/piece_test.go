package patch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// hill is a sheet over the unit square of a shape and degrees, with heights at random, high or low. Coordinates are dyadic.
func hill(r *rand.Rand, f Form, high float64) *Patch {
	p := &Patch{Form: f}
	for _, at := range layoutOf(f).places {
		z := math.Round(high*(2*r.Float64()-1)*0x1p20) * 0x1p-20
		p.X0 = append(p.X0, math.Round(at[0]*0x1p20)*0x1p-20, math.Round(at[1]*0x1p20)*0x1p-20, z)
	}
	if f.Shape == Curve {
		for i := range f.Points() {
			p.X0[3*i+1] = 0
		}
	}
	p.X1 = append([]float64{}, p.X0...)
	return p
}

// piece is the part of a polynomial patch over the parameters at(u, v), an affine map, by interpolation at the places of its own
// control points in rational steps: another net of the same surface, up to rounding.
func piece(p *Patch, f Form, at func(u, v float64) (float64, float64)) *Patch {
	l := layoutOf(f)
	n := f.Points()
	q := &Patch{Form: f}
	for _, x := range [2][]float64{p.X0, p.X1} {
		m := make([][]float64, n) // a basis by points, and the values: Gauss with pivots
		for i, s := range l.places {
			u, v := at(s[0], s[1])
			value := (&Patch{Form: p.Form, X0: x, X1: x}).At(u, v, 0)
			m[i] = make([]float64, n+3)
			for j := range n {
				unit := &Patch{Form: f, X0: make([]float64, 3*n)}
				unit.X0[3*j] = 1
				unit.X1 = unit.X0
				m[i][j] = unit.At(s[0], s[1], 0)[0]
			}
			copy(m[i][n:], value[:])
		}
		for c := range n {
			best := c
			for i := c + 1; i < n; i++ {
				if math.Abs(m[i][c]) > math.Abs(m[best][c]) {
					best = i
				}
			}
			m[c], m[best] = m[best], m[c]
			for i := range n {
				if i != c {
					s := m[i][c] / m[c][c]
					for k := c; k < n+3; k++ {
						m[i][k] -= s * m[c][k]
					}
				}
			}
		}
		var y []float64
		for i := range n {
			for k := range 3 {
				y = append(y, m[i][n+k]/m[i][i])
			}
		}
		if q.X0 == nil {
			q.X0 = y
		} else {
			q.X1 = y
		}
	}
	return q
}

// pieces are parts of a sheet that are described by other control nets: in other forms, from parts of the parameters, turned.
var pieces = []struct {
	name  string
	whole Form
	part  Form
	at    func(u, v float64) (float64, float64)
}{
	{"left half", Form{Quad, 2, 2}, Form{Quad, 2, 2}, func(u, v float64) (float64, float64) { return u / 2, v }},
	{"right half, turned", Form{Quad, 3, 2}, Form{Quad, 3, 2}, func(u, v float64) (float64, float64) { return 1 - u/2, v }},
	{"a part inside, transposed", Form{Quad, 3, 2}, Form{Quad, 2, 3}, func(u, v float64) (float64, float64) { return 0.2 + 0.3*v, 0.9 - 0.7*u }},
	{"raised", Form{Quad, 2, 2}, Form{Quad, 3, 3}, func(u, v float64) (float64, float64) { return u, v }},
	{"raised along v, a third", Form{Quad, 3, 1}, Form{Quad, 3, 4}, func(u, v float64) (float64, float64) { return (1 + u) / 3, v }},
	{"corner of a triangle", Form{Triangle, 2, 2}, Form{Triangle, 2, 2}, func(u, v float64) (float64, float64) { return u / 2, v / 2 }},
	{"middle of a triangle, raised", Form{Triangle, 2, 2}, Form{Triangle, 3, 3}, func(u, v float64) (float64, float64) { return 0.5 - u/2, 0.5 - v/2 }},
	{"triangle of a triangle", Form{Triangle, 3, 3}, Form{Triangle, 3, 3}, func(u, v float64) (float64, float64) { return 0.1 + 0.6*v, 0.3 + 0.2*u - 0.1*v }},
	{"half of a curve", Form{Curve, 3, 0}, Form{Curve, 3, 0}, func(u, v float64) (float64, float64) { return u / 2, 0 }},
}

func TestZZPieces(t *testing.T) {
	for _, w := range pieces {
		for name, way := range map[string][2]float64{"approach": {0.25, -0.25}, "rest 1e-5": {1e-5, 1e-5}, "slow 1e-4": {1e-4, -1e-4}, "slow 1e-2": {1e-2, -1e-2}, "sep": {0.25, -0.25}} {
			r := rand.New(rand.NewPCG(95, 1))
			a := hill(r, w.whole, 0.25)
			b := piece(a, w.part, w.at)
			b.move([3]float64{0, 0, way[0]}, [3]float64{0, 0, way[1]})
			var s Solver
			var im Impact
			o := DefaultOptions()
			if name == "sep" {
				o.MinSeparation = 0.05
				o.Flags = narrow.Euclidean
			}
			from := cpu()
			if err := s.Solve(a, b, &o, &im); err != nil {
				t.Fatal(err)
			}
			fmt.Printf("%-30s %-10s %v [%.9g %.9g] %v %.3f ms\n", w.name, name, im.Verdict, im.TOILo, im.TOIHi, s.Work.Checks, 1e3*(cpu()-from))
			_ = geom.Contact
		}
	}
}
