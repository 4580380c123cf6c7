package motion_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/motion"
)

// offMidline returns the largest distance of a path from its midline among many times, by Bernstein
// polynomials in 400 bits: of one axis of vertex 0 on the one piece.
func offMidline(m *motion.Motion, axis int, x0, x1 float64) (most float64) {
	for i := range 97 {
		s := bf(float64(i) / 96)
		line := add(bf(x0), mul(s, sub(bf(x1), bf(x0))))
		path := bernstein(m.Degree(), s, func(l int) []float64 { return m.Control()[3*l*m.Vertices():][:3] })[axis]
		off, _ := sub(path, line).Abs(sub(path, line)).Float64()
		most = max(most, off)
	}
	return most
}

// Bands of one piece hold the path, and are as narrow as its range: those of a parabola exactly,
// those of a cubic to within a tenth.
func TestMidlinesAreNarrow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	narrowest := [motion.MaxDegree + 1]float64{2: 1, 3: 0.9} // Bands of higher degrees hold all control points.
	for round := range 20 * trials() {
		k := 2 + round%4
		control := numbers(rng, 3*(k+1), math.Ldexp(1, rng.IntN(9)))
		if round%8 < 4 { // signs that agree or alternate
			for l := 1; l < k; l++ {
				for axis := range 3 {
					control[3*l+axis] = math.Abs(control[3*l+axis]) * float64(1-2*(axis*l%2)) * 8
				}
			}
		}
		most := 0.0
		for _, x := range control {
			most = max(most, math.Abs(x))
		}
		m := made(t)(motion.New(1, k, nil, control, nil))
		x0, x1, deviation := m.Midlines(1)
		var mid geom.Trajectories
		mid.Reserve(1)
		of := make([]float64, 3)
		m.LoadPart(0, 0, 0, 1, &mid, of, nil)
		for axis := range 3 {
			off := offMidline(m, axis, x0[axis], x1[axis])
			if d := deviation[axis]; off > d || off < narrowest[k]*d-1e-13*most {
				t.Fatalf("degree %d, control %v: axis %d is off by %v, the deviation is %v", k, control, axis, off, d)
			}
			if mid.Rec[axis] != x0[axis] || mid.Rec[4+axis] != x1[axis] || of[axis] != deviation[axis] {
				t.Fatalf(
					"degree %d, control %v: axis %d has the midline %v to %v off by %v, the part that is the step %v "+
						"to %v off by %v",
					k, control, axis, x0[axis], x1[axis], deviation[axis], mid.Rec[axis], mid.Rec[4+axis], of[axis])
			}
		}
	}
}

// Where paths are enclosed anew the bands hold all control points: what boxes leave apart must be
// apart by axes on each piece.
func TestMidlinesOfPathsEnclosedAnewHoldTheControlPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for round := range 20 {
		m := made(t)(motion.Rigid(10, numbers(rng, 30, 1), randomBone(rng), 3+2*(round%2), 1))
		if !m.Refines() {
			t.Fatal("the motion of a rigid body is not enclosed anew")
		}
		x0, x1, deviation := m.Midlines(1)
		k, n := m.Degree(), 3*m.Vertices()
		for i := range n {
			for l := range k + 1 {
				line := add(bf(x0[i]), mul(quo(bf(float64(l)), bf(float64(k))), sub(bf(x1[i]), bf(x0[i]))))
				if off, _ := sub(bf(m.Control()[n*l+i]), line).Float64(); math.Abs(off) > deviation[i] {
					t.Fatalf("degree %d: control point %d of coordinate %d is off by %v, the deviation is %v",
						k, l, i, off, deviation[i])
				}
			}
		}
	}
}
