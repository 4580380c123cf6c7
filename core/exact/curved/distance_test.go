package curved

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// nearMiss returns a query of some kind, degree and part of time that comes near its separation.
func nearMiss(rng *rand.Rand, grid bool) MotionQuery {
	q := randomMotion(rng, false)
	q.Kind = []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint}[rng.IntN(4)]
	q.Control = q.Control[:3*q.Kind.Points()*(q.Degree+1)]
	q.Separation, q.MaxNorm = 0.3*rng.Float64(), rng.IntN(2) == 0
	if grid {
		for i := range q.Control {
			q.Control[i] = float64(rng.IntN(7) - 3)
		}
		q.Separation = float64(1 + rng.IntN(2))
	}
	return q
}

// inDoubles is what double-doubles say of [lo, hi]; started says that contact at lo counts.
func (m *motionDistance) inDoubles(lo, hi float64, started bool) clearance.Instant {
	if !m.q.MaxNorm {
		return m.first(lo, hi, false)
	}
	var f clearance.CubeFollower
	f.Begin(m.q.Kind, m.q.Degree, m.r.Lines.D, m)
	return f.First(lo, hi, started)
}

// Where double-doubles decide with a separation, integers agree in every bit; and they decide
// nearly all queries that are not degenerate.
func TestMotionDistanceAgreesWithIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	n := 1200
	if testing.Short() {
		n = 250
	}
	var decided, contacts, asked [2]int
	for i := range n {
		grid := i % 2
		q := nearMiss(rng, grid == 1)
		end := q.T1
		if rng.IntN(3) == 0 {
			end = q.T0 + rng.Float64()*(q.T1-q.T0)
		}
		var r MotionResolver
		f := &r.floats
		f.load(&q)
		f.depth = motionShallow
		lo, hi, left := f.next(q.T0, end)
		if !left {
			continue
		}
		asked[grid]++
		r.distance.load(&q, f)
		got := r.distance.inDoubles(lo, hi, lo == q.T0)
		if got.Undecided {
			if q.MaxNorm && got.Lo > lo {
				if want := newIntegerDecider(&q).First(lo, math.Nextafter(got.Lo, 0)); want.Contact {
					t.Fatalf("%+v on [%v, %v]: apart before %v, in integers %+v", q, lo, hi, got.Lo, want)
				}
			}
			continue
		}
		decided[grid]++
		want := newIntegerDecider(&q).First(lo, hi)
		if got != want {
			t.Fatalf("%+v on [%v, %v]: %+v, in integers %+v", q, lo, hi, got, want)
		}
		if want.Contact {
			contacts[grid]++
		}
	}
	t.Logf("%d of %d decided, %d contacts", decided, asked, contacts)
	if decided[0] < asked[0]*3/4 || contacts[0] < asked[0]/4 || decided[1] < asked[1]/4 {
		t.Errorf("%d of %d decided, %d contacts", decided, asked, contacts)
	}
}

// The components of corners in double-doubles are within what the proof allows: against rational
// numbers.
func TestMotionDistanceErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	worst := 0.0
	for range 400 {
		q := nearMiss(rng, false)
		var f motionFloats
		f.load(&q)
		var m motionDistance
		m.load(&q, &f)
		s, z := q.T0+rng.Float64()*(q.T1-q.T0), q.T0+rng.Float64()*(q.T1-q.T0)
		times := rng.IntN(q.Degree + 1)
		part := func(t float64) *big.Rat {
			x := new(big.Rat).Sub(rat(t), rat(q.T0))
			return x.Quo(x, new(big.Rat).Sub(rat(q.T1), rat(q.T0)))
		}
		unit := new(big.Rat).Mul(rat(f.s0), rat(f.s1))
		for c, pair := range clearance.Shapes[q.Kind].Corners {
			for k := range 3 {
				var x [MaxMotionDegree + 1]*big.Rat
				for l := range q.Degree + 1 {
					x[l] = new(big.Rat).Sub(rat(q.at(l, int(pair[0]), k)), rat(q.at(l, int(pair[1]), k)))
					x[l].Mul(x[l], unit)
				}
				for step := range q.Degree {
					at := part(s)
					if step < times {
						at = part(z)
					}
					for l := range q.Degree - step {
						d := new(big.Rat).Sub(x[l+1], x[l])
						x[l] = new(big.Rat).Add(x[l], d.Mul(d, at))
					}
				}
				part := m.span(s, z)
				y := m.over(&m.corners[c][k], &part)[times]
				off, _ := x[0].Sub(x[0], ratOf(y)).Float64()
				if size := m.r.Lines.Mp[k] / 4; size > 0 {
					worst = max(worst, math.Abs(off)/(395*0x1p-106*size))
				}
			}
		}
	}
	t.Logf("the largest error takes %.4f of its bound", worst)
	if worst > 1 || worst < 1e-4 {
		t.Errorf("the largest error takes %v of its bound", worst)
	}
}

// BenchmarkMotionSeparation is queries with a separation that end in contact, by norm and degree.
func BenchmarkMotionSeparation(b *testing.B) {
	for _, maxNorm := range []bool{false, true} {
		for degree := 2; degree <= 3; degree++ {
			rng := rand.New(rand.NewPCG(19, 20))
			var list []MotionQuery
			var r MotionResolver
			var im geom.Impact
			for len(list) < 100 {
				q := MotionQuery{Kind: geom.EdgeEdge, Degree: degree, T1: 1, Separation: 1e-3, MaxNorm: maxNorm,
					Control: make([]float64, 12*(degree+1))}
				for i := range q.Control {
					q.Control[i] = rng.Float64()
				}
				if r.Resolve(&q, 1, &im); im.Verdict == geom.Contact && im.TOILo > 0 {
					list = append(list, q)
				}
			}
			b.Run(fmt.Sprintf("max=%v/k=%d", maxNorm, degree), func(b *testing.B) {
				began := time.Now()
				for range b.N {
					for i := range list {
						r.Resolve(&list[i], 1, &im)
					}
				}
				b.ReportMetric(float64(time.Since(began).Microseconds())/float64(b.N*len(list)), "us/contact")
			})
		}
	}
}

// Three times within one part at the distance d, of which the secant's method may find the last:
// what comes before it must be looked at.
func TestMotionDistanceFindsTheFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	last := 0
	for range 60 {
		from := float64(rng.IntN(128)) / 128
		r := [3]float64{rng.Float64(), rng.Float64(), rng.Float64()}
		if r[0] > r[1] {
			r[0], r[1] = r[1], r[0]
		}
		r[2] = r[1] + (1-r[1])*r[2]
		for i := range r {
			r[i] = from + r[i]/128
		}
		q := MotionQuery{Kind: geom.PointPoint, Degree: 3, T1: 1, Separation: 1, Control: make([]float64, 24)}
		for l := range 4 { // 1 - (t - r0) (t - r1) (t - r2) by its polar form
			sum := 0.0
			for _, p := range [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				term := 1.0
				for i, j := range p {
					term *= map[bool]float64{true: 1, false: 0}[i < l] - r[j]
				}
				sum += term
			}
			q.Control[6*l] = 1 - sum/6
		}
		var x MotionResolver
		var im geom.Impact
		x.Resolve(&q, 1, &im)
		if want := newIntegerDecider(&q).First(0, 1); !want.Contact || im.Verdict != geom.Contact ||
			im.TOILo != want.Lo || im.TOIHi != want.Hi {
			t.Fatalf("roots %v: %+v, in integers %+v", r, im, want)
		}
		if f := &x.floats; im.TOILo > 0 {
			f.load(&q)
			f.depth = motionShallow
			if lo, hi, _ := f.next(0, 1); lo < r[0] && hi > r[2] {
				x.distance.load(&q, f)
				if x.distance.first(lo, hi, false).Undecided {
					last++
				}
			}
		}
	}
	if last < 4 {
		t.Errorf("the last time was found in %d queries: the test shows too little", last)
	}
}

// What double-doubles take for a contact at a time, nearer than the separation, is one.
func TestMotionDistanceContactsAreProofs(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	var seen, all [2]int
	for i := range 600 {
		q := nearMiss(rng, i%3 == 0)
		q.Separation *= 2
		var r MotionResolver
		r.floats.load(&q)
		r.distance.load(&q, &r.floats)
		at := q.T0 + rng.Float64()*(q.T1-q.T0)
		var x clearance.NearestDouble
		r.distance.look(at, &x)
		norm, contact := 0, false
		if q.MaxNorm {
			_, weakly := newMaxWide(&q, clearance.Directions(q.Kind)).apartAt(algebra.BigDyadicOf(at))
			norm, contact = 1, !weakly
		} else {
			contact = newMotionWide(&q).Contact(at, -1)
		}
		found := r.distance.r.Touches(&x)
		if q.MaxNorm {
			found = r.distance.inDoubles(at, at, true).Contact
		}
		if found {
			if !contact {
				t.Fatalf("%+v at %v: not a contact", q, at)
			}
			seen[norm]++
		}
		if contact {
			all[norm]++
		}
	}
	t.Logf("%d of %d contacts seen", seen, all)
	if seen[0] < 20 || seen[1] < 20 || 4*seen[0] < 3*all[0] || 4*seen[1] < 3*all[1] {
		t.Errorf("%d of %d contacts seen", seen, all)
	}
}

// Points that are far larger than the separation, and near it for long, end in finite work: floats
// leave at most as many intervals as there are at the depth where double-doubles begin, and
// maxRests twice at their greatest depth. The answer is that of integers for the whole time.
func TestMotionFarLargerThanSeparation(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	n := 400
	if testing.Short() {
		n = 60
	}
	deep, contacts := 0, 0
	for range n {
		q := MotionQuery{Kind: geom.Kind(1 + rng.IntN(4)), Degree: 2 + rng.IntN(2), T1: 1, MaxNorm: rng.IntN(2) == 0}
		for range 3 * (q.Degree + 1) * q.points() {
			e := [...]int{-300, -60, -30, 0, 0, 0, 20, 100}[rng.IntN(8)]
			q.Control = append(q.Control, math.Ldexp(float64(rng.IntN(5)-2), e))
		}
		q.Separation = [...]float64{0.25, 0.3, 0x1p-67, 1e-20}[rng.IntN(4)]
		var r MotionResolver
		var out geom.Impact
		r.Resolve(&q, 1, &out)
		if r.Stats.Rests > 1<<motionShallow+2*maxRests+2 {
			t.Fatalf("%+v: floats leave %d intervals", q, r.Stats.Rests)
		}
		if r.Stats.Rests > maxRests {
			deep++
		}
		if r.Stats.Axes > 0 {
			continue
		}
		want := newIntegerDecider(&q).First(0, 1)
		got := clearance.Instant{Contact: out.Verdict == geom.Contact}
		if got.Contact {
			got.Lo, got.Hi = out.TOILo, out.TOIHi
			contacts++
		}
		if want.Contact != got.Contact || want.Contact && (want.Lo != got.Lo || want.Hi != got.Hi) {
			t.Fatalf("%+v: %+v, in integers %+v", q, out, want)
		}
	}
	if t.Logf("%d contacts, %d queries of more than %d intervals", contacts, deep, maxRests); deep == 0 ||
		contacts == 0 {
		t.Error("no contact, or no query that floats leave for long")
	}
}
