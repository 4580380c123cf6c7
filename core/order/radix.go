package order

import "unsafe"

// Radix sorts by keys of 32 bits: numbers that are such keys, or numbers of 64 bits with the key above and whatever belongs to
// it below. It keeps its scratch memory between calls.
type Radix[T uint32 | uint64] struct {
	spare []T
	count [passes][1 << digit]int32
}

const (
	digit  = 9 // bits of a pass
	passes = (32 + digit - 1) / digit
)

// Sort sorts by keys below 2^bits and returns the sorted list: in place of list or in scratch memory, which the next call
// overwrites. Elements with equal keys keep their order. There are fewer than 2^31 of them.
func (r *Radix[T]) Sort(list []T, bits int) []T {
	if len(list) < 2 {
		return list
	}
	const mask = 1<<digit - 1
	shift := 8*unsafe.Sizeof(T(0)) - 32
	clear(r.count[:])
	for _, x := range list {
		k := uint32(x >> shift)
		r.count[0][k&mask]++
		r.count[1][k>>digit&mask]++
		r.count[2][k>>(2*digit)&mask]++
		r.count[3][k>>(3*digit)]++
	}
	if cap(r.spare) < len(list) {
		r.spare = make([]T, len(list)+len(list)/4)
	}
	from, to := list, r.spare[:len(list)]
	for i := 0; digit*i < bits; i++ {
		at := digit*i + int(shift)
		c := &r.count[i]
		if int(c[list[0]>>at&mask]) == len(list) {
			continue // all share this digit
		}
		sum := int32(0)
		for d, n := range c {
			c[d] = sum
			sum += n
		}
		for _, x := range from {
			next := &c[x>>(at&63)&mask]
			to[*next] = x
			*next++
		}
		from, to = to, from
	}
	return from
}

// Bytes returns the size of the scratch memory for elements.
func (r *Radix[T]) Bytes() int { return cap(r.spare) * int(unsafe.Sizeof(T(0))) }
