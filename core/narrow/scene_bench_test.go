package narrow_test

import (
	"fmt"
	"testing"

	"ccd/bench/cputime"
	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/narrow"
)

// cpu returns the processor time of this process in nanoseconds.
func cpu() float64 { return float64(cputime.Process()) }

// BenchmarkScene answers all candidates of the scenes through Batch, on one thread.
func BenchmarkScene(b *testing.B) {
	for _, s := range ccdtest.Scenes(b) {
		var x [2][]float64
		var faces []int32
		for i, name := range s.Frames {
			f, err := meshfile.Read(name)
			if err != nil {
				b.Fatal(err)
			}
			x[i], faces = f.Vertices, faces[:0]
			for _, t := range f.Faces {
				faces = append(faces, t[:]...)
			}
		}
		m, err := mesh.New(len(x[0])/3, nil, faces)
		if err != nil {
			b.Fatal(err)
		}
		mo, err := geom.NewTrajectories(x[0], x[1])
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range []float64{0, 1e-3} {
			c, err := broad.Sweep(m, mo, broad.Options{MinSeparation: d})
			if err != nil {
				b.Fatal(err)
			}
			for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
				pairs := c.Of(k)
				idx := make([][4]int32, len(pairs))
				for i, p := range pairs {
					idx[i] = m.Indices(k, p[0], p[1])
				}
				for _, way := range []struct {
					name   string
					method narrow.Method
					flags  uint32
				}{{"exact", narrow.Exact, 0}, {"exact,max", narrow.Exact, narrow.MaxNorm},
					{"contracted", narrow.TimeContracted, 0}} {
					if d == 0 && way.flags != 0 {
						continue
					}
					b.Run(fmt.Sprintf("%s/%v/d=%g/%s", s.Name, k, d, way.name), func(b *testing.B) {
						o := narrow.DefaultOptions()
						o.MinSeparation, o.Method, o.Flags = d, way.method, way.flags
						solver := narrow.NewSolver()
						n, start := 0, cpu()
						for b.Loop() {
							n = 0
							solver.Batch(k, mo, idx, &o, func(int, *geom.Impact) { n++ })
						}
						b.ReportMetric((cpu()-start)/float64(b.N)/float64(len(idx)), "cpu-ns/query")
						b.ReportMetric((cpu()-start)/float64(b.N)/1e6, "cpu-ms")
						b.ReportMetric(float64(n), "impacts")
						b.ReportMetric(float64(len(idx)), "queries")
					})
				}
			}
		}
	}
}
