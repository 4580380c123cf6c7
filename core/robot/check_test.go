package robot

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
)

// Laws R1 and R2: no sample before SFree crosses, a contact by crossing is one in numbers of 300
// bits, and what any contact and the first one say agrees.
func TestVerdictsAgreeWithSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	seen := map[Verdict]int{}
	trials := long.Part(40, 7)
	for trial := range trials {
		m := randomModel(r, 3+r.IntN(4), 3, false)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWorker(robot)
		for range 4 {
			q0, q1 := randomEdge(r, m, 1)
			o := DefaultOptions()
			first, err := w.Check(q0, q1, &o)
			if err != nil {
				t.Fatal(err)
			}
			o.Any = true
			some, err := w.Check(q0, q1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if first.Verdict != some.Verdict {
				t.Errorf("trial %d: first %+v, any %+v", trial, first, some)
			}
			seen[first.Verdict]++
			for i := 0; i < 12 && first.SFree > 0; i++ {
				s := (float64(i) + r.Float64()) / 12 * first.SFree
				if p, ok := bigTouches(m, q0, q1, s*(1-1e-9)); ok {
					t.Fatalf("trial %d: %v cross at %g: %+v", trial, p, s, first)
				}
			}
			for _, hit := range [2]Result{first, some} {
				if hit.Verdict == Collides && hit.How == Crossing {
					if _, ok := bigTouches(m, q0, q1, hit.S); !ok {
						t.Errorf("trial %d: nothing crosses at the contact of %+v", trial, hit)
					}
				}
			}
			if first.Verdict == Collides && first.SFree > 0 && (first.S-first.SFree)*w.speed > 4*o.Tolerance {
				t.Logf("trial %d: contact %g, proven up to %g", trial, first.S, first.SFree)
			}
		}
	}
	t.Logf("%v", seen)
	if seen[Free] == 0 || seen[Collides] == 0 || seen[Undecided] > trials/10 {
		t.Errorf("verdicts: %v", seen)
	}
}

// A pole turns by a wall: all is known exactly.
func TestPasses(t *testing.T) {
	bar := boxShape(r3.Vec{X: 0.5, Y: 0.05, Z: 0.05}, identity, r3.Vec{X: 0.5})
	tip := math.Hypot(1, 0.05)
	for _, gap := range []float64{1e-3, 1e-6, 1e-9} {
		for _, sign := range []float64{1, -1} {
			y := tip + sign*gap
			wall := Shape{Vertices: []r3.Vec{{X: -2, Y: y, Z: -2}, {X: 2, Y: y, Z: -2}, {X: 0, Y: y, Z: 3}},
				Faces: [][3]int32{{0, 1, 2}}}
			m := &Model{Links: 2, Variables: 1, Bodies: []Body{{1, []Shape{bar}}, {Scene, []Shape{wall}}},
				Joints: []Joint{{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}},
				Pairs:  [][2]int{{0, 1}}}
			robot, err := New(m)
			if err != nil {
				t.Fatal(err)
			}
			w := NewWorker(robot)
			o := DefaultOptions()
			o.Tolerance = gap / 10
			for _, any := range []bool{false, true} {
				o.Any = any
				got, err := w.Check([]float64{1}, []float64{2.2}, &o)
				want := map[float64]Verdict{1: Free, -1: Collides}[sign]
				if err != nil || got.Verdict != want {
					t.Errorf("gap %g: %+v, %v", sign*gap, got, err)
				}
			}
			o.Any, o.Tolerance = false, 10*gap
			if got, _ := w.Check([]float64{1}, []float64{2.2}, &o); sign > 0 && got.Verdict == Collides {
				t.Errorf("gap %g with a coarse tolerance: %+v", gap, got)
			}
		}
	}
}

// The results have the same bits for any number of threads, and whatever a worker did before.
func TestEdgesDoNotDependOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	m := randomModel(r, 6, 5, true)
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	var q0, q1 []float64
	for range 60 {
		a, b := randomEdge(r, m, 1)
		q0, q1 = append(q0, a...), append(q1, b...)
	}
	for _, any := range []bool{false, true} {
		o := DefaultOptions()
		o.Any = any
		var want []Result
		for _, threads := range []int{1, 2, 5} {
			got, err := robot.CheckEdges(q0, q1, &o, threads)
			if err != nil {
				t.Fatal(err)
			}
			if want != nil && !slices.Equal(got, want) {
				t.Fatalf("%d threads: results differ", threads)
			}
			want = got
		}
	}
}

// After the first edges no edge allocates.
func TestEdgesDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	m := randomModel(r, 6, 5, true)
	robot, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWorker(robot)
	var edges [][2][]float64
	for range 20 {
		a, b := randomEdge(r, m, 1)
		edges = append(edges, [2][]float64{a, b})
	}
	for _, any := range []bool{false, true} {
		o := DefaultOptions()
		o.Any = any
		all := func() {
			for _, e := range edges {
				if _, err := w.Check(e[0], e[1], &o); err != nil {
					t.Fatal(err)
				}
			}
		}
		all()
		if n := testing.AllocsPerRun(3, all); n > 0 {
			t.Errorf("any %v: %g allocations", any, n)
		}
	}
}
