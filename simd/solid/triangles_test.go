package solid

import (
	"math"
	"math/rand"
	"testing"

	"ccd/simd/internal/checks"
)

// someTriangles draws two triangles, some of them edges or points, some alike.
func someTriangles(r *rand.Rand) (a, b [9]float64) {
	size := math.Ldexp(1, -r.Intn(12))
	for i := range 9 {
		a[i], b[i] = size*r.NormFloat64(), size*r.NormFloat64()
	}
	switch r.Intn(8) {
	case 0:
		copy(a[3:6], a[:3])
	case 1:
		copy(b[3:], b[:6])
		copy(b[6:], b[:3])
	case 2:
		b = a
	case 3: // Both triangles lie in one plane.
		a[2], a[5], a[8], b[2], b[5], b[8] = 0, 0, 0, 0, 0, 0
	case 4:
		copy(b[3:6], a[6:9])
	}
	return a, b
}

func someTurn(r *rand.Rand) *Turn {
	x, y, _ := someAxes(r)
	t := &Turn{N0: [3]float64{x.X, x.Y, x.Z}, Goal: 1e-10, VLess: 1e-13, KMore: 1e-13, KA: r.Float64(), KB: r.Float64(),
		Span: r.Float64()}
	if r.Intn(2) == 0 {
		t.N1 = [3]float64{y.X, y.Y, y.Z}
	}
	if r.Intn(6) == 0 {
		t.KA, t.KB, t.KMore, t.VLess = 0, 0, 0, 0
	}
	return t
}

// TestTrianglesSameBits: all levels give the same bits, in every row, and the same times.
func TestTrianglesSameBits(t *testing.T) {
	r := rand.New(rand.NewSource(73))
	faces, edges, kept, spans := 0, 0, 0, 0
	for n := range 20000 {
		m := someMotions(r)
		if n%3 == 0 { // near each other
			for lane := 2; lane < 4; lane++ {
				m[MotionX][lane], m[MotionX+1][lane], m[MotionX+2][lane] = 0, 0.01, 0
			}
		}
		a, b := someTriangles(r)
		turn := someTurn(r)
		var want, got Triangles
		placeTrianglesGeneric(m, &a, &b, &want)
		time := keepTrianglesGeneric(&want, turn)
		checks.AtLevels(t, func(level string) {
			PlaceTriangles(m, &a, &b, &got)
			for row := range want {
				for k := range want[row] {
					x, y := want[row][k], got[row][k]
					if math.Float64bits(x) != math.Float64bits(y) && !(math.IsNaN(x) && math.IsNaN(y)) {
						t.Fatalf("%s, case %d: row %d, column %d is %v, want %v", level, n, row, k, y, x)
					}
				}
			}
			if x := KeepTriangles(&want, turn); math.Float64bits(x) != math.Float64bits(time) {
				t.Fatalf("%s, case %d: kept for %v, want %v", level, n, x, time)
			}
		})
		if min(want[TriangleCorner][0], want[TriangleCorner][1]) < math.Inf(1) {
			faces++
		}
		if want[EdgesShift][0] > 0 {
			edges++
		}
		switch {
		case time == turn.Span:
			spans++
		case time > 0:
			kept++
		}
	}
	t.Logf("%d corners over faces, %d shifted edges, %d times within the span, %d to its end",
		faces, edges, kept, spans)
	if min(faces, edges, kept, spans) < 1000 {
		t.Error("too one-sided")
	}
}

func BenchmarkTriangles(b *testing.B) {
	r := rand.New(rand.NewSource(74))
	m, turn := someMotions(r), someTurn(r)
	x, y := someTriangles(r)
	checks.AtLevels(b, func(level string) {
		b.Run("place/"+level, func(b *testing.B) {
			var out Triangles
			for b.Loop() {
				PlaceTriangles(m, &x, &y, &out)
			}
		})
		b.Run("keep/"+level, func(b *testing.B) {
			var out Triangles
			PlaceTriangles(m, &x, &y, &out)
			for b.Loop() {
				KeepTriangles(&out, turn)
			}
		})
	})
}
