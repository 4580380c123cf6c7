package meshfile

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// rationalOrientation is orientation in rational numbers.
func rationalOrientation(a, b, c [2]float64) int {
	q := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	sub := func(x, y float64) *big.Rat { return new(big.Rat).Sub(q(x), q(y)) }
	l := new(big.Rat).Mul(sub(b[0], a[0]), sub(c[1], a[1]))
	return l.Cmp(new(big.Rat).Mul(sub(b[1], a[1]), sub(c[0], a[0])))
}

// hardNumber returns a double of the kinds that mislead: small integers, neighbors of them, the
// largest, the smallest.
func hardNumber(r *rand.Rand) float64 {
	x := float64(r.IntN(9) - 4)
	switch r.IntN(6) {
	case 0:
		x += math.Ldexp(float64(r.IntN(9)-4), -52)
	case 1:
		x = math.Ldexp(x, 300-r.IntN(1300))
	case 2:
		x = math.Ldexp(x, 1000)
	case 3:
		x = r.Float64()
	}
	return x
}

func TestOrientationIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	zeros := 0
	for range 20_000 {
		var p [3][2]float64
		for i := range p {
			p[i] = [2]float64{hardNumber(r), hardNumber(r)}
		}
		if r.IntN(3) == 0 { // nearly on a line
			f := float64(r.IntN(5)) / 4
			p[2] = [2]float64{p[0][0] + f*(p[1][0]-p[0][0]), p[0][1] + f*(p[1][1]-p[0][1])}
		}
		want := rationalOrientation(p[0], p[1], p[2])
		if got := orientation(p[0], p[1], p[2]); got != want {
			t.Fatalf("%x: %d, want %d", p, got, want)
		}
		if want == 0 {
			zeros++
		}
	}
	if zeros < 500 {
		t.Errorf("%d of them on a line", zeros)
	}
}

// star returns a simple polygon around 0: its corners are at rising angles, at any distance.
func star(r *rand.Rand, n int) [][2]float64 {
	angles := make([]float64, n)
	for i := range angles {
		angles[i] = 2 * math.Pi * (float64(i) + 0.9*r.Float64()) / float64(n)
	}
	p := make([][2]float64, n)
	for i, a := range angles {
		d := 0.2 + r.Float64()
		p[i] = [2]float64{math.Round(64*d*math.Cos(a)) / 64, math.Round(64*d*math.Sin(a)) / 64}
	}
	return p
}

// lift places a polygon in space, nearly in a plane, and returns its corners in a surface, some of
// them unused before.
func lift(r *rand.Rand, p [][2]float64, turn bool) (x []float64, corners []int32) {
	plane := [2][3]float64{{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()},
		{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}}
	x = []float64{9, 9, 9}
	for i, q := range p {
		for k := range 3 {
			x = append(x, q[0]*plane[0][k]+q[1]*plane[1][k])
		}
		corners = append(corners, int32(i+1))
	}
	if turn {
		slices.Reverse(corners)
	}
	return x, corners
}

// checkCut compares triangles with the polygon: each side is the side of one triangle, in its
// direction, each other side is in two triangles, in both directions, and the areas in the
// polygon's own plane all have one sign and add up.
func checkCut(t *testing.T, p [][2]float64, turned bool, faces [][3]int32) {
	t.Helper()
	if len(faces) != len(p)-2 {
		t.Fatalf("%d triangles of %d corners", len(faces), len(p))
	}
	area := func(points ...[2]float64) (sum float64) {
		for i, a := range points {
			b := points[(i+1)%len(points)]
			sum += (a[0]*b[1] - a[1]*b[0]) / 2
		}
		return sum
	}
	sum, sides := 0.0, make(map[[2]int32]int)
	for _, f := range faces {
		one := area(p[f[0]-1], p[f[1]-1], p[f[2]-1])
		if turned {
			one = -one
		}
		if one < -1e-12 {
			t.Fatalf("triangle %v has the area %v", f, one)
		}
		sum += one
		for k := range 3 {
			sides[[2]int32{f[k], f[(k+1)%3]}]++
		}
	}
	if whole := area(p...); math.Abs(sum-whole) > 1e-9*whole {
		t.Fatalf("area %v, of %v", sum, whole)
	}
	n := int32(len(p))
	for side, k := range sides {
		a, b := side[0], side[1]
		if turned {
			a, b = b, a
		}
		own := a%n+1 == b
		if back := sides[[2]int32{side[1], side[0]}]; k != 1 || own && back != 0 || !own && back != 1 {
			t.Fatalf("side %v of %d corners: %d times, back %d times", side, n, k, back)
		}
	}
}

func TestConcavePolygonsAreCoveredOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	concave := 0
	for range 400 {
		p := star(r, 4+r.IntN(12))
		turned := r.IntN(2) == 0
		x, corners := lift(r, p, turned)
		s := &Surface{Vertices: x}
		r2 := new(ring)
		r2.take(corners)
		r2.project(x)
		if r2.crosses() { // rounding may fold a narrow one
			continue
		} else if !r2.convex() {
			concave++
		}
		if err := s.polygon(corners); err != nil || len(s.LeftOut) > 0 {
			t.Fatalf("%v: %v, %v", p, err, s.LeftOut)
		}
		checkCut(t, p, turned, s.Faces)
	}
	if concave < 200 {
		t.Errorf("%d polygons are concave", concave)
	}
}

// Special polygons: corners on a line, a hole joined by a cut, a comb of the most corners, one
// convex polygon of many more.
func TestSpecialPolygons(t *testing.T) {
	var comb, circle [][2]float64
	for i := range mostEars / 2 {
		comb = append(comb, [2]float64{float64(i), 0})
	}
	for i := range mostEars / 2 {
		comb = append(comb, [2]float64{float64(mostEars/2 - 1 - i), 1 + float64(i%2)*9})
	}
	for i := range 3 * mostEars {
		a := 2 * math.Pi * float64(i) / float64(3*mostEars)
		circle = append(circle, [2]float64{math.Cos(a), math.Sin(a)})
	}
	for name, p := range map[string][][2]float64{
		"L":      {{0, 2}, {0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}},
		"line":   {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 3}, {2, 2}, {1, 1}},
		"arrow":  {{0, 0}, {4, 4}, {0, 1}, {-4, 4}},
		"comb":   comb,
		"circle": circle,
	} {
		x, corners := lift(rand.New(rand.NewPCG(11, 12)), p, false)
		// The polygon lies in the plane of two axes itself, where its lines stay lines.
		for k := 0; k < len(x); k += 3 {
			if k > 0 {
				x[k], x[k+1], x[k+2] = p[k/3-1][0], 5, -p[k/3-1][1]
			}
		}
		s := &Surface{Vertices: x}
		if err := s.polygon(corners); err != nil || len(s.LeftOut) > 0 {
			t.Fatalf("%s: %v, %v", name, err, s.LeftOut)
		}
		checkCut(t, p, false, s.Faces)
	}
	hole := [][2]float64{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {3, 3}, {3, 6}, {6, 6}, {6, 3}, {3, 3}}
	file := "OFF 10 1 0\n"
	for _, p := range hole {
		file += fmt.Sprintln(p[0], p[1], 0)
	}
	s, err := Decode([]byte(file + "10 0 1 2 3 4 5 6 7 8 9\n"))
	if err != nil || len(s.LeftOut) > 0 || len(s.Faces) != 8 {
		t.Fatalf("a hole: %+v, %v", s, err)
	}
	sum := 0.0
	for _, f := range s.Faces {
		a, b, c := hole[f[0]], hole[f[1]], hole[f[2]]
		sum += ((b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])) / 2
	}
	if sum != 72 {
		t.Errorf("a hole: area %v of 72", sum)
	}
}

func TestPolygonsThatCrossThemselvesAreCounted(t *testing.T) {
	for file, want := range map[string]map[string]int{
		"v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n":                        {crossedPolygons: 1},
		"v 0 0 0\nv 4 0 0\nv 5 3 0\nv 2 5 0\nv -1 3 0\nf 1 2 3 4 5\nf 1 3 5 2 4": {crossedPolygons: 1},
		"v 0 0 0\nv 1 2 0\nv 0 0 0\nv 0 -16 0\nf 4 3 2 1\n":                      {crossedPolygons: 1},
		"f 1 1 2 2 3 3 1\nv 0 0 0\nv 2 0 0\nv 1 2 0\n":                           {},
		"f 1 1 2 2 1 1\nf 1 1 1\nf 1 2 3\nv 0 0 0\nv 2 0 0\nv 1 2 0\n":           {facesRepeating: 2},
	} {
		s, err := Decode([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		if got := leftOut(&s.Beside); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: %v, want %v", file, got, want)
		}
	}
	many := "OFF 2001 1 0\n"
	for i := range 2001 {
		many += fmt.Sprintln(i, i*i%7, 0)
	}
	many += "2001"
	for i := range 2001 {
		many += fmt.Sprint(" ", i)
	}
	if _, err := Decode([]byte(many)); err == nil ||
		err.Error() != "line 2003: a polygon of 2001 corners that is not convex: at most 1000 are cut; split it into "+
			"triangles" {
		t.Errorf("a large concave polygon: %v", err)
	}
}

// Faces may come before their vertices, and keep their order.
func TestPolygonsBeforeTheirVertices(t *testing.T) {
	vertices := "v 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\n"
	faces := "f 1 2 3\nf 1 2 3 4 5 6\nf 3 4 5\nf 6 5 4 3\n"
	a, err := Decode([]byte(vertices + faces))
	if err != nil {
		t.Fatal(err)
	}
	for k := range len(vertices) / 8 {
		b, err := Decode([]byte(vertices[:8*k] + faces + vertices[8*k:]))
		if err != nil || !slices.Equal(a.Faces, b.Faces) {
			t.Errorf("after %d vertices: %v, %v, want %v", k, b, err, a.Faces)
		}
	}
}

// Cut gives the triangles of the readers for many polygons at once.
func TestCut(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var x []float64
	var corners, sizes []int32
	s, crossed := &Surface{}, 0
	for range 60 {
		p := star(r, 3+r.IntN(9))
		if r.IntN(4) == 0 {
			r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		}
		at, mine := lift(r, p, r.IntN(2) == 0)
		for i := range mine {
			mine[i] += int32(len(x) / 3)
		}
		x, corners, sizes = append(x, at...), append(corners, mine...), append(sizes, int32(len(mine)))
		s.Vertices = x
		if err := s.polygon(mine); err != nil {
			t.Fatal(err)
		}
	}
	for _, left := range s.LeftOut {
		crossed += left.Count
	}
	triangles, n, err := Cut(x, corners, sizes)
	if err != nil || !slices.Equal(triangles, s.Faces) || n != crossed || crossed < 3 {
		t.Errorf("%d triangles, %d crossed, %v: the readers have %d, %d", len(triangles), n, err, len(s.Faces), crossed)
	}
	if len(triangles) != len(corners)-2*len(sizes) {
		t.Errorf("%d triangles of %d corners of %d polygons", len(triangles), len(corners), len(sizes))
	}
	for _, wrong := range []struct {
		corners, sizes []int32
		text           string
	}{
		{[]int32{0, 1}, []int32{2}, "sizes[0] is 2"},
		{[]int32{0, 1, 2}, []int32{4}, "corners has 3 items: sizes wants more"},
		{[]int32{0, 1, 2, 3}, []int32{3}, "corners has 4 items: sizes wants 3"},
		{[]int32{0, 1, 2, 0, 1, -1}, []int32{3, 3}, "corners[5] is -1: out of range"},
		{[]int32{0, 1, 1}, []int32{3}, "corners[2] is 1, as the corner before it"},
		{[]int32{0, 1, 2, 0}, []int32{4}, "corners[0] is 0, as the corner before it"},
	} {
		if _, _, err := Cut(x, wrong.corners, wrong.sizes); err == nil || !strings.Contains(err.Error(), wrong.text) {
			t.Errorf("%v of %v: %v", wrong.corners, wrong.sizes, err)
		}
	}
}
