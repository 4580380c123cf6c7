package mesh

import "testing"

func BenchmarkNew(b *testing.B) {
	const n = 150 // The mesh is a square of n x n vertices.
	var faces []int32
	for v := range int32(n * n) {
		if v >= n && v%n > 0 {
			faces = append(faces, v, v-1, v-1-n, v, v-1-n, v-n)
		}
	}
	for b.Loop() {
		if _, err := New(n*n, nil, faces); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(faces)/3), "ns/face")
}
