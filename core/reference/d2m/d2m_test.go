package d2m

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bound"
	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid"
)

// gentle is a motion whose spin and speed are of the order of one, far away and fast in common now
// and then.
func gentle(r *rand.Rand) rigid.Motion {
	v := func(s float64) r3.Vec {
		return r3.Vec{X: s * r.NormFloat64(), Y: s * r.NormFloat64(), Z: s * r.NormFloat64()}
	}
	m := rigid.Motion{
		Rotation: quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
			Kmag: r.NormFloat64()},
		Position: v(1), Velocity: v(1), AngularVelocity: v(2),
	}
	switch r.IntN(5) {
	case 0:
		m.AngularVelocity = r3.Vec{}
	case 1:
		m.Pivot = v(1)
	case 2:
		m.AngularVelocity = geom.Scale(10, m.AngularVelocity)
	}
	return m
}

func isWithin(x float64, e float64, want *big.Float) bool {
	d := ccdtest.Plus(want, ccdtest.Big(-x))
	return d.Abs(d).Cmp(ccdtest.Big(e)) <= 0
}

// TestTracksHoldTheMotion: value, velocity and acceleration of a difference of points lie within
// their errors of the true ones, at the time they are for, and the caps hold at all times.
func TestTracksHoldTheMotion(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for n := range 2000 {
		ma, mb := gentle(r), gentle(r)
		if n%3 == 0 {
			far := r3.Vec{X: 1e6, Y: -3e5}
			ma.Position, mb.Position = r3.Add(ma.Position, far), r3.Add(mb.Position, far)
		}
		t0 := []float64{0, -2, 1000}[n%3]
		var d bodyPair
		d.load(&sphereTree{}, &sphereTree{}, &ma, &mb, t0, 1)
		tau := r.Float64() * float64(n%2)
		d.to(tau)
		p, q := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64()}, r3.Vec{X: r.NormFloat64(), Z: r.NormFloat64()}
		g := d.between(0, p, q)
		h := r.Float64() * (1 - tau)
		g.sharpen(h)
		at := func(tau float64) (x, v, a [3]*big.Float) {
			when := ccdtest.Plus(ccdtest.Big(t0), ccdtest.Big(tau))
			xa, va, aa := ccdtest.RigidMotion(ma).At(p, when)
			xb, vb, ab := ccdtest.RigidMotion(mb).At(q, when)
			minus := func(a, b *big.Float) *big.Float { return ccdtest.Plus(a, ccdtest.Times(ccdtest.Big(-1), b)) }
			for k := range 3 {
				x[k], v[k], a[k] = minus(xb[k], xa[k]), minus(vb[k], va[k]), minus(ab[k], aa[k])
			}
			return
		}
		x, v, a := at(tau)
		for k := range 3 {
			if !isWithin(geom.Components(g.x)[k], g.e0, x[k]) || !isWithin(geom.Components(g.v)[k], g.e1, v[k]) ||
				!isWithin(geom.Components(g.a)[k], g.e2, a[k]) {
				t.Fatalf("motions %+v %+v at %v: the track %+v is off", ma, mb, tau, g)
			}
		}
		later := tau + h*r.Float64()
		x, v, a = at(later)
		for i, c := range []float64{g.c0, g.c1, g.c2} {
			var l2 *big.Float
			for _, y := range [][3]*big.Float{x, v, a}[i] {
				s := ccdtest.Times(y, y)
				if l2 == nil {
					l2 = s
				} else {
					l2 = ccdtest.Plus(l2, s)
				}
			}
			if l2.Cmp(ccdtest.Times(ccdtest.Big(c), ccdtest.Big(c))) > 0 {
				t.Fatalf("motions %+v %+v at %v: derivative %d exceeds its cap %v", ma, mb, later, i, c)
			}
		}
		if b := g.during(h); h > 1e-6 && !isNear(b, (later-tau)/h, x) {
			t.Fatalf("motions %+v %+v: strays from its line at %v", ma, mb, later)
		}
	}
}

// isNear reports that x is within the radius of the point at the share s of the segment.
func isNear(b movingPoint, s float64, x [3]*big.Float) bool {
	var sum *big.Float
	at := r3.Add(b.p, r3.Scale(s, r3.Sub(b.q, b.p)))
	b.radius += 1e-14 * (1 + r3.Norm(at)) // the rounding of at
	for k, c := range geom.Components(at) {
		d := ccdtest.Plus(x[k], ccdtest.Big(-c))
		if d = ccdtest.Times(d, d); sum == nil {
			sum = d
		} else {
			sum = ccdtest.Plus(sum, d)
		}
	}
	return sum.Cmp(ccdtest.Times(ccdtest.Big(b.radius), ccdtest.Big(b.radius))) <= 0
}

// cornersAt are the corners of a triangle in the world, rounded.
func cornersAt(tree *sphereTree, m *rigid.Motion, face int32, t float64) [3]r3.Vec {
	pose := m.At(t)
	c := tree.corners(face)
	for k := range c {
		c[k] = pose.Apply(c[k])
	}
	return c
}

// TestTaylorFormsHoldTheFunctions: f, f' and f” of vertex-face and edge-edge pairs lie in what is
// enclosed, now and over an interval.
func TestTaylorFormsHoldTheFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for range 3000 {
		a, b := shards(r, 1), shards(r, 1)
		ma, mb := gentle(r), gentle(r)
		s := bodies{}
		s.load(a, b, &ma, &mb, 0, 1)
		f := feature{bodyPair: &s.bodyPair, plane: &b.normals[0], p: a.corners(0)[1], c: b.corners(0)}
		f.curve = curve{&f}
		f.e = [2][2]r3.Vec{{a.corners(0)[0], a.corners(0)[1]}, {b.corners(0)[0], b.corners(0)[1]}}
		f.edges = r.IntN(2) == 0
		exact := func(t float64) float64 {
			ca, cb := cornersAt(a, &ma, 0, t), cornersAt(b, &mb, 0, t)
			if f.edges {
				n := r3.Cross(r3.Sub(ca[1], ca[0]), r3.Sub(cb[1], cb[0]))
				return r3.Dot(n, r3.Sub(cb[0], ca[0]))
			}
			pose := mb.At(t)
			n := geom.Rotation(pose.Rotation) // the plane's own normal, which is not that of a sliver
			return r3.Dot(n.Apply(f.plane.n), r3.Sub(ca[1], cb[0]))
		}
		lo := r.Float64()
		i := num.Interval{Lo: lo, Hi: lo + (1-lo)*math.Ldexp(r.Float64(), -r.IntN(12))}
		value, curve := f.Over(i)
		const e = 1e-9 // rounding of the plain evaluation, and of the differences below
		grow := func(i num.Interval, e float64) num.Interval { return num.Interval{Lo: i.Lo - e, Hi: i.Hi + e} }
		for k := range 5 {
			x := i.Lo + float64(k)/4*(i.Hi-i.Lo)
			if !grow(value, e).Contains(exact(x)) {
				t.Fatalf("%+v: f(%v) = %v is not in %v", f, x, exact(x), value)
			}
			const h = 1e-4
			second := (exact(x+h) - 2*exact(x) + exact(x-h)) / (h * h)
			if !grow(curve, 1e-3*(1+math.Abs(second))).Contains(second) {
				t.Fatalf("%+v: f''(%v) = %v is not in %v", f, x, second, curve)
			}
		}
		v, slope := f.At(i.Lo)
		if d := (exact(i.Lo+1e-6) - exact(i.Lo-1e-6)) / 2e-6; !grow(v, e).Contains(exact(i.Lo)) ||
			!grow(slope, 1e-5*(1+math.Abs(d))).Contains(d) {
			t.Fatalf("%+v: f' = %v is not in %v", f, d, slope)
		}
	}
}

// shards is a body of n triangles of all shapes, thin and flat ones among them.
func shards(r *rand.Rand, n int) *sphereTree {
	var v []r3.Vec
	var f [][3]int32
	for i := range n {
		o := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		for range 3 {
			v = append(v, r3.Add(o, r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}))
		}
		k := int32(3 * i)
		switch r.IntN(12) {
		case 0:
			v[k+2] = v[k+1] // an edge
		case 1:
			v[k+2] = r3.Add(geom.Scale(0.5, r3.Add(v[k], v[k+1])), r3.Vec{X: 1e-12}) // a sliver
		}
		f = append(f, [3]int32{k, k + 1, k + 2})
	}
	return newSphereTree(v, f, 1.0/32)
}

func TestSphereTree(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	for range 50 {
		tree := shards(r, 1+r.IntN(60))
		seen := make([]bool, len(tree.faces))
		var walk func(id int32) []r3.Vec
		walk = func(id int32) []r3.Vec {
			n := &tree.nodes[id]
			var points []r3.Vec
			if n.child < 0 {
				if seen[-1-n.child] {
					t.Fatal("a triangle is twice in the tree")
				}
				seen[-1-n.child] = true
				c := tree.corners(-1 - n.child)
				points = c[:]
			} else {
				points = append(walk(n.child), walk(n.child+1)...)
			}
			if bound.Reach(points, n.Center) > n.Radius*(1+1e-15)+1e-300 {
				t.Fatalf("node %d leaves points out", id)
			}
			return points
		}
		walk(0)
		vertices, edges := 0, 0
		for i, ok := range seen {
			if !ok {
				t.Fatalf("triangle %d is not in the tree", i)
			}
			for k := range 3 {
				vertices += int(tree.own[i] >> k & 1)
				edges += int(tree.own[i] >> (3 + k) & 1)
			}
		}
		if vertices != len(tree.vertices) || edges != 3*len(tree.faces) { // shards share nothing
			t.Fatalf("%d vertices and %d edges are owned, of %d and %d", vertices, edges, len(tree.vertices),
				3*len(tree.faces))
		}
	}
}

// TestD2MLaw2SafeBeforeTOI samples the true motion before the time of contact: the triangles must
// not meet there. And after it they must, for a sample that crosses can only have come after a
// contact.
func TestD2MLaw2SafeBeforeTOI(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 1))
	var s bodies
	contacts, misses := 0, 0
	for n := range 400 {
		a, b := shards(r, 1+r.IntN(4)), shards(r, 1+r.IntN(4))
		ma, mb := gentle(r), gentle(r)
		mb.Position = r3.Add(mb.Position, r3.Vec{X: 5})
		mb.Velocity = r3.Sub(mb.Velocity, r3.Vec{X: 6})
		o := options{epsilon: 1e-13, spheresOnly: n%5 == 4}
		if n%7 == 6 {
			o.budget = 1 + r.IntN(200)
		}
		f := s.earliest(a, b, &ma, &mb, 0, 1, o)
		if f.verdict == geom.Contact {
			contacts++
		} else if f.verdict == geom.Separate {
			misses++
		}
		for k := range 300 {
			at := float64(k) / 300
			if f.verdict != geom.Separate && at >= f.lo {
				break
			}
			if crossing(a, b, &ma, &mb, at) {
				t.Fatalf("case %d: %+v, but the bodies cross at %v", n, f, at)
			}
		}
		if f.verdict == geom.Contact && !f.initial && !o.spheresOnly && o.budget == 0 {
			if d := gap(a, b, &ma, &mb, f); d > 1e-11 {
				t.Fatalf("case %d: %+v, but the faces are %v apart", n, f, d)
			}
		}
	}
	if contacts < 100 || misses < 20 {
		t.Errorf("%d contacts and %d misses: nothing much was tested", contacts, misses)
	}
}

// crossing reports that an edge of one body surely intersects a face of the other at the time t.
func crossing(a, b *sphereTree, ma, mb *rigid.Motion, t float64) bool {
	for i := range a.faces {
		for k := range b.faces {
			ca, cb := cornersAt(a, ma, int32(i), t), cornersAt(b, mb, int32(k), t)
			for e := range 3 {
				if pierces(ca[e], ca[(e+1)%3], cb) || pierces(cb[e], cb[(e+1)%3], ca) {
					return true
				}
			}
		}
	}
	return false
}

// intersects asks for volumes well away from zero, so that rounding does not decide.
func pierces(p, q r3.Vec, c [3]r3.Vec) bool {
	volume := func(a, b, c, d r3.Vec) float64 { return r3.Dot(r3.Sub(b, a), r3.Cross(r3.Sub(c, a), r3.Sub(d, a))) }
	const e = 1e-12
	x, y := volume(p, c[0], c[1], c[2]), volume(q, c[0], c[1], c[2])
	if !(x > e && y < -e || x < -e && y > e) {
		return false
	}
	u, v, w := volume(p, q, c[0], c[1]), volume(p, q, c[1], c[2]), volume(p, q, c[2], c[0])
	return u > e && v > e && w > e || u < -e && v < -e && w < -e
}

// gap is the distance of the two faces found, at the time found: of all edges, and of the corners
// from the faces.
func gap(a, b *sphereTree, ma, mb *rigid.Motion, f found) float64 {
	ca, cb := cornersAt(a, ma, f.faces[0], f.lo), cornersAt(b, mb, f.faces[1], f.lo)
	least := math.Inf(1)
	for i := range 3 {
		for k := range 3 {
			least = min(least, r3.Norm(closest(ca[i], ca[(i+1)%3], cb[k], cb[(k+1)%3])))
		}
		least = min(least, height(ca[i], cb), height(cb[i], ca))
	}
	return least
}

// height is how far p is from the face, +Inf where it does not lie over it.
func height(p r3.Vec, c [3]r3.Vec) float64 {
	n := r3.Cross(r3.Sub(c[1], c[0]), r3.Sub(c[2], c[0]))
	for k := range 3 {
		if r3.Dot(r3.Cross(r3.Sub(c[(k+1)%3], c[k]), r3.Sub(p, c[k])), n) < 0 {
			return math.Inf(1)
		}
	}
	return math.Abs(r3.Dot(r3.Unit(n), r3.Sub(p, c[0])))
}

// TestD2MCache: the pair that met last is tested first, the answer is the same but for the last
// bits, and all in all it is found sooner.
func TestD2MCache(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 1))
	used, steps := 0, [2]int{}
	for range 50 {
		a, b := shards(r, 20), shards(r, 20)
		ma, mb := gentle(r), gentle(r)
		mb.Position, mb.Velocity = r3.Vec{X: 8}, r3.Vec{X: -9}
		var s bodies
		o := options{epsilon: 1e-12}
		cold := s.earliest(a, b, &ma, &mb, 0, 1, o)
		if s.warm {
			used++
		}
		warm := s.earliest(a, b, &ma, &mb, 0, 1, o)
		if cold.verdict != warm.verdict || math.Abs(cold.lo-warm.lo) > 2e-12 {
			t.Fatalf("cold %+v, warm %+v", cold, warm)
		}
		steps[0], steps[1] = steps[0]+cold.steps, steps[1]+warm.steps
	}
	if steps[1] > steps[0]-steps[0]/20 {
		t.Errorf("%d steps without the cache, %d with it", steps[0], steps[1])
	}
	if used < 10 {
		t.Errorf("the cache was used %d times", used)
	}
}

// A cube that lands flat on another: faces in one plane, parallel edges, and many features at once.
func TestD2MParallelFeatures(t *testing.T) {
	var v []r3.Vec
	for i := range 8 {
		v = append(v, r3.Vec{X: float64(i & 1), Y: float64(i >> 1 & 1), Z: float64(i >> 2)})
	}
	f := [][3]int32{{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6}, {0, 2, 6},
		{0, 6, 4}, {1, 3, 7}, {1, 7, 5}}
	cube := newSphereTree(v, f, 1.0/32)
	still := rigid.Motion{Rotation: quat.Number{Real: 1}}
	for _, c := range []struct {
		from, velocity, spin r3.Vec
		toi                  float64
	}{
		{r3.Vec{Z: 3}, r3.Vec{Z: -4}, r3.Vec{}, 0.5},                    // face on face
		{r3.Vec{X: 1, Z: 3}, r3.Vec{Z: -4}, r3.Vec{}, 0.5},              // edge on edge
		{r3.Vec{X: 0.5, Y: 0.25, Z: 3}, r3.Vec{Z: -4}, r3.Vec{}, 0.5},   // face on face, shifted
		{r3.Vec{X: 1 + 1e-9, Z: 3}, r3.Vec{Z: -4}, r3.Vec{}, 2},         // beside it
		{r3.Vec{Z: 1 + 1e-9}, r3.Vec{}, r3.Vec{}, 2},                    // just above, at rest
		{r3.Vec{Z: 1 + 1e-9}, r3.Vec{}, r3.Vec{Z: 1}, 2},                // just above, spinning
		{r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, r3.Vec{X: 1}, r3.Vec{Z: 1}, 0}, // inside one another
	} {
		m := rigid.Motion{Rotation: quat.Number{Real: 1}, Position: c.from, Velocity: c.velocity,
			AngularVelocity: c.spin}
		var s bodies
		got := s.earliest(cube, cube, &still, &m, 0, 1, options{epsilon: 1e-13, budget: 1 << 20})
		if c.toi > 1 {
			if got.verdict != geom.Separate {
				t.Errorf("%+v: %+v, they never meet", c, got)
			}
		} else if got.verdict != geom.Contact || got.lo > c.toi || got.lo < c.toi-1e-12 {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
