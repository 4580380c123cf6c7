package rigid_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// boxOfCells returns the triangles of a box, whose faces are cut by a grid of n x n cells and the
// other diagonal in some, in an order that r draws.
func boxOfCells(half r3.Vec, n int, r *rand.Rand) (list [][3]r3.Vec) {
	at := func(axis int, sign, u, v float64) r3.Vec {
		c := [3]float64{}
		c[axis], c[(axis+1)%3], c[(axis+2)%3] = sign, u, v
		return r3.Vec{X: c[0] * half.X, Y: c[1] * half.Y, Z: c[2] * half.Z}
	}
	for axis := range 3 {
		for _, sign := range []float64{-1, 1} {
			for i := range n {
				for j := range n {
					lo := func(k int) float64 { return 2*float64(k)/float64(n) - 1 }
					a, b := at(axis, sign, lo(i), lo(j)), at(axis, sign, lo(i+1), lo(j))
					c, d := at(axis, sign, lo(i+1), lo(j+1)), at(axis, sign, lo(i), lo(j+1))
					if sign < 0 {
						b, d = d, b
					}
					if r != nil && r.IntN(2) == 0 {
						list = append(list, [3]r3.Vec{a, b, d}, [3]r3.Vec{b, c, d})
					} else {
						list = append(list, [3]r3.Vec{a, b, c}, [3]r3.Vec{a, c, d})
					}
				}
			}
		}
	}
	if r != nil {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

func bodyOf(t testing.TB, tri [][3]r3.Vec) *rigid.Body {
	t.Helper()
	p := pair{}
	p.tri[0] = tri
	return p.body(0)
}

func poseAt(x, y, z float64) geom.Pose {
	return geom.Pose{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: x, Y: y, Z: z}}
}

func turned(axis r3.Vec, angle float64, p geom.Pose) geom.Pose {
	s, c := math.Sincos(angle / 2)
	n := geom.Norm(axis)
	p.Rotation = quat.Number{Real: c, Imag: s * axis.X / n, Jmag: s * axis.Y / n, Kmag: s * axis.Z / n}
	return p
}

func manifoldOf(t testing.TB, a *rigid.Body, pa geom.Pose, b *rigid.Body, pb geom.Pose, tol float64, reduce bool,
) rigid.Manifold {
	t.Helper()
	m, err := new(rigid.Ruler).Manifold(a, &pa, b, &pb, rigid.ManifoldOptions{Tolerance: tol, Reduce: reduce})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// has reports whether a manifold has a point at a place with a normal.
func has(m *rigid.Manifold, at, n r3.Vec, within float64) bool {
	for _, p := range m.Points {
		if geom.Norm(r3.Sub(p.PointA, at)) <= within && geom.Norm(r3.Sub(p.PointB, at)) <= within &&
			geom.Norm(r3.Sub(p.Normal, n)) <= 1e-9 {
			return true
		}
	}
	return false
}

var up = r3.Vec{Z: 1}

// A stack of two boxes, aligned, shifted and turned: the corners of the area that both share.
func TestManifoldOfAStack(t *testing.T) {
	box := bodyOf(t, boxOfCells(r3.Vec{X: 1, Y: 1, Z: 1}, 1, nil))
	m := manifoldOf(t, box, poseAt(0, 0, 2), box, poseAt(0, 0, 0), 1e-6, false)
	if len(m.Points) != 4 || m.Groups != 1 || m.Flags != 0 {
		t.Errorf("aligned: %d points, %d groups, flags %d: %+v", len(m.Points), m.Groups, m.Flags, m.Points)
	}
	for _, x := range []float64{-1, 1} {
		for _, y := range []float64{-1, 1} {
			if !has(&m, r3.Vec{X: x, Y: y, Z: 1}, up, 1e-9) {
				t.Errorf("no point at %v, %v: %+v", x, y, m.Points)
			}
		}
	}
	m = manifoldOf(t, box, poseAt(0.5, 0.25, 2), box, poseAt(0, 0, 0), 1e-6, false)
	if len(m.Points) != 4 || !has(&m, r3.Vec{X: -0.5, Y: -0.75, Z: 1}, up, 1e-9) ||
		!has(&m, r3.Vec{X: 1, Y: 1, Z: 1}, up, 1e-9) || !has(&m, r3.Vec{X: 1, Y: -0.75, Z: 1}, up, 1e-9) {
		t.Errorf("shifted: %+v", m.Points)
	}
	// Turned by an eighth: an octagon of crossing edges.
	m = manifoldOf(t, box, turned(up, math.Pi/4, poseAt(0, 0, 2)), box, poseAt(0, 0, 0), 1e-6, false)
	if len(m.Points) != 8 || m.Groups != 1 || !has(&m, r3.Vec{X: 1, Y: math.Sqrt2 - 1, Z: 1}, up, 1e-9) {
		t.Errorf("turned: %d points, %+v", len(m.Points), m.Points)
	}
	m = manifoldOf(t, box, turned(up, math.Pi/4, poseAt(0, 0, 2)), box, poseAt(0, 0, 0), 1e-6, true)
	if len(m.Points) != 4 {
		t.Errorf("reduced: %+v", m.Points)
	}
	// A gap within the tolerance, and an overlap within it.
	for _, gap := range []float64{5e-7, -5e-7} {
		m = manifoldOf(t, box, poseAt(0.5, 0.25, 2+gap), box, poseAt(0, 0, 0), 1e-6, false)
		if len(m.Points) != 4 {
			t.Fatalf("gap %v: %+v", gap, m.Points)
		}
		for _, p := range m.Points {
			if !(p.GapLo <= gap+1e-15 && p.GapHi >= gap-1e-15 && p.GapHi-p.GapLo < 1e-11) || p.Normal != up {
				t.Errorf("gap %v: %+v", gap, p)
			}
		}
		if crossing := m.Flags&rigid.ManifoldCrossing != 0; crossing != (gap < 0) {
			t.Errorf("gap %v: flags %d", gap, m.Flags)
		}
	}
	if m = manifoldOf(t, box, poseAt(0.5, 0.25, 2+2e-6), box, poseAt(0, 0, 0), 1e-6, false); len(m.Points) != 0 {
		t.Errorf("apart: %+v", m.Points)
	}
	m = manifoldOf(t, box, poseAt(0.5, 0.25, 1.5), box, poseAt(0, 0, 0), 1e-6, false)
	if m.Flags != rigid.ManifoldCrossing {
		t.Errorf("deep: %+v", m)
	}
}

// A box on its edge, on its corner, and nearly flat, on a floor that is a sheet of either side.
func TestManifoldOfABoxOnAFloor(t *testing.T) {
	box := bodyOf(t, boxOfCells(r3.Vec{X: 1, Y: 1, Z: 1}, 1, nil))
	for _, swap := range []bool{false, true} {
		sheet := [3]r3.Vec{{X: -9, Y: -9}, {X: 9, Y: -9}, {Y: 9}}
		if swap {
			sheet[0], sheet[1] = sheet[1], sheet[0]
		}
		floor := bodyOf(t, [][3]r3.Vec{sheet})
		tipped := turned(r3.Vec{X: 1}, math.Pi/4, poseAt(0, 0, math.Sqrt2))
		m := manifoldOf(t, box, tipped, floor, poseAt(0, 0, 0), 1e-6, false)
		if len(m.Points) != 2 || !has(&m, r3.Vec{X: 1}, up, 1e-9) || !has(&m, r3.Vec{X: -1}, up, 1e-9) {
			t.Errorf("on its edge: %+v", m.Points)
		}
		tipped = turned(r3.Vec{X: 1, Y: -1}, math.Acos(1/math.Sqrt(3)), poseAt(0, 0, math.Sqrt(3)))
		m = manifoldOf(t, box, tipped, floor, poseAt(0, 0, 0), 1e-6, false)
		if len(m.Points) != 1 || !has(&m, r3.Vec{}, up, 1e-9) {
			t.Errorf("on its corner: %+v", m.Points)
		}
		m = manifoldOf(t, box, turned(r3.Vec{X: 1}, 1e-7, poseAt(0, 0, 1+1e-7)), floor, poseAt(0, 0, 0), 1e-6, true)
		if len(m.Points) != 4 || m.Groups != 1 {
			t.Errorf("nearly flat: %+v", m.Points)
		}
	}
}

// A box in a groove, whose bottom both walls meet in: every wall has its points, at the bottom too.
// Boxes of one size that overlap with faces in common planes have no points, and say that they
// cross; one that is equal, or only touches, has its own answer.
func TestManifoldOfBoxesWithFacesInCommonPlanes(t *testing.T) {
	box := bodyOf(t, boxOfCells(r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}, 1, nil))
	var ruler rigid.Ruler
	for _, c := range []struct {
		at       geom.Pose
		crossing bool
	}{
		{poseAt(0.5, 0, 0), true}, {poseAt(0, 0, 0.999), true}, {poseAt(0, 0, 0), true}, {poseAt(0.25, 0.5, 0), true},
		{poseAt(0, 0, 1.5), false}, {poseAt(0, 0, 1), false}, {poseAt(1, 1, 0), false},
	} {
		zero := poseAt(0, 0, 0)
		m, err := ruler.Manifold(box, &zero, box, &c.at, rigid.ManifoldOptions{Tolerance: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		if crossing := m.Flags&rigid.ManifoldCrossing != 0; crossing != c.crossing {
			t.Errorf("%v: %d points, flags %d", c.at.Position, len(m.Points), m.Flags)
		}
	}
}

func TestManifoldInAGroove(t *testing.T) {
	box := bodyOf(t, boxOfCells(r3.Vec{X: 1, Y: 1, Z: 1}, 1, nil))
	// A block with a notch: the profile in y and z, swept along x.
	profile := [][2]float64{{0, 0}, {3, 3}, {3, -2}, {-3, -2}, {-3, 3}}
	var tri [][3]r3.Vec
	at := func(x float64, k int) r3.Vec {
		p := profile[k%len(profile)]
		return r3.Vec{X: x, Y: p[0], Z: p[1]}
	}
	for k := range profile {
		a, b, c, d := at(-4, k), at(4, k), at(4, k+1), at(-4, k+1)
		tri = append(tri, [3]r3.Vec{a, b, c}, [3]r3.Vec{a, c, d})
	}
	for _, f := range [][3]int{{0, 2, 1}, {0, 3, 2}, {0, 4, 3}} {
		tri = append(tri, [3]r3.Vec{at(4, f[0]), at(4, f[1]), at(4, f[2])},
			[3]r3.Vec{at(-4, f[0]), at(-4, f[2]), at(-4, f[1])})
	}
	block := bodyOf(t, tri)
	tipped := turned(r3.Vec{X: 1}, math.Pi/4, poseAt(0, 0, math.Sqrt2))
	m := manifoldOf(t, box, tipped, block, poseAt(0, 0, 0), 1e-6, false)
	if m.Groups != 2 || len(m.Points) != 8 {
		t.Errorf("%d groups, %d points: %+v", m.Groups, len(m.Points), m.Points)
	}
	for _, x := range []float64{-1, 1} {
		for _, side := range []float64{-1, 1} {
			n := r3.Vec{Y: -side * math.Sqrt2 / 2, Z: math.Sqrt2 / 2}
			for _, far := range []float64{0, math.Sqrt2} {
				if !has(&m, r3.Vec{X: x, Y: side * far, Z: far}, n, 1e-9) {
					t.Errorf("no point at %v, %v on side %v: %+v", x, far, side, m.Points)
				}
			}
		}
	}
}

// Two boxes that touch along parallel edges, or edge to edge across, have one normal between.
func TestManifoldOfEdges(t *testing.T) {
	box := bodyOf(t, boxOfCells(r3.Vec{X: 1, Y: 1, Z: 1}, 1, nil))
	tilted := func(z float64) geom.Pose { return turned(r3.Vec{X: 1}, math.Pi/4, poseAt(0, 0, z)) }
	m := manifoldOf(t, box, tilted(2*math.Sqrt2), box, tilted(0), 1e-6, false)
	if len(m.Points) != 2 || !has(&m, r3.Vec{X: 1, Z: math.Sqrt2}, up, 1e-9) ||
		!has(&m, r3.Vec{X: -1, Z: math.Sqrt2}, up, 1e-9) {
		t.Errorf("parallel: %+v", m.Points)
	}
	m = manifoldOf(t, box, turned(r3.Vec{Y: 1}, math.Pi/4, poseAt(0.25, 0, 2*math.Sqrt2)), box, tilted(0), 1e-6, false)
	if len(m.Points) != 1 || !has(&m, r3.Vec{X: 0.25, Z: math.Sqrt2}, up, 1e-9) ||
		m.Points[0].FeatureA < 3 || m.Points[0].FeatureA == rigid.Face {
		t.Errorf("across: %+v", m.Points)
	}
}

// A cylinder on a box: standing, lying, and as shapes with radii and deviations.
func TestManifoldOfACylinderOnABox(t *testing.T) {
	box, err := rigid.BoxBody([3]float64{4, 4, 2})
	if err != nil {
		t.Fatal(err)
	}
	cylinder, err := rigid.Cylinder(1, 2, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	m := manifoldOf(t, cylinder, poseAt(0, 0, 2), box, poseAt(0, 0, 0), 1e-6, true)
	if len(m.Points) != 4 || m.Groups != 1 {
		t.Fatalf("standing: %+v", m)
	}
	area := 0.0
	for i := range m.Points {
		p, q := m.Points[i].PointA, m.Points[(i+1)%4].PointA
		area += math.Abs(p.X*q.Y - p.Y*q.X)
		if math.Hypot(p.X, p.Y) < 0.999 || m.Points[i].Normal != up {
			t.Errorf("%+v", m.Points[i])
		}
	}
	m = manifoldOf(t, cylinder, turned(r3.Vec{X: 1}, math.Pi/2, poseAt(0, 0, 2)), box, poseAt(0, 0, 0), 2e-3, true)
	if n := len(m.Points); m.Groups != 1 || n != 2 && n != 4 {
		t.Errorf("lying: %+v", m)
	}
	capsule, err := rigid.Capsule(0.5, 2)
	if err != nil {
		t.Fatal(err)
	}
	m = manifoldOf(t, capsule, turned(r3.Vec{X: 1}, math.Pi/2, poseAt(0, 0, 1.5)), box, poseAt(0, 0, 0), 1e-6, false)
	if len(m.Points) != 2 || !has(&m, r3.Vec{Y: 1, Z: 1}, up, 1e-9) || !has(&m, r3.Vec{Y: -1, Z: 1}, up, 1e-9) {
		t.Errorf("capsule: %+v", m)
	}
	ball, err := rigid.Sphere(0.5)
	if err != nil {
		t.Fatal(err)
	}
	x := 2 + 0.5*math.Sqrt2/2
	m = manifoldOf(t, ball, poseAt(x, 0, 1+0.5*math.Sqrt2/2), box, poseAt(0, 0, 0), 1e-6, false)
	if len(m.Points) != 1 || !has(&m, r3.Vec{X: 2, Z: 1}, r3.Vec{X: math.Sqrt2 / 2, Z: math.Sqrt2 / 2}, 1e-6) {
		t.Errorf("ball beside an edge: %+v", m)
	}
	m = manifoldOf(t, ball, poseAt(0.25, 0.5, 1), ball, poseAt(0.25, 0.5, 0), 1e-6, false)
	if len(m.Points) != 1 || !has(&m, r3.Vec{X: 0.25, Y: 0.5, Z: 0.5}, up, 1e-9) {
		t.Errorf("balls: %+v", m)
	}
}

// exactCorner is the signed distance of a corner from the plane of a triangle, as |n| times it, and
// |n|^2.
func exactCorner(x ratVec, t []ratVec) (along, square *big.Rat) {
	n := ratVec(ratCross(t[1].minus(t[0]), t[2].minus(t[0])))
	return n.dot(x.minus(t[0])), n.dot(n)
}

// holdManifold holds a manifold of two boxes to laws M1 and M2 in rational arithmetic.
func holdManifold(p *pair, m *rigid.Manifold, tol float64) error {
	for i := range m.Points {
		g := &m.Points[i]
		at := [2]r3.Vec{g.PointA, g.PointB}
		for side, face := range [2]int64{g.IndexA, g.IndexB} {
			if off := squareOfSets([]ratVec{ratVecOf(at[side])}, p.corners(side, face)); !atMost(off, g.Epsilon) {
				return fmt.Errorf("point %d of body %d is off its triangle: %+v", i, side, g)
			}
		}
		// The gap of the points, along the normal as it stands.
		gap, _ := ratVecOf(g.Normal).dot(ratVecOf(g.PointA).minus(ratVecOf(g.PointB))).Float64()
		if !(gap >= g.GapLo-4*g.Epsilon && gap <= g.GapHi+4*g.Epsilon && g.GapLo <= tol && g.GapHi >= -tol) {
			return fmt.Errorf("point %d has a gap of %v: %+v", i, gap, g)
		}
		if math.Abs(geom.Norm(g.Normal)-1) > 1e-12 {
			return fmt.Errorf("point %d has the normal %v", i, g.Normal)
		}
	}
	// Each corner of one body that is surely over a face of the other, within the tolerance, while
	// the whole body is on the outer side of that face.
	for side := range 2 {
		for _, t := range p.tri[1-side] {
			var face []ratVec
			for _, c := range t {
				face = append(face, placed(&p.poses[1-side], c))
			}
			beyond := true
			for _, u := range p.tri[side] {
				for _, c := range u {
					along, square := exactCorner(placed(&p.poses[side], c), face)
					off := new(big.Rat).Mul(along, along)
					beyond = beyond && (along.Sign() > 0 || atMost(off.Quo(off, square), 1e-9))
				}
			}
			if !beyond {
				continue
			}
			for _, u := range p.tri[side] {
				for _, c := range u {
					x := placed(&p.poses[side], c)
					if d2 := squareOfSets([]ratVec{x}, face); !atMost(d2, 0.99*tol) {
						continue
					}
					near := r3.Vec{X: toFloat(x[0]), Y: toFloat(x[1]), Z: toFloat(x[2])}
					found := false
					for i := range m.Points {
						found = found || geom.Norm(r3.Sub(m.Points[i].PointA, near)) <= 3*tol ||
							geom.Norm(r3.Sub(m.Points[i].PointB, near)) <= 3*tol
					}
					if !found {
						return fmt.Errorf("no point is near the corner %v of body %d, over a face: %+v", near, side, m)
					}
				}
			}
		}
	}
	return nil
}

func toFloat(x *big.Rat) float64 { f, _ := x.Float64(); return f }

// restingBoxes draws two boxes of which one rests on the other, or nearly, in a common pose.
func restingBoxes(r *rand.Rand) (p *pair, tol float64) {
	p = new(pair)
	tol = math.Ldexp(1, -10-r.IntN(20))
	half := [2]r3.Vec{}
	for side := range 2 {
		long := func() float64 { return 0.5 + float64(r.IntN(4))/4 }
		half[side] = r3.Vec{X: long(), Y: long(), Z: long()}
		p.tri[side] = boxOfCells(half[side], 1, nil)
	}
	gap := tol * []float64{0, 0.5, -0.5, 0.9, 0}[r.IntN(5)]
	above := geom.Pose{Rotation: quat.Number{Real: 1}, Position: r3.Vec{X: float64(r.IntN(9)-4) / 4,
		Y: float64(r.IntN(9)-4) / 4, Z: half[0].Z + half[1].Z + gap}}
	switch r.IntN(4) {
	case 0:
		above = turned(up, r.Float64(), above)
	case 1: // leaning by less than the tolerance
		above = turned(r3.Vec{X: r.Float64(), Y: 1}, tol*0.1, above)
	case 2: // It stands on an edge.
		d := math.Hypot(half[0].Y, half[0].Z)
		above.Position.Z = half[1].Z + d + gap
		above = turned(r3.Vec{X: 1}, math.Atan2(half[0].Y, half[0].Z), above)
	}
	part := func() float64 { return r.Float64() - 0.5 }
	world := quat.Number{Real: part(), Imag: part(), Jmag: part(), Kmag: part()}
	if r.IntN(3) == 0 {
		world = quat.Number{Real: 1}
	}
	away := r3.Vec{X: float64(r.IntN(3)), Y: r.Float64(), Z: r.Float64()}
	rot := geom.Rotation(world)
	move := func(q geom.Pose) geom.Pose {
		return geom.Pose{Rotation: geom.Product(world, q.Rotation), Position: r3.Add(away, rot.Apply(q.Position))}
	}
	p.poses = [2]geom.Pose{move(above), move(poseAt(0, 0, 0))}
	return p, tol
}

// alikeManifolds reports how two manifolds differ beyond rounding; sign is -1 for exchanged bodies.
func alikeManifolds(m, o *rigid.Manifold, sign, tol float64) error {
	if len(m.Points) != len(o.Points) || m.Groups != o.Groups || m.Flags != o.Flags {
		return fmt.Errorf("%d points in %d groups, flags %d, but %d in %d, flags %d", len(m.Points), m.Groups, m.Flags,
			len(o.Points), o.Groups, o.Flags)
	}
	for i := range m.Points {
		x, y := m.Points[i], o.Points[i]
		if sign < 0 {
			y.PointA, y.PointB, y.FeatureA, y.FeatureB = y.PointB, y.PointA, y.FeatureB, y.FeatureA
			y.Normal = geom.Scale(-1, y.Normal)
		}
		kind := func(f rigid.Feature) int {
			switch {
			case f < 3:
				return 0
			case f < rigid.Face:
				return 1
			}
			return 2
		}
		if geom.Norm(r3.Sub(x.PointA, y.PointA)) > tol || geom.Norm(r3.Sub(x.PointB, y.PointB)) > tol ||
			geom.Norm(r3.Sub(x.Normal, y.Normal)) > 1e-9 || x.Group != y.Group ||
			kind(x.FeatureA) != kind(y.FeatureA) || kind(x.FeatureB) != kind(y.FeatureB) {
			return fmt.Errorf("point %d: %+v, but %+v", i, x, y)
		}
	}
	return nil
}

// orderAndCuts holds a pair of boxes to law M3.
func orderAndCuts(t *testing.T, p *pair, tol float64, r *rand.Rand) {
	t.Helper()
	half := func(side int) r3.Vec { return p.tri[side][len(p.tri[side])-1][1] }
	abs := func(v r3.Vec) r3.Vec { return r3.Vec{X: math.Abs(v.X), Y: math.Abs(v.Y), Z: math.Abs(v.Z)} }
	for _, reduce := range []bool{false, true} {
		first := manifoldOf(t, p.body(0), p.poses[0], p.body(1), p.poses[1], tol, reduce)
		for _, n := range []int{1, 2, 4} {
			a, b := bodyOf(t, boxOfCells(abs(half(0)), n, r)), bodyOf(t, boxOfCells(abs(half(1)), 5-n, r))
			again := manifoldOf(t, a, p.poses[0], b, p.poses[1], tol, reduce)
			if err := alikeManifolds(&first, &again, 1, 1e-9); err != nil {
				t.Errorf("cut in %d, reduced %v: %v", n, reduce, err)
			}
			back := manifoldOf(t, b, p.poses[1], a, p.poses[0], tol, reduce)
			if err := alikeManifolds(&first, &back, -1, 1e-9); err != nil {
				t.Errorf("exchanged, cut in %d, reduced %v: %v", n, reduce, err)
			}
			a = bodyOf(t, filled(boxOfCells(abs(half(0)), n, r), r))
			b = bodyOf(t, filled(boxOfCells(abs(half(1)), 5-n, r), r))
			again = manifoldOf(t, a, p.poses[0], b, p.poses[1], tol, reduce)
			if err := alikeManifolds(&first, &again, 1, 1e-9); err != nil {
				t.Errorf("with triangles of no area, cut in %d, reduced %v: %v", n, reduce, err)
			}
		}
	}
}

// TestManifoldLaws holds manifolds of boxes to laws M1 to M3.
func TestManifoldLaws(t *testing.T) {
	cases := 60
	if testing.Short() {
		cases = 12
	}
	points := 0
	for i := range cases {
		r := rand.New(rand.NewPCG(151, uint64(i)))
		p, tol := restingBoxes(r)
		m := manifoldOf(t, p.body(0), p.poses[0], p.body(1), p.poses[1], tol, false)
		points += len(m.Points)
		if err := holdManifold(p, &m, tol); err != nil {
			t.Errorf("case %d: %v", i, err)
		}
		orderAndCuts(t, p, tol, r)
		if t.Failed() {
			t.Fatalf("case %d, tolerance %v: %+v", i, tol, p)
		}
	}
	if points < 2*cases {
		t.Errorf("%d points in %d cases", points, cases)
	}
}

// FuzzManifold holds manifolds to their laws: go test ./core/rigid -fuzz FuzzManifold.
func FuzzManifold(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, 7*i)
	}
	f.Fuzz(func(t *testing.T, seed, stream uint64) {
		r := rand.New(rand.NewPCG(seed, stream))
		p, tol := restingBoxes(r)
		m := manifoldOf(t, p.body(0), p.poses[0], p.body(1), p.poses[1], tol, false)
		if err := holdManifold(p, &m, tol); err != nil {
			t.Error(err)
		}
		orderAndCuts(t, p, tol, r)
	})
}
