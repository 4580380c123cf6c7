package mesh

import (
	"ccd/core/status"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// fuzzSurface feeds a reader from the files of the formats whose name begins so. Nothing may panic, and what is read is sound
// and no larger than the file can account for.
func fuzzSurface(f *testing.F, format string, more ...string) {
	s := sample(rand.New(rand.NewPCG(17, 18)), 5)
	s.Edges = [][2]int32{{0, 4}}
	for name, write := range writers {
		if strings.HasPrefix(name, format) {
			f.Add(write(s))
		}
	}
	for _, m := range more {
		f.Add([]byte(m))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(data)
		if err != nil {
			if !errors.Is(err, status.ErrFile) || s != nil {
				t.Fatalf("%v, %v", s, err)
			}
			return
		}
		n := len(s.Vertices) / 3
		if n+len(s.Faces)+len(s.Edges) > len(data) {
			t.Fatalf("%d bytes hold %d vertices, %d edges, %d faces", len(data), n, len(s.Edges), len(s.Faces))
		}
		for _, x := range s.Vertices {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("coordinate %v", x)
			}
		}
		for _, face := range s.Faces {
			for _, v := range face {
				if v < 0 || int(v) >= n {
					t.Fatalf("face %v of %d vertices", face, n)
				}
			}
		}
		for _, e := range s.Edges {
			if min(e[0], e[1]) < 0 || int(max(e[0], e[1])) >= n {
				t.Fatalf("edge %v of %d vertices", e, n)
			}
		}
		if m, err := s.Mesh(); (m == nil) == (err == nil) || err != nil && !errors.Is(err, status.ErrIndex) {
			t.Fatalf("mesh %v, %v", m, err)
		}
	})
}

func FuzzOBJ(f *testing.F) { fuzzSurface(f, "obj", "v 1 2 3\nl -1 \\\n 1 1\n") }
func FuzzPLY(f *testing.F) {
	fuzzSurface(f, "ply", "ply\nformat ascii 1.0\nelement nothing 9999999999\nelement vertex 0\nproperty int x\nproperty int y\nproperty int z\nend_header\n")
}
func FuzzSTL(f *testing.F) { fuzzSurface(f, "stl", "solid\nendsolid") }
func FuzzOFF(f *testing.F) {
	fuzzSurface(f, "off", "STCNOFF 1 1 1\n0 0 0\n1 0", "OFF 2 1\n0 0 0\n1 1 1\n2 0 1\n")
}

func FuzzQueries(f *testing.F) {
	f.Add([]byte(strings.Repeat("1,2,-3,4,50000000000000000000,10000000000000000000,1\n", 8)))
	f.Add([]byte(strings.Repeat("0,1,0,-1,-0,1\r", 16)))
	f.Fuzz(func(t *testing.T, data []byte) {
		q, err := DecodeQueries(data)
		if err != nil {
			if !errors.Is(err, status.ErrFile) || q != nil {
				t.Fatalf("%v, %v", q, err)
			}
			return
		}
		if len(q.Q) != 24*q.Len() || q.Truth != nil && len(q.Truth) != q.Len() {
			t.Fatalf("%d numbers, %d truths", len(q.Q), len(q.Truth))
		}
		for _, x := range q.Q {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("coordinate %v", x)
			}
		}
	})
}

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
