package box

import (
	"math"
	"math/bits"
)

// Children is the number of children of a Node.
const Children = 8

// Node holds the boxes of eight children in columns of eight floats: lo x, lo y, lo z, -hi x, -hi
// y, -hi z. A child that is absent is +Inf in all six. Numbers of a box are finite; lo and hi may
// be equal, and zeros may have either sign.
//
// Two boxes are compared by six gaps: lo of the one plus -hi of the other on each axis, and the
// reverse. Rounding keeps the sign of a sum of two floats, denormals included, so a gap is positive
// exactly where the boxes are apart on that side, and zero exactly where they touch there. A gap
// with an absent child is +Inf.
type Node [6 * Children]float32

// A row is one box on its own: eight floats, lo x y z, 0, -hi x y z, 0. A row that is absent is
// +Inf in these six.
const (
	rowLen = 8
	rowHi  = 4 // where -hi begins
)

// Leaves fills nodes with the boxes of primitives and hulls with a row for each node, the join of
// its children. Place i of node n holds the primitive of the width (1, 2 or 3) vertices
// corners[width*(8*n+i):], which number rows; places from count on are absent.
func Leaves(nodes []Node, hulls, rows []float32, corners []int32, width, count int) {
	whole := min(count/Children, len(nodes))
	if whole > 0 {
		leaves(width, nodes[:whole], hulls[:rowLen*whole], rows, corners[:Children*width*whole])
	}
	for n := whole; n < len(nodes); n++ {
		if Children*n >= count {
			nodes[n] = absentNode
			*(*[rowLen]float32)(hulls[rowLen*n:]) = absentRow
			continue
		}
		var below [Children * rowLen]float32
		for i := range Children {
			r := (*[rowLen]float32)(below[rowLen*i:])
			if p := Children*n + i; p < count {
				*r = joinRows(rows, corners[width*p:width*p+width])
			} else {
				*r = absentRow
			}
		}
		parents(nodes[n:n+1], hulls[rowLen*n:rowLen*n+rowLen], below[:])
	}
}

// absentRow is a row that is absent, and absentNode a node without children.
var (
	absentRow  = [rowLen]float32{inf32, inf32, inf32, 0, inf32, inf32, inf32, 0}
	absentNode = func() (n Node) {
		for i := range n {
			n[i] = inf32
		}
		return n
	}()
)

// Parents fills nodes with the boxes of the rows below, eight for each node, and hulls with a row
// for each node, the join of its children. Rows beyond the last child are absent.
func Parents(nodes []Node, hulls, below []float32) {
	if n := len(nodes); n > 0 {
		parents(nodes, hulls[:rowLen*n], below[:Children*rowLen*n])
	}
}

// MeetLeaves compares the boxes of pairs of leaves. a and b hold the leaves that are children of
// two nodes, and of is the node whose children b are. For the k-th set bit t of m, from the lowest
// on, it compares the leaves a[t/8] and b[t%8]: bit 8*i+j of touching[k] is set where box i of the
// one and box j of the other overlap or touch (no gap is positive), and of sure[k] where they
// overlap (all gaps are negative). Entries beyond those of m may be overwritten.
//
//	for each bit t of m {
//		for i in boxes of a[t/8] that touch child t%8 of of {
//			for j in boxes of b[t%8] { compare i with j }
//		}
//	}
func MeetLeaves(a, b *[Children]Node, of *Node, m uint64, sure, touching *[64]uint64, q *Queue) {
	if m != 0 {
		meetLeaves(a, b, of, m, sure, touching, q)
	}
}

// MeetEnds is MeetLeaves for boxes at both ends of a step: a0, b0 and of0 at the start, a1, b1 and
// of1 at the end. Bit 8*i+j of touching[k] is set unless one gap is positive at both ends: then the
// boxes, moving linearly, are apart on that side at all times between.
func MeetEnds(a0, a1, b0, b1 *[Children]Node, of0, of1 *Node, m uint64, touching *[64]uint64, q *Queue) {
	if m != 0 {
		meetEnds(a0, a1, b0, b1, of0, of1, m, touching, q)
	}
}

// Queue is the working memory of MeetLeaves and MeetEnds: the boxes of a that touch a leaf of b,
// each of which is compared with the eight of that leaf. What is in it means nothing before and
// after a call.
type Queue struct {
	row, leaf, to [64*Children + Children]int32
}

func leavesGeneric(nodes []Node, hulls, rows []float32, corners []int32, width int) {
	var below [Children * rowLen]float32
	for n := range nodes {
		for i := range Children {
			p := width * (Children*n + i)
			*(*[rowLen]float32)(below[rowLen*i:]) = joinRows(rows, corners[p:p+width])
		}
		parentsGeneric(nodes[n:n+1], hulls[rowLen*n:rowLen*n+rowLen], below[:])
	}
}

func parentsGeneric(nodes []Node, hulls, below []float32) {
	for n := range nodes {
		node := &nodes[n]
		hull := *(*[rowLen]float32)(below[Children*rowLen*n:])
		for i := range Children {
			r := (*[rowLen]float32)(below[rowLen*(Children*n+i):])
			for k := range 3 {
				node[Children*k+i], node[Children*(3+k)+i] = r[k], r[rowHi+k]
			}
			joinRow(&hull, r)
		}
		*(*[rowLen]float32)(hulls[rowLen*n:]) = hull
	}
}

// joinRows is the join of the rows that are numbered.
func joinRows(rows []float32, numbers []int32) [rowLen]float32 {
	r := *(*[rowLen]float32)(rows[rowLen*int(numbers[0]):])
	for _, v := range numbers[1:] {
		joinRow(&r, (*[rowLen]float32)(rows[rowLen*int(v):]))
	}
	return r
}

// joinRow joins s to r. Of two zeros that of s stays.
func joinRow(r, s *[rowLen]float32) {
	for k, x := range s {
		r[k] = less32(r[k], x)
	}
}

// meetGeneric returns bit 8*i+j for each child i of a and j of b whose boxes overlap or touch: no
// gap is positive.
func meetGeneric(a, b *Node) (m uint64) {
	for i := range Children {
		m |= touchEight(a, i, b) << (Children * i)
	}
	return m
}

func meetLeavesGeneric(a, b *[Children]Node, of *Node, m uint64, sure, touching *[64]uint64) {
	for k := 0; m != 0; k++ {
		t := bits.TrailingZeros64(m)
		m &= m - 1
		x, y := &a[t/Children], &b[t%Children]
		sure[k], touching[k] = 0, 0
		for rows := touchEight(of, t%Children, x); rows != 0; rows &= rows - 1 {
			i := bits.TrailingZeros64(rows)
			touching[k] |= touchEight(x, i, y) << (Children * i)
		}
		for pairs := touching[k]; pairs != 0; pairs &= pairs - 1 {
			if bit := bits.TrailingZeros64(pairs); overlapping(x, bit/Children, y, bit%Children) {
				sure[k] |= 1 << bit
			}
		}
	}
}

// touchEight returns a bit for each child of b that overlaps or touches child i of a. It has no
// branches: whether boxes are apart is as good as random.
func touchEight(a *Node, i int, b *Node) (m uint64) {
	i &= Children - 1
	x0, y0, z0 := a[i], a[Children+i], a[2*Children+i]
	x1, y1, z1 := a[3*Children+i], a[4*Children+i], a[5*Children+i]
	for j := range Children {
		t := atMostZero(x0+b[3*Children+j]) & atMostZero(y0+b[4*Children+j]) & atMostZero(z0+b[5*Children+j]) &
			atMostZero(x1+b[j]) & atMostZero(y1+b[Children+j]) & atMostZero(z1+b[2*Children+j])
		m |= t >> 63 << j
	}
	return m
}

// atMostZero is a number whose highest bit is set if x, which is a number, is at most 0.
func atMostZero(x float32) uint64 { return uint64(int64(int32(math.Float32bits(x))) - 1) }

// overlapping reports whether all gaps between child i of a and child j of b are negative.
func overlapping(a *Node, i int, b *Node, j int) bool {
	for k := range 3 {
		lo, hi := Children*k, Children*(3+k)
		if a[lo+i]+b[hi+j] >= 0 || a[hi+i]+b[lo+j] >= 0 {
			return false
		}
	}
	return true
}

// meetMovingGeneric returns bit 8*i+j for each child i of a and j of b unless one gap between their
// boxes is positive at both ends.
func meetMovingGeneric(a0, a1, b0, b1 *Node) (m uint64) {
	for i := range Children {
		for j := range Children {
			if !apartAtBothEnds(a0, a1, i, b0, b1, j) {
				m |= 1 << (Children*i + j)
			}
		}
	}
	return m
}

func meetEndsGeneric(a0, a1, b0, b1 *[Children]Node, of0, of1 *Node, m uint64, touching *[64]uint64) {
	for k := 0; m != 0; k++ {
		t := bits.TrailingZeros64(m)
		m &= m - 1
		x, y := t/Children, t%Children
		touching[k] = 0
		for i := range Children {
			if apartAtBothEnds(&a0[x], &a1[x], i, of0, of1, y) {
				continue
			}
			for j := range Children {
				if !apartAtBothEnds(&a0[x], &a1[x], i, &b0[y], &b1[y], j) {
					touching[k] |= 1 << (Children*i + j)
				}
			}
		}
	}
}

// apartAtBothEnds reports whether a gap is positive at both ends.
func apartAtBothEnds(a0, a1 *Node, i int, b0, b1 *Node, j int) bool {
	i, j = i%Children, j%Children
	for k := range 3 {
		lo, hi := Children*k, Children*(3+k)
		if a0[lo+i]+b0[hi+j] > 0 && a1[lo+i]+b1[hi+j] > 0 || a0[hi+i]+b0[lo+j] > 0 && a1[hi+i]+b1[lo+j] > 0 {
			return true
		}
	}
	return false
}
