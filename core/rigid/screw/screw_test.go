package screw

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/rigid/poses"
)

// kindsOfScrew are the ways in which two bodies move as a screw as one sees the other.
var kindsOfScrew = []string{"B turns", "A turns", "both turn", "slide", "slide while both turn"}

// someScrew draws motions of two bodies that are a screw, a turn or a slide. Exact axes have whole
// directions; others round.
func someScrew(r *rand.Rand, kind string) (ma, mb poses.Motion) {
	v := func(s float64) r3.Vec {
		return r3.Vec{X: s * r.NormFloat64(), Y: s * r.NormFloat64(), Z: s * r.NormFloat64()}
	}
	some := func() quat.Number {
		return quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
	}
	e := []r3.Vec{{Z: 1}, {X: 1, Y: 2, Z: 2}, someUnit(r)}[r.IntN(3)]
	rate, speed := r.NormFloat64(), r.NormFloat64()*float64(r.IntN(2))
	both := v(float64(r.IntN(2)))
	ma = poses.Motion{Rotation: some(), Position: v(1), Velocity: both, Pivot: v(0.3)}
	mb = poses.Motion{Rotation: some(), Position: v(1), Velocity: both, Pivot: v(0.3)}
	slide := geom.Scale(speed, e)
	switch kind {
	case "B turns":
		mb.AngularVelocity = geom.Scale(rate, e)
		mb.Velocity = r3.Add(mb.Velocity, slide)
	case "A turns":
		ma.AngularVelocity = geom.Scale(rate, e)
		mb.Velocity = r3.Add(mb.Velocity, slide)
	case "both turn":
		ma.AngularVelocity, mb.AngularVelocity = geom.Scale(rate, e), geom.Scale(0.25*float64(r.IntN(9)-4)*rate, e)
		mb.Position = r3.Add(ma.Position, geom.Scale(float64(r.IntN(3)), e))
		mb.Velocity = r3.Add(mb.Velocity, slide)
	case "slide":
		mb.Velocity = r3.Add(mb.Velocity, v(1))
	case "slide while both turn":
		ma.AngularVelocity, mb.AngularVelocity = geom.Scale(rate, e), geom.Scale(rate, e)
		mb.Position = r3.Add(ma.Position, geom.Scale(float64(r.IntN(3)), e))
		mb.Velocity = r3.Add(mb.Velocity, slide)
	}
	return ma, mb
}

// A surface is a body of triangles alone.
type surface struct {
	tri    []bvh.Triangle
	lo, hi r3.Vec
	kept   Kept
}

func (b *surface) Triangles() []bvh.Triangle { return b.tri }
func (b *surface) Box() (lo, hi r3.Vec)      { return b.lo, b.hi }
func (b *surface) Kept() *Kept               { return &b.kept }

func (b *surface) RadiusAbout(p r3.Vec) (most float64) {
	for i := range b.tri {
		for _, x := range b.tri[i] {
			most = max(most, geom.Norm(r3.Sub(x, p)))
		}
	}
	return most * (1 + 0x1p-50)
}

func surfaceOf(x []float64, faces [][3]int32) *surface {
	inf := math.Inf(1)
	b := &surface{tri: make([]bvh.Triangle, len(faces)), lo: r3.Vec{X: inf, Y: inf, Z: inf},
		hi: r3.Vec{X: -inf, Y: -inf, Z: -inf}}
	for i, f := range faces {
		for k, v := range f {
			p := geom.VecOf(x[3*v:])
			b.tri[i][k] = p
			b.lo = r3.Vec{X: min(b.lo.X, p.X), Y: min(b.lo.Y, p.Y), Z: min(b.lo.Z, p.Z)}
			b.hi = r3.Vec{X: max(b.hi.X, p.X), Y: max(b.hi.Y, p.Y), Z: max(b.hi.Z, p.Z)}
		}
	}
	return b
}

// pairOf is two bodies about the middle of a time.
func pairOf(a, b Body, ma, mb *poses.Motion, from, to float64) Pair {
	mid := 0.5*from + 0.5*to
	v := r3.Sub(mb.Velocity, ma.Velocity)
	return Pair{Bodies: [2]Body{a, b}, Motions: [2]*poses.Motion{ma, mb}, From: from, Mid: mid, To: to,
		Turns: [2]geom.Mat{geom.Rotation(ma.At(mid).Rotation), geom.Rotation(mb.At(mid).Rotation)},
		Way:   r3.Add(r3.Sub(mb.Position, ma.Position), geom.Scale(mid, v))}
}

func someUnit(r *rand.Rand) r3.Vec {
	n, _ := geom.Unit(r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}, r3.Vec{X: 1})
	return n
}

// someBody is a few triangles about the origin of the body.
func someBody(r *rand.Rand, n int, size float64) *surface {
	var x []float64
	var faces [][3]int32
	for i := range n {
		at := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		for range 3 {
			x = append(x, at.X+size*r.NormFloat64(), at.Y+size*r.NormFloat64(), at.Z+size*r.NormFloat64())
		}
		faces = append(faces, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
	}
	return surfaceOf(x, faces)
}

func bigDot(a, b [3]*big.Float) *big.Float {
	s := ccdtest.Big(0)
	for k := range 3 {
		s = ccdtest.Plus(s, ccdtest.Times(a[k], b[k]))
	}
	return s
}

func bigLess(a, b [3]*big.Float) (c [3]*big.Float) {
	for k := range 3 {
		c[k] = ccdtest.Plus(a[k], ccdtest.Times(ccdtest.Big(-1), b[k]))
	}
	return c
}

func bigVec(v r3.Vec) [3]*big.Float {
	return [3]*big.Float{ccdtest.Big(v.X), ccdtest.Big(v.Y), ccdtest.Big(v.Z)}
}

// turnedBy returns a direction of a body as it is at a time.
func turnedBy(m *poses.Motion, v r3.Vec, t *big.Float) [3]*big.Float {
	turn := ccdtest.RigidMotion{Rotation: m.Rotation, AngularVelocity: m.AngularVelocity}
	x, _, _ := turn.At(v, t)
	return x
}

// bigRate is the rate of a body about the axis e, with its sign.
func bigRate(w, e r3.Vec) *big.Float {
	rate := new(big.Float).SetPrec(400).Sqrt(bigDot(bigVec(w), bigVec(w)))
	if geom.Dot(w, e) < 0 {
		rate.Neg(rate)
	}
	return rate
}

// TestScrewsHoldTheMotion compares screws with the motions of both bodies, in numbers of 400 bits.
func TestScrewsHoldTheMotion(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 31))
	n, most := 200, 0.0
	if testing.Short() {
		n = 60
	}
	for i := range n {
		most = max(most, checkScrew(t, r, kindsOfScrew[i%len(kindsOfScrew)]))
	}
	t.Logf("%.3f of a bound is used", most)
	if most < 0.02 {
		t.Errorf("%.3f of a bound is used: the bounds are blunt", most)
	}
}

func checkScrew(t *testing.T, r *rand.Rand, kind string) (used float64) {
	t.Helper()
	ma, mb := someScrew(r, kind)
	a, b := someBody(r, 2, 0.5), someBody(r, 2, 0.5)
	from := math.Ldexp(r.NormFloat64(), r.IntN(8))
	if r.IntN(3) == 0 { // some drift, which must be paid
		mb.Velocity = r3.Add(mb.Velocity, geom.Scale(math.Ldexp(1, -16-r.IntN(30)), someUnit(r)))
	}
	pair := pairOf(a, b, &ma, &mb, from, from+2*r.Float64())
	s, ok := Of(&pair)
	if !ok {
		return 0
	}
	mA, _ := s.Axes[0].rows()
	mB, _ := s.Axes[1].rows()
	for range 6 {
		at := s.From + (s.To-s.From)*[]float64{0, 1, r.Float64()}[r.IntN(3)]
		p := b.tri[r.IntN(2)][r.IntN(3)]
		time := ccdtest.Big(at)
		place, _, _ := ccdtest.RigidMotion(mb).At(p, time)
		origin, _, _ := ccdtest.RigidMotion(ma).At(s.Axes[0].point, time)
		way := bigLess(place, origin)
		var y, z [3]*big.Float // the point in the frames of both axes
		for k := range 3 {
			y[k] = bigDot(way, turnedBy(&ma, []r3.Vec{mA.X, mA.Y, mA.Z}[k], time))
			z[k] = bigDot(bigLess(bigVec(p), bigVec(s.Axes[1].point)), bigVec([]r3.Vec{mB.X, mB.Y, mB.Z}[k]))
		}
		since := ccdtest.Plus(time, ccdtest.Big(-s.mid))
		if s.Axes[0].slide {
			z[0], z[1] = ccdtest.Plus(z[0], ccdtest.Big(s.shift[0])), ccdtest.Plus(z[1], ccdtest.Big(s.shift[1]))
			z[2] = ccdtest.Plus(z[2], ccdtest.Plus(ccdtest.Big(s.phase), ccdtest.Times(ccdtest.Big(s.rate.Lo), since)))
		} else {
			e, _, _ := direction(&ma, &mb)
			rate := bigRate(ma.AngularVelocity, e)
			rate = ccdtest.Plus(bigRate(mb.AngularVelocity, e), ccdtest.Times(ccdtest.Big(-1), rate))
			if rate.Cmp(ccdtest.Big(s.rate.Lo)) < 0 || rate.Cmp(ccdtest.Big(s.rate.Hi)) > 0 {
				t.Fatalf("%s: the rate %v is not in %+v", kind, rate, s.rate)
			}
			turned := ccdtest.Times(rate, since)
			sin, cos := ccdtest.Sincos(ccdtest.Plus(ccdtest.Big(s.phase), turned))
			x := ccdtest.Plus(ccdtest.Times(cos, z[0]), ccdtest.Times(ccdtest.Times(ccdtest.Big(-1), sin), z[1]))
			z[1] = ccdtest.Plus(ccdtest.Times(sin, z[0]), ccdtest.Times(cos, z[1]))
			z[0] = x
			h := ccdtest.Big(s.Axes[0].advance)
			z[2] = ccdtest.Plus(z[2], ccdtest.Plus(ccdtest.Big(s.shift[1]),
				ccdtest.Times(h, ccdtest.Plus(ccdtest.Big(s.phase), turned))))
		}
		d := bigLess(y, z)
		off, _ := new(big.Float).SetPrec(400).Sqrt(bigDot(d, d)).Float64()
		far, _ := new(big.Float).SetPrec(400).Sqrt(bigDot(y, y)).Float64()
		if off > s.error+0x1p-51*far { // The rows are units up to rounding.
			t.Fatalf("%s at %v: off by %v, said to be at most %v\n%+v\n%+v", kind, at, off, s.error, ma, mb)
		}
		used = max(used, off/s.error)
	}
	return used
}

// TestAngleOf compares angles with numbers of 400 bits.
func TestAngleOf(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 32))
	worst := 0.0
	for range 2000 {
		y, x := math.Ldexp(r.NormFloat64(), r.IntN(20)-10), math.Ldexp(r.NormFloat64(), r.IntN(20)-10)
		switch r.IntN(8) {
		case 0:
			x = 0
		case 1:
			y = math.Copysign(0, y)
		case 2:
			x = y
		}
		if x == 0 && y == 0 {
			continue
		}
		sin, cos := ccdtest.Sincos(ccdtest.Big(angleOf(y, x)))
		off := ccdtest.Plus(ccdtest.Times(ccdtest.Big(y), cos), ccdtest.Times(ccdtest.Big(-x), sin))
		along := ccdtest.Plus(ccdtest.Times(ccdtest.Big(y), sin), ccdtest.Times(ccdtest.Big(x), cos))
		e, _ := ccdtest.Over(off, along).Float64()
		if along.Sign() <= 0 || !(math.Abs(e) <= angleError) {
			t.Fatalf("the angle of %v, %v is %v, off by %v", x, y, angleOf(y, x), e)
		}
		worst = max(worst, math.Abs(e)/angleError)
	}
	t.Logf("%.2f of the bound is used", worst)
}

// someFrame draws the frame of an axis, near the body or through it.
func someFrame(r *rand.Rand, b *surface) Axis {
	f := AxisOf(b, r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}, someUnit(r))
	f.slide = r.IntN(4) == 0
	if !f.slide {
		f.advance = []float64{0, r.NormFloat64(), 0.05}[r.IntN(3)]
	}
	return f
}

// TestImagesHoldTheBody looks for points of triangles outside of their images.
func TestImagesHoldTheBody(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 33))
	n := 200
	if testing.Short() {
		n = 60
	}
	for range n {
		checkImages(t, r)
	}
}

func checkImages(t *testing.T, r *rand.Rand) {
	t.Helper()
	b := someBody(r, 1+r.IntN(3), math.Ldexp(1, -r.IntN(8)))
	if r.IntN(3) == 0 { // surfaces that are thin in the plane of images
		b = surfaceOf(ccdtest.Thread(5+r.IntN(30), 2, 1, 1.2, 0.3, 0, false))
	}
	f, level := someFrame(r, b), r.IntN(Levels)
	if r.IntN(3) == 0 { // the axis of a thread
		f = AxisOf(b, r3.Vec{}, r3.Vec{Z: 1})
		f.advance = 0.3 / (2 * math.Pi)
	}
	if r.IntN(4) == 0 { // an axis through a corner, or along an edge
		tri := &b.tri[0]
		f.point = tri[0]
		if r.IntN(2) == 0 {
			f.axis = r3.Sub(tri[1], tri[0])
		}
	}
	if r.IntN(2) == 0 && !f.slide {
		b = withCopies(r, b, &f)
	}
	tree := ImagesOf(b, f, level)
	m, _ := f.rows()
	for range 40 {
		face := int32(r.IntN(len(b.tri)))
		p := somePoint(r, &b.tri[face])
		y := m.Apply(r3.Sub(p, f.point))
		found := false
		for i := range tree.parts {
			p := &tree.parts[i]
			for j := p.first; j < p.last && !found; j++ {
				if tree.members[j].face == face {
					x := *p
					x.rect = tree.some(p, j, j+1)
					found = partHolds(&x, &f, y, tree.size)
				}
			}
		}
		if !found {
			t.Fatalf("level %d: %v, in axis coordinates %v, is in no image of its triangle %v\n%+v", level, p, y,
				b.tri[face], f)
		}
		if !tree.holds(0, &f, y) {
			t.Fatalf("level %d: no leaf of the tree under nodes that hold it has %v", level, y)
		}
	}
}

// somePoint is a point of a triangle, its border more often than not.
func somePoint(r *rand.Rand, tri *bvh.Triangle) r3.Vec {
	u, v := r.Float64(), r.Float64()
	if u+v > 1 {
		u, v = 1-u, 1-v
	}
	switch r.IntN(4) {
	case 0:
		v = 0
	case 1:
		v = 1 - u
	case 2: // a corner
		return tri[r.IntN(3)]
	}
	return r3.Add(tri[0], r3.Add(geom.Scale(u, r3.Sub(tri[1], tri[0])), geom.Scale(v, r3.Sub(tri[2], tri[0]))))
}

// holds reports whether a path of nodes that hold the point leads to a leaf.
func (t *Images) holds(node int32, f *Axis, y r3.Vec) bool {
	n := &t.nodes[node]
	if !rectHolds(&n.rect, f, y, t.size) || n.hull.n > 0 && !polygonHolds(&n.hull, &n.rect, f, y, t.size) {
		return false
	}
	return n.left < 0 || t.holds(n.left, f, y) || t.holds(n.right, f, y)
}

// imagesOf returns the images of a point, one for each of some turns, with the coordinate that the
// angle or the place along the slide is.
func imagesOf(f *Axis, y r3.Vec) (list [][3]float64) {
	if f.slide {
		return [][3]float64{{y.X, y.Y, y.Z}}
	}
	for k := -2.0; k <= 2; k++ {
		angle := math.Atan2(y.Y, y.X) + 2*math.Pi*k
		list = append(list, [3]float64{math.Hypot(y.X, y.Y), y.Z - f.advance*angle, angle})
	}
	return list
}

func rectHolds(x *rect, f *Axis, y r3.Vec, size float64) bool {
	const slack = 1e-13
	if !f.slide && math.Hypot(y.X, y.Y) < x.least-slack*size {
		return false
	}
	for _, q := range imagesOf(f, y) {
		dr, dz := q[0]-x.r, q[1]-x.z
		if math.Abs(dr*x.c+dz*x.s) <= x.e+slack*size && math.Abs(dz*x.c-dr*x.s) <= x.f+slack*size &&
			q[2] >= x.lo-slack*(1+size) && q[2] <= x.hi+slack*(1+size) {
			return true
		}
	}
	return false
}

func polygonHolds(p *polygon, x *rect, f *Axis, y r3.Vec, size float64) bool {
	for _, q := range imagesOf(f, y) {
		in := f.slide || q[2] >= x.lo-1e-12 && q[2] <= x.hi+1e-12
		for k := range 16 {
			u, v := math.Cos(float64(k)*math.Pi/8), math.Sin(float64(k)*math.Pi/8)
			lo, hi := p.extent(u, v)
			at := q[0]*u + q[1]*v
			in = in && at >= lo-1e-13*size && at <= hi+1e-13*size
		}
		if in {
			return true
		}
	}
	return false
}

func partHolds(p *part, f *Axis, y r3.Vec, size float64) bool {
	if !rectHolds(&p.rect, f, y, size) {
		return false
	}
	if math.IsInf(p.bendR, 1) {
		return true
	}
	for _, q := range imagesOf(f, y) {
		in := q[2] >= p.lo-1e-12 && q[2] <= p.hi+1e-12 || f.slide
		for k := range 16 {
			d := [2]float64{math.Cos(float64(k) * math.Pi / 8), math.Sin(float64(k) * math.Pi / 8)}
			lo, hi := p.extent(&d)
			x := q[0]*d[0] + q[1]*d[1]
			in = in && x >= lo-1e-13*size && x <= hi+1e-13*size
		}
		if in {
			return true
		}
	}
	return false
}

// TestPolygonsHoldWhatTheyJoin: points of parts are in the polygons of all nodes above, however
// many corners are left out.
func TestPolygonsHoldWhatTheyJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 37))
	for range 300 {
		var all [][2]float64
		var whole polygon
		curve := r.NormFloat64()
		for i := range 2 + r.IntN(20) {
			var o outline
			for k := range o.q {
				x := r.NormFloat64()
				o.q[k] = [2]float64{x, curve*x*x + 0.01*r.NormFloat64()*float64(r.IntN(2))}
			}
			all = append(all, o.q[:]...)
			if p := polygonOf(&o); i == 0 {
				whole = p
			} else {
				whole = joined(&whole, &p, 1e-15)
			}
		}
		for k := range 32 {
			u, v := math.Cos(float64(k)*math.Pi/16), math.Sin(float64(k)*math.Pi/16)
			lo, hi := whole.extent(u, v)
			for _, q := range all {
				if x := q[0]*u + q[1]*v; x < lo-1e-13 || x > hi+1e-13 {
					t.Fatalf("%v lies at %v along (%v, %v), outside of [%v, %v]", q, x, u, v, lo, hi)
				}
			}
		}
	}
}

// TestImagesOfOtherFramesAreOthers: what a body keeps is found by all that images depend on.
func TestImagesOfOtherFramesAreOthers(t *testing.T) {
	b := surfaceOf(ccdtest.Thread(12, 2, 1, 1.2, 0.3, 0, false))
	f := AxisOf(b, r3.Vec{}, r3.Vec{Z: 1})
	frames := []Axis{f, f, f, f, f}
	frames[1].advance, frames[2].slide = 0.1, true
	frames[3].point, frames[4].across = r3.Vec{X: 0.5}, r3.Vec{X: 1, Y: 1}
	trees := map[*Images]bool{}
	for range 2 {
		for _, f := range frames {
			for level := range Levels {
				trees[ImagesOf(b, f, level)] = true
			}
		}
	}
	if want := len(frames) * Levels; len(trees) < want {
		t.Errorf("%d trees for %d frames and levels", len(trees), want)
	}
	if first, second := ImagesOf(b, frames[1], 0), ImagesOf(b, frames[1], 0); first != second {
		t.Error("a tree is made again")
	}
	r := rand.New(rand.NewPCG(46, 35))
	for range 2 * mostKeptTrees {
		ImagesOf(b, someFrame(r, b), 0)
	}
	if n := len(b.kept.list); n > mostKeptTrees {
		t.Errorf("a body keeps %d trees", n)
	}
}
