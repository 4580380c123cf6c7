package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// askew returns a random robot among large boxes and triangles that lie askew: ramps and planes.
func askew(r *rand.Rand, size float64) *Model {
	m := randomModel(r, 4, 1, r.IntN(2) == 0)
	for range 2 {
		turn := randomRotation(r)
		at := geom.Scale(0.3+1.2*r.Float64(), turn.Apply(r3.Vec{Z: -1}))
		s := boxShape(r3.Vec{X: size, Y: size, Z: size}, turn, r3.Add(at, turn.Apply(r3.Vec{Z: -size})))
		if r.IntN(3) == 0 {
			x := func(a, b float64) r3.Vec { return r3.Add(at, turn.Apply(r3.Vec{X: a * size, Y: b * size})) }
			s = Shape{Vertices: []r3.Vec{x(-2, -1), x(2, -1), x(0, 2)}, Faces: [][3]int32{{0, 1, 2}}}
		}
		m.Bodies = append(m.Bodies, Body{Scene, []Shape{s}})
		for link := range m.Links {
			m.Pairs = append(m.Pairs, [2]int{link, len(m.Bodies) - 1})
		}
	}
	return m
}

// bare returns the robot without slabs.
func bare(m *Model, t *testing.T) *Robot {
	t.Helper()
	r, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.clusters {
		r.clusters[i].slabs = nil
	}
	return r
}

func checked(t *testing.T, robot *Robot, q0, q1 []float64, o *Options) Result {
	t.Helper()
	found, err := NewWorker(robot).Check(q0, q1, o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSlabsChangeNoVerdict compares with the search that has no slabs: on large obstacles that lie
// askew both decide each edge alike, and each proves free at least up to the other's contact.
func TestSlabsChangeNoVerdict(t *testing.T) {
	r := rand.New(rand.NewPCG(48, 1))
	var free, touching, slabs int
	count := long.Part(400, 20)
	for range count {
		m := askew(r, []float64{2, 20}[r.IntN(2)])
		with, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		without := bare(m, t)
		for i := range with.clusters {
			slabs += len(with.clusters[i].slabs)
		}
		q0, q1 := randomEdge(r, m, 1)
		for _, first := range []bool{true, false} {
			o := Options{Tolerance: 1e-6, MaxIntervals: 2000, Any: !first}
			a, b := checked(t, with, q0, q1, &o), checked(t, without, q0, q1, &o)
			if a.Verdict != b.Verdict {
				t.Fatalf("with slabs %v at %v, without %v at %v", a.Verdict, a.S, b.Verdict, b.S)
			}
			if a.Verdict == Collides && first && (a.SFree > b.S || b.SFree > a.S) {
				t.Fatalf("free up to %v, and a contact at %v; %v and %v", a.SFree, b.S, b.SFree, a.S)
			}
			if a.Verdict == Free {
				free++
			} else {
				touching++
			}
		}
	}
	if free < count/8 || touching < count/8 || slabs < count {
		t.Fatalf("%d free, %d not, %d slabs: the edges say nothing", free, touching, slabs)
	}
}

// TestSlabsHoldTheirClusters has no point of a cluster outside of a slab, and no ball beside one
// that is within its separation.
func TestSlabsHoldTheirClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(48, 2))
	var sharp int
	for range 500 {
		s := boxShape(r3.Vec{X: 1 + r.Float64(), Y: 5, Z: 100 * r.Float64()}, randomRotation(r), randomVec(r, 3))
		all := primitivesOf(&Body{Scene, []Shape{s}}, 0)
		list := make([]int32, len(all))
		for i := range list {
			list[i] = int32(i)
		}
		c := makeCluster(all, list, []float64{0, 1e-9}[sharp%2])
		slabs := slabsOf(all, &c)
		if len(slabs) != 3 {
			t.Fatalf("%d slabs of a box that lies askew", len(slabs))
		}
		for i := range slabs {
			rest := 2*c.off + float64(8*unit*c.size())
			for _, x := range c.x {
				if p := geom.Dot(slabs[i].n, x); p < slabs[i].lo+rest || p > slabs[i].hi-rest {
					t.Fatalf("%v is not in [%v, %v] by %v", p, slabs[i].lo, slabs[i].hi, rest)
				}
			}
		}
		// A ball that moves along a face's normal, from 1 outside of the box: it is beside until it
		// has come to its size.
		n := slabs[0].n
		from := geom.Scale(slabs[0].hi+1, n)
		for _, h := range []float64{0.2, 0.4, 0.59, 0.61, 0.7} {
			m := moving{x: from, v: geom.Scale(-1, n), need: 0.4}
			beside := m.beside(slabs[:1], h)
			if beside != (h < 0.6) {
				t.Fatalf("a ball of 0.4 at the distance 1 moves by %v: beside is %v", h, beside)
			}
			m = moving{x: from, a: geom.Scale(-2, n), need: 0.4} // h^2 in all
			if m.beside(slabs[:1], math.Sqrt(h)) != beside {
				t.Fatalf("a ball that is accelerated by %v", h)
			}
			sharp++
		}
		low := geom.Scale(slabs[0].lo-1, n)
		m := moving{x: low, v: n, a: geom.Scale(0.2, n), need: 0.4}
		if !m.beside(slabs[:1], 0.5) || m.beside(slabs[:1], 0.6) { // 0.5 + 0.025, 0.6 + 0.036
			t.Fatal("below the slab")
		}
	}
	if sharp == 0 {
		t.Fatal("nothing was tested")
	}
}

// TestPlanesThatLieAskewTakeFewTests counts what a fine mesh takes above a large plane: its box
// holds all of the mesh, so that without slabs each triangle would be looked at.
func TestPlanesThatLieAskewTakeFewTests(t *testing.T) {
	r := rand.New(rand.NewPCG(48, 3))
	turn := randomRotation(r)
	up := turn.Apply(r3.Vec{Z: 1})
	m := &Model{Links: 2, Variables: 1,
		Joints: []Joint{{Kind: Revolute, Parent: 0, Child: 1, Factor: 1, Rotation: identity, Axis: up}},
		Bodies: []Body{{1, []Shape{blob(r, 40, 0.3, geom.Scale(0.5, turn.Apply(r3.Vec{X: 1})))}},
			{Scene, []Shape{boxShape(r3.Vec{X: 1000, Y: 1000, Z: 1000}, turn, geom.Scale(-1000.5, up))}}},
		Pairs: [][2]int{{0, 1}},
	}
	with, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, any := range []bool{true, false} {
		o := Options{Tolerance: 1e-6, MaxIntervals: 1000, Any: any}
		found := checked(t, with, []float64{0}, []float64{1}, &o)
		if found.Verdict != Free || found.Counts.Tests > 200 {
			t.Fatalf("%v after %d tests", found.Verdict, found.Counts.Tests)
		}
	}
	near, err := NewWorker(with).Ranges([]float64{0}, []float64{0.01}, &Options{Tolerance: 1e-6, MaxIntervals: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if near[0].Verdict != Free || near[0].Counts.Tests > 400 {
		t.Fatalf("a range is %v after %d tests", near[0].Verdict, near[0].Counts.Tests)
	}
}

// TestSlabsCountWhatMoves has an arm that is high above a ramp in the middle of its edge, and below
// it at the end alone.
func TestSlabsCountWhatMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(48, 5))
	for range 20 {
		turn := randomRotation(r)
		axis := turn.Apply(r3.Vec{Y: 1})
		m := &Model{Links: 2, Variables: 1,
			Joints: []Joint{{Kind: Revolute, Parent: 0, Child: 1, Factor: 1, Rotation: identity, Axis: axis}},
			Bodies: []Body{{1, []Shape{blob(r, 8, 0.01, turn.Apply(r3.Vec{Z: 1}))}},
				{Scene, []Shape{boxShape(r3.Vec{X: 100, Y: 100, Z: 100}, turn, turn.Apply(r3.Vec{Z: -99.7}))}}},
			Pairs: [][2]int{{0, 1}},
		}
		with, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		q0, q1 := []float64{-1.1}, []float64{1.4} // The heights above the ramp are 0.15, and -0.13 at the end.
		o := Options{Tolerance: 1e-6, MaxIntervals: 1000}
		gap, err := NewWorker(with).Clearance([]float64{q0[0], q1[0]}, 1, 0, 1, &o)
		if err != nil {
			t.Fatal(err)
		}
		met, err := NewWorker(with).Ranges(q0, q1, &o)
		if err != nil {
			t.Fatal(err)
		}
		first := checked(t, with, q0, q1, &o)
		o.Any = true
		some := checked(t, with, q0, q1, &o)
		if first.Verdict != Collides || some.Verdict != Collides || gap.Lo > 0 || met[0].Verdict == Free {
			t.Fatalf("%v, %v, a clearance of %v, a range is %v", first.Verdict, some.Verdict, gap.Lo, met[0].Verdict)
		}
		if first.S < 0.93 || first.S > 0.96 { // cos of 1.27, less the blob's 0.01
			t.Fatalf("a contact at %v", first.S)
		}
	}
}

// TestSlabsKeepClearOfRounding has no ball beside a slab where the proof is within a few roundings
// of failing: in place, velocity and acceleration.
func TestSlabsKeepClearOfRounding(t *testing.T) {
	x := r3.Vec{X: 1}
	for _, part := range []moving{{need: 1}, {v: geom.Scale(-2, x)}, {a: geom.Scale(-8, x)}} {
		for _, way := range []float64{1, -1} {
			m := moving{v: geom.Scale(way, part.v), a: geom.Scale(way, part.a), need: part.need}
			for _, close := range []bool{true, false} {
				m.x = geom.Scale(way*(1+0x1p-40), x)
				if close {
					m.x = geom.Scale(way*(1+0x1p-50), x)
				}
				if m.beside([]slab{{n: x}}, 0.5) == close { // Each part takes 1 of the way to the slab.
					t.Fatalf("%+v: beside is %v", m, close)
				}
			}
		}
	}
}

// TestSlabsChangeNoDistance has brackets of clearances that overlap with and without slabs, and
// ranges that are decided alike.
func TestSlabsChangeNoDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(48, 4))
	var apart, decided int
	count := long.Part(200, 12)
	for range count {
		m := askew(r, []float64{2, 20}[r.IntN(2)])
		with, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		without := bare(m, t)
		q0, q1 := randomEdge(r, m, 1)
		o := Options{Tolerance: 1e-3, MaxIntervals: 2000}
		var gaps [2]Gap
		var lists [2][]Meeting
		lower, upper := make([]float64, m.Variables), make([]float64, m.Variables)
		for i := range lower {
			lower[i], upper[i] = q0[i]-0.05, q0[i]+0.05
		}
		for i, robot := range []*Robot{with, without} {
			w := NewWorker(robot)
			if gaps[i], err = w.Clearance(append(append([]float64{}, q0...), q1...), 1, 0, 1, &o); err != nil {
				t.Fatal(err)
			}
			short := Options{Tolerance: 1e-3, MaxIntervals: 300}
			if lists[i], err = w.Ranges(lower, upper, &short); err != nil {
				t.Fatal(err)
			}
		}
		if gaps[0].Lo > gaps[1].Hi || gaps[1].Lo > gaps[0].Hi {
			t.Fatalf("with slabs [%v, %v], without [%v, %v]", gaps[0].Lo, gaps[0].Hi, gaps[1].Lo, gaps[1].Hi)
		}
		if gaps[0].Lo > 0 {
			apart++
		}
		for i, a := range lists[0] {
			if b := lists[1][i]; a.Verdict != b.Verdict && a.Verdict != Undecided && b.Verdict != Undecided {
				t.Fatalf("with slabs %+v, without %+v", a, b)
			} else if a.Verdict == Free {
				decided++
			}
		}
	}
	if apart < count/8 || decided < count {
		t.Fatalf("%d clearances above 0, %d pairs that never meet: nothing is said", apart, decided)
	}
}
