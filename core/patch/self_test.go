package patch

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/status"
)

// sheet returns a body of quads on common control points: nu x nv patches of degrees u, v, control
// points at place(i, j).
func sheet(t testing.TB, u, v, nu, nv int, place func(x, y float64) [3]float64) (*Body, []float64) {
	t.Helper()
	mu, mv := nu*u+1, nv*v+1
	var x []float64
	for i := range mu {
		for j := range mv {
			p := place(float64(i)/float64(mu-1), float64(j)/float64(mv-1))
			x = append(x, p[:]...)
		}
	}
	var forms []Form
	var index []int32
	for a := range nu {
		for b := range nv {
			forms = append(forms, Form{Quad, u, v})
			for i := range u + 1 {
				for j := range v + 1 {
					index = append(index, int32((u*a+i)*mv+v*b+j))
				}
			}
		}
	}
	body, err := NewBody(len(x)/3, forms, index, nil)
	if err != nil {
		t.Fatal(err)
	}
	return body, x
}

func selfEarliest(t testing.TB, f *BodyStep, h float64, o *Options) (Impact, Unresolved, Work) {
	t.Helper()
	var s Scene
	im, left, err := s.SelfEarliest(f, h, o)
	if err != nil {
		t.Fatal(err)
	}
	return im, left, s.workers[0].solver.Work
}

// pot returns the turned part of the Utah teapot (M. Newell, 1975): 24 bicubic patches, eight of
// them collapsed to a point at the axis.
func pot(t testing.TB) (*Body, []float64) {
	t.Helper()
	profiles := [6][4][2]float64{
		{{1.4, 2.4}, {1.3375, 2.53125}, {1.4375, 2.53125}, {1.5, 2.4}},
		{{1.5, 2.4}, {1.75, 1.875}, {2, 1.35}, {2, 0.9}},
		{{2, 0.9}, {2, 0.45}, {1.5, 0.225}, {1.5, 0.15}},
		{{0, 3.15}, {0.8, 3.15}, {0, 2.85}, {0.2, 2.7}},
		{{0.2, 2.7}, {0.4, 2.55}, {1.3, 2.55}, {1.3, 2.4}},
		{{1.5, 0.15}, {1.5, 0.075}, {1.425, 0}, {0, 0}},
	}
	ring := [4][2]float64{{1, 0}, {1, 0.56}, {0.56, 1}, {0, 1}}
	var x []float64
	var index []int32
	var forms []Form
	for _, profile := range profiles {
		for k := range 4 {
			c, s := [4]float64{1, 0, -1, 0}[k], [4]float64{0, 1, 0, -1}[k]
			forms = append(forms, Form{Quad, 3, 3})
			for _, p := range profile {
				for _, q := range ring {
					index = append(index, int32(len(x)/3))
					x = append(x, p[0]*(c*q[0]-s*q[1])+0, p[0]*(s*q[0]+c*q[1])+0, p[1])
				}
			}
		}
	}
	body, err := NewBody(len(x)/3, forms, index, nil)
	if err != nil {
		t.Fatal(err)
	}
	return body, x
}

// far moves and scales a step.
func far(x []float64, by, shift float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = by*x[i] + shift*float64(i%3-1)
	}
	return y
}

// Bodies at rest that do not touch themselves are proven not to, and nothing is left out: smooth
// seams, creases, corners where patches meet, collapsed edges, rational patches; far from the
// origin and huge. The separation is smaller than the neighbourhood is wide.
func TestSelfAtRest(t *testing.T) {
	hills := func(x, y float64) float64 { return 0.2 * math.Sin(5*x) * math.Cos(4*y) }
	roof := func(x, y float64) [3]float64 { return [3]float64{x, y, 2 * math.Abs(math.Abs(x-0.5)-0.25)} }
	bodies := map[string]func() (*Body, []float64){
		"sheet":  func() (*Body, []float64) { return grid(t, 4, hills) },
		"roof":   func() (*Body, []float64) { return sheet(t, 1, 3, 4, 2, roof) },
		"torus":  func() (*Body, []float64) { return torus(t, 1, 0.5) },
		"teapot": func() (*Body, []float64) { return pot(t) },
		"nine": func() (*Body, []float64) {
			return sheet(t, 9, 9, 1, 1, func(x, y float64) [3]float64 { return [3]float64{x, y, x * y * y} })
		},
	}
	for name, make := range bodies {
		b, x := make()
		for _, m := range [][2]float64{{1, 0}, {1, 1e6}, {0x1p40, 0}, {0x1p-40, 0}} {
			y := far(x, m[0], m[1])
			z := moved(y, [3]float64{m[0], -m[0], 3 * m[0]})
			for _, d := range []float64{0, 0.0003} {
				o := DefaultOptions()
				o.Tolerance *= m[0]
				o.MinSeparation = d * m[0]
				if im, left, _ := selfEarliest(t, &BodyStep{Body: b, X0: y, X1: z}, 0,
					&o); im.Verdict != geom.Separate || left.Pairs != 0 {
					t.Errorf("%s by %v, separation %v: %v of %d and %d at %v, %+v",
						name, m, d, im.Verdict, im.A, im.B, im.TOILo, left)
				}
			}
		}
	}
}

// A torus whose tube grows until the hole is closed: all of the inner circle comes together at one
// time.
func TestSelfTorusClosesItsHole(t *testing.T) {
	b, x := torus(t, 1, 0.5)
	_, y := torus(t, 1, 1.3)
	const when = 0.5 / 0.8
	for _, m := range [][2]float64{{1, 0}, {1, 1e6}, {0x1p40, 0}} {
		o := DefaultOptions()
		o.Tolerance *= m[0]
		f := &BodyStep{Body: b, X0: far(x, m[0], m[1]), X1: far(y, m[0], m[1])}
		im, left, _ := selfEarliest(t, f, 0, &o)
		if im.Verdict != geom.Contact || im.TOILo > when+1e-9 || im.TOILo < when-1e-5 ||
			math.Hypot(im.Point[0]/m[0]+m[1]/m[0], im.Point[1]/m[0]) > 1e-4 {
			t.Errorf("by %v: %+v", m, im)
		}
		if left.TFrom < when-1e-5 {
			t.Errorf("left out from %v", left.TFrom)
		}
		f.X1 = far(x, m[0], m[1])
		for i := range f.X1 { // up to just before
			f.X1[i] += 0.999 * when * (m[0]*y[i] - m[0]*x[i])
		}
		if im, left, _ = selfEarliest(t, f, 0, &o); im.Verdict != geom.Separate || left.Pairs != 0 {
			t.Errorf("by %v, before: %+v, %+v", m, im, left)
		}
	}
}

// Two pages bound along an edge close like a book. One has a bump, which the other meets away from
// the edge first.
func TestSelfBookCloses(t *testing.T) {
	const high = 0.3
	bump := [4][4]float64{}
	for i := range 4 {
		for _, j := range []int{2} { // height 3 y^2 (1 - y) high, times 4 x (1 - x) raised to degree three
			bump[i][j] = high * []float64{0, 4. / 3, 4. / 3, 0}[i]
		}
	}
	var x0, x1 []float64
	for i := range 4 {
		for j := range 4 {
			p := []float64{float64(i) / 3, float64(j) / 3, bump[i][j]}
			x0, x1 = append(x0, p...), append(x1, p...)
		}
	}
	for i := range 4 { // the flat page turns from upright down through the other
		for j := 1; j < 4; j++ {
			s := float64(j) / 3
			x0, x1 = append(x0, float64(i)/3, 0, s), append(x1, float64(i)/3, s, -0.2*s)
		}
	}
	index := make([]int32, 16)
	for i := range index {
		index[i] = int32(i)
	}
	for i := range int32(4) {
		index = append(index, 4*i, 16+3*i, 17+3*i, 18+3*i)
	}
	b, err := NewBody(28, []Form{{Quad, 3, 3}, {Quad, 3, 3}}, index, nil)
	if err != nil {
		t.Fatal(err)
	}
	// the page is z = m y with m = (1 - 1.2 t) / t; it meets the bump where 3 y (1 - y) high is m,
	// first at y = 1/2 on x = 1/2
	slope := 0.75 * high
	when := 1 / (1.2 + slope)
	for _, h := range []float64{0, 0.125, 0x1p-12} {
		o := DefaultOptions()
		im, left, w := selfEarliest(t, &BodyStep{Body: b, X0: x0, X1: x1}, h, &o)
		if im.Verdict != geom.Contact || im.TOILo > when || im.TOIHi < when-1e-9 || im.TOILo < when-1e-5 ||
			im.A != 0 || im.B != 1 || left.Pairs > 0 {
			t.Errorf("h %v: %+v, not at %v; %+v", h, im, when, left)
		}
		if math.Abs(im.UVA[0]-0.5) > 0.01 || math.Abs(im.UVA[1]-0.5) > 0.01 || w.Checks > 3000 {
			t.Errorf("h %v: at %v and %v after %d checks", h, im.UVA, im.UVB, w.Checks)
		}
	}
}

// One patch of high degree rolls up until its ends meet; with a loop it meets itself in its middle.
func TestSelfOnePatch(t *testing.T) {
	strip := func(profile ...[2]float64) (x []float64) {
		for _, p := range profile {
			x = append(x, p[0], 0, p[1], p[0], 1, p[1])
		}
		return x
	}
	solve := func(h, separation float64, x0, x1 []float64) (Impact, Unresolved) {
		f := Form{Quad, len(x0)/6 - 1, 1}
		index := make([]int32, f.Points())
		for i := range index {
			index[i] = int32(i)
		}
		b, err := NewBody(len(index), []Form{f}, index, nil)
		if err != nil {
			t.Fatal(err)
		}
		o := DefaultOptions()
		o.MinSeparation = separation
		im, left, _ := selfEarliest(t, &BodyStep{Body: b, X0: x0, X1: x1}, h, &o)
		return im, left
	}
	// ends at -e and e, e from 0.5 to -0.3: they meet at 5/8
	open := strip([2]float64{-0.5, 0}, [2]float64{-2, 1}, [2]float64{-1, 3}, [2]float64{1, 3}, [2]float64{2, 1},
		[2]float64{0.5, 0})
	shut := strip([2]float64{0.3, 0}, [2]float64{-2, 1}, [2]float64{-1, 3}, [2]float64{1, 3}, [2]float64{2, 1},
		[2]float64{-0.3, 0})
	im, left := solve(0, 0, open, shut)
	if im.Verdict != geom.Contact || im.TOILo > 0.625+1e-9 || im.TOILo < 0.625-1e-5 || im.A != 0 || im.B != 0 ||
		left.Pairs > 0 {
		t.Errorf("ends: %+v, %+v", im, left)
	}
	if u, v := min(im.UVA[0], im.UVB[0]), max(im.UVA[0], im.UVB[0]); u > 1e-6 || v < 1-1e-6 {
		t.Errorf("ends: at %v and %v", im.UVA, im.UVB)
	}
	// within a separation that is less than an eighth of the strip's width they are as much earlier
	// as it takes
	if im, _ = solve(0.125, 0.05, open, shut); im.Verdict != geom.Contact || im.TOILo > 0.59375+1e-9 ||
		im.TOILo < 0.59375-1e-4 {
		t.Errorf("ends, separation: %+v", im)
	}
	if im, _ = solve(0.125, 0.05, open, open); im.Verdict != geom.Separate {
		t.Errorf("at rest, separation: %+v", im)
	}
	// with 0.5 + a s + b s^3 for x, s from the middle, a = 1.5 (1 - c), b = 4 - 4 a, it has a cusp
	// when c is 1, and then a loop that meets itself at s = -+ sqrt(-a / b)
	loop := func(c float64) []float64 {
		return strip([2]float64{0, 0}, [2]float64{c, 1}, [2]float64{1 - c, 1}, [2]float64{1, 0})
	}
	for _, h := range []float64{0.25, 0.125, Neighbourhood, 0x1p-10} {
		im, left := solve(h, 0, loop(0.5), loop(2))
		// two points are told apart when they are half of h apart at least, and always beyond twice
		// h
		at := func(apart float64) float64 {
			s := 0.25 * apart * apart // -a / b: -a = s (4 - 4 a)
			a := -4 * s / (1 - 4*s)
			return (1 - a/1.5 - 0.5) / 1.5
		}
		if im.Verdict != geom.Contact || im.TOILo > at(2*h) || im.TOIHi < at(h/2)-1e-6 {
			t.Errorf("loop, h %v: %+v, not in [%v, %v]", h, im, at(h/2), at(2*h))
		}
		if left.Pairs == 0 || left.TFrom < 1./3-1e-9-h*h || left.TFrom > at(2*h) {
			t.Errorf("loop, h %v: %+v", h, left)
		}
	}
}

// Patches that share a corner alone meet elsewhere.
func TestSelfAcrossACorner(t *testing.T) {
	x0 := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0.5, 0, -1, 0.5}
	x1 := append(append([]float64{}, x0[:9]...), 0.9, 0.4, -0.5, 0.4, 0.9, -0.5)
	b, err := NewBody(5, []Form{{Triangle, 1, 1}, {Triangle, 1, 1}}, []int32{0, 1, 2, 0, 3, 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	// the second comes down on the plane of the first at 1/2, when its corners are at (-0.05, 0.2)
	// and (0.2, -0.05)
	im, left, _ := selfEarliest(t, &BodyStep{Body: b, X0: x0, X1: x1}, 0, &o)
	if im.Verdict != geom.Contact || im.TOILo > 0.5+1e-9 || im.TOILo < 0.5-1e-4 || left.TFrom < 0.49 {
		t.Errorf("%+v, %+v", im, left)
	}
	// The second patch ends beside the first one.
	x1 = append(append([]float64{}, x0[:9]...), -1, -0.4, -0.5, -0.4, -1, -0.5)
	if im, left, _ = selfEarliest(t, &BodyStep{Body: b, X0: x0, X1: x1}, 0, &o); im.Verdict != geom.Separate ||
		left.Pairs != 0 {
		t.Errorf("beside: %+v, %+v", im, left)
	}
}

// All impacts, in order; and where a whole edge comes down on another the manifold samples all of
// it.
func TestSelfCollisionsAndManifold(t *testing.T) {
	b, x := torus(t, 1, 0.5)
	_, y := torus(t, 1, 1.02)
	f := &BodyStep{Body: b, X0: x, X1: y}
	o := DefaultOptions()
	var s Scene
	list, _, err := s.SelfCollisions(f, 0, &o)
	if err != nil {
		t.Fatal(err)
	}
	first, _, err := s.SelfEarliest(f, 0, &o)
	if err != nil || len(list) < 4 || math.Abs(list[0].TOILo-first.TOILo) > 1e-6 {
		t.Fatalf("%d impacts, %v, %+v", len(list), err, first)
	}
	for i, im := range list {
		if i > 0 && im.Before(&list[i-1]) || im.A > im.B {
			t.Errorf("impact %d: %+v", i, im)
		}
	}
	b, x = sheet(t, 5, 1, 1, 4, func(x, y float64) [3]float64 {
		p := [6][2]float64{{-0.5, 0}, {-2, 1}, {-1, 3}, {1, 3}, {2, 1}, {0.5, 0}}[int(math.Round(5*x))]
		return [3]float64{p[0], y, p[1]}
	})
	y = append([]float64{}, x...)
	for i := 2; i < len(y); i += 3 {
		if y[i] == 0 {
			y[i-2] *= -0.6
		}
	}
	many, _, err := s.SelfManifold(&BodyStep{Body: b, X0: x, X1: y}, 1e-4, 0.09, 0, &o)
	if err != nil || len(many) < 6 || len(many) > 12 {
		t.Fatalf("%d points, %v", len(many), err)
	}
	for i, im := range many {
		if !(im.TOIHi > 0.6249 && im.TOIHi < 0.6252) || math.Abs(im.Point[0]) > 1e-3 || math.Abs(im.Point[2]) > 1e-3 {
			t.Errorf("point %d: %+v", i, im)
		}
	}
	for at := 0.0; at <= 1; at += 0.02 {
		near := math.Inf(1)
		for _, im := range many {
			near = min(near, math.Abs(im.Point[1]-at))
		}
		if near > 0.1 {
			t.Errorf("nothing within %v of y = %v", near, at)
		}
	}
}

// A closed NURBS surface is a body whose patches share edges by value, the last with the first.
func TestSelfNURBS(t *testing.T) {
	h := math.Sqrt2 / 2
	circle := []float64{0, 0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1}
	square := [9][2]float64{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}}
	n := NURBS{U: 2, V: 2, KnotsU: circle, KnotsV: circle}
	at := func(r float64) (x []float64) {
		for i := range 9 {
			for j := range 9 {
				d := 1 + r*square[j][0]
				x = append(x, d*square[i][0], d*square[i][1], r*square[j][1])
			}
		}
		return x
	}
	for i := range 9 {
		for j := range 9 {
			n.W = append(n.W, []float64{1, h}[i%2]*[]float64{1, h}[j%2])
		}
	}
	b, err := NewNURBS(&n)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	if im, left, _ := selfEarliest(t, &BodyStep{Body: b, X0: at(0.5), X1: at(0.6)}, 0,
		&o); im.Verdict != geom.Separate || left.Pairs != 0 {
		t.Errorf("%+v, %+v", im, left)
	}
	im, _, _ := selfEarliest(t, &BodyStep{Body: b, X0: at(0.5), X1: at(1.5)}, 0, &o)
	if im.Verdict != geom.Contact || im.TOILo > 0.5 || im.TOILo < 0.5-1e-5 {
		t.Errorf("%+v", im)
	}
}

func TestSelfRejects(t *testing.T) {
	b, x := grid(t, 1, func(x, y float64) float64 { return 0 })
	var s Scene
	o := DefaultOptions()
	for _, h := range []float64{-1, 0x1p-21, 0.6, math.NaN(), math.Inf(1)} {
		_, _, err := s.SelfEarliest(&BodyStep{Body: b, X0: x, X1: x}, h, &o)
		if !errors.Is(err, status.ErrArgument) || !strings.Contains(err.Error(), "neighbourhood") {
			t.Errorf("neighbourhood %v: %v", h, err)
		}
	}
	if _, _, err := s.SelfCollisions(&BodyStep{Body: b, X0: x, X1: x[3:]}, 0, &o); err == nil ||
		!strings.Contains(err.Error(), "x1") {
		t.Errorf("frame: %v", err)
	}
	o.Search = endless{}
	if _, _, err := s.SelfManifold(&BodyStep{Body: b, X0: x, X1: x}, 0, 1, 0, &o); !errors.Is(err,
		status.ErrUnsupported) {
		t.Errorf("method: %v", err)
	}
}

// Cloth is a sheet of 400 bicubic patches; torus closes its hole.
func BenchmarkSelf(b *testing.B) {
	hills := func(x, y float64) float64 { return 0.05 * math.Sin(9*x) * math.Cos(8*y) }
	cloth, x := sheet(b, 3, 3, 20, 20, func(x, y float64) [3]float64 { return [3]float64{x, y, hills(x, y)} })
	ring, y := torus(b, 1, 0.5)
	_, z := torus(b, 1, 1.3)
	for _, c := range []struct {
		name       string
		f          BodyStep
		separation float64
	}{
		{"cloth", BodyStep{Body: cloth, X0: x, X1: moved(x, [3]float64{0, 0, 1})}, 0},
		{"clothSeparated", BodyStep{Body: cloth, X0: x, X1: moved(x, [3]float64{0, 0, 1})}, 1e-4},
		{"torus", BodyStep{Body: ring, X0: y, X1: z}, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			var s Scene
			o := DefaultOptions()
			o.MinSeparation = c.separation
			for b.Loop() {
				if _, _, err := s.SelfEarliest(&c.f, 0, &o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
