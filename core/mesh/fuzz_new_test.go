package mesh

import (
	"errors"
	"testing"

	"ccd/core/status"
)

// New never panics, and what it accepts is a mesh.
func FuzzNew(f *testing.F) {
	f.Add(4, []byte{0, 1, 2, 1, 0, 3}, []byte{}, false)
	f.Add(4, []byte{0, 1, 2}, []byte{0, 1, 1, 2, 2, 0, 0, 3}, true)
	f.Fuzz(func(t *testing.T, vertices int, faces, edges []byte, given bool) {
		if vertices > 1<<16 {
			vertices %= 1 << 16
		}
		flat := func(b []byte) []int32 {
			s := []int32{}
			for _, x := range b {
				s = append(s, int32(int8(x)))
			}
			return s
		}
		var e []int32
		if given {
			e = flat(edges)
		}
		m, err := New(vertices, e, flat(faces))
		if err != nil {
			if m != nil || !errors.Is(err, status.ErrIndex) && !errors.Is(err, status.ErrArgument) {
				t.Fatalf("%v, %v", m, err)
			}
			return
		}
		if len(m.FaceEdges) != len(m.Faces) || len(m.Components()) != vertices {
			t.Fatalf("%+v", m)
		}
	})
}
