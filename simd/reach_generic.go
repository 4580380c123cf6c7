package simd

import "math"

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
