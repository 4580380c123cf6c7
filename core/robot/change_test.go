package robot

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// A robot with a change has the verdicts of one that is made anew with all its bodies and pairs.
func TestChangesAreAsRobotsMadeAnew(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	seen := map[Verdict]int{}
	for trial := range long.Part(60, 5) {
		m := randomModel(r, 5, 4, trial%2 == 0)
		part, change := *m, Change{}
		kept := len(m.Bodies) - 1 - r.IntN(3)
		part.Bodies, part.Pairs, change.Bodies = m.Bodies[:kept], nil, m.Bodies[kept:]
		held := Body{Link: 4, Shapes: []Shape{blob(r, 4, 0.1, randomVec(r, 0.2))}}
		change.Bodies = append(append([]Body{}, change.Bodies...), held)
		all := *m
		all.Bodies = append(append([]Body{}, m.Bodies...), held)
		for k := 5; k < len(m.Bodies); k++ {
			all.Pairs = append(all.Pairs, [2]int{len(m.Bodies), k})
		}
		without := r.IntN(kept)
		change.Without = []int{without}
		var pairs [][2]int
		for _, p := range all.Pairs {
			switch {
			case max(p[0], p[1]) >= kept:
				change.Pairs = append(change.Pairs, p)
				pairs = append(pairs, p)
			case p[0] != without && p[1] != without:
				part.Pairs = append(part.Pairs, p)
				pairs = append(pairs, p)
			default:
				part.Pairs = append(part.Pairs, p)
			}
		}
		all.Pairs = pairs
		before, err := New(&part)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := before.With(&change)
		if err != nil {
			t.Fatal(err)
		}
		anew, err := New(&all)
		if err != nil {
			t.Fatal(err)
		}
		again, err := New(&part)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			q0, q1 := randomEdge(r, m, 1)
			o := DefaultOptions()
			got, err := NewWorker(changed).Check(q0, q1, &o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := NewWorker(anew).Check(q0, q1, &o)
			if err != nil {
				t.Fatal(err)
			}
			seen[want.Verdict]++
			if got.Verdict != want.Verdict || math.Abs(got.SFree-want.SFree) > 1e-5 || got.S > 0 &&
				(got.A != want.A || got.B != want.B) {
				t.Errorf("trial %d: %+v, made anew %+v", trial, got, want)
			}
			// The robot that was changed is as it was.
			same, err := NewWorker(before).Check(q0, q1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if other, err := NewWorker(again).Check(q0, q1, &o); err != nil || same != other {
				t.Errorf("trial %d: %+v after a change, %+v before", trial, same, other)
			}
		}
	}
	if seen[Free] == 0 || seen[Collides] == 0 {
		t.Errorf("%v", seen)
	}
}

// Separations of pairs pass from a robot to one with a change.
func TestChangesKeepSeparations(t *testing.T) {
	ball := func(link int, x float64) Body {
		return Body{link, []Shape{{Vertices: []r3.Vec{{X: x}}, Radii: []float64{0.1}}}}
	}
	m := &Model{Links: 2, Variables: 1, Bodies: []Body{ball(1, 0), ball(Scene, 3)}, Pairs: [][2]int{{0, 1}},
		Joints:      []Joint{{Kind: Prismatic, Child: 1, Factor: 1, Axis: r3.Vec{X: 1}, Rotation: identity}},
		Separations: []float64{0.5}}
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	change := Change{Bodies: []Body{ball(Scene, -3)}, Pairs: [][2]int{{0, 2}}, Separations: []float64{0.7}}
	changed, err := robot.With(&change)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	for _, c := range []struct {
		to   float64
		want float64
	}{{3, 2.3}, {-3, 2.1}} {
		got, err := NewWorker(changed).Check([]float64{0}, []float64{c.to}, &o)
		if err != nil || got.Verdict != Collides || math.Abs(3*got.S-c.want) > 1e-5 {
			t.Errorf("to %g: %+v, %v", c.to, got, err)
		}
	}
	for _, c := range []struct {
		change Change
		want   string
	}{
		{Change{Without: []int{2}}, "without[0] is 2: must be one of the 2 bodies"},
		{Change{Pairs: [][2]int{{0, 2}}}, "pairs[0] is [0 2]: must be two of the 2 bodies"},
		{Change{Pairs: [][2]int{{0, 1}}, Separations: []float64{-1}}, "separations[0] is -1"},
		{Change{Separations: []float64{1}}, "separations: there are 1, and 0 pairs"},
		{Change{Bodies: []Body{{Link: 7}}}, "bodies[0].link is 7"},
	} {
		if _, err := robot.With(&c.change); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: must say %q", err, c.want)
		}
	}
}
