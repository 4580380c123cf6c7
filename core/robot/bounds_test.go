package robot

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// The bound of the third order with its roundings holds for random points, intervals and times, and
// is nearly reached where one joint alone moves a point.
func TestSlackHoldsWhatPointsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	most := [3]float64{}
	for trial := range long.Part(120, 4) {
		links := 2 + r.IntN(7)
		m := randomModel(r, links, 1, false)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		q0, q1 := randomEdge(r, m, 2)
		if trial%3 == 0 { // one variable alone
			for i := range q1[1:] {
				q1[1+i] = q0[1+i]
			}
		}
		w := NewWorker(robot)
		if _, err := w.f.setEdge(q0, q1); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			way := int32(r.IntN(len(robot.ways.list)))
			w.f.lim.get(way, &w.f.kin.curve)
			step := &robot.ways.list[way]
			y := randomVec(r, 0.3)
			k := w.f.lim.slack[way].at(lengthUp(y))
			middle := float64(r.IntN(257)) / 256
			h := float64(r.IntN(257)) / 256
			for range r.IntN(30) {
				h /= 2
			}
			if trial%5 == 0 {
				h = 0
			}
			w.f.kin.at(middle)
			x, v, a := w.f.kin.get(way).at(y)
			for _, at := range [2]float64{h, -h} {
				s := add(newBig(middle), newBig(at))
				pose := poses(m, q0, q1, s)
				truth := pose[step.frame].inverse(pose[step.link].place(y))
				taken := bigOf(x).plus(bigOf(v).times(newBig(at))).plus(bigOf(a).times(newBig(at * at / 2)))
				off := truth.minus(taken).norm()
				bound := k[0] + h*(k[1]+h*(k[2]+h*k[3]))
				if !(off <= bound) {
					t.Fatalf("trial %d: off %g, bound %g at h = %g, way %+v", trial, off, bound, h, step)
				}
				if bound > 0 {
					kind := 0
					if k[3]*h*h*h > 0.9*bound {
						kind = 1
					}
					most[kind] = max(most[kind], off/bound)
				}
			}
		}
	}
	t.Logf("largest part taken: %.4f of rounding, %.4f of the third order", most[0], most[1])
	if most[1] < 0.5 {
		t.Errorf("the bound of the third order is never reached by half: %g", most[1])
	}
}

// A point on a circle reaches the bound of the third order.
func TestSlackIsSharpForACircle(t *testing.T) {
	m := &Model{Links: 2, Variables: 1, Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 2},
		Rotation: identity}}}
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	way := robot.ways.to(0, 1)
	w := NewWorker(robot)
	if _, err := w.f.setEdge([]float64{0}, []float64{1}); err != nil {
		t.Fatal(err)
	}
	w.f.lim.get(way, &w.f.kin.curve)
	k := w.f.lim.slack[way].at(1)
	const h = 1.0 / 64
	w.f.kin.at(0.5)
	x, v, a := w.f.kin.get(way).at(r3.Vec{X: 1})
	taken := bigOf(x).plus(bigOf(v).times(newBig(h))).plus(bigOf(a).times(newBig(h * h / 2)))
	pose := poses(m, []float64{0}, []float64{1}, newBig(0.5+h))
	off := pose[1].place(r3.Vec{X: 1}).minus(taken).norm()
	if bound := cubic(&k, h); !(off <= bound) || off < 0.999*bound {
		t.Errorf("off %g, bound %g: must be reached but for 1 in 1000", off, bound)
	}
}
