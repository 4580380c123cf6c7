package rigid

import (
	"math/bits"

	"ccd/core/num"
	"ccd/simd/solid"
)

// gatherFrom is the number of steps after which pairs are gathered. A test changes it.
var gatherFrom int64 = longSearch

// gathered are pairs of nodes that are tested in one call, each at its own time.
type gathered struct {
	four  solid.FourPairs
	ready bool       // whether four has the motions of this search
	pairs [4]item    // the pairs, at the times of their tests
	spans [4]float64 // how much time is left for each
	radii [4]float64 // the sums of their balls' radii
}

// testFour takes pairs off the heap as long as what they ask to be tested fits in four lanes of a
// kernel, tests it, and puts on the heap what comes near. A pair of nodes that is tested again asks
// for one test, and one of which a node is opened for two. It reports false, and does nothing, if
// the first pair asks for all four, or is one of triangles.
//
// Only pairs that come up one after the other are taken, so the first of them is due now, and none
// behind them was due before. Each test is made at the time at which its pair is due, so it is that
// of a search that takes one pair at a time, bit for bit, and proves as much whether or not another
// pair's time comes before. A contact, a limit or an end that comes up between them leaves at most
// three tests that were not needed; of pairs that meet at one time another one may be reported.
func (s *Solver) testFour() bool {
	g, n := &s.gathered, 0
	if !g.ready {
		g.four.Begin(&s.course)
		g.ready = true
	}
	for n < len(g.pairs) && len(s.heap) > 0 {
		it := s.heap[0]
		if !it.Item.same && s.a.body.child[it.Item.a] < 0 && s.b.body.child[it.Item.b] < 0 {
			break
		}
		x, y, a, b, want := s.children(&it)
		if count := bits.OnesCount8(want); count == 4 || n+count > 4 {
			break
		}
		s.heap.Pop()
		s.move(it.Time)
		h := s.remaining(it.Time)
		s.aim(s.goal(it.Time), h)
		s.aimFar()
		for ; want != 0; want &= want - 1 {
			k := int32(bits.TrailingZeros8(want))
			i, j := k>>1, k&1
			g.four.At(n, &s.course)
			g.four.Set(n, x, i, y, j)
			g.pairs[n] = item{Time: it.Time, Item: pending{a: a + i, b: b + j}}
			g.spans[n], g.radii[n] = h, x[solid.BoxR][i]+y[solid.BoxR][j]
			n++
		}
	}
	if n == 0 {
		return false
	}
	var step [4]float64
	g.four.Advance(n, &step)
	s.steps += int64(n)
	for k := range n {
		if step[k] < g.spans[k] {
			s.put(&g.pairs[k], step[k], turnedFar, g.radii[k])
		}
	}
	return true
}

// put puts a pair of nodes, whose radii have a sum, on the heap at the end of its step from the
// time of the item, unless that is after the end.
//
// A pair that has come far, or turned by more than far, is tested once more before it is opened;
// not two leaves, which would never end where both are points.
func (s *Solver) put(it *item, step, far, radii float64) {
	a, b := it.Item.a, it.Item.b
	again := (s.a.body.child[a] >= 0 || s.b.body.child[b] >= 0) &&
		(step*s.speed > 0.5*radii || step*(s.a.rate+s.b.rate) > far)
	if next := num.AddDown(it.Time, step); next <= s.end {
		s.heap.Push(next, pending{a, b, again})
	}
}
