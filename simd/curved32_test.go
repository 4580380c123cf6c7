package simd

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"
)

var curved32Kinds = []struct {
	name string
	fast func(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep, off float64, out []int32) int
	face bool
}{{"VF", Curved32VF, true}, {"EE", Curved32EE, false}}

func TestCurved32Law7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(131))
	kept, total := 0, 0
	for _, family := range familyNames {
		for n := range 41 {
			degree := 2 + r.Intn(2)
			rec, idx := curves(r, family, degree, 25, 50)
			toSingle(r, rec)
			list := everything(50)
			r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:n]
			if n%2 == 1 {
				rec, idx, list = skew(rec), skew(idx), skew(list)
			}
			for _, c := range curved32Kinds {
				tmax, sep := times[r.Intn(len(times))], []float64{0, 1e-3, 0.25, 1e149, 0x1p-1074, 1e-310}[r.Intn(6)]
				off := []float64{0, 1e-9, 0x1p-1074}[r.Intn(3)]
				if r.Intn(3) == 0 {
					tmax, sep = 1, 0
				}
				bounds, whole := curvedBounds32(tmax, sep, off)
				want := make([]int32, n)
				want = want[:curved32Generic(rec, degree, idx, list, &bounds, whole, want, c.face)]
				kept, total = kept+len(want), total+n
				atLevels(t, func(level string) {
					got := append(slices.Clone(list), -7) // in place; the last entry must stay untouched
					k := c.fast(rec, degree, idx, got[:n], tmax, sep, off, got[:n])
					if !slices.Equal(got[:k], want) || got[n] != -7 {
						t.Fatalf("%s %s %s, degree %d, %d queries, tmax %g, sep %g, off %g: %v, want %v", c.name, family, level, degree, n, tmax, sep, off, got[:k], want)
					}
				})
			}
		}
	}
	if kept == 0 || kept*10 > total*9 {
		t.Errorf("%d of %d queries were kept: the test shows too little", kept, total)
	}
}

// toSingle scales control points into the range of the filter in single precision, three times of four. The last number must not matter.
func toSingle(r *rand.Rand, rec []float64) {
	largest := 0.0
	for _, x := range rec[:len(rec)-1] {
		largest = max(largest, math.Abs(x))
	}
	if scale := math.Ldexp(1, -math.Ilogb(largest+0x1p-1000)+r.Intn(40)-20); r.Intn(4) > 0 {
		for i := range rec {
			rec[i] *= scale
		}
	}
}

// wider is a query of single precision in double precision: the numbers are the same.
func (q *curvedQuery32) wider() curvedQuery {
	w := curvedQuery{face: q.face, degree: q.degree, ma: wide(q.ma), mb: wide(q.mb), mc: wide(q.mc), scale: wide(q.scale)}
	for l := range q.degree + 1 {
		w.a[l], w.b[l], w.c[l] = wide(q.a[l]), wide(q.b[l]), wide(q.c[l])
	}
	return w
}

// checkCurved32 holds the bounds of one query in single precision against rationals.
func checkCurved32(note func(string, float64), rec []float64, degree int, at4 [4]int32, face bool, tmax float64) {
	bounds, whole := filterBounds32(tmax, 0)
	q := curvedQuery32{face: face, degree: degree}
	q.load(rec, &at4)
	sign := float64(curvedSignBound32)
	if !whole {
		q.cut(bounds[0], bounds[1])
		sign = curvedPartSignBound32
	}
	if !(sum32(q.scale) <= largest32) {
		return
	}
	e := exactCurve(rec, degree, at4, face, float64(bounds[1]))
	area := permanent32(q.mb, q.mc)
	volume := dot32(q.ma, area)
	f, n := q.bernstein()
	if volume >= smallest32 {
		for m, s := range exactCurveForm(e, degree) {
			note("sign", share(float64(f[m]), s, float64(volume)*sign*curvedChoose[3*degree][m]))
		}
	}
	for k := range 3 {
		if a := at(wide(area), k); a >= smallest32 {
			for _, s := range exactCurveNorm(e, degree, k) {
				x, _ := s.Abs(s).Float64()
				note("norm", (x-at(wide(n), k))/(a*curvedNormBound32))
			}
		}
	}
	u, v, w := q.derivatives()
	for _, d := range []vec32{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, cross32(u, v), cross32(v, w), cross32(w, u)} {
		if size := float64(dot32(largestOf32(d, d), q.scale)); size >= smallest32 {
			lo, hi := q.range32(d)
			least, most := exactCurveRange(e, degree, face, wide(d))
			note("range", share(lo, least, size*curvedRangeBound32))
			note("range", share(-hi, most.Neg(most), size*curvedRangeBound32))
		}
	}
}

// range32 is the range of the projection on d at the control points of the halves, as computed.
func (q *curvedQuery32) range32(d vec32) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	var x [3][6]float32
	for v, from := range []*[4]vec32{&q.a, &q.b, &q.c} {
		var y [4]float32
		for l := range q.degree + 1 {
			y[l] = dot32(d, from[l])
		}
		x[v] = halved(y, q.degree)
	}
	for l := range 2 * q.degree {
		from, to := q.reach(x[0][l], x[1][l], x[2][l])
		lo, hi = min(lo, float64(from)), max(hi, float64(to))
	}
	return lo, hi
}

// exactCurveRange is the range of the projection of F on d at the control points of both halves, by de Casteljau's algorithm over rationals, and at the corners of the domain.
func exactCurveRange(e [3][][3]*big.Rat, degree int, face bool, d vec3) (least, most *big.Rat) {
	corners := [][2]int64{{0, 0}, {1, 0}, {0, 1}}
	if !face {
		corners = append(corners, [2]int64{1, 1})
	}
	half := big.NewRat(1, 2)
	for _, uv := range corners {
		x := make([]*big.Rat, degree+1)
		for l := range x {
			x[l] = new(big.Rat)
			for k := range 3 {
				dk := new(big.Rat).SetFloat64(at(d, k))
				mulAdd(x[l], 1, dk, e[0][l][k])
				mulAdd(x[l], uv[0], dk, e[1][l][k])
				mulAdd(x[l], uv[1], dk, e[2][l][k])
			}
		}
		for n := degree; n >= 0; n-- { // the first and the last of each step
			for _, y := range []*big.Rat{x[0], x[n]} {
				if least == nil || y.Cmp(least) < 0 {
					least = y
				}
				if most == nil || y.Cmp(most) > 0 {
					most = y
				}
			}
			for l := range n {
				x[l] = new(big.Rat).Add(x[l], x[l+1])
				x[l].Mul(x[l], half)
			}
		}
	}
	return least, new(big.Rat).Set(most)
}

// TestCurved32Bounds holds every bound of the filter in single precision against rationals, and tells how near the worst case came.
func TestCurved32Bounds(t *testing.T) {
	r := rand.New(rand.NewSource(133))
	worst := worstShares{}
	rounds := 100
	if testing.Short() {
		rounds = 12
	}
	for _, family := range familyNames {
		for range rounds {
			degree := 2 + r.Intn(2)
			rec, _ := curves(r, family, degree, 4, 1)
			toSingle(r, rec)
			stride := 3 * (degree + 1)
			if r.Intn(2) == 0 { // nearly static, so that cancellation is worst
				for i := range 4 * stride {
					rec[i] = rec[i-i%stride+i%3] * (1 + float64(r.Intn(5)-2)*0x1p-22)
				}
			}
			checkCurved32(func(name string, x float64) { worst.note(t, name, x) }, rec, degree, [4]int32{0, 1, 2, 3}, r.Intn(2) == 0, times[r.Intn(len(times))])
		}
	}
	t.Log(worst)
	for _, name := range []string{"sign", "norm", "range"} {
		if worst[name] == 0 {
			t.Errorf("the %s bound was never looked at", name)
		}
	}
}

// TestCurved32Law1KeepsContacts: what touches is never left out, at any scale, also where float32 rounds the differences.
func TestCurved32Law1KeepsContacts(t *testing.T) {
	r := rand.New(rand.NewSource(134))
	for round := range 300 {
		sep := []float64{0, 0, 1.0 / 1024, 0.25, 2}[r.Intn(5)]
		for _, c := range curved32Kinds {
			degree := 2 + r.Intn(2)
			rec, idx, tau := curvedTouching(r, degree, 32, c.face, sep)
			tmax := min(1, tau*float64(1+r.Intn(2)))
			exponent := []int{0, -20, -40, -60, 25, -300}[round%6]
			for i := range rec {
				rec[i] = math.Ldexp(rec[i], exponent)
			}
			atLevels(t, func(level string) {
				out := make([]int32, len(idx))
				if k := c.fast(rec, degree, idx, everything(len(idx)), tmax, math.Ldexp(sep, exponent), 0, out); k != len(idx) {
					t.Fatalf("%s %s, degree %d, sep %g, tmax %g, exponent %d: kept %v", c.name, level, degree, sep, tmax, exponent, out[:k])
				}
			})
		}
	}
}

// TestCurved32IsAsSelective compares what both filters leave of queries of ordinary size: single precision has the halves too.
func TestCurved32IsAsSelective(t *testing.T) {
	r := rand.New(rand.NewSource(135))
	for degree := 2; degree <= 3; degree++ {
		rec, idx := curves(r, "uniform", degree, 1000, 4096)
		for i, c := range curved32Kinds {
			out := make([]int32, len(idx))
			single := c.fast(rec, degree, idx, everything(len(idx)), 0.7, 0, 0, out)
			double := curvedKinds[i].fast(rec, degree, idx, everything(len(idx)), 0.7, 0, out)
			if single > double || single == 0 {
				t.Errorf("%s, degree %d: %d of %d queries left in single precision, %d in double", c.name, degree, single, len(idx), double)
			}
		}
	}
}

func BenchmarkCurved32(b *testing.B) {
	r := rand.New(rand.NewSource(136))
	for _, degree := range []int{2, 3} {
		rec, idx := curves(r, "uniform", degree, 1000, 4096)
		out := make([]int32, len(idx))
		for _, c := range curved32Kinds {
			atLevels(b, func(level string) {
				for name, tmax := range map[string]float64{"whole": 1, "part": 0.5} {
					b.Run(fmt.Sprintf("%s/degree=%d/%s/%s", c.name, degree, name, level), func(b *testing.B) {
						k := 0
						for b.Loop() {
							k = c.fast(rec, degree, idx, everything(len(idx)), tmax, 0, 0, out)
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(idx)), "ns/query")
						b.ReportMetric(float64(k)/float64(len(idx)), "kept")
					})
				}
			})
		}
	}
}
