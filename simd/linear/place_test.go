package linear

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/simd/internal/checks"
)

type placeFunc func(rec []float64, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8)

var placeOf = []struct {
	name string
	fast placeFunc
	face bool
}{{"VF", PlaceVF, true}, {"EE", PlaceEE, false}}

// contacts returns queries of a motion that RootsVF or RootsEE is certain about, at most n, with
// their times.
func contacts(r *rand.Rand, kind int, rec []float64, idx [][4]int32, n int) (list []int32, toi []float64) {
	jobs, piece := jobs(r, rootsOf[kind].pieces, rec, idx, 1)
	at, state := make([]float64, len(jobs)), make([]uint8, len(jobs))
	rootsOf[kind].fast(rec, idx, jobs, piece, 1, at, state)
	for j, s := range state {
		if s == RootContact && len(list) < n {
			list, toi = append(list, jobs[j]), append(toi, at[j])
		}
	}
	return list, toi
}

func TestPlaceLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(31))
	var seen [2]int
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 40, 300)
			for kind, c := range placeOf {
				list, toi := contacts(r, kind, rec, idx, n)
				if len(list) < n { // any query and time at all: what comes out may be nonsense, but the same
					list = append(list, int32(r.Intn(len(idx))))
					toi = append(toi, r.Float64())
				}
				if n%2 == 1 {
					rec, idx, list, toi = checks.Skew(rec), checks.Skew(idx), checks.Skew(list), checks.Skew(toi)
				}
				var want Places
				placed := make([]uint8, len(list))
				placeGeneric(rec, idx, list, toi, &want, placed, c.face)
				for _, p := range placed {
					seen[p]++
				}
				checks.AtLevels(t, func(level string) {
					var got Places
					state := append(make([]uint8, len(list)), 7)
					c.fast(rec, idx, list, toi, &got, state[:len(list)])
					for j := range list {
						if state[j] != placed[j] {
							t.Fatalf("%s %s %s: query %d placed %v, want %v",
								c.name, family, level, j, state[j], placed[j])
						}
						for k := range got {
							if placed[j] == 1 && math.Float64bits(got[k][j]) != math.Float64bits(want[k][j]) {
								t.Fatalf("%s %s %s: row %d of query %d is %v, want %v",
									c.name, family, level, k, j, got[k][j], want[k][j])
							}
						}
					}
					if state[len(list)] != 7 {
						t.Fatalf("%s %s %s: wrote beyond the list", c.name, family, level)
					}
				})
			}
		}
	}
	if seen[0] < 50 || seen[1] < 500 {
		t.Errorf("refused and placed: %v", seen)
	}
}

// TestPlaceIsAccurate holds u, v, point, normal and width against rationals at the root, which is
// bisected to 2^-64 of the way from toi to the next double.
func TestPlaceIsAccurate(t *testing.T) {
	r := rand.New(rand.NewSource(32))
	worst := map[string]float64{}
	looked := 0
	for _, family := range []string{"uniform", "integers", "nearly", "offset"} {
		for range long.Part(8, 4) {
			rec, idx := checks.Motion(r, family, 40, 200)
			for kind, c := range placeOf {
				list, toi := contacts(r, kind, rec, idx, 16)
				var out Places
				placed := make([]uint8, len(list))
				c.fast(rec, idx, list, toi, &out, placed)
				for j, i := range list {
					if placed[j] == 1 {
						looked++
						checkPlace(worst, rec, idx[i], c.face, toi[j], &out, j)
					}
				}
			}
		}
	}
	t.Log(worst, looked)
	if looked < 200 {
		t.Errorf("only %d contacts", looked)
	}
	for name, x := range worst {
		if !(x <= 1) {
			t.Errorf("%s: error is %g of its bound", name, x)
		}
	}
}

// checkPlace notes the shares of the bounds that column j of out takes.
func checkPlace(worst map[string]float64, rec []float64, at [4]int32, face bool, toi float64, out *Places, j int) {
	note := func(name string, got float64, want *big.Rat, bound float64) {
		worst[name] = max(worst[name], checks.Share(got, want, bound))
	}
	e := exactQuery(rec, at, face, 1)
	tau := bisected(exactCubic(e), toi)
	m := moved(e, tau)
	k, n := 0, [3]*big.Rat{}
	for i := range 3 {
		n[i] = minorExactly(m[1], m[2], i)
		if new(big.Rat).Abs(n[i]).Cmp(new(big.Rat).Abs(n[k])) > 0 {
			k = i
		}
	}
	u, v := minorExactly(m[2], m[0], k), minorExactly(m[0], m[1], k)
	u.Quo(u, n[k])
	v.Quo(v, n[k])
	// 2^-53, three roundings of numbers of at most 1, and for v that of 1-u.
	note("u", out[PlaceU][j], u, 4*0x1p-53)
	note("v", out[PlaceV][j], v, 5*0x1p-53)

	// The point follows u and v as they are: a rounding or two of each of the terms.
	base := at[0]
	if face {
		base = at[1]
	}
	still := moved(e, new(big.Rat).SetFloat64(toi))
	size := 0.0
	for _, x := range rec {
		size = max(size, math.Abs(x))
	}
	for i := range 3 {
		x0, x1 := rec[8*int(base)+i], rec[8*int(base)+4+i]
		p := new(big.Rat).SetFloat64(x1)
		p.Sub(p, new(big.Rat).SetFloat64(x0))
		p.Mul(p, new(big.Rat).SetFloat64(toi)).Add(p, new(big.Rat).SetFloat64(x0))
		sign := int64(1)
		if face {
			sign = -1
			checks.MulAdd(p, sign, new(big.Rat).SetFloat64(out[PlaceV][j]), still[2][i])
		}
		checks.MulAdd(p, sign, new(big.Rat).SetFloat64(out[PlaceU][j]), still[1][i])
		note("point", out[PlacePoint+i][j], p, 32*0x1p-53*size)
	}
	checkNormal(note, e, n, size, toi, out, j)
}

// checkNormal holds the normal against N, and the width against dF/dt.
func checkNormal(note func(string, float64, *big.Rat, float64), e [3][2][3]*big.Rat, n [3]*big.Rat, size, toi float64,
	out *Places, j int) {
	square, slope := new(big.Rat), new(big.Rat)
	speed := new(big.Rat)
	for i := range 3 {
		checks.MulAdd(square, 1, n[i], n[i])
		w := new(big.Rat).Sub(e[0][1][i], e[0][0][i])
		checks.MulAdd(w, 1, new(big.Rat).SetFloat64(out[PlaceU][j]), new(big.Rat).Sub(e[1][1][i], e[1][0][i]))
		checks.MulAdd(w, 1, new(big.Rat).SetFloat64(out[PlaceV][j]), new(big.Rat).Sub(e[2][1][i], e[2][0][i]))
		checks.MulAdd(slope, 1, n[i], w) // f' = N.dF/dt at a root
		if w.Abs(w).Cmp(speed) > 0 {
			speed = w
		}
	}
	length := new(big.Float).SetPrec(200).SetRat(square)
	l, _ := length.Sqrt(length).Rat(nil)
	for i := range 3 {
		x := new(big.Rat).Quo(n[i], l)
		if slope.Sign() > 0 {
			x.Neg(x)
		}
		note("normal", out[PlaceNormal+i][j], x, 0x1p-48)
	}
	note("width", out[PlaceWidth][j]/(math.Nextafter(toi, 2)-toi), speed, 32*0x1p-53*size)
}

// bisected returns the cubic's root between x and the next double.
func bisected(c [4]*big.Rat, x float64) *big.Rat {
	lo, hi := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(math.Nextafter(x, 2))
	sign := horner(c, x).Sign()
	half := big.NewRat(1, 2)
	for range 64 {
		mid := new(big.Rat).Add(lo, hi)
		mid.Mul(mid, half)
		s := new(big.Rat)
		for k := 3; k >= 0; k-- {
			s.Mul(s, mid).Add(s, c[k])
		}
		if s.Sign() == sign {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// moved returns A, B, C at a time.
func moved(e [3][2][3]*big.Rat, t *big.Rat) (m [3][3]*big.Rat) {
	for v := range m {
		for k := range 3 {
			d := new(big.Rat).Sub(e[v][1][k], e[v][0][k])
			m[v][k] = d.Mul(d, t).Add(d, e[v][0][k])
		}
	}
	return m
}

// minorExactly returns component k of p cross q.
func minorExactly(p, q [3]*big.Rat, k int) *big.Rat {
	s := new(big.Rat)
	checks.MulAdd(s, 1, p[(k+1)%3], q[(k+2)%3])
	checks.MulAdd(s, -1, p[(k+2)%3], q[(k+1)%3])
	return s
}

func BenchmarkPlace(b *testing.B) {
	r := rand.New(rand.NewSource(33))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	for kind, c := range placeOf {
		list, toi := contacts(r, kind, rec, idx, PlaceLen)
		placed := make([]uint8, len(list))
		var out Places
		checks.AtLevels(b, func(level string) {
			b.Run(fmt.Sprintf("%s/%s", c.name, level), func(b *testing.B) {
				for b.Loop() {
					c.fast(rec, idx, list, toi, &out, placed)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/query")
			})
		})
	}
}
