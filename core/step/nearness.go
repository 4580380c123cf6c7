package step

import (
	"math"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// nearness returns a lower bound of the distance of a pair at t = 0, in (distance/2, distance), for
// a pair that does not exceed d; 0 if it is nearer than any double, and -1 if it touches.
//
// The distance of the nearest points as floats compute it mostly is within 2^-10 of the true one,
// which two exact tests prove. Where they do not, d is halved until the distance exceeds it.
func (w *worker) nearness(k geom.Kind, q *[24]float64, d float64, o narrow.Options) float64 {
	n := 3 * k.Points()
	var still [24]float64
	copy(still[:n], q[:n])
	copy(still[n:2*n], q[:n])
	o.TMax = 0
	var im geom.Impact
	solve := func(d float64) *geom.Impact {
		o.MinSeparation = d
		w.secondSolver().Solve(k, still[:2*n], &o, &im)
		return &im
	}
	exceeds := func(d float64) bool { return solve(d).Verdict == geom.Separate }
	if h := distanceAt(solve(d), k, q, o.Flags&narrow.MaxNorm != 0); h > 0 {
		lo, hi := h*(1-0x1p-10), h*(1+0x1p-10)
		if lo > 0 && exceeds(lo) && (hi >= d || !exceeds(hi)) {
			return lo
		}
	}
	return halved(d, exceeds)
}

// distanceAt returns the distance of the points of an impact at t = 0, in floats.
func distanceAt(im *geom.Impact, k geom.Kind, q *[24]float64, maxNorm bool) float64 {
	form := &k.Info().Form
	var f [3]float64
	for axis := range 3 {
		at := func(i int) float64 { return q[3*int(form[i][0])+axis] - q[3*int(form[i][1])+axis] }
		f[axis] = at(0) + float64(im.U*at(1)) + float64(im.V*at(2))
	}
	if maxNorm {
		return max(math.Abs(f[0]), math.Abs(f[1]), math.Abs(f[2]))
	}
	return length(f)
}

// length returns the length of a vector of any scale.
func length(d [3]float64) float64 {
	m := max(math.Abs(d[0]), math.Abs(d[1]), math.Abs(d[2]))
	if m == 0 {
		return 0
	}
	x, y, z := d[0]/m, d[1]/m, d[2]/m
	return m * math.Sqrt(float64(x*x)+float64(y*y)+float64(z*z))
}

// halved returns the largest d x 2^-k, k > 0, that exceeds accepts, and -1 if it does not even
// accept 0. It rejects d.
func halved(d float64, exceeds func(d float64) bool) float64 {
	no, yes := 0, 1
	for !exceeds(math.Ldexp(d, -yes)) {
		if math.Ldexp(d, -yes) == 0 {
			return -1
		}
		no, yes = yes, 2*yes
	}
	for no+1 < yes {
		if mid := (no + yes) / 2; exceeds(math.Ldexp(d, -mid)) {
			yes = mid
		} else {
			no = mid
		}
	}
	return math.Ldexp(d, -yes)
}
