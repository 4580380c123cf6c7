package simd

// Blocks of boxes. A block is the boxes of eight primitives at both ends of a motion, in twelve rows of eight floats: lo of
// the three axes at the start, at the end, then hi likewise. A lane that is not used holds lo = +Inf, hi = -Inf. Two boxes
// are apart when on one axis the one lies above the other at both ends, and so, moving linearly, at all times between.
const (
	BlockLanes = 8
	BlockLen   = 12 * BlockLanes
)

// JoinBlocks fills blocks of boxes from the records of vertices (see Kinetic): lane i of block b is the primitive of the
// width vertices ids[8*width*b+i], ids[8*width*b+8+i], ... A first vertex of -1 marks a lane that is not used.
//
//	for every lane {
//		r := the minimum of the vertices' records, float by float
//		lo rows are r[0:6], hi rows are -r[6:12]
//	}
func JoinBlocks(rec []float32, ids []int32, width int, blocks []float32) {
	n := len(ids) / (BlockLanes * width)
	if n == 0 {
		return
	}
	blocks = blocks[:n*BlockLen]
	switch width {
	case 1:
		joinBlocksV(rec, ids, blocks)
	case 2:
		joinBlocksE(rec, ids, blocks)
	default:
		joinBlocksF(rec, ids, blocks)
	}
}

// Cross is a list of primitives, in blocks, and the box of them all: what CrossVF and CrossEE compare.
type Cross struct {
	Boxes []float32   // BlockLen a block
	IDs   []int32     // their vertices, as in JoinBlocks: 8, 16 or 24 a block
	Hull  [12]float32 // one box around all: the rows of a block
	First int32       // number of the first lane
}

// CrossVF finds the pairs of a vertex of a and a face of b whose boxes are not apart and that share no vertex. It writes
// the query {v, f0, f1, f2} of each to idx and the numbers of its two lanes to lanes, and returns how many there are. idx
// and lanes must hold all pairs: 64 for every block of a and block of b.
//
//	for every group of blocks of b {
//		for i in lanes of a, if a's box i and b.Hull are not apart {
//			for j in lanes of the group, if the boxes i and j are not apart and no vertex is in both { emit }
//		}
//	}
//
// A group is two blocks with AVX-512 (the last may be one), and all of them at the other levels: the pairs are the same, their order is not.
// A box that is apart from the other list's hull must be apart from all its boxes.
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

// crossInWords reports whether half a word numbers the lanes of both lists, as the kernel for 512 bits does.
func crossInWords(a, b *Cross) bool { return a.lanes() <= 1<<16 && b.lanes() <= 1<<16 }

func (c *Cross) lanes() int { return len(c.Boxes) / BlockLen * BlockLanes }
