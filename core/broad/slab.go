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

// extent returns the least and the largest coordinate of the vertices along an axis, over both ends
// of the step.
func extent(mo *geom.Trajectories, v []int32, axis int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, i := range v {
		r := mo.Rec[8*int(i) : 8*int(i)+8]
		lo, hi = min(lo, r[axis], r[4+axis]), max(hi, r[axis], r[4+axis])
	}
	return lo, hi
}

// reach is more than the gap that can be between two boxes of doubles whose records overlap: twice
// the largest inflation, what Tactic.Farther adds, and the rounding of the records. A record's
// float is below 13 in magnitude (bound.Sample.Frame), so it is too large by less than 13 2^-22
// (1 + 2^-20) + 2^-50 and some, on each of two sides, in units of the frame, of which the larger of
// the scene's largest coordinate and the inflation makes at least one. Hence 2^-16 would do.
//
// Of hulls it is no less than the separation of a pair and the radii of its paths: hulls with a
// wider gap between them are apart throughout, whatever the records of a part of the time are.
func (p *Plan) reach() float64 {
	most := p.how.most()
	return num.AddUp(num.AddUp(2*most, p.how.Tactic.Farther), 0x1p-14*math.Max(p.how.largest, most))
}

// verticesOf returns the vertices of a primitive; v is memory for the vertex of a point.
func verticesOf(m *mesh.Mesh, of geom.Shape, id int32, v *[1]int32) []int32 {
	switch of {
	case geom.Edge:
		return m.Edges[id][:]
	case geom.Face:
		return m.Faces[id][:]
	}
	v[0] = id
	return v[:]
}
