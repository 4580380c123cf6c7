package broad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// listOf puts pairs into a list, some chunks of which are not full.
func listOf(r *rand.Rand, pairs [][2]int32) *pairList {
	l := new(pairList)
	for len(pairs) > 0 {
		room := l.reserve()
		n := copy(room[:min(len(room), 1+r.IntN(1<<15))], pairs)
		l.commit(n)
		pairs = pairs[n:]
		if n < 1000 {
			l.chunks = append(l.chunks, new(listChunk))
		}
	}
	return l
}

func TestPairsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, c := range []struct{ n, m, pairs int }{
		{1, 1, 1}, {2, 2, 3}, {10, 3, 100}, {1000, 7, 5000}, {5, 1 << 20, 70000}, {1 << 20, 5, 70000},
		{30000, 30000, 200000}, {1 << 18, 1 << 18, 100000}, {1 << 24, 1 << 22, 50000}, {math.MaxInt32, 1, 40000},
		{math.MaxInt32, math.MaxInt32, 40000}, // too many slabs: compared
	} {
		want := make([][2]int32, c.pairs)
		center := r.IntN(c.n) // half of them near each other, as in a scene
		for i := range want {
			want[i] = [2]int32{int32(r.IntN(c.n)), int32(r.IntN(c.m))}
			if i%2 == 0 {
				want[i][0] = int32(min(center+r.IntN(100), c.n-1))
			}
		}
		l := listOf(r, want)
		slices.SortFunc(want, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
		for _, threads := range []int{1, 2, 5} {
			narrow, wide := make([][2]int32, c.pairs), make([][2]int64, c.pairs)
			if err := sortPairs(l, narrow, c.n, c.m, threads); err != nil {
				t.Fatal(err)
			}
			if err := sortPairs(l, wide, c.n, c.m, threads); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(narrow, want) {
				t.Fatalf("%+v, %d threads: not in order", c, threads)
			}
			for i, x := range want {
				if wide[i] != [2]int64{int64(x[0]), int64(x[1])} {
					t.Fatalf("%+v, %d threads: pair %d of the wide ones is %v, want %v", c, threads, i, wide[i], x)
				}
			}
		}
	}
}

// Copies and views of candidates agree, whichever is asked for first, and a short copy is the
// beginning.
func TestCandidatesCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	s := soup(r, 60, func() float64 { return 2*r.Float64() - 1 })
	m, mo := s.load(t)
	want, err := BruteForce(m, mo, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for trial := range 4 {
		c, err := Sweep(m, mo, Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		for k := range c.kinds {
			kind, all := geom.Kind(k+1), want.Of(geom.Kind(k+1))
			if c.Count(kind) != len(all) {
				t.Fatalf("%v: %d pairs, want %d", kind, c.Count(kind), len(all))
			}
			out := make([][2]int64, len(all)/(1+trial%2))
			if trial >= 2 {
				c.Of(kind)
			}
			c.Copy(kind, out)
			for i, x := range out {
				if x != [2]int64{int64(all[i][0]), int64(all[i][1])} {
					t.Fatalf("%v, trial %d: pair %d is %v, want %v", kind, trial, i, x, all[i])
				}
			}
			if !slices.Equal(c.Of(kind), all) {
				t.Fatalf("%v, trial %d: the view differs", kind, trial)
			}
		}
	}
}
