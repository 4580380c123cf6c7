package box

import "math/bits"

// Below writes a mask for each record of pairs of one list of numbers, eight for each block: bit
// 8*i+j says that number i of block A is below number j of block B.
//
//	for k, r := range records { for i, j in 0..7 {
//		bit 8*i+j of out[k] is ids[8*r.A+i] < ids[8*r.B+j]
//	} }
func Below(records []Record, ids []int32, out []uint64) {
	if len(records) > 0 {
		below(records, ids, out[:len(records)])
	}
}

func belowGeneric(records []Record, ids []int32, out []uint64) {
	for k, r := range records {
		a, b := (*[Children]int32)(ids[Children*int(r.A):]), (*[Children]int32)(ids[Children*int(r.B):])
		m := uint64(0)
		for i, x := range a {
			for j, y := range b {
				if x < y {
					m |= 1 << (Children*i + j)
				}
			}
		}
		out[k] = m
	}
}

// WriteRow writes the pairs of a row of bits, lowest first, until out is full, and returns how many
// it has written. Column i of the bits stands for number second[i].
//
//	for each bit 64*w+k, bit k of rows[w][row] {
//		out[n] = {first, second[64*w+k]}; n++
//	}
func WriteRow[T int32 | int64](rows [][64]uint64, row int, second []int32, first T, out [][2]T) int {
	if uint(row) >= 64 || len(second) < 64*len(rows) {
		panic("simd: the rows have other columns")
	}
	switch out := any(out).(type) {
	case [][2]int32:
		return writeRow(rows, row, second, int32(first), out)
	case [][2]int64:
		return writeRowWide(rows, row, second, int64(first), out)
	}
	return 0
}

func writeRowGeneric[T int32 | int64](rows [][64]uint64, row int, second []int32, first T, out [][2]T) (n int) {
	for w := range rows {
		b := (*[64]int32)(second[64*w:])
		for m := rows[w][row&63]; m != 0; m &= m - 1 {
			if n == len(out) {
				return n
			}
			out[n] = [2]T{first, T(b[bits.TrailingZeros64(m)&63])}
			n++
		}
	}
	return n
}
