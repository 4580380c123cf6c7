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
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// block is a box of whole eighths, turned by a quaternion of small whole numbers: its places are
// rational.
type block struct {
	half, at [3]int64 // lengths in eighths
	turn     [4]int64 // w, x, y, z
}

func (b *block) motion() rigid.Motion {
	return rigid.Motion{
		Rotation: quat.Number{Real: float64(b.turn[0]), Imag: float64(b.turn[1]), Jmag: float64(b.turn[2]),
			Kmag: float64(b.turn[3])},
		Position: r3.Vec{X: float64(b.at[0]) / 8, Y: float64(b.at[1]) / 8, Z: float64(b.at[2]) / 8},
	}
}

// surface returns the surface of the block, each face cut n times along each side.
func (b *block) surface(n int) (s rigids.Solid) {
	for axis := range 3 {
		for _, sign := range []float64{-1, 1} {
			at := func(i, j int) r3.Vec {
				p := [3]float64{}
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = sign, float64(2*i)/float64(n)-1, float64(2*j)/float64(n)-1
				return r3.Vec{X: p[0] * float64(b.half[0]) / 8, Y: p[1] * float64(b.half[1]) / 8,
					Z: p[2] * float64(b.half[2]) / 8}
			}
			for i := range n {
				for j := range n {
					p, q, r, t := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
					if sign < 0 {
						q, t = t, q
					}
					s = append(s, [3]r3.Vec{p, q, r}, [3]r3.Vec{p, r, t})
				}
			}
		}
	}
	return s
}

// exactBlock is the block in rational numbers: its center, and its half axes. All are whole numbers
// times 1/(8 |q|^2).
type exactBlock struct {
	center [3]*big.Rat
	axes   [3][3]*big.Rat
}

func (b *block) exact() (e exactBlock) {
	w, x, y, z := b.turn[0], b.turn[1], b.turn[2], b.turn[3]
	rows := [3][3]int64{
		{w*w + x*x - y*y - z*z, 2 * (x*y - w*z), 2 * (x*z + w*y)},
		{2 * (x*y + w*z), w*w - x*x + y*y - z*z, 2 * (y*z - w*x)},
		{2 * (x*z - w*y), 2 * (y*z + w*x), w*w - x*x - y*y + z*z},
	}
	for i := range 3 {
		e.center[i] = big.NewRat(b.at[i], 8)
		for k := range 3 {
			e.axes[k][i] = big.NewRat(rows[i][k]*b.half[k], 8*(w*w+x*x+y*y+z*z))
		}
	}
	return e
}

func ratDot(a, b [3]*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for k := range 3 {
		sum.Add(sum, new(big.Rat).Mul(a[k], b[k]))
	}
	return sum
}

func ratCross(a, b [3]*big.Rat) (out [3]*big.Rat) {
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		out[k] = new(big.Rat).Sub(new(big.Rat).Mul(a[i], b[j]), new(big.Rat).Mul(a[j], b[i]))
	}
	return out
}

// relation returns the truth in rational numbers: whether the insides of two blocks share points,
// by all directions that can part two boxes; and whether one is in the inside of the other, by its
// corners.
func relation(a, b *block) (overlap, within bool) {
	x, y := a.exact(), b.exact()
	var way [3]*big.Rat
	for k := range 3 {
		way[k] = new(big.Rat).Sub(y.center[k], x.center[k])
	}
	reach := func(e *exactBlock, n [3]*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for k := range 3 {
			sum.Add(sum, new(big.Rat).Abs(ratDot(e.axes[k], n)))
		}
		return sum
	}
	overlap = true
	apart := func(n [3]*big.Rat) {
		if ratDot(n, n).Sign() > 0 &&
			new(big.Rat).Abs(ratDot(way, n)).Cmp(new(big.Rat).Add(reach(&x, n), reach(&y, n))) >= 0 {
			overlap = false
		}
	}
	in := func(outer, inner *exactBlock) bool {
		for k := range 3 {
			n := outer.axes[k]
			far := new(big.Rat).Add(new(big.Rat).Abs(ratDot(way, n)), reach(inner, n))
			if far.Cmp(ratDot(n, n)) >= 0 {
				return false
			}
		}
		return true
	}
	for i := range 3 {
		apart(x.axes[i])
		apart(y.axes[i])
		for j := range 3 {
			apart(ratCross(x.axes[i], y.axes[j]))
		}
	}
	return overlap, in(&x, &y) || in(&y, &x)
}

// someBlock draws a block: a cube on the grid, or any small one.
func someBlock(r *rand.Rand) (b block) {
	b = block{half: [3]int64{4, 4, 4}, turn: [4]int64{1, 0, 0, 0}}
	for k := range 3 {
		if b.at[k] = int64(r.IntN(9)-4) * 2; r.IntN(3) > 0 {
			b.half[k] = int64(r.IntN(8) + 1)
		}
	}
	if r.IntN(3) == 0 {
		for k := range b.turn {
			b.turn[k] = int64(r.IntN(7) - 3)
		}
		if b.turn == [4]int64{} {
			b.turn[0] = 1
		}
	}
	return b
}

// depthAlong returns how far block y reaches beyond block x along a normal that points from y to x.
func depthAlong(n r3.Vec, x, y *block) float64 {
	reach := func(b *block, way r3.Vec) float64 {
		m, most := b.motion(), math.Inf(-1)
		pose := m.At(0)
		for _, tri := range b.surface(1) {
			for _, p := range tri {
				most = max(most, geom.Dot(way, pose.Apply(p)))
			}
		}
		return most
	}
	return reach(y, n) + reach(x, r3.Scale(-1, n))
}

// checkOverlap holds the flag Intersecting of two blocks to the truth: set if and only if their
// insides share points and neither is inside of the other, whatever moves, in either order, with
// any separation, whether what parts is ignored or not.
func checkOverlap(t *testing.T, r *rand.Rand, a, b *block) {
	t.Helper()
	overlap, within := relation(a, b)
	first, err := rigids.Body(a.surface(1 + r.IntN(4)))
	if err != nil {
		t.Fatal(err)
	}
	second, err := rigids.Body(b.surface(1 + r.IntN(4)))
	if err != nil {
		t.Fatal(err)
	}
	var s rigid.Solver
	for range 2 {
		ma, mb := a.motion(), b.motion()
		if r.IntN(2) == 0 {
			ma.Velocity, mb.Velocity, mb.AngularVelocity = somewhere(r), somewhere(r), somewhere(r)
		}
		o := rigid.DefaultOptions()
		o.Tolerance, o.MinSeparation, o.Flags = 0, []float64{0, 0, 1e-9, 0.01, 1}[r.IntN(5)],
			uint32(r.IntN(2))*rigid.IgnoreSeparating
		for _, swap := range []bool{false, true} {
			x, y, mx, my, bx, by := first, second, &ma, &mb, a, b
			if swap {
				x, y, mx, my, bx, by = y, x, my, mx, b, a
			}
			var im rigid.Impact
			if err := s.Earliest(x, y, mx, my, &o, &im); err != nil {
				t.Fatal(err)
			}
			if said := im.Flags&rigid.Intersecting != 0; said != (overlap && !within) && !(within && !said) {
				t.Errorf("overlap %v, one within the other %v, swapped %v, with %v: %+v\n%+v %+v %+v %+v",
					overlap, within, swap, o, im, *a, *b, ma, mb)
			}
			if im.Flags&rigid.Intersecting != 0 && !(im.Verdict == geom.Contact && im.TOILo == 0 && im.TOIHi == 0 &&
				im.Distance == 0 && geom.Norm(r3.Sub(im.PointA, im.PointB)) < 1e-11) {
				t.Errorf("%+v", im)
			}
			if im.Verdict != geom.Contact {
				continue
			}
			if n := geom.Norm(im.Normal); math.Abs(n-1) > 0x1p-44 {
				t.Errorf("a normal of length %v: %+v", n, im)
			}
			// Blocks that touch are apart along the normal, which is turned where all that moves
			// counts.
			if depth := depthAlong(im.Normal, bx, by); !overlap && im.TOILo == 0 && im.Distance < 1e-11 &&
				o.Flags&rigid.IgnoreSeparating != 0 && o.MinSeparation <= 1e-9 && depth > 1e-11 {
				t.Errorf("swapped %v, with %v: %v deep along the normal of %+v\n%+v %+v", swap, o, depth, im, *a, *b)
			}
		}
	}
}

// TestOverlapAtTheStart: cubes at all places of a grid, whose faces and edges coincide or cross
// along edges of theirs, and other blocks.
func TestOverlapAtTheStart(t *testing.T) {
	r := ccdtest.NewRand(97, 1)
	cube := block{half: [3]int64{4, 4, 4}, turn: [4]int64{1, 0, 0, 0}}
	for x := int64(-4); x <= 4; x++ {
		for y := int64(-4); y <= 4; y++ {
			for z := int64(-4); z <= 4; z++ {
				if testing.Short() && r.IntN(4) > 0 {
					continue
				}
				other := cube
				other.at = [3]int64{2 * x, 2 * y, 2 * z}
				checkOverlap(t, r, &cube, &other)
			}
		}
	}
	overlaps, touches := 0, 0
	for range 400 {
		a, b := someBlock(r), someBlock(r)
		checkOverlap(t, r, &a, &b)
		if overlap, _ := relation(&a, &b); overlap {
			overlaps++
		} else {
			touches++
		}
	}
	if min(overlaps, touches) < 50 {
		t.Errorf("%d overlap, %d do not", overlaps, touches)
	}
}

// TestNormalOfFacesCutFinely: of two cubes that touch along parts of two faces, each cut into many
// triangles, the normal is that of these faces, not of sides that meet there in one plane.
func TestNormalOfFacesCutFinely(t *testing.T) {
	r := ccdtest.NewRand(97, 4)
	contacts := 0
	for range long.Part(1000, 10) {
		a := block{half: [3]int64{4, 4, 4}, turn: [4]int64{1, 0, 0, 0}}
		b := a
		b.at = [3]int64{2 * int64(r.IntN(7)-3), 2 * int64(r.IntN(7)-3), -8}
		first, _ := rigids.Body(a.surface(1 + r.IntN(12)))
		second, _ := rigids.Body(b.surface(1 + r.IntN(12)))
		ma, mb := a.motion(), b.motion()
		ma.Velocity, mb.Velocity, mb.AngularVelocity = somewhere(r), somewhere(r), somewhere(r)
		o := rigid.DefaultOptions()
		o.Tolerance, o.Flags = 0, rigid.IgnoreSeparating
		var s rigid.Solver
		var im rigid.Impact
		if err := s.Earliest(first, second, &ma, &mb, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Contact || im.TOILo > 0 {
			continue
		}
		if contacts++; !(im.Normal.Z > 1-1e-12) {
			t.Errorf("%+v\n%+v %+v %+v", im, b, ma, mb)
		}
	}
	if contacts < 20 {
		t.Errorf("%d contacts", contacts)
	}
}

// TestNormalOfBlocksFaceOnFace: blocks touch with parts of two faces, one moves along or away from
// the other, which turns; some of their corners still come nearer. They are apart along the normal.
func TestNormalOfBlocksFaceOnFace(t *testing.T) {
	r := ccdtest.NewRand(97, 5)
	one, contacts := [4]int64{1, 0, 0, 0}, 0
	for i := range long.Part(20000, 10) {
		a, b := someBlock(r), someBlock(r)
		k := r.IntN(3)
		b.at[k] = a.at[k] + a.half[k] + b.half[k]
		cuts := [2]int{1 + r.IntN(2), 1 + r.IntN(2)}
		velocity := r3.Vec{X: float64(r.IntN(3) - 1), Y: float64(r.IntN(3) - 1), Z: float64(r.IntN(3) - 1)}
		spin := somewhere(r)
		if i == 0 { // Triangles in the plane of an edge do not say which side is which.
			a = block{half: [3]int64{8, 6, 6}, at: [3]int64{-8, 4, -6}}
			b = block{half: [3]int64{4, 5, 4}, at: [3]int64{0, 15, -6}}
			cuts, velocity = [2]int{2, 1}, r3.Vec{X: -1, Y: -1}
			spin = r3.Vec{X: -1.9884208539857384, Y: -1.0992633916641932, Z: 0.5074413081394054}
		}
		a.turn, b.turn = one, one
		first, _ := rigids.Body(a.surface(cuts[0]))
		second, _ := rigids.Body(b.surface(cuts[1]))
		ma, mb := a.motion(), b.motion()
		ma.Velocity, mb.AngularVelocity = velocity, spin
		o := rigid.DefaultOptions()
		o.Tolerance, o.Flags = 1e-6, rigid.IgnoreSeparating
		var s rigid.Solver
		var im rigid.Impact
		if err := s.Earliest(first, second, &ma, &mb, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Contact || im.TOILo > 0 {
			continue
		}
		contacts++
		if depth := depthAlong(im.Normal, &a, &b); depth > 1e-11 {
			t.Errorf("%v deep along the normal of %+v\n%+v %+v %+v %+v", depth, im, a, b, ma, mb)
		}
	}
	if contacts < 200 {
		t.Errorf("%d contacts", contacts)
	}
}

// TestNormalOfBlocksThatSlide: turned by any quaternion, blocks that touch with parts of two faces,
// along an edge or at a corner, slide along each other or part. They are apart along the normal.
func TestNormalOfBlocksThatSlide(t *testing.T) {
	r := ccdtest.NewRand(97, 6)
	contacts := 0
	for range long.Part(20000, 10) {
		a, b := someBlock(r), someBlock(r)
		a.turn = [4]int64{1, 0, 0, 0}
		b.turn = a.turn
		for _, k := range []int{r.IntN(3), r.IntN(3)} {
			b.at[k] = a.at[k] + a.half[k] + b.half[k]
		}
		first, _ := rigids.Body(a.surface(1 + r.IntN(2)))
		second, _ := rigids.Body(b.surface(1 + r.IntN(2)))
		q := quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
		turn, back := rigid.Motion{Rotation: q}, rigid.Motion{Rotation: quat.Conj(q)}
		turned, from := turn.At(0), back.At(0)
		ma, mb := a.motion(), b.motion()
		ma.Rotation, mb.Rotation = q, q
		ma.Position, mb.Position = turned.Apply(ma.Position), turned.Apply(mb.Position)
		v := r3.Vec{X: float64(r.IntN(3) - 1), Y: float64(r.IntN(3) - 1), Z: float64(r.IntN(3) - 1)}
		ma.Velocity = turned.Apply(v)
		o := rigid.DefaultOptions()
		o.Tolerance, o.Flags = []float64{0, 1e-6}[r.IntN(2)], rigid.IgnoreSeparating
		var s rigid.Solver
		var im rigid.Impact
		if err := s.Earliest(first, second, &ma, &mb, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Contact || im.TOILo > 0 {
			continue
		}
		contacts++
		if depth := depthAlong(from.Apply(im.Normal), &a, &b); depth > 1e-11 {
			t.Errorf("%v deep along the normal of %+v\n%+v %+v %+v", depth, im, a, b, v)
		}
	}
	if contacts < 200 {
		t.Errorf("%d contacts", contacts)
	}
}

// TestOverlapOfSheets: open surfaces intersect where they pass through each other, along the inside
// of triangles or along edges, and not where they lie on each other or touch; turned by any
// quaternion, where they touch but for rounding.
func TestOverlapOfSheets(t *testing.T) {
	r := ccdtest.NewRand(97, 2)
	quad := func(p, u, v r3.Vec) rigids.Solid {
		q, s, w := r3.Add(p, u), r3.Add(p, v), r3.Add(r3.Add(p, u), v)
		return rigids.Solid{{p, q, w}, {p, w, s}}
	}
	x, y, z := r3.Vec{X: 1}, r3.Vec{Y: 1}, r3.Vec{Z: 1}
	floor := quad(r3.Vec{X: -1, Y: -1}, r3.Scale(2, x), r3.Scale(2, y))
	upright := func(low float64) rigids.Solid {
		return append(quad(r3.Vec{X: -0.5, Z: low}, x, r3.Scale(-low, z)), quad(r3.Vec{X: -0.5}, x, z)...)
	}
	for _, c := range []struct {
		name string
		with rigids.Solid
		want bool
	}{
		{"through", quad(r3.Vec{X: -0.5, Y: 0.3, Z: -0.3}, x, z), true},
		{"through, along its own edge", upright(-1), true},
		{"through, along a diagonal of both", append(rigids.Solid{{{X: -1, Y: -1}, {X: 1, Y: 1}, {Z: 1}}},
			[3]r3.Vec{{X: -1, Y: -1}, {X: 1, Y: 1}, {Z: -1}}), true},
		{"on it, by an edge", quad(r3.Vec{X: -0.5, Y: 0.3}, x, z), false},
		{"on it, by two edges that are one",
			append(quad(r3.Vec{X: -0.5}, x, r3.Add(z, y)), quad(r3.Vec{X: -0.5}, x, r3.Sub(z, y))...), false},
		{"flat on it", quad(r3.Vec{X: -0.5, Y: -0.5}, x, y), false},
		{"beside it", quad(r3.Vec{X: 1, Y: -0.5}, x, y), false},
		{"beside it, in its plane by two edges that are one, with one end on its border",
			append(quad(r3.Vec{X: 1}, x, z), quad(r3.Vec{X: 1}, x, r3.Scale(-1, z))...), false},
		{"on it, by a corner", rigids.Solid{{{X: 0.2}, {X: 0.3, Y: 0.1, Z: 1}, {Z: 1}}}, false},
	} {
		for k := range 20 {
			q := quat.Number{Real: 1}
			if k > 0 {
				q = quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
					Kmag: r.NormFloat64()}
			}
			m := rigid.Motion{Rotation: q}
			a, _ := rigids.Body(floor)
			b, _ := rigids.Body(c.with)
			var s rigid.Solver
			var ab, ba rigid.Impact
			if err := s.Earliest(a, b, &m, &m, nil, &ab); err != nil {
				t.Fatal(err)
			}
			if err := s.Earliest(b, a, &m, &m, nil, &ba); err != nil {
				t.Fatal(err)
			}
			for _, im := range []rigid.Impact{ab, ba} {
				if im.Verdict != geom.Contact || (im.Flags&rigid.Intersecting != 0) != c.want {
					t.Errorf("%s, turned by %v: %+v", c.name, q, im)
				}
			}
		}
	}
}

// FuzzOverlap: go test ./core/rigid -fuzz FuzzOverlap.
func FuzzOverlap(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := ccdtest.NewRand(seed, 8)
		a, b := someBlock(r), someBlock(r)
		checkOverlap(t, r, &a, &b)
	})
}
