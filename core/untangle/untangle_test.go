package untangle_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/untangle"
)

// object is a part of a mesh.
type object struct {
	x     []float64
	faces []int32
}

// cloth is a square of n x n cells of side 1 / n in the plane z = 0, its corner at the origin.
func cloth(n int) (o object) {
	for i := range n + 1 {
		for j := range n + 1 {
			o.x = append(o.x, float64(i)/float64(n), float64(j)/float64(n), 0)
		}
	}
	for i := range n {
		for j := range n {
			a := int32(i*(n+1) + j)
			b := a + int32(n+1)
			o.faces = append(o.faces, a, b, b+1, a, b+1, a+1)
		}
	}
	return o
}

// ball is a sphere of radius 1 about the origin: a cube of n x n cells a side, moved outward.
func ball(n int) (o object) {
	number := map[[3]int]int32{}
	at := func(p [3]int) int32 {
		v, ok := number[p]
		if !ok {
			v = int32(len(number))
			number[p] = v
			var q [3]float64
			size := 0.0
			for k := range q {
				q[k] = float64(2*p[k])/float64(n) - 1
				size += q[k] * q[k]
			}
			for _, c := range q {
				o.x = append(o.x, c/math.Sqrt(size))
			}
		}
		return v
	}
	for k := range 3 {
		for side := range 2 {
			for i := range n {
				for j := range n {
					var q [4]int32
					for m, s := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
						var p [3]int
						p[k], p[(k+1)%3], p[(k+2)%3] = side*n, i+s[0], j+s[1]
						q[m] = at(p)
					}
					if side == 0 {
						q[1], q[3] = q[3], q[1]
					}
					o.faces = append(o.faces, q[0], q[1], q[2], q[0], q[2], q[3])
				}
			}
		}
	}
	return o
}

// placed returns an object scaled and shifted.
func (o object) placed(scale float64, shift ...float64) object {
	x := slices.Clone(o.x)
	for i := range x {
		x[i] = scale*x[i] + shift[i%3]
	}
	return object{x, o.faces}
}

// box is a cuboid from the origin to a corner.
func box(size ...float64) (o object) {
	o = ball(1)
	for i, c := range o.x {
		o.x[i] = 0
		if c > 0 {
			o.x[i] = size[i%3]
		}
	}
	return o
}

func join(t *testing.T, objects ...object) (*mesh.Mesh, []float64) {
	t.Helper()
	var x []float64
	var faces []int32
	for _, o := range objects {
		for _, v := range o.faces {
			faces = append(faces, v+int32(len(x)/3))
		}
		x = append(x, o.x...)
	}
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// run untangles and checks what must hold of any result: clean is what the exact check says, counts
// are right, fixed vertices stay, and the bits do not depend on threads.
func run(t *testing.T, name string, m *mesh.Mesh, x, masses []float64, rounds int) (untangle.Result, []float64) {
	t.Helper()
	y := make([]float64, len(x))
	r, err := untangle.Untangle(m, x, masses, rounds, nil, y)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for k, p := range [][]float64{x, y} {
		list, err := proximity.Intersections(m, p, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want := [2]int64{r.Before, r.After}[k]; int64(len(list)) != want {
			t.Errorf("%s: %d intersections, not %d", name, len(list), want)
		}
	}
	if r.Clean == 1 != (r.After == 0) || r.After > r.Before {
		t.Errorf("%s: %+v", name, r)
	}
	for v := range masses {
		if math.IsInf(masses[v], 1) && !slices.Equal(x[3*v:3*v+3], y[3*v:3*v+3]) {
			t.Errorf("%s: fixed vertex %d moved", name, v)
		}
	}
	z := make([]float64, len(x))
	o := proximity.Options{CallOptions: engine.CallOptions{Threads: 3}}
	if again, err := untangle.Untangle(m, x, masses, rounds, &o, z); err != nil || again != r || !slices.Equal(y, z) {
		t.Errorf("%s: with 3 threads %+v, %v; with the default %+v", name, again, err, r)
	}
	return r, y
}

func fixed(n, from, to int) []float64 {
	masses := make([]float64, n)
	for v := range masses {
		masses[v] = 1
		if v >= from && v < to {
			masses[v] = math.Inf(1)
		}
	}
	return masses
}

// Starts that cross as users report them become clean, and by moves of about the depth.
func TestUntangle(t *testing.T) {
	for _, c := range []struct {
		name     string
		objects  []object
		masses   func(n int) []float64
		farthest float64
	}{
		{"boxes by a face", []object{box(1, 1, 1), box(1, 1, 1).placed(1, .9, .05, .03)}, nil, .06},
		{"boxes in one line", []object{box(1, 1, 1), box(1, 1, 1).placed(1, .9, 0, 0)}, nil, .06},
		{"balls", []object{ball(6), ball(6).placed(1, 1.8, .1, .2)}, nil, .2},
		{"a ball in a fixed cloth", []object{cloth(12), ball(5).placed(.2, .5, .5, .19)},
			func(n int) []float64 { return fixed(n, 0, 13*13) }, .1},
		{"a cloth on a fixed ball", []object{cloth(16), ball(6).placed(.25, .5, .5, -.245)},
			func(n int) []float64 { return fixed(n, 17*17, n) }, .1},
		{"sheets that cross at a side", []object{cloth(8), tilted(8, .02)}, nil, .2},
		{"a needle through a cloth", []object{cloth(8), needle(.05)}, nil, .2},
	} {
		m, x := join(t, c.objects...)
		var masses []float64
		if c.masses != nil {
			masses = c.masses(m.NV)
		}
		r, _ := run(t, c.name, m, x, masses, 0)
		if r.Clean != 1 || r.Before == 0 || r.Farthest > c.farthest {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// tilted is a cloth whose plane crosses z = 0 a little below one side.
func tilted(n int, down float64) object {
	o := cloth(n).placed(1, .013, .017, 0)
	for i := 0; i < len(o.x); i += 3 {
		o.x[i+2] = .3*o.x[i] - down
	}
	return o
}

// needle is a tetrahedron whose tip is a depth below z = 0.
func needle(deep float64) object {
	return object{[]float64{.51, .52, -deep, .4, .4, .5, .6, .4, .5, .5, .6, .5},
		[]int32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}}
}

// What cannot be untangled is not called clean: everything is fixed.
func TestUntangleSaysThatItFailed(t *testing.T) {
	m, x := join(t, box(1, 1, 1), box(1, 1, 1).placed(1, .9, .05, .03))
	r, y := run(t, "fixed", m, x, fixed(m.NV, 0, m.NV), 0)
	if r.Clean != 0 || r.Moved != 0 || !slices.Equal(x, y) {
		t.Errorf("%+v", r)
	}
	if err := m.SetStatic(slices.Repeat([]bool{true, false}, m.NV/2)); err != nil {
		t.Fatal(err)
	}
	_, y = run(t, "static", m, x, nil, 3)
	for v := 0; v < m.NV; v += 2 {
		if !slices.Equal(x[3*v:3*v+3], y[3*v:3*v+3]) {
			t.Errorf("static vertex %d moved", v)
		}
	}
}

// Sizes at which products overflow or underflow end with an answer, and what is clean is.
func TestUntangleAtExtremeSizes(t *testing.T) {
	for _, size := range []float64{1e140, 1e70, 1e-70, 1e-160, 5e-324} {
		m, x := join(t, box(1, 1, 1).placed(size, 0, 0, 0), box(1, 1, 1).placed(size, .9*size, .05*size, .03*size),
			needle(.05).placed(size, 0, 0, 0))
		run(t, "extreme", m, x, nil, 5)
	}
}

// A clean start is copied, bit for bit. Masses share the way.
func TestUntangleMasses(t *testing.T) {
	m, x := join(t, box(1, 1, 1), box(1, 1, 1).placed(1, 1.5, 0, 0))
	if r, y := run(t, "clean", m, x, nil, 0); r.Clean != 1 || r.Rounds != 0 || r.Moved != 0 || !slices.Equal(x, y) {
		t.Errorf("clean: %+v", r)
	}
	m, x = join(t, box(1, 1, 1), box(1, 1, 1).placed(1, .9, .05, .03))
	masses := make([]float64, m.NV)
	for v := range masses {
		masses[v] = 1
		if v >= 8 {
			masses[v] = 3
		}
	}
	_, y := run(t, "masses", m, x, masses, 0)
	if light, heavy := math.Abs(y[0]-x[0]), math.Abs(y[24]-x[24]); math.Abs(light-3*heavy) > 1e-12 || heavy == 0 {
		t.Errorf("ways %v and %v", light, heavy)
	}
}

// Random overlaps: whatever comes out, the laws hold.
func TestUntangleLawU2(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 6))
	clean := 0
	for range long.Part(12, 3) {
		m, x := join(t, cloth(6).placed(2, -1, -1, 0),
			ball(3).placed(.5, rnd.Float64()-.5, rnd.Float64()-.5, .9*rnd.Float64()-.45),
			ball(2).placed(.4, rnd.Float64()-.5, rnd.Float64()-.5, .3))
		if r, _ := run(t, "random", m, x, nil, 20); r.Clean == 1 {
			clean++
		}
	}
	if clean < long.Part(6, 3) {
		t.Errorf("only %d of %d are clean", clean, long.Part(12, 3))
	}
}

// Law U1: crossings are the intersections, grouped: objects are components, depths those of edges.
func TestCrossingsLawU1(t *testing.T) {
	m, x := join(t, box(1, 1, 1), box(1, 1, 1).placed(1, .875, .25, .25), box(1, 1, 1).placed(1, 5, 5, 5), needle(.05),
		cloth(4).placed(1, 0, 0, -.01))
	found, err := untangle.Crossings(m, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := proximity.Intersections(m, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	component := m.Components()
	for i, c := range found {
		total += c.Pairs
		if i > 0 && !(found[i-1].A < c.A || found[i-1].A == c.A && found[i-1].B < c.B) {
			t.Errorf("order: %+v", found)
		}
		for _, v := range [2]int64{c.A, c.B} {
			if v > 0 && component[v] == component[v-1] {
				t.Errorf("%d is not the least vertex of its component", v)
			}
		}
	}
	if total != int64(len(list)) || len(found) < 3 {
		t.Errorf("%d pairs in %+v, not %d", total, found, len(list))
	}
	if c := found[0]; c.A != 0 || c.B != 8 || math.Abs(c.Depth-.25) > 1e-15 {
		t.Errorf("boxes: %+v", c)
	}
	m, x = join(t, box(1, 1, 1), box(1, 1, 1).placed(1, 3, 0, 0))
	if found, err = untangle.Crossings(m, x, nil); err != nil || len(found) != 0 {
		t.Errorf("apart: %+v, %v", found, err)
	}
}

func TestUntangleErrors(t *testing.T) {
	m, x := join(t, box(1, 1, 1))
	y := make([]float64, len(x))
	masses := fixed(m.NV, 0, 0)
	masses[3] = 0
	for _, c := range []struct {
		text   string
		masses []float64
		x, y   []float64
		rounds int
	}{
		{"masses[3] is 0", masses, x, y, 0}, {"masses has 1 values", masses[:1], x, y, 0},
		{"rounds is -1", nil, x, y, -1}, {"out has 3 coordinates", nil, x, y[:3], 0},
		{"x has 3 coordinates", nil, x[:3], y, 0},
	} {
		_, err := untangle.Untangle(m, c.x, c.masses, c.rounds, nil, c.y)
		if err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v, not %q", err, c.text)
		}
	}
	x[4] = math.NaN()
	if _, err := untangle.Untangle(m, x, nil, 0, nil, y); err == nil || !strings.Contains(err.Error(), "x[1][1]") {
		t.Errorf("NaN: %v", err)
	}
}
