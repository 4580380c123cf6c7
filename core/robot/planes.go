package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// slab holds a cluster of a target between two planes: lo < n.y < hi for all its points y, with
// what its vertices may be off by and the rounding of the products.
type slab struct {
	n      r3.Vec
	lo, hi float64
}

// mostSlabs is how many directions of faces a cluster may have: those of boxes and ramps, and of
// single triangles. Clusters of curved surfaces, which have more, get no slabs.
const mostSlabs = 4

// slabsOf returns slabs along the normals of a cluster's triangles, but for those along an axis,
// where the cluster's box is as tight. Large triangles that lie askew have boxes that hold far more
// than they do.
func slabsOf(all []primitive, c *cluster) (list []slab) {
	for _, i := range c.primitives {
		p := &all[i]
		if p.n < 3 {
			return nil
		}
		normal := geom.Cross(r3.Sub(p.x[1], p.x[0]), r3.Sub(p.x[2], p.x[0]))
		if !(geom.MaxAbs(normal) > 1e-100 && geom.MaxAbs(normal) < 1e100) {
			continue
		}
		n := normalized(normal)
		if geom.MaxAbs(n) > 1-0x1p-40 || isAlong(list, n) {
			continue
		}
		if len(list) == mostSlabs {
			return nil
		}
		hi, _ := highest(c, n)
		lo, _ := highest(c, geom.Scale(-1, n))
		rest := 2*c.off + float64(32*unit*c.size())
		list = append(list, slab{n, -(lo + rest), hi + rest})
	}
	return list
}

// isAlong reports whether one of the slabs has a direction, up to its sign.
func isAlong(list []slab, n r3.Vec) bool {
	for i := range list {
		if math.Abs(geom.Dot(list[i].n, n)) > 1-0x1p-30 {
			return true
		}
	}
	return false
}

// aside is how many times as large as a ball the box of a leaf is for slabs to be asked.
const aside = 4

// beside proves a ball and a leaf of the target apart on the interval, along one of its slabs. On
// one side n.x less hi, or lo less n.x, falls by h |n.v| - h^2/2 min(0, n.a) at most.
func (m *moving) beside(slabs []slab, h float64) bool {
	hh := float64(0.5*h) * h
	for i := range slabs {
		s := &slabs[i]
		at, a := geom.Dot(s.n, m.x), float64(hh*geom.Dot(s.n, m.a))
		need := m.need + float64(h*math.Abs(geom.Dot(s.n, m.v)))
		if at-s.hi > (need-min(0, a))*(1+relative) || s.lo-at > (need+max(0, a))*(1+relative) {
			return true
		}
	}
	return false
}
