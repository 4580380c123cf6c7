package patch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// together returns one body of the patches of several, all of them with weights.
func together(t *testing.T, bodies []*Body, places [][]float64) (*Body, []float64) {
	t.Helper()
	var x, w []float64
	var forms []Form
	var index []int32
	for k, b := range bodies {
		first := int32(len(x) / 3)
		x = append(x, places[k]...)
		for i := range b.patches {
			p := &b.patches[i]
			forms = append(forms, p.form)
			for _, v := range b.indices(i) {
				index = append(index, first+v)
			}
			w = append(w, b.weights[p.first:p.first+p.form.Points()]...)
		}
	}
	return bodyOf(t, forms, index, x, w)
}

// randomBodies returns a body of up to three bowls, cylinders, tori and funnels, each turned,
// within a distance of the origin.
func randomBodies(t *testing.T, r *rand.Rand, within float64) (*Body, []float64) {
	t.Helper()
	direction := func() vec { return vec{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5} }
	var bodies []*Body
	var places [][]float64
	for range 1 + r.IntN(3) {
		var b *Body
		var x []float64
		switch r.IntN(4) {
		case 0:
			b, x = bowl(t, 0.3+r.Float64())
		case 1:
			b, x = halfCylinder(t, 0.3+r.Float64(), 1+2*r.Float64(), 1+r.IntN(4))
		case 2:
			b, x = torus(t, 1+r.Float64(), 0.2+0.4*r.Float64())
		default:
			b, x = funnel(t, 0.3+r.Float64())
		}
		bodies = append(bodies, b)
		places = append(places, turnedAbout(x, direction(), 3*r.Float64(), direction().times(within)))
	}
	return together(t, bodies, places)
}

// Whether and when searches of pairs wait for others changes no bit of the first impact, nor of a
// manifold: bodies over areas and along circles, in turn at many tolerances, and several bodies
// that turn past each other.
func TestWaitingChangesNoAnswer(t *testing.T) {
	defer func(cells int64) { patience = cells }(patience)
	r := rand.New(rand.NewPCG(469, 1))
	waited := 0
	compare := func(name string, a, b *BodyStep, o *Options, manifold bool) {
		t.Helper()
		var want string
		for k, cells := range []int64{math.MaxInt64, 1, 8, 64} {
			patience, o.Threads = cells, 1+k%2
			var s Scene
			im, err := s.Earliest(a, b, o)
			if waited += len(s.waiting); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%x", im)
			if manifold {
				list, err := s.Manifold(a, b, 0.01, 0.05, o)
				if err != nil {
					t.Fatal(err)
				}
				got += fmt.Sprintf("%x", list)
			}
			if k == 0 {
				want = got
			} else if got != want {
				t.Errorf("%s, put off after %d cells: %s, never: %s", name, cells, got, want)
			}
		}
	}
	for k, c := range areaScenes(t) {
		a, b := c.steps()
		if k%2 == 1 {
			a.X1 = turnedAbout(a.X1, vec{0, 1, 0.2}, 0.05, vec{})
		}
		o := DefaultOptions()
		o.Tolerance, o.MaxIterations = []float64{1e-4, 1e-9, 1e-10}[k%3], 1000
		o.MinSeparation = []float64{0, 0, 0, 1e-3}[k%4]
		compare(c.name, a, b, &o, k < 4)
	}
	trials := 200
	if testing.Short() {
		trials = 12
	}
	for trial := range trials {
		a, x := randomBodies(t, r, 2)
		b, y := randomBodies(t, r, 2)
		axis := vec{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}
		to := turnedAbout(x, axis, 0.6*r.Float64(), vec{r.Float64() - 0.5, r.Float64() - 0.5, -1})
		o := DefaultOptions()
		o.Tolerance, o.MaxIterations = math.Pow(10, -3-float64(r.IntN(8))), 1000
		if trial%5 == 0 {
			o.MinSeparation = 0.01 * r.Float64()
		}
		compare(fmt.Sprint("trial ", trial), &BodyStep{Body: a, X0: moved(x, [3]float64{0, 0, 3}), X1: to},
			&BodyStep{Body: b, X0: y, X1: y}, &o, false)
	}
	if waited < trials {
		t.Errorf("%d searches waited", waited)
	}
}

// The patches of a bearing that a ball meets after its middle one are met first by their hulls, and
// the search of their own contacts takes many cells: they wait, and are never taken up again.
func TestBallInRingTakesFewChecks(t *testing.T) {
	ball, x := bowl(t, 0.999)
	bearing, y := halfCylinder(t, 1, 4, 3)
	o := DefaultOptions()
	o.Tolerance, o.Threads = 1e-10, 1
	var s Scene
	im, err := s.Earliest(&BodyStep{Body: ball, X0: moved(x, [3]float64{0, 0, 1}), X1: moved(x, [3]float64{0, 0, -1})},
		&BodyStep{Body: bearing, X0: y, X1: y}, &o)
	if err != nil || math.Abs(im.TOILo-0.5005) > 1e-9 {
		t.Fatalf("%+v, %v", im, err)
	}
	if len(s.waiting) == 0 {
		t.Error("no search waited")
	}
	for _, c := range s.waiting {
		if !isLater(&s.incumbent, c.from, &c) {
			t.Errorf("pair %d, %d was taken up again from %v on", c.a, c.b, c.from)
		}
	}
}
