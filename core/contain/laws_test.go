package contain

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// TestWindingLaw1 compares winding numbers, along all six rays, with those over rational numbers.
func TestWindingLaw1(t *testing.T) {
	r := ccdtest.NewRand(41, 1)
	var on, inside, many, negative int
	for range long.Part(600, 2) {
		tri := closedSurface(r)
		s := New(tri, 1)
		if err := s.Closed(); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			p := pointNear(r, tri)
			want, wantOn := trueWinding(tri, vec(p))
			for axis := range 6 {
				q := Point{At: vec(p)}
				ray := ray{p: &q, i: (axis + 1) % 3, j: (axis + 2) % 3, k: axis % 3, up: axis < 3}
				if got, place := ray.count(s); got != want || place != map[bool]Place{true: On, false: Off}[wantOn] {
					t.Fatalf("axis %d: %d %v, want %d %v: %v in %v", axis, got, place, want, wantOn, p, tri)
				}
			}
			if got, place := s.Winding(&Point{At: vec(p)}); got != want || (place == On) != wantOn {
				t.Fatalf("%d %v, want %d %v: %v in %v", got, place, want, wantOn, p, tri)
			}
			if wantOn {
				on++
			} else if want != 0 {
				inside++
			}
			if want > 1 || want < -1 {
				many++
			}
			if want < 0 {
				negative++
			}
		}
	}
	if on < 50 || inside < 50 || many < 3 || negative < 10 {
		t.Fatalf("%d points on surfaces, %d inside, %d more than once, %d inverted", on, inside, many, negative)
	}
}

// TestUncertainPoints: with an error, a winding number is that of all points within it, and a point
// that is known exactly is decided.
func TestUncertainPoints(t *testing.T) {
	r := ccdtest.NewRand(41, 2)
	unknown, decided := 0, 0
	for range long.Part(400, 2) {
		tri := closedSurface(r)
		s := New(tri, 1)
		p := vec(pointNear(r, tri))
		e := geom.MaxAbs(pointOf(p)) * math.Ldexp(1, -r.IntN(60))
		off := p
		for k := range off {
			off[k] += (2*r.Float64() - 1) * e * 0.9
		}
		want, on := trueWinding(tri, p)
		got, place := s.Winding(&Point{At: off, Err: e})
		switch {
		case place == Unknown:
			unknown++
		case (place == On) != on || got != want:
			t.Fatalf("%v within %g of %v: %d %v, want %d %v: %v", p, e, off, got, place, want, on, tri)
		default:
			decided++
		}
		exact := Point{At: off, Err: e, Exact: func() *Rational { return rational(p) }}
		if got, place := s.Winding(&exact); got != want || (place == On) != on || place == Unknown {
			t.Fatalf("%v exactly: %d %v, want %d %v: %v", p, got, place, want, on, tri)
		}
	}
	if unknown < 20 || decided < 20 {
		t.Fatalf("%d unknown, %d decided", unknown, decided)
	}
}

func pointOf(p geom.Vec) r3.Vec { return r3.Vec{X: p[0], Y: p[1], Z: p[2]} }

func rational(p geom.Vec) *Rational {
	var q Rational
	for k, x := range p {
		q[k] = new(big.Rat).SetFloat64(x)
	}
	return &q
}

// trueRelation is the relation of two surfaces in the same coordinates.
func trueRelation(a, b []bvh.Triangle) Relation {
	for i := range a {
		for j := range b {
			if trianglesMeet(&a[i], &b[j]) {
				return Crossing
			}
		}
	}
	count := func(a, b []bvh.Triangle) (in, all int) {
		// Each triangle counts, in place of each component: all of one are inside, or none.
		known := map[r3.Vec]bool{}
		for i := range a {
			p := a[i][0]
			inside, ok := known[p]
			if !ok {
				w, _ := trueWinding(b, vec(p))
				inside = w != 0
				known[p] = inside
			}
			if inside {
				in++
			}
		}
		return in, len(a)
	}
	inA, allA := count(a, b)
	inB, allB := count(b, a)
	switch {
	case inA == 0 && inB == 0:
		return Outside
	case inA == allA && inB == 0:
		return Inside
	case inB == allB && inA == 0:
		return Contains
	}
	return Overlapping
}

// smaller returns the triangles with their corners moved towards a point.
func smaller(tri []bvh.Triangle, s float64, to r3.Vec) []bvh.Triangle {
	out := slices.Clone(tri)
	for i := range out {
		for c := range out[i] {
			out[i][c] = r3.Add(geom.Scale(s, r3.Sub(out[i][c], to)), to)
		}
	}
	return out
}

// turnBy places points by the rotation of a quaternion of small integers and a shift. Scaled by the
// square of the quaternion's length the points of a lattice are integers.
type turnBy struct {
	w, x, y, z, shift int64
}

// square is that of the quaternion's length.
func (q turnBy) square() int64 { return q.w*q.w + q.x*q.x + q.y*q.y + q.z*q.z }

// matrix returns the rotation's matrix times square.
func (q turnBy) matrix() [3][3]int64 {
	w, x, y, z := q.w, q.x, q.y, q.z
	return [3][3]int64{
		{w*w + x*x - y*y - z*z, 2 * (x*y - w*z), 2 * (x*z + w*y)},
		{2 * (x*y + w*z), w*w - x*x + y*y - z*z, 2 * (y*z - w*x)},
		{2 * (x*z - w*y), 2 * (y*z + w*x), w*w - x*x - y*y + z*z},
	}
}

// placement returns M v + shift, or its inverse, with an error that covers rounding for coordinates
// up to 100.
func (q turnBy) placement(inverse bool) *Placement {
	m, s := q.matrix(), q.square()
	if inverse {
		m = [3][3]int64{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}
	}
	var shift [3]*big.Rat
	for k := range shift {
		shift[k] = big.NewRat(q.shift, 1)
		if inverse {
			shift[k] = big.NewRat(-q.shift*(m[k][0]+m[k][1]+m[k][2]), s)
		}
	}
	p := &Placement{Err: 1e-11}
	for k := range 3 {
		for l := range 3 {
			p.M[k][l] = float64(m[k][l]) / float64(s)
		}
		p.T[k], _ = shift[k].Float64()
	}
	p.Exact = func(v *geom.Vec) *Rational {
		var out Rational
		for k := range 3 {
			out[k] = new(big.Rat).Set(shift[k])
			for l := range 3 {
				x := new(big.Rat).SetFloat64(v[l])
				out[k].Add(out[k], x.Mul(x, big.NewRat(m[k][l], s)))
			}
		}
		return &out
	}
	return p
}

// TestBetweenLaw2 compares relations with those over rational numbers, in the same coordinates and
// at rational poses.
func TestBetweenLaw2(t *testing.T) {
	r := ccdtest.NewRand(41, 3)
	var seen [Crossing + 1]int
	for i := range long.Part(200, 2) {
		a, b := lattice(r), lattice(r)
		scaled(r, a)
		if i%3 == 0 {
			b = smaller(a, []float64{0.5, 0.25, 2, -0.5}[r.IntN(4)], pointNear(r, a))
		}
		one := Identity()
		checkRelation(t, a, b, a, b, &one, &one, &seen)

		q := turnBy{int64(1 + r.IntN(3)), int64(r.IntN(3)), int64(r.IntN(3)), int64(r.IntN(2)), int64(r.IntN(5) - 2)}
		a, b = lattice(r), lattice(r)
		if outer := boxTriangles(r3.Vec{X: -30, Y: -30, Z: -30}, r3.Vec{X: 30, Y: 30, Z: 30}); i%3 == 0 {
			b = outer
		} else if i%3 == 1 {
			a = outer
		}
		if r.IntN(3) == 0 { // A part that is far away lets the other not be the whole.
			a = append(a, boxTriangles(r3.Vec{X: 90, Y: 90, Z: 90}, r3.Vec{X: 91, Y: 91, Z: 91})...)
		}
		m, s := q.matrix(), float64(q.square())
		trueA, trueB := slices.Clone(a), smaller(b, s, r3.Vec{})
		for i := range trueA {
			for c, p := range trueA[i] {
				x, at := [3]float64{p.X, p.Y, p.Z}, [3]float64{}
				for k := range at {
					at[k] = float64(m[k][0])*x[0] + float64(m[k][1])*x[1] + float64(m[k][2])*x[2] + s*float64(q.shift)
				}
				trueA[i][c] = pointOf(at)
			}
		}
		checkRelation(t, a, b, trueA, trueB, q.placement(false), q.placement(true), &seen)
	}
	for k := Outside; k <= Crossing; k++ {
		if seen[k] < 5 {
			t.Fatalf("relations seen: %v", seen)
		}
	}
}

// lattice returns a surface whose corners are small integers.
func lattice(r *rand.Rand) (out []bvh.Triangle) {
	corner := func() r3.Vec {
		return r3.Vec{X: float64(r.IntN(5)), Y: float64(r.IntN(5)), Z: float64(r.IntN(5))}
	}
	for range 1 + r.IntN(2) {
		if r.IntN(2) == 0 {
			out = append(out, tetrahedron([4]r3.Vec{corner(), corner(), corner(), corner()})...)
		} else {
			out = append(out, boxTriangles(corner(), corner())...)
		}
	}
	return out
}

func checkRelation(t *testing.T, a, b, trueA, trueB []bvh.Triangle, ab, ba *Placement, seen *[Crossing + 1]int) {
	t.Helper()
	x, y := New(a, 1), New(b, 1)
	want := trueRelation(trueA, trueB)
	got, i, j := Between(x, y, ab, ba)
	if got != want {
		t.Fatalf("%v, want %v: %v and %v, %+v", got, want, a, b, ab)
	}
	if (got == Crossing) != (i >= 0) || got == Crossing && !trianglesMeet(&trueA[i], &trueB[j]) {
		t.Fatalf("faces %d and %d: %v and %v", i, j, a, b)
	}
	swapped, _, _ := Between(y, x, ba, ab)
	if mirror := map[Relation]Relation{Inside: Contains, Contains: Inside}; swapped != want && swapped != mirror[want] {
		t.Fatalf("%v, swapped %v: %v and %v", want, swapped, a, b)
	}
	if ab.Err != 0 {
		ab, ba := *ab, *ba
		ab.Exact, ba.Exact = nil, nil
		if blind, _, _ := Between(x, y, &ab, &ba); blind != want && blind != Undecided {
			t.Fatalf("%v in floats, want %v: %v and %v", blind, want, a, b)
		}
	}
	seen[want]++
}

// TestNestedLaw3 compares the components that are inside others with the relations of pairs.
func TestNestedLaw3(t *testing.T) {
	r := ccdtest.NewRand(41, 4)
	found := 0
	for range long.Part(240, 4) {
		// Boxes are components of their own where they have no corner in common, and tetrahedra
		// too.
		var parts [][]bvh.Triangle
		for range 2 + r.IntN(4) {
			part := lattice(r)[:4]
			if r.IntN(2) == 0 {
				o := r3.Vec{X: float64(r.IntN(4)), Y: float64(r.IntN(4)), Z: float64(r.IntN(4))}
				d := float64(1 + r.IntN(8))
				part = boxTriangles(r3.Sub(o, r3.Vec{X: d, Y: d, Z: d}), r3.Add(o, r3.Vec{X: d, Y: d, Z: d}))
			} else if !(len(part) == 4 && New(part, 1).Closed() == nil) {
				part = part[:3] // an open part contains nothing
			}
			if r.IntN(2) == 0 {
				part = inverted(part)
			}
			parts = append(parts, part)
		}
		all := slices.Concat(parts...)
		s := New(all, 2)
		if s.Components() != len(parts) ||
			slices.ContainsFunc(parts, func(p []bvh.Triangle) bool { return New(p, 1).Components() != 1 }) {
			continue
		}
		var want []Nested
		at := 0
		for i, inner := range parts {
			outer := 0
			for j, b := range parts {
				if i != j && New(b, 1).Closed() == nil {
					if w, on := trueWinding(b, vec(inner[0][0])); !on && w != 0 && !anyMeet(inner, b) {
						want = append(want, Nested{Inner: int64(at), Outer: int64(outer), Winding: w})
					}
				}
				outer += len(b)
			}
			at += len(inner)
		}
		for threads := 1; threads <= 3; threads++ {
			var call engine.Call
			if err := call.Begin(&engine.CallOptions{Threads: threads}); err != nil {
				t.Fatal(err)
			}
			got, err := s.Nested(&call)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%v %v, want %v: %v", got, err, want, parts)
			}
		}
		found += len(want)
	}
	if found < 20 {
		t.Fatalf("%d components inside others", found)
	}
}

func anyMeet(a, b []bvh.Triangle) bool {
	for i := range a {
		for j := range b {
			if trianglesMeet(&a[i], &b[j]) {
				return true
			}
		}
	}
	return false
}

// TestAnyOrderLaw4: the order of triangles, and of their corners, changes no winding number.
func TestAnyOrderLaw4(t *testing.T) {
	r := ccdtest.NewRand(41, 5)
	for range long.Part(400, 4) {
		tri := closedSurface(r)
		s := New(tri, 1)
		other := slices.Clone(tri)
		r.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		for i, t := range other {
			k := r.IntN(3)
			other[i] = bvh.Triangle{t[k], t[(k+1)%3], t[(k+2)%3]}
		}
		again := New(other, 2)
		for range 20 {
			p := Point{At: vec(pointNear(r, tri))}
			w, place := s.Winding(&p)
			if v, also := again.Winding(&p); v != w || also != place {
				t.Fatalf("%d %v, in another order %d %v: %v in %v", w, place, v, also, p, tri)
			}
		}
	}
}

// TestOpenSurfaces: each surface that lacks a triangle, or has one that is wound the other way, is
// refused, and the error names an edge of it.
func TestOpenSurfaces(t *testing.T) {
	box := boxTriangles(r3.Vec{}, r3.Vec{X: 1, Y: 1, Z: 1})
	if err := New(box, 1).Closed(); err != nil {
		t.Fatal(err)
	}
	for i := range box {
		lacking := slices.Delete(slices.Clone(box), i, i+1)
		err := New(lacking, 1).Closed()
		if err == nil || !strings.Contains(err.Error(), "open") || !strings.Contains(err.Error(), "3 edges") {
			t.Fatalf("%v", err)
		}
		turned := slices.Clone(box)
		turned[i] = inverted(turned[i : i+1])[0]
		err = New(turned, 1).Closed()
		if err == nil || !strings.Contains(err.Error(), "wound alike") || !errors.Is(err, status.ErrArgument) {
			t.Fatalf("%v", err)
		}
	}
	err := New(box[:1], 1).Closed()
	if err == nil || !strings.HasPrefix(err.Error(), "faces[0]: the edge from corner 0 to 1") {
		t.Fatalf("%v", err)
	}
}

// TestManyTriangles: on a surface with a deep tree the winding numbers are those of all triangles
// one by one.
func TestManyTriangles(t *testing.T) {
	r := ccdtest.NewRand(41, 6)
	tri := boxTriangles(r3.Vec{X: -1, Y: -1, Z: -1}, r3.Vec{X: 1, Y: 1, Z: 1})
	for range 4 {
		tri = quarters(tri)
	}
	for i := range tri {
		for c, p := range tri[i] {
			tri[i][c] = geom.Scale(1/geom.Norm(p), p)
		}
	}
	s := New(tri, 2)
	if err := s.Closed(); err != nil || s.Components() != 1 {
		t.Fatal(err, s.Components())
	}
	flat := Solid{tri: s.tri, part: s.part, nodes: []node{s.nodes[0]}}
	flat.nodes[0].left, flat.nodes[0].first, flat.nodes[0].count = 0, 0, int32(len(tri))
	in := 0
	for range 500 {
		p := Point{At: geom.Vec{2*r.Float64() - 1, 2*r.Float64() - 1, 2*r.Float64() - 1}}
		if r.IntN(3) == 0 {
			p.At = vec(geom.Scale(1-0x1p-40*float64(r.IntN(3)), tri[r.IntN(len(tri))][0]))
		}
		w, place := s.Winding(&p)
		if v, also := flat.Winding(&p); v != w || also != place {
			t.Fatalf("%d %v, want %d %v: %v", w, place, v, also, p.At)
		}
		in += int(w)
	}
	if in < 100 || in > 400 {
		t.Fatalf("%d of 500 points inside", in)
	}
}

// quarters divides each triangle into four.
func quarters(tri []bvh.Triangle) (out []bvh.Triangle) {
	for _, t := range tri {
		mid := func(i int) r3.Vec { return geom.Scale(0.5, r3.Add(t[i], t[(i+1)%3])) }
		a, b, c := mid(0), mid(1), mid(2)
		out = append(out, bvh.Triangle{t[0], a, c}, bvh.Triangle{a, t[1], b}, bvh.Triangle{c, b, t[2]},
			bvh.Triangle{a, b, c})
	}
	return out
}
