package patch

import (
	"math"
	"testing"
)

// Two planes that lie in each other: every point of them is near one of the manifold, though cells and points that are refused lie
// at the same dyadic distances.
func TestManifoldOfTwoPlanes(t *testing.T) {
	x := []float64{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}
	b, err := NewBody(4, []Form{{Quad, 1, 1}}, []int32{0, 1, 2, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s Scene
	o := DefaultOptions()
	const apart = 0.25
	list, err := s.Manifold(&Frame{Body: b, X0: x, X1: x}, &Frame{Body: b, X0: x, X1: x}, 0, apart, &o)
	if err != nil || s.Solver.Work.Checks > 20000 {
		t.Fatalf("%v, %+v", err, s.Solver.Work)
	}
	for i := range 21 {
		for j := range 21 {
			p, near := [3]float64{float64(i) / 20, float64(j) / 20}, math.Inf(1)
			for _, im := range list {
				near = min(near, between3(p, im.Point))
			}
			if near > 1.001*apart {
				t.Errorf("nothing within %v of %v", near, p)
			}
		}
	}
}
