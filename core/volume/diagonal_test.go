package volume

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// twiceAlong returns the difference of two points along e_i + sign e_j at one end, over rationals.
func twiceAlong(rec []float64, a, b int32, end, i, j int, sign int64) *big.Rat {
	at := func(v int32) *big.Rat {
		x := new(big.Rat).SetFloat64(rec[8*int(v)+4*end+i])
		y := new(big.Rat).SetFloat64(rec[8*int(v)+4*end+j])
		return x.Add(x, y.Mul(y, big.NewRat(sign, 1)))
	}
	return new(big.Rat).Sub(at(a), at(b))
}

// provenApart reports, over rationals, whether a diagonal direction keeps the two features more
// than d apart in the max norm.
func provenApart(rec []float64, q [4]int32, split int, d float64) bool {
	least := new(big.Rat).SetFloat64(d)
	least.Add(least, least)
	for k := range 3 {
		for _, sign := range []int64{1, -1} {
			above, below := true, true
			for _, a := range q[:split] {
				for _, b := range q[split:] {
					for end := range 2 {
						g := twiceAlong(rec, a, b, end, k, (k+1)%3, sign)
						above, below = above && g.Cmp(least) > 0, below && g.Neg(g).Cmp(least) > 0
					}
				}
			}
			if above || below {
				return true
			}
		}
	}
	return false
}

// What the diagonals leave out with a separation keeps more than it, at any magnitude, far from the
// origin, and where a difference is the separation but for the last places.
func TestDiagonalsKeepTheSeparation(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	s := new(Scene)
	w := newWorker()
	w.s = s
	out := 0
	for round := range 300 {
		scale := math.Ldexp(1, r.IntN(900)-450)
		far := []float64{0, 1, 1e6}[round%3]
		d := math.Ldexp(scale*(1+r.Float64()), -r.IntN(20))
		x := [2][]float64{make([]float64, 60), make([]float64, 60)}
		for end := range x {
			for i := range x[end] {
				x[end][i] = scale * (far + r.Float64())
			}
		}
		for i := 6; i < 60; i += 6 { // near the limit of the vertex before
			for end := range x {
				y := x[end][i : i+3]
				copy(y, x[end][i-3:i])
				y[0] += d
				y[1] += d * (1 + float64(0x1p-50*float64(r.IntN(64)-32)))
			}
		}
		if err := s.mo.Load(x[0], x[1]); err != nil {
			t.Fatal(err)
		}
		s.gap = diagonalGap(d, s.mo.Largest())
		for split, kind := range []geom.Kind{1: geom.VertexFace, 2: geom.EdgeEdge} {
			if split == 0 {
				continue
			}
			idx := make([][4]int32, 40)
			for i := range idx {
				a, b := int32(r.IntN(9)), int32(r.IntN(20))
				idx[i] = [4]int32{2*a + 1, 2*a + 2, 2*a + 2, 2*a + 2} // degenerate ones, near the limit
				if kind == geom.EdgeEdge {
					idx[i][1] = idx[i][0]
				}
				if i%2 == 0 {
					idx[i] = [4]int32{b, (b + 5) % 20, (b + 7) % 20, (b + 11) % 20}
				}
			}
			kept := map[int32]bool{}
			for _, i := range w.diagonals(kind, idx) {
				kept[i] = true
			}
			for i, q := range idx {
				if kept[int32(i)] {
					continue
				}
				if out++; !provenApart(s.mo.Rec, q, split, d) {
					t.Fatalf("%v of %v, d = %v, is left out", kind, q, d)
				}
			}
		}
	}
	if out < 1000 {
		t.Errorf("%d pairs left out show too little", out)
	}
}
