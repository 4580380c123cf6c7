package exact_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/exact/curved"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// Pairs that rest at exactly the separation, on an axis or any plane, have the oracles' times and
// intervals in every bit, in both norms.
func TestRestingAgreesWithOracle(t *testing.T) {
	n := long.Part(400, 8)
	for _, k := range kinds {
		for _, maxNorm := range []bool{false, true} {
			w := watcher{maxNorm: maxNorm}
			contacts := 0
			for seed := range uint64(n) {
				c := ccdtest.RestingCase(ccdtest.NewRand(seed, 46+uint64(k)), k)
				if len(w.check(t, &c)) > 0 {
					contacts++
				}
			}
			rests := w.euclid.Stats.Resting + w.cube.Stats.Resting
			t.Logf("%v, max norm %v: %d of %d in contact, %d calls at rest", k, maxNorm, contacts, n, rests)
			if rests < int64(n)/8 || contacts < n/20 {
				t.Errorf("%v, max norm %v: the pairs are too easy", k, maxNorm)
			}
		}
	}
}

// A pair at rest is decided by the numbers of its seed: the fuzzer chooses them.
func FuzzResting(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, byte(seed), seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind byte, maxNorm bool) {
		c := ccdtest.RestingCase(ccdtest.NewRand(seed, 7), geom.Kind(1+kind%4))
		w := watcher{maxNorm: maxNorm}
		w.check(t, &c)
	})
}

// The same for points on polynomials of degree 2 and 3, in both norms.
func TestRestingPathsAgreeWithOracle(t *testing.T) {
	n := long.Part(120, 8)
	for _, maxNorm := range []bool{false, true} {
		var r curved.MotionResolver
		contacts := 0
		for _, k := range kinds {
			for seed := range uint64(n) {
				contacts += checkRestingPath(t, &r, seed, k, maxNorm)
			}
		}
		t.Logf("max norm %v: %d of %d in contact, %+v", maxNorm, contacts, 4*n, r.Stats)
		if contacts < n/2 {
			t.Errorf("only %d of %d are in contact", contacts, 4*n)
		}
	}
}

// checkRestingPath compares one of these pairs, and returns 1 if it comes into contact.
func checkRestingPath(t *testing.T, r *curved.MotionResolver, seed uint64, k geom.Kind, maxNorm bool) int {
	rng := ccdtest.NewRand(seed, 460+uint64(k))
	m := oracle.Motion{Kind: k, Degree: 2 + rng.IntN(2), T1: 1}
	if rng.IntN(4) == 0 {
		m.T0, m.T1 = 0.25, 0.25+0.75*rng.Float64()
	}
	var d float64
	m.Control, d = ccdtest.Resting(rng, k, m.Degree)
	q := curved.MotionQuery{
		Kind: k, Degree: m.Degree, Control: m.Control, T0: m.T0, T1: m.T1, Separation: d, MaxNorm: maxNorm,
	}
	var im geom.Impact
	r.Resolve(&q, 1, &im)
	truth := oracle.MotionEuclidean(&m, d)
	if maxNorm {
		truth = oracle.MotionSeparation(&m, d)
	}
	if (im.Verdict == geom.Contact) != truth.Contact || im.TOILo != truth.Lo || im.TOIHi != truth.Hi {
		t.Fatalf("%v, seed %d, max norm %v: %+v\n%+v, oracle %+v", k, seed, maxNorm, q, im, truth)
	}
	if truth.Contact {
		return 1
	}
	return 0
}

// The same for numbers that the fuzzer chooses.
func FuzzRestingPaths(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, byte(seed), seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind byte, maxNorm bool) {
		checkRestingPath(t, new(curved.MotionResolver), seed, geom.Kind(1+kind%4), maxNorm)
	})
}

// Paths in one plane but for rounding have the oracle's first contact without a separation.
func TestCoplanarPathsAgreeWithOracle(t *testing.T) {
	n := long.Part(120, 8)
	var r curved.MotionResolver
	contacts := 0
	for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		for seed := range uint64(n) {
			rng := ccdtest.NewRand(seed, 470+uint64(k))
			m := oracle.Motion{Kind: k, Degree: 2 + rng.IntN(2), T1: 1}
			m.Control = ccdtest.Coplanar(rng, k, m.Degree)
			q := curved.MotionQuery{Kind: k, Degree: m.Degree, Control: m.Control, T1: 1}
			var im geom.Impact
			r.Resolve(&q, 1, &im)
			truth := oracle.MotionContact(&m)
			if (im.Verdict == geom.Contact) != truth.Contact || im.TOILo != truth.Lo || im.TOIHi != truth.Hi {
				t.Fatalf("%v, seed %d: %+v\n%+v, oracle %+v", k, seed, q, im, truth)
			}
			if truth.Contact {
				contacts++
			}
		}
	}
	t.Logf("%d of %d in contact, %+v", contacts, 2*n, r.Stats)
	if contacts < n/20 || r.Stats.Followed < int64(n/8) {
		t.Errorf("%d of %d are in contact, %d followed: too easy", contacts, 2*n, r.Stats.Followed)
	}
}

// slidingInTheCube returns paths of a pair in two planes that are parallel but for rounding, at the
// distance d in the max norm: what slides on a slope.
func slidingInTheCube(rng *rand.Rand, k geom.Kind, degree int) (control []float64, d float64) {
	var frame [3][3]float64 // right angles but for rounding
	for {
		for i := range frame {
			for j := range 3 {
				frame[i][j] = rng.NormFloat64()
			}
			for _, e := range frame[:i] {
				s := geom.Dot3(&frame[i], &e)
				for j := range 3 {
					frame[i][j] -= float64(s * e[j])
				}
			}
			s := math.Sqrt(geom.Dot3(&frame[i], &frame[i]))
			for j := range 3 {
				frame[i][j] /= s
			}
		}
		if n := &frame[2]; math.Abs(n[0]) < 0.99 && math.Abs(n[1]) < 0.99 && math.Abs(n[2]) < 0.99 {
			break
		}
	}
	n := &frame[2]
	d = 1 / 64.0
	gap := d * (math.Abs(n[0]) + math.Abs(n[1]) + math.Abs(n[2]))
	var rest [4][2]float64
	for i := range rest {
		rest[i] = [2]float64{float64(rng.IntN(9)) / 8, float64(rng.IntN(9)) / 8}
	}
	split := k.Info().Split
	far := [2]float64{2*rng.Float64() - 1, 2*rng.Float64() - 1}
	bend := rng.Float64() / 8
	for l := range degree + 1 {
		for i := range k.Points() {
			x, y, z := rest[i][0], rest[i][1], 0.0
			if i < split {
				x, y, z = x+far[0]*(1-2*float64(l)/float64(degree)), y+far[1]*(1-2*float64(l)/float64(degree)), gap
			}
			for j := range 3 {
				control = append(control, x*frame[0][j]+y*frame[1][j]+z*n[j]+bend*float64(l*(degree-l)))
			}
		}
	}
	return control, d
}

// Pairs that slide on a slope, at the separation up to rounding in the max norm, have the oracle's
// first contact.
func TestSlopesInTheMaxNormAgreeWithOracle(t *testing.T) {
	n := long.Part(100, 8)
	var r curved.MotionResolver
	contacts := 0
	for _, k := range kinds {
		for seed := range uint64(n) {
			contacts += checkSlope(t, &r, seed, k)
		}
	}
	t.Logf("%d of %d in contact, %+v", contacts, 4*n, r.Stats)
	if contacts < n/2 || r.Stats.Followed < int64(n) {
		t.Errorf("%d of %d are in contact, %+v: too easy", contacts, 4*n, r.Stats)
	}
}

// checkSlope compares one of these pairs, and returns 1 if it comes into contact.
func checkSlope(t *testing.T, r *curved.MotionResolver, seed uint64, k geom.Kind) int {
	rng := ccdtest.NewRand(seed, 480+uint64(k))
	m := oracle.Motion{Kind: k, Degree: 2 + rng.IntN(2), T1: 1}
	if rng.IntN(4) == 0 {
		m.T0, m.T1 = 0.25, 0.25+0.75*rng.Float64()
	}
	var d float64
	m.Control, d = slidingInTheCube(rng, k, m.Degree)
	q := curved.MotionQuery{
		Kind: k, Degree: m.Degree, Control: m.Control, T0: m.T0, T1: m.T1, Separation: d, MaxNorm: true,
	}
	var im geom.Impact
	r.Resolve(&q, 1, &im)
	truth := oracle.MotionSeparation(&m, d)
	if (im.Verdict == geom.Contact) != truth.Contact || im.TOILo != truth.Lo || im.TOIHi != truth.Hi {
		t.Fatalf("%v, seed %d: %+v\n%+v, oracle %+v", k, seed, q, im, truth)
	}
	if truth.Contact {
		return 1
	}
	return 0
}

// The same for numbers that the fuzzer chooses.
func FuzzSlopes(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, byte(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind byte) {
		checkSlope(t, new(curved.MotionResolver), seed, geom.Kind(1+kind%4))
	})
}
