package scene

import (
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/proximity"
	"ccd/core/step"
)

// crossingsAt returns the edges and faces that share a point, by package proximity, in order.
func crossingsAt(t testing.TB, s *stage, x []float64) (list [][2]int32) {
	t.Helper()
	found, err := proximity.Intersections(s.m, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Kind == geom.EdgeFace {
			list = append(list, [2]int32{int32(f.A), int32(f.B)})
		}
	}
	return list
}

// TestScenesOfPublishedSteps plays steps of the published scenes: law 10 for the positions of
// step.Sizes, then law 1 and law 2 for a part that moves.
func TestScenesOfPublishedSteps(t *testing.T) {
	for _, d := range [][3]string{
		{"cloth-funnel", "227.ply", "228.ply"}, {"armadillo-rollers", "326.ply", "327.ply"},
		{"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply"},
	} {
		if testing.Short() && d[0] != "cloth-funnel" {
			continue
		}
		t.Run(d[0], func(t *testing.T) {
			s := published(t, d[0], d[1], d[2], 0.02, false)
			scene, err := New(s.m, s.x0)
			if err != nil {
				t.Fatal(err)
			}
			holds := func(when string, want [][2]int32) {
				t.Helper()
				x := make([]float64, len(s.x0))
				if err := scene.Positions(x); err != nil {
					t.Fatal(err)
				}
				if known, _ := scene.State(); known != s.m.NV || !slices.Equal(scene.state.crossings, want) ||
					!slices.Equal(crossingsAt(t, s, x), want) {
					t.Fatalf("law 2 %s: %d of %d known, %d listed, %d share a point, want %d",
						when, known, s.m.NV, len(scene.state.crossings), len(crossingsAt(t, s, x)), len(want))
				}
			}
			if err := scene.Check(nil); err != nil {
				t.Fatal(err)
			}
			first := crossingsAt(t, s, s.x0)
			holds("at x0", first)
			all := make([]int32, s.m.NV)
			for i := range all {
				all[i] = int32(i)
			}
			alpha, y := make([]float64, s.m.NV), make([]float64, len(s.x0))
			report, err := scene.Step(all, s.x1).Sizes(alpha, y, nil, nil)
			if err != nil || report.Used < 0.2 {
				t.Fatalf("%+v, %v", report, err)
			}
			if err := scene.CommitProven(); err != nil {
				t.Fatal(err)
			}
			holds("after a proven step", first)
			t.Logf("%d edges and faces share a point; the step goes %.0f %% of the way", len(first), 100*report.Used)

			s.x0 = y
			rows := s.rows()
			m, to := s.rest()
			want, err := step.Collisions(m, s.x0, to, nil)
			got, err2 := scene.Step(s.moved, rows).Collisions(nil)
			if err != nil || err2 != nil || !slices.Equal(got, want) {
				t.Fatalf("law 1: %d impacts, %v; fresh %d, %v", len(got), err2, len(want), err)
			}
			if err := scene.Commit(s.moved, rows); err != nil {
				t.Fatal(err)
			}
			if known, _ := scene.State(); len(got) > 0 && known == s.m.NV {
				t.Fatal("the state is known after an unproven commit")
			}
			if err := scene.Check(nil); err != nil {
				t.Fatal(err)
			}
			holds("after an unproven commit and a check", crossingsAt(t, s, to))
		})
	}
}
