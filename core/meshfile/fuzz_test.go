package meshfile

import (
	"ccd/core/status"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// checkRemarks checks what a reader says of a file with so many vertices.
func checkRemarks(t *testing.T, b *Beside, vertices int) {
	t.Helper()
	for _, l := range b.LeftOut {
		if l.Count < 1 || l.What == "" || b.count(l.What) != l.Count {
			t.Fatalf("left out %v", b.LeftOut)
		}
	}
	for _, f := range b.Fields {
		if f.Name == "" || f.Components < 1 || len(f.Values) != vertices*f.Components || b.field(f.Name) == nil {
			t.Fatalf("field %q of %d times %d numbers: %d", f.Name, vertices, f.Components, len(f.Values))
		}
	}
}

// FuzzPolygon cuts polygons with corners at small integers. The triangles turn as the polygon does,
// and their sides are its sides and others that cancel, so as many triangles cover a point as the
// polygon goes around it: a simple one is covered once, and nothing else is.
func FuzzPolygon(f *testing.F) {
	f.Add([]byte{0, 2, 0, 0, 2, 0, 2, 1, 1, 1, 1, 2}, false)
	f.Add([]byte{0, 0, 9, 0, 9, 9, 0, 9, 0, 0, 3, 3, 3, 6, 6, 6, 6, 3, 3, 3}, true)
	f.Add([]byte{0, 0, 4, 4, 4, 0, 0, 4}, false)
	f.Add([]byte{48, 48, 49, 50, 48, 48, 48, 32}, true) // it turns back at two corners
	f.Add([]byte{0, 0, 1, 0, 2, 0, 3, 0, 3, 3, 2, 2, 1, 1}, true)
	f.Fuzz(func(t *testing.T, at []byte, turned bool) {
		n := len(at) / 2
		if n < 4 || n > 60 {
			return
		}
		s := new(Surface)
		var corners []int32
		for i := range n {
			s.Vertices = append(s.Vertices, float64(int8(at[2*i])), float64(int8(at[2*i+1])), 0)
			corners = append(corners, int32(i))
		}
		if turned {
			slices.Reverse(corners)
		}
		if err := s.polygon(corners); err != nil || len(s.Faces) != n-2 {
			t.Fatalf("%v: %v, %v", at, s.Faces, err)
		}
		area := func(list ...int32) (twice int64) {
			for i, a := range list {
				b := list[(i+1)%len(list)]
				twice += int64(s.Vertices[3*a])*int64(s.Vertices[3*b+1]) -
					int64(s.Vertices[3*a+1])*int64(s.Vertices[3*b])
			}
			return twice
		}
		chain, whole := make(map[[2]int32]int), area(corners...)
		add := func(a, b int32, k int) {
			if a > b {
				a, b, k = b, a, -k
			}
			chain[[2]int32{a, b}] += k
		}
		for i, a := range corners {
			add(a, corners[(i+1)%n], -1)
		}
		for _, f := range s.Faces {
			if one := area(f[:]...); len(s.LeftOut) == 0 && (one < 0) != (whole < 0) && one != 0 {
				t.Fatalf("%v: a triangle %v of area %d, of %d", at, f, one, whole)
			}
			for k := range 3 {
				add(f[k], f[(k+1)%3], 1)
			}
		}
		for side, k := range chain {
			if k != 0 {
				t.Fatalf("%v: side %v: %d", at, side, k)
			}
		}
	})
}

// FuzzOrientation compares with rational numbers.
func FuzzOrientation(f *testing.F) {
	f.Add(0.0, 0.0, 1.0, 1.0, 2.0, 2.0)
	f.Add(0.5, 0.5, 12.0, 12.0, math.Nextafter(24, 25), 24.0)
	f.Add(1e300, -1e300, 5e-324, 0.0, -1e300, 1e300)
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, cx, cy float64) {
		for _, x := range []float64{ax, ay, bx, by, cx, cy} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return
			}
		}
		a, b, c := [2]float64{ax, ay}, [2]float64{bx, by}, [2]float64{cx, cy}
		if got, want := orientation(a, b, c), rationalOrientation(a, b, c); got != want {
			t.Fatalf("%x %x %x: %d, want %d", a, b, c, got, want)
		}
	})
}

// FuzzWeld compares with the slow way. Coordinates are a few units in the last place of the
// largest, 255/128, from each other.
func FuzzWeld(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1, 2, 4, 9, 9, 9}, uint8(1))
	f.Add([]byte{255, 0, 128, 254, 1, 127}, uint8(3))
	f.Fuzz(func(t *testing.T, at []byte, bits uint8) {
		bits %= 10
		x := []float64{1 + 0x1p-52, 0, 0}
		for _, b := range at[:min(len(at), 300)/3*3] {
			x = append(x, math.Ldexp(float64(int8(b)), -52)/2+float64(b&1))
		}
		places, n, err := Weld(x, int(bits))
		want, m := slowWeld(x, (math.Ldexp(1, int(bits))-1)*unitOf(x))
		if err != nil || n != m || !slices.Equal(places, want) {
			t.Fatalf("%v of %d, want %v of %d: %v", places, n, want, m, err)
		}
	})
}

// fuzzSurface feeds a reader from the files of the formats whose name begins so. Nothing may panic,
// and what is read is sound and no larger than the file can account for.
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
		checkRemarks(t, &s.Beside, n)
		if m, err := s.Mesh(); err != nil || len(m.Faces) != len(s.Faces) || m.IgnoresSome() != (len(s.Unused) > 0) {
			t.Fatalf("mesh %v, %v", m, err)
		}
	})
}

func FuzzOBJ(f *testing.F) { fuzzSurface(f, "obj", "v 1 2 3\nl -1 \\\n 1 1\n") }
func FuzzPLY(f *testing.F) {
	fuzzSurface(f, "ply",
		"ply\nformat ascii 1.0\nelement nothing 9999999999\nelement vertex 0\nproperty int x\nproperty int y\n"+
			"property int z\nend_header\n")
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
