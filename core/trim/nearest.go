package trim

import "math"

// Nearest returns the point of the loops that is nearest to a place, where a length along an axis
// counts in units of scale, and the direction of its segment. The result is rounded: it starts a
// search and proves nothing. ok is false if there are no loops.
func (r *Region) Nearest(p, scale [2]float64) (near, along [2]float64, ok bool) {
	best := math.Inf(1)
	far := func(q [2]float64) float64 { return math.Hypot((q[0]-p[0])/scale[0], (q[1]-p[1])/scale[1]) }
	r.visit(func(b *box) bool {
		return far([2]float64{min(max(p[0], b.lo[0]), b.hi[0]), min(max(p[1], b.lo[1]), b.hi[1])}) < best
	}, func(corners [][2]float64) bool {
		for i := range len(corners) - 1 {
			a, b := &corners[i], &corners[i+1]
			q := foot(a, b, &p, &scale)
			if d := far(q); d < best {
				best, near, along, ok = d, q, [2]float64{b[0] - a[0], b[1] - a[1]}, true
			}
		}
		return true
	})
	return near, along, ok
}

// foot returns the point of a segment that is nearest to a place.
func foot(a, b, p, scale *[2]float64) [2]float64 {
	dx, dy := (b[0]-a[0])/scale[0], (b[1]-a[1])/scale[1]
	s := float64(dx*((p[0]-a[0])/scale[0])) + float64(dy*((p[1]-a[1])/scale[1]))
	l := float64(dx*dx) + float64(dy*dy)
	switch {
	case !(s > 0):
		return *a
	case s >= l:
		return *b
	}
	s /= l
	return [2]float64{a[0] + float64(s*(b[0]-a[0])), a[1] + float64(s*(b[1]-a[1]))}
}

// Segments appends the segments of the loops that may have points in a box to list. It returns
// false if these are more than most.
func (r *Region) Segments(lo, hi [2]float64, most int, list [][2][2]float64) ([][2][2]float64, bool) {
	b := box{lo, hi}
	some := r.visit(b.meets, func(corners [][2]float64) bool {
		for i := range len(corners) - 1 {
			if !b.misses(&corners[i], &corners[i+1]) {
				if len(list) == most {
					return false
				}
				list = append(list, [2][2]float64{corners[i], corners[i+1]})
			}
		}
		return true
	})
	return list, some
}

// Surrounds reports whether a point is in the region. Points of the loops may be taken for either.
func (r *Region) Surrounds(p [2]float64) bool { return r.Whole() || r.odd(p) }
