package motion_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/motion"
)

// The truth is computed here in rational numbers and big.Float, which share no code with the
// package.

const prec = 320

func bf(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Quo(a, b) }

type bigVec [3]*big.Float

func bv(x []float64) bigVec { return bigVec{bf(x[0]), bf(x[1]), bf(x[2])} }

func (a bigVec) plus(b bigVec) bigVec {
	return bigVec{add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])}
}

func (a bigVec) minus(b bigVec) bigVec {
	return bigVec{sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])}
}

func (a bigVec) times(s *big.Float) bigVec { return bigVec{mul(a[0], s), mul(a[1], s), mul(a[2], s)} }

func (a bigVec) dot(b bigVec) *big.Float {
	return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}

func (a bigVec) cross(b bigVec) (r bigVec) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = sub(mul(a[i], b[j]), mul(a[j], b[i]))
	}
	return r
}

func (a bigVec) length() *big.Float { return new(big.Float).SetPrec(prec).Sqrt(a.dot(a)) }

// sincos is by Taylor series at x / 2^40, doubled forty times.
func sincos(x *big.Float) (sin, cos *big.Float) {
	const halvings = 40
	y := new(big.Float).SetPrec(prec).SetMantExp(x, -halvings)
	sin, cos = bf(0), bf(1)
	term := bf(1)
	for n := 1; n < 40; n++ {
		term = quo(mul(term, y), bf(float64(n)))
		switch n % 4 {
		case 1:
			sin = add(sin, term)
		case 2:
			cos = sub(cos, term)
		case 3:
			sin = sub(sin, term)
		default:
			cos = add(cos, term)
		}
	}
	for range halvings {
		sin, cos = mul(bf(2), mul(sin, cos)), sub(mul(cos, cos), mul(sin, sin))
	}
	return sin, cos
}

// turn is Rodrigues' formula about the axis w, not of unit length, by an angle.
func turn(d, w bigVec, angle *big.Float) bigVec {
	n := w.length()
	if n.Sign() == 0 {
		return d
	}
	u := w.times(quo(bf(1), n))
	sin, cos := sincos(angle)
	return d.times(cos).plus(u.cross(d).times(sin)).plus(u.times(mul(u.dot(d), sub(bf(1), cos))))
}

// rotate returns q d q* / |q|^2 for the quaternion q = (w, v): d + 2 (v x (v x d + w d)) / |q|^2.
func rotate(q [4]float64, d bigVec) bigVec {
	v, w := bv(q[1:]), bf(q[0])
	n := add(mul(w, w), v.dot(v))
	c := v.cross(v.cross(d).plus(d.times(w)))
	return d.plus(c.times(quo(bf(2), n)))
}

// polynomial returns the point of control points at t, from the Bernstein polynomials; t0, t1 are
// the ends of the piece.
func polynomial(m *motion.Motion, j, i int, t float64) (x bigVec) {
	t0, t1 := bf(m.Times()[j]), bf(m.Times()[j+1])
	s := quo(sub(bf(t), t0), sub(t1, t0))
	return bernstein(m.Degree(), s, func(l int) []float64 {
		p := 3 * ((j*(m.Degree()+1)+l)*m.Vertices() + i)
		return m.Control()[p : p+3]
	})
}

func bernstein(degree int, s *big.Float, control func(l int) []float64) bigVec {
	r := sub(bf(1), s)
	x := bv([]float64{0, 0, 0})
	for l := range degree + 1 {
		w := new(big.Float).SetPrec(prec).SetInt(new(big.Int).Binomial(int64(degree), int64(l)))
		for range l {
			w = mul(w, s)
		}
		for range degree - l {
			w = mul(w, r)
		}
		x = x.plus(bv(control(l)).times(w))
	}
	return x
}

// encloses checks the radii of all vertices at random times, and at the ends of the pieces, and
// returns the largest share of a radius that an error takes.
func encloses(t *testing.T, name string, m *motion.Motion, rng *rand.Rand, truth func(i int, t float64) bigVec) (
	share float64) {
	t.Helper()
	var parts motion.Parts
	for j := range m.Pieces() {
		t0, t1 := m.Times()[j], m.Times()[j+1]
		times := []float64{t0, t1, t0 + 0.5*(t1-t0), t0 + rng.Float64()*(t1-t0)}
		for i := range m.Vertices() {
			for _, s := range times {
				off, _ := polynomial(m, j, i, s).minus(truth(i, s)).length().Float64()
				r := m.Radius(j, i)
				if off > r+1e-90 {
					t.Fatalf("%s: vertex %d at %v is %v from its polynomial, radius %v", name, i, s, off, r)
				}
				if r > 0 {
					share = max(share, off/r)
				}
			}
		}
		if !m.Refines() {
			continue
		}
		// Any part of a piece.
		a := t0 + rng.Float64()*(t1-t0)
		b := a + rng.Float64()*(t1-a)
		if !(a < b) {
			continue
		}
		control, radius := make([]float64, 3*(m.Degree()+1)), make([]float64, 1)
		for i := range m.Vertices() {
			parts.Enclose(m, a, b, []int32{int32(i)}, control, radius)
			for _, s := range []float64{a, b, a + rng.Float64()*(b-a)} {
				x := bernstein(m.Degree(), quo(sub(bf(s), bf(a)), sub(bf(b), bf(a))), func(l int) []float64 {
					return control[3*l : 3*l+3]
				})
				if off, _ := x.minus(truth(i, s)).length().Float64(); off > radius[0]+1e-90 {
					t.Fatalf("%s: on [%v, %v], vertex %d at %v is %v from its polynomial, radius %v",
						name, a, b, i, s, off, radius[0])
				}
			}
		}
	}
	return share
}

func numbers(rng *rand.Rand, n int, size float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = size * (2*rng.Float64() - 1)
	}
	return x
}

func three(rng *rand.Rand, size float64) [3]float64 { return [3]float64(numbers(rng, 3, size)) }

func quaternion(rng *rand.Rand) [4]float64 { return [4]float64(numbers(rng, 4, 1)) }

func made(t *testing.T) func(m *motion.Motion, err error) *motion.Motion {
	return func(m *motion.Motion, err error) *motion.Motion {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

func trials() int {
	if testing.Short() {
		return 4
	}
	return 24
}

func TestAcceleratedIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range trials() {
		x, v, a := numbers(rng, 6, 1), numbers(rng, 6, 3), numbers(rng, 6, 1e-3)
		m := made(t)(motion.Accelerated(2, x, v, a))
		encloses(t, "accelerated", m, rng, func(i int, t float64) bigVec {
			return bv(x[3*i:]).plus(bv(v[3*i:]).times(bf(t))).plus(bv(a[3*i:]).times(mul(mul(bf(t), bf(t)), bf(0.5))))
		})
	}
	// Where nothing is rounded the radius is 0.
	if m := made(t)(motion.Accelerated(1, []float64{1, 2, 3}, []float64{4, 5, 6}, []float64{0, 0, -9.5})); m.Radius(0,
		0) != 0 {
		t.Errorf("radius %v of control points that are doubles", m.Radius(0, 0))
	}
}

func TestHermiteIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range trials() {
		times := []float64{0, 0.1 + 0.3*rng.Float64(), 0.6, 1}
		x, v := numbers(rng, 8*3, 1), numbers(rng, 8*3, 5)
		m := made(t)(motion.Hermite(2, times, x, v))
		for j := range m.Pieces() {
			for i := range 2 {
				h := sub(bf(times[j+1]), bf(times[j]))
				at := func(y []float64, j int) bigVec { return bv(y[3*(2*j+i):]) }
				for _, t0 := range []float64{0, 0.25, rng.Float64(), 1} {
					// The Hermite basis, written out.
					s := bf(t0)
					s2 := mul(s, s)
					s3 := mul(s2, s)
					h00 := add(sub(mul(bf(2), s3), mul(bf(3), s2)), bf(1))
					h10 := add(sub(s3, mul(bf(2), s2)), s)
					h01 := sub(mul(bf(3), s2), mul(bf(2), s3))
					h11 := sub(s3, s2)
					want := at(x, j).times(h00).plus(at(v, j).times(mul(h10, h))).plus(at(x, j+1).times(h01)).plus(
						at(v, j+1).times(mul(h11, h)))
					got := bernstein(3, s, func(l int) []float64 {
						p := 3 * ((j*4+l)*2 + i)
						return m.Control()[p : p+3]
					})
					if off, _ := got.minus(want).length().Float64(); off > m.Radius(j, i)+1e-90 {
						t.Fatalf("off by %v, radius %v", off, m.Radius(j, i))
					}
				}
				if m.Radius(j, i) > 1e-14 {
					t.Fatalf("radius %v is more than rounding", m.Radius(j, i))
				}
			}
		}
	}
}

func TestBSplineIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range trials() {
		degree := 1 + rng.IntN(motion.MaxDegree)
		var knots []float64
		for i := range degree + 1 { // clamped, or not
			if rng.IntN(2) == 0 {
				knots = append(knots, 0)
			} else {
				knots = append(knots, 0.1*float64(i-degree))
			}
		}
		for i := range knots {
			for j := range i {
				knots[j] = min(knots[j], knots[i])
			}
		}
		for x := rng.Float64(); x < 1; x += 0.5 * rng.Float64() {
			for range 1 + rng.IntN(degree) {
				knots = append(knots, x)
			}
		}
		for i := range degree + 1 {
			knots = append(knots, 1+0.3*float64(i*rng.IntN(2)))
		}
		for i := 1; i < len(knots); i++ {
			knots[i] = max(knots[i], knots[i-1])
		}
		count := len(knots) - degree - 1
		control := numbers(rng, 3*count, 2)
		m := made(t)(motion.BSpline(1, degree, knots, control))
		encloses(t, "B-spline", m, rng, func(_ int, t float64) bigVec {
			// The recursion of Cox and de Boor over rational numbers; at 1 the last piece's basis
			// is continued.
			x := new(big.Rat).SetFloat64(t)
			span := 0
			for i := degree; i < count; i++ {
				if knots[i] <= t && t <= knots[i+1] && knots[i] < knots[i+1] {
					span = i
				}
			}
			var basis func(i, k int) *big.Rat
			basis = func(i, k int) *big.Rat {
				if k == 0 {
					if i == span {
						return big.NewRat(1, 1)
					}
					return new(big.Rat)
				}
				sum := new(big.Rat)
				rat := func(y float64) *big.Rat { return new(big.Rat).SetFloat64(y) }
				if d := new(big.Rat).Sub(rat(knots[i+k]), rat(knots[i])); d.Sign() != 0 {
					y := new(big.Rat).Sub(x, rat(knots[i]))
					sum.Add(sum, y.Mul(y.Quo(y, d), basis(i, k-1)))
				}
				if d := new(big.Rat).Sub(rat(knots[i+k+1]), rat(knots[i+1])); d.Sign() != 0 {
					y := new(big.Rat).Sub(rat(knots[i+k+1]), x)
					sum.Add(sum, y.Mul(y.Quo(y, d), basis(i+1, k-1)))
				}
				return sum
			}
			p := bv([]float64{0, 0, 0})
			for i := range count {
				p = p.plus(bv(control[3*i:]).times(new(big.Float).SetPrec(prec).SetRat(basis(i, degree))))
			}
			return p
		})
	}
}

func TestAffineIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range trials() {
		degree := 1 + rng.IntN(motion.MaxDegree)
		x, a, b := numbers(rng, 6, 2), numbers(rng, 9*(degree+1), 1), numbers(rng, 3*(degree+1), 10)
		m := made(t)(motion.Affine(2, degree, x, a, b))
		encloses(t, "affine", m, rng, func(i int, t float64) (r bigVec) {
			for k := range 3 {
				row := bernstein(degree, bf(t), func(l int) []float64 { return a[9*l+3*k:] })
				r[k] = add(row.dot(bv(x[3*i:])), bernstein(degree, bf(t), func(l int) []float64 { return b[3*l:] })[k])
			}
			return r
		})
	}
}

func boneAt(b *motion.Bone, x bigVec, t float64) bigVec {
	d := rotate(b.Rotation, x.minus(bv(b.Pivot[:])))
	w := bv(b.AngularVelocity[:])
	return bv(b.Position[:]).plus(bv(b.Velocity[:]).times(bf(t))).plus(turn(d, w, mul(w.length(), bf(t))))
}

func randomBone(rng *rand.Rand) motion.Bone {
	return motion.Bone{Rotation: quaternion(rng), Position: three(rng, 2), Velocity: three(rng, 3),
		AngularVelocity: three(rng, math.Ldexp(1, rng.IntN(6)-2)), Pivot: three(rng, 1)}
}

func TestRigidIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, degree := range []int{3, 5} {
		share := 0.0
		for range trials() {
			x := numbers(rng, 9, 2)
			b := randomBone(rng)
			m := made(t)(motion.Rigid(3, x, b, degree, 0))
			share = max(share, encloses(t, "rigid", m, rng, func(i int, t float64) bigVec {
				return boneAt(&b, bv(x[3*i:]), t)
			}))
		}
		// The remainder of a circle is at its greatest in the middle of a piece, and the bound is
		// sharp for short pieces.
		if share < 0.8 {
			t.Errorf("degree %d: the largest error takes %v of its radius: the bound is too loose for a circle",
				degree, share)
		}
		t.Logf("degree %d: the largest error takes %.3f of its radius", degree, share)
		still := made(t)(
			motion.Rigid(1, []float64{1, 2, 3},
				motion.Bone{Rotation: [4]float64{1}, Velocity: [3]float64{3, 0, 0}}, degree, 0))
		if still.Pieces() != 1 || still.Radius(0, 0) > 1e-14 || degree == 3 && still.Radius(0, 0) != 0 {
			t.Errorf("degree %d: a body that does not turn has %d pieces and the radius %v",
				degree, still.Pieces(), still.Radius(0, 0))
		}
	}
}

// A joint that slides while its base turns: the speed of sliding has the greatest part in the
// derivatives, and the bound is nearly sharp.
func TestSlidingJointIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	joints := []motion.Joint{
		{Kind: motion.Revolute, Parent: -1, Rotation: [4]float64{1}, Axis: [3]float64{0, 0, 1}, Value0: 0.5,
			Value1: 0.75},
		{Kind: motion.Prismatic, Parent: 0, Rotation: [4]float64{1}, Axis: [3]float64{2, 0, 0}, Value0: -0.5,
			Value1: 0.5},
	}
	for _, degree := range []int{3, 5} {
		m := made(t)(motion.Chain(1, []float64{0, 0, 0}, []int32{1}, joints, degree, 0))
		share := encloses(t, "sliding joint", m, rng, func(_ int, t float64) bigVec {
			sin, cos := sincos(add(bf(0.5), mul(bf(0.25), bf(t))))
			q := sub(bf(t), bf(0.5))
			return bigVec{mul(cos, q), mul(sin, q), bf(0)}
		})
		if share < 0.9 {
			t.Errorf("degree %d: the largest error takes %v of its radius", degree, share)
		}
	}
}

// What docs/proofs/motions.md says of the pieces a turn: the radius is the remainder, as long as
// rounding is below.
func TestPiecesOfATurn(t *testing.T) {
	turn := motion.Bone{Rotation: [4]float64{1}, AngularVelocity: [3]float64{0, 0, 2 * math.Pi}}
	for _, c := range []struct {
		degree, pieces int
		radius         float64
	}{{3, 45, 1e-6}, {5, 11, 1e-6}, {3, 253, 1e-9}, {5, 34, 1e-9}} {
		for less := range 2 {
			m := made(t)(motion.Rigid(1, []float64{1, 0, 0}, turn, c.degree, c.pieces-less))
			if r := m.Radius(0, 0); r <= c.radius != (less == 0) {
				t.Errorf("degree %d in %d pieces: the radius is %v", c.degree, c.pieces-less, r)
			}
		}
	}
}

// A curve of degree 5 is joined with its first and second derivative, and half of a piece has a
// 64th of its radius.
func TestQuinticsConverge(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	b := randomBone(rng)
	b.AngularVelocity = [3]float64{1, 2, 2}
	m := made(t)(motion.Rigid(1, []float64{3, 1, -2}, b, 5, 4))
	c := m.Control()
	at := func(j, l int) bigVec { return bv(c[3*(6*j+l):]) }
	for j := range 3 {
		for order, off := range []bigVec{
			at(j, 5).minus(at(j+1, 0)),
			at(j, 5).minus(at(j, 4)).minus(at(j+1, 1)).plus(at(j+1, 0)),
			at(j, 5).minus(at(j, 4).times(bf(2))).plus(at(j, 3)).minus(at(j+1, 2)).plus(
				at(j+1, 1).times(bf(2))).minus(at(j+1, 0)),
		} {
			if d, _ := off.length().Float64(); d > 1e-13 {
				t.Errorf("pieces %d and %d: the derivatives of order %d differ by %v", j, j+1, order, d)
			}
		}
	}
	control, radius := make([]float64, 18), make([]float64, 1)
	new(motion.Parts).Enclose(m, 0, 0.125, []int32{0}, control, radius)
	if q := m.Radius(0, 0) / radius[0]; q < 63 || q > 65 {
		t.Errorf("a piece has %v times the radius of its half", q)
	}
}

func TestSkinnedIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for range trials() {
		x := numbers(rng, 9, 2)
		bones := []motion.Bone{randomBone(rng), randomBone(rng), randomBone(rng)}
		weights := numbers(rng, 9, 1)
		weights[rng.IntN(9)] = 0
		m := made(t)(motion.Skinned(3, x, bones, weights, 3+2*rng.IntN(2), 1+rng.IntN(8)))
		encloses(t, "skinned", m, rng, func(i int, t float64) bigVec {
			p := bv([]float64{0, 0, 0})
			for b := range bones {
				p = p.plus(boneAt(&bones[b], bv(x[3*i:]), t).times(bf(weights[3*i+b])))
			}
			return p
		})
	}
}

func TestChainIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range trials() {
		var joints []motion.Joint
		for i := range 5 {
			joints = append(joints, motion.Joint{Kind: motion.JointKind(rng.IntN(3)), Parent: int32(rng.IntN(i+1) - 1),
				Rotation: quaternion(rng),
				Position: three(rng, 1), Axis: three(rng, 3), Value0: 4 * rng.Float64(), Value1: 4*rng.Float64() - 2})
		}
		x, links := numbers(rng, 18, 1), []int32{-1, 0, 1, 2, 3, 4}
		m := made(t)(motion.Chain(6, x, links, joints, 3+2*rng.IntN(2), rng.IntN(3)*4))
		encloses(t, "chain", m, rng, func(i int, t float64) bigVec {
			p := bv(x[3*i:])
			for l := links[i]; l >= 0; l = joints[l].Parent {
				j := &joints[l]
				q := add(bf(j.Value0), mul(bf(t), sub(bf(j.Value1), bf(j.Value0))))
				u := bv(j.Axis[:])
				switch j.Kind {
				case motion.Revolute:
					p = turn(p, u, q)
				case motion.Prismatic:
					p = p.plus(u.times(quo(q, u.length())))
				}
				p = bv(j.Position[:]).plus(rotate(j.Rotation, p))
			}
			return p
		})
	}
}

// At returns positions within its radii of the polynomials, plus those of the motion.
func TestAtIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range trials() {
		degree := 1 + rng.IntN(motion.MaxDegree)
		times := []float64{0, 0.1 + 0.5*rng.Float64(), 1}
		c := numbers(rng, 2*(degree+1)*3, 1)
		copy(c[3*(degree+1):], c[3*degree:3*(degree+1)]) // no jump
		m := made(t)(motion.New(1, degree, times, c, nil))
		for _, s := range []float64{0, times[1], 1, rng.Float64(), rng.Float64()} {
			x, r := make([]float64, 3), make([]float64, 1)
			m.At(s, x, r)
			j := 0
			if s >= times[1] {
				j = 1
			}
			off, _ := bv(x).minus(polynomial(m, j, 0, s)).length().Float64()
			if off > r[0] || r[0] > 1e-13 {
				t.Fatalf("at %v: off by %v, radius %v", s, off, r[0])
			}
		}
	}
}

// Each bad argument is an error that names it, with its index.
func TestBadMotions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	one := motion.Bone{Rotation: [4]float64{1}}
	joint := motion.Joint{Kind: motion.Revolute, Parent: -1, Rotation: [4]float64{1}, Axis: [3]float64{0, 0, 1}}
	with := func(change func(j *motion.Joint)) []motion.Joint {
		j := joint
		change(&j)
		return []motion.Joint{joint, j}
	}
	x := []float64{0, 0, 0}
	cases := []struct {
		want string
		err  func() (*motion.Motion, error)
	}{
		{"n is 0", func() (*motion.Motion, error) { return motion.New(0, 1, nil, nil, nil) }},
		{"degree is 0", func() (*motion.Motion, error) { return motion.New(1, 0, nil, nil, nil) }},
		{"degree is 6", func() (*motion.Motion, error) { return motion.New(1, 6, nil, make([]float64, 21), nil) }},
		{"control has 5 numbers", func() (*motion.Motion, error) {
			return motion.New(1, 1, nil, make([]float64, 5), nil)
		}},
		{"control[0][1][0][2] is NaN", func() (*motion.Motion, error) {
			return motion.New(1, 1, nil, []float64{0, 0, 0, 0, 0, nan}, nil)
		}},
		{"control[0][1][0][0] is +Inf", func() (*motion.Motion, error) {
			return motion.New(1, 1, nil, []float64{0, 0, 0, inf, 0, 0}, nil)
		}},
		{"radius[0][0] is -1", func() (*motion.Motion, error) {
			return motion.New(1, 1, nil, make([]float64, 6), []float64{-1})
		}},
		{"radius has 2 numbers", func() (*motion.Motion, error) {
			return motion.New(1, 1, nil, make([]float64, 6), []float64{0, 0})
		}},
		{"times has 1 entries", func() (*motion.Motion, error) { return motion.New(1, 1, []float64{0}, nil, nil) }},
		{"times[0] is 0.1", func() (*motion.Motion, error) { return motion.New(1, 1, []float64{0.1, 1}, nil, nil) }},
		{"times[1] is 0.9", func() (*motion.Motion, error) { return motion.New(1, 1, []float64{0, 0.9}, nil, nil) }},
		{"times[2] is 0.5", func() (*motion.Motion, error) {
			return motion.New(1, 1, []float64{0, 0.5, 0.5, 1}, nil, nil)
		}},
		{"times[1] is NaN", func() (*motion.Motion, error) { return motion.New(1, 1, []float64{0, nan, 1}, nil, nil) }},
		{"vertex 0 jumps", func() (*motion.Motion, error) {
			return motion.New(1, 1, []float64{0, 0.5, 1}, []float64{0, 0, 0, 1, 0, 0, 1.5, 0, 0, 1, 0, 0},
				[]float64{0.2, 0.2})
		}},
		{"x[0][1] is NaN", func() (*motion.Motion, error) { return motion.Accelerated(1, []float64{0, nan, 0}, x, x) }},
		{"x[0][1] + v[0][1] / 2 is 1.39999", func() (*motion.Motion, error) {
			return motion.Accelerated(1, []float64{0, 9e149, 0}, []float64{0, 1e150, 0}, x)
		}},
		{"x[1][2] + v[1][2] + a[1][2] / 2 is -1.200000", func() (*motion.Motion, error) {
			large := []float64{0, 0, 0, 0, 0, -4e149}
			return motion.Accelerated(2, large, large, []float64{0, 0, 0, 0, 0, -8e149})
		}},
		{"x[1][0][2] - (times[1] - times[0]) v[1][0][2] / 3 is -1.19999", func() (*motion.Motion, error) {
			return motion.Hermite(1, nil, []float64{0, 0, 0, 0, 0, -9e149}, []float64{0, 0, 0, 0, 0, 9e149})
		}},
		{"x[1][0][1] is NaN", func() (*motion.Motion, error) {
			return motion.Hermite(1, nil, []float64{0, 0, 0, 0, nan, 0}, make([]float64, 6))
		}},
		{"a has 2 numbers", func() (*motion.Motion, error) { return motion.Accelerated(1, x, x, x[:2]) }},
		{"v has 3 numbers", func() (*motion.Motion, error) { return motion.Hermite(1, nil, make([]float64, 6), x) }},
		{"knots has 3 entries", func() (*motion.Motion, error) { return motion.BSpline(1, 1, []float64{0, 0, 1}, x) }},
		{"knots[1] is 0.5: must be 0", func() (*motion.Motion, error) {
			return motion.BSpline(1, 1, []float64{0, 0.5, 1, 1}, make([]float64, 6))
		}},
		{"knots[2] is 0.5: below", func() (*motion.Motion, error) {
			return motion.BSpline(1, 1, []float64{0, 0.7, 0.5, 1}, make([]float64, 6))
		}},
		{"knots[2] to knots[3] are 0.5", func() (*motion.Motion, error) {
			return motion.BSpline(1, 1, []float64{0, 0, 0.5, 0.5, 1, 1}, make([]float64, 12))
		}},
		{"matrix has 9 numbers", func() (*motion.Motion, error) {
			return motion.Affine(1, 1, x, make([]float64, 9), make([]float64, 6))
		}},
		{"x[0][0] is 1e+100", func() (*motion.Motion, error) {
			return motion.Rigid(1, []float64{1e100, 0, 0}, one, 0, 0)
		}},
		{"body.rotation is 0", func() (*motion.Motion, error) { return motion.Rigid(1, x, motion.Bone{}, 0, 0) }},
		{"body.velocity[1] is NaN", func() (*motion.Motion, error) {
			return motion.Rigid(1, x, motion.Bone{Rotation: one.Rotation, Velocity: [3]float64{0, nan, 0}}, 0, 0)
		}},
		{"body.angular_velocity is", func() (*motion.Motion, error) {
			return motion.Rigid(1, x,
				motion.Bone{Rotation: one.Rotation, AngularVelocity: [3]float64{0, 1e20, 0}}, 0, 0)
		}},
		{"1000 vertices on 1048576 pieces, for a turn of 1e+09 radians, have 1.26e+10 control numbers: at most 2^31",
			func() (*motion.Motion, error) {
				body := motion.Bone{Rotation: one.Rotation, AngularVelocity: [3]float64{0, 1e9, 0}}
				return motion.Rigid(1000, make([]float64, 3000), body, 0, 0)
			}},
		{"pieces is -1", func() (*motion.Motion, error) { return motion.Rigid(1, x, one, 5, -1) }},
		{"degree is 4: must be 3 or 5", func() (*motion.Motion, error) { return motion.Rigid(1, x, one, 4, 0) }},
		{"bones is empty", func() (*motion.Motion, error) { return motion.Skinned(1, x, nil, nil, 0, 0) }},
		{"weights has 1 numbers", func() (*motion.Motion, error) {
			return motion.Skinned(1, x, []motion.Bone{one, one}, []float64{1}, 0, 0)
		}},
		{"weights[0][1] is NaN", func() (*motion.Motion, error) {
			return motion.Skinned(1, x, []motion.Bone{one, one}, []float64{1, nan}, 0, 0)
		}},
		{"links[0] is 1", func() (*motion.Motion, error) {
			return motion.Chain(1, x, []int32{1}, []motion.Joint{joint}, 0, 0)
		}},
		{"joints[1].parent is 1", func() (*motion.Motion, error) {
			return motion.Chain(1, x, []int32{1}, with(func(j *motion.Joint) { j.Parent = 1 }), 0, 0)
		}},
		{"joints[1].axis is 0", func() (*motion.Motion, error) {
			return motion.Chain(1, x, []int32{1}, with(func(j *motion.Joint) { j.Axis = [3]float64{} }), 0, 0)
		}},
		{"joints[1].kind is 7", func() (*motion.Motion, error) {
			return motion.Chain(1, x, []int32{1}, with(func(j *motion.Joint) { j.Kind = 7 }), 0, 0)
		}},
		{"joints[1].value0, value1 are NaN", func() (*motion.Motion, error) {
			return motion.Chain(1, x, []int32{1}, with(func(j *motion.Joint) { j.Value0 = nan }), 0, 0)
		}},
		{"joints[1].position[2] is +Inf", func() (*motion.Motion, error) {
			return motion.Chain(1, x, []int32{1}, with(func(j *motion.Joint) { j.Position[2] = inf }), 0, 0)
		}},
	}
	for _, c := range cases {
		if m, err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v; want an error with %q", m, err, c.want)
		}
	}
}
