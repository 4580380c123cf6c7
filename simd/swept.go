package simd

// A SweptSet is some primitives of 1, 2 or 3 vertices each: those of primitive i are Verts[Width*i:Width*i+Width], or vertex i where Width
// is 1.
type SweptSet struct {
	Verts []int32
	Width int
}

// SweptOverlaps writes to out, in order, the pairs (i, j) of a primitive of a and one of b whose boxes over the step overlap, and returns
// their number. rec holds {x0 y0 z0 0 x1 y1 z1 0} of each vertex; the box of a primitive is that of its vertices at both ends, in doubles.
// Box i of pair k is inflated by grow[k][0] >= 0, box j by grow[k][1], each bound to the nearest double that is not inside the true one; no box
// is inflated if grow is nil. Coordinates are finite, and so are their sums with grow. The widths are 1 and 3, 2 and 2, 1 and 2, or 1 and 1.
//
//	for k, p := range pairs {
//		x, y := box(a, p[0]).Inflate(grow[k][0]), box(b, p[1]).Inflate(grow[k][1])
//		if x.min <= y.max && y.min <= x.max on all axes { out[n] = p; n++ }
//	}
//
// out must hold len(pairs) and may be pairs itself.
func SweptOverlaps(rec []float64, a, b SweptSet, grow [][2]float64, pairs, out [][2]int32) int {
	out = out[:len(pairs)]
	if grow != nil {
		grow = grow[:len(pairs)]
	}
	switch {
	case len(pairs) == 0:
		return 0
	case a.Width == 2:
		return sweptEE(rec, a.Verts, b.Verts, grow, pairs, out)
	case b.Width == 3:
		return sweptVF(rec, a.Verts, b.Verts, grow, pairs, out)
	case b.Width == 2:
		return sweptPE(rec, a.Verts, b.Verts, grow, pairs, out)
	}
	return sweptPP(rec, a.Verts, b.Verts, grow, pairs, out)
}
