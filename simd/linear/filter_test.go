package linear

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/simd/internal/checks"
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

type filterFunc func(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int

var filters = []struct {
	name   string
	fast   filterFunc
	face   bool
	single bool
}{{"VF", FilterVF, true, false}, {"EE", FilterEE, false, false}, {"32VF", Filter32VF, true, true},
	{"32EE", Filter32EE, false, true}}

func TestFilterLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	kept, total := 0, 0
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 25, 50)
			// Exponents are about the ends of the range of single precision.
			exponent := []int{0, 0, 25, -20, -59, -61, -75}[r.Intn(7)]
			for i := range rec {
				rec[i] = math.Ldexp(rec[i], exponent)
			}
			list := checks.Everything(50)
			r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:n]
			if n%2 == 1 {
				rec, idx, list = checks.Skew(rec), checks.Skew(idx), checks.Skew(list)
			}
			for _, c := range filters {
				tmax := checks.Times[r.Intn(len(checks.Times))]
				sep := []float64{0, 1e-3, 0.25, 1e149, 0x1p-1074, 1e-310}[r.Intn(6)]
				want := make([]int32, n)
				if c.single {
					bounds, _ := FilterBounds32(tmax, sep)
					want = want[:filter32Generic(rec, idx, list, &bounds, want, c.face)]
				} else {
					bounds := FilterBounds(tmax, sep)
					want = want[:filterGeneric(rec, idx, list, &bounds, want, c.face)]
				}
				kept, total = kept+len(want), total+n
				checks.AtLevels(t, func(level string) {
					// The kernel works in place; the last entry must stay untouched.
					got := append(slices.Clone(list), -7)
					k := c.fast(rec, idx, got[:n], tmax, sep, got[:n])
					if !slices.Equal(got[:k], want) || got[n] != -7 {
						t.Fatalf("%s %s %s, %d queries, tmax %g, sep %g: %v, want %v",
							c.name, family, level, n, tmax, sep, got[:k], want)
					}
				})
			}
		}
	}
	if kept == 0 || kept*10 > total*9 {
		t.Errorf("%d of %d queries were kept: the test shows too little", kept, total)
	}
}

// exactQuery returns a query over rationals: A, B, C at the times 0 and tmax.
func exactQuery(rec []float64, at [4]int32, face bool, tmax float64) (e [3][2][3]*big.Rat) {
	differences := [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	if face {
		differences = [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	}
	rat := func(i, end, k int) *big.Rat { return new(big.Rat).SetFloat64(rec[8*int(at[i])+4*end+k]) }
	tm := new(big.Rat).SetFloat64(tmax)
	for v, d := range differences {
		for k := range 3 {
			x0 := rat(d[0], 0, k)
			x0.Sub(x0, rat(d[1], 0, k))
			x1 := rat(d[0], 1, k)
			x1.Sub(x1, rat(d[1], 1, k))
			x1.Sub(x1, x0).Mul(x1, tm).Add(x1, x0)
			e[v][0][k], e[v][1][k] = x0, x1
		}
	}
	return e
}

// TestFilterBounds holds every bound of the filter against rationals, and tells how near the worst
// case came.
func TestFilterBounds(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	worst := checks.WorstShares{}
	note := func(name string, x float64) { worst.Note(t, name, x) }
	for _, family := range checks.FamilyNames {
		for range long.Part(400, 4) {
			rec, idx := checks.Motion(r, family, 4, 1)
			idx[0] = [4]int32{0, 1, 2, 3}
			if r.Intn(2) == 0 { // nearly static, so that ends agree and cancellation is worst
				for i := range 4 {
					for k := range 3 {
						rec[8*i+4+k] = rec[8*i+k] * (1 + float64(r.Intn(5)-2)*0x1p-50)
					}
				}
			}
			face, tmax := r.Intn(2) == 0, checks.Times[r.Intn(len(checks.Times))]
			var q filterQuery
			q.load(rec, &idx[0], face)
			q.measure()
			if tmax != 1 {
				q.cut(1-tmax, tmax)
			}
			if q.finite() {
				checkBounds(note, &q, exactQuery(rec, idx[0], face, tmax))
			}
		}
	}
	t.Log(worst)
	for _, name := range []string{"axis", "direction", "end", "middle", "norm"} {
		if worst[name] == 0 {
			t.Errorf("the %s bound was never looked at", name)
		}
	}
}

func checkBounds(note func(string, float64), q *filterQuery, e [3][2][3]*big.Rat) {
	a, b, c := e[0], e[1], e[2]
	area := vec.Permanent(q.mb, q.mc)
	volume := vec.Dot(q.ma, area)
	if volume >= query.Smallest {
		f0, f1, f2, f3, _ := q.bernstein()
		note("end", checks.Share(f0, checks.Determinant(a[0], b[0], c[0]), volume*cubicEndBound))
		note("end", checks.Share(f3, checks.Determinant(a[1], b[1], c[1]), volume*cubicEndBound))
		for m, f := range [2]float64{f1, f2} { // f1 has one vector of the second end, f2 one of the first
			s := new(big.Rat)
			s.Add(checks.Determinant(a[1-m], b[m], c[m]), checks.Determinant(a[m], b[1-m], c[m]))
			s.Add(s, checks.Determinant(a[m], b[m], c[1-m]))
			note("middle", checks.Share(f, s, volume*cubicMiddleBound))
		}
	}
	u, v, w := q.derivatives()
	_, _, _, _, n := q.bernstein()
	for k := range 3 {
		checkRange(note, "axis", q, [3]vec.Vec3{{X: 1, Y: 0, Z: 0}, {X: 0, Y: 1, Z: 0}, {X: 0, Y: 0, Z: 1}}[k], e,
			checks.At(q.scale, k), axisBound)
		if checks.At(area, k) >= query.Smallest {
			i, j := (k+1)%3, (k+2)%3
			for end := range 2 {
				s := new(big.Rat)
				checks.MulAdd(s, 1, b[end][i], c[end][j])
				checks.MulAdd(s, -1, b[end][j], c[end][i])
				x, _ := s.Abs(s).Float64()
				note("norm", (x-checks.At(n, k))/(checks.At(area, k)*normBound))
			}
		}
	}
	for _, d := range []vec.Vec3{vec.Cross(u, v), vec.Cross(v, w), vec.Cross(w, u)} {
		checkRange(note, "direction", q, d, e, vec.Dot(vec.LargestOf(d, d), q.scale), directionBound)
	}
}

// checkRange compares the computed range of the projection on d with the exact one.
func checkRange(note func(string, float64), name string, q *filterQuery, d vec.Vec3, e [3][2][3]*big.Rat,
	size, bound float64) {
	if !(size >= query.Smallest) {
		return
	}
	lo, hi := exactRange(q.face, d, e)
	least := func(d vec.Vec3) float64 {
		return min(q.least(vec.Dot(d, q.a[0]), vec.Dot(d, q.b[0]), vec.Dot(d, q.c[0])),
			q.least(vec.Dot(d, q.a[1]), vec.Dot(d, q.b[1]), vec.Dot(d, q.c[1])))
	}
	note(name, checks.Share(least(d), lo, size*bound))
	note(name, checks.Share(-least(vec.Vec3{X: -d.X, Y: -d.Y, Z: -d.Z}), hi, size*bound))
}

// exactRange returns the range of d.F at both ends.
func exactRange(face bool, d vec.Vec3, e [3][2][3]*big.Rat) (lo, hi *big.Rat) {
	corners := [][2]int64{{0, 0}, {1, 0}, {0, 1}}
	if !face {
		corners = append(corners, [2]int64{1, 1})
	}
	for end := range 2 {
		for _, uv := range corners {
			s := new(big.Rat)
			for k := range 3 {
				dk := new(big.Rat).SetFloat64(checks.At(d, k))
				checks.MulAdd(s, 1, dk, e[0][end][k])
				checks.MulAdd(s, uv[0], dk, e[1][end][k])
				checks.MulAdd(s, uv[1], dk, e[2][end][k])
			}
			if lo == nil || s.Cmp(lo) < 0 {
				lo = s
			}
			if hi == nil || s.Cmp(hi) > 0 {
				hi = s
			}
		}
	}
	return lo, hi
}

// touching draws queries that touch, exactly within sep, at the time tau: small integers, dyadic
// parameters, often degenerate.
func touching(r *rand.Rand, n int, face bool, sep float64) (rec []float64, idx [][4]int32, tau float64) {
	tau = math.Ldexp(1, -r.Intn(4))
	for i := range n {
		var p [4][8]float64
		for j := range 4 {
			for k := range 3 {
				p[j][k] = float64(r.Intn(9) - 4)
				p[j][4+k] = p[j][k] + float64(r.Intn(9)-4)
			}
		}
		u, v := float64(r.Intn(5))/4, float64(r.Intn(5))/4
		if face && u+v > 1 {
			u, v = 1-u, 1-v
		}
		for k := range 3 { // where the first point must be at the time tau
			at := func(j int) float64 { return p[j][k] + tau*(p[j][4+k]-p[j][k]) }
			x := at(1) + u*(at(2)-at(1)) + v*(at(3)-at(1))
			if !face { // a0 + u (a1 - a0) = b0 + v (b1 - b0), with a1 - a0 kept constant
				p[1][k], p[1][4+k] = float64(r.Intn(9)-4), float64(r.Intn(9)-4)
				d := at(1)
				p[1][k], p[1][4+k] = 0, 0
				x = at(2) + v*(at(3)-at(2)) - u*d
				p[1][k], p[1][4+k] = d, d
			}
			x += float64(r.Intn(3)-1) * sep
			p[0][4+k] = p[0][k] + (x-p[0][k])/tau
			if !face {
				p[1][k] += p[0][k]
				p[1][4+k] += p[0][4+k]
			}
		}
		for j := range 4 {
			rec = append(rec, p[j][:]...)
		}
		idx = append(idx, [4]int32{int32(4 * i), int32(4*i + 1), int32(4*i + 2), int32(4*i + 3)})
	}
	return rec, idx, tau
}

// TestFilterLaw1KeepsContacts: what touches is never left out, at any scale.
func TestFilterLaw1KeepsContacts(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for round := range 300 {
		sep := []float64{0, 0, 1.0 / 1024, 0.25, 2}[r.Intn(5)]
		for _, c := range filters {
			rec, idx, tau := touching(r, 32, c.face, sep)
			tmax := min(1, tau*float64(1+r.Intn(2)))
			exponent := []int{0, 0, -300, 80, 450, -1000, -12, 10}[round%8]
			// All products are exact in doubles, but single precision rounds them.
			odd := 1 + math.Ldexp(float64(r.Intn(1<<24)), -24)
			for i := range rec {
				rec[i] = math.Ldexp(odd*rec[i], exponent)
			}
			s := math.Ldexp(odd*sep, exponent)
			checks.AtLevels(t, func(level string) {
				out := make([]int32, len(idx))
				if k := c.fast(rec, idx, checks.Everything(len(idx)), tmax, s, out); k != len(idx) {
					t.Fatalf("%s %s, sep %g, tmax %g, exponent %d: kept %v",
						c.name, level, sep, tmax, exponent, out[:k])
				}
				if k := map[bool]axisCullFunc{true: AxisCullVF, false: AxisCullEE}[c.face](rec, idx, s,
					out); k != len(idx) {
					t.Fatalf("%s %s, sep %g: the axis cull kept %v", c.name, level, sep, out[:k])
				}
			})
		}
	}
}

func BenchmarkFilter(b *testing.B) {
	r := rand.New(rand.NewSource(7))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	out := make([]int32, len(idx))
	for _, c := range filters {
		for _, tmax := range []float64{1, 0.5} {
			checks.AtLevels(b, func(level string) {
				b.Run(fmt.Sprintf("%s/tmax=%g/%s", c.name, tmax, level), func(b *testing.B) {
					list, k := checks.Everything(len(idx)), 0
					for b.Loop() {
						k = c.fast(rec, idx, list, tmax, 0, out)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(idx)), "ns/query")
					b.ReportMetric(float64(k)/float64(len(idx)), "kept")
				})
			})
		}
	}
}
