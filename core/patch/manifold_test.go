package patch

import (
	"math"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
)

// Two planes that lie in each other: every point of them is near one of the manifold, though cells
// and points that are refused lie at the same dyadic distances.
func TestManifoldOfTwoPlanes(t *testing.T) {
	x := []float64{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}
	b, err := NewBody(4, []Form{{Quad, 1, 1}}, []int32{0, 1, 2, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s Scene
	o := DefaultOptions()
	const apart = 0.25
	list, err := s.Manifold(&BodyStep{Body: b, X0: x, X1: x}, &BodyStep{Body: b, X0: x, X1: x}, 0, apart, &o)
	if err != nil || s.workers[0].solver.Work.Checks > 20000 {
		t.Fatalf("%v, %+v", err, s.workers[0].solver.Work)
	}
	for i := range 21 {
		for j := range 21 {
			p, near := [3]float64{float64(i) / 20, float64(j) / 20}, math.Inf(1)
			for _, im := range list {
				near = min(near, distance3(p, im.Point))
			}
			if near > 1.001*apart {
				t.Errorf("nothing within %v of %v", near, p)
			}
		}
	}
}

// A budget that is spent is no proof: an open earliest is listed, and pairs that are not covered
// are counted.
func TestManifoldOfWhatIsOpen(t *testing.T) {
	body, x := grid(t, 1, func(x, y float64) float64 { return x * x * y })
	a := &BodyStep{Body: body, X0: x, X1: x}
	b := &BodyStep{Body: body, X0: moved(x, [3]float64{0, 0, 1}), X1: moved(x, [3]float64{0, 0, -1})}
	var s Scene
	var stats engine.Stats
	o := DefaultOptions()
	o.MaxIterations, o.Stats = 1, &stats
	list, err := s.Manifold(a, b, 0, 0.1, &o)
	if err != nil || len(list) != 1 || list[0].Verdict != geom.Undecided || list[0].Flags != geom.ReasonIterations ||
		stats.Impacts != 1 || stats.Undecided == 0 {
		t.Errorf("%+v, %v, %+v", list, err, stats)
	}
	body, x = grid(t, 1, func(x, y float64) float64 { return 0 })
	a, b = &BodyStep{Body: body, X0: x, X1: x}, &BodyStep{Body: body, X0: x, X1: x}
	o.MaxIterations = 40
	list, err = s.Manifold(a, b, 0, 0x1p-6, &o)
	if err != nil || len(list) == 0 || list[0].Verdict != geom.Contact || stats.Undecided != 1 {
		t.Errorf("%d impacts, %v, %+v", len(list), err, stats)
	}
}
