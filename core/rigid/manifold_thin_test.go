package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/rigid"
)

// filled divides triangles along one edge, which the neighbor keeps whole, and fills what is
// between with a triangle of no area, or of none but for rounding, as programs write that sew
// surfaces together. Fillers are divided too, and needles are put where three triangles meet.
func filled(tri [][3]r3.Vec, r *rand.Rand) [][3]r3.Vec {
	tri = append([][3]r3.Vec(nil), tri...)
	noise := func() float64 { return math.Ldexp(r.Float64()-0.5, -52) }
	for range 1 + r.IntN(6) {
		i, k := r.IntN(len(tri)), r.IntN(3)
		a, b, c := tri[i][k], tri[i][(k+1)%3], tri[i][(k+2)%3]
		if r.IntN(3) == 0 { // A point so near an edge that rounding turns the triangle between.
			m := r3.Add(a, r3.Scale(0.25+0.5*r.Float64(), r3.Sub(b, a)))
			m = r3.Add(m, r3.Scale(math.Ldexp(1, -33-r.IntN(4)), r3.Sub(c, a)))
			m = r3.Add(m, r3.Vec{X: noise(), Y: noise(), Z: noise()})
			tri[i] = [3]r3.Vec{a, b, m}
			tri = append(tri, [3]r3.Vec{b, c, m}, [3]r3.Vec{c, a, m})
			continue
		}
		part := []float64{0.5, 0.25, 0.3, r.Float64(), 0x1p-48}[r.IntN(5)]
		m := r3.Add(a, r3.Scale(part, r3.Sub(b, a)))
		if r.IntN(2) == 0 {
			m = r3.Add(m, r3.Vec{X: noise(), Y: noise(), Z: noise()})
		}
		tri[i] = [3]r3.Vec{a, m, c}
		tri = append(tri, [3]r3.Vec{m, b, c}, [3]r3.Vec{a, b, m})
		if r.IntN(4) == 0 {
			tri = append(tri, [3]r3.Vec{a, a, b}, [3]r3.Vec{a, b, b}, [3]r3.Vec{b, b, b})
		}
	}
	r.Shuffle(len(tri), func(i, j int) { tri[i], tri[j] = tri[j], tri[i] })
	return tri
}

// Triangles of no area add no points, and take none away: wherever they lie, at an edge, inside of
// a face, across another filler.
func TestManifoldWithThinTriangles(t *testing.T) {
	below := boxOfCells(r3.Vec{X: 3, Y: 3, Z: 1}, 1, nil)
	above := boxOfCells(r3.Vec{X: 0.3, Y: 0.3, Z: 0.3}, 1, nil)
	a, b := bodyOf(t, above), bodyOf(t, below)
	places := []float64{0, 0.3, -0.3, 1.5, 2.9}
	for i := range 300 {
		r := rand.New(rand.NewPCG(477, uint64(i)))
		pose := poseAt(places[r.IntN(5)], places[r.IntN(5)], 1.3)
		first := manifoldOf(t, a, pose, b, poseAt(0, 0, 0), 1e-6, false)
		if len(first.Points) != 4 {
			t.Fatalf("%d points at %v", len(first.Points), pose)
		}
		x, y := bodyOf(t, filled(above, r)), bodyOf(t, filled(below, r))
		again := manifoldOf(t, x, pose, y, poseAt(0, 0, 0), 1e-6, false)
		if err := alikeManifolds(&first, &again, 1, 1e-9); err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
	}
}

// A convex body whose faces have such triangles slides as one without.
func TestSlideWithThinTriangles(t *testing.T) {
	plain := boxOfCells(r3.Vec{X: 1, Y: 1, Z: 1}, 1, nil)
	table := bodyOf(t, boxOfCells(r3.Vec{X: 3, Y: 3, Z: 1}, 2, nil))
	moves, still := moving(r3.Vec{Z: 2}, r3.Vec{X: 5}, r3.Vec{}), moving(r3.Vec{}, r3.Vec{}, r3.Vec{})
	var s rigid.SlideSolver
	var out rigid.Slide
	for i := range 40 {
		r := rand.New(rand.NewPCG(479, uint64(i)))
		box := bodyOf(t, filled(plain, r))
		if err := s.Slide([]*rigid.Body{box}, []*rigid.Body{table}, &moves, &still, 1e-6, nil, &out); err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		if out.Event != rigid.SlideParts || !(out.TLo <= 0.8000002 && out.THi >= 0.8000002 && out.TLo > 0.8) {
			t.Errorf("case %d: %+v", i, out)
		}
	}
}

// A speck that no other triangle has, and a segment that only shares a corner with a face, touch
// where they are: they are no fillers.
func TestManifoldOfWhatStandsAlone(t *testing.T) {
	table := bodyOf(t, boxOfCells(r3.Vec{X: 3, Y: 3, Z: 1}, 1, nil))
	speck, end := r3.Vec{X: 0.5, Y: 0.25}, r3.Vec{X: -0.5, Y: 0.25}
	high := [3]r3.Vec{{Z: 1}, {X: 1, Z: 1}, {Y: 1, Z: 1}}
	body := bodyOf(t, [][3]r3.Vec{high, {speck, speck, speck}, {{Z: 1}, end, end}})
	m := manifoldOf(t, body, poseAt(0, 0, 1), table, poseAt(0, 0, 0), 1e-6, false)
	if len(m.Points) != 2 || !has(&m, r3.Add(speck, up), up, 1e-9) || !has(&m, r3.Add(end, up), up, 1e-9) {
		t.Errorf("%+v", m.Points)
	}
}

// dividedTwice divides both neighbors of an edge at one place, which rounding parts, and fills
// each.
func dividedTwice(tri [][3]r3.Vec, r *rand.Rand) [][3]r3.Vec {
	noise := func() float64 { return math.Ldexp(r.Float64()-0.5, -50) }
	i, k, part := r.IntN(len(tri)), r.IntN(3), 0.25+0.5*r.Float64()
	a, b := tri[i][k], tri[i][(k+1)%3]
	at := r3.Add(a, r3.Scale(part, r3.Sub(b, a)))
	var out [][3]r3.Vec
	for _, t := range tri {
		whole := true
		for k := range 3 {
			p, q, c := t[k], t[(k+1)%3], t[(k+2)%3]
			if p == a && q == b || p == b && q == a {
				m := r3.Add(at, r3.Vec{X: noise(), Y: noise(), Z: noise()})
				out, whole = append(out, [3]r3.Vec{p, m, c}, [3]r3.Vec{m, q, c}, [3]r3.Vec{p, q, m}), false
			}
		}
		if whole {
			out = append(out, t)
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// An edge whose neighbors are divided at one place has no point of its own there.
func TestManifoldWithEdgesDividedTwice(t *testing.T) {
	below := boxOfCells(r3.Vec{X: 3, Y: 3, Z: 1}, 1, nil)
	above := boxOfCells(r3.Vec{X: 0.3, Y: 0.3, Z: 0.3}, 1, nil)
	a, b := bodyOf(t, above), bodyOf(t, below)
	for i := range 200 {
		r := rand.New(rand.NewPCG(481, uint64(i)))
		pose := poseAt(3*r.Float64(), 3*r.Float64(), 1.3)
		first := manifoldOf(t, a, pose, b, poseAt(0, 0, 0), 1e-6, false)
		x, y := bodyOf(t, dividedTwice(above, r)), bodyOf(t, dividedTwice(below, r))
		again := manifoldOf(t, x, pose, y, poseAt(0, 0, 0), 1e-6, false)
		if err := alikeManifolds(&first, &again, 1, 1e-9); err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
	}
}

// An open surface may have nothing on one side of a part of a line that a filler divides: an edge
// that crosses there crosses the edge of the triangle on the other side.
func TestManifoldAtTheOpenPartOfALine(t *testing.T) {
	a, b, m := r3.Vec{X: -1, Z: 1}, r3.Vec{X: 1, Z: 1}, r3.Vec{Z: 1}
	for _, x := range []float64{-0.5, 0.5} {
		face := [3]r3.Vec{a, {X: -0.5, Y: 1, Z: 0.5}, m}
		if x < 0 {
			face = [3]r3.Vec{m, {X: 0.5, Y: 1, Z: 0.5}, b}
		}
		body := bodyOf(t, [][3]r3.Vec{{a, b, {Z: -1}}, face, {b, a, m}})
		blade := bodyOf(t, [][3]r3.Vec{{{X: x, Y: -1}, {X: x, Y: 1}, {X: x, Z: 1}}})
		found := manifoldOf(t, blade, poseAt(0, 0, 1), body, poseAt(0, 0, 0), 1e-6, false)
		if len(found.Points) != 1 || !has(&found, r3.Vec{X: x, Z: 1}, up, 1e-9) {
			t.Errorf("at %v: %+v", x, found.Points)
		}
	}
}
