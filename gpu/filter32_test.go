package gpu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/simd/linear"
)

// Law 1: what filter32 proves apart touches at no t in [0, tmax]. The tests compare with rational
// arithmetic: every value on the way is within its bound, and every verdict is true.

// hard32 returns a query, as four records, whose differences round badly or cancel.
func hard32(r *rand.Rand) (rec []float64) {
	scale := math.Ldexp(1, r.IntN(8)-4)
	if r.IntN(8) == 0 {
		scale = math.Ldexp(1, r.IntN(60)-40)
	}
	entry := func() float64 {
		switch r.IntN(5) {
		case 0: // just above a power of two: half a unit in the last place is U of it
			return math.Ldexp(1+float64(r.IntN(64))*0x1p-24+0x1p-25+0x1p-30, r.IntN(3)) * float64(1-2*r.IntN(2))
		case 1:
			return float64(r.IntN(5) - 2)
		case 2: // tiny beside the others, down to denormals of single precision
			return math.Ldexp(r.NormFloat64(), -r.IntN(150))
		}
		return r.NormFloat64()
	}
	rec = make([]float64, 32)
	for k := range 3 {
		for e := range 2 {
			var a [4]float64
			for v := range a {
				a[v] = scale * entry()
			}
			if r.IntN(2) == 0 {
				a[1] = 0 // differences are then the others, all bits of them
			}
			for v := range a {
				rec[8*v+4*e+k] = a[v]
			}
		}
	}
	if r.IntN(3) == 0 { // nearly coplanar all the time: the last vertex in the span of the others
		u, v := r.Float64(), r.Float64()
		for _, k := range []int{0, 1, 2, 4, 5, 6} {
			rec[24+k] = (1-u-v)*rec[k] + u*rec[8+k] + v*rec[16+k] + scale*r.NormFloat64()*math.Ldexp(1, -20-r.IntN(8))
		}
	}
	return rec
}

var corners = [4]int32{0, 1, 2, 3}

// exact32 is a query in rationals, on [0, tmax].
type exact32 struct {
	m    [3][2][3]*big.Rat // A, B, C at both ends
	most [3][3]*big.Rat    // their larger magnitudes over the whole step, and at least least32
}

func rat(x float64) *big.Rat     { return new(big.Rat).SetFloat64(x) }
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}
func abs(a *big.Rat) *big.Rat { return new(big.Rat).Abs(a) }

func newExact32(rec []float64, face bool, tmax float64) (q exact32) {
	pairs := [3][2]int{{0, 2}, {1, 0}, {2, 3}}
	if face {
		pairs = [3][2]int{{0, 1}, {1, 2}, {1, 3}}
	}
	for v, p := range pairs {
		for k := range 3 {
			x0, x1 := sub(rat(rec[8*p[0]+k]), rat(rec[8*p[1]+k])), sub(rat(rec[8*p[0]+4+k]), rat(rec[8*p[1]+4+k]))
			q.m[v][0][k], q.m[v][1][k] = x0, add(x0, mul(rat(tmax), sub(x1, x0)))
			q.most[v][k] = larger(larger(abs(x0), abs(x1)), rat(least32))
		}
	}
	return q
}

func crossRat(a, b [3]*big.Rat, sign int64) (c [3]*big.Rat) {
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		c[k] = add(mul(a[i], b[j]), mul(big.NewRat(-sign, 1), mul(a[j], b[i])))
	}
	return c
}

func dotRat(a, b [3]*big.Rat) *big.Rat {
	return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}

func det(a, b, c [3]*big.Rat) *big.Rat { return dotRat(a, crossRat(b, c, 1)) }

// lowest is the minimum of a + u b + v c over the domain, exactly.
func lowestRat(face bool, a, b, c *big.Rat) *big.Rat {
	low := new(big.Rat)
	points := [][2]int64{{0, 0}, {1, 0}, {0, 1}, {1, 1}}
	if face {
		points = points[:3]
	}
	for i, p := range points {
		x := add(a, add(mul(big.NewRat(p[0], 1), b), mul(big.NewRat(p[1], 1), c)))
		if i == 0 || x.Cmp(low) < 0 {
			low = x
		}
	}
	return low
}

// worst keeps the largest error of each kind of value, in units of its bound.
type worst map[string]float64

func (w worst) check(t *testing.T, name string, got float32, want *big.Rat, bound float32) {
	t.Helper()
	e := abs(sub(rat(float64(got)), want))
	if bound == 0 {
		return
	}
	ratio, _ := e.Quo(e, rat(float64(bound))).Float64()
	w[name] = max(w[name], ratio)
	if ratio >= 1 {
		t.Fatalf("%s is %v, off by %g of its bound", name, got, ratio)
	}
}

// checkValues compares every value of a query with the rational one.
func (w worst) checkValues(t *testing.T, rec []float64, face bool, tmax float64) {
	t.Helper()
	w.checkQuery(t, load32(rec, &corners, face, [2]float64{1 - tmax, tmax}), rec, face, tmax)
}

// checkQuery does the same for a query as a device may have loaded it.
func (w worst) checkQuery(t *testing.T, q query32, rec []float64, face bool, tmax float64) {
	t.Helper()
	x := newExact32(rec, face, tmax)
	if !(q.scale.x+q.scale.y+q.scale.z <= largest32) {
		return
	}
	a, b, c := x.m[0], x.m[1], x.m[2]
	if f := q.cubic(); f.volume >= smallest32 {
		e, e3 := float32(f.volume*cubicEndBound32), float32(f.volume*cubicMiddleBound32)
		w.check(t, "f0", f.f0, det(a[0], b[0], c[0]), e)
		w.check(t, "f3", f.f3, det(a[1], b[1], c[1]), e)
		w.check(t, "f1", f.f1, add(det(a[1], b[0], c[0]), add(det(a[0], b[1], c[0]), det(a[0], b[0], c[1]))), e3)
		w.checkNorm(t, &q, b, c)
		w.check(t, "f2", f.f2, add(det(a[0], b[1], c[1]), add(det(a[1], b[0], c[1]), det(a[1], b[1], c[0]))), e3)
	}
	scale := [3]float32{q.scale.x, q.scale.y, q.scale.z}
	begin := [3][3]float32{{q.a.begin.x, q.a.begin.y, q.a.begin.z}, {q.b.begin.x, q.b.begin.y, q.b.begin.z},
		{q.c.begin.x, q.c.begin.y, q.c.begin.z}}
	end := [3][3]float32{{q.a.end.x, q.a.end.y, q.a.end.z}, {q.b.end.x, q.b.end.y, q.b.end.z},
		{q.c.end.x, q.c.end.y, q.c.end.z}}
	for k := range 3 {
		if scale[k] < smallest32 {
			continue
		}
		for s, m := range [2][3][3]float32{begin, end} {
			w.check(t, "axis", q.lowest(m[0][k], m[1][k], m[2][k]), lowestRat(face, a[s][k], b[s][k], c[s][k]),
				float32(scale[k]*axisBound32))
		}
	}
	u, v, d := q.derivatives()
	for _, n := range [3]vector32{u.cross(v), v.cross(d), d.cross(u)} {
		size := q.size(n)
		if size < smallest32 {
			continue
		}
		x := [3]*big.Rat{rat(float64(n.x)), rat(float64(n.y)), rat(float64(n.z))}
		bound := float32(size * directionBound32)
		w.check(t, "direction", q.lowest(n.dot(q.a.begin), n.dot(q.b.begin), n.dot(q.c.begin)),
			lowestRat(face, dotRat(x, a[0]), dotRat(x, b[0]), dotRat(x, c[0])), bound)
		w.check(t, "direction", q.lowest(n.dot(q.a.end), n.dot(q.b.end), n.dot(q.c.end)),
			lowestRat(face, dotRat(x, a[1]), dotRat(x, b[1]), dotRat(x, c[1])), bound)
	}
}

// checkNorm holds the bound on |B x C|_1 against the Bernstein coefficients in rationals, and keeps
// how much of normBound32 they need.
func (w worst) checkNorm(t *testing.T, q *query32, b, c [2][3]*big.Rat) {
	t.Helper()
	n := [3][3]*big.Rat{crossRat(b[0], c[0], 1), crossRat(b[1], c[1], 1)}
	left, right := crossRat(b[0], c[1], 1), crossRat(b[1], c[0], 1)
	n0, n1, n2 := q.b.begin.cross(q.c.begin), q.b.begin.cross(q.c.end).plus(q.b.end.cross(q.c.begin)),
		q.b.end.cross(q.c.end)
	bare := n0.abs().larger(vector32{n1.x / 2, n1.y / 2, n1.z / 2}.abs()).larger(n2.abs())
	want, area := new(big.Rat), q.b.most.permanent(q.c.most)
	for k, got := range [3]float32{bare.x, bare.y, bare.z} {
		n[2][k] = mul(big.NewRat(1, 2), add(left[k], right[k]))
		most := larger(larger(abs(n[0][k]), abs(n[1][k])), abs(n[2][k]))
		want.Add(want, most)
		if bound := float32([3]float32{area.x, area.y, area.z}[k] * normBound32); got < q.cubic().norm &&
			bound > smallest32 {
			w.check(t, "norm", got, most, bound)
		}
	}
	if norm := q.cubic().norm; mul(rat(float64(norm)), rat(1+4*0x1p-24)).Cmp(want) < 0 { // three sums of it are rounded
		t.Fatalf("the norm of B x C is %v: less than %v", norm, want.FloatString(30))
	}
}

func kindOf(face bool) geom.Kind {
	if face {
		return geom.VertexFace
	}
	return geom.EdgeEdge
}

// checkVerdict compares a proof with the exact method.
func checkVerdict(t *testing.T, s *narrow.Solver, rec []float64, face bool, tmax, sep float64) (apart, contact bool) {
	t.Helper()
	q := load32(rec, &corners, face, [2]float64{1 - tmax, tmax})
	w := linear.FilterBounds(tmax, sep)
	apart = q.apart(newReach32(w[2], w[3]))
	var x [24]float64
	for i := range 4 {
		copy(x[3*i:3*i+3], rec[8*i:])
		copy(x[12+3*i:15+3*i], rec[8*i+4:])
	}
	var im geom.Impact
	o := narrow.DefaultOptions()
	o.Method, o.Flags, o.TMax, o.MinSeparation = narrow.Exact, narrow.MaxNorm, tmax, sep
	s.Solve(kindOf(face), x[:], &o, &im)
	if apart && im.Verdict != geom.Separate {
		t.Fatalf("%v, tmax %v, separation %v: proven apart, but in contact at %v: %v",
			kindOf(face), tmax, sep, im.TOILo, x)
	}
	return apart, im.Verdict != geom.Separate
}

// brink returns about the largest separation at which one of the tests, that of number which,
// proves the query apart; or less than 0.
func (q *query32) brink(which int) float64 {
	if !(q.scale.x+q.scale.y+q.scale.z <= largest32) {
		return -1
	}
	a, b, c := &q.a, &q.b, &q.c
	low := func(a0, b0, c0, a1, b1, c1, bound, size float32) float64 {
		if a0 < 0 {
			a0, b0, c0, a1, b1, c1 = -a0, -b0, -c0, -a1, -b1, -c1
		}
		return (float64(min(q.lowest(a0, b0, c0), q.lowest(a1, b1, c1))) - float64(bound)) / float64(size)
	}
	u, v, t := q.derivatives()
	switch which {
	case 0:
		return low(a.begin.x, b.begin.x, c.begin.x, a.end.x, b.end.x, c.end.x, q.scale.x*axisBound32, 1)
	case 1:
		return low(a.begin.z, b.begin.z, c.begin.z, a.end.z, b.end.z, c.end.z, q.scale.z*axisBound32, 1)
	case 2, 6: // 6: without the middle coefficients
		f := q.cubic()
		if f.f0 < 0 {
			f.f0, f.f1, f.f2, f.f3 = -f.f0, -f.f1, -f.f2, -f.f3
		}
		ends, middle := float64(min(f.f0, f.f3)-f.volume*cubicEndBound32),
			float64(min(f.f1, f.f2)-f.volume*cubicMiddleBound32)
		if which == 6 {
			middle = math.Inf(1)
		}
		return min(ends, middle/3) / float64(f.norm)
	}
	d := [3]vector32{u.cross(v), v.cross(t), t.cross(u)}[which-3]
	return low(d.dot(a.begin), d.dot(b.begin), d.dot(c.begin), d.dot(a.end), d.dot(b.end), d.dot(c.end),
		q.size(d)*directionBound32, d.sum())
}

func TestFilter32Law1Bounds(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = long.Part(3000, 3)
	}
	r := rand.New(rand.NewPCG(32, 1))
	w := worst{}
	for i := range n {
		w.checkValues(t, hard32(r), i%2 == 0, []float64{1, 1, 0.3, r.Float64()}[i%4])
	}
	for name, least := range map[string]float64{"f0": 0.1, "f1": 0.05, "f2": 0.05, "f3": 0.1, "axis": 0.2,
		"direction": 0.1, "norm": 0.05} {
		if w[name] < least {
			t.Errorf("%s: the largest error is %g of its bound: the test shows little", name, w[name])
		}
	}
	t.Logf("largest errors in units of the bounds: %v", w)
}

func TestFilter32Law1Verdicts(t *testing.T) {
	n := 400000
	if testing.Short() {
		n = 40000
	}
	r := rand.New(rand.NewPCG(32, 2))
	solver := narrow.NewSolver()
	aparts, contacts := 0, 0
	for i := range n {
		apart, contact := checkVerdict(t, solver, hard32(r), i%2 == 0, []float64{1, 1, 0.3, r.Float64()}[i%4], 0)
		if apart {
			aparts++
		}
		if contact {
			contacts++
		}
	}
	if aparts < n/8 || contacts < n/16 {
		t.Errorf("%d of %d queries proven apart, %d in contact: the test shows little", aparts, n, contacts)
	}
	t.Logf("%d queries: %d proven apart, %d in contact", n, aparts, contacts)
}

// With a separation, most of them about as large as one of the tests can prove.
func TestFilter32Law1Separations(t *testing.T) {
	n := 100000
	if testing.Short() {
		n = 20000
	}
	r := rand.New(rand.NewPCG(32, 5))
	solver := narrow.NewSolver()
	aparts, contacts := 0, 0
	for i := range n {
		rec, face, tmax := hard32(r), i%2 == 0, []float64{1, 1, 0.3, r.Float64()}[i%4]
		q := load32(rec, &corners, face, [2]float64{1 - tmax, tmax})
		sep := q.brink(r.IntN(7)) * (1 + math.Ldexp(2*r.Float64()-1, -r.IntN(24)))
		if !(sep > 0) || i%16 == 0 {
			sep = math.Ldexp(r.Float64(), r.IntN(200)-160)
		}
		apart, contact := checkVerdict(t, solver, rec, face, tmax, sep)
		if apart {
			aparts++
		}
		if contact {
			contacts++
		}
	}
	if aparts < n/8 || contacts < n/8 {
		t.Errorf("%d of %d queries proven apart, %d in contact: the test shows little", aparts, n, contacts)
	}
	t.Logf("%d queries: %d proven apart, %d in contact", n, aparts, contacts)
}

// A cubic that keeps more than the separation times the norm of B x C does so at the middle of the
// time, where its value is (f0 + f1 + f2 + f3)/8 because f1 and f2 are three times the
// coefficients.
func TestFilter32Law1Middle(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 6))
	aparts := 0
	for range 20000 {
		sep := r.Float64()
		w := linear.FilterBounds(1, sep)
		near := func() float32 { return float32(sep * (0.8 + 3*r.Float64())) }
		f := form32{near(), near(), near(), near(), 1e-3, 1}
		if !f.apart(newReach32(w[2], w[3])) {
			continue
		}
		aparts++
		if middle := (float64(f.f0) + float64(f.f1) + float64(f.f2) + float64(f.f3)) / 8; middle <= sep {
			t.Fatalf("separation %v: %+v is proven apart, and is %v at the middle", sep, f, middle)
		}
	}
	if aparts < 500 {
		t.Errorf("%d cubics are proven apart: the test shows little", aparts)
	}
}

// A device may flush denormals to zero. Here the differences are flushed, where A is so small
// beside B and C that it matters most.
func TestFilter32Law1Flushed(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 4))
	w := worst{}
	flush := func(v *vector32) {
		for _, x := range []*float32{&v.x, &v.y, &v.z} {
			if abs32(*x) < 0x1p-126 {
				*x = 0
			}
		}
	}
	for i := range long.Part(3000, 3) {
		rec := make([]float64, 32)
		for k := range 3 {
			small := math.Ldexp(1+r.Float64(), -127-r.IntN(3))
			if k == i%3 {
				small = math.Ldexp(1+r.Float64(), -112+r.IntN(12))
			}
			for e := range 2 { // vertex-face: A is the first vertex, B and C are the others
				rec[4*e+k] = small
				rec[16+4*e+k], rec[24+4*e+k] = 0x1p25*r.NormFloat64(), 0x1p25*r.NormFloat64()
			}
		}
		q := load32(rec, &corners, true, [2]float64{0, 1})
		for _, m := range []*motion32{&q.a, &q.b, &q.c} {
			flush(&m.begin)
			flush(&m.end)
		}
		w.checkQuery(t, q, rec, true, 1)
	}
	if w["f0"] < 1e-3 {
		t.Errorf("largest errors in units of the bounds: %v: the test shows little", w)
	}
	t.Log(w)
}

func FuzzFilter32(f *testing.F) {
	r := rand.New(rand.NewPCG(32, 3))
	for range 8 {
		var b []byte
		for _, x := range hard32(r) {
			for k := range 8 {
				b = append(b, byte(math.Float64bits(x)>>(8*k)))
			}
		}
		f.Add(b, true, 1.0, 0.0)
		f.Add(b, false, 0.5, 0.01)
	}
	solver := narrow.NewSolver()
	f.Fuzz(func(t *testing.T, b []byte, face bool, tmax, sep float64) {
		if !(tmax >= 0 && tmax <= 1 && sep >= 0 && sep <= 1e150) {
			return
		}
		rec := make([]float64, 32)
		for i := range rec {
			var bits uint64
			for k := range 8 {
				if 8*i+k < len(b) {
					bits |= uint64(b[8*i+k]) << (8 * k)
				}
			}
			if x := math.Float64frombits(bits); i%4 != 3 && math.Abs(x) <= geom.MaxCoordinate {
				rec[i] = x
			}
		}
		worst{}.checkValues(t, rec, face, tmax)
		checkVerdict(t, solver, rec, face, tmax, 0)
		checkVerdict(t, solver, rec, face, tmax, sep)
	})
}
