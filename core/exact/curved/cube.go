package curved

import (
	"math"

	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// The first contact in the max norm, foreseen in floats. At a time t the pair is apart by as much
// as the best direction of the list separates it: the greatest, over directions and sides, of the
// least of +-n.P - d |n|_1 over the corners, divided by |n|_1. The secant's method finds where that
// is 0. The proof is in double-doubles, by few certificates: the best direction holds up to a
// double a, and at the next one, b, none holds, not even weakly. Floats exclude most of the
// directions at b.
//
// Error, in units of u = 2^-53 and of the largest magnitudes M_k of control points: t - T0 over T1
// - T0 is off by 3; a control point by 1, and a step of de Casteljau's algorithm by 2 (difference),
// 8 (product, and the share's error) and 3 (sum): less than 16, five times, so a corner errs by
// less than 96 M_k, and an edge, of magnitudes up to 2 M_k, by less than 200 M_k. A component of
// e_k x E is one of E. A minor of the normal is up to 8 M_i M_j, and errs by less than 2 (2 200 2 +
// 8) < 2000 M_i M_j. With N_k these bounds on the components of n, a product n.P errs by less than
// (250 + 96 + 3) N_k M_k on each axis, and d |n|_1 by less than (250 + 3) N_k d: 2^10 stands for
// both, times the sum of N_k (M_k + d).
//
// Size: the fields are a pair, and its directions at the time of the last look.
type cubeFloats struct {
	f      *motionFloats
	kind   geom.Kind
	list   []int          // the directions that count, as clearance.CubeFollower numbers them
	values [13][2]float64 // the least of +-n.P - d |n|_1 over the corners, on either side
	sizes  [13]float64    // |n|_1
	bounds [13]float64    // the errors of values
}

const (
	cubeError = 0x1p-43
	cubeStep  = 0x1p-20 // the first step, as a part of the time
	cubeNear  = 0x1p-40 // what counts as 0
	cubeTries = 16
	cubeLeads = 4
)

// first returns the first contact in [lo, end], or that there is none, if few certificates show it.
// The pair is apart before lo; [lo, hi] is the part that floats leave, which no proof rests on.
func (v *cubeFloats) first(q *MotionQuery, f *motionFloats, c *clearance.CubeFollower, lo, hi, end float64) (
	t clearance.Instant, ok bool) {
	v.f, v.kind, v.list = f, q.Kind, c.Listed()
	v.look(lo)
	if _, _, most := v.best(); !(most > 0) {
		return clearance.Instant{Contact: true, Lo: lo, Hi: lo}, lo == q.T0 && v.meets(c, lo)
	}
	if lo == end {
		return t, false
	}
	guess, slope, found := v.crossing(lo, hi, end)
	if !found {
		return t, v.apart(c, lo, end)
	}
	n, side, _ := v.best()
	a, b, ok := c.Ends(n, side, lo, end, guess, slope*v.sizes[n])
	if !ok {
		return t, false
	}
	v.look(b)
	return clearance.Instant{Contact: true, Lo: a, Hi: b}, v.meets(c, b) && (a == lo || v.apart(c, lo, a))
}

// meets reports whether certainly no direction separates at the time t of the last look. Floats
// exclude most of them.
func (v *cubeFloats) meets(c *clearance.CubeFollower, t float64) bool {
	var room [13]int
	open := room[:0]
	for _, n := range v.list {
		if !(v.values[n][0] < -v.bounds[n] && v.values[n][1] < -v.bounds[n]) {
			open = append(open, n)
		}
	}
	return c.Meets(t, open)
}

// apart reports whether directions certainly separate from lo to hi, lo < hi: one after the other,
// each time the one that separates most.
func (v *cubeFloats) apart(c *clearance.CubeFollower, lo, hi float64) bool {
	for range cubeLeads {
		v.look(lo)
		n, side, _ := v.best()
		next := c.Reach(n, side, lo, hi)
		if next == hi {
			return true
		}
		if !(next > lo) {
			return false
		}
		lo = next
	}
	return false
}

// crossing returns about the first time in [lo, end] at which no direction separates, and about the
// slope there; the last look is near it. No proof rests on it.
func (v *cubeFloats) crossing(lo, hi, end float64) (t, slope float64, found bool) {
	_, _, g1 := v.best()
	a, b, met := lo, end, false
	t0, g0, t1 := lo, g1, lo
	t = lo + float64(cubeStep*(end-lo))
	for range cubeTries {
		v.look(t)
		_, _, g := v.best()
		if t0, g0, t1, g1 = t1, g1, t, g; g > 0 {
			a = t
		} else {
			b, met = t, true
		}
		if math.Abs(t1-t0) > float64(cubeStep*(end-lo)*0.5) {
			slope = (g1 - g0) / (t1 - t0)
		}
		next := t1 - g1/slope
		switch {
		case math.Abs(g) <= cubeNear && slope < 0:
			return next, slope, true
		case !met && t == end:
			return t, slope, false
		case !met && !(slope < 0 && next < end):
			if next = end; t < hi {
				next = hi
			}
		case !(next > a && next < b):
			next = 0.5 * (a + b)
		}
		t = next
	}
	return t, slope, false
}

// best returns the direction and side that separate most at the time of the last look, and by how
// much.
func (v *cubeFloats) best() (n, side int, most float64) {
	most = math.Inf(-1)
	for _, i := range v.list {
		for s, x := range v.values[i] {
			if x /= v.sizes[i]; x > most {
				n, side, most = i, s, x
			}
		}
	}
	return n, side, most
}

// look evaluates the directions at a time.
func (v *cubeFloats) look(t float64) {
	f := v.f
	p := f.at(t)
	edge := func(j int) [3]float64 {
		from, to := clearance.SideEnds(v.kind, int8(j))
		return geom.Sub3(&p[to], &p[from])
	}
	for _, i := range v.list {
		var n, m [3]float64 // the direction, and bounds on its components
		switch {
		case i < 3:
			n[i], m[i] = 1, 1
		case i < 3+3*len(clearance.Shapes[v.kind].Edges):
			e, k := edge((i-3)/3), (i-3)%3
			j, l := (k+1)%3, (k+2)%3
			n[j], n[l], m[j], m[l] = -e[l], e[j], 2*f.size[l], 2*f.size[j]
		default:
			b, c := edge(0), edge(1)
			n = geom.Cross3(&b, &c)
			for k := range 3 {
				m[k] = 8 * f.size[(k+1)%3] * f.size[(k+2)%3]
			}
		}
		least, most := math.Inf(1), math.Inf(-1)
		for c := range f.corners {
			x := geom.Dot3(&n, &p[c])
			least, most = min(least, x), max(most, x)
		}
		size, bound := 0.0, 0.0
		for k := range 3 {
			size += math.Abs(n[k])
			bound += float64(m[k] * (f.size[k] + f.d))
		}
		far := float64(f.d * size)
		v.values[i], v.sizes[i] = [2]float64{least - far, -most - far}, size
		v.bounds[i] = float64(cubeError*bound) + motionUnderflow
	}
}

// at returns the corners at a time, by de Casteljau's algorithm.
func (f *motionFloats) at(t float64) (p [4][3]float64) {
	s := (t - f.t0) / (f.t1 - f.t0)
	for c := range f.corners {
		for k := range 3 {
			var x [MaxMotionDegree + 1]float64
			for l := range f.degree + 1 {
				x[l] = f.top[l][c][k]
			}
			for m := f.degree; m > 0; m-- {
				for l := range m {
					x[l] += float64(s * (x[l+1] - x[l]))
				}
			}
			p[c][k] = x[0]
		}
	}
	return p
}
