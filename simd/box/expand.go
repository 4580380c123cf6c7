package box

import "math/bits"

// A Record has the pairs of two blocks of eight primitives: bit 8*i+j of the mask is primitive i of
// block A with primitive j of block B.
type Record struct {
	A, B int32
	Mask uint64
}

// recordRoom is how much room for pairs a record needs: for all of its own, and one row more, which
// kernels may overwrite.
const recordRoom = Children*Children + Children

// Expand writes the pairs of records to out while there is room for 72 more, and returns how many
// records it has read and how many pairs it has written. a and b hold the numbers of the primitives
// of the blocks, eight each. With sort the smaller number of a pair comes first.
//
//	for each record r, for each bit 8*i+j of r.Mask, lowest first {
//		out[n] = {a[8*r.A+i], b[8*r.B+j]}; n++
//	}
func Expand(records []Record, a, b []int32, sort bool, out [][2]int32) (read, n int) {
	if len(records) == 0 || len(out) < recordRoom {
		return 0, 0
	}
	return expand(sort, records, a, b, out)
}

func expandGeneric(records []Record, a, b []int32, sort bool, out [][2]int32) (read, n int) {
	for read < len(records) && n+recordRoom <= len(out) {
		r := &records[read]
		first, second := (*[Children]int32)(a[Children*int(r.A):]), (*[Children]int32)(b[Children*int(r.B):])
		for m := r.Mask; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros64(m)
			x, y := first[bit/Children], second[bit%Children]
			if sort && y < x {
				x, y = y, x
			}
			out[n] = [2]int32{x, y}
			n++
		}
		read++
	}
	return read, n
}
