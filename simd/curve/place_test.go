package curve

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"testing"

	"ccd/simd/internal/checks"
	"ccd/simd/internal/vec"
	"ccd/simd/linear"
)

var curvedPlaceKinds = []struct {
	name  string
	place func(rec []float64, degree int, idx [][4]int32, list []int32, toi []float64, out *linear.Places,
		placed []uint8)
	face bool
}{{"VF", PlaceVF, true}, {"EE", PlaceEE, false}}

func TestCurvedPlaceLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(51))
	placed, all := 0, 0
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			for degree := 2; degree <= 3; degree++ {
				rec, idx := curves(r, family, degree, 25, 50)
				if n%3 == 0 { // some vertices rest
					stride := 3 * (degree + 1)
					for i := range 12 {
						for l := 3; l < stride; l++ {
							rec[stride*i+l] = rec[stride*i+l%3]
						}
					}
				}
				list := checks.Everything(50)
				r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
				list = list[:n]
				toi := make([]float64, n)
				for j := range toi {
					toi[j] = r.Float64()
				}
				if n%2 == 1 {
					rec, idx, list, toi = checks.Skew(rec), checks.Skew(idx), checks.Skew(list), checks.Skew(toi)
				}
				for _, c := range curvedPlaceKinds {
					var want linear.Places
					done := make([]uint8, n)
					curvedPlaceGeneric(rec, degree, idx, list, toi, &want, done, c.face)
					checks.AtLevels(t, func(level string) {
						var out linear.Places
						got := append(make([]uint8, n), 7)
						c.place(rec, degree, idx, list, toi, &out, got[:n])
						for j := range n {
							all++
							placed += int(done[j])
							if got[j] != done[j] || got[n] != 7 {
								t.Fatalf("%s %s %s, degree %d, query %d: placed %d, want %d",
									c.name, family, level, degree, j, got[j], done[j])
							}
							for k := range out {
								if done[j] == 1 && math.Float64bits(out[k][j]) != math.Float64bits(want[k][j]) {
									t.Fatalf("%s %s %s, degree %d, query %d, row %d: %x, want %x",
										c.name, family, level, degree, j, k, out[k][j], want[k][j])
								}
							}
						}
					})
				}
			}
		}
	}
	if t.Logf("%d of %d placed", placed, all); placed < all/10 {
		t.Errorf("%d of %d placed: the test shows too little", placed, all)
	}
}

func BenchmarkCurvedPlace(b *testing.B) {
	r := rand.New(rand.NewSource(52))
	for _, degree := range []int{2, 3} {
		rec, idx := curves(r, "uniform", degree, 1000, linear.PlaceLen)
		toi, done := make([]float64, linear.PlaceLen), make([]uint8, linear.PlaceLen)
		for j := range toi {
			toi[j] = r.Float64()
		}
		var out linear.Places
		for _, c := range curvedPlaceKinds {
			checks.AtLevels(b, func(level string) {
				b.Run(fmt.Sprintf("%s/degree=%d/%s", c.name, degree, level), func(b *testing.B) {
					for b.Loop() {
						c.place(rec, degree, idx, checks.Everything(linear.PlaceLen), toi, &out, done)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*linear.PlaceLen), "ns/query")
				})
			})
		}
	}
}

// TestCurvedPlaceBounds holds points, velocities and the points at toi against rationals, and what
// is rounded for certain against the rounded rational.
func TestCurvedPlaceBounds(t *testing.T) {
	r := rand.New(rand.NewSource(53))
	worst := map[string]float64{}
	rational := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	off := func(name string, got vec.Double, want *big.Rat, bound float64) {
		d := new(big.Rat).Sub(rational(got.H), want)
		x, _ := d.Add(d, rational(got.L)).Float64()
		if worst[name] = max(worst[name], math.Abs(x)/bound); math.Abs(x) > bound {
			t.Errorf("%s: off by %g of its bound", name, math.Abs(x)/bound)
		}
	}
	for round := range 400 {
		degree, size := 2+r.Intn(2), r.Intn(1+20*(round%3))
		rec := make([]float64, 12*(degree+1)+1)
		for i := range rec {
			rec[i] = math.Ldexp(r.Float64()-0.5, -r.Intn(1+size))
		}
		toi := math.Ldexp(r.Float64(), -r.Intn(1+round%40))
		q := curvedPlace{degree: degree, ok: true}
		q.load(rec, &[4]int32{0, 1, 2, 3})
		q.move(toi)
		if !q.ok {
			continue
		}
		path := func(i, k int, t float64) (x, v *big.Rat) {
			var c [4]*big.Rat
			for l := range degree + 1 {
				c[l] = rational(q.c[i][l][k])
			}
			for step := range degree {
				for l := range degree - step {
					v = new(big.Rat).Sub(c[l+1], c[l])
					c[l] = new(big.Rat).Add(c[l], new(big.Rat).Mul(v, rational(t)))
				}
			}
			return c[0], v.Mul(v, rational(float64(degree)))
		}
		next := math.Nextafter(toi, 2)
		for k := range 3 {
			var x, v [4]*big.Rat
			for i := range 4 {
				x[i], v[i] = path(i, k, next)
				at, _ := path(i, k, toi)
				if want, _ := at.Float64(); q.begin[i][k] != want {
					t.Fatalf("the point at toi is %v, want %v", q.begin[i][k], want)
				}
				off("point", q.x[i][k], x[i], q.most*curvedPointBound/2)
				if i > 0 {
					x[i].Sub(x[i], x[0])
					v[i].Sub(v[i], v[0])
					off("difference", q.x[i][k].Minus(q.x[0][k]), x[i], q.most*curvedPointBound)
					off("velocity", q.v[i][k].Minus(q.v[0][k]), v[i], q.most*curvedVelocityBound)
				}
			}
		}
	}
	t.Log(worst)
	for _, name := range []string{"point", "difference", "velocity"} {
		if worst[name] < 0.001 {
			t.Errorf("the %s bound was not looked at", name)
		}
	}
}
