package neighbors

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ccd/bench/cputime"
	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/mesh"
	"ccd/core/meshfile"
	"ccd/core/proximity"
	"ccd/core/step"
)

// published returns two frames of a published scene, and its mean edge.
func published(t testing.TB, name, from, to string) (m *mesh.Mesh, x0, x1 []float64, edge float64) {
	t.Helper()
	dir := os.Getenv("CCD_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	dir = filepath.Join(dir, "scenes", name, "frames")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no scenes in %s: set CCD_DATA", dir)
	}
	a, err := meshfile.Read(filepath.Join(dir, from))
	if err != nil {
		t.Fatal(err)
	}
	b, err := meshfile.Read(filepath.Join(dir, to))
	if err != nil {
		t.Fatal(err)
	}
	if m, err = a.Mesh(); err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Edges {
		s := 0.0
		for k := range 3 {
			d := a.Vertices[3*int(e[0])+k] - a.Vertices[3*int(e[1])+k]
			s += float64(d * d)
		}
		edge += math.Sqrt(s) / float64(len(m.Edges))
	}
	return m, a.Vertices, b.Vertices, edge
}

var publishedScenes = [][3]string{
	{"cloth-funnel", "227.ply", "228.ply"}, {"armadillo-rollers", "326.ply", "327.ply"},
	{"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply"},
}

// newton is the positions of an iteration: from x0 toward x1 by shares 1/2, 3/4, 7/8, ..., with
// noise that falls likewise.
func newton(x0, x1 []float64, share, noise float64, iterations int) (all [][]float64) {
	r, left := ccdtest.NewRand(3, 3), 1.0
	for range iterations {
		x := slices.Clone(x0)
		for i := range x {
			x[i] += share*(1-left)*(x1[i]-x0[i]) + left*noise*r.NormFloat64()
		}
		all, left = append(all, x), left/2
	}
	return all
}

// BenchmarkNewton measures an iteration of a simulated Newton loop, near pairs at a twentieth of
// the mean edge, with and without a list of twice to six times that reach, and the earliest impact
// of the step to the next iterate. The motion is a share of that of the two frames. The times are
// processor milliseconds of a call, alternating, medians of whole loops.
func BenchmarkNewton(b *testing.B) {
	for _, s := range publishedScenes {
		m, x0, x1, edge := published(b, s[0], s[1], s[2])
		d := edge / 20
		for _, share := range []float64{0.01, 0.1, 1} {
			loop := newton(x0, x1, share, share*edge/100, 10)
			for _, times := range []float64{2, 4, 8} {
				b.Run(s[0], func(b *testing.B) { benchLoop(b, m, loop, d, times*d, share) })
			}
		}
	}
}

func benchLoop(b *testing.B, m *mesh.Mesh, loop [][]float64, d, reach, share float64) {
	po := proximity.Options{CallOptions: engine.CallOptions{Threads: 1}}
	so := step.DefaultOptions()
	so.Threads, so.MinSeparation = 1, d/10
	calls := float64(len(loop))
	measure := func(do func()) float64 {
		began := cputime.Process()
		do()
		return 1e3 * (cputime.Process() - began).Seconds() / calls
	}
	var near, list, first, listed []float64
	var report Report
	pairs := 0
	for b.Loop() {
		near = append(near, measure(func() {
			for _, x := range loop {
				proximity.Near(m, x, d, &po)
			}
		}))
		list = append(list, measure(func() {
			l, err := New(m, loop[0], reach, &po)
			if err != nil {
				b.Fatal(err)
			}
			for _, x := range loop {
				found, _ := l.Near(x, d, &po)
				pairs = len(found)
			}
			report = l.Report()
		}))
		first = append(first, measure(func() {
			for i, x := range loop {
				step.Earliest(m, x, loop[min(i+1, len(loop)-1)], &so)
			}
		}))
		l, _ := New(m, loop[0], reach, &po)
		listed = append(listed, measure(func() {
			for i, x := range loop {
				l.Step(x, loop[min(i+1, len(loop)-1)]).Earliest(&so)
			}
		}))
	}
	median := func(x []float64) float64 { slices.Sort(x); return x[len(x)/2] }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(share, "share")
	b.ReportMetric(reach/d, "reach/d")
	b.ReportMetric(median(near), "near-ms")
	b.ReportMetric(median(list), "near-list-ms")
	b.ReportMetric(median(first), "earliest-ms")
	b.ReportMetric(median(listed), "earliest-list-ms")
	b.ReportMetric(float64(report.Builds), "builds")
	b.ReportMetric(float64(report.Fresh), "fresh")
	b.ReportMetric(float64(report.Pairs), "list-pairs")
	b.ReportMetric(float64(pairs), "pairs")
	b.ReportMetric(float64(report.Bytes)/1e6, "MB")
}

// BenchmarkParts measures what a list costs: to find its pairs, and to serve calls at the positions
// of it, beside fresh calls, in processor milliseconds.
func BenchmarkParts(b *testing.B) {
	for _, s := range publishedScenes {
		m, x0, x1, edge := published(b, s[0], s[1], s[2])
		d := edge / 20
		for _, times := range []float64{2, 4, 8} {
			b.Run(s[0], func(b *testing.B) { benchParts(b, m, x0, x1, d, times*d) })
		}
	}
}

func benchParts(b *testing.B, m *mesh.Mesh, x0, x1 []float64, d, reach float64) {
	po := proximity.Options{CallOptions: engine.CallOptions{Threads: 1}}
	so := step.DefaultOptions()
	so.Threads, so.MinSeparation = 1, d/10
	to := slices.Clone(x0)
	for i := range to {
		to[i] += 0.001 * (x1[i] - x0[i])
	}
	names := []string{"build-ms", "near-ms", "near-list-ms", "earliest-ms", "earliest-list-ms"}
	times := make([][]float64, len(names))
	l, err := New(m, x0, reach, &po)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for i, do := range []func(){
			func() { New(m, x0, reach, &po) },
			func() { proximity.Near(m, x0, d, &po) },
			func() { l.Near(x0, d, &po) },
			func() { step.Earliest(m, x0, to, &so) },
			func() { l.Step(x0, to).Earliest(&so) },
		} {
			began := cputime.Process()
			do()
			times[i] = append(times[i], 1e3*(cputime.Process()-began).Seconds())
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(reach/d, "reach/d")
	for i, name := range names {
		slices.Sort(times[i])
		b.ReportMetric(times[i][len(times[i])/2], name)
	}
	r := l.Report()
	b.ReportMetric(float64(r.Pairs), "pairs")
	b.ReportMetric(float64(r.Builds), "builds")
	b.ReportMetric(float64(m.NV+len(m.Edges)+len(m.Faces)), "primitives")
}
