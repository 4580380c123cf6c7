package robot

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

func nearTriangle(r *rand.Rand, n int) primitive {
	p := primitive{n: n}
	for k := range p.x {
		p.x[k] = randomVec(r, 1)
		if k >= n {
			p.x[k] = p.x[0]
		}
	}
	return p
}

// A crossing that is certain within e stays one wherever the vertices are within e.
func TestCertainCrossingsStayCrossings(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	certain, close := 0, 0
	for range 20000 {
		pa, pb := nearTriangle(r, 2+r.IntN(2)), nearTriangle(r, 3)
		e := math.Pow(10, -9+8*r.Float64())
		_, ok := crosses(&pa, &pa.x, &pb, e)
		if !ok {
			continue
		}
		certain++
		for range 4 {
			var a, b [3]bigVec
			for k := range 3 {
				a[k] = bigOf(r3.Add(pa.x[k], geom.Scale(0.999*e, normalized(randomVec(r, 1)))))
				b[k] = bigOf(r3.Add(pb.x[k], geom.Scale(0.999*e, normalized(randomVec(r, 1)))))
			}
			if pa.n == 2 {
				a[2] = a[0]
			}
			if !bigCrosses(&a, &b) {
				t.Fatalf("a certain crossing with e = %g is none for moved vertices", e)
			}
		}
		if _, ok := crosses(&pa, &pa.x, &pb, 3*e); !ok {
			close++
		}
	}
	if certain < 500 || close == 0 {
		t.Errorf("%d certain crossings, %d of them close", certain, close)
	}
}

// The points of nearest are on their primitives, and no random points are nearer.
func TestNearestPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 3000 {
		pa, pb := nearTriangle(r, 1+r.IntN(3)), nearTriangle(r, 1+r.IntN(3))
		if _, ok := crosses(&pa, &pa.x, &pb, 0); ok {
			continue
		}
		c := nearest(&pa, &pa.x, &pb)
		d := math.Sqrt(c.square)
		for range 40 {
			if other := geom.Norm(r3.Sub(randomPoint(r, &pa), randomPoint(r, &pb))); other < d-1e-12 {
				t.Fatalf("%d and %d vertices: points at %g, nearest at %g", pa.n, pb.n, other, d)
			}
		}
		for _, on := range []struct {
			p *primitive
			x r3.Vec
		}{{&pa, c.x}, {&pb, c.y}} {
			if off := offPrimitive(on.p, on.x); off > 16*unit*4 {
				t.Fatalf("a nearest point is %g off its primitive", off)
			}
		}
		// What is near for certain is so with less, and not with more than the gap.
		within := func(s float64, e float64) bool {
			how, _ := contactOf(&pa, &pa.x, &pb, e, 0, s)
			return how == Near
		}
		if !within(d+1e-9, 0) || within(d-1e-9, 0) || within(d+1e-9, 2e-9) || !within(d+3e-9, 2e-9) {
			t.Fatalf("nearness at %g", d)
		}
	}
}

// offPrimitive bounds the distance of a point from a primitive: that from the point with the
// clamped coordinates in its plane, in numbers of 300 bits.
func offPrimitive(p *primitive, x r3.Vec) float64 {
	o, u, v := bigOf(p.x[0]), bigOf(p.x[1]), bigOf(p.x[2])
	u, v = u.minus(o), v.minus(o)
	w := bigOf(x).minus(o)
	clamp := func(x *big.Float) *big.Float {
		if x.Sign() < 0 {
			return newBig(0)
		}
		if x.Cmp(newBig(1)) > 0 {
			return newBig(1)
		}
		return x
	}
	switch p.n {
	case 1:
		return w.norm()
	case 2:
		return w.minus(u.times(clamp(quo(w.dot(u), u.dot(u))))).norm()
	}
	det := sub(mul(u.dot(u), v.dot(v)), mul(u.dot(v), u.dot(v)))
	s := clamp(quo(sub(mul(w.dot(u), v.dot(v)), mul(w.dot(v), u.dot(v))), det))
	t := clamp(quo(sub(mul(w.dot(v), u.dot(u)), mul(w.dot(u), u.dot(v))), det))
	if sum := add(s, t); sum.Cmp(newBig(1)) > 0 {
		s, t = quo(s, sum), quo(t, sum)
	}
	return w.minus(u.times(s)).minus(v.times(t)).norm()
}

// winding is the definition: the sum of the solid angles of all triangles.
func winding(s *solid, p r3.Vec) float64 {
	sum := 0.0
	for _, f := range s.faces {
		a, b, c := r3.Sub(s.x[f[0]], p), r3.Sub(s.x[f[1]], p), r3.Sub(s.x[f[2]], p)
		la, lb, lc := geom.Norm(a), geom.Norm(b), geom.Norm(c)
		det := geom.Dot(a, geom.Cross(b, c))
		den := la*lb*lc + geom.Dot(a, b)*lc + geom.Dot(b, c)*la + geom.Dot(c, a)*lb
		sum += 2 * math.Atan2(det, den)
	}
	return sum / (4 * math.Pi)
}

// Points inside of closed shapes agree with solid angles; so do points in line with edges and
// vertices, where rays along an axis meet them.
func TestPointsInsideShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	count := [2]int{}
	for trial := range 60 {
		shape := blob(r, 4, 0.6, r3.Vec{})
		if trial%3 == 0 {
			shape = boxShape(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, identity, r3.Vec{})
		}
		faces := shape.Faces
		if trial%2 == 0 { // The shape is inside out.
			faces = nil
			for _, f := range shape.Faces {
				faces = append(faces, [3]int32{f[1], f[0], f[2]})
			}
		}
		if !closed(faces) {
			t.Fatal("the shape is not closed")
		}
		s := newSolid(shape.Vertices, faces)
		for range 50 {
			p := randomVec(r, 0.8)
			switch r.IntN(3) {
			case 0:
				p = r3.Vec{X: p.X} // It is in line with middles of faces and vertices
			case 1:
				v := shape.Vertices[r.IntN(len(shape.Vertices))]
				p = r3.Vec{X: p.X, Y: v.Y, Z: v.Z}
			}
			want := winding(&s, p)
			if math.Abs(want-math.Round(want)) > 1e-6 {
				continue // It is on the surface.
			}
			inside := math.Abs(want) > 0.5
			if got := s.holds(p); got != inside {
				t.Fatalf("trial %d: %v inside %v, winding number %g", trial, p, got, want)
			}
			if inside {
				count[1]++
			} else {
				count[0]++
			}
		}
	}
	if count[0] < 300 || count[1] < 300 {
		t.Errorf("%v", count)
	}
}

// Bodies inside of others are found from both sides, in all frames.
func TestContainment(t *testing.T) {
	cage := boxShape(r3.Vec{X: 2, Y: 2, Z: 2}, identity, r3.Vec{})
	grain := boxShape(r3.Vec{X: 0.01, Y: 0.01, Z: 0.01}, identity, r3.Vec{})
	lid := Shape{Vertices: cage.Vertices, Faces: cage.Faces[1:]}
	turn := Joint{Kind: Revolute, Child: 1, Factor: 1, Axis: r3.Vec{Z: 1}, Rotation: identity}
	fixed := Joint{Child: 2, Rotation: rpy(0.3, 0.2, 0.1), Position: r3.Vec{X: 0.1}}
	second := Joint{Kind: Revolute, Parent: 1, Child: 3, Factor: 1, Axis: r3.Vec{X: 1}, Rotation: identity}
	for _, c := range []struct {
		name   string
		a, b   Body
		inside bool
		first  int
	}{
		{"a link in a cage", Body{1, []Shape{grain}}, Body{Scene, []Shape{cage}}, true, 0},
		{"a grain in a link", Body{1, []Shape{cage}}, Body{Scene, []Shape{grain}}, true, 1},
		{"a link in an open cage", Body{1, []Shape{grain}}, Body{Scene, []Shape{lid}}, false, 0},
		{"a link in a cage on the base", Body{1, []Shape{grain}}, Body{2, []Shape{cage}}, true, 0},
		{"a link in a link", Body{3, []Shape{grain}}, Body{1, []Shape{cage}}, true, 0},
		{"a link around a link", Body{3, []Shape{cage}}, Body{1, []Shape{grain}}, true, 1},
		{"two grains in a link, one touches nothing", Body{3, []Shape{cage}},
			Body{1, []Shape{boxShape(r3.Vec{X: 0.1, Y: 0.1, Z: 0.1}, identity, r3.Vec{X: 9}), grain}}, true, 1},
		{"a ball in a cage", Body{1, []Shape{balls(0.1, r3.Vec{X: 0.5})}}, Body{Scene, []Shape{cage}}, true, 0},
	} {
		m := &Model{Links: 4, Variables: 1, Joints: []Joint{turn, fixed, second}, Bodies: []Body{c.a, c.b},
			Pairs: [][2]int{{0, 1}}}
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, any := range []bool{false, true} {
			o := DefaultOptions()
			o.Any = any
			got, err := NewWorker(robot).Check([]float64{0}, []float64{0.5}, &o)
			if err != nil || (got.Verdict == Collides) != c.inside {
				t.Errorf("%s: %+v, %v", c.name, got, err)
			}
			if c.inside && (got.How != Inside || got.S != 0 || got.A != c.first) {
				t.Errorf("%s: %+v", c.name, got)
			}
		}
	}
}
