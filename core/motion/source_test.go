package motion

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/num"
)

// The reference: each point carried on its own, in intervals.

// pointwise encloses where a point is at t in d[0], and as many derivatives as d has room for after
// it.
func pointwise(s *source, i int, t float64, d []vector) {
	p := pointAt(s.x, i)
	switch c := s.curve.(type) {
	case *chain:
		chainPoint(c, int(c.links[i]), p, t, d)
	case *skin:
		for b := range c.bones {
			w := c.weights[i*len(c.bones)+b]
			if w == 0 {
				continue
			}
			var own [3]vector
			bonePoint(&c.bones[b], p, t, own[:len(d)])
			for k := range d {
				if w != 1 {
					own[k] = own[k].times(num.Point(w))
				}
				d[k] = d[k].plus(own[k])
			}
		}
	}
}

func bonePoint(b *turning, p vector, t float64, y []vector) {
	d := turned(b.rest.apply(p.minus(b.pivot)), b.axis, b.rate.Scale(t))
	y[0] = b.position.plus(b.velocity.times(num.Point(t))).plus(d)
	across := b.axis.cross(d)
	y[1] = b.velocity
	if b.rate != (num.Interval{}) {
		y[1] = y[1].plus(across.times(b.rate))
	}
	if len(y) > 2 {
		y[2] = b.axis.cross(across).times(b.rate.Sqr())
	}
}

func chainPoint(c *chain, link int, p vector, t float64, d []vector) {
	x, v, a := p, vector{}, vector{}
	for j := link; j >= 0; j = int(c.joints[j].parent) {
		l := &c.joints[j]
		switch l.kind {
		case Revolute:
			q := l.value(t)
			x, v = turned(x, l.axis, q), turned(v, l.axis, q)
			before := v
			v = v.plus(l.axis.cross(x).times(l.rate))
			a = turned(a, l.axis, q).plus(l.axis.cross(before.plus(v)).times(l.rate))
		case Prismatic:
			x, v = x.plus(l.axis.times(l.value(t))), v.plus(l.axis.times(l.rate))
		}
		x, v, a = l.position.plus(l.place.apply(x)), l.place.apply(v), l.place.apply(a)
	}
	copy(d, []vector{x, v, a})
}

// pointwiseEnclose encloses a point's path on [t0, t1] by intervals alone.
func pointwiseEnclose(s *source, i int, t0, t1 float64, control []float64) (radius float64) {
	h := num.Point(t1).Sub(num.Point(t0))
	var a, b [3]vector
	count := (s.degree + 1) / 2
	pointwise(s, i, t0, a[:count])
	pointwise(s, i, t1, b[:count])
	if count == 2 {
		p := hermite(h, a[0], a[1], b[0], b[1])
		radius = settleAll(p[:], control)
	} else {
		p := quintic(h, a, b)
		radius = settleAll(p[:], control)
	}
	return num.AddUp(radius, num.MulUp(remainder(s.degree, h.Hi), s.curve.bound(i, s.degree+1)))
}

func random3(rng *rand.Rand, size float64) (x [3]float64) {
	for k := range x {
		x[k] = size * (2*rng.Float64() - 1)
	}
	return x
}

// someBone turns, or rests, about a pivot that may be far away.
func someBone(rng *rand.Rand, size float64) Bone {
	b := Bone{Rotation: [4]float64{1}, Position: random3(rng, size), Velocity: random3(rng, size),
		Pivot: random3(rng, size)}
	switch rng.IntN(4) {
	case 0:
		b.Pivot = [3]float64{}
	case 1:
		b.Pivot = random3(rng, 1e6*size)
	}
	if rng.IntN(3) > 0 {
		r := random3(rng, 1)
		b.Rotation = [4]float64{rng.Float64(), r[0], r[1], r[2]}
	}
	if rng.IntN(4) > 0 {
		b.AngularVelocity = random3(rng, math.Ldexp(1, rng.IntN(8)-3))
	}
	return b
}

func someSkin(t *testing.T, rng *rand.Rand, degree int, size float64) *Motion {
	bones := []Bone{someBone(rng, size), someBone(rng, size), someBone(rng, size)}
	const n = 6
	var x []float64
	for i := range n {
		p := random3(rng, size)
		if i == 0 {
			p = bones[0].Pivot
		}
		x = append(x, p[:]...)
	}
	weights := make([]float64, 3*n)
	for i := range n {
		weights[3*i+rng.IntN(3)] = 1
		if i > 2 {
			copy(weights[3*i:], []float64{rng.Float64(), 0.5, math.Ldexp(rng.Float64(), -rng.IntN(60))})
		}
	}
	m, err := Skinned(n, x, bones, weights, degree, 1+rng.IntN(4))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func someChain(t *testing.T, rng *rand.Rand, degree int, size float64) *Motion {
	var joints []Joint
	for i := range 5 {
		r, parent := random3(rng, 1), rng.IntN(i+1)-1
		joints = append(joints, Joint{
			Kind: JointKind(rng.IntN(3)), Parent: int32(parent), Rotation: [4]float64{1, r[0], r[1], r[2]},
			Position: random3(rng, size), Axis: random3(rng, 3),
			Value0: rng.Float64(), Value1: 2*rng.Float64() - 1,
		})
	}
	var x []float64
	for range 6 {
		p := random3(rng, size)
		x = append(x, p[:]...)
	}
	m, err := Chain(6, x, []int32{-1, 0, 1, 2, 3, 4}, joints, degree, rng.IntN(4))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Frames that bodies share enclose what intervals enclose for each point, with radii that are not
// much larger. Parts that keep frames of other times return the same.
func TestSourcesAgreeWithPointwiseIntervals(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	most, sum, count := 0.0, 0.0, 0
	for trial := range 300 {
		size := math.Ldexp(1, rng.IntN(60)-30)
		degree := 3 + 2*(trial&1)
		m := someSkin(t, rng, degree, size)
		if trial%3 == 0 {
			m = someChain(t, rng, degree, size)
		}
		s, kept := m.source, Parts{}
		for range 12 {
			t0 := rng.Float64()
			t1 := t0 + (1-t0)*math.Ldexp(rng.Float64(), -rng.IntN(40))
			if !(t0 < t1) {
				continue
			}
			for i := range m.n {
				var a, b [18]float64
				var c [18]float64
				var r1, r2 [1]float64
				kept.Enclose(m, t0, t1, []int32{int32(i)}, a[:], r1[:])
				new(Parts).Enclose(m, t0, t1, []int32{int32(i)}, c[:], r2[:])
				if a != c || r1 != r2 {
					t.Fatalf("point %d on [%v, %v]: %v, %v with frames that were kept, %v, %v without",
						i, t0, t1, a, r1, c, r2)
				}
				want := pointwiseEnclose(s, i, t0, t1, b[:])
				for l := range degree + 1 {
					var e deviation
					for k := range 3 {
						e[k] = math.Abs(a[3*l+k] - b[3*l+k])
					}
					if e.length() > (r1[0]+want)*(1+1e-9) {
						t.Fatalf("point %d on [%v, %v], control point %d: %v apart, with radii %v and %v",
							i, t0, t1, l, e.length(), r1[0], want)
					}
				}
				if want == 0 && r1[0] != 0 {
					t.Fatalf("point %d on [%v, %v]: radius %v where intervals need none", i, t0, t1, r1[0])
				}
				if want > 0 {
					most, sum, count = max(most, r1[0]/want), sum+r1[0]/want, count+1
				}
			}
		}
	}
	t.Logf("radii are %.3g times those of intervals at most, %.3g in the mean", most, sum/float64(count))
	if most > 8 || sum > 2*float64(count) {
		t.Errorf("radii are %v times those of intervals at most, %v in the mean", most, sum/float64(count))
	}
}

// Frames are kept by body and by both ends of time, with more bodies and times than there are
// slots.
func TestPartsKeepFramesOfEachBodyAndTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 1))
	const n = 3 * partSlots
	bones, weights := make([]Bone, n), make([]float64, n*n)
	var x []float64
	for i := range n {
		bones[i] = someBone(rng, 1)
		weights[n*i+i] = 1
		p := random3(rng, 1)
		x = append(x, p[:]...)
	}
	m, err := Skinned(n, x, bones, weights, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	var kept Parts
	for range 5000 {
		i := int32(rng.IntN(3)*partSlots + rng.IntN(2))
		t0 := float64(rng.IntN(4)) / 8
		t1 := t0 + float64(1+rng.IntN(32))/64
		var a, b [12]float64
		var r, s [1]float64
		kept.Enclose(m, t0, t1, []int32{i}, a[:], r[:])
		new(Parts).Enclose(m, t0, t1, []int32{i}, b[:], s[:])
		if a != b || r != s {
			t.Fatalf("point %d on [%v, %v]: %v, %v with frames that were kept, %v, %v without", i, t0, t1, a, r, b, s)
		}
	}
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// Every bound of placement, against rational numbers: frames of any size, points and pivots with
// exponents far apart, weights.
func TestPlacementBounds(t *testing.T) {
	long.Test(t)
	rng := rand.New(rand.NewPCG(22, 1))
	number := func() float64 {
		x := 2*rng.Float64() - 1
		switch rng.IntN(8) {
		case 0:
			return 0
		case 1:
			return math.Ldexp(x, -rng.IntN(1070))
		case 2:
			return math.Float64frombits(rng.Uint64N(100))
		case 3:
			return float64(rng.IntN(3) - 1)
		}
		return math.Ldexp(x, rng.IntN(20)-10)
	}
	around := func(x float64) num.Interval {
		if rng.IntN(3) == 0 {
			return num.Point(x)
		}
		w := math.Abs(x) * math.Ldexp(rng.Float64(), -40-rng.IntN(14))
		return num.Interval{Lo: num.SubDown(x, w), Hi: num.AddUp(x, w)}
	}
	end := func(i num.Interval) *big.Rat { // a number of the interval
		if rng.IntN(2) == 0 {
			return rat(i.Lo)
		}
		return rat(i.Hi)
	}
	most := 0.0
	for range 40000 {
		var f frame
		for k := range 4 {
			for row := range 3 {
				f.part(k)[row] = around(number())
			}
		}
		switch rng.IntN(6) {
		case 0: // a permutation
			f.column = [3]vector{{1: num.Point(-1)}, {2: num.Point(1)}, {0: num.Point(1)}}
		case 1: // no permutation
			f.column = [3]vector{{1: num.Point(-1)}, {2: num.Point(rng.Float64())}, {0: num.Point(1)}}
		}
		s := source{x: []float64{number(), number(), number()}, pivots: [][3]float64{{}}}
		if rng.IntN(2) == 0 {
			s.pivots[0] = [3]float64{number(), number(), number()}
		}
		a := s.arm(0, 0)
		p := newPlacement(&f)
		var y [3]float64
		off := p.place(&a, &y)
		square := new(big.Rat)
		for row := range 3 {
			want := end(f.origin[row])
			for k := range 3 {
				d := new(big.Rat).Sub(rat(s.x[k]), rat(s.pivots[0][k]))
				want.Add(want, d.Mul(d, end(f.column[k][row])))
			}
			want.Sub(want, rat(y[row]))
			square.Add(square, want.Mul(want, want))
		}
		bound := new(big.Rat).Mul(rat(off), rat(off))
		if square.Cmp(bound) > 0 {
			q, _ := square.Float64()
			t.Fatalf("off by %v, bound %v: frame %v, point %v, pivot %v", math.Sqrt(q), off, f, s.x, s.pivots[0])
		}
		if bound.Sign() > 0 {
			q, _ := new(big.Rat).Quo(square, bound).Float64()
			most = max(most, math.Sqrt(q))
		}
	}
	t.Logf("the largest error takes %.3f of its bound", most)
	if most < 0.9 {
		t.Errorf("no error takes more than %v of its bound", most)
	}
}

// A blend's bound holds its products and sums: bodies that do not turn have frames without errors,
// so all that is rounded is there.
func TestBlendBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	for range 4000 {
		bones := make([]Bone, 1+rng.IntN(12))
		weights := make([]float64, len(bones))
		x := random3(rng, 1)
		truth := [3]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat)}
		for b := range bones {
			bones[b] = Bone{Rotation: [4]float64{1}, Position: random3(rng, math.Ldexp(1, rng.IntN(40)-20))}
			weights[b] = math.Ldexp(2*rng.Float64()-1, rng.IntN(10))
			if rng.IntN(8) == 0 {
				weights[b] = math.Ldexp(rng.Float64(), -rng.IntN(1074))
			}
			for k := range 3 {
				sum := new(big.Rat).Add(rat(x[k]), rat(bones[b].Position[k]))
				truth[k].Add(truth[k], sum.Mul(sum, rat(weights[b])))
			}
		}
		m, err := Skinned(1, x[:], bones, weights, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		square := new(big.Rat)
		for k := range 3 {
			d := new(big.Rat).Sub(truth[k], rat(m.control[k]))
			square.Add(square, d.Mul(d, d))
		}
		r := rat(m.Radius(0, 0))
		if square.Cmp(new(big.Rat).Mul(r, r)) > 0 {
			q, _ := square.Float64()
			t.Fatalf("off by %v, radius %v: weights %v, bones %v", math.Sqrt(q), m.Radius(0, 0), weights, bones)
		}
	}
}
