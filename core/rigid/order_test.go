package rigid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/rigid"
)

// cutBox draws a way to cut the faces of a box into triangles: by a diagonal, by a fan around a
// point inside, or around a smaller face; in any order, from any corner. All corners are dyadic
// numbers.
func cutBox(r *rand.Rand, half r3.Vec) (out [][3]r3.Vec) {
	at := func(x, y, z float64) r3.Vec { return r3.Vec{X: x * half.X, Y: y * half.Y, Z: z * half.Z} }
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			on := func(u, v float64) r3.Vec {
				if side < 0 {
					u, v = v, u // wound outwards
				}
				p := [3]float64{}
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = side, u, v
				return at(p[0], p[1], p[2])
			}
			switch r.IntN(3) {
			case 0:
				a, b, c, d := on(-1, -1), on(1, -1), on(1, 1), on(-1, 1)
				if r.IntN(2) == 0 {
					a, b, c, d = b, c, d, a
				}
				out = append(out, [3]r3.Vec{a, b, c}, [3]r3.Vec{a, c, d})
			case 1:
				m := on(float64(r.IntN(7)-3)/4, float64(r.IntN(7)-3)/4)
				corner := []r3.Vec{on(-1, -1), on(1, -1), on(1, 1), on(-1, 1)}
				for i := range 4 {
					out = append(out, [3]r3.Vec{corner[i], corner[(i+1)%4], m})
				}
			case 2:
				corner := [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
				inner := func(c [2]float64) r3.Vec { return on(c[0]/2, c[1]/4) }
				for i, c := range corner {
					d := corner[(i+1)%4]
					out = append(out, [3]r3.Vec{on(c[0], c[1]), on(d[0], d[1]), inner(d)},
						[3]r3.Vec{on(c[0], c[1]), inner(d), inner(c)})
				}
				out = append(out, [3]r3.Vec{inner(corner[0]), inner(corner[1]), inner(corner[2])},
					[3]r3.Vec{inner(corner[0]), inner(corner[2]), inner(corner[3])})
			}
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	for i := range out {
		k := r.IntN(3)
		out[i] = [3]r3.Vec{out[i][k], out[i][(k+1)%3], out[i][(k+2)%3]}
	}
	return out
}

// answers is what is said of two bodies at poses.
type answers struct {
	gap         rigid.GapGradient
	meets       bool
	containment rigid.Relation
}

func ask(t *testing.T, p *pair, swapped bool) (x answers) {
	t.Helper()
	var s rigid.Ruler
	first, second := 0, 1
	if swapped {
		first, second = 1, 0
	}
	a, b := p.body(first), p.body(second)
	err := s.DistanceGradient(a, &p.poses[first], b, &p.poses[second], rigid.DistanceOptions{}, &x.gap)
	if err == nil {
		x.meets, err = s.Intersects(a, &p.poses[first], b, &p.poses[second])
	}
	if err != nil {
		t.Fatal(err)
	}
	still := func(side int) rigid.Motion {
		return rigid.Motion{Rotation: p.poses[side].Rotation, Position: p.poses[side].Position}
	}
	out := make([]rigid.Relation, 1)
	ma, mb := []rigid.Motion{still(first)}, []rigid.Motion{still(second)}
	if err := rigid.Containment(a, b, ma, mb, 0, out, new(engine.CallOptions)); err != nil {
		t.Fatal(err)
	}
	x.containment = out[0]
	if swapped {
		g := &x.gap
		g.Gap.Normal = geom.Scale(-1, g.Gap.Normal)
		g.PositionA, g.PositionB, g.RotationA, g.RotationB = g.PositionB, g.PositionA, g.RotationB, g.RotationA
		switch x.containment {
		case rigid.Inside:
			x.containment = rigid.Contains
		case rigid.Contains:
			x.containment = rigid.Inside
		}
	}
	return x
}

// agree reports whether two answers about the same solids are one.
func agree(x, y *answers) bool {
	g, h := &x.gap, &y.gap
	near := func(a, b r3.Vec) bool { return geom.Norm(r3.Sub(a, b)) < 1e-10 }
	ok := x.meets == y.meets && x.containment == y.containment && g.State == h.State &&
		g.Gap.Flags == h.Gap.Flags && g.Gap.Lo <= h.Gap.Hi && h.Gap.Lo <= g.Gap.Hi
	if g.State == gradient.Defined {
		ok = ok && near(g.PositionA, h.PositionA) && near(g.RotationA, h.RotationA) && near(g.RotationB, h.RotationB)
	}
	return ok
}

// holdOrder asks of the same two boxes in several cuts and both orders.
func holdOrder(t *testing.T, seed, stream uint64) (meets, touches bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, stream))
	size := func() r3.Vec {
		return r3.Vec{X: float64(1+r.IntN(4)) / 4, Y: float64(1+r.IntN(4)) / 4, Z: float64(1+r.IntN(4)) / 4}
	}
	half := [2]r3.Vec{size(), size()}
	var poses [2]geom.Pose
	for side := range 2 {
		q := quat.Number{Real: 1}
		if r.IntN(2) == 0 { // Rotations by quaternions of small integers are rational, so contacts stay exact.
			q = quat.Number{Real: float64(r.IntN(3)), Imag: float64(r.IntN(3)), Kmag: float64(1 + r.IntN(2))}
		}
		poses[side] = geom.Pose{Rotation: q,
			Position: r3.Vec{X: float64(r.IntN(9)-4) / 4, Y: float64(r.IntN(9)-4) / 4, Z: float64(r.IntN(9)-4) / 4}}
	}
	var first *answers
	for i := range 4 {
		p := &pair{tri: [2][][3]r3.Vec{cutBox(r, half[0]), cutBox(r, half[1])}, poses: poses}
		x := ask(t, p, i%2 == 1)
		if first == nil {
			first = &x
			continue
		}
		if !agree(first, &x) {
			t.Errorf("seed %d, stream %d, cut %d:\n%+v\n%+v", seed, stream, i, *first, x)
		}
		if touching := first.meets && !overlap(poses, half); touching && x.meets {
			touches = true
			if d := geom.Norm(r3.Sub(first.gap.Gap.Normal, x.gap.Gap.Normal)); d > 1e-9 {
				t.Errorf("seed %d, stream %d, cut %d: normal %v, then %v", seed, stream, i, first.gap.Gap.Normal,
					x.gap.Gap.Normal)
			}
		}
	}
	return first.meets, touches
}

// overlap reports whether the insides of two boxes share a point: whether boxes that are 1e-6
// smaller share one.
func overlap(poses [2]geom.Pose, half [2]r3.Vec) bool {
	r := rand.New(rand.NewPCG(1, 1))
	p := &pair{poses: poses}
	for side := range 2 {
		p.tri[side] = cutBox(r, geom.Scale(1-1e-6, half[side]))
	}
	var s rigid.Ruler
	ok, err := s.Intersects(p.body(0), &poses[0], p.body(1), &poses[1])
	return err != nil || ok
}

// Law B7.
func TestDistanceLaw7OrderAndCuts(t *testing.T) {
	cases := uint64(400)
	if testing.Short() {
		cases = 100
	}
	met, touched := uint64(0), uint64(0)
	for i := range cases {
		meets, touches := holdOrder(t, 91, i)
		if meets {
			met++
		}
		if touches {
			touched++
		}
	}
	if met < cases/4 || met > 3*cases/4 || touched < cases/20 {
		t.Errorf("of %d pairs %d meet and %d touch", cases, met, touched)
	}
}

// FuzzDistanceOrderAndCuts holds answers to law B7: go test ./core/rigid -fuzz
// FuzzDistanceOrderAndCuts.
func FuzzDistanceOrderAndCuts(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, 5*i)
	}
	f.Fuzz(func(t *testing.T, seed, stream uint64) { holdOrder(t, seed, stream) })
}

// TestDistanceNormalOfBoxes: the normal is that of the faces, whatever sides lie in one plane.
func TestDistanceNormalOfBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(92, 1))
	var s rigid.Ruler
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			for _, u := range []float64{-1.5, -1, 0, 0.5, 1} {
				for _, v := range []float64{-1, -0.5, 0, 1, 1.5} {
					at := [3]float64{}
					at[axis], at[(axis+1)%3], at[(axis+2)%3] = 2*side, u, v
					want := [3]float64{}
					want[axis] = -side
					ones := r3.Vec{X: 1, Y: 1, Z: 1}
					p := &pair{tri: [2][][3]r3.Vec{cutBox(r, ones), cutBox(r, ones)},
						poses: [2]geom.Pose{{Rotation: quat.Number{Real: 1}},
							{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: at[0], Y: at[1], Z: at[2]}}}}
					var g rigid.Gap
					err := s.Distance(p.body(0), &p.poses[0], p.body(1), &p.poses[1], rigid.DistanceOptions{}, &g)
					if err != nil || g.Flags != rigid.GapIntersecting {
						t.Fatalf("%+v, %v", g, err)
					}
					d := r3.Sub(g.Normal, r3.Vec{X: want[0], Y: want[1], Z: want[2]})
					if !(geom.Norm(d) < 1e-12) || math.Signbit(g.Normal.X) && g.Normal.X == 0 {
						t.Errorf("at %v: normal %v", at, g.Normal)
					}
				}
			}
		}
	}
}

// Nothing parts a box from the two walls of the groove that it fills: the normal is that of a pair
// of triangles that touch, either way, and the negative one with the bodies exchanged.
func TestDistanceNormalInAGroove(t *testing.T) {
	r := rand.New(rand.NewPCG(92, 2))
	quad := func(p, u, v r3.Vec) [][3]r3.Vec {
		q, w, x := r3.Add(p, u), r3.Add(p, v), r3.Add(r3.Add(p, u), v)
		return [][3]r3.Vec{{p, q, x}, {p, x, w}}
	}
	x, y, z := r3.Vec{X: 4}, r3.Vec{Y: 4}, r3.Vec{Z: 4}
	groove := append(quad(r3.Vec{X: -1, Y: -2, Z: -1}, x, y), quad(r3.Vec{X: -1, Y: -2, Z: -1}, y, z)...)
	var s rigid.Ruler
	for range 50 {
		p := &pair{tri: [2][][3]r3.Vec{cutBox(r, r3.Vec{X: 1, Y: 1, Z: 1}), groove},
			poses: [2]geom.Pose{{Rotation: quat.Number{Real: 1}}, {Rotation: quat.Number{Real: 1}}}}
		var g, back rigid.Gap
		err := s.Distance(p.body(0), &p.poses[0], p.body(1), &p.poses[1], rigid.DistanceOptions{}, &g)
		if err != nil || g.Flags != rigid.GapIntersecting {
			t.Fatalf("%+v, %v", g, err)
		}
		err = s.Distance(p.body(1), &p.poses[1], p.body(0), &p.poses[0], rigid.DistanceOptions{}, &back)
		if err != nil {
			t.Fatal(err)
		}
		if n := g.Normal; !(math.Abs(math.Abs(n.X)+math.Abs(n.Z)-1) < 1e-12 && math.Abs(n.X*n.Z) < 1e-12) ||
			!(geom.Norm(r3.Add(n, back.Normal)) < 1e-12) {
			t.Errorf("%+v, exchanged %+v", g, back)
		}
	}
}

// Two equal cubes at one place touch with all of their faces: the normal is a unit all the same.
func TestDistanceNormalOfEqualCubes(t *testing.T) {
	r := rand.New(rand.NewPCG(92, 3))
	var s rigid.Ruler
	for range 50 {
		p := &pair{tri: [2][][3]r3.Vec{cutBox(r, r3.Vec{X: 1, Y: 1, Z: 1}), cutBox(r, r3.Vec{X: 1, Y: 1, Z: 1})},
			poses: [2]geom.Pose{{Rotation: quat.Number{Real: 1}}, {Rotation: quat.Number{Real: 1}}}}
		var g rigid.Gap
		err := s.Distance(p.body(0), &p.poses[0], p.body(1), &p.poses[1], rigid.DistanceOptions{}, &g)
		if err != nil || g.Flags != rigid.GapIntersecting {
			t.Fatalf("%+v, %v", g, err)
		}
		if !(math.Abs(geom.Norm(g.Normal)-1) < 1e-12) {
			t.Errorf("%+v", g)
		}
	}
}
