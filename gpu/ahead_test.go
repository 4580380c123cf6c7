package gpu

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/simd/pairs"
)

// foundEqual reports whether two lists are the same.
func foundEqual(a, b *pairs.Found) bool {
	return slices.Equal(a.Pairs, b.Pairs) && slices.Equal(a.Masks, b.Masks) && slices.Equal(a.TOI, b.TOI) &&
		slices.Equal(a.State, b.State)
}

// Law 6: what Ahead says changes no list and no result, whatever memory is expected to be enough:
// none, too little, just enough, or as much as the last plan had.
func TestDeviceLaw6Ahead(t *testing.T) {
	d := need(t)
	r := rand.New(rand.NewPCG(53, 1))
	scenes := 24
	if testing.Short() {
		scenes = 4
	}
	ready, missed, left := 0, 0, 0
	for i := range scenes {
		c := randomTriangles(r, 200+r.IntN(900))
		for f := range c.families { // One in four has grids that become coarser.
			if i%4 != 3 {
				c.families[f].Most = 1 << 20
			}
		}
		plain, s := d.NewSession(), d.NewSession()
		s.broad.manyTiles = []int{manyTiles, 0}[i%2]
		for _, x := range []*Session{plain, s} {
			if err := errors.Join(x.Load(c.rec), x.LoadMesh(&c.mesh)); err != nil {
				t.Fatal(err)
			}
		}
		if err := plain.comparePlan(c); err != nil {
			t.Fatal(err)
		}
		exact := plain.broad.entryItems()
		sep, tmax := []float64{0, 0.01}[i/2%2], []float64{1, 0.7}[i/4%2]
		for _, entries := range []int{-1, 0, 1, exact - tile, exact} {
			n := []int{1, 300, 4000, 1 << 20}[r.IntN(4)]
			s.broad.ahead.entries = entries
			s.Ahead(n, tmax, sep)
			if err := s.comparePlan(c); err != nil {
				t.Fatalf("scene %d, %d entries of %d expected: %v", i, entries, exact, err)
			}
			for list, p := range s.broad.passes {
				n := s.Ready(list)
				switch {
				case n > 0:
					ready++
				case entries == exact && p.total > 0 && !c.space.Exact && i%4 != 3:
					t.Fatalf("scene %d: no pair of list %d is ready", i, list)
				case n == 0:
					missed++
				}
				if n == 0 {
					n = int(min(p.total, 500))
				}
				for _, part := range []int{n, n / 2} {
					for _, end := range []float64{tmax, 0.5 * tmax} {
						var got, want pairs.Found
						at := tmax // Where pairs are ready their results are those of the end that Ahead was given.
						if s.Ready(list) == 0 {
							at = end
						}
						if err := errors.Join(s.FirstOf(list, list < 2, 0, part, end, sep, &got),
							plain.FirstOf(list, list < 2, 0, part, at, sep, &want)); err != nil {
							t.Fatal(err)
						}
						if !foundEqual(&got, &want) {
							t.Fatalf("scene %d, %d entries of %d expected, list %d: %d of %d pairs are left, want %d",
								i, entries, exact, list, len(got.Pairs), part, len(want.Pairs))
						}
						left += len(got.Pairs)
					}
				}
			}
		}
		plain.Close()
		s.Close()
		if s.held != 0 || plain.held != 0 {
			t.Fatalf("%d and %d bytes are not given back", s.held, plain.held)
		}
	}
	if ready < scenes || missed < scenes || left < 1000 {
		t.Errorf("%d lists ready, %d not, %d pairs left: the test shows little", ready, missed, left)
	}
	t.Logf("%d lists ready, %d not, %d pairs left", ready, missed, left)
}
