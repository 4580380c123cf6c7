package curved

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// levelQuery returns a pair in the plane across an axis, on coordinates that are rounded, on a grid
// or anywhere: its first primitive slides over the second, along it or on curves of its own, and
// edges may be parallel up to rounding.
func levelQuery(rng *rand.Rand, kind geom.Kind) (q MotionQuery, axis int) {
	degree := 2 + rng.IntN(MaxMotionDegree-1)
	q, axis = MotionQuery{Kind: kind, Degree: degree, T1: 1}, rng.IntN(3)
	if rng.IntN(3) == 0 {
		q.T0 = rng.Float64() / 2
		q.T1 = q.T0 + (1-q.T0)*(1-rng.Float64())
		if rng.IntN(2) == 0 { // some doubles long, so that the ends of parts are between doubles
			q.T1 = q.T0 + (1+rng.Float64())*math.Ldexp(1, -40-rng.IntN(9))
		}
	}
	steps, far := 1+rng.IntN(8), 0.0
	if rng.IntN(4) == 0 {
		far = 1e5
	}
	number := func() float64 {
		if steps > 6 {
			return rng.NormFloat64()
		}
		return float64(rng.IntN(steps+1)) / float64(steps)
	}
	var p [4][2]float64
	for i := range p {
		p[i] = [2]float64{number(), number()}
	}
	if kind == geom.EdgeEdge && rng.IntN(2) == 0 {
		for k := range 2 {
			p[3][k] = p[2][k] + (p[1][k] - p[0][k])
		}
	}
	way := [2]float64{3 * (number() - 0.5), 3 * (number() - 0.5)}
	bend := [2]float64{rng.NormFloat64(), rng.NormFloat64()}
	if rng.IntN(3) == 0 {
		way[rng.IntN(2)] = 0
	}
	own := float64(rng.IntN(2))
	for l := range degree + 1 {
		s := float64(l) / float64(degree)
		for i := range kind.Points() {
			var x [3]float64
			for k := range 2 {
				y := p[i][k] + bend[k]*s*(1-s)
				if i < kind.Info().Split {
					y += far + way[k]*s + own*bend[1-k]*s*(1-s)
				} else {
					y += far
				}
				x[(axis+1+k)%3] = y
			}
			q.Control = append(q.Control, x[:]...)
		}
	}
	return q, axis
}

// loadLevel loads a query of levelQuery.
func loadLevel(q *MotionQuery, axis int) *levelSides {
	var f motionFloats
	m, v := new(motionDistance), new(levelSides)
	f.load(q)
	m.load(q, &f)
	v.load(q, m, axis)
	return v
}

// What the sides decide, in contact or apart, up to any time, is what integers say, and they decide
// most pairs.
func TestLevelSidesAgreeWithIntegers(t *testing.T) {
	n := long.Part(400, 4)
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge} {
		rng := rand.New(rand.NewPCG(46, uint64(kind)))
		contacts, starts, decided := 0, 0, 0
		for range n {
			q, axis := levelQuery(rng, kind)
			end := q.T1
			if rng.IntN(4) == 0 {
				end = q.T0 + (q.T1-q.T0)*rng.Float64()
			}
			found := loadLevel(&q, axis).first(end)
			if found.Undecided {
				continue
			}
			decided++
			if truth := newIntegerDecider(&q).First(q.T0, end); found != truth {
				t.Fatalf("%+v up to %v: %+v, integers %+v", q, end, found, truth)
			}
			if found.Lo < found.Hi && loadLevel(&q, axis).first(found.Lo).Contact {
				t.Fatalf("%+v: in contact up to %v, before %+v", q, found.Lo, found)
			}
			switch {
			case found.Contact && found.Lo == q.T0:
				starts++
			case found.Contact:
				contacts++
			}
		}
		t.Logf("%v: %d of %d decided, %d in contact at first, %d later", kind, decided, n, starts, contacts)
		if decided < n/2 || contacts < n/20 || kind != geom.PointEdge && starts < n/40 {
			t.Errorf("%v: the pairs are too easy, or too few are decided", kind)
		}
	}
}

// Of two sides that meet the origin between the same doubles, one of them at the second, the
// earlier counts.
func TestLevelSidesAtOneDouble(t *testing.T) {
	for _, way := range []float64{1, -1} {
		q := MotionQuery{Kind: geom.EdgeEdge, Degree: 2, T1: 1}
		for _, y := range []float64{-0.5, 0, 0.5} {
			q.Control = append(q.Control, -1, way*y, 0, 1, way*y, 0, 0, 0, 0, 0, -way*0x1p-60, 0)
		}
		want := clearance.Instant{Contact: true, Lo: math.Nextafter(0.5, 0), Hi: 0.5}
		if found := loadLevel(&q, 2).first(1); found != want || newIntegerDecider(&q).First(0, 1) != want {
			t.Errorf("%v: %+v, not %+v", way, found, want)
		}
	}
}

// The coefficients of the sides, those of their halves and their values at doubles are within their
// bounds of rationals.
func TestLevelSidesAgainstRationals(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 46))
	worst, worstHalf, worstValue := 0.0, 0.0, 0.0
	for range long.Part(200, 4) {
		kind := []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge}[rng.IntN(3)]
		q, axis := levelQuery(rng, kind)
		v := loadLevel(&q, axis)
		for side, z := range clearance.PolygonSides[kind] {
			from, to := clearance.SideEnds(kind, int8(side))
			sh := &clearance.Shapes[kind]
			p, r := rationalPath(v, sh.Corners[from]), rationalPath(v, sh.Corners[to])
			e := rationalPath(v, sh.Edges[z.Edge])
			truth := [3][]*big.Rat{
				productOf(v, [4][]*big.Rat{p[0], e[1], p[1], e[0]}, -1),
				productOf(v, [4][]*big.Rat{p[0], e[0], p[1], e[1]}, 1),
				productOf(v, [4][]*big.Rat{r[0], e[0], r[1], e[1]}, 1),
			}
			var s levelSide
			v.expand(&s, int8(side))
			for poly := range truth {
				for l, x := range truth[poly] {
					off, _ := x.Sub(x, rat(s.poly[poly][l])).Float64()
					worst = max(worst, math.Abs(off)/v.margin(&s, poly, 0))
					x.Add(x, rat(s.poly[poly][l]))
				}
			}
			if side == 0 {
				worstHalf = max(worstHalf, worstOfHalves(v, &s, rng.IntN(3), truth, rng))
			}
			at := q.T0 + rng.Float64()*(q.T1-q.T0)
			share := new(big.Rat).Sub(rat(at), rat(q.T0))
			share.Quo(share, new(big.Rat).Sub(rat(q.T1), rat(q.T0)))
			c := truth[0]
			for m := len(c) - 1; m > 0; m-- { // de Casteljau
				for l := range m {
					d := new(big.Rat).Sub(c[l+1], c[l])
					c[l].Add(c[l], d.Mul(d, share))
				}
			}
			value, bound := v.value(int8(side), at)
			off, _ := c[0].Sub(c[0], ratOf(value)).Float64()
			worstValue = max(worstValue, math.Abs(off)/bound)
		}
	}
	t.Logf("the largest errors take %.4f, %.4f and %.4f of their bounds", worst, worstHalf, worstValue)
	if worst > 1 || worst < 0.01 || worstHalf > 1 || worstHalf < 0.001 || worstValue > 1 || worstValue < 1e-4 {
		t.Errorf("the largest errors take %v, %v and %v of their bounds", worst, worstHalf, worstValue)
	}
}

// worstOfHalves halves a polynomial of a side down to the last depth, left or right at random, and
// returns the largest share that an error takes of its bound.
func worstOfHalves(v *levelSides, s *levelSide, poly int, truth [3][]*big.Rat, rng *rand.Rand) (worst float64) {
	f, c, half := s.poly[poly], slices.Clone(truth[poly]), big.NewRat(1, 2)
	for depth := 1; depth <= levelDepth; depth++ {
		g, left := f, make([]*big.Rat, len(c))
		halvePoly(&f, &g, v.n)
		for m := range c {
			left[m] = c[0]
			for l := range len(c) - 1 - m {
				c[l] = new(big.Rat).Add(c[l], c[l+1])
				c[l].Mul(c[l], half)
			}
		}
		if rng.IntN(2) == 0 {
			f = g
		} else {
			c = left
		}
		for l, x := range c {
			off, _ := new(big.Rat).Sub(x, rat(f[l])).Float64()
			worst = max(worst, math.Abs(off)/v.margin(s, poly, depth))
		}
	}
	return worst
}

// rationalPath returns the control points of a difference of two points, in the plane and the unit
// of v.
func rationalPath(v *levelSides, pair [2]int8) (path [2][]*big.Rat) {
	f := motionFloats{}
	f.load(v.q)
	unit := new(big.Rat).Mul(rat(f.s0), rat(f.s1))
	for a, k := range [2]int{v.i, v.j} {
		for l := range v.q.Degree + 1 {
			x := new(big.Rat).Sub(rat(v.q.at(l, int(pair[0]), k)), rat(v.q.at(l, int(pair[1]), k)))
			path[a] = append(path[a], x.Mul(x, unit))
		}
	}
	return path
}

// productOf returns the Bernstein coefficients of c[0] c[1] and a sign times c[2] c[3].
func productOf(v *levelSides, c [4][]*big.Rat, sign int64) (sum []*big.Rat) {
	k := v.q.Degree
	for m := range 2*k + 1 {
		x := new(big.Rat)
		for l := max(0, m-k); l <= min(k, m); l++ {
			w := big.NewRat(algebra.Binomials[k][l]*algebra.Binomials[k][m-l], algebra.Binomials[2*k][m])
			y := new(big.Rat).Mul(c[2][l], c[3][m-l])
			y.Mul(y, big.NewRat(sign, 1)).Add(y, new(big.Rat).Mul(c[0][l], c[1][m-l]))
			x.Add(x, y.Mul(y, w))
		}
		sum = append(sum, x)
	}
	return sum
}
