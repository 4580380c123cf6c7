package proximity

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/meshfile"
)

// published returns a frame of a published scene, and a twentieth of its mean edge.
func published(b *testing.B, file string) (m *mesh.Mesh, x []float64, d float64) {
	b.Helper()
	dir := os.Getenv("CCD_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	file = filepath.Join(dir, "scenes", file)
	if _, err := os.Stat(file); err != nil {
		b.Skipf("no %s: set CCD_DATA", file)
	}
	s, err := meshfile.Read(file)
	if err != nil {
		b.Fatal(err)
	}
	if m, err = s.Mesh(); err != nil {
		b.Fatal(err)
	}
	for _, e := range m.Edges {
		v := geom.Sub3((*vec)(s.Vertices[3*e[0]:]), (*vec)(s.Vertices[3*e[1]:]))
		d += math.Sqrt(geom.Dot3(&v, &v))
	}
	return m, s.Vertices, d / float64(20*len(m.Edges))
}

// BenchmarkScenes is bench's table of near pairs without its peer.
func BenchmarkScenes(b *testing.B) {
	for name, file := range map[string]string{
		"armadillo0": "armadillo-rollers/frames/326.ply", "armadillo1": "armadillo-rollers/frames/327.ply",
		"ball0": "cloth-ball/frames/cloth_ball92.ply", "ball1": "cloth-ball/frames/cloth_ball93.ply",
		"funnel0": "cloth-funnel/frames/227.ply", "funnel1": "cloth-funnel/frames/228.ply",
	} {
		b.Run(name, func(b *testing.B) {
			m, x, d := published(b, file)
			for b.Loop() {
				if _, err := Near(m, x, d, &Options{CallOptions: engine.CallOptions{Threads: 1}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
