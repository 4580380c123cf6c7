package exact_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/reference/oracle"
)

// Every handcrafted query of the 2021 dataset has the recorded truth; the time is the oracle's.
func TestHandcraftedQueries(t *testing.T) {
	var r exact.Resolver
	contacts := 0
	list := ccdtest.RecordedQueries(t)
	for i, q := range list {
		var im geom.Impact
		r.Resolve(q.Kind, q.Q[:], 1, &im)
		if (im.Verdict == geom.Contact) != (q.Truth == 1) {
			t.Errorf("%s:%d: %v, the truth is %d", q.File, q.Row, im.Verdict, q.Truth)
		}
		if im.Verdict == geom.Contact {
			contacts++
			if i%4 != 0 && testing.Short() {
				continue
			}
			if want := oracle.Contact(q.Kind, q.Q[:]); im.TOILo != want.TOILo || im.TOIHi != want.TOIHi {
				t.Errorf("%s:%d: [%v, %v], the oracle says [%v, %v]",
					q.File, q.Row, im.TOILo, im.TOIHi, want.TOILo, want.TOIHi)
			}
		}
	}
	t.Logf("%d queries, %d contacts, %+v", len(list), contacts, r.Stats)
}

// loadScene reads a scene's motion, and turns pairs of box ids into the vertices of queries.
func loadScene(t testing.TB, s *ccdtest.Scene) (*geom.Trajectories, *mesh.Mesh) {
	t.Helper()
	first, err := meshfile.Read(s.Frames[0])
	if err != nil {
		t.Fatal(err)
	}
	last, err := meshfile.Read(s.Frames[1])
	if err != nil {
		t.Fatal(err)
	}
	m, err := first.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	mo, err := geom.NewTrajectories(first.Vertices, last.Vertices)
	if err != nil {
		t.Fatal(err)
	}
	return mo, m
}

func listedQueries(s *ccdtest.Scene, m *mesh.Mesh, vertices int, k geom.Kind) (idx [][4]int32) {
	v, e := int32(vertices), int32(vertices+len(m.Edges))
	for _, p := range s.Pairs[k] {
		a, b := min(p[0], p[1]), max(p[0], p[1])
		if k == geom.EdgeEdge {
			x, y := m.Edges[a-v], m.Edges[b-v]
			idx = append(idx, [4]int32{x[0], x[1], y[0], y[1]})
		} else {
			f := m.Faces[b-e]
			idx = append(idx, [4]int32{a, f[0], f[1], f[2]})
		}
	}
	return idx
}

// Every listed pair of the scenes has the recorded truth.
func TestScenePairs(t *testing.T) {
	for _, s := range ccdtest.Scenes(t) {
		mo, m := loadScene(t, &s)
		for k, truths := range s.Truth {
			var r exact.Resolver
			idx := listedQueries(&s, m, mo.N, k)
			for i, truth := range truths {
				var q [24]float64
				var im geom.Impact
				mo.Query(k, &idx[i], &q)
				r.Resolve(k, q[:], 1, &im)
				if (im.Verdict == geom.Contact) != truth {
					t.Fatalf("%s %v pair %d: %v, the truth is %v", s.Name, k, i, im.Verdict, truth)
				}
			}
			t.Logf("%s %v: %d pairs, %+v", s.Name, k, len(truths), r.Stats)
		}
	}
}

func BenchmarkHandcrafted(b *testing.B) {
	list := ccdtest.RecordedQueries(b)
	var r exact.Resolver
	var im geom.Impact
	b.ReportAllocs()
	for b.Loop() {
		for i := range list {
			r.Resolve(list[i].Kind, list[i].Q[:], 1, &im)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list)), "ns/query")
}
