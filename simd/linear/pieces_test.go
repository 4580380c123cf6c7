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
	"ccd/simd/internal/level"
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

type piecesFunc func(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32, masks []uint8) int

var piecesOf = []struct {
	name string
	fast piecesFunc
	face bool
}{{"VF", TimePiecesVF, true}, {"EE", TimePiecesEE, false}}

func TestPiecesLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	var left [9]int
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, idx := checks.Motion(r, family, 25, 50)
			list := checks.Everything(50)
			r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:n]
			if n%2 == 1 {
				rec, idx, list = checks.Skew(rec), checks.Skew(idx), checks.Skew(list)
			}
			for _, c := range piecesOf {
				tmax := checks.Times[r.Intn(len(checks.Times))]
				sep := []float64{0, 1e-3, 0.25, 1e149, 0x1p-1074, 1e-310}[r.Intn(6)]
				want, wantMasks := make([]int32, n), make([]uint8, n)
				restore, err := level.Force("generic")
				if err != nil {
					t.Fatal(err)
				}
				k := c.fast(rec, idx, list, tmax, sep, want, wantMasks)
				restore()
				left[8*k/max(n, 1)]++
				checks.AtLevels(t, func(level string) {
					got, masks := append(slices.Clone(list), -7), append(make([]uint8, n), 7)
					g := c.fast(rec, idx, got[:n], tmax, sep, got[:n], masks[:n])
					if !slices.Equal(got[:g], want[:k]) || !slices.Equal(masks[:g], wantMasks[:k]) || got[n] != -7 ||
						masks[n] != 7 {
						t.Fatalf("%s %s %s, %d queries, tmax %g, sep %g: %v %b, want %v %b",
							c.name, family, level, n, tmax, sep, got[:g], masks[:g], want[:k], wantMasks[:k])
					}
				})
			}
		}
	}
	if left[0] == 0 || left[8] == 0 || left[4] == 0 {
		t.Errorf("how much was left, in eighths: %v", left)
	}
}

func TestPieceEndsAreExact(t *testing.T) {
	r := rand.New(rand.NewSource(12))
	for range 10000 {
		tmax := math.Ldexp(1+r.Float64(), -1-r.Intn(80))
		if r.Intn(10) == 0 {
			tmax = checks.Times[r.Intn(len(checks.Times))]
		}
		ends := TimePieceEnds(tmax)
		if ends[0] != 0 || ends[8] < tmax || ends[8] > max(tmax*(1+0x1p-12), 0x1p-60) || ends[8] > 1 {
			t.Fatalf("tmax %g: %v", tmax, ends)
		}
		_, exponent := math.Frexp(ends[8])
		for k, e := range ends {
			n := math.Ldexp(e, 16-exponent)
			if n != math.Trunc(n) || n > 1<<16 || float64(k)*ends[1] != e {
				t.Fatalf("tmax %g: end %d is %g, not an integer of 17 bits in units of the last", tmax, k, e)
			}
		}
	}
}

// TestPieceBounds holds the directions in the plane against rationals, as TestFilterBounds does the
// others.
func TestPieceBounds(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	worst := 0.0
	note := func(name string, x float64) {
		worst = max(worst, x)
		if !(x <= 1) {
			t.Fatalf("%s: error is %g of its bound", name, x)
		}
	}
	for _, family := range checks.FamilyNames {
		for range long.Part(300, 4) {
			rec, idx := checks.Motion(r, family, 4, 1)
			idx[0] = [4]int32{0, 1, 2, 3}
			face, k, tmax := r.Intn(2) == 0, r.Intn(8), checks.Times[r.Intn(len(checks.Times))]
			bounds, ends := makePieceBounds(tmax, 0), TimePieceEnds(tmax)
			var q filterQuery
			q.load(rec, &idx[0], face)
			q.measure()
			if !(vec.Sum(q.scale) <= query.LargestPiece) {
				continue
			}
			start, end := exactQuery(rec, idx[0], face, ends[k]), exactQuery(rec, idx[0], face, ends[k+1])
			var e [3][2][3]*big.Rat
			for v := range e {
				e[v] = [2][3]*big.Rat{start[v][1], end[v][1]}
			}
			whole := q
			q.span(&whole, ends[k], ends[k+1])
			if volume := vec.Dot(q.ma, vec.Permanent(q.mb, q.mc)); volume >= query.Smallest {
				f0, f1, f2, f3, _ := whole.bernstein()
				g0, g1, g2, g3 := weigh(&bounds, k, f0, f1, f2, f3)
				c, s, e := exactCubic(exactQuery(rec, idx[0], face, 1)), ends[k], ends[k+1]
				note("end", checks.Share(g0, horner(c, s), volume*pieceEndBound))
				note("end", checks.Share(g3, horner(c, e), volume*pieceEndBound))
				note("middle", checks.Share(g1, middle(c, s, e), volume*pieceMiddleBound))
				note("middle", checks.Share(g2, middle(c, e, s), volume*pieceMiddleBound))
			}
			checkBounds(note, &q, e)
			u, v, w := q.derivatives()
			m := vec.Cross(u, v)
			for _, d := range []vec.Vec3{vec.Cross(m, u), vec.Cross(m, v), vec.Cross(m, w), {X: 0, Y: -u.Z, Z: u.Y}} {
				checkRange(note, "direction in the plane", &q, d, e, vec.Dot(vec.LargestOf(d, d), q.scale),
					directionBound)
			}
		}
	}
	if worst == 0 {
		t.Error("no bound was looked at")
	}
}

// TestPiecesLaw1KeepContacts: the piece that holds a contact is never left out, at any scale.
func TestPiecesLaw1KeepContacts(t *testing.T) {
	r := rand.New(rand.NewSource(10))
	for round := range 300 {
		sep := []float64{0, 0, 1.0 / 1024, 0.25, 2}[r.Intn(5)]
		for _, c := range piecesOf {
			rec, idx, tau := touching(r, 32, c.face, sep)
			exponent := []int{0, 0, -300, 80, 450, -1000}[round%6]
			for i := range rec {
				rec[i] = math.Ldexp(rec[i], exponent)
			}
			tmax := min(1, tau*[]float64{1, 1.5, 8, 16}[r.Intn(4)])
			checks.AtLevels(t, func(level string) {
				out, masks := make([]int32, len(idx)), make([]uint8, len(idx))
				n := c.fast(rec, idx, checks.Everything(len(idx)), tmax, math.Ldexp(sep, exponent), out, masks)
				if n != len(idx) {
					t.Fatalf("%s %s, sep %g, tmax %g, exponent %d: kept %v",
						c.name, level, sep, tmax, exponent, out[:n])
				}
				ends := TimePieceEnds(tmax)
				for i := range n {
					for k := range 8 {
						if ends[k] <= tau && tau <= ends[k+1] && masks[i]>>k&1 == 0 {
							t.Fatalf("%s %s, sep %g, tmax %g, exponent %d, query %d: %08b leaves out t = %g",
								c.name, level, sep, tmax, exponent, i, masks[i], tau)
						}
					}
				}
			})
		}
	}
}

func BenchmarkPieces(b *testing.B) {
	r := rand.New(rand.NewSource(11))
	rec, idx := checks.Motion(r, "uniform", 1000, 1024)
	out, masks := make([]int32, len(idx)), make([]uint8, len(idx))
	for i, c := range piecesOf {
		for _, sep := range []float64{0, 1e-3} {
			checks.AtLevels(b, func(level string) {
				b.Run(fmt.Sprintf("%s/sep=%g/%s", c.name, sep, level), func(b *testing.B) {
					list := checks.Everything(len(idx))
					list = list[:filters[i].fast(rec, idx, list, 1, sep, list)]
					k := 0
					for b.Loop() {
						k = c.fast(rec, idx, list, 1, sep, out, masks)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/query")
					b.ReportMetric(float64(k)/float64(len(list)), "kept")
				})
			})
		}
	}
}
