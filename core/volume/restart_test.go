package volume

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// thrown returns a block of tetrahedra whose vertices go far.
func thrown(t *testing.T, seed uint64, far float64) (s *Scene, x0, x1 []float64) {
	c := ccdtest.Block(12, 8, 6, func(int) mesh.Element { return mesh.Tetrahedron })
	r := rand.New(rand.NewPCG(seed, 8))
	for _, x := range c.Vertices {
		x0 = append(x0, x+float64(0.1*r.Float64()))
		x1 = append(x1, x+float64(far*r.Float64()))
	}
	return sceneOf(t, c), x0, x1
}

// A search that restarts with boxes up to the time it knows has the first contact of the list of
// all, for any number of threads and whatever came before; and it does begin anew where things go
// far.
func TestEarliestBeginsAnew(t *testing.T) {
	restarts := 0
	for seed := range uint64(2) {
		for _, far := range []float64{1, 4} {
			s, x0, x1 := thrown(t, seed, far)
			for threads := 1; threads <= 3; threads += 2 {
				for _, d := range []float64{0, 0.001} {
					if d > 0 && (threads > 1 || far > 1) {
						continue // it takes long
					}
					change := func(o *Options) { o.Threads, o.MinSeparation = threads, d }
					all := collisions(t, s, x0, x1, change)
					o := DefaultOptions()
					change(&o)
					first, err := s.Earliest(x0, x1, &o)
					if err != nil || len(all) == 0 || first != all[0] {
						t.Fatalf("seed %d, %d threads, d = %v: the earliest is\n%+v, %v; of %d contacts",
							seed, threads, d, first, err, len(all))
					}
				}
			}
			restarts += s.restarts
		}
	}
	if restarts == 0 {
		t.Error("no search began anew: the test shows too little")
	}
	t.Logf("%d restarts", restarts)
}

// Where a vertex and a face touch at the start, pairs of edges are left out, and yet the least
// contact of all is found.
func TestEarliestAtTheStart(t *testing.T) {
	both := 0
	for seed := range uint64(4) {
		s, x0, x1 := thrown(t, seed, 1)
		r := rand.New(rand.NewPCG(seed, 9))
		for i := range x0 {
			x0[i] = math.Round(64*x0[i]) / 64
		}
		for i := range 40 { // some vertices lie in faces elsewhere, some on edges
			v, f := 3*r.IntN(len(x0)/3), &s.v.Faces[r.IntN(len(s.v.Faces))]
			for k := range 3 {
				a, b, c := x0[3*f[0]+int32(k)], x0[3*f[1]+int32(k)], x0[3*f[2]+int32(k)]
				if i%2 == 0 {
					c = b
				}
				x0[v+k] = a/2 + (b+c)/4
			}
		}
		for threads := 1; threads <= 2; threads++ {
			all := collisions(t, s, x0, x1, func(o *Options) { o.Threads = threads })
			first, err := s.Earliest(x0, x1,
				&Options{Options: DefaultOptions().Options, CallOptions: engine.CallOptions{Threads: threads}})
			if err != nil || len(all) == 0 || first != all[0] {
				t.Fatalf("seed %d: the earliest is\n%+v, %v; of %d contacts", seed, first, err, len(all))
			}
			kinds := [3]bool{}
			for i := range all {
				if all[i].TOILo == 0 {
					kinds[all[i].Kind] = true
				}
			}
			if kinds[geom.VertexFace] && kinds[geom.EdgeEdge] {
				both++
			}
		}
	}
	if both == 0 {
		t.Error("no scene has contacts of both kinds at the start")
	}
}
