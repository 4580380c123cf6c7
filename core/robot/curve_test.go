package robot

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// randomCurve returns control values of a degree, whose edges bend.
func randomCurve(r *rand.Rand, m *Model, degree int, size float64) []float64 {
	start, _ := randomEdge(r, m, 1)
	c := append([]float64{}, start...)
	for range degree {
		for k := range m.Variables {
			c = append(c, start[k]+size*(2*r.Float64()-1))
		}
	}
	return c
}

// The bound of the third order with its roundings holds on polynomials of all degrees.
func TestSlackHoldsOnCurves(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	most := 0.0
	for trial := range long.Part(120, 8) {
		m := randomModel(r, 2+r.IntN(7), 1, false)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		degree := trial % (HighestDegree + 1)
		control := randomCurve(r, m, degree, 1)
		w := NewWorker(robot)
		if _, err := w.f.setCurve(control, degree); err != nil {
			t.Fatal(err)
		}
		for i := range 12 {
			way := int32(r.IntN(len(robot.ways.list)))
			w.f.lim.get(way, &w.f.kin.curve)
			step := &robot.ways.list[way]
			y := randomVec(r, 0.3)
			k := w.f.lim.slack[way].at(lengthUp(y))
			middle, h := float64(r.IntN(257))/256, float64(r.IntN(65))/256
			for range r.IntN(30) {
				h /= 2
			}
			if i%4 == 0 {
				h = 0
			}
			h = min(h, middle, 1-middle)
			w.f.kin.at(middle)
			x, v, a := w.f.kin.get(way).at(y)
			for _, at := range [2]float64{h, -h} {
				pose := posesOn(m, control, degree, newBig(middle+at))
				truth := pose[step.frame].inverse(pose[step.link].place(y))
				taken := bigOf(x).plus(bigOf(v).times(newBig(at))).plus(bigOf(a).times(newBig(at * at / 2)))
				off := truth.minus(taken).norm()
				bound := k[0] + h*(k[1]+h*(k[2]+h*k[3]))
				if !(off <= bound) {
					t.Fatalf("trial %d, degree %d: off %g, bound %g at h = %g, way %+v", trial, degree, off,
						bound, h, step)
				}
				if bound > 0 {
					most = max(most, off/bound)
				}
			}
		}
	}
	t.Logf("largest part taken: %.4f", most)
	if most < 0.1 {
		t.Errorf("the bound is never reached by a tenth: %g", most)
	}
}

// Where one derivative alone is not 0 the third derivative of a slide is bounded sharply.
func TestSlackIsSharpForASlide(t *testing.T) {
	m := &Model{Links: 2, Variables: 1, Joints: []Joint{{Kind: Prismatic, Child: 1, Factor: 1, Axis: r3.Vec{X: 1},
		Rotation: identity}}}
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	way := robot.ways.to(0, 1)
	w := NewWorker(robot)
	if _, err := w.f.setCurve([]float64{0, 0, 0, 1}, 3); err != nil { // s^3
		t.Fatal(err)
	}
	w.f.lim.get(way, &w.f.kin.curve)
	k := w.f.lim.slack[way].at(0)
	w.f.kin.at(0.5)
	x, v, a := w.f.kin.get(way).at(r3.Vec{})
	const h = 0.25
	off := 0.75*0.75*0.75 - x.X - h*v.X - h*h/2*a.X
	if bound := cubic(&k, h); !(off <= bound) || off < 0.999*bound {
		t.Errorf("off %g, bound %g: must be reached but for 1 in 1000", off, bound)
	}
}

// Laws R1, R2 and R5 on polynomials, by crossings and distances in numbers of 300 bits.
func TestCurvesAgreeWithSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 1))
	seen := map[Verdict]int{}
	for trial := range long.Part(60, 6) {
		balls := trial%2 == 1
		m := randomModel(r, 3+r.IntN(3), 2, balls)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWorker(robot)
		degree := 2 + trial%4
		control := randomCurve(r, m, degree, 0.8)
		o := DefaultOptions()
		first, err := w.CheckCurve(control, degree, &o)
		if err != nil {
			t.Fatal(err)
		}
		o.Any = true
		some, err := w.CheckCurve(control, degree, &o)
		if err != nil || some.Verdict != first.Verdict {
			t.Errorf("trial %d: first %+v, any %+v, %v", trial, first, some, err)
		}
		seen[first.Verdict]++
		o.Tolerance = 1e-3
		gap, err := w.Clearance(control, degree, 0, 1, &o)
		if err != nil || gap.Touches != (first.Verdict == Collides) || gap.Hi-gap.Lo > 1.001e-3 {
			t.Errorf("trial %d: %+v, %v after %+v", trial, gap, err, first)
		}
		for i := range 8 {
			s := (float64(i) + r.Float64()) / 8
			at := posesOn(m, control, degree, newBig(s))
			if p, ok := bigTouchesAt(m, at); ok && s < first.SFree*(1-1e-9) {
				t.Fatalf("trial %d: %v cross at %g: %+v", trial, p, s, first)
			}
			if d := max(0, distanceAt(m, at)); d < gap.Lo-1e-12 || s < first.SFree && d < -1e-12 {
				t.Fatalf("trial %d: distance %g at %g: %+v, %+v", trial, d, s, gap, first)
			}
		}
		for _, hit := range [2]Result{first, some} {
			if hit.Verdict == Collides && hit.How == Crossing {
				if _, ok := bigTouchesAt(m, posesOn(m, control, degree, newBig(hit.S))); !ok {
					t.Errorf("trial %d: nothing crosses at the contact of %+v", trial, hit)
				}
			}
		}
	}
	if seen[Free] == 0 || seen[Collides] == 0 || seen[Undecided] > 2 {
		t.Errorf("%v", seen)
	}
}

// A straight edge has the same verdict, and nearly the same times, at each degree.
func TestLinesAreCurvesOfEachDegree(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 1))
	seen := map[Verdict]int{}
	for range long.Part(30, 3) {
		m := randomModel(r, 5, 3, true)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWorker(robot)
		q0, q1 := randomEdge(r, m, 1)
		o := DefaultOptions()
		want, err := w.Check(q0, q1, &o)
		if err != nil {
			t.Fatal(err)
		}
		seen[want.Verdict]++
		for degree := 1; degree <= HighestDegree; degree++ {
			var control []float64
			for i := range degree + 1 {
				for k := range q0 {
					control = append(control, q0[k]+float64(i)/float64(degree)*(q1[k]-q0[k]))
				}
			}
			got, err := w.CheckCurve(control, degree, &o)
			if err != nil || got.Verdict != want.Verdict || math.Abs(got.SFree-want.SFree) > 1e-4 {
				t.Errorf("degree %d: %+v, %v, as a line %+v", degree, got, err, want)
			}
			if degree == 1 && got != want {
				t.Errorf("as a curve of degree 1: %+v, as a line %+v", got, want)
			}
		}
	}
	if seen[Free] == 0 || seen[Collides] == 0 {
		t.Errorf("%v", seen)
	}
}

// What is wrong with a curve is an error that names it.
func TestCurvesThatAreWrong(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(44, 1)), 3, 1, false)
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	w, o := NewWorker(robot), DefaultOptions()
	for _, one := range []struct {
		control []float64
		degree  int
		want    string
	}{
		{make([]float64, 14), 6, "degree is 6: must be in [0, 5]"},
		{nil, -1, "degree is -1: must be in [0, 5]"},
		{make([]float64, 5), 1, "control has 5 values: the degree 1 has 2 rows of 2 variables"},
		{[]float64{0, 0, 0, math.NaN()}, 1, "control[1][1] is NaN"},
		{[]float64{0, 0, 0, math.Inf(1)}, 1, "control[1][1] is +Inf"},
	} {
		_, err := w.CheckCurve(one.control, one.degree, &o)
		if err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%v: must say %q", err, one.want)
		}
	}
}

// Small turns and slides whose second or third derivative dominates reach their terms of the bound.
func TestSlackHoldsSecondAndThirdDerivatives(t *testing.T) {
	slide := Joint{Kind: Prismatic, Parent: 1, Child: 2, Variable: 1, Factor: 1, Axis: r3.Vec{X: 1}, Rotation: identity}
	turn := Joint{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}
	robot, err := New(&Model{Links: 3, Variables: 2, Joints: []Joint{turn, slide}})
	if err != nil {
		t.Fatal(err)
	}
	way := robot.ways.to(0, 2)
	for name, control := range map[string][]float64{
		"turn by s^3":                     {0, 0, 0, 0, 0, 0, 1e-3, 0},
		"slide by s^2 on a turn by s/100": {0, 0, 0.01 / 3, 0, 0.02 / 3, 1.0 / 3, 0.01, 1},
	} {
		w := NewWorker(robot)
		if _, err := w.f.setCurve(control, 3); err != nil {
			t.Fatal(err)
		}
		w.f.lim.get(way, &w.f.kin.curve)
		y := r3.Vec{X: 1}
		k := w.f.lim.slack[way].at(1)
		w.f.kin.at(0.5)
		x, v, a := w.f.kin.get(way).at(y)
		const h = 0.25
		truth := posesOn(&robot.model, control, 3, newBig(0.5+h))[2]
		taken := bigOf(x).plus(bigOf(v).times(newBig(h))).plus(bigOf(a).times(newBig(h * h / 2)))
		off := truth.place(y).minus(taken).norm()
		if bound := cubic(&k, h); !(off <= bound) || off < 0.8*bound {
			t.Errorf("%s: off %g, bound %g: must be reached by four fifths", name, off, bound)
		}
	}
}
