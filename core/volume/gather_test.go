package volume

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// randomContacts returns n different ones, in no order; times coincide often, and a zero may be
// negative.
func randomContacts(r *rand.Rand, n int) []Contact {
	list := make([]Contact, n)
	for i := range list {
		c := &list[i]
		c.Kind = geom.Kind(1 + r.IntN(2))
		c.Vertices = [4]int32{r.Int32N(3), r.Int32N(3), int32(i), r.Int32N(1 << 30)}
		switch r.IntN(4) {
		case 0:
			c.TOILo = math.Copysign(0, float64(r.IntN(2))-0.5)
		case 1:
			c.TOILo = 0.25 + float64(0x1p-50*float64(r.IntN(4)))
		default:
			c.TOILo = math.Ldexp(r.Float64(), -r.IntN(1070))
		}
		c.Verdict = geom.Verdict(2 * r.IntN(2))
	}
	return list
}

// The contacts of all workers are merged in one order, whichever worker found them; none is lost,
// and the undecided are counted.
func TestGatherSortsAndMerges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 255, 256, 3000, 20000} {
		list := randomContacts(r, n)
		want := slices.Clone(list)
		slices.SortFunc(want, func(a, b Contact) int { return compare(&a, &b) })
		undecided := int64(0)
		for i := range want {
			if want[i].Verdict == geom.Undecided {
				undecided++
			}
		}
		for threads := 1; threads <= 5; threads++ {
			s := new(Scene)
			s.call.Stats.Threads = int32(threads)
			for range threads {
				s.workers = append(s.workers, newWorker())
			}
			for i := range list {
				w := s.workers[min(threads-1, r.IntN(2*threads))] // the last finds most
				w.found.Add(&list[i], new(engine.Budget), contactBytes)
			}
			for _, w := range s.workers {
				w.sort()
			}
			got, err := s.gather()
			if err != nil {
				t.Fatal(err)
			}
			sameContacts(t, "gathered", got, want)
			if s.call.Stats.Impacts != int64(n) || s.call.Stats.Undecided != undecided {
				t.Errorf("%d impacts, %d undecided; want %d, %d",
					s.call.Stats.Impacts, s.call.Stats.Undecided, n, undecided)
			}
		}
	}
}

// A step of many contacts and patches, which runs in parallel throughout, has the same bits for any
// number of threads.
func TestThreadsChangeNoBit(t *testing.T) {
	var want []Contact
	for threads := 1; threads <= 4; threads++ {
		s, x0, x1 := crushed(t)
		got := collisions(t, s, x0, x1, func(o *Options) { o.Classes, o.Threads = AllClasses, threads })
		if threads == 1 {
			want = got
		}
		sameContacts(t, "threads", got, want)
		first, err := s.Earliest(x0, x1, &Options{Options: DefaultOptions().Options, Classes: AllClasses,
			CallOptions: engine.CallOptions{Threads: threads}})
		if err != nil || first != want[0] {
			t.Errorf("%d threads: the earliest is %+v, %v", threads, first, err)
		}
	}
	if len(want) < 10000 {
		t.Errorf("%d contacts show too little", len(want))
	}
}

// crushed returns a block of 15,000 tetrahedra whose vertices are thrown about by an element's
// size.
func crushed(t *testing.T) (s *Scene, x0, x1 []float64) {
	c := ccdtest.Block(50, 10, 5, func(int) mesh.Element { return mesh.Tetrahedron })
	r := rand.New(rand.NewPCG(5, 6))
	for _, x := range c.Vertices {
		x0 = append(x0, x+float64(0.3*r.Float64()))
		x1 = append(x1, x+float64(1.5*r.Float64()))
	}
	return sceneOf(t, c), x0, x1
}
