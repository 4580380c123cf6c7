package curved

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// cubePair draws a pair in the max norm: one slides over the other in any plane, at a height of
// about d.
func cubePair(rng *rand.Rand, kind geom.Kind) (q MotionQuery) {
	q = coplanarQuery(rng, kind)
	q.Separation, q.MaxNorm = []float64{1e-3, 0.25}[rng.IntN(2)], true
	frame := anyFrame(rng)
	n := 3 * q.points()
	for at := 0; at < len(q.Control); at += n {
		for i := range 3 * kind.Info().Split {
			q.Control[at+i] += float64(q.Separation * frame[2][i%3])
		}
	}
	return q
}

// wigglingPoints draws two points on one line of coordinates that come together and part several
// times.
func wigglingPoints(rng *rand.Rand) MotionQuery {
	q := MotionQuery{Kind: geom.PointPoint, Degree: MaxMotionDegree, T1: 1, Separation: 0.125, MaxNorm: true}
	for range q.Degree + 1 {
		q.Control = append(q.Control, 2*rng.Float64()-1+0.25, 0, 0, 0, 0, 0)
	}
	return q
}

// loadCube loads a query.
func loadCube(q *MotionQuery) (*cubeFloats, *clearance.CubeFollower) {
	f, m, c := new(motionFloats), new(motionDistance), new(clearance.CubeFollower)
	f.load(q)
	m.load(q, f)
	c.Begin(q.Kind, q.Degree, m.r.Lines.D, m)
	return &cubeFloats{f: f, kind: q.Kind, list: c.Listed()}, c
}

// What is foreseen in the max norm is what integers say, and most contacts are foreseen.
func TestForeseenContactsInTheMaxNormAgreeWithIntegers(t *testing.T) {
	n := long.Part(300, 6)
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointPoint} {
		rng := rand.New(rand.NewPCG(461, uint64(kind)))
		contacts, starts, separate := 0, 0, 0
		for i := range n {
			var q MotionQuery
			switch {
			case kind != geom.PointPoint:
				q = cubePair(rng, kind)
			case i%5 > 0: // Integers take long for polynomials of degree 5.
				continue
			default:
				q = wigglingPoints(rng)
			}
			end := q.T1
			if rng.IntN(4) == 0 {
				end = q.T0 + (q.T1-q.T0)*rng.Float64()
			}
			v, c := loadCube(&q)
			found, ok := v.first(&q, v.f, c, q.T0, q.T0+0.75*(end-q.T0), end)
			if !ok {
				continue
			}
			if truth := newIntegerDecider(&q).First(q.T0, end); found != truth {
				t.Fatalf("%+v up to %v: %+v, integers %+v", q, end, found, truth)
			}
			switch {
			case !found.Contact:
				separate++
			case found.Lo == q.T0:
				starts++
				lo := q.T0 + 0x1p-30*(end-q.T0)
				if _, ok := v.first(&q, v.f, c, lo, lo, end); ok && newMaxWide(&q, v.list).First(lo, lo).Contact {
					t.Fatalf("%+v: in contact before %v, said to be so there at first", q, lo)
				}
			default:
				contacts++
			}
		}
		t.Logf("%v: %d of %d in contact at first, %d later, %d separate", kind, starts, n, contacts, separate)
		if contacts < n/20 || kind != geom.PointPoint && starts+contacts+separate < n/2 {
			t.Errorf("%v: too few are foreseen", kind)
		}
	}
}

// The numbers of directions in floats are within their bounds of the exact ones.
func TestCubeFloatsAgainstExactValues(t *testing.T) {
	worst := 0.0
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		rng := rand.New(rand.NewPCG(462, uint64(kind)))
		for range long.Part(60, 4) {
			q := cubePair(rng, kind)
			v, _ := loadCube(&q)
			s, _ := share(rng, &q)
			v.look(s)
			corners, d := course{loadDistance(&q), -1}.exactly(s)
			for _, n := range v.list {
				for side := range 2 {
					x := new(big.Float).SetInt(clearance.CubeValue(kind, n, side, &corners, d))
					factors := 3
					switch {
					case n < 3:
						factors = 1
					case n < 3+3*len(clearance.Shapes[kind].Edges):
						factors = 2
					}
					for range factors { // The separation gives the unit of one length.
						x.Quo(x, new(big.Float).SetInt(d))
						x.Mul(x, big.NewFloat(v.f.d))
					}
					exact, _ := x.Float64()
					off := math.Abs(v.values[n][side]-exact) / v.bounds[n]
					if worst = max(worst, off); !(off <= 1) {
						t.Fatalf("%+v at %v, direction %d, side %d: %g, exactly %g, bound %g", q, s, n, side,
							v.values[n][side], exact, v.bounds[n])
					}
				}
			}
		}
	}
	t.Logf("the largest error is %.4f of its bound", worst)
	if worst < 1e-4 {
		t.Error("the bounds are not tested")
	}
}

func loadDistance(q *MotionQuery) *motionDistance {
	var f motionFloats
	m := new(motionDistance)
	f.load(q)
	m.load(q, &f)
	return m
}

// A direction that is said to hold over a part of time does so at times of it, in rationals, and
// its control points are off by less than their bound.
func TestDirectionsThatDoNotTurnAgainstRationals(t *testing.T) {
	held, failed := 0, 0
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		rng := rand.New(rand.NewPCG(463, uint64(kind)))
		for range long.Part(200, 4) {
			q := cubePair(rng, kind)
			q.MaxNorm = false
			m := loadDistance(&q)
			at, _ := share(rng, &q)
			wide := math.Ldexp(q.T1-q.T0, -2-rng.IntN(50))
			lo, hi := max(q.T0, at-wide), min(q.T1, at+wide)
			var x clearance.NearestDouble
			m.look(at, &x)
			// A separation for which it holds at x's time by a little.
			m.r.Lines.D += m.r.Ahead(&x)/x.Size.Hi - math.Ldexp(1, -3-rng.IntN(80))
			m.look(at, &x)
			holds := m.holds(&x, lo, hi)
			worst := math.Inf(1)
			for i := range 9 {
				s := lo + float64(float64(i)/8*(hi-lo))
				corners, _ := course{m, -1}.exactly(s)
				worst = min(worst, leastAlong(&q, m, &corners, s, &x))
			}
			switch {
			case holds && worst <= 0:
				t.Fatalf("%+v from %v to %v: said to hold, but is %g", q, lo, hi, worst)
			case holds:
				held++
			case worst <= 0:
				failed++
			}
		}
	}
	t.Logf("%d held, %d did not", held, failed)
	if held < 10 || failed < 10 {
		t.Error("the pairs show too little")
	}
}

// leastAlong returns about the least of n.P - d |n| over the corners at a time, from exact corners.
func leastAlong(q *MotionQuery, m *motionDistance, corners *[4][3]*big.Int, t float64,
	x *clearance.NearestDouble) float64 {
	wide := func(y clearance.Double2) *big.Float {
		z := new(big.Float).SetPrec(400).SetFloat64(y.Hi)
		return z.Add(z, new(big.Float).SetFloat64(y.Lo))
	}
	// The unit of a length: a corner in rationals beside one in double-doubles is 1 + 2^-90.
	scale := new(big.Float).SetPrec(400).SetInt64(0)
	_, whole := course{m, -1}.exactly(t)
	scale.SetInt(whole)
	scale.Quo(new(big.Float).SetPrec(400).SetFloat64(q.Separation), scale)
	var f motionFloats
	f.load(q)
	scale.Mul(scale, new(big.Float).SetFloat64(f.s0))
	scale.Mul(scale, new(big.Float).SetFloat64(f.s1))
	size := new(big.Float).SetPrec(400)
	for k := range 3 {
		size.Add(size, new(big.Float).SetPrec(400).Mul(wide(x.N[k]), wide(x.N[k])))
	}
	size.Sqrt(size)
	size.Mul(size, new(big.Float).SetFloat64(m.r.Lines.D))
	least := math.Inf(1)
	for c := range clearance.Shapes[q.Kind].Corners {
		sum := new(big.Float).SetPrec(400)
		for k := range 3 {
			y := new(big.Float).SetPrec(400).SetInt(corners[c][k])
			sum.Add(sum, y.Mul(y, wide(x.N[k])))
		}
		sum.Mul(sum, scale)
		z, _ := sum.Sub(sum, size).Float64()
		least = min(least, z)
	}
	return least
}
