package broad

import (
	"unsafe"

	"ccd/core/mesh"
	"ccd/simd"
)

// A layer is the primitives of a set in the cells of a grid: ent[off[c]:off[c+1]] are those of cell c, in the order of
// their minima along the sweep's axis; kernels read a register beyond.
type layer struct {
	set
	verts   []int32 // of all primitives of the shape, flat; nil for vertices
	members []member
	order   [2][]keyed
	off     []int32
	ent     []int32
	some    []simd.CellRange // scratch
}

// member is a primitive that takes part, and the cells it covers, both ends included.
type member struct {
	id     int32
	lo, hi [2]uint16
}

// keyed is a member, by position, and its minimum along the sweep's axis as an ordered integer.
type keyed struct {
	key uint32
	at  int32
}

// use makes the layer hold set s of m.
func (l *layer) use(m *mesh.Mesh, s set) {
	l.set, l.verts = s, nil
	switch s.shape {
	case edge:
		l.verts = flat(m.Edges)
	case face:
		l.verts = flat(m.Faces)
	}
}

// vertices are those of the i-th primitive of the set.
func (l *layer) vertices(i int) []int32 {
	if l.shape == vertex {
		if l.ids == nil {
			return []int32{int32(i)}
		}
		return l.ids[i : i+1]
	}
	w := int(l.shape)
	at := w * int(l.id(i))
	return l.verts[at : at+w]
}

// flat sees a slice of pairs or triples as one of numbers.
func flat[T [2]int32 | [3]int32](s []T) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))/4))
}

// measureLen is how many primitives are measured at a time, to keep the scratch in cache.
const measureLen = 512

// measure finds the members, those primitives that meet the plan's slab, counts those of each cell c in off[c+1], and
// returns the number of entries they make.
func (l *layer) measure(p *Plan, g *grid) (total int) {
	l.members, l.order[0] = l.members[:0], l.order[0][:0]
	if p.how.Slab == nil {
		l.members, l.order[0] = grow(&l.members, l.n)[:0], grow(&l.order[0], l.n)[:0]
	}
	some, off, nz := grow(&l.some, measureLen), grow(&l.off, g.cells()+1), g.n[1]
	clear(off)
	for first := 0; first < l.n; first += measureLen {
		some = some[:min(measureLen, l.n-first)]
		l.cellRanges(p.rec, g, first, some)
		for i := range some {
			c, id := &some[i], l.id(first+i)
			if p.how.Slab != nil && !p.how.Slab.meets(p, l.shape, id) {
				continue
			}
			l.order[0] = append(l.order[0], keyed{orderOf(c.X0), int32(len(l.members))})
			l.members = append(l.members, member{id, c.Lo, c.Hi})
			for y := int(c.Lo[0]); y <= int(c.Hi[0]); y++ {
				for k := y*nz + int(c.Lo[1]); k <= y*nz+int(c.Hi[1]); k++ {
					off[k+1]++
				}
			}
			total += (int(c.Hi[0]) - int(c.Lo[0]) + 1) * (int(c.Hi[1]) - int(c.Lo[1]) + 1)
		}
	}
	return total
}

// cellRanges are those of the primitives from first on.
func (l *layer) cellRanges(rec []float32, g *grid, first int, out []simd.CellRange) {
	w := int(l.shape)
	switch {
	case l.ids != nil:
		simd.CellRangesOf(rec, l.verts, w, l.ids[first:], &g.of, out)
	case l.shape == vertex:
		simd.CellRanges(rec[16*first:], nil, w, &g.of, out)
	default:
		simd.CellRanges(rec, l.verts[w*first:], w, &g.of, out)
	}
}

// scatter puts the members into their cells, in order. Most are in one cell or two.
func (l *layer) scatter(g *grid, total int) {
	l.sort()
	off, ent, nz := l.off, grow(&l.ent, total+simd.SweepPad), g.n[1]
	for c := 1; c < len(off); c++ {
		off[c] += off[c-1]
	}
	for _, x := range l.order[0] {
		m := &l.members[x.at]
		for c := int(m.lo[0])*nz + int(m.lo[1]); ; c += nz {
			last := c + int(m.hi[1]-m.lo[1])
			for k := c; k <= last; k++ {
				ent[off[k]] = m.id
				off[k]++
			}
			if last >= int(m.hi[0])*nz {
				break
			}
		}
	}
	copy(off[1:], off) // each offset has moved on to the next cell's
	off[0] = 0
}

// sort orders by key: a radix sort in three passes of eleven bits; it is stable, so ties stay in the order of the set.
func (l *layer) sort() {
	a, b := l.order[0], grow(&l.order[1], len(l.order[0]))
	var count [3][2048]int32
	for _, x := range a {
		count[0][x.key&2047]++
		count[1][x.key>>11&2047]++
		count[2][x.key>>22]++
	}
	for p := range count {
		c, sum := &count[p], int32(0)
		for d, n := range c {
			c[d] = sum
			sum += n
		}
		shift := 11 * p
		for _, x := range a {
			at := &c[x.key>>shift&2047]
			b[*at] = x
			*at++
		}
		a, b = b, a
	}
	l.order[0], l.order[1] = a, b
}

func (l *layer) cell(c int) []int32 { return l.ent[l.off[c]:l.off[c+1]] }

// bytes is the memory the layer holds.
func (l *layer) bytes() int {
	return 12*cap(l.members) + 8*(cap(l.order[0])+cap(l.order[1])) + 4*(cap(l.off)+cap(l.ent))
}
