package broad

import (
	"fmt"
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// Slab is a part of space along one coordinate axis, and of the pairs: those whose larger minimum
// lies in [Lo, Hi), the minimum of a primitive being the least coordinate of its vertices at both
// ends of the step, or of their paths (Keep.Hulls). It is a region without bounds on two axes.
//
// Disjoint slabs that cover the axis have disjoint sets of pairs that cover all pairs: the larger
// minimum of a pair is found by comparing the doubles of the input, so a pair belongs to the same
// slab on every machine. Whether a primitive meets a slab depends on this primitive alone.
type Slab struct {
	Axis   int
	Lo, Hi float64
}

// Check returns an error for an invalid slab.
func (s *Slab) Check() error {
	if s.Axis < 0 || s.Axis > 2 {
		return fmt.Errorf("slab.axis is %d: must be 0 to 2", s.Axis)
	}
	if !(s.Lo <= s.Hi) {
		return fmt.Errorf("slab is [%v, %v): its ends are not in order", s.Lo, s.Hi)
	}
	return nil
}

// Slabs divides the axis along which the scene is longest into n slabs with about the same number
// of primitives.
func Slabs(m *mesh.Mesh, mo *geom.Trajectories, n int) []Slab {
	whole := Slab{longestAxis(mo), math.Inf(-1), math.Inf(1)}
	return whole.split(sampleExtents(m, mo, families(m), whole.Axis), n)
}

// longestAxis returns the axis along which the scene is longest.
func longestAxis(mo *geom.Trajectories) (axis int) {
	most := -1.0
	for k := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for v := range mo.N {
			r := mo.Rec[8*v : 8*v+8]
			lo, hi = min(lo, r[k], r[4+k]), max(hi, r[k], r[4+k])
		}
		if length := float64(hi/2) - float64(lo/2); length > most {
			axis, most = k, length
		}
	}
	return axis
}

// split divides the slab into n slabs in which about the same number of the sampled primitives
// begin.
func (s *Slab) split(some []sampledExtent, n int) []Slab {
	var minima []float64
	for i := range some {
		if lo := some[i].lo; s.Lo <= lo && lo < s.Hi {
			minima = append(minima, lo)
		}
	}
	slices.Sort(minima)
	out := make([]Slab, n)
	for i, cut := 0, s.Lo; i < n; i++ {
		out[i] = Slab{s.Axis, cut, s.Hi}
		if i < n-1 && len(minima) > 0 {
			cut = minima[(i+1)*len(minima)/n]
			out[i].Hi = cut
		}
	}
	return out
}

// sampledExtent is the extent of a primitive along an axis; it stands for count primitives.
type sampledExtent struct {
	lo, hi float64
	count  int
}

// sampleExtents returns the extents of some primitives of each family along an axis.
func sampleExtents(m *mesh.Mesh, mo *geom.Trajectories, fs []family, axis int) (out []sampledExtent) {
	var v [1]int32
	for _, f := range fs {
		for _, of := range []set{f.a, f.b} {
			step := 1 + of.n/4096
			for i := 0; i < of.n; i += step {
				lo, hi := extent(mo, verticesOf(m, of.Shape, of.id(i), &v), axis)
				out = append(out, sampledExtent{lo, hi, step})
			}
		}
	}
	return out
}

// countReached estimates the number of primitives that meet the slab.
func (s *Slab) countReached(some []sampledExtent, reach float64) (n int) {
	for i := range some {
		if x := &some[i]; x.lo < s.Hi && num.AddUp(x.hi, reach) >= s.Lo {
			n += x.count
		}
	}
	return n
}

// region returns the region that owns the pairs of the slab.
func (s *Slab) region() (r Region) {
	for axis := range 3 {
		r.Lo[axis], r.Hi[axis] = math.Inf(-1), math.Inf(1)
	}
	r.Lo[s.Axis], r.Hi[s.Axis] = s.Lo, s.Hi
	return r
}
