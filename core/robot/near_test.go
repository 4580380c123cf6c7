package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
)

// Edges that end just before their contact are free, and those that end just after it collide.
func TestEdgesCutAtTheirContact(t *testing.T) {
	counts := map[Verdict]int{}
	for _, name := range []string{"six/bars", "six/wires", "seven/shelf"} {
		robot, err := New(benchModels()[name])
		if err != nil {
			t.Fatal(err)
		}
		q0, q1 := benchEdges(t, robot, long.Part(200, 8))
		w := NewWorker(robot)
		for i := range q0 {
			o := DefaultOptions()
			first, err := w.Check(q0[i], q1[i], &o)
			if err != nil {
				t.Fatal(err)
			}
			counts[first.Verdict]++
			if first.Verdict != Collides {
				continue
			}
			for _, distance := range []float64{1e-2, 1e-4, 1e-5} {
				for _, sign := range []float64{-1, 1} {
					s := first.SFree - distance/w.speed
					if sign > 0 {
						s = first.S + 4e-6/w.speed
					}
					if s <= 0 || s > 1 {
						continue
					}
					q := make([]float64, len(q0[i]))
					for k := range q {
						q[k] = q0[i][k] + s*(q1[i][k]-q0[i][k])
					}
					for _, any := range []bool{false, true} {
						o.Any = any
						got, err := w.Check(q0[i], q, &o)
						if err != nil {
							t.Fatal(err)
						}
						if sign < 0 && got.Verdict != Free || sign > 0 && got.Verdict != Collides {
							t.Errorf("%s, edge %d, %g at %g: %+v after %+v", name, i, sign*distance, s, got, first)
						}
						first, err = w.Check(q0[i], q1[i], &Options{Tolerance: 1e-6, MaxIntervals: 1e6})
						if err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	}
	if counts[Free] == 0 || counts[Collides] == 0 || counts[Undecided] > 0 {
		t.Errorf("%v", counts)
	}
}

// Balls and capsules agree with distances at samples: none is within the separation before SFree,
// and at S the two primitives are.
func TestBallsAgreeWithSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	seen := map[Verdict]int{}
	for trial := range long.Part(40, 4) {
		m := randomModel(r, 5, 3, true)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWorker(robot)
		o := DefaultOptions()
		o.Separation = 0.03 * r.Float64()
		for range 3 {
			q0, q1 := randomEdge(r, m, 1)
			got, err := w.Check(q0, q1, &o)
			if err != nil {
				t.Fatal(err)
			}
			seen[got.Verdict]++
			for i := range 6 {
				s := (float64(i) + r.Float64()) / 6 * got.SFree * (1 - 1e-9)
				if d := sampledDistance(m, q0, q1, s); got.SFree > 0 && d < o.Separation-1e-12 {
					t.Fatalf("trial %d: distance %g at %g, separation %g: %+v", trial, d, s, o.Separation, got)
				}
			}
			if got.Verdict == Collides && got.How == Near {
				if d := sampledDistance(m, q0, q1, got.S); d > o.Separation+1e-12 {
					t.Errorf("trial %d: distance %g at the contact %+v", trial, d, got)
				}
			}
		}
	}
	if seen[Free] == 0 || seen[Collides] == 0 {
		t.Errorf("%v", seen)
	}
}

// sampledDistance is the least distance of all tested pairs of primitives by the reference's poses.
func sampledDistance(m *Model, q0, q1 []float64, s float64) float64 {
	return distanceAt(m, poses(m, q0, q1, newBig(s)))
}

// distanceAt does that for given poses.
func distanceAt(m *Model, at []bigPose) float64 {
	lists := make([][]primitive, len(m.Bodies))
	for i := range m.Bodies {
		lists[i] = primitivesOf(&m.Bodies[i], int32(i))
		for k := range lists[i] {
			for v := range lists[i][k].x {
				if l := m.Bodies[i].Link; l != Scene {
					x := at[l].place(lists[i][k].x[v])
					lists[i][k].x[v].X, _ = x[0].Float64()
					lists[i][k].x[v].Y, _ = x[1].Float64()
					lists[i][k].x[v].Z, _ = x[2].Float64()
				}
			}
		}
	}
	least := math.Inf(1)
	for _, p := range m.Pairs {
		for i := range lists[p[0]] {
			for k := range lists[p[1]] {
				a, b := &lists[p[0]][i], &lists[p[1]][k]
				if _, ok := crosses(a, &a.x, b, 0); ok {
					least = min(least, 0)
				}
				least = min(least, math.Sqrt(nearest(a, &a.x, b).square)-a.radius-b.radius)
			}
		}
	}
	return least
}
