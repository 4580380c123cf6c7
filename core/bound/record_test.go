package bound

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// frames are a plain one, and frames that scale, shift, permute and move.
func frames(r *rand.Rand, mo *geom.Trajectories, d float64) []RecordSpace {
	all := func(i int) []int32 { return []int32{int32(i)} }
	s, still := NewSample(mo, mo.Largest(), 1, mo.N, false, all), NewSample(mo, mo.Largest(), 1, mo.N, true, all)
	out := []RecordSpace{{Axis: [3]int{0, 1, 2}, Scale: math.Ldexp(1, -math.Ilogb(1e140)), Largest: mo.Largest()},
		s.RecordSpace(d), still.RecordSpace(d)}
	f := RecordSpace{Axis: [3]int{2, 0, 1}, Largest: mo.Largest(),
		Scale: math.Ldexp(1, -math.Ilogb(1e140)-r.IntN(30)-5)}
	for e := range 2 {
		for k := range 3 {
			f.C[e][k] = anyDouble(r)
		}
	}
	m := Sampler{Map: randomMap(r)}
	mapped := m.Sample(mo, mo.Largest(), 1, mo.N, false, all)
	f.Map, f.Largest = m.Map, 2*f.Largest
	return append(out, f, mapped.RecordSpace(d), RecordSpace{Scale: f.Scale, Axis: f.Axis, C: f.C,
		Largest: mo.Largest()})
}

// mappedAt is coordinate k of vertex v at time tm in the frame's coordinates, exactly.
func mappedAt(f *RecordSpace, mo *geom.Trajectories, v int32, k int, tm *big.Rat) *big.Rat {
	if f.Map == nil {
		return at(mo, v, k, tm)
	}
	sum := new(big.Rat)
	for j, c := range f.Map.row[k] {
		x := at(mo, v, j, tm)
		sum.Add(sum, x.Mul(x, exact(c)))
	}
	return sum
}

// framed is s (x + r - c), exactly.
func framed(f *RecordSpace, x, c *big.Rat, r float64) *big.Rat {
	y := new(big.Rat).Add(x, exact(r))
	y.Sub(y, c)
	return y.Mul(y, exact(f.Scale))
}

func below(x float32, y *big.Rat) bool {
	return exact(float64(x)).Cmp(y) <= 0
}

func TestRecordsLaw1Contain(t *testing.T) {
	n := 200
	if testing.Short() {
		n = long.Part(50, 3)
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range n {
		mo := motion(t, r, 4)
		d := math.Abs(anyDouble(r)) * float64(r.IntN(2))
		for _, f := range frames(r, mo, d) {
			for _, tm := range []float64{1, 0, 5e-324, 0.1, r.Float64(), 1 - 0x1p-53} {
				rec := make([]float32, RecordLen*mo.N)
				f.Records(mo, tm, d, rec)
				for v := range mo.N {
					for e, when := range []float64{0, tm} {
						for k := range 3 {
							x := mappedAt(&f, mo, int32(v), f.Axis[k], exact(when))
							lo, hi := rec[16*v+3*e+k], rec[16*v+6+3*e+k]
							c := exact(f.C[e][k])
							if !below(lo, framed(&f, x, c, -d)) || !below(hi, new(big.Rat).Neg(framed(&f, x, c, d))) {
								t.Fatalf("frame %+v, t = %v, r = %v: vertex %d, end %d, axis %d outside its record", f,
									tm, d, v, e, k)
							}
						}
					}
				}
			}
		}
	}
}

// In a frame at rest, boxes of doubles that overlap have records whose hulls overlap.
func TestRecordsLaw3Order(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	touching := 0
	for range 2000 {
		mo := motion(t, r, 2)
		for k := range 3 { // make the boxes touch on every axis, exactly
			copyOf := mo.Rec[4*r.IntN(2)+k]
			mo.Rec[8+4*r.IntN(2)+k] = copyOf
		}
		d := math.Abs(anyDouble(r)) * float64(r.IntN(2))
		a, b := Swept(mo, 0), Swept(mo, 1)
		a.Inflate(d)
		b.Inflate(d)
		if !a.Overlaps(&b) {
			t.Fatal("boxes that share a value are apart")
		}
		touching++
		s := NewSample(mo, mo.Largest(), 1, 2, true, func(i int) []int32 { return []int32{int32(i)} })
		f := s.RecordSpace(d)
		rec := make([]float32, RecordLen*2)
		f.Records(mo, 1, d, rec)
		for _, x := range rec {
			if !(x >= -100 && x <= 100) {
				t.Fatalf("r = %v: a record holds %v", d, x)
			}
		}
		for k := range 3 {
			hull := func(v int) (lo, hi float32) {
				r := rec[16*v : 16*v+16]
				return min(r[k], r[3+k]), -min(r[6+k], r[9+k])
			}
			alo, ahi := hull(0)
			blo, bhi := hull(1)
			if alo > bhi || blo > ahi {
				t.Fatalf("the records are apart on axis %d", k)
			}
		}
	}
	if touching == 0 {
		t.Fatal("nothing was tested")
	}
}

// The records of an ordinary scene are tight: within a few units of the last place of the scene's
// size.
func TestRecordsAreTight(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, scale := range []float64{1e-300, 1, 1e140} {
		for _, shift := range []float64{0, 1e6} {
			t.Run(fmt.Sprintf("scale %g, shift %g", scale, shift), func(t *testing.T) {
				n := 100
				x := make([]float64, 3*n)
				for i := range x {
					x[i] = (r.Float64() + shift) * scale
				}
				mo, err := geom.NewTrajectories(x, x)
				if err != nil {
					t.Fatal(err)
				}
				s := NewSample(mo, mo.Largest(), 1, n, false, func(i int) []int32 { return []int32{int32(i)} })
				f := s.RecordSpace(0)
				rec := make([]float32, RecordLen*n)
				f.Records(mo, 1, 0, rec)
				for v := range n {
					for k := range 3 {
						if w := float64(-rec[16*v+6+k] - rec[16*v+k]); w > 0x1p-20*scale*f.Scale {
							t.Fatalf("vertex %d is %g wide on axis %d", v, w, k)
						}
					}
				}
			})
		}
	}
}

// Slack brings a record within the box: no more than it must, and never too little.
func TestRecordsSlack(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 2000 {
		mo := motion(t, r, 2)
		d := math.Abs(anyDouble(r)) * float64(r.IntN(2))
		for _, f := range frames(r, mo, d)[:3] {
			rec := make([]float32, RecordLen*mo.N)
			f.Records(mo, 1, d, rec)
			for v := range mo.N {
				for k := range 3 {
					for e := range 2 {
						lo := rec[16*v+3*e+k]
						in := exact(math.Abs(float64(lo)) * 0x6.4p-24)
						in.Add(in, exact(float64(lo)))
						in.Add(in, exact(float64(f.Slack(d))))
						x := exact(mo.Rec[8*v+4*e+f.Axis[k]])
						if in.Cmp(framed(&f, x, exact(f.C[e][k]), -d)) < 0 {
							t.Fatalf("frame %+v, r = %v: the inner bound %v of %v is outside", f, d, in, x)
						}
					}
				}
			}
		}
	}
}

// Where a bound lies within another that is drawn in by PairSlack, the true bounds are in the same
// order.
func TestRecordsPairSlack(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	certain := 0
	for range 3000 {
		mo := motion(t, r, 2)
		d := math.Abs(anyDouble(r)) * float64(r.IntN(2))
		for k := range 3 { // the boxes touch, but for some last places
			x := mo.Rec[k] + float64(2*d)
			for range r.IntN(8) {
				x = math.Nextafter(x, 1e200)
			}
			mo.Rec[8+k] = x * (1 + float64(r.IntN(3)-1)*0x1p-21*r.Float64())
		}
		for _, f := range frames(r, mo, d)[:3] {
			rec := make([]float32, RecordLen*mo.N)
			f.Records(mo, 1, d, rec)
			for k := range 3 {
				hi, lo := -rec[6+k], rec[16+k]
				drawn := float32(float32(math.Abs(float64(hi)))*0x1p-20) + f.PairSlack(d)
				if lo > hi-drawn {
					continue
				}
				certain++
				a := framed(&f, exact(mo.Rec[f.Axis[k]]), exact(f.C[0][k]), d)
				b := framed(&f, exact(mo.Rec[8+f.Axis[k]]), exact(f.C[0][k]), -d)
				if a.Cmp(b) < 0 {
					t.Fatalf("frame %+v, r = %v, axis %d: records are certain, the bounds %v and %v are apart", f, d,
						k, a, b)
				}
			}
		}
	}
	if certain < 100 {
		t.Fatalf("only %d pairs were certain", certain)
	}
}
