package rigid

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// convexBody is a convex body with its corners and, for the truth, the sides as triples of corners.
type convexBody struct {
	body    *Body
	corners []r3.Vec
	faces   [][3]int32
}

// convex returns a box or a tetrahedron with small integers, wound outwards.
func convex(t *testing.T, r *rand.Rand, size int) (c convexBody) {
	at := func() r3.Vec {
		return r3.Vec{X: float64(r.IntN(size)), Y: float64(r.IntN(size)), Z: float64(r.IntN(size))}
	}
	if r.IntN(2) == 0 {
		lo, one := at(), r3.Vec{X: 1, Y: 1, Z: 1}
		d := r3.Add(at(), one)
		if size > 3 { // a body around the origin, which may hold others
			lo = r3.Sub(geom.Scale(-1, lo), one)
			d = r3.Sub(d, lo)
		}
		for i := range 8 {
			c.corners = append(c.corners, r3.Vec{
				X: lo.X + float64(d.X*float64(i&1)), Y: lo.Y + float64(d.Y*float64(i>>1&1)),
				Z: lo.Z + float64(d.Z*float64(i>>2)),
			})
		}
		c.faces = [][3]int32{
			{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
			{2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
		}
	} else {
		for {
			p, a, b, d := at(), at(), at(), at()
			volume := r3.Dot(r3.Sub(a, p), r3.Cross(r3.Sub(b, p), r3.Sub(d, p)))
			if volume < 0 {
				a, b = b, a
			}
			if volume != 0 {
				c.corners = []r3.Vec{p, a, b, d}
				break
			}
		}
		c.faces = [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	}
	var flat []float64
	for _, p := range c.corners {
		flat = append(flat, p.X, p.Y, p.Z)
	}
	body, err := NewBody(flat, c.faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	c.body = body
	return c
}

type ratVec [3]*big.Rat

func (a ratVec) minus(b ratVec) (c ratVec) {
	for k := range c {
		c[k] = new(big.Rat).Sub(a[k], b[k])
	}
	return c
}

func (a ratVec) dot(b ratVec) *big.Rat {
	sum := new(big.Rat)
	for k := range a {
		sum.Add(sum, new(big.Rat).Mul(a[k], b[k]))
	}
	return sum
}

func (a ratVec) cross(b ratVec) (c ratVec) {
	for k := range c {
		i, j := (k+1)%3, (k+2)%3
		c[k] = new(big.Rat).Sub(new(big.Rat).Mul(a[i], b[j]), new(big.Rat).Mul(a[j], b[i]))
	}
	return c
}

// world returns the corners at t, for a body that does not turn: by the product q p q* / |q|^2 of
// quaternions, not by a matrix.
func (c *convexBody) world(m *Motion, t float64) (out []ratVec) {
	ratio := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	w, v := ratio(m.Rotation.Real), ratVec{ratio(m.Rotation.Imag), ratio(m.Rotation.Jmag), ratio(m.Rotation.Kmag)}
	square := new(big.Rat).Add(new(big.Rat).Mul(w, w), v.dot(v))
	for _, p := range c.corners {
		x := ratVec{ratio(p.X), ratio(p.Y), ratio(p.Z)}
		x = x.minus(ratVec{ratio(m.Pivot.X), ratio(m.Pivot.Y), ratio(m.Pivot.Z)})
		// q x q* = (w^2 - v.v) x + 2 (v.x) v + 2 w (v x x)
		along, around := v.dot(x), v.cross(x)
		real := new(big.Rat).Sub(new(big.Rat).Mul(w, w), v.dot(v))
		var at ratVec
		for k := range at {
			y := new(big.Rat).Mul(real, x[k])
			y.Add(y, new(big.Rat).Mul(big.NewRat(2, 1), new(big.Rat).Mul(along, v[k])))
			y.Add(y, new(big.Rat).Mul(big.NewRat(2, 1), new(big.Rat).Mul(w, around[k])))
			at[k] = y.Quo(y, square)
			at[k].Add(at[k], ratio(geom.Components(m.Position)[k]))
			at[k].Add(at[k], new(big.Rat).Mul(ratio(t), ratio(geom.Components(m.Velocity)[k])))
		}
		out = append(out, at)
	}
	return out
}

// strictlyInside reports whether all points are strictly inside a convex body with these corners.
func strictlyInside(points, corners []ratVec, faces [][3]int32) bool {
	for _, f := range faces {
		n := corners[f[1]].minus(corners[f[0]]).cross(corners[f[2]].minus(corners[f[0]]))
		for _, p := range points {
			if n.dot(p.minus(corners[f[0]])).Sign() >= 0 {
				return false
			}
		}
	}
	return true
}

// apartExactly reports whether a plane is strictly between two convex bodies: then one is, whose
// normal is that of a face, or at right angles to an edge of each.
func apartExactly(a, b []ratVec, fa, fb [][3]int32) bool {
	edges := func(x []ratVec, f [][3]int32) (out, normals []ratVec) {
		for _, c := range f {
			u, w := x[c[1]].minus(x[c[0]]), x[c[2]].minus(x[c[0]])
			out, normals = append(out, u, w, x[c[2]].minus(x[c[1]])), append(normals, u.cross(w))
		}
		return out, normals
	}
	ea, axes := edges(a, fa)
	eb, more := edges(b, fb)
	axes = append(axes, more...)
	for _, u := range ea {
		for _, w := range eb {
			axes = append(axes, u.cross(w))
		}
	}
	for _, n := range axes {
		loA, hiA := span(a, n)
		loB, hiB := span(b, n)
		if hiA.Cmp(loB) < 0 || hiB.Cmp(loA) < 0 {
			return true
		}
	}
	return false
}

func span(x []ratVec, n ratVec) (lo, hi *big.Rat) {
	for _, p := range x {
		d := p.dot(n)
		if lo == nil || d.Cmp(lo) < 0 {
			lo = d
		}
		if hi == nil || d.Cmp(hi) > 0 {
			hi = d
		}
	}
	return lo, hi
}

// makeWhole multiplies points by the least number that makes all coordinates integers, which takes
// no point to another side of a plane through others. Integers need no common factors divided out.
func makeWhole(sets ...[]ratVec) {
	scale, product := big.NewInt(1), new(big.Int)
	for _, set := range sets {
		for _, p := range set {
			for _, x := range p {
				common := new(big.Int).GCD(nil, nil, scale, x.Denom())
				scale.Mul(scale, product.Quo(x.Denom(), common))
			}
		}
	}
	for _, set := range sets {
		for _, p := range set {
			for _, x := range p {
				x.SetInt(product.Mul(x.Num(), new(big.Int).Quo(scale, x.Denom())))
			}
		}
	}
}

func trueContainment(a, b *convexBody, ma, mb *Motion, t float64) contain.Relation {
	x, y := a.world(ma, t), b.world(mb, t)
	makeWhole(x, y)
	switch {
	case strictlyInside(x, y, b.faces):
		return contain.Inside
	case strictlyInside(y, x, a.faces):
		return contain.Contains
	case apartExactly(x, y, a.faces, b.faces):
		return contain.Outside
	}
	return contain.Crossing
}

// posed returns a motion without a turn: quaternions and positions are small integers or halves, so
// that bodies often touch.
func posed(r *rand.Rand) Motion {
	n := func() float64 { return float64(r.IntN(9)-4) / 2 }
	m := Motion{Rotation: quat.Number{Real: 1 + float64(r.IntN(2))}, Position: r3.Vec{X: n(), Y: n(), Z: n()}}
	if r.IntN(2) == 0 {
		m.Rotation.Imag, m.Rotation.Jmag, m.Rotation.Kmag = float64(r.IntN(3)), float64(r.IntN(3)), float64(r.IntN(2))
	}
	if r.IntN(2) == 0 {
		m.Pivot, m.Velocity = r3.Vec{X: n(), Y: n(), Z: n()}, r3.Vec{X: n(), Y: n()}
	}
	if r.IntN(4) == 0 {
		m.Rotation = quat.Scale(0.1, m.Rotation)
	}
	return m
}

// TestContainmentLaw2 compares the relations of convex bodies at poses with the truth in rational
// numbers: half-spaces for inside, planes for outside.
func TestContainmentLaw2(t *testing.T) {
	r := ccdtest.NewRand(43, 1)
	seen := map[contain.Relation]int{}
	touching := 0
	for range long.Part(160, 2) {
		a, b := convex(t, r, 3), convex(t, r, 9)
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		ma, mb := posed(r), posed(r)
		at := float64(r.IntN(5)) / 4
		want := trueContainment(&a, &b, &ma, &mb, at)
		out := make([]contain.Relation, 2)
		err := Containment(a.body, b.body, []Motion{ma, ma}, []Motion{mb, mb}, at, out, &engine.CallOptions{Threads: 2})
		if err != nil || out[0] != want || out[1] != want {
			t.Fatalf("%v %v, want %v: %+v and %+v", out, err, want, ma, mb)
		}
		if seen[want]++; want == contain.Crossing {
			// Bodies whose crossing ends with a small push touched at most.
			for k, push := range []float64{0x1p-40, -0x1p-40, 0x1p-40, -0x1p-40} {
				moved := mb
				if k < 2 {
					moved.Position.X += push
				} else {
					moved.Position.Y += push
				}
				if trueContainment(&a, &b, &ma, &moved, at) == contain.Outside {
					touching++
				}
			}
		}
		checkPoints(t, r, &b, &mb, at)
	}
	if seen[contain.Inside] < 3 || seen[contain.Contains] < 3 || seen[contain.Outside] < 5 ||
		seen[contain.Crossing] < 9 || touching < 1 {
		t.Fatalf("%v, %d touching", seen, touching)
	}
}

// checkPoints compares winding numbers around points in the world with the half-spaces.
func checkPoints(t *testing.T, r *rand.Rand, b *convexBody, m *Motion, at float64) {
	t.Helper()
	x := b.world(m, at)
	points := make([]float64, 12)
	for i := range points {
		points[i], _ = x[r.IntN(len(x))][i%3].Float64()
		if r.IntN(2) == 0 {
			points[i] += r.Float64() - 0.5
		}
	}
	out := make([]int32, 4)
	if err := Winding(b.body, m, at, points, out, &engine.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	for i, w := range out {
		var p ratVec
		for k := range p {
			p[k] = new(big.Rat).SetFloat64(points[3*i+k])
		}
		want := int32(contain.OnSurface)
		if strictlyInside([]ratVec{p}, x, b.faces) {
			want = 1
		} else if apartExactly([]ratVec{p}, x, nil, b.faces) {
			want = 0
		}
		if w != want {
			t.Fatalf("%d, want %d: %v in %+v at %v", w, want, points[3*i:3*i+3], m, at)
		}
	}
}

// TestContainmentWhileTurning: at other times than 0 turning bodies have the relation of their
// rounded poses, unless they nearly touch.
func TestContainmentWhileTurning(t *testing.T) {
	r := ccdtest.NewRand(43, 2)
	seen := map[contain.Relation]int{}
	for range long.Part(160, 2) {
		a, b := convex(t, r, 3), convex(t, r, 9)
		ma, mb := posed(r), posed(r)
		ma.AngularVelocity = r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		at := 0.5 + r.Float64()
		p := ma.At(at)
		still := Motion{Rotation: p.Rotation, Position: p.Position}
		want := trueContainment(&a, &b, &still, &mb, 0)
		if mb.Velocity != (r3.Vec{}) {
			continue // The truth is at t = 0.
		}
		out := make([]contain.Relation, 1)
		if err := Containment(a.body, b.body, []Motion{ma}, []Motion{mb}, at, out, &engine.CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if out[0] != want && out[0] != contain.Undecided {
			t.Fatalf("%v, want %v: %+v and %+v at %v", out, want, ma, mb, at)
		}
		seen[out[0]]++
	}
	if seen[contain.Undecided] > 3 || seen[contain.Inside] < 3 {
		t.Fatalf("%v", seen)
	}
}

// TestContainmentUndecided: a turning body that touches at another time than 0 is not decided, as
// its coordinates are not rational; the same pose at t = 0 is.
func TestContainmentUndecided(t *testing.T) {
	r := ccdtest.NewRand(43, 3)
	a := convex(t, r, 3)
	m := Motion{Rotation: quat.Number{Real: 1}, AngularVelocity: r3.Vec{Z: 1}}
	same := m
	same.AngularVelocity.Z = 1 + 0x1p-52 // less than rounding of the pose
	for at, want := range map[float64]contain.Relation{0: contain.Crossing, 0.5: contain.Undecided} {
		out := make([]contain.Relation, 1)
		err := Containment(a.body, a.body, []Motion{m}, []Motion{same}, at, out, &engine.CallOptions{})
		if err != nil || out[0] != want && !(at > 0 && out[0] == contain.Crossing) {
			t.Fatalf("%v at %v: %v, want %v", out, at, err, want)
		}
	}
	points, out := []float64{math.Cos(0.5), math.Sin(0.5), 0}, make([]int32, 1)
	corners := []float64{1, -1, -1, 3, -1, -1, 1, 2, -1, 1, 0, 2}
	sides := [][3]int32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	box, err := NewBody(corners, sides, 1)
	if err != nil {
		t.Fatal(err)
	}
	err = Winding(box, &m, 0.5, points, out, &engine.CallOptions{})
	if err != nil || out[0] != contain.UnknownWinding {
		t.Fatalf("%v %v: the point is on the face x = 1, turned, within rounding", out, err)
	}
}

// TestContainmentErrors: errors name the argument, its index and what is wrong.
func TestContainmentErrors(t *testing.T) {
	r := ccdtest.NewRand(43, 4)
	c := convex(t, r, 3)
	open, err := NewBody([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, [][3]int32{{0, 1, 2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	still := Motion{Rotation: quat.Number{Real: 1}}
	bad := still
	bad.Position.Y = math.NaN()
	one := make([]contain.Relation, 2)
	for _, x := range []struct {
		a, b *Body
		m    Motion
		t    float64
		kind error
		text string
	}{
		{open, c.body, still, 0, status.ErrArgument, "a: faces[0]: the edge from corner 0 to 1"},
		{c.body, open, still, 0, status.ErrArgument, "b: faces[0]"},
		{c.body, c.body, bad, 0, status.ErrNonFinite, "mb[1].position[1] is NaN"},
		{c.body, c.body, still, math.Inf(1), status.ErrNonFinite, "t is +Inf"},
	} {
		err := Containment(x.a, x.b, []Motion{still, still}, []Motion{still, x.m}, x.t, one, &engine.CallOptions{})
		if err == nil || !errors.Is(err, x.kind) || !strings.HasPrefix(err.Error(), x.text) {
			t.Errorf("%v, want %s", err, x.text)
		}
	}
	err = Winding(c.body, &still, 0, []float64{0, math.Inf(-1), 0}, make([]int32, 1), &engine.CallOptions{})
	if err == nil || !strings.HasPrefix(err.Error(), "points[0][1] is -Inf") {
		t.Error(err)
	}
	err = Winding(open, &still, 0, nil, nil, &engine.CallOptions{})
	if err == nil || !strings.HasPrefix(err.Error(), "body: faces[0]") {
		t.Error(err)
	}
}
