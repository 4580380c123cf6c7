package curved

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// What floats prove apart is apart, and their errors are within the bound: n.p on every part of
// time, in rational numbers.
func TestMotionFloatsAreProofs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 300 {
		degree := 1 + rng.IntN(MaxMotionDegree)
		kind := geom.StepKinds[rng.IntN(4)]
		q := MotionQuery{Kind: kind, Degree: degree, T1: 1, MaxNorm: rng.IntN(2) == 0,
			Control: make([]float64, 3*(degree+1)*kind.Points())}
		for i := range q.Control {
			q.Control[i] = math.Ldexp(rng.Float64()-0.5, rng.IntN(8))
		}
		var f motionFloats
		f.load(&q)
		part := f.top
		i, depth := uint64(0), rng.IntN(12)
		for range depth {
			var l, r motionPart
			f.halve(&part, &l, &r)
			if rng.IntN(2) == 0 {
				part, i = l, 2*i
			} else {
				part, i = r, 2*i+1
			}
		}
		n := shrunk3([3]float64{rng.Float64() - 0.5, rng.Float64() - 0.5, rng.Float64() - 0.5})
		z := float64(math.Abs(n[0])*f.size[0]) + float64(math.Abs(n[1])*f.size[1]) + float64(math.Abs(n[2])*f.size[2])
		bound := float64(4+depth*degree) * 0x1p-53 * z * (1 + 0x1p-40)
		exact := exactPart(&q, &f, i, depth)
		for l := range degree + 1 {
			for c := range f.corners {
				want := new(big.Rat)
				for k := range 3 {
					want.Add(want, new(big.Rat).Mul(exact[l][c][k], new(big.Rat).SetFloat64(n[k])))
				}
				got := new(big.Rat).SetFloat64(geom.Dot3(&n, &part[l][c]))
				off, _ := got.Sub(got, want).Float64()
				if worst = max(worst, math.Abs(off)/bound); math.Abs(off) > bound {
					t.Fatalf("degree %d, depth %d: off by %v, the derivation allows %v", degree, depth, off, bound)
				}
			}
		}
	}
	t.Logf("the largest error takes %.2f of its derivation", worst)
	if worst < 0.01 {
		t.Error("no errors were seen")
	}
}

// exactPart returns the control points of the corners on a part of time, in the unit of f, by polar
// forms: control point l has the arguments t0 (degree - l times) and t1 (l times).
func exactPart(q *MotionQuery, f *motionFloats, i uint64, depth int) (p [MaxMotionDegree + 1][4][3]*big.Rat) {
	whole := new(big.Int).Lsh(big.NewInt(1), uint(depth))
	t0, t1 := new(big.Rat).SetFrac(new(big.Int).SetUint64(i), whole),
		new(big.Rat).SetFrac(new(big.Int).SetUint64(i+1), whole)
	top := 0.0
	for _, pair := range clearance.Shapes[q.Kind].Corners {
		for l := range q.Degree + 1 {
			for k := range 3 {
				top = max(top, math.Abs(q.at(l, int(pair[0]), k)-q.at(l, int(pair[1]), k)))
			}
		}
	}
	unit := new(big.Rat).SetFloat64(math.Ldexp(1, -math.Ilogb(top)))
	for l := range q.Degree + 1 {
		for c, pair := range clearance.Shapes[q.Kind].Corners {
			for k := range 3 {
				var b [MaxMotionDegree + 1]*big.Rat
				for j := range q.Degree + 1 {
					x, y := new(big.Rat).SetFloat64(q.at(j, int(pair[0]), k)),
						new(big.Rat).SetFloat64(q.at(j, int(pair[1]), k))
					b[j] = x.Mul(x.Sub(x, y), unit)
				}
				for step := range q.Degree {
					s := t0
					if step >= q.Degree-l {
						s = t1
					}
					for j := range q.Degree - step {
						d := new(big.Rat).Sub(b[j+1], b[j])
						b[j] = new(big.Rat).Add(b[j], d.Mul(d, s))
					}
				}
				p[l][c][k] = b[0]
			}
		}
	}
	return p
}
