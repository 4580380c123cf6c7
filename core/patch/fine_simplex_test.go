package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// thinSimplex returns points near a line that passes the origin at a distance of 1e-12 to 1: up to
// 1e-15 of their length from it, or in one point.
func thinSimplex(r *rand.Rand, n int) (s simplex) {
	along, _ := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.unit()
	off := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.times(math.Pow(10, -12*r.Float64()))
	width := math.Pow(10, -15*r.Float64())
	for i := range n {
		x := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.times(width)
		s.w[i], s.id[i] = off.add(x).along(2*r.Float64()-1, along), int32(i)
	}
	s.n, s.fine = n, true
	return s
}

// The direction to the point of a thin simplex nearest to the origin is that of the least distance:
// along it every vertex is as far as the exact distance, but for the rounding of the direction
// itself. In doubles it is not.
func TestFineSimplexIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	lost := [2]int{}
	for trial := range 1500 {
		n := 1 + trial%3
		s := thinSimplex(r, n)
		kind := [...]geom.Kind{geom.PointPoint, geom.PointEdge, geom.VertexFace}[n-1]
		x := make([]float64, 3, 12)
		most := 0.0
		for _, w := range s.w[:n] {
			x = append(x, w.X, w.Y, w.Z)
			most = max(most, w.length())
		}
		exact, _ := oracle.Distance(kind, x).Enclose()
		for k, fine := range []bool{true, false} {
			kept := s
			kept.fine = fine
			p, _ := kept.nearest()
			d, ok := p.unit()
			least := math.Inf(1)
			for _, w := range s.w[:n] {
				h, _ := exactDot(w, d).Float64()
				least = min(least, h)
			}
			if rounding := 0x1p-51 * most; ok &&
				!(math.Abs(least-exact) <= rounding && math.Abs(p.length()-exact) <= rounding) {
				if lost[k]++; fine {
					t.Fatalf("trial %d: %v: vertices are at %v, nearest point at %v, distance %v",
						trial, s.w[:n], least, p.length(), exact)
				}
			}
		}
	}
	t.Logf("doubles lose the direction of %d", lost[1])
	if lost[1] < 300 {
		t.Errorf("doubles lose the direction of %d only: thinner simplexes are needed", lost[1])
	}
}

// exactDot returns the inner product over the rationals.
func exactDot(a, b vec) *big.Rat {
	sum := new(big.Rat)
	for _, p := range [3][2]float64{{a.X, b.X}, {a.Y, b.Y}, {a.Z, b.Z}} {
		sum.Add(sum, new(big.Rat).Mul(rat(p[0]), rat(p[1])))
	}
	return sum
}

// A tetrahedron holds the origin if and only if its volume and those with the origin in the place
// of a vertex have one sign, over the rationals; of one without the origin the nearest point lies
// on a face, an edge or at a vertex, and no vertex is nearer along it.
func TestFineTetrahedra(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 2))
	holds := 0
	for trial := range 1500 {
		s := thinSimplex(r, 4)
		want := insideExactly(s.w)
		v := s
		p, inside := v.nearest()
		if inside != want {
			t.Fatalf("trial %d: %v: inside %v, not %v", trial, s.w, inside, want)
		}
		if inside {
			holds++
			continue
		}
		d, ok := p.unit()
		for _, w := range s.w {
			if h, _ := exactDot(w, d).Float64(); ok && h < p.length()-0x1p-50*max(w.length(), 1) {
				t.Fatalf("trial %d: %v: a vertex is at %v, the nearest point at %v", trial, s.w, h, p.length())
			}
		}
	}
	if holds < 15 {
		t.Errorf("only %d of the tetrahedra hold the origin", holds)
	}
}

func insideExactly(w [4]vec) bool {
	volume := func(p [4]vec) int {
		var e [3][3]*big.Rat
		for i := range 3 {
			for k, x := range [3][2]float64{{p[i].X, p[3].X}, {p[i].Y, p[3].Y}, {p[i].Z, p[3].Z}} {
				e[i][k] = new(big.Rat).Sub(rat(x[0]), rat(x[1]))
			}
		}
		sum := new(big.Rat)
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			minor := new(big.Rat).Mul(e[1][i], e[2][j])
			minor.Sub(minor, new(big.Rat).Mul(e[1][j], e[2][i]))
			sum.Add(sum, minor.Mul(minor, e[0][k]))
		}
		return sum.Sign()
	}
	whole := volume(w)
	for i := range 4 {
		p := w
		p[i] = vec{}
		if volume(p) != whole {
			return false
		}
	}
	return whole != 0
}
