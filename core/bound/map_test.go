package bound

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// randomMap is a map whose rows are any directions, nearly parallel ones and axes among them.
func randomMap(r *rand.Rand) *Map {
	var rows [3][3]float64
	for k := range rows {
		for j := range rows[k] {
			rows[k][j] = math.Ldexp(2*r.Float64()-1, -r.IntN(60)*r.IntN(2))
		}
		rows[k][r.IntN(3)] = math.Ldexp(1+r.Float64(), r.IntN(40)-20)
		if r.IntN(4) == 0 {
			rows[k] = rows[0]
		}
	}
	return NewMap(rows, r.IntN(2) == 0)
}

// A map moves no two points farther apart along a coordinate than they are: the norm of a row, in
// which distances are measured, is at most 1, and hardly less.
func TestMapLawRowsAreShort(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	one, nearly := big.NewRat(1, 1), exact(1-0x1p-40)
	for range 5000 {
		var rows [3][3]float64
		for k := range rows {
			for j := range rows[k] {
				rows[k][j] = math.Ldexp(2*r.Float64()-1, -r.IntN(600)*r.IntN(2))
			}
			rows[k][r.IntN(3)] = math.Ldexp(1+r.Float64(), r.IntN(198)-100)
		}
		for _, euclidean := range []bool{false, true} {
			m := NewMap(rows, euclidean)
			for k := range m.row {
				sum := new(big.Rat)
				for _, c := range m.row[k] {
					x := exact(math.Abs(c))
					if euclidean {
						x.Mul(x, x)
					}
					sum.Add(sum, x)
				}
				if sum.Cmp(one) > 0 || sum.Cmp(nearly) < 0 {
					t.Fatalf("row %v, Euclidean %v: the norm of %v is %v", rows[k], euclidean, m.row[k],
						sum.FloatString(20))
				}
			}
		}
	}
}

// Coordinates of a map are off by less than Apply says, at any magnitude.
func TestMapRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	worst := new(big.Rat)
	for range long.Part(5000, 4) {
		mo, m := motion(t, r, 1), randomMap(r)
		largest := mo.Largest()
		bound := exact(0x1p-53)
		bound.Mul(bound, exact(largest)).Mul(bound, big.NewRat(53, 10)).Add(bound,
			new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 1073)))
		var out [8]float64
		m.Apply(mo.Rec, out[:])
		for i := range 6 {
			e, k := i/3, i%3
			x := mappedAt(&RecordSpace{Map: m}, mo, 0, k, big.NewRat(int64(e), 1))
			err := x.Sub(x, exact(out[4*e+k]))
			if err.Abs(err).Cmp(bound) > 0 || math.Abs(out[4*e+k]) > 2*largest {
				t.Fatalf("%v by %v: coordinate %d is %v, off by %v", mo.Rec, m.row, k, out[4*e+k], err.FloatString(30))
			}
			if share := err.Quo(err, bound); share.Cmp(worst) > 0 {
				worst = share
			}
		}
	}
	if worst.Cmp(big.NewRat(1, 5)) < 0 {
		t.Errorf("the worst error is %v of the bound: nothing was rounded", worst.FloatString(3))
	}
}

// Records with a map hold their vertices where coordinates are large and cancel: far from the
// origin, seen across the way there.
func TestMapRecordsFarAway(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for range 300 {
		x := make([]float64, 12)
		for i := range x {
			x[i] = 1e9 + 1e-6*r.NormFloat64()
		}
		mo, err := geom.NewTrajectories(x, x)
		if err != nil {
			t.Fatal(err)
		}
		rows := [3][3]float64{{1, -1, 0.001 * r.NormFloat64()}, {r.Float64(), 1, -2}, {1, r.Float64(), -1}}
		sampler := Sampler{Map: NewMap(rows, r.IntN(2) == 0)}
		s := sampler.Sample(mo, mo.Largest(), 1, 4, true, func(i int) []int32 { return []int32{int32(i)} })
		f, rec := s.RecordSpace(0), make([]float32, 4*RecordLen)
		f.Records(mo, 1, 0, rec)
		for v := range 4 {
			for k := range 3 {
				y, c := mappedAt(&f, mo, int32(v), f.Axis[k], big.NewRat(0, 1)), exact(f.C[0][k])
				if !below(rec[16*v+k], framed(&f, y, c, 0)) ||
					!below(rec[16*v+6+k], new(big.Rat).Neg(framed(&f, y, c, 0))) {
					t.Fatalf("vertex %d is outside of its record along %d", v, k)
				}
			}
		}
	}
}
