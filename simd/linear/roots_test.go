package linear

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
	"ccd/simd/internal/vec"
)

type rootsFunc func(rec []float64, idx [][4]int32, list []int32, piece []uint8, tmax float64, toi []float64,
	state []uint8)

var rootsOf = []struct {
	name   string
	fast   rootsFunc
	pieces piecesFunc
	face   bool
}{{"VF", RootsVF, TimePiecesVF, true}, {"EE", RootsEE, TimePiecesEE, false}}

// jobs returns the pieces that may hold contacts, of the queries of a motion, and some that hold
// none.
func jobs(r *rand.Rand, pieces piecesFunc, rec []float64, idx [][4]int32, tmax float64) (list []int32, piece []uint8) {
	out, masks := make([]int32, len(idx)), make([]uint8, len(idx))
	n := pieces(rec, idx, checks.Everything(len(idx)), tmax, 0, out, masks)
	for i := range n {
		for k := range uint8(8) {
			if masks[i]>>k&1 == 1 || r.Intn(16) == 0 {
				list, piece = append(list, out[i]), append(piece, k)
			}
		}
	}
	return list, piece
}

func TestRootsLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(13))
	var seen [3]int
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 40, 300)
			for _, c := range rootsOf {
				tmax := checks.Times[r.Intn(len(checks.Times))]
				list, piece := jobs(r, c.pieces, rec, idx, tmax)
				m := min(n, len(list))
				list, piece = list[:m], piece[:m]
				if n%2 == 1 {
					rec, idx, list, piece = checks.Skew(rec), checks.Skew(idx), checks.Skew(list), checks.Skew(piece)
				}
				ends := TimePieceEnds(tmax)
				want, wantState := make([]float64, m), make([]uint8, m)
				rootsGeneric(rec, idx, list, piece, &ends, want, wantState, c.face)
				for _, s := range wantState {
					seen[s]++
				}
				checks.AtLevels(t, func(level string) {
					got, state := append(make([]float64, m), -7), append(make([]uint8, m), 7)
					c.fast(rec, idx, list, piece, tmax, got[:m], state[:m])
					if !slices.Equal(got[:m], want) || !slices.Equal(state[:m], wantState) || got[m] != -7 ||
						state[m] != 7 {
						t.Fatalf("%s %s %s, tmax %g: %v %v, want %v %v",
							c.name, family, level, tmax, got, state, want, wantState)
					}
				})
			}
		}
	}
	for s, n := range seen {
		if n < 50 {
			t.Errorf("state %d was seen only %d times", s, n)
		}
	}
}

// exactCubic returns the coefficients of A.(B x C) in powers of t, over rationals.
func exactCubic(e [3][2][3]*big.Rat) (c [4]*big.Rat) {
	a, b, d := e[0], e[1], e[2]
	f0, f3 := checks.Determinant(a[0], b[0], d[0]), checks.Determinant(a[1], b[1], d[1])
	f1 := new(big.Rat).Add(checks.Determinant(a[1], b[0], d[0]), checks.Determinant(a[0], b[1], d[0]))
	f1.Add(f1, checks.Determinant(a[0], b[0], d[1]))
	f2 := new(big.Rat).Add(checks.Determinant(a[0], b[1], d[1]), checks.Determinant(a[1], b[0], d[1]))
	f2.Add(f2, checks.Determinant(a[1], b[1], d[0]))
	three, two := big.NewRat(3, 1), big.NewRat(2, 1)
	times := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
	c[0] = f0
	c[1] = new(big.Rat).Sub(f1, times(three, f0))
	c[2] = new(big.Rat).Add(new(big.Rat).Sub(f2, times(two, f1)), times(three, f0))
	c[3] = new(big.Rat).Sub(new(big.Rat).Add(new(big.Rat).Sub(f3, f2), f1), f0)
	return c
}

func horner(c [4]*big.Rat, x float64) *big.Rat {
	t, s := new(big.Rat).SetFloat64(x), new(big.Rat)
	for k := 3; k >= 0; k-- {
		s.Mul(s, t).Add(s, c[k])
	}
	return s
}

// middle returns three times the Bernstein coefficient next to s on [s, e].
func middle(c [4]*big.Rat, s, e float64) *big.Rat {
	a, b := new(big.Rat).SetFloat64(s), new(big.Rat).SetFloat64(e)
	r := new(big.Rat)
	checks.MulAdd(r, 3, c[0])
	checks.MulAdd(r, 2, c[1], a)
	checks.MulAdd(r, 1, c[1], b)
	checks.MulAdd(r, 1, c[2], a, a)
	checks.MulAdd(r, 2, c[2], a, b)
	checks.MulAdd(r, 3, c[3], a, a, b)
	return r
}

// errorShare returns |h+l - want| / bound.
func errorShare(got vec.Double, want *big.Rat, bound float64) float64 {
	d := new(big.Rat).SetFloat64(got.H)
	d.Add(d, new(big.Rat).SetFloat64(got.L))
	f, _ := d.Sub(d, want).Abs(d).Quo(d, new(big.Rat).SetFloat64(bound)).Float64()
	return f
}

// TestRootBounds holds the double-double bounds against rationals.
func TestRootBounds(t *testing.T) {
	r := rand.New(rand.NewSource(14))
	worst, looked := map[string]float64{}, 0
	for _, family := range checks.FamilyNames {
		for range 300 {
			rec, idx := checks.Motion(r, family, 4, 1)
			if r.Intn(3) == 0 { // edges and faces that nearly vanish or nearly agree
				for i := range rec {
					rec[i] = rec[i%8] * (1 + float64(r.Intn(9)-4)*0x1p-51)
				}
			}
			idx[0] = [4]int32{0, 1, 2, 3}
			face, ends, k := r.Intn(2) == 0, TimePieceEnds(checks.Times[r.Intn(len(checks.Times))]), r.Intn(8)
			var q rootQuery
			q.start, q.end = ends[k], ends[k+1]
			q.load(rec, &idx[0], face)
			q.isolate()
			if q.bound == 0 {
				continue
			}
			looked++
			c := exactCubic(exactQuery(rec, idx[0], face, 1))
			if horner(c, q.start).Sign() < 0 != (q.f.At(q.start).H < 0) { // the sign that isolate took out
				for _, x := range c {
					x.Neg(x)
				}
			}
			for _, x := range []float64{q.start, q.end, r.Float64(), 1} {
				worst["end"] = max(worst["end"], errorShare(q.f.At(x), horner(c, x), q.bound))
			}
			bound3 := q.bound * (middleBound / endBound)
			worst["middle"] = max(worst["middle"],
				errorShare(q.f.Blossom(q.start, q.end), middle(c, q.start, q.end), bound3),
				errorShare(q.f.Blossom(q.end, q.start), middle(c, q.end, q.start), bound3))
		}
	}
	t.Log(worst, looked)
	if !(worst["end"] <= 1 && worst["middle"] <= 1) || looked < 500 {
		t.Errorf("of %d queries, shares of the bounds: %v", looked, worst)
	}
}

// TestRootsAreProofs holds every state against rationals: signs of the Bernstein form, the root
// rounded down, u and v there.
func TestRootsAreProofs(t *testing.T) {
	r := rand.New(rand.NewSource(15))
	var seen [3]int
	for _, family := range []string{"uniform", "integers", "nearly", "offset", "exponents", "zeros"} {
		for round := range 12 {
			rec, idx := checks.Motion(r, family, 40, 60)
			for _, c := range rootsOf {
				tmax := []float64{1, 0.5, 0.7}[round%3]
				list, piece := jobs(r, c.pieces, rec, idx, tmax)
				toi, state := make([]float64, len(list)), make([]uint8, len(list))
				c.fast(rec, idx, list, piece, tmax, toi, state)
				ends := TimePieceEnds(tmax)
				for j, i := range list {
					seen[state[j]]++
					if state[j] != RootUndecided {
						if err := checkRoot(rec, idx[i], c.face, ends[piece[j]], ends[piece[j]+1], toi[j],
							state[j]); err != nil {
							t.Fatalf("%s %s, query %d, piece %d of %g: %v", c.name, family, i, piece[j], tmax, err)
						}
					}
				}
			}
		}
	}
	t.Log("undecided, none, contact:", seen)
	if seen[RootNone] < 100 || seen[RootContact] < 100 {
		t.Errorf("undecided, none, contact: %v", seen)
	}
}

func checkRoot(rec []float64, at [4]int32, face bool, start, end, toi float64, state uint8) error {
	e := exactQuery(rec, at, face, 1)
	c := exactCubic(e)
	s := horner(c, start).Sign()
	signs := []int{s * middle(c, start, end).Sign(), s * middle(c, end, start).Sign(), s * horner(c, end).Sign()}
	if s == 0 || signs[2] == 0 {
		return fmt.Errorf("the cubic vanishes at an end, state %d", state)
	}
	if signs[0] >= 0 && signs[1] >= 0 && signs[2] > 0 {
		if state != RootNone {
			return fmt.Errorf("no zero, but state %d", state)
		}
		return nil
	}
	if signs[2] > 0 || signs[0] < 0 && signs[1] > 0 {
		return fmt.Errorf("signs %v, state %d", signs, state)
	}
	lo, hi := math.Float64bits(start), math.Float64bits(end) // the one zero lies between neighbors lo and hi
	for hi-lo > 1 {
		if m := lo + (hi-lo)/2; s*horner(c, math.Float64frombits(m)).Sign() > 0 {
			lo = m
		} else {
			hi = m
		}
	}
	before, after := inside(e, face, math.Float64frombits(lo)), inside(e, face, math.Float64frombits(hi))
	if before != after {
		return fmt.Errorf("the parameters change at the root, state %d", state)
	}
	if before != (state == RootContact) || before && toi != math.Float64frombits(lo) {
		return fmt.Errorf("zero at %v, inside %v, but state %d, toi %v", math.Float64frombits(lo), before, state, toi)
	}
	return nil
}

// inside reports whether u and v lie in the domain at the time x, by Cramer's rule over rationals.
func inside(e [3][2][3]*big.Rat, face bool, x float64) bool {
	m := moved(e, new(big.Rat).SetFloat64(x))
	best, d := 0, new(big.Rat)
	for k := range 3 {
		if n := minorExactly(m[1], m[2], k); new(big.Rat).Abs(n).Cmp(new(big.Rat).Abs(d)) > 0 {
			best, d = k, n
		}
	}
	u, v := minorExactly(m[2], m[0], best), minorExactly(m[0], m[1], best)
	u.Quo(u, d)
	v.Quo(v, d)
	one := big.NewRat(1, 1)
	if face {
		return u.Sign() >= 0 && v.Sign() >= 0 && new(big.Rat).Add(u, v).Cmp(one) <= 0
	}
	return u.Sign() >= 0 && v.Sign() >= 0 && u.Cmp(one) <= 0 && v.Cmp(one) <= 0
}

func BenchmarkRoots(b *testing.B) {
	r := rand.New(rand.NewSource(16))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	for _, c := range rootsOf {
		list, piece := jobs(r, c.pieces, rec, idx, 1)
		toi, state := make([]float64, len(list)), make([]uint8, len(list))
		checks.AtLevels(b, func(level string) {
			b.Run(fmt.Sprintf("%s/%s", c.name, level), func(b *testing.B) {
				for b.Loop() {
					c.fast(rec, idx, list, piece, 1, toi, state)
				}
				undecided := 0
				for _, s := range state {
					if s == RootUndecided {
						undecided++
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/piece")
				b.ReportMetric(float64(undecided)/float64(len(list)), "undecided")
			})
		})
	}
}
