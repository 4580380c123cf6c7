package hull

import (
	"ccd/core/geom"
	"cmp"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// Covers reports whether triangles in one plane, or on one line, cover the hull of points, of which
// its own triangles are given. It may say no of triangles that do not meet edge to edge.
//
// Take each triangle, once, as an area modulo 2, and as its boundary the edges that an odd number
// of triangles have. If all of these lie on the border of the hull, the boundary is either the
// whole border or, where edges cover each part of it an even number of times, nothing: because it
// has no ends. The only area with the border as its boundary is the whole hull; so each point is
// covered an odd number of times but for those on edges, which are covered because the triangles
// are closed. A corner of the hull tells which: the part of a side next to it is covered by edges
// that end there.
func Covers(p []r3.Vec, faces, own [][3]int32) bool {
	h := &hull{p: p}
	rim := own[0]
	switch {
	case rim[0] == rim[1]:
		return true
	case rim[1] == rim[2]:
		return h.coversSegment(faces, rim[0], rim[1])
	}
	i, j := h.axes([4]int32{rim[0], rim[1], rim[2]})
	odd := make(map[[2]int32]bool)
	for _, f := range once(faces) {
		for k := range 3 {
			e := [2]int32{min(f[k], f[(k+1)%3]), max(f[k], f[(k+1)%3])}
			if odd[e] = !odd[e]; !odd[e] {
				delete(odd, e)
			}
		}
	}
	corners := CornerNumbers(own)
	next := 0
	for e := range odd {
		if e[0] == e[1] {
			continue
		}
		low, high := 0, 0
		for _, c := range corners {
			s := h.area(e[0], e[1], c, i, j)
			if low, high = min(low, s), max(high, s); low < 0 && high > 0 {
				return false
			}
		}
		other := e[1]
		if other == rim[0] {
			other = e[0]
		} else if e[0] != rim[0] {
			continue
		}
		if h.area(rim[0], rim[1], other, i, j) == 0 {
			next++
		}
	}
	return next%2 == 1
}

// coversSegment reports whether triangles on a line cover it from lo to hi, two of its points.
func (h *hull) coversSegment(faces [][3]int32, lo, hi int32) bool {
	from, to := geom.Components(h.p[lo]), geom.Components(h.p[hi])
	k := 0
	for from[k] == to[k] {
		k++
	}
	at := func(i int32) float64 { return geom.Components(h.p[i])[k] }
	list := make([][2]float64, len(faces))
	for i, f := range faces {
		a, b, c := at(f[0]), at(f[1]), at(f[2])
		list[i] = [2]float64{min(a, b, c), max(a, b, c)}
	}
	slices.SortFunc(list, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	end := list[0][1]
	for _, part := range list {
		if part[0] > end {
			return false
		}
		end = max(end, part[1])
	}
	return true
}

// once returns triangles without those that have the corners of another one.
func once(faces [][3]int32) [][3]int32 {
	out := slices.Clone(faces)
	for i := range out {
		slices.Sort(out[i][:])
	}
	slices.SortFunc(out, func(x, y [3]int32) int { return slices.Compare(x[:], y[:]) })
	return slices.Compact(out)
}
