package curve

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
	"ccd/simd/linear"
)

var curved32Kinds = []struct {
	name string
	fast func(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep, off float64, out []int32) int
	face bool
}{{"VF", Filter32VF, true}, {"EE", Filter32EE, false}}

func TestCurved32Law7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(131))
	kept, total := 0, 0
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			degree := 2 + r.Intn(2)
			rec, idx := curves(r, family, degree, 25, 50)
			toSingle(r, rec)
			list := checks.Everything(50)
			r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:n]
			if n%2 == 1 {
				rec, idx, list = checks.Skew(rec), checks.Skew(idx), checks.Skew(list)
			}
			for _, c := range curved32Kinds {
				tmax, sep := checks.Times[r.Intn(len(checks.Times))],
					[]float64{0, 1e-3, 0.25, 1e149, 0x1p-1074, 1e-310}[r.Intn(6)]
				off := []float64{0, 1e-9, 0x1p-1074}[r.Intn(3)]
				if r.Intn(3) == 0 {
					tmax, sep = 1, 0
				}
				bounds, whole := curvedBounds32(tmax, sep, off)
				want := make([]int32, n)
				want = want[:curved32Generic(rec, degree, idx, list, &bounds, whole, want, c.face)]
				kept, total = kept+len(want), total+n
				checks.AtLevels(t, func(level string) {
					// The kernel works in place; the last entry must stay untouched.
					got := append(slices.Clone(list), -7)
					k := c.fast(rec, degree, idx, got[:n], tmax, sep, off, got[:n])
					if !slices.Equal(got[:k], want) || got[n] != -7 {
						t.Fatalf("%s %s %s, degree %d, %d queries, tmax %g, sep %g, off %g: %v, want %v",
							c.name, family, level, degree, n, tmax, sep, off, got[:k], want)
					}
				})
			}
		}
	}
	if kept == 0 || kept*10 > total*9 {
		t.Errorf("%d of %d queries were kept: the test shows too little", kept, total)
	}
}

// toSingle scales control points into the range of the filter in single precision, three times of
// four. The last number must not matter.
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

// checkCurved32 holds the bounds of one query in single precision against rationals.
func checkCurved32(note func(string, float64), rec []float64, degree int, at4 [4]int32, face bool, tmax float64) {
	bounds, whole := linear.FilterBounds32(tmax, 0)
	q := curvedQuery32{face: face, degree: degree}
	q.load(rec, &at4)
	sign := float64(curvedSignBound32)
	if !whole {
		q.cut(bounds[0], bounds[1])
		sign = curvedPartSignBound32
	}
	if !(vec.Sum32(q.scale) <= query.Largest32) {
		return
	}
	e := exactCurve(rec, degree, at4, face, float64(bounds[1]))
	area := vec.Permanent32(q.mb, q.mc)
	volume := vec.Dot32(q.ma, area)
	f, n := q.bernstein()
	if volume >= query.Smallest32 {
		exact := exactCurveForm(e, degree)
		for m, s := range exact {
			s.Quo(s, new(big.Rat).SetFloat64(curvedChoose[3*degree][m]))
		}
		half := q.signs(&f)
		for h, of := range exactHalves(exact) {
			for m, s := range of {
				note("sign", checks.Share(float64(half[h][m]), s, float64(volume)*sign))
			}
		}
	}
	for k := range 3 {
		if a := checks.At(checks.Wide(area), k); a >= query.Smallest32 {
			for _, s := range exactCurveNorm(e, degree, k) {
				x, _ := s.Abs(s).Float64()
				note("norm", (x-checks.At(checks.Wide(n), k))/(a*curvedNormBound32))
			}
		}
	}
	u, v, w := q.derivatives()
	for _, d := range []vec.Vec32{{X: 1, Y: 0, Z: 0}, {X: 0, Y: 1, Z: 0}, {X: 0, Y: 0, Z: 1}, vec.Cross32(u, v),
		vec.Cross32(v, w), vec.Cross32(w, u)} {
		if size := float64(vec.Dot32(vec.LargestOf32(d, d), q.scale)); size >= query.Smallest32 {
			lo := q.least(func(x vec.Vec32) float32 { return vec.Dot32(d, x) })
			hi := q.least(func(x vec.Vec32) float32 { return vec.Dot32(vec.Vec32{X: -d.X, Y: -d.Y, Z: -d.Z}, x) })
			for h, r := range exactCurveRanges(e, degree, face, checks.Wide(d)) {
				note("range", checks.Share(float64(lo[h]), r[0], size*curvedRangeBound32))
				note("range", checks.Share(float64(hi[h]), r[1].Neg(r[1]), size*curvedRangeBound32))
			}
		}
	}
}

// exactHalves returns the control points of both halves over rationals: blossoms at 0, 1/2 and 1,
// as sums of binomials.
func exactHalves(x []*big.Rat) (y [2][]*big.Rat) {
	k := len(x) - 1
	for l := range k + 1 {
		first, second := new(big.Rat), new(big.Rat)
		for m := range l + 1 { // l averages from the one end
			first.Add(first,
				new(big.Rat).Mul(new(big.Rat).SetFrac(new(big.Int).Binomial(int64(l), int64(m)), big.NewInt(1<<l)),
					x[m]))
		}
		for m := range k - l + 1 { // The second half takes k - l control points from the other end.
			second.Add(second,
				new(big.Rat).Mul(
					new(big.Rat).SetFrac(new(big.Int).Binomial(int64(k-l), int64(m)), big.NewInt(1<<(k-l))), x[l+m]))
		}
		y[0], y[1] = append(y[0], first), append(y[1], second)
	}
	return y
}

// exactCurveRanges returns the least and the greatest projection of F on d at the control points of
// each half, over rationals, at the corners of the domain.
func exactCurveRanges(e [3][][3]*big.Rat, degree int, face bool, d vec.Vec3) (r [2][2]*big.Rat) {
	corners := [][2]int64{{0, 0}, {1, 0}, {0, 1}}
	if !face {
		corners = append(corners, [2]int64{1, 1})
	}
	for _, uv := range corners {
		x := make([]*big.Rat, degree+1)
		for l := range x {
			x[l] = new(big.Rat)
			for k := range 3 {
				dk := new(big.Rat).SetFloat64(checks.At(d, k))
				checks.MulAdd(x[l], 1, dk, e[0][l][k])
				checks.MulAdd(x[l], uv[0], dk, e[1][l][k])
				checks.MulAdd(x[l], uv[1], dk, e[2][l][k])
			}
		}
		for h, half := range exactHalves(x) {
			for _, y := range half {
				if r[h][0] == nil || y.Cmp(r[h][0]) < 0 {
					r[h][0] = new(big.Rat).Set(y)
				}
				if r[h][1] == nil || y.Cmp(r[h][1]) > 0 {
					r[h][1] = new(big.Rat).Set(y)
				}
			}
		}
	}
	return r
}

// TestCurved32Bounds holds every bound of the filter in single precision against rationals, and
// tells how near the worst case came.
func TestCurved32Bounds(t *testing.T) {
	r := rand.New(rand.NewSource(133))
	worst := checks.WorstShares{}
	rounds := 100
	if testing.Short() {
		rounds = 12
	}
	for _, family := range checks.FamilyNames {
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
			checkCurved32(func(name string, x float64) {
				worst.Note(t, name, x)
			}, rec, degree, [4]int32{0, 1, 2, 3}, r.Intn(2) == 0, checks.Times[r.Intn(len(checks.Times))])
		}
	}
	t.Log(worst)
	for _, name := range []string{"sign", "norm", "range"} {
		if worst[name] == 0 {
			t.Errorf("the %s bound was never looked at", name)
		}
	}
}

// TestCurved32Law1KeepsContacts: what touches is never left out, at any scale, also where float32
// rounds the differences.
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
			checks.AtLevels(t, func(level string) {
				out := make([]int32, len(idx))
				if k := c.fast(rec, degree, idx, checks.Everything(len(idx)), tmax, math.Ldexp(sep, exponent), 0,
					out); k != len(idx) {
					t.Fatalf("%s %s, degree %d, sep %g, tmax %g, exponent %d: kept %v",
						c.name, level, degree, sep, tmax, exponent, out[:k])
				}
			})
		}
	}
}

// TestCurved32IsAsSelective compares what both filters leave of queries of ordinary size: single
// precision has the halves too.
func TestCurved32IsAsSelective(t *testing.T) {
	r := rand.New(rand.NewSource(135))
	for degree := 2; degree <= 3; degree++ {
		rec, idx := curves(r, "uniform", degree, 1000, 4096)
		for i, c := range curved32Kinds {
			out := make([]int32, len(idx))
			single := c.fast(rec, degree, idx, checks.Everything(len(idx)), 0.7, 0, 0, out)
			double := curvedKinds[i].fast(rec, degree, idx, checks.Everything(len(idx)), 0.7, 0, out)
			if single > double || single == 0 {
				t.Errorf("%s, degree %d: %d of %d queries left in single precision, %d in double",
					c.name, degree, single, len(idx), double)
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
			checks.AtLevels(b, func(level string) {
				for name, tmax := range map[string]float64{"whole": 1, "part": 0.5} {
					b.Run(fmt.Sprintf("%s/degree=%d/%s/%s", c.name, degree, name, level), func(b *testing.B) {
						k := 0
						for b.Loop() {
							k = c.fast(rec, degree, idx, checks.Everything(len(idx)), tmax, 0, 0, out)
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(idx)), "ns/query")
						b.ReportMetric(float64(k)/float64(len(idx)), "kept")
					})
				}
			})
		}
	}
}
