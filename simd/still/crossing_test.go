package still

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
	"ccd/simd/internal/level"
	"ccd/simd/internal/query"
)

// soup draws n vertices of a family, m edges and faces of them, and pairs of these. Some edges pass
// near the border of a face.
func soup(r *rand.Rand, family string, n, m, pairs int) (rec []float64, edges [][2]int32, faces [][3]int32,
	list [][2]int32) {
	rec, idx := checks.Motion(r, family, n, 2*m)
	edges, faces, list = make([][2]int32, m), make([][3]int32, m), make([][2]int32, pairs)
	for i := range m {
		edges[i], faces[i] = [2]int32(idx[i][:2]), [3]int32(idx[m+i][:3])
		if i%3 == 0 { // q beyond a point of the face's plane, as p sees it
			f, u, v, s := faces[i], 1.5*r.Float64()-0.25, 1.5*r.Float64()-0.25, r.Float64()
			u, v = []float64{u, 0, 1}[r.Intn(3)], []float64{v, 0, 1 - u}[r.Intn(3)]
			p, q := query.Line(rec, edges[i][0]), query.Line(rec, edges[i][1])
			for k := range 3 {
				a, b, c := query.Line(rec, f[0])[k], query.Line(rec, f[1])[k], query.Line(rec, f[2])[k]
				at := a + u*(b-a) + v*(c-a)
				if x := at + s*(at-p[k]); math.Abs(x) <= 1e150 {
					q[k] = x
				}
			}
		}
	}
	for i := range list {
		list[i] = [2]int32{int32(r.Intn(m)), int32(r.Intn(m))}
		if r.Intn(2) == 0 {
			list[i][1] = list[i][0]
		}
	}
	return rec, edges, faces, list
}

// crossingSigns returns the exact signs of the edge's ends beside the face's plane, and of the
// face's sides beside the edge's line.
func crossingSigns(rec []float64, e [2]int32, f [3]int32) (ends [2]int, sides [3]int) {
	point := func(v int32) (x [3]*big.Rat) {
		for k := range x {
			x[k] = new(big.Rat).SetFloat64(rec[8*int(v)+k])
		}
		return x
	}
	volume := func(a, b, c, d int32) int { // the sign of det(b - a, c - a, d - a)
		var m [3][3]*big.Rat
		from := point(a)
		for i, v := range [3]int32{b, c, d} {
			for k, x := range point(v) {
				m[i][k] = x.Sub(x, from[k])
			}
		}
		sum := new(big.Rat)
		for k := range 3 {
			i, j := (k+1)%3, (k+2)%3
			x := new(big.Rat).Mul(m[1][i], m[2][j])
			x.Sub(x, new(big.Rat).Mul(m[1][j], m[2][i]))
			sum.Add(sum, x.Mul(x, m[0][k]))
		}
		return sum.Sign()
	}
	for i := range ends {
		ends[i] = volume(f[0], f[1], f[2], e[i])
	}
	for i := range sides {
		sides[i] = volume(e[0], e[1], f[i], f[(i+1)%3])
	}
	return ends, sides
}

// checkFilterEF holds the answers of FilterEF against exact signs, and counts them.
func checkFilterEF(rec []float64, edges [][2]int32, faces [][3]int32, pairs [][2]int32) (
	apart, inside, open int, err error) {
	out := make([]int32, len(pairs))
	out = out[:FilterEF(rec, edges, faces, pairs, out)]
	for i, pair := range pairs {
		ends, sides := crossingSigns(rec, edges[pair[0]], faces[pair[1]])
		less, more := slices.Contains(sides[:], -1), slices.Contains(sides[:], 1)
		switch {
		case len(out) > 0 && out[0] == int32(i):
			open++
			out = out[1:]
		case len(out) > 0 && out[0] == ^int32(i):
			inside++
			out = out[1:]
			if ends[0]*ends[1] >= 0 || slices.Contains(sides[:], 0) || less && more {
				return 0, 0, 0, fmt.Errorf("pair %d is inside, but the ends are %v and the sides %v", i, ends, sides)
			}
		default:
			apart++
			if !(ends[0]*ends[1] > 0 || less && more) {
				return 0, 0, 0, fmt.Errorf("pair %d is left out, but the ends are %v and the sides %v", i, ends, sides)
			}
		}
	}
	if len(out) > 0 {
		err = fmt.Errorf("%v is no pair, or not in order", out[0])
	}
	return apart, inside, open, err
}

func TestFilterEFIsAProof(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	n := long.Part(1500, 3)
	for _, family := range checks.FamilyNames {
		rec, edges, faces, pairs := soup(r, family, 300, 100, n)
		apart, inside, open, err := checkFilterEF(rec, edges, faces, pairs)
		if err != nil {
			t.Fatalf("%s: %v", family, err)
		}
		t.Logf("%s: %d apart, %d inside, %d open", family, apart, inside, open)
		switch family {
		case "uniform", "offset":
			if apart < n*8/15 || inside < n/75 || open > n/3 {
				t.Errorf("%s: %d apart, %d inside, %d open", family, apart, inside, open)
			}
		case "tiny", "subnormal":
			if apart+inside > 0 {
				t.Errorf("%s: %d apart, %d inside", family, apart, inside)
			}
		}
	}
}

// Edges and faces whose determinants lie about their bounds, at every scale: what is left
// undecided, and what is not, must both occur.
func TestFilterEFBounds(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for _, scale := range []int{-200, -100, 0, 100, 330, 345, 480} {
		decided, open := 0, 0
		for range 40 {
			rec, edges, faces, pairs := soup(r, "uniform", 30, 10, 10)
			for i := range pairs {
				pairs[i] = [2]int32{int32(i), int32(i)}
				f, w := faces[i], [3]float64{r.Float64(), r.Float64(), r.Float64()}
				far := math.Ldexp(1, r.Intn(12))
				for _, v := range edges[i] { // the ends nearly in the plane, off it by some roundings
					for k := range 3 {
						x := w[0]*query.Line(rec, f[0])[k] + w[1]*query.Line(rec, f[1])[k] +
							(1-w[0]-w[1])*query.Line(rec, f[2])[k]
						query.Line(rec, v)[k] = x + float64(r.Intn(400)-200)*0x1p-54*far
					}
					w = [3]float64{far * r.NormFloat64(), r.NormFloat64(), 0}
				}
			}
			for i := range rec {
				rec[i] = math.Ldexp(rec[i], scale)
			}
			apart, inside, left, err := checkFilterEF(rec, edges, faces, pairs)
			if err != nil {
				t.Fatalf("scale 2^%d: %v", scale, err)
			}
			decided, open = decided+apart+inside, open+left
		}
		t.Logf("scale 2^%d: %d decided, %d open", scale, decided, open)
		if scale > -200 && scale < 335 && (decided < 20 || open < 20) || (scale == -200 || scale > 340) && decided > 0 {
			t.Errorf("scale 2^%d: %d decided, %d open", scale, decided, open)
		}
	}
}

func TestFilterEFLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for _, family := range checks.FamilyNames {
		for n := range 41 {
			rec, edges, faces, pairs := soup(r, family, 30, 12, n)
			if n%2 == 1 {
				rec, edges, faces, pairs = checks.Skew(rec), checks.Skew(edges), checks.Skew(faces), checks.Skew(pairs)
			}
			want := make([]int32, n)
			want = want[:filterEFGeneric(rec, edges, faces, pairs, want)]
			checks.AtLevels(t, func(level string) {
				got := append(make([]int32, n), -7) // the last entry must stay untouched
				k := FilterEF(rec, edges, faces, pairs, got)
				if !slices.Equal(got[:k], want) || got[n] != -7 {
					t.Fatalf("%s %s, %d pairs: %v, want %v", family, level, n, got[:k], want)
				}
			})
		}
	}
}

// besideSides makes edges that pass by a side of a face at a distance about that which rounding
// leaves open.
func besideSides(r *rand.Rand, n int) (rec []float64, edges [][2]int32, faces [][3]int32, pairs [][2]int32) {
	rec = make([]float64, 8*5*n)
	for i := range int32(n) {
		edges, faces = append(edges, [2]int32{5 * i, 5*i + 1}), append(faces, [3]int32{5*i + 2, 5*i + 3, 5*i + 4})
		pairs = append(pairs, [2]int32{i, i})
		side, along := r.Intn(3), r.Float64()
		beside := math.Ldexp(2*r.Float64()-1, -38-r.Intn(12))
		for _, v := range faces[i] {
			for k := range 3 {
				query.Line(rec, v)[k] = r.NormFloat64()
			}
		}
		for k := range 3 {
			a, b := query.Line(rec, faces[i][side])[k], query.Line(rec, faces[i][(side+1)%3])[k]
			c := query.Line(rec, faces[i][(side+2)%3])[k]
			at := a + along*(b-a) + beside*(c-a)
			way := r.NormFloat64()
			query.Line(rec, edges[i][0])[k], query.Line(rec, edges[i][1])[k] = at-way, at+0.5*way
		}
	}
	return rec, edges, faces, pairs
}

// Every level and plain Go decide the same pairs where a side's determinant is about its bound:
// some are decided, and some are left open.
func TestFilterEFSameBitsBesideSides(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	const n = 600
	rec, edges, faces, pairs := besideSides(r, n)
	want := make([]int32, n)
	want = want[:filterEFGeneric(rec, edges, faces, pairs, want)]
	checks.AtLevels(t, func(level string) {
		got := make([]int32, n)
		if got = got[:FilterEF(rec, edges, faces, pairs, got)]; !slices.Equal(got, want) {
			t.Errorf("%s decides other pairs than plain Go", level)
		}
		apart, inside, open, err := checkFilterEF(rec, edges, faces, pairs)
		if err != nil {
			t.Fatalf("%s: %v", level, err)
		}
		if apart < n/10 || inside < n/10 || open < n/10 {
			t.Errorf("%s: %d apart, %d inside, %d open", level, apart, inside, open)
		}
	})
}

// FuzzFilterEF: all levels agree on any edge and face, and their answers hold over rationals.
func FuzzFilterEF(f *testing.F) {
	r := rand.New(rand.NewSource(5))
	for _, family := range checks.FamilyNames {
		rec, edges, faces, _ := soup(r, family, 8, 1, 0)
		var seed []float64
		for _, v := range append(edges[0][:], faces[0][:]...) {
			seed = append(seed, query.Line(rec, v)[:4]...)
		}
		f.Add(checks.Packed(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rec := make([]float64, 40)
		for i := range 5 {
			for k := range 3 {
				if at := 8 * (4*i + k); at+8 <= len(data) {
					rec[8*i+k] = math.Float64frombits(binary.LittleEndian.Uint64(data[at:]))
				}
				if !(math.Abs(rec[8*i+k]) <= 1e150) {
					t.Skip()
				}
			}
		}
		edges, faces, pairs := [][2]int32{{0, 1}}, [][3]int32{{2, 3, 4}}, [][2]int32{{0, 0}}
		var all [][3]int
		checks.AtLevels(t, func(level string) {
			apart, inside, open, err := checkFilterEF(rec, edges, faces, pairs)
			if err != nil {
				t.Fatalf("%s: %v", level, err)
			}
			all = append(all, [3]int{apart, inside, open})
		})
		for i := range all {
			if all[i] != all[0] {
				t.Fatalf("%s gives %v, generic %v", level.Names[i], all[i], all[0])
			}
		}
	})
}

func BenchmarkFilterEF(b *testing.B) {
	r := rand.New(rand.NewSource(3))
	rec, edges, faces, pairs := soup(r, "uniform", 1000, 1000, 4096)
	out := make([]int32, len(pairs))
	checks.AtLevels(b, func(level string) {
		b.Run(level, func(b *testing.B) {
			for b.Loop() {
				FilterEF(rec, edges, faces, pairs, out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(pairs)), "ns/pair")
		})
	})
}
