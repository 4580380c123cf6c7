package rigid_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	common "ccd/core/overlap"
	"ccd/core/rigid"
)

// signedSquare returns the square of the distance of a point from the hull of some points, and
// whether the point is in the inside of it: then the square of that from the nearest of the planes
// of its faces.
func signedSquare(x ratVec, hull []ratVec) (square *big.Rat, inside bool) {
	if square = squareOfSets([]ratVec{x}, hull); square.Sign() > 0 {
		return square, false
	}
	var least *big.Rat
	for i := range hull {
		for j := range i {
			for k := range j {
				n := hull[j].minus(hull[i]).cross(hull[k].minus(hull[i]))
				if n.dot(n).Sign() == 0 {
					continue
				}
				below, above := 0, 0
				for _, p := range hull {
					switch n.dot(p.minus(hull[i])).Sign() {
					case -1:
						below++
					case 1:
						above++
					}
				}
				if below > 0 && above > 0 {
					continue
				}
				if below+above == 0 {
					return square, false // The hull is flat.
				}
				h := n.dot(x.minus(hull[i]))
				h.Mul(h, h).Quo(h, n.dot(n))
				if least == nil || h.Cmp(least) < 0 {
					least = h
				}
			}
		}
	}
	if least == nil {
		return square, false
	}
	return least, least.Sign() > 0
}

// cross returns the cross product.
func (a ratVec) cross(b ratVec) (c ratVec) {
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = new(big.Rat).Mul(a[j], b[k])
		c[i].Sub(c[i], new(big.Rat).Mul(a[k], b[j]))
	}
	return c
}

// side returns the sign of s + x - y, where s is the signed root of a square.
func side(square *big.Rat, negative bool, x, y float64) int {
	rest := new(big.Rat).Sub(ratOf(y), ratOf(x))
	if negative {
		return -compareRootRat(square, rest.Neg(rest))
	}
	return compareRootRat(square, rest)
}

// compareRootRat compares the root of a square with a number.
func compareRootRat(square, x *big.Rat) int {
	if x.Sign() < 0 {
		return 1
	}
	return square.Cmp(new(big.Rat).Mul(x, x))
}

// lies returns how the shapes of a pair lie to each other.
func (p *shapePair) lies() rigid.Relation {
	at := [2][]ratVec{p.hullAt(0), p.hullAt(1)}
	if side(squareOfSets(at[0], at[1]), false, -p.s[0].radius, p.s[1].radius) > 0 {
		return rigid.Outside
	}
	for i, relation := range [2]rigid.Relation{rigid.Inside, rigid.Contains} {
		all := true
		for _, c := range at[i] {
			square, in := signedSquare(c, at[1-i])
			all = all && side(square, in, p.s[i].radius, p.s[1-i].radius) < 0
		}
		if all {
			return relation
		}
	}
	return rigid.Crossing
}

// someThickPair draws two bodies that enclose something, of which one has a radius. It returns
// false where the drawn bodies do not.
func someThickPair(r *rand.Rand) (p shapePair, ok bool) {
	p = someShapePair(r)
	if p.s[0].radius == 0 && p.s[1].radius == 0 {
		return p, false
	}
	if r.IntN(3) == 0 {
		p.s[0], p.s[1] = p.s[1], p.s[0]
		p.poses[0], p.poses[1] = p.poses[1], p.poses[0]
	}
	if r.IntN(2) == 0 {
		more := 4 * p.s[1].radius
		p.s[1].body, p.s[1].radius = must(p.s[1].body.Padded(more)), p.s[1].radius+more
	}
	// A hull in a plane is no closed surface.
	return p, p.s[0].body.Encloses() && p.s[1].body.Encloses()
}

// motion returns one that has the pose of a shape at all times.
func (p *shapePair) motion(side int) rigid.Motion {
	return rigid.Motion{Rotation: p.poses[side].Rotation, Position: p.poses[side].Position}
}

// relationAt returns how two bodies lie to each other at a time.
func relationAt(t *testing.T, a, b *rigid.Body, ma, mb *rigid.Motion, at float64) rigid.Relation {
	t.Helper()
	out := []rigid.Relation{rigid.NotDecided}
	if err := rigid.Containment(a, b, []rigid.Motion{*ma}, []rigid.Motion{*mb}, at, out,
		&engine.CallOptions{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// mirrored returns the relation of the second body to the first.
func mirrored(w rigid.Relation) rigid.Relation {
	switch w {
	case rigid.Inside:
		return rigid.Contains
	case rigid.Contains:
		return rigid.Inside
	}
	return w
}

// checkContainment holds the relation of a pair to law C7: at its poses, with the bodies exchanged,
// and reached by a turn, where bodies are the same but for rounding. It returns the relation, and
// whether it is undecided at the poses and after the turn.
func (p *shapePair) checkContainment(t *testing.T) (want rigid.Relation, hidden, lost bool) {
	t.Helper()
	a, b, ma, mb := p.s[0].body, p.s[1].body, p.motion(0), p.motion(1)
	want = p.lies()
	exactly := ma.Rotation == quat.Number{Real: 1} && a.Deviation()+b.Deviation() == 0
	tell := func(what string, got rigid.Relation) {
		t.Errorf("%v (radius %v) at %v, %v (radius %v) at %v%s: %v, want %v", p.s[0].name, p.s[0].radius, p.poses[0],
			p.s[1].name, p.s[1].radius, p.poses[1], what, got, want)
	}
	got := relationAt(t, a, b, &ma, &mb, 0)
	if hidden = got == rigid.NotDecided && !exactly; !hidden && got != want {
		tell("", got)
	}
	if back := relationAt(t, b, a, &mb, &ma, 0); back != mirrored(got) {
		tell(" exchanged", mirrored(back))
	}
	turned := ma
	turned.AngularVelocity = r3.Vec{Z: 1}
	s, c := math.Sincos(-0.5)
	turned.Rotation = quat.Mul(quat.Number{Real: c, Kmag: s}, ma.Rotation)
	got = relationAt(t, a, b, &turned, &mb, 1)
	if got != want && got != rigid.NotDecided && !exactly {
		tell(" turned", got)
	}
	return want, hidden, want == rigid.Crossing && got == rigid.NotDecided
}

// TestThickContainmentLawC7 compares the relations of convex bodies with radii with rational
// arithmetic. Bodies on a lattice, which touch exactly, are always decided.
func TestThickContainmentLawC7(t *testing.T) {
	r := ccdtest.NewRand(71, 1)
	count := map[rigid.Relation]int{}
	hidden, lost := 0, 0
	for range long.Part(3000, 30) {
		p, ok := someThickPair(r)
		if !ok {
			continue
		}
		want, undecided, turned := p.checkContainment(t)
		count[want]++
		if undecided {
			hidden++
		}
		if turned {
			lost++
		}
	}
	t.Log(count, hidden, lost)
	if lost > count[rigid.Crossing]/3 {
		t.Errorf("%d of %d pairs that share points are undecided where bodies have turned", lost,
			count[rigid.Crossing])
	}
	if hidden > 3 || min(count[rigid.Inside], count[rigid.Contains], count[rigid.Outside], count[rigid.Crossing]) < 5 {
		t.Errorf("%v, %d undecided", count, hidden)
	}
}

// FuzzThickContainment holds relations to law C7 on pairs drawn from seeds: go test ./core/rigid
// -fuzz FuzzThickContainment.
func FuzzThickContainment(f *testing.F) {
	for i := range uint64(8) {
		f.Add(i, 7*i)
	}
	f.Fuzz(func(t *testing.T, seed, stream uint64) {
		if p, ok := someThickPair(rand.New(rand.NewPCG(seed, stream))); ok {
			p.checkContainment(t)
		}
	})
}

// checkThickPoint draws a convex body with a radius and a point, and holds the winding number and
// the depth of the point to laws C7 and V7. It returns what the winding number must be, and false
// where the drawn body has no radius.
func checkThickPoint(t *testing.T, r *rand.Rand) (want int32, ok bool) {
	t.Helper()
	p := someShapePair(r)
	s := &p.s[0]
	if s.radius == 0 || !s.body.Encloses() {
		return 0, false
	}
	m := p.motion(0)
	exactly := m.Rotation == quat.Number{Real: 1}
	x := p.poses[1].Position
	if exactly && r.IntN(2) == 0 { // On the border, or where a part of the body hides it.
		x = r3.Add(r3.Add(m.Position, s.hull[r.IntN(len(s.hull))]), r3.Vec{Z: s.radius * float64(2*r.IntN(2)-1)})
	}
	points := []float64{x.X, x.Y, x.Z}
	one := &engine.CallOptions{Threads: 1}
	w, d := []int32{0}, []common.Depth{{}}
	if err := rigid.Winding(s.body, &m, 0, points, w, one); err != nil {
		t.Fatal(err)
	}
	if err := rigid.Depths(s.body, &m, 0, points, d, one); err != nil {
		t.Fatal(err)
	}
	square, in := signedSquare(ratVecOf(x), p.hullAt(0))
	want = 1
	switch side(square, in, 0, s.radius) {
	case 0:
		want = contain.OnSurface
	case 1:
		want = 0
	}
	if w[0] == contain.UnknownWinding && !exactly {
		return want, true
	}
	if w[0] != want || d[0].Winding != want {
		t.Fatalf("%v at %v, point %v: %v and %v, want %v", s.name, m, x, w[0], d[0].Winding, want)
	}
	// |s - r| is in [Lo, Hi].
	lo, hi := d[0].Lo, d[0].Hi
	if want != 0 {
		lo, hi = -hi, -lo
	}
	if side(square, in, 0, s.radius+lo) < 0 && side(square, in, -lo, s.radius) < 0 ||
		side(square, in, -hi, s.radius) > 0 {
		t.Fatalf("%v at %v, point %v: [%v, %v]", s.name, m, x, d[0].Lo, d[0].Hi)
	}
	if size := s.radius + geom.MaxAbs(x) + 1; d[0].Hi-d[0].Lo > 1e-11*size {
		t.Fatalf("%v, point %v: [%v, %v]", s.name, x, d[0].Lo, d[0].Hi)
	}
	at := geom.VecOf(d[0].At[:])
	if off := math.Abs(geom.Norm(r3.Sub(at, x)) - d[0].Hi); off > 1e-9*(d[0].Hi+s.radius) {
		t.Fatalf("%v, point %v: %v is %v farther than %v", s.name, x, at, off, d[0].Hi)
	}
	if d[0].State == common.Defined {
		n := geom.VecOf(d[0].Normal[:])
		if e := geom.Norm(r3.Sub(r3.Sub(x, at), geom.Scale(d[0].Hi, n))); e > 1e-6*(d[0].Hi+s.radius) {
			t.Fatalf("%v, point %v: normal %v, nearest %v", s.name, x, n, at)
		}
	}
	return want, true
}

// TestThickPointsLawsC7AndV7 compares winding numbers and depths of points in convex bodies with
// radii with rational arithmetic.
func TestThickPointsLawsC7AndV7(t *testing.T) {
	r := ccdtest.NewRand(71, 2)
	count := map[int32]int{}
	for range long.Part(3000, 10) {
		if want, ok := checkThickPoint(t, r); ok {
			count[want]++
		}
	}
	t.Log(count)
	if min(count[0], count[1]) < 10 || count[contain.OnSurface] < 2 {
		t.Error(count)
	}
}

// FuzzThickPoints holds winding numbers and depths of points to laws C7 and V7 on bodies drawn from
// seeds: go test ./core/rigid -fuzz FuzzThickPoints.
func FuzzThickPoints(f *testing.F) {
	for i := range uint64(8) {
		f.Add(i, 7*i)
	}
	f.Fuzz(func(t *testing.T, seed, stream uint64) { checkThickPoint(t, rand.New(rand.NewPCG(seed, stream))) })
}

// notch returns the surface of a cube of side 4, with a slot of the given width from above to its
// middle.
func notch(width float64) *rigid.Body {
	h := width / 2
	outline := [][2]float64{{-2, -2}, {2, -2}, {2, 2}, {h, 2}, {h, 0}, {-h, 0}, {-h, 2}, {-2, 2}}
	var x []float64
	for _, z := range []float64{-2, 2} {
		for _, p := range outline {
			x = append(x, p[0], p[1], z)
		}
	}
	var faces [][3]int32
	for i := range int32(8) {
		j := (i + 1) % 8
		faces = append(faces, [3]int32{i, j, 8 + j}, [3]int32{i, 8 + j, 8 + i})
	}
	for _, f := range [][3]int32{{0, 5, 1}, {0, 6, 5}, {0, 7, 6}, {1, 5, 4}, {1, 4, 2}, {2, 4, 3}} {
		faces = append(faces, f, [3]int32{f[0] + 8, f[2] + 8, f[1] + 8})
	}
	return must(rigid.NewBody(x, faces, 1))
}

// slanted returns a rod from one corner of a box to the other, in the plane of x and z: its middles
// by halves of the box are not on it.
func slanted(x0, z0, x1, z1 float64) *rigid.Body {
	var x []float64
	for _, p := range [][2]float64{{x0, z0}, {x1, z1}} {
		for _, q := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			x = append(x, p[0]+0.03125*q[0], 0.03125*q[1], p[1]-0.03125*q[0])
		}
	}
	var faces [][3]int32
	for i := range int32(4) {
		j := (i + 1) % 4
		faces = append(faces, [3]int32{i, j, 4 + j}, [3]int32{i, 4 + j, 4 + i})
	}
	return must(rigid.NewBody(x, append(faces, [3]int32{0, 2, 1}, [3]int32{0, 3, 2}, [3]int32{4, 5, 6},
		[3]int32{4, 6, 7}), 1))
}

// TestThickContainmentOfOthers: bodies that are not convex, at places whose relation is known.
func TestThickContainmentOfOthers(t *testing.T) {
	slot := notch(0.5)
	pad := func(b *rigid.Body, by float64) *rigid.Body { return must(b.Padded(by)) }
	ball := func(r float64) *rigid.Body { return must(rigid.Sphere(r)) }
	box := func(x, y, z float64) *rigid.Body { return must(rigid.BoxBody([3]float64{x, y, z})) }
	for _, c := range []struct {
		name string
		a, b *rigid.Body
		x    r3.Vec
		want rigid.Relation
	}{
		{"a ball in the slot", ball(0.125), slot, r3.Vec{Y: 1}, rigid.Outside},
		{"a ball that touches both sides of the slot", ball(0.25), slot, r3.Vec{Y: 1}, rigid.Crossing},
		{"a ball in the slot, which padding closes", ball(0.125), pad(slot, 0.5), r3.Vec{Y: 1}, rigid.Inside},
		{"a ball above it", ball(0.125), pad(slot, 0.5), r3.Vec{Y: 2.75}, rigid.Outside},
		{"a ball through its border", ball(0.125), pad(slot, 0.5), r3.Vec{Y: 2.4375, X: 1}, rigid.Crossing},
		{"a ball in its border", ball(0.125), pad(slot, 0.5), r3.Vec{Y: 2.25, X: 1}, rigid.Inside},
		{"a ball that touches its border from within", ball(0.125), pad(slot, 0.5), r3.Vec{Y: 2.375, X: 1},
			rigid.Crossing},
		{"a ball in the material", ball(0.5), slot, r3.Vec{X: 1, Y: 1}, rigid.Inside},
		{"a ball in the material that touches the slot", ball(0.75), slot, r3.Vec{X: 1, Y: 1}, rigid.Crossing},
		{"a bar across the slot", pad(box(1, 0.125, 0.125), 0.125), slot, r3.Vec{Y: 1}, rigid.Crossing},
		{"a bar across the slot, which padding closes", pad(box(1, 0.125, 0.125), 0.125), pad(slot, 0.5), r3.Vec{Y: 1},
			rigid.Inside},
		{"a slanted rod across the slot, which padding narrows", slanted(-0.5, -0.5, 1.5, 1.5), pad(slot, 0.125),
			r3.Vec{Y: 1}, rigid.Crossing},
		{"the slot in a ball", slot, ball(4), r3.Vec{}, rigid.Inside},
		{"the slot in a ball that its corners leave", slot, ball(3.4), r3.Vec{}, rigid.Crossing},
		{"a padded block, flush with a side of the slot's body of the same padding", pad(box(1, 1, 1), 0.25),
			pad(slot, 0.25), r3.Vec{X: 1.5, Y: -1}, rigid.Crossing},
		{"a padded block, flush with an edge of it", pad(box(1, 1, 1), 0.25), pad(slot, 0.25), r3.Vec{X: 1.5, Y: -1.5},
			rigid.Crossing},
		{"the slot's body in itself, both with the same padding", pad(slot, 0.25), pad(slot, 0.25), r3.Vec{},
			rigid.Crossing},
		{"the slot in itself with padding", slot, pad(slot, 0.25), r3.Vec{}, rigid.Inside},
		{"the slot beside itself, with padding", slot, pad(slot, 0.25), r3.Vec{X: 0.5}, rigid.Crossing},
		{"a cylinder in the material", must(rigid.Cylinder(0.25, 1, 0)), slot, r3.Vec{X: 1, Y: 1}, rigid.Inside},
		{"a ball in a cylinder", ball(0.5), must(rigid.Cylinder(2, 2, 0)), r3.Vec{X: 1}, rigid.Inside},
		{"a ball through the side of a cylinder", ball(0.5), must(rigid.Cylinder(2, 2, 0)), r3.Vec{X: 1.75},
			rigid.Crossing},
		{"a ball that touches a cylinder within its deviation", ball(0.5), must(rigid.Cylinder(2, 2, 0)),
			r3.Vec{X: 2.5}, rigid.NotDecided},
		{"a box in a box, which its deviation may leave", must(box(0.25, 0.25, 0.25).Deviating(0.125)),
			pad(box(1, 1, 1), 0.5), r3.Vec{X: 0.8125}, rigid.NotDecided},
		{"a box in a box, which its deviation does not leave", must(box(0.25, 0.25, 0.25).Deviating(0.125)),
			pad(box(1, 1, 1), 0.5), r3.Vec{X: 0.5}, rigid.Inside},
	} {
		still := rigid.Motion{Rotation: quat.Number{Real: 1}}
		at := still
		at.Position = c.x
		for _, turn := range []bool{false, true} {
			a, b, ma, mb, want := c.a, c.b, &at, &still, c.want
			if turn {
				a, b, ma, mb, want = b, a, mb, ma, mirrored(want)
			}
			if got := relationAt(t, a, b, ma, mb, 0); got != want {
				t.Errorf("%s, exchanged %v: %v, want %v", c.name, turn, got, want)
			}
		}
	}
}

// TestThickDepthsOfOthers: of a body that is not convex, brackets hold the distance from the
// border, as the nearest of many points outside bounds it.
func TestThickDepthsOfOthers(t *testing.T) {
	slot := must(notch(0.5).Padded(0.5))
	still := rigid.Motion{Rotation: quat.Number{Real: 1}}
	r := ccdtest.NewRand(71, 3)
	one := &engine.CallOptions{Threads: 1}
	points := []float64{0, 1, 0, 1, 1, 0, 0, 2.25, 0, 0.25, 1, 0, 0, 1, 2.25, 2, 2, 2}
	want := []float64{1 + math.Sqrt(0.1875), 1.5, 0, 0, 0, 0.5} // the distance from the border; 0: not known
	for range 60 {
		points = append(points, 3*r.Float64()-1.5, 3*r.Float64(), 3*r.Float64()-1.5)
		want = append(want, 0)
	}
	d := make([]common.Depth, len(want))
	if err := rigid.Depths(slot, &still, 0, points, d, one); err != nil {
		t.Fatal(err)
	}
	var x []float64
	for range long.Part(20000, 4) {
		x = append(x, 7*r.Float64()-3.5, 7*r.Float64()-3.5, 7*r.Float64()-3.5)
	}
	w := make([]int32, len(x)/3)
	if err := rigid.Winding(slot, &still, 0, x, w, one); err != nil {
		t.Fatal(err)
	}
	for i := range d {
		p := geom.VecOf(points[3*i:])
		least := math.Inf(1)
		for k := range w {
			if (w[k] == 0) == (d[i].Winding == 1) {
				least = min(least, geom.Norm(r3.Sub(p, geom.VecOf(x[3*k:]))))
			}
		}
		if !(d[i].Lo <= d[i].Hi && d[i].Lo <= least) || d[i].Hi > least+0.5 && d[i].State == common.Defined {
			t.Errorf("point %v: [%v, %v], a point on the other side is at %v", p, d[i].Lo, d[i].Hi, least)
		}
		if want[i] > 0 && !(d[i].Lo <= want[i] && want[i] <= d[i].Hi+1e-12) {
			t.Errorf("point %v: [%v, %v], want %v", p, d[i].Lo, d[i].Hi, want[i])
		}
	}
}
