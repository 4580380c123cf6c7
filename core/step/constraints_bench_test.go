package step

import (
	"testing"

	"ccd/core/constraint"
)

// BenchmarkContactRows is what a solver makes of 100,000 constraints of cloth-ball.
func BenchmarkContactRows(b *testing.B) {
	s := dataScenes[2].load(b)
	set, err := ActiveSet(s.m, s.x0, s.x1, nil)
	if err != nil || len(set) < 100000 {
		b.Fatalf("%d constraints, error %v", len(set), err)
	}
	set = set[:100000]
	rows, columns, values := make([]int32, 3*len(set)+1), make([]int32, 36*len(set)), make([]float64, 36*len(set))
	mass, out, normals, colors := make([]float64, s.m.NV), make([]float64, 6*len(set)),
		make([]float64, 0, 3*len(set)), make([]int32, len(set))
	for i := range mass {
		mass[i] = 1
	}
	for i := range set {
		normals = append(normals, set[i].Normal[:]...)
	}
	count := 0
	for _, k := range []struct {
		name string
		call func() error
	}{
		{"normal", func() error {
			return constraint.Jacobian(set, s.m.NV, constraint.NormalFrame, rows[:len(set)+1], columns, values)
		}},
		{"contact", func() error {
			return constraint.Jacobian(set, s.m.NV, constraint.ContactFrame, rows, columns,
				values)
		}},
		{"tangents", func() error { return constraint.Tangents(normals, out) }},
		{"mass", func() error { return constraint.EffectiveMass(set, mass, out[:len(set)]) }},
		{"colors", func() (err error) { count, err = constraint.Colors(set, s.m.NV, mass, colors); return err }},
	} {
		b.Run(k.name, func(b *testing.B) {
			c := cpu()
			for b.Loop() {
				if err := k.call(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((cpu()-c)/float64(b.N), "cpu-ms")
			b.ReportMetric(float64(count), "colors")
		})
	}
}
