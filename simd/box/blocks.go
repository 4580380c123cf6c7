package box

import "math"

// Blocks of boxes. A block is the boxes of eight primitives at both ends of a motion, in twelve
// rows of eight floats: lo of the three axes at the start, at the end, then hi likewise. A lane
// that is not used holds lo = +Inf, hi = -Inf. Two boxes are apart when on one axis the one lies
// above the other at both ends, and so, moving linearly, at all times between.
const (
	BlockLanes = 8
	BlockLen   = 12 * BlockLanes
)

// JoinBlocks fills blocks of boxes from the records of vertices (see Kinetic): lane i of block b is
// the primitive of the width vertices ids[8*width*b+i], ids[8*width*b+8+i], ... A first vertex of
// -1 marks a lane that is not used.
//
//	for every lane {
//		r := the minimum of the vertices' records, float by float
//		lo rows are r[0:6], hi rows are -r[6:12]
//	}
func JoinBlocks(rec []float32, ids []int32, width int, blocks []float32) {
	if n := len(ids) / (BlockLanes * width); n > 0 {
		joinBlocks(width, rec, ids, blocks[:n*BlockLen])
	}
}

// Cross is a list of primitives, in blocks, and the box of them all: what CrossVF and CrossEE
// compare.
type Cross struct {
	Boxes []float32   // BlockLen a block
	IDs   []int32     // their vertices, as in JoinBlocks: 8, 16 or 24 a block
	Hull  [12]float32 // one box around all: the rows of a block
	First int32       // number of the first lane
}

// CrossVF finds the pairs of a vertex of a and a face of b whose boxes are not apart and that share
// no vertex. It writes the query {v, f0, f1, f2} of each to idx and the numbers of its two lanes to
// lanes, and returns how many there are. idx and lanes must hold all pairs: 64 for every block of a
// and block of b.
//
//	for every group of blocks of b {
//		for i in lanes of a, if a's box i and b.Hull are not apart {
//			for j in lanes of the group {
//				if the boxes i and j are not apart and no vertex is in both { emit }
//			}
//		}
//	}
//
// A group is two blocks with AVX-512 (the last may be one), and all of them at the other levels:
// the pairs are the same, their order is not. A box that is apart from the other list's hull must
// be apart from all its boxes.
func CrossVF(a, b *Cross, idx [][4]int32, lanes [][2]int32) int {
	if crossEmpty(a, b, len(idx), len(lanes)) {
		return 0
	}
	return crossVF(a, b, idx, lanes)
}

// CrossEE is CrossVF for an edge of a and an edge of b; the query is {a0, a1, b0, b1}.
func CrossEE(a, b *Cross, idx [][4]int32, lanes [][2]int32) int {
	if crossEmpty(a, b, len(idx), len(lanes)) {
		return 0
	}
	return crossEE(a, b, idx, lanes)
}

// crossEmpty reports whether there are no pairs; it panics where the output cannot hold all.
func crossEmpty(a, b *Cross, idx, lanes int) bool {
	pairs := a.lanes() * b.lanes()
	if idx < pairs || lanes < pairs {
		panic("simd: the output of a Cross cannot hold all pairs")
	}
	return pairs == 0
}

// crossInWords reports whether half a word numbers the lanes of both lists, as the kernel for 512
// bits does.
func crossInWords(a, b *Cross) bool { return a.lanes() <= 1<<16 && b.lanes() <= 1<<16 }

func (c *Cross) lanes() int { return len(c.Boxes) / BlockLen * BlockLanes }

func joinBlocksGeneric(rec []float32, ids []int32, width int, blocks []float32) {
	inf := float32(math.Inf(1))
	for b := range len(blocks) / BlockLen {
		id, out := ids[BlockLanes*width*b:], (*[BlockLen]float32)(blocks[BlockLen*b:])
		for i := range BlockLanes {
			if id[i] < 0 {
				for k := range 6 {
					out[BlockLanes*k+i], out[BlockLanes*(6+k)+i] = inf, -inf
				}
				continue
			}
			r := *(*[12]float32)(rec[16*int(id[i]):])
			for w := 1; w < width; w++ {
				s := (*[12]float32)(rec[16*int(id[BlockLanes*w+i]):])
				for k, x := range s {
					if x < r[k] {
						r[k] = x
					}
				}
			}
			for k := range 6 {
				out[BlockLanes*k+i], out[BlockLanes*(6+k)+i] = r[k], -r[6+k]
			}
		}
	}
}

// meetBlocksGeneric compares every box of the block a with those of b: bit j of masks[i] is set
// when box i of a and box j of b are not apart.
func meetBlocksGeneric(a, b *[BlockLen]float32, masks *[BlockLanes]uint8) {
	for i := range masks {
		q := column(a, i)
		masks[i] = meet(&q, b)
	}
}

// crossGeneric compares so many blocks of b at a time as group says.
func crossGeneric(a, b *Cross, wa, wb, group int, idx [][4]int32, lanes [][2]int32) int {
	n := 0
	for from := 0; from < len(b.Boxes); from += group * BlockLen {
		to := min(from+group*BlockLen, len(b.Boxes))
		for x := 0; x < len(a.Boxes); x += BlockLen {
			near := meet(&b.Hull, (*[BlockLen]float32)(a.Boxes[x:]))
			for i := range BlockLanes {
				if near>>i&1 != 0 {
					n += crossLane(a, b, x/BlockLen*BlockLanes+i, from, to, wa, wb, idx[n:], lanes[n:])
				}
			}
		}
	}
	return n
}

// crossLane compares lane i of a with the blocks of b whose boxes begin at from and end at to.
func crossLane(a, b *Cross, i, from, to, wa, wb int, idx [][4]int32, lanes [][2]int32) (n int) {
	q := column((*[BlockLen]float32)(a.Boxes[i/BlockLanes*BlockLen:]), i%BlockLanes)
	va := a.IDs[i/BlockLanes*BlockLanes*wa+i%BlockLanes:]
	for y := from; y < to; y += BlockLen {
		m := meet(&q, (*[BlockLen]float32)(b.Boxes[y:]))
		for j := range BlockLanes {
			vb := b.IDs[y/BlockLen*BlockLanes*wb+j:]
			if m>>j&1 == 0 || shares(va, vb, wa, wb) {
				continue
			}
			for k := range wa {
				idx[n][k] = va[BlockLanes*k]
			}
			for k := range wb {
				idx[n][wa+k] = vb[BlockLanes*k]
			}
			lanes[n] = [2]int32{a.First + int32(i), b.First + int32(y/BlockLen*BlockLanes+j)}
			n++
		}
	}
	return n
}

// shares reports whether two primitives have a vertex in common.
func shares(a, b []int32, wa, wb int) bool {
	for i := range wa {
		for j := range wb {
			if a[BlockLanes*i] == b[BlockLanes*j] {
				return true
			}
		}
	}
	return false
}

// column is box i of a block.
func column(b *[BlockLen]float32, i int) (q [12]float32) {
	for k := range q {
		q[k] = b[BlockLanes*k+i]
	}
	return q
}

// meet returns a bit for every box of b that is not apart from q.
func meet(q *[12]float32, b *[BlockLen]float32) (mask uint8) {
	for j := range BlockLanes {
		apart := false
		for k := range 3 {
			lo0, lo1 := b[BlockLanes*k+j], b[BlockLanes*(3+k)+j]
			hi0, hi1 := b[BlockLanes*(6+k)+j], b[BlockLanes*(9+k)+j]
			apart = apart || lo0 > q[6+k] && lo1 > q[9+k] || q[k] > hi0 && q[3+k] > hi1
		}
		if !apart {
			mask |= 1 << j
		}
	}
	return mask
}
