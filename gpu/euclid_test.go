package gpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// Law 8: what the Euclidean certificate of a device proves apart keeps more than the separation,
// and it proves what the stages in floats of the processor prove.

// euclidScene is a query whose points come within about the separation: some at corners, some
// parallel, some that slide past each other, at any scale.
func euclidScene(r *rand.Rand) (rec []float64, d float64) {
	scale := math.Ldexp(1, r.IntN(60)-30)
	if r.IntN(20) == 0 {
		scale = math.Ldexp(1, r.IntN(1400)-900)
	}
	lattice := r.IntN(3) == 0
	for range 4 {
		var x [8]float64
		for k := range 3 {
			a, b := 2*r.Float64()-1, 0.6*r.Float64()-0.3
			if lattice {
				a, b = float64(r.IntN(9)-4)/4, float64(r.IntN(5)-2)/4
			}
			x[k], x[4+k] = scale*a, scale*(a+b)
		}
		rec = append(rec, x[:]...)
	}
	return rec, scale * []float64{0.25, 0.1 * r.Float64(), 0.5, 1e-9}[r.IntN(4)]
}

// byFloats decides a query exactly, and reports whether the processor's stages in floats prove it
// apart.
func byFloats(r *clearance.EuclideanResolver, rec []float64, kind geom.Kind, d, tmax float64) (separate, floats bool) {
	var q [24]float64
	for i := range 4 {
		copy(q[3*i:], rec[8*i:8*i+3])
		copy(q[12+3*i:], rec[8*i+4:8*i+7])
	}
	before := r.Stats
	var im geom.Impact
	r.Resolve(kind, q[:], d, tmax, &im)
	decided := r.Stats.Axes + r.Stats.Fixed + r.Stats.Floats - before.Axes - before.Fixed - before.Floats
	return im.Verdict == geom.Separate, im.Verdict == geom.Separate && decided > 0
}

// checkEuclid compares the certificate with the processor on a query.
func checkEuclid(t *testing.T, resolver *clearance.EuclideanResolver, rec []float64, d, tmax float64) (apart [2]int) {
	t.Helper()
	for i, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		separate, floats := byFloats(resolver, rec, kind, d, tmax)
		got := euclidApart(rec, &[4]int32{0, 1, 2, 3}, i == 0, tmax, d)
		if got && !separate {
			t.Fatalf("%v, d %v, tmax %v: %v comes within d and is proven apart", kind, d, tmax, rec)
		}
		var q euclidQuery
		if ok, _ := q.load(rec, &[4]int32{0, 1, 2, 3}, i == 0, d); floats && !got && ok {
			t.Fatalf("%v, d %v, tmax %v: floats of the processor prove %v apart", kind, d, tmax, rec)
		}
		if floats {
			apart[0]++
		}
		if got && floats {
			apart[1]++
		}
	}
	return apart
}

func TestDeviceLaw8Euclid(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	var resolver clearance.EuclideanResolver
	var sum [2]int
	trials := 20000
	if testing.Short() {
		trials = 5000
	}
	for range trials {
		rec, d := euclidScene(r)
		n := checkEuclid(t, &resolver, rec, d, []float64{1, 1, 0.3, 0}[r.IntN(4)])
		sum[0], sum[1] = sum[0]+n[0], sum[1]+n[1]
	}
	t.Logf("the processor's floats prove %d apart, of which the certificate proves %d", sum[0], sum[1])
	if sum[1] < sum[0]*99/100 || sum[0] < trials/4 {
		t.Errorf("of %d pairs that floats prove apart the certificate proves %d", sum[0], sum[1])
	}
}

func FuzzEuclid(f *testing.F) {
	f.Add(uint64(1), 1.0)
	f.Add(uint64(7), 0.0)
	f.Fuzz(func(t *testing.T, seed uint64, tmax float64) {
		if !(tmax >= 0 && tmax <= 1) {
			return
		}
		rec, d := euclidScene(rand.New(rand.NewPCG(seed, 2)))
		checkEuclid(t, new(clearance.EuclideanResolver), rec, d, tmax)
	})
}

// The kernel computes what its reference does, bit for bit, on hard queries too.
func TestDeviceLaw8Kernel(t *testing.T) {
	d := need(t)
	r := rand.New(rand.NewPCG(8, 2))
	for _, sep := range []float64{0.25, 1e-3} {
		var rec []float64
		var idx [][4]int32
		for i := range int32(4000) {
			q, _ := euclidScene(r)
			size := 0.0
			for _, x := range q {
				size = max(size, math.Abs(x))
			}
			unit := 1.0
			if size > 0 && i%10 > 0 {
				unit = math.Ldexp(1, -math.Ilogb(size))
			}
			for _, x := range q {
				rec = append(rec, x*unit)
			}
			idx = append(idx, [4]int32{4 * i, 4*i + 1, 4*i + 2, 4*i + 3})
		}
		for _, face := range []bool{true, false} {
			for _, tmax := range []float64{1, 0.4, 0} {
				s := d.NewSession()
				if err := s.Load(rec); err != nil {
					t.Fatal(err)
				}
				left := compare(t, s, rec, idx, face, tmax, sep)
				s.MaxNorm(true)
				got := newFound(len(idx))
				all, err := s.First(face, idx, tmax, sep, got.list, got.mask, got.toi, got.state)
				if err != nil {
					t.Fatal(err)
				}
				if tmax > 0 && left >= all {
					t.Errorf("face %v, tmax %v: the certificate leaves %d of %d", face, tmax, left, all)
				}
				s.Close()
			}
		}
	}
}
