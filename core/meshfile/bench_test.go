package meshfile

import "testing"

func BenchmarkRead(b *testing.B) {
	for _, format := range []string{"obj", "off", "stl text", "stl", "ply text", "ply <d"} {
		b.Run(format, func(b *testing.B) {
			data := writers[format](sheet(150))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Decode(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// sheet returns a square of n x n vertices.
func sheet(n int) *Surface {
	s := &Surface{}
	for i := range n {
		for j := range n {
			s.Vertices = append(s.Vertices, float64(i)/8, float64(j)/8, float64(i*j)/64)
			if i > 0 && j > 0 {
				v := int32(i*n + j)
				s.Faces = append(s.Faces, [3]int32{v, v - 1, v - 1 - int32(n)},
					[3]int32{v, v - 1 - int32(n), v - int32(n)})
			}
		}
	}
	return s
}
