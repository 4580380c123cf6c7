package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
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

// dividedOften divides edges edge to edge, some of them near a corner or near an earlier place, in
// pieces down to 2^-40 of them. The new vertices are rounded, so that short pieces point elsewhere.
func dividedOften(tri [][3]r3.Vec, r *rand.Rand) [][3]r3.Vec {
	tri = append([][3]r3.Vec(nil), tri...)
	noise := func() float64 { return math.Ldexp(r.Float64()-0.5, -52) }
	var p, q r3.Vec
	for i := range 2 + r.IntN(6) {
		if i == 0 || r.IntN(3) > 0 {
			t, k := r.IntN(len(tri)), r.IntN(3)
			p, q = tri[t][k], tri[t][(k+1)%3]
		}
		if r.IntN(2) == 0 {
			p, q = q, p
		}
		part := math.Ldexp(1+r.Float64(), -2-r.IntN(34))
		m := r3.Add(p, r3.Scale(part, r3.Sub(q, p)))
		m = r3.Add(m, r3.Vec{X: noise(), Y: noise(), Z: noise()})
		if geom.Norm(r3.Sub(q, p)) < 0x1p-8 || m == p {
			continue // Pieces of pieces would be shorter than a thin triangle is high.
		}
		var out [][3]r3.Vec
		for _, t := range tri {
			out = append(out, t)
			for k := range 3 {
				a, b, c := t[k], t[(k+1)%3], t[(k+2)%3]
				if a == p && b == q || a == q && b == p {
					out = append(out[:len(out)-1], [3]r3.Vec{a, m, c}, [3]r3.Vec{m, b, c})
				}
			}
		}
		tri, q = out, m
		if r.IntN(2) == 0 {
			p, q = m, p
		}
	}
	r.Shuffle(len(tri), func(i, j int) { tri[i], tri[j] = tri[j], tri[i] })
	return tri
}

// inOtherAxes gives the triangles of a body, and its pose, in axes that are turned, so that places
// on its faces and edges are rounded.
func inOtherAxes(tri [][3]r3.Vec, pose geom.Pose, r *rand.Rand) ([][3]r3.Vec, geom.Pose) {
	q := quat.Number{Real: r.Float64(), Imag: r.Float64() - 0.5, Jmag: r.Float64(), Kmag: r.Float64() - 0.5}
	q = quat.Scale(1/quat.Abs(q), q)
	rot := geom.Rotation(q)
	out := make([][3]r3.Vec, len(tri))
	for i, t := range tri {
		for k, c := range t {
			out[i][k] = rot.Apply(c)
		}
	}
	pose.Rotation = geom.Product(pose.Rotation, quat.Conj(q))
	return out, pose
}

// Short pieces of an edge, which rounding turns, are parts of the whole edge: they add no points
// and turn no normals. Edges of both bodies may be parallel but for less than these turn.
func TestManifoldOfEdgesInShortPieces(t *testing.T) {
	cases := 40
	if testing.Short() {
		cases = 8
	}
	compared := 0
	for i := range cases {
		r := rand.New(rand.NewPCG(487, uint64(i)))
		p, tol := restingBoxes(r)
		if i%2 == 0 {
			twist := turned(up, math.Pow(10, -6-3*r.Float64()), geom.Pose{}).Rotation
			world := p.poses[1].Rotation
			twist = geom.Product(geom.Product(world, twist), quat.Inv(world))
			p.poses[0].Rotation = geom.Product(twist, p.poses[0].Rotation)
		}
		for side := range 2 {
			p.tri[side], p.poses[side] = inOtherAxes(p.tri[side], p.poses[side], r)
		}
		first := manifoldOf(t, p.body(0), p.poses[0], p.body(1), p.poses[1], tol, false)
		if !alongFaces(&first, p) {
			continue
		}
		compared++
		for range 4 {
			x, y := dividedOften(p.tri[0], r), dividedOften(p.tri[1], r)
			a, b := bodyOf(t, x), bodyOf(t, y)
			again := manifoldOf(t, a, p.poses[0], b, p.poses[1], tol, false)
			if err := alikeManifolds(&first, &again, 1, 1e-9); err != nil {
				t.Errorf("case %d, tolerance %v: %v", i, tol, err)
			}
			back := manifoldOf(t, b, p.poses[1], a, p.poses[0], tol, false)
			if err := alikeManifolds(&first, &back, -1, 1e-9); err != nil {
				t.Errorf("case %d, tolerance %v, exchanged: %v", i, tol, err)
			}
		}
	}
	if compared < cases/2 {
		t.Errorf("%d of %d cases compared", compared, cases)
	}
}

// alongFaces reports whether all normals are those of faces of one of the bodies, but for 1e-5:
// where one is the mean of several at a place, vertices of a cut near the place may choose others.
func alongFaces(m *rigid.Manifold, p *pair) bool {
	for i := range m.Points {
		known := false
		for side := range 2 {
			rot := geom.Rotation(p.poses[side].Rotation)
			for _, t := range p.tri[side] {
				n := r3.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0]))
				n = rot.Apply(r3.Unit(n))
				known = known || geom.Norm(r3.Cross(n, m.Points[i].Normal)) <= 1e-5
			}
		}
		if !known {
			return false
		}
	}
	return true
}
