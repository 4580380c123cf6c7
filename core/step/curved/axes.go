package curved

import (
	"ccd/core/geom"
	"ccd/core/motion"
)

// axes are the control points vertex by vertex, of a motion of one piece without radii. They serve
// for a first look at a pair, with the numbers of SolveMotion's own axes.
type axes struct {
	control []float64 // empty for other motions
	stride  int       // how many numbers a vertex has
}

func (a *axes) load(m *motion.Motion) {
	*a = axes{}
	if m.Pieces() > 1 || m.HasRadii() {
		return
	}
	n, from := m.Vertices(), m.Control()
	a.stride = 3 * (m.Degree() + 1)
	a.control = make([]float64, n*a.stride+1) // Kernels load one more.
	for l := range m.Degree() + 1 {
		for i := range n {
			copy(a.control[a.stride*i+3*l:a.stride*i+3*l+3], from[3*(l*n+i):])
		}
	}
}

// gather is motion.Motion.Gather into out.
func (a *axes) gather(k geom.Kind, idx *[4]int32, out *[12 * (motion.MaxDegree + 1)]float64) []float64 {
	n := k.Points()
	for i := range n {
		from := a.control[a.stride*int(idx[i]):][:a.stride]
		for l := 0; l < a.stride; l += 3 {
			to := out[n*l+3*i : n*l+3*i+3]
			to[0], to[1], to[2] = from[l], from[l+1], from[l+2]
		}
	}
	return out[:n*a.stride]
}

// apart reports whether an axis keeps the pair apart throughout: at every control point all
// vertices of one primitive are beyond all of the other by more than d, on one side. The least
// rounded difference is that of the extremes, for rounding is monotone.
func (a *axes) apart(k geom.Kind, idx *[4]int32, d float64) bool {
	if len(a.control) == 0 {
		return false
	}
	var p [4][]float64
	n, split := k.Points(), k.Info().Split
	for i := range n {
		p[i] = a.control[a.stride*int(idx[i]):][:a.stride]
	}
	for axis := range 3 {
		above, below := true, true
		for l := axis; l < a.stride && (above || below); l += 3 {
			lo, hi := p[0][l], p[0][l]
			for i := 1; i < split; i++ {
				lo, hi = min(lo, p[i][l]), max(hi, p[i][l])
			}
			from, to := p[split][l], p[split][l]
			for i := split + 1; i < n; i++ {
				from, to = min(from, p[i][l]), max(to, p[i][l])
			}
			above = above && lo-to > d
			below = below && hi-from < -d
		}
		if above || below {
			return true
		}
	}
	return false
}
