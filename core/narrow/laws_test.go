package narrow

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

var floatMethods = []Method{TightInclusion, TimeContracted}

// meetingQuery returns a query of small integers, some blurred, that in two cases of three is moved
// to meet, up to rounding.
func meetingQuery(r *rand.Rand, kind geom.Kind) []float64 {
	q := make([]float64, kind.Len())
	for i := range q {
		q[i] = float64(r.IntN(9) - 4)
		if r.IntN(3) == 0 {
			q[i] += r.Float64() - 0.5
		}
	}
	if r.IntN(3) > 0 {
		var f form
		f.load(kind, q, &Options{TMax: 1})
		u, v := r.Float64(), r.Float64()
		if kind == geom.VertexFace && u+v > 1 {
			u, v = 1-u, 1-v
		}
		x, n, first := f.at(r.Float64(), u*f.uEnd, v*f.vEnd), kind.Points(), 1
		if kind == geom.EdgeEdge {
			first = 2
		}
		for i := range 3 * first {
			q[i] -= x[i%3]
			q[3*n+i] -= x[i%3]
		}
	}
	return q
}

func eachMethod(t *testing.T, n int, fn func(t *testing.T, r *rand.Rand, kind geom.Kind, o Options)) {
	for _, m := range floatMethods {
		for kind := geom.VertexFace; kind <= geom.PointPoint; kind++ {
			r := rand.New(rand.NewPCG(uint64(m), uint64(kind)))
			for i := range n {
				o := DefaultOptions()
				o.Method, o.MaxIterations = m, 20000
				o.Tolerance = math.Ldexp(1, -r.IntN(30))
				if i%2 == 0 {
					o.MinSeparation = math.Ldexp(1, -r.IntN(30))
					if i%4 != 0 {
						o.Flags |= MaxNorm
					}
				}
				if r.IntN(4) == 0 {
					o.TMax = r.Float64()
				}
				fn(t, r, kind, o)
			}
		}
	}
}

// TestLaw3ContactIsNear evaluates |F| at (toi_hi, u, v) exactly: the searches accept whole cells,
// of which that is a point.
func TestLaw3ContactIsNear(t *testing.T) {
	s := NewSolver()
	contacts := 0
	eachMethod(t, 400, func(t *testing.T, r *rand.Rand, kind geom.Kind, o Options) {
		q := meetingQuery(r, kind)
		var im geom.Impact
		s.Solve(kind, q, &o, &im)
		if im.Verdict != geom.Contact {
			return
		}
		contacts++
		var f form
		f.load(kind, q, &o)
		if im.U < 0 || im.V < 0 || kind == geom.VertexFace && im.U+im.V > 1 || im.U > 1 || im.V > 1 {
			t.Fatalf("%v %v: u, v = %v, %v", kind, q, im.U, im.V)
		}
		if im.TOIHi > o.TMax || im.TOILo > im.TOIHi || im.TOILo < 0 {
			t.Fatalf("%v %v: toi [%v, %v], t_max %v", kind, q, im.TOILo, im.TOIHi, o.TMax)
		}
		var sum, most float64
		for k := range 3 {
			x, _ := exactF(kind, q, k, rat(im.TOIHi), rat(im.U), rat(im.V)).Float64()
			x = max(math.Abs(x)-2*f.eps[k], 0)
			sum, most = sum+x*x, max(most, x)
		}
		if o.Flags&MaxNorm == 0 && o.MinSeparation > 0 {
			most = math.Sqrt(sum)
		}
		if most > (o.MinSeparation+o.Tolerance)*(1+1e-15) {
			t.Fatalf("%v %v: |F| = %v > %v + %v", kind, q, most, o.MinSeparation, o.Tolerance)
		}
		if n := math.Hypot(math.Hypot(im.Normal[0], im.Normal[1]), im.Normal[2]); math.Abs(n-1) > 1e-14 {
			t.Fatalf("%v %v: normal %v", kind, q, im.Normal)
		}
	})
	if contacts < 400 {
		t.Errorf("only %d contacts", contacts)
	}
}

// TestLaw2SafeBeforeTOI looks for points with |F| <= d before toi_lo, at random and where F comes
// nearest to the origin.
func TestLaw2SafeBeforeTOI(t *testing.T) {
	s := NewSolver()
	eachMethod(t, 150, func(t *testing.T, r *rand.Rand, kind geom.Kind, o Options) {
		q := meetingQuery(r, kind)
		var im geom.Impact
		s.Solve(kind, q, &o, &im)
		var f form
		f.load(kind, q, &o)
		for i := range 12 {
			x := o.TMax
			if im.Verdict != geom.Separate {
				x = math.Nextafter(im.TOILo, -1)
			}
			if i > 0 {
				x *= r.Float64()
			}
			if x < 0 {
				return
			}
			u, v := f.nearest(x)
			if near(kind, q, x, u, v, &o) {
				t.Fatalf("%v %v: %v at toi_lo %v, but contact at t=%v u=%v v=%v",
					kind, q, im.Verdict, im.TOILo, x, u, v)
			}
		}
	})
}

// near tells exactly whether |F(t,u,v)| <= d.
func near(kind geom.Kind, q []float64, t, u, v float64, o *Options) bool {
	d := rat(o.MinSeparation)
	sum, inside := new(big.Rat), true
	for k := range 3 {
		x := exactF(kind, q, k, rat(t), rat(u), rat(v))
		inside = inside && x.Abs(x).Cmp(d) <= 0
		sum.Add(sum, x.Mul(x, x))
	}
	if o.Flags&MaxNorm == 0 {
		return sum.Cmp(d.Mul(d, d)) <= 0
	}
	return inside
}

// TestLaw6Scale multiplies everything by powers of two, beyond the point where queries are
// normalized.
func TestLaw6Scale(t *testing.T) {
	s := NewSolver()
	eachMethod(t, 100, func(t *testing.T, r *rand.Rand, kind geom.Kind, o Options) {
		q := meetingQuery(r, kind)
		var im, jm geom.Impact
		s.Solve(kind, q, &o, &im)
		for _, e := range []int{-300, -170, -20, 20, 170, 400} {
			p := make([]float64, len(q))
			for i := range q {
				p[i] = math.Ldexp(q[i], e)
			}
			oo := o
			oo.MinSeparation, oo.Tolerance = math.Ldexp(o.MinSeparation, e), math.Ldexp(o.Tolerance, e)
			s.Solve(kind, p, &oo, &jm)
			if jm.Verdict != im.Verdict || jm.TOILo != im.TOILo || jm.TOIHi != im.TOIHi || jm.U != im.U ||
				jm.V != im.V || jm.Normal != im.Normal {
				t.Fatalf("%v %v: 2^%d changes\n%+v to\n%+v", kind, q, e, im, jm)
			}
		}
	})
}

// TestLaw8PositiveStep starts apart by a hair, and in contact by a hair.
func TestLaw8PositiveStep(t *testing.T) {
	s := NewSolver()
	eachMethod(t, 60, func(t *testing.T, r *rand.Rand, kind geom.Kind, o Options) {
		o.Flags |= NoZeroTOI
		q := meetingQuery(r, kind)
		// The first primitive above the second by exactly d in z at t=0, give or take an ulp, and
		// falling.
		n := kind.Points()
		first := 1
		if kind == geom.EdgeEdge {
			first = 2
		}
		z := o.MinSeparation
		switch r.IntN(3) {
		case 0:
			z = max(math.Nextafter(z, 9), 0x1p-1000)
		case 1:
			z = math.Nextafter(z, -9)
		}
		for i := range n {
			q[3*i], q[3*i+1], q[3*i+2] = float64(i&1), float64(i>>1), 0
			if i < first {
				q[3*i], q[3*i+1], q[3*i+2] = 0.25*float64(1+i), 0.25, z
			}
			if kind == geom.PointPoint {
				q[3*i], q[3*i+1] = 0, 0
			}
			if kind == geom.PointEdge {
				q[3*i+1] = 0
			}
			for k := range 3 {
				q[3*(n+i)+k] = q[3*i+k]
			}
			if i < first {
				q[3*(n+i)+2] = -1
			}
		}
		var im geom.Impact
		s.Solve(kind, q, &o, &im)
		apart := newStart(kind, q, o.Flags&MaxNorm == 0 && o.MinSeparation > 0).exceeds(o.MinSeparation)
		if apart && im.TOILo == 0 && o.TMax > 0 {
			t.Fatalf("%v %v, d=%v: apart at t=0 but %+v", kind, q, o.MinSeparation, im)
		}
		if !apart && (im.Verdict != geom.Contact || im.TOIHi != 0 || im.Flags&geom.InitialContact == 0) {
			t.Fatalf("%v %v, d=%v: in contact at t=0 but %+v", kind, q, o.MinSeparation, im)
		}
	})
}

// TestNoAllocation holds after warm-up, without NoZeroTOI.
func TestNoAllocation(t *testing.T) {
	s := NewSolver()
	r := rand.New(rand.NewPCG(5, 6))
	var im geom.Impact
	for _, m := range floatMethods {
		o := DefaultOptions()
		o.Method, o.MaxIterations = m, 20000
		q := make([][]float64, 200)
		run := func() {
			for i := range q {
				s.Solve(geom.VertexFace+geom.Kind(i%4), q[i], &o, &im)
			}
		}
		for i := range q {
			q[i] = meetingQuery(r, geom.VertexFace+geom.Kind(i%4))
		}
		run()
		if n := testing.AllocsPerRun(1, run); n != 0 {
			t.Errorf("method %d: %v allocations", m, n)
		}
	}
}
