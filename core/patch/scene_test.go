package patch

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/status"
)

// grid returns a sheet of n x n bicubic patches on common control points, at height z(x, y).
func grid(t *testing.T, n int, z func(x, y float64) float64) (*Body, []float64) {
	t.Helper()
	m := 3*n + 1
	var x []float64
	for i := range m {
		for j := range m {
			u, v := float64(i)/float64(m-1), float64(j)/float64(m-1)
			x = append(x, u, v, z(u, v))
		}
	}
	var forms []Form
	var index []int32
	for a := range n {
		for b := range n {
			forms = append(forms, Form{Quad, 3, 3})
			for i := range 4 {
				for j := range 4 {
					index = append(index, int32((3*a+i)*m+3*b+j))
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

// torus returns a body of 4 x 4 rational biquadratic patches: a circle of radius r turned about the
// z axis at radius R.
func torus(t testing.TB, R, r float64) (*Body, []float64) {
	t.Helper()
	h := math.Sqrt2 / 2
	square := [8][2]float64{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
	var x []float64
	weight := func(i int) float64 { return []float64{1, h}[i%2] }
	for i := range 8 {
		for j := range 8 {
			d := R + r*square[j][0]
			x = append(x, d*square[i][0], d*square[i][1], r*square[j][1])
		}
	}
	var forms []Form
	var index []int32
	var w []float64
	for a := range 4 {
		for b := range 4 {
			forms = append(forms, Form{Quad, 2, 2})
			for i := range 3 {
				for j := range 3 {
					index = append(index, int32((2*a+i)%8*8+(2*b+j)%8))
					w = append(w, weight(i)*weight(j))
				}
			}
		}
	}
	body, err := NewBody(64, forms, index, w)
	if err != nil {
		t.Fatal(err)
	}
	return body, x
}

func moved(x []float64, by [3]float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = x[i] + by[i%3]
	}
	return y
}

// The earliest impact of two bodies is the least answer of all pairs, and collisions are all of
// them.
func TestSceneIsAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	var s Scene
	var alone Solver
	for trial := range 12 {
		a, x := grid(t, 2, func(x, y float64) float64 { return 0.2 * r.Float64() })
		b, y := grid(t, 3, func(x, y float64) float64 { return 0.5 + 0.3*r.Float64() })
		fa := &BodyStep{Body: a, X0: x, X1: moved(x, [3]float64{0.1, 0, 0.6 * r.Float64()})}
		fb := &BodyStep{Body: b, X0: y, X1: moved(y, [3]float64{0, 0.2, -0.3 * r.Float64()})}
		o := DefaultOptions()
		if trial%3 == 0 {
			o.MinSeparation = 0.02
		}
		var want []Impact
		var p, q Patch
		for i := range a.Patches() {
			for j := range b.Patches() {
				fa.gather(i, &p)
				fb.gather(j, &q)
				var im Impact
				if err := alone.Solve(&p, &q, &o, &im); err != nil {
					t.Fatal(err)
				}
				if im.A, im.B = int64(i), int64(j); im.Verdict != geom.Separate {
					want = append(want, im)
				}
			}
		}
		got, err := s.Collisions(fa, fb, &o)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%d collisions, not %d", len(got), len(want))
		}
		least := math.Inf(1)
		for i := range got {
			if i > 0 && got[i].Before(&got[i-1]) {
				t.Fatalf("collisions %d and %d are out of order", i-1, i)
			}
			found := false
			for _, w := range want {
				found = found || w == got[i]
				least = min(least, w.TOILo)
			}
			if !found {
				t.Fatalf("collision %+v is no pair's answer", got[i])
			}
		}
		first, err := s.Earliest(fa, fb, &o)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) == 0 != (first.Verdict == geom.Separate) || math.Abs(first.TOILo-least) > 2e-5 {
			t.Fatalf("earliest %v at %v, of %d the least is %v", first.Verdict, first.TOILo, len(want), least)
		}
	}
}

// A torus that drops onto another touches it along a circle ([Chen2024], figure 9): the manifold
// samples all of it.
func TestManifoldOfTwoTori(t *testing.T) {
	a, x := torus(t, 2, 0.5)
	b, y := torus(t, 2, 0.5)
	fa := &BodyStep{Body: a, X0: moved(x, [3]float64{0, 0, 2}), X1: x}
	fb := &BodyStep{Body: b, X0: y, X1: y}
	var s Scene
	o := DefaultOptions()
	const apart = 1.0
	list, err := s.Manifold(fa, fb, 1e-3, apart, &o)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 8 || len(list) > 16 {
		t.Fatalf("%d points", len(list))
	}
	for i, im := range list {
		if !(im.TOILo <= 0.5 && im.TOIHi > 0.49999 && im.TOIHi < 0.502) {
			t.Errorf("point %d at [%v, %v]", i, im.TOILo, im.TOIHi)
		}
		if r := math.Hypot(im.Point[0], im.Point[1]); math.Abs(r-2) > 0.05 || math.Abs(im.Point[2]-0.5) > 0.01 {
			t.Errorf("point %d is %v", i, im.Point)
		}
		if im.Normal[2] < 0.99 {
			t.Errorf("normal %d is %v", i, im.Normal)
		}
		for _, other := range list[:i] {
			if distance3(im.Point, other.Point) < apart {
				t.Errorf("point %d is too near another", i)
			}
		}
	}
	for angle := 0.0; angle < 6.28; angle += 0.1 { // every point of the circle is near one of the list
		p, near := [3]float64{2 * math.Cos(angle), 2 * math.Sin(angle), 0.5}, math.Inf(1)
		for _, im := range list {
			near = min(near, distance3(p, im.Point))
		}
		if near > 1.2*apart {
			t.Errorf("nothing within %v of %v", near, p)
		}
	}
}

func TestBodyRejects(t *testing.T) {
	line := []Form{{Curve, 1, 0}}
	for _, c := range []struct {
		points int
		forms  []Form
		index  []int32
		w      []float64
		kind   error
		text   string
	}{
		{2, []Form{{Quad, 0, 1}}, nil, nil, status.ErrArgument, "patch 0"},
		{2, line, []int32{0}, nil, status.ErrArgument, "index has 1 entries: the patches need 2"},
		{2, line, []int32{0, 2}, nil, status.ErrIndex, "index[1] is 2"},
		{2, line, []int32{-1, 0}, nil, status.ErrIndex, "index[0] is -1"},
		{2, line, []int32{0, 1}, []float64{1}, status.ErrArgument, "1 weights for 2"},
		{2, line, []int32{0, 1}, []float64{1, -1}, status.ErrArgument, "weights[1] is -1"},
	} {
		if _, err := NewBody(c.points, c.forms, c.index, c.w); err == nil || !errors.Is(err, c.kind) ||
			!strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: got %v", c.text, err)
		}
	}
	b, _ := NewBody(2, line, []int32{0, 1}, nil)
	var s Scene
	o := DefaultOptions()
	good := &BodyStep{Body: b, X0: make([]float64, 6), X1: make([]float64, 6)}
	bad := &BodyStep{Body: b, X0: make([]float64, 6), X1: []float64{0, 0, 0, math.NaN(), 0, 0}}
	if _, err := s.Earliest(good, bad, &o); !errors.Is(err, status.ErrNonFinite) ||
		!strings.Contains(err.Error(), "body b: x1[1][0]") {
		t.Errorf("NaN: %v", err)
	}
	if _, err := s.Manifold(good, good, 2, 1, &o); !errors.Is(err, status.ErrArgument) {
		t.Errorf("lag 2: %v", err)
	}
	if _, err := s.Manifold(good, good, 0, 0, &o); !errors.Is(err, status.ErrArgument) {
		t.Errorf("apart 0: %v", err)
	}
}

// A body of a NURBS surface is answered as its Bezier patches are, from the surface's own control
// points.
func TestNURBSBody(t *testing.T) {
	s := NURBS{U: 2, V: 2, KnotsU: []float64{0, 0, 0, 1, 2, 2, 2}, KnotsV: []float64{0, 1, 2, 3, 4, 5, 6}}
	a, err := NewNURBS(&s)
	if err != nil {
		t.Fatal(err)
	}
	if a.Points() != 16 || a.Patches() != 4 {
		t.Fatalf("%d points, %d patches", a.Points(), a.Patches())
	}
	x := make([]float64, 48)
	for i := range 16 {
		x[3*i], x[3*i+1] = float64(i/4), float64(i%4)
	}
	p, _ := NewBody(1, []Form{{Curve, 0, 0}}, []int32{0}, nil)
	drop := &BodyStep{Body: p, X0: []float64{1.3, 1.7, 1}, X1: []float64{1.3, 1.7, -1}}
	var scene Scene
	o := DefaultOptions()
	im, err := scene.Earliest(&BodyStep{Body: a, X0: x, X1: x}, drop, &o)
	if err != nil || im.Verdict != geom.Contact || math.Abs(im.TOILo-0.5) > 1e-6 || im.B != 0 {
		t.Errorf("%+v, %v", im, err)
	}
	s.KnotsU = s.KnotsU[:3]
	if _, err := NewNURBS(&s); !errors.Is(err, status.ErrArgument) {
		t.Errorf("few knots: %v", err)
	}
}

// Bodies that are apart by less than the separation on every axis of their boxes are in contact.
func TestSceneSeparation(t *testing.T) {
	a, x := grid(t, 1, func(x, y float64) float64 { return 0 })
	fa, fb := &BodyStep{Body: a, X0: x, X1: x},
		&BodyStep{Body: a, X0: moved(x, [3]float64{0, 0, 0.015}), X1: moved(x, [3]float64{0, 0, 0.015})}
	var s Scene
	o := DefaultOptions()
	for d, want := range map[float64]geom.Verdict{0: geom.Separate, 0.014: geom.Separate, 0.02: geom.Contact} {
		o.MinSeparation = d
		im, err := s.Earliest(fa, fb, &o)
		if err != nil || im.Verdict != want {
			t.Errorf("separation %v: %v, %v", d, im.Verdict, err)
		}
	}
}
