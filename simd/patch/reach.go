package patch

import "math"

// ReachPoints is the most points that a Reach holds.
const ReachPoints = 104

// Reach is how far moving points reach along a direction: their projections, and the highest.
type Reach struct {
	Pos, Vel [ReachPoints]float64
	tops     [2]struct{ best, at float64 }
}

// Along projects points that move linearly, given as pad numbers each of x y z vx vy vz, on n, and
// returns the highest at the times t0 and t1, each with the first point that is so high. pad is a
// multiple of 8, in [8, ReachPoints].
//
//	for i := range pad {
//		Pos[i] = (n0*x[i] + n1*y[i]) + n2*z[i]
//		Vel[i] = (n0*vx[i] + n1*vy[i]) + n2*vz[i]
//	}
//	h, i = the greatest Pos[i] + t*Vel[i], and the least i that has it
//
// No sum is fused. Numbers are finite.
func (r *Reach) Along(x []float64, pad int, n0, n1, n2, t0, t1 float64) (h0 float64, i0 int, h1 float64, i1 int) {
	reachAlong(r, x, pad, n0, n1, n2, t0, t1)
	return r.tops[0].best, int(r.tops[0].at), r.tops[1].best, int(r.tops[1].at)
}

// At returns the highest of the first pad projected points at the time t, and the first point that
// is so high.
func (r *Reach) At(pad int, t float64) (h float64, i int) {
	reachAt(r, pad, t)
	return r.tops[0].best, int(r.tops[0].at)
}

// reachFits reports whether there are kernels for so many points.
func reachFits(pad int) bool { return pad%8 == 0 && pad >= 8 && pad <= ReachPoints }

func reachAlongGeneric(r *Reach, x []float64, pad int, n0, n1, n2, t0, t1 float64) {
	h0, h1, i0, i1 := math.Inf(-1), math.Inf(-1), 0, 0
	px, py, pz := x[:pad], x[pad:2*pad], x[2*pad:3*pad]
	vx, vy, vz := x[3*pad:4*pad], x[4*pad:5*pad], x[5*pad:6*pad]
	for i := range pad {
		p := float64(n0*px[i]) + float64(n1*py[i]) + float64(n2*pz[i])
		v := float64(n0*vx[i]) + float64(n1*vy[i]) + float64(n2*vz[i])
		r.Pos[i], r.Vel[i] = p, v
		if h := p + float64(t0*v); h > h0 {
			h0, i0 = h, i
		}
		if h := p + float64(t1*v); h > h1 {
			h1, i1 = h, i
		}
	}
	r.tops[0].best, r.tops[0].at, r.tops[1].best, r.tops[1].at = h0, float64(i0), h1, float64(i1)
}

func reachAtGeneric(r *Reach, pad int, t float64) {
	h, at := math.Inf(-1), 0
	for i := range pad {
		if x := r.Pos[i] + float64(t*r.Vel[i]); x > h {
			h, at = x, i
		}
	}
	r.tops[0].best, r.tops[0].at = h, float64(at)
}
