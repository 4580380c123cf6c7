package curve

import (
	"encoding/binary"
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
	"ccd/simd/linear"
)

var curvedKinds = []struct {
	name string
	axes func(rec []float64, degree int, idx [][4]int32, sep float64, out []int32) int
	fast func(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int
	face bool
}{{"VF", AxesVF, FilterVF, true}, {"EE", AxesEE, FilterEE, false}}

// curves draws n path records of a family and m queries on them.
func curves(r *rand.Rand, family string, degree, n, m int) (rec []float64, idx [][4]int32) {
	rec = make([]float64, 3*(degree+1)*n+1)
	for i := range rec {
		rec[i] = checks.Families[family](r)
	}
	rec[len(rec)-1] = math.NaN() // must not matter
	_, idx = checks.Motion(r, family, n, m)
	return rec, idx
}

func TestCurvedLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(31))
	kept, total := 0, 0
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			degree := 2 + r.Intn(2)
			rec, idx := curves(r, family, degree, 25, 50)
			list := checks.Everything(50)
			r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:n]
			if n%2 == 1 {
				rec, idx, list = checks.Skew(rec), checks.Skew(idx), checks.Skew(list)
			}
			for _, c := range curvedKinds {
				tmax := checks.Times[r.Intn(len(checks.Times))]
				sep := []float64{0, 1e-3, 0.25, 1e149, 0x1p-1074, 1e-310}[r.Intn(6)]
				if r.Intn(3) == 0 {
					tmax, sep = 1, 0
				}
				bounds := linear.FilterBounds(tmax, sep)
				want, axes := make([]int32, n), make([]int32, 50)
				want = want[:curvedGeneric(rec, degree, idx, list, &bounds, want, c.face)]
				axes = axes[:curvedAxesGeneric(rec, degree, idx, sep, axes, c.face)]
				kept, total = kept+len(want), total+n
				checks.AtLevels(t, func(level string) {
					// The kernel works in place; the last entry must stay untouched.
					got := append(slices.Clone(list), -7)
					k := c.fast(rec, degree, idx, got[:n], tmax, sep, got[:n])
					if !slices.Equal(got[:k], want) || got[n] != -7 {
						t.Fatalf("%s %s %s, degree %d, %d queries, tmax %g, sep %g: %v, want %v",
							c.name, family, level, degree, n, tmax, sep, got[:k], want)
					}
					got = append(make([]int32, 50), -7)
					k = c.axes(rec, degree, idx, sep, got[:50])
					if !slices.Equal(got[:k], axes) || got[50] != -7 {
						t.Fatalf("%s %s %s, degree %d, axes, sep %g: %v, want %v",
							c.name, family, level, degree, sep, got[:k], axes)
					}
				})
			}
		}
	}
	if kept == 0 || kept*10 > total*9 {
		t.Errorf("%d of %d queries were kept: the test shows too little", kept, total)
	}
}

func TestCurvedAxesAreProofs(t *testing.T) {
	r := rand.New(rand.NewSource(32))
	culled := 0
	for round := range long.Part(4, 2) * len(checks.Families) {
		family := checks.FamilyNames[round%len(checks.Families)]
		for _, c := range curvedKinds {
			degree := 2 + r.Intn(2)
			rec, idx := curves(r, family, degree, 30, 100)
			for _, sep := range []float64{0, 1e-3, 1, 0x1p-1074} {
				out := make([]int32, len(idx))
				kept := out[:c.axes(rec, degree, idx, sep, out)]
				for i, q := range idx {
					apart := curvedApartExactly(rec, degree, q, axisPairs[c.face], sep)
					if cull := !slices.Contains(kept, int32(i)); cull && !apart {
						t.Fatalf("%s %s sep %g query %d: culled, but not apart", c.name, family, sep, i)
					} else if !cull && apart && sep == 0 {
						t.Fatalf("%s %s query %d: apart, but kept: the test is exact for sep = 0", c.name, family, i)
					} else if cull {
						culled++
					}
				}
			}
		}
	}
	if t.Logf("%d queries were culled", culled); culled < 200 {
		t.Errorf("only %d queries were culled: the test shows too little", culled)
	}
}

// curvedApartExactly is apartExactly for paths.
func curvedApartExactly(rec []float64, degree int, q [4]int32, pairs [][2]int, sep float64) bool {
	s := new(big.Rat).SetFloat64(sep)
	minus := new(big.Rat).Neg(s)
	for k := range 3 {
		above, below := true, true
		for _, p := range pairs {
			for l := range degree + 1 {
				a := new(big.Rat).SetFloat64(rec[3*((degree+1)*int(q[p[0]])+l)+k])
				a.Sub(a, new(big.Rat).SetFloat64(rec[3*((degree+1)*int(q[p[1]])+l)+k]))
				above, below = above && a.Cmp(s) > 0, below && a.Cmp(minus) < 0
			}
		}
		if above || below {
			return true
		}
	}
	return false
}

// exactCurve returns the control points of A, B and C over rationals, on [0, tmax].
func exactCurve(rec []float64, degree int, at [4]int32, face bool, tmax float64) (e [3][][3]*big.Rat) {
	differences := [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	if face {
		differences = [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	}
	tm := new(big.Rat).SetFloat64(tmax)
	for v, d := range differences {
		x := make([][3]*big.Rat, degree+1)
		for k := range 3 {
			for l := range x {
				x[l][k] = new(big.Rat).SetFloat64(rec[3*((degree+1)*int(at[d[0]])+l)+k])
				x[l][k].Sub(x[l][k], new(big.Rat).SetFloat64(rec[3*((degree+1)*int(at[d[1]])+l)+k]))
			}
			for step := 1; step <= degree; step++ {
				for l := degree; l >= step; l-- {
					d := new(big.Rat).Sub(x[l][k], x[l-1][k])
					x[l][k] = new(big.Rat).Add(x[l-1][k], d.Mul(d, tm))
				}
			}
		}
		e[v] = x
	}
	return e
}

// exactCurveForm returns A.(B x C) in scaled Bernstein form over rationals.
func exactCurveForm(e [3][][3]*big.Rat, degree int) (f []*big.Rat) {
	once := curvedChoose[degree]
	for m := range 3*degree + 1 {
		s := new(big.Rat)
		for i := range degree + 1 {
			for j := range degree + 1 {
				if l := m - i - j; l >= 0 && l <= degree {
					d := checks.Determinant(e[0][i], e[1][j], e[2][l])
					s.Add(s, d.Mul(d, new(big.Rat).SetFloat64(once[i]*once[j]*once[l])))
				}
			}
		}
		f = append(f, s)
	}
	return f
}

// exactCurveNorm returns component k of B x C in Bernstein form over rationals.
func exactCurveNorm(e [3][][3]*big.Rat, degree, k int) (n []*big.Rat) {
	i, j, once := (k+1)%3, (k+2)%3, curvedChoose[degree]
	for m, w := range curvedChoose[2*degree] {
		s := new(big.Rat)
		for x := range degree + 1 {
			if y := m - x; y >= 0 && y <= degree {
				c := new(big.Rat).SetFloat64(once[x] * once[y])
				checks.MulAdd(s, 1, c, e[1][x][i], e[2][y][j])
				checks.MulAdd(s, -1, c, e[1][x][j], e[2][y][i])
			}
		}
		n = append(n, s.Quo(s, new(big.Rat).SetFloat64(w)))
	}
	return n
}

// checkCurved holds the bounds of one query against rationals.
func checkCurved(note func(string, float64), rec []float64, degree int, at4 [4]int32, face bool, tmax float64) {
	q := curvedQuery{face: face, degree: degree}
	q.load(rec, &at4)
	sign := float64(curvedSignBound)
	if tmax != 1 {
		q.cut(1-tmax, tmax)
		sign = curvedPartSignBound
	}
	if !(vec.Sum(q.scale) <= query.Largest) {
		return
	}
	e := exactCurve(rec, degree, at4, face, tmax)
	area := vec.Permanent(q.mb, q.mc)
	volume := vec.Dot(q.ma, area)
	f, n := q.bernstein()
	if volume >= query.Smallest {
		for m, s := range exactCurveForm(e, degree) {
			note("sign", checks.Share(f[m], s, volume*sign*curvedChoose[3*degree][m]))
		}
	}
	for k := range 3 {
		if a := checks.At(area, k); a >= query.Smallest {
			for _, s := range exactCurveNorm(e, degree, k) {
				x, _ := s.Abs(s).Float64()
				note("norm", (x-checks.At(n, k))/(a*curvedNormBound))
			}
		}
	}
	u, v, w := q.derivatives()
	for _, d := range []vec.Vec3{{X: 1, Y: 0, Z: 0}, {X: 0, Y: 1, Z: 0}, {X: 0, Y: 0, Z: 1}, vec.Cross(u, v),
		vec.Cross(v, w), vec.Cross(w, u)} {
		size := vec.Dot(vec.LargestOf(d, d), q.scale)
		if !(size >= query.Smallest) {
			continue
		}
		corners := [][2]int64{{0, 0}, {1, 0}, {0, 1}}
		if !face {
			corners = append(corners, [2]int64{1, 1})
		}
		for l := range degree + 1 {
			var least, most *big.Rat
			for _, uv := range corners {
				s := new(big.Rat)
				for k := range 3 {
					dk := new(big.Rat).SetFloat64(checks.At(d, k))
					checks.MulAdd(s, 1, dk, e[0][l][k])
					checks.MulAdd(s, uv[0], dk, e[1][l][k])
					checks.MulAdd(s, uv[1], dk, e[2][l][k])
				}
				if least == nil || s.Cmp(least) < 0 {
					least = s
				}
				if most == nil || s.Cmp(most) > 0 {
					most = s
				}
			}
			lo, hi := q.reach(vec.Dot(d, q.a[l]), vec.Dot(d, q.b[l]), vec.Dot(d, q.c[l]))
			note("range", checks.Share(lo, least, size*curvedRangeBound))
			note("range", checks.Share(hi, most, size*curvedRangeBound))
		}
	}
}

// TestCurvedBounds holds every bound against rationals, and tells how near the worst case came.
func TestCurvedBounds(t *testing.T) {
	r := rand.New(rand.NewSource(33))
	worst := map[string]float64{}
	for _, family := range checks.FamilyNames {
		for range long.Part(100, 4) { // a bound of 2U in place of 32U on coefficients is found after 50
			degree := 2 + r.Intn(2)
			rec, _ := curves(r, family, degree, 4, 1)
			stride := 3 * (degree + 1)
			if r.Intn(2) == 0 { // nearly static, so that cancellation is worst
				for i := range 4 * stride {
					rec[i] = rec[i-i%stride+i%3] * (1 + float64(r.Intn(5)-2)*0x1p-50)
				}
			}
			face, tmax := r.Intn(2) == 0, checks.Times[r.Intn(len(checks.Times))]
			checkCurved(func(name string, x float64) {
				worst[name] = max(worst[name], x)
				if !(x <= 1) {
					t.Fatalf("%s %s: error is %g of its bound", family, name, x)
				}
			}, rec, degree, [4]int32{0, 1, 2, 3}, face, tmax)
		}
	}
	t.Log(worst)
	for _, name := range []string{"sign", "norm", "range"} {
		if worst[name] == 0 {
			t.Errorf("the %s bound was never looked at", name)
		}
	}
}

// curvedTouching draws queries that touch, exactly within sep, at the time tau: small integers,
// dyadic parameters, often degenerate.
func curvedTouching(r *rand.Rand, degree, n int, face bool, sep float64) (rec []float64, idx [][4]int32, tau float64) {
	tau = math.Ldexp(1, -r.Intn(4))
	value := func(c []float64) float64 { // de Casteljau, exact here
		x := slices.Clone(c)
		for step := range degree {
			for l := range degree - step {
				x[l] += tau * (x[l+1] - x[l])
			}
		}
		return x[0]
	}
	for i := range n {
		var p [4][3][]float64 // points, axes, control points
		for j := range p {
			for k := range 3 {
				still := r.Intn(3) == 0
				for l := range degree + 1 {
					x := float64(r.Intn(9) - 4)
					if still && l > 0 {
						x = p[j][k][0]
					}
					p[j][k] = append(p[j][k], x)
				}
			}
		}
		u, v := float64(r.Intn(5))/4, float64(r.Intn(5))/4
		if face && u+v > 1 {
			u, v = 1-u, 1-v
		}
		for k := range 3 { // where the first point must be at the time tau
			x := value(p[1][k]) + u*(value(p[2][k])-value(p[1][k])) + v*(value(p[3][k])-value(p[1][k]))
			d := float64(r.Intn(9) - 4) // a1 - a0, constant
			if !face {
				x = value(p[2][k]) + v*(value(p[3][k])-value(p[2][k])) - u*d
			}
			x += float64(r.Intn(3)-1) * sep
			c := p[0][k]
			c[degree] = 0
			c[degree] = (x - value(c)) / math.Pow(tau, float64(degree))
			if !face {
				for l := range c {
					p[1][k][l] = c[l] + d
				}
			}
		}
		for j := range p {
			for l := range degree + 1 {
				rec = append(rec, p[j][0][l], p[j][1][l], p[j][2][l])
			}
		}
		idx = append(idx, [4]int32{int32(4 * i), int32(4*i + 1), int32(4*i + 2), int32(4*i + 3)})
	}
	return append(rec, 0), idx, tau
}

// TestCurvedLaw1KeepsContacts: what touches is never left out, at any scale.
func TestCurvedLaw1KeepsContacts(t *testing.T) {
	r := rand.New(rand.NewSource(34))
	for round := range 300 {
		sep := []float64{0, 0, 1.0 / 1024, 0.25, 2}[r.Intn(5)]
		for _, c := range curvedKinds {
			degree := 2 + r.Intn(2)
			rec, idx, tau := curvedTouching(r, degree, 32, c.face, sep)
			tmax := min(1, tau*float64(1+r.Intn(2)))
			exponent := []int{0, 0, -300, 80, 450, -1000}[round%6]
			for i := range rec {
				rec[i] = math.Ldexp(rec[i], exponent)
			}
			s := math.Ldexp(sep, exponent)
			checks.AtLevels(t, func(level string) {
				out := make([]int32, len(idx))
				if k := c.fast(rec, degree, idx, checks.Everything(len(idx)), tmax, s, out); k != len(idx) {
					t.Fatalf("%s %s, degree %d, sep %g, tmax %g, exponent %d: kept %v",
						c.name, level, degree, sep, tmax, exponent, out[:k])
				}
				if k := c.axes(rec, degree, idx, s, out); k != len(idx) {
					t.Fatalf("%s %s, degree %d, sep %g: axes kept %v", c.name, level, degree, sep, out[:k])
				}
			})
		}
	}
}

// curveOf returns the control points of four vertices that a fuzz target's data hold; it skips
// those that are out of range.
func curveOf(t *testing.T, data []byte, degree int) []float64 {
	rec := make([]float64, 12*(degree+1)+1)
	for i := range rec {
		if 8*i+8 <= len(data) {
			rec[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		if !(math.Abs(rec[i]) <= 1e150) {
			t.Skip()
		}
	}
	return rec
}

// FuzzCurved: all levels agree on any paths, and their bounds hold over rationals.
func FuzzCurved(f *testing.F) {
	r := rand.New(rand.NewSource(35))
	for _, family := range checks.FamilyNames {
		rec, _ := curves(r, family, 3, 4, 0)
		f.Add(checks.Packed(rec[:48]), true, false, 0.5, 0.0)
		f.Add(checks.Packed(rec[:36]), false, true, 1.0, 0.1)
	}
	f.Fuzz(func(t *testing.T, data []byte, cubic, face bool, tmax, sep float64) {
		if !(tmax >= 0 && tmax <= 1 && sep >= 0 && sep <= 1e150) {
			t.Skip()
		}
		degree := 2
		if cubic {
			degree = 3
		}
		rec := curveOf(t, data, degree)
		c := curvedKinds[0]
		if !face {
			c = curvedKinds[1]
		}
		idx := [][4]int32{{0, 1, 2, 3}}
		bounds := linear.FilterBounds(tmax, sep)
		var want, axes, got [1]int32
		n := curvedGeneric(rec, degree, idx, []int32{0}, &bounds, want[:], face)
		m := curvedAxesGeneric(rec, degree, idx, sep, axes[:], face)
		checks.AtLevels(t, func(level string) {
			if k := c.fast(rec, degree, idx, []int32{0}, tmax, sep, got[:]); k != n {
				t.Errorf("%s: kept %d, generic %d", level, k, n)
			}
			if k := c.axes(rec, degree, idx, sep, got[:]); k != m {
				t.Errorf("%s: axes kept %d, generic %d", level, k, m)
			}
		})
		checkCurved(func(name string, x float64) {
			if !(x <= 1) {
				t.Errorf("%s: error is %g of its bound", name, x)
			}
		}, rec, degree, idx[0], face, tmax)
	})
}

func BenchmarkCurved(b *testing.B) {
	r := rand.New(rand.NewSource(36))
	for _, degree := range []int{2, 3} {
		rec, idx := curves(r, "uniform", degree, 1000, 4096)
		out := make([]int32, len(idx))
		for _, c := range curvedKinds {
			checks.AtLevels(b, func(level string) {
				for name, run := range map[string]func() int{
					"axes":  func() int { return c.axes(rec, degree, idx, 0, out) },
					"whole": func() int { return c.fast(rec, degree, idx, checks.Everything(len(idx)), 1, 0, out) },
					"part":  func() int { return c.fast(rec, degree, idx, checks.Everything(len(idx)), 0.5, 0, out) },
				} {
					b.Run(fmt.Sprintf("%s/degree=%d/%s/%s", c.name, degree, name, level), func(b *testing.B) {
						k := 0
						for b.Loop() {
							k = run()
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(idx)), "ns/query")
						b.ReportMetric(float64(k)/float64(len(idx)), "kept")
					})
				}
			})
		}
	}
}

// axisPairs are the points, of the four of a query, whose order along an axis separates a face
// (true) or an edge.
var axisPairs = map[bool][][2]int{true: {{0, 1}, {0, 2}, {0, 3}}, false: {{0, 2}, {0, 3}, {1, 2}, {1, 3}}}
