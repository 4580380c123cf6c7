package linear

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/simd/internal/checks"
	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// TestFilter32Bounds holds every bound of the filter in single precision against rationals, and
// tells how near the worst case came. The filter's time is not before tmax: the rationals take the
// same.
func TestFilter32Bounds(t *testing.T) {
	r := rand.New(rand.NewSource(32))
	worst := checks.WorstShares{}
	note := func(name string, x float64) { worst.Note(t, name, x) }
	for _, family := range checks.FamilyNames {
		for range long.Part(600, 4) {
			rec, idx := checks.Motion(r, family, 4, 1)
			idx[0] = [4]int32{0, 1, 2, 3}
			largest := 0.0
			for _, x := range rec {
				largest = max(largest, math.Abs(x))
			}
			// The scale brings coordinates into the range of the filter.
			if scale := math.Ldexp(1, -math.Ilogb(largest+0x1p-1000)+r.Intn(40)-20); r.Intn(4) > 0 {
				for i := range rec {
					rec[i] *= scale
				}
			}
			if r.Intn(2) == 0 { // nearly static, so that ends agree and cancellation is worst
				for i := range 4 {
					for k := range 3 {
						rec[8*i+4+k] = rec[8*i+k] * (1 + float64(r.Intn(5)-2)*0x1p-22)
					}
				}
			}
			face := r.Intn(2) == 0
			bounds, _ := FilterBounds32(checks.Times[r.Intn(len(checks.Times))], 0)
			var q filterQuery32
			q.load(rec, &idx[0], face)
			q.measure()
			if bounds[1] != 1 {
				q.cut(bounds[0], bounds[1])
			}
			if q.finite() {
				checkBounds32(note, &q, exactQuery(rec, idx[0], face, float64(bounds[1])))
			}
		}
	}
	t.Log(worst)
	for _, name := range []string{"axis", "direction", "end", "middle", "norm"} {
		if worst[name] == 0 {
			t.Errorf("the %s bound was never looked at", name)
		}
	}
}

func checkBounds32(note func(string, float64), q *filterQuery32, e [3][2][3]*big.Rat) {
	a, b, c := e[0], e[1], e[2]
	area := vec.Permanent32(q.mb, q.mc)
	volume := vec.Dot32(q.ma, area)
	f0, f1, f2, f3, n := q.bernstein()
	if volume >= query.Smallest32 {
		note("end", checks.Share(float64(f0), checks.Determinant(a[0], b[0], c[0]), float64(volume)*cubicEndBound32))
		note("end", checks.Share(float64(f3), checks.Determinant(a[1], b[1], c[1]), float64(volume)*cubicEndBound32))
		for m, f := range [2]float32{f1, f2} { // f1 has one vector of the second end, f2 one of the first
			s := new(big.Rat)
			s.Add(checks.Determinant(a[1-m], b[m], c[m]), checks.Determinant(a[m], b[1-m], c[m]))
			s.Add(s, checks.Determinant(a[m], b[m], c[1-m]))
			note("middle", checks.Share(float64(f), s, float64(volume)*cubicMiddleBound32))
		}
	}
	u, v, w := q.derivatives()
	for k := range 3 {
		checkRange32(note, "axis", q, [3]vec.Vec32{{X: 1, Y: 0, Z: 0}, {X: 0, Y: 1, Z: 0}, {X: 0, Y: 0, Z: 1}}[k], e,
			checks.At(checks.Wide(q.scale), k), axisBound32)
		if checks.At(checks.Wide(area), k) >= query.Smallest32 {
			i, j := (k+1)%3, (k+2)%3
			for end := range 2 {
				s := new(big.Rat)
				checks.MulAdd(s, 1, b[end][i], c[end][j])
				checks.MulAdd(s, -1, b[end][j], c[end][i])
				x, _ := s.Abs(s).Float64()
				note("norm", (x-checks.At(checks.Wide(n), k))/(checks.At(checks.Wide(area), k)*normBound32))
			}
		}
	}
	for _, d := range []vec.Vec32{vec.Cross32(u, v), vec.Cross32(v, w), vec.Cross32(w, u)} {
		checkRange32(note, "direction", q, d, e, float64(vec.Dot32(vec.LargestOf32(d, d), q.scale)), directionBound32)
	}
}

// checkRange32 compares the computed range of the projection on d with the exact one.
func checkRange32(note func(string, float64), name string, q *filterQuery32, d vec.Vec32, e [3][2][3]*big.Rat,
	size, bound float64) {
	if !(size >= query.Smallest32) {
		return
	}
	lo, hi := exactRange(q.face, checks.Wide(d), e)
	least := func(d vec.Vec32) float64 {
		return float64(min(q.least(vec.Dot32(d, q.a[0]), vec.Dot32(d, q.b[0]), vec.Dot32(d, q.c[0])),
			q.least(vec.Dot32(d, q.a[1]), vec.Dot32(d, q.b[1]), vec.Dot32(d, q.c[1]))))
	}
	note(name, checks.Share(least(d), lo, size*bound))
	note(name, checks.Share(-least(vec.Vec32{X: -d.X, Y: -d.Y, Z: -d.Z}), hi, size*bound))
}

// TestFilter32IsAsSelective compares what both filters leave of queries of ordinary size.
func TestFilter32IsAsSelective(t *testing.T) {
	r := rand.New(rand.NewSource(33))
	rec, idx := checks.Motion(r, "uniform", 1000, 4096)
	for _, c := range []struct {
		single, double filterFunc
	}{{Filter32VF, FilterVF}, {Filter32EE, FilterEE}} {
		out := make([]int32, len(idx))
		single := c.single(rec, idx, checks.Everything(len(idx)), 0.7, 0, out)
		double := c.double(rec, idx, checks.Everything(len(idx)), 0.7, 0, out)
		if single > double+double/100 || single == 0 {
			t.Errorf("%d of %d queries left in single precision, %d in double", single, len(idx), double)
		}
	}
}

// The time and the separation of the filter are not below those that it is for, and tests of
// ordinary separations have them within 2^-18.
func TestFilter32RoundsUp(t *testing.T) {
	r := rand.New(rand.NewSource(34))
	for range 20000 {
		tmax, sep := math.Ldexp(r.Float64(), -r.Intn(60)*r.Intn(20)), math.Ldexp(r.Float64(), r.Intn(200)-100)
		if r.Intn(2) == 0 {
			tmax = 1 - math.Ldexp(float64(r.Intn(8)), -53)
		}
		b, _ := FilterBounds32(tmax, sep)
		if float64(b[1]) < tmax || b[1] > 1 || b[0] != 1-b[1] {
			t.Fatalf("tmax %g: weights %g, %g", tmax, b[0], b[1])
		}
		if float64(b[2]) < sep*(1+0x1p-20) || float64(b[2]) > max(sep*(1+0x1p-18), query.Least32) ||
			float64(b[3]) < 3*sep*(1+0x1p-20) {
			t.Fatalf("separation %g: %g, %g", sep, b[2], b[3])
		}
	}
	for _, sep := range []float64{0x1p-1074, 1e150} {
		if b, whole := FilterBounds32(1, sep); !(float64(b[2]) > sep) || whole {
			t.Errorf("separation %g: %g", sep, b[2])
		}
	}
}
