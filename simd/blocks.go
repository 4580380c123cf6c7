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
	if level == generic {
		joinBlocksGeneric(rec, ids, width, blocks)
		return
	}
	switch width {
	case 1:
		joinBlocks1(rec, ids, blocks)
	case 2:
		joinBlocks2(rec, ids, blocks)
	default:
		joinBlocks3(rec, ids, blocks)
	}
}

// MeetBlocks compares every box of the block a with those of b: bit j of masks[i] is set when box i of a and box j of b are
// not apart.
func MeetBlocks(a, b *[BlockLen]float32, masks *[BlockLanes]uint8) {
	if level == generic {
		meetBlocksGeneric(a, b, masks)
		return
	}
	meetBlocks(a, b, masks)
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
	switch crossLevel(a, b, len(idx), len(lanes)) {
	case nothing:
		return 0
	case generic:
		return crossGeneric(a, b, 1, 3, len(b.Boxes)/BlockLen, idx, lanes)
	case avx512:
		return crossVF512(address(a), address(b), idx, lanes)
	}
	return crossVF256(address(a), address(b), idx, lanes)
}

// CrossEE is CrossVF for an edge of a and an edge of b; the query is {a0, a1, b0, b1}.
func CrossEE(a, b *Cross, idx [][4]int32, lanes [][2]int32) int {
	switch crossLevel(a, b, len(idx), len(lanes)) {
	case nothing:
		return 0
	case generic:
		return crossGeneric(a, b, 2, 2, len(b.Boxes)/BlockLen, idx, lanes)
	case avx512:
		return crossEE512(address(a), address(b), idx, lanes)
	}
	return crossEE256(address(a), address(b), idx, lanes)
}

// nothing is the level for empty lists.
const nothing = -1

// crossLevel returns the level for two lists; it panics where the output cannot hold all pairs.
func crossLevel(a, b *Cross, idx, lanes int) int {
	const words = 1 << 16 // lanes that the kernel for 512 bits can number: half a word each
	na, nb := len(a.Boxes)/BlockLen*BlockLanes, len(b.Boxes)/BlockLen*BlockLanes
	switch {
	case idx < na*nb || lanes < na*nb:
		panic("simd: the output of a Cross cannot hold all pairs")
	case na == 0 || nb == 0:
		return nothing
	case level == avx512 && (na > words || nb > words):
		return avx2
	}
	return level
}
