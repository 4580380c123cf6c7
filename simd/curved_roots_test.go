package simd

import (
	"math"
	"math/rand"
	"slices"
	"testing"
)

var curvedRootKinds = []struct {
	name  string
	roots func(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8)
	times func(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64, state []uint8)
	face  bool
}{{"VF", CurvedRootsVF, CurvedTimesVF, true}, {"EE", CurvedRootsEE, CurvedTimesEE, false}}

// someParts draws a part of time, with ends of few bits, for each of n queries.
func someParts(r *rand.Rand, n int) (from, to []float64) {
	from, to = make([]float64, n), make([]float64, n)
	for j := range n {
		d := r.Intn(8) * r.Intn(3)
		from[j] = math.Ldexp(float64(r.Intn(1<<d)), -d)
		to[j] = from[j] + math.Ldexp(1, -d)
	}
	return from, to
}

func TestCurvedRootsLaw7SameBits(t *testing.T) {
	r := rand.New(rand.NewSource(41))
	var counts [2][3]int
	for _, family := range familyNames {
		for n := range 41 {
			for degree := 2; degree <= 3; degree++ {
				rec, idx := curves(r, family, degree, 25, 50)
				list := everything(50)
				r.Shuffle(50, func(i, j int) { list[i], list[j] = list[j], list[i] })
				list = list[:n]
				from, to := someParts(r, n)
				if n%2 == 1 {
					rec, idx, list, from, to = skew(rec), skew(idx), skew(list), skew(from), skew(to)
				}
				for _, c := range curvedRootKinds {
					near, toi, state, last := make([]float64, n), make([]float64, n), make([]uint8, n), make([]uint8, n)
					curvedRootsGeneric(rec, degree, idx, list, from, to, near, state, c.face)
					at := slices.Clone(near)
					for j := range at {
						if state[j] != RootContact && r.Intn(2) == 0 {
							at[j] = r.Float64()
						}
						counts[0][state[j]]++
					}
					curvedTimesGeneric(rec, degree, idx, list, at, toi, last, c.face)
					for _, x := range last {
						counts[1][x]++
					}
					atLevels(t, func(level string) {
						got, s := append(make([]float64, n), -7), append(make([]uint8, n), 7)
						c.roots(rec, degree, idx, list, from, to, got[:n], s[:n])
						if !slices.Equal(got[:n], near) || !slices.Equal(s[:n], state) || got[n] != -7 || s[n] != 7 {
							t.Fatalf("%s %s %s, degree %d, %d queries: roots %v %v, want %v %v", c.name, family, level, degree, n, got, s, near, state)
						}
						c.times(rec, degree, idx, list, at, got[:n], s[:n])
						for j := range n {
							if last[j] == RootUndecided {
								got[j] = toi[j] // which means nothing
							}
						}
						if !slices.Equal(got[:n], toi) || !slices.Equal(s[:n], last) || got[n] != -7 || s[n] != 7 {
							t.Fatalf("%s %s %s, degree %d, %d queries: times %v %v, want %v %v", c.name, family, level, degree, n, got, s, toi, last)
						}
					})
				}
			}
		}
	}
	t.Logf("roots %v, times %v", counts[0], counts[1])
	for _, c := range counts {
		if c[RootNone] < 100 || c[RootContact] < 100 || c[RootUndecided] < 100 {
			t.Errorf("undecided, none, contact: %v: the test shows too little", c)
		}
	}
}
