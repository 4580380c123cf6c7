package exact

import (
	"math"
	"math/big"
	"math/bits"
	"unsafe"
)

// wint is an integer of any size: a sign and a magnitude, lowest word first, without leading zero words. The words lie in
// the arena of the query; a wint is never changed once it is made.
type wint struct {
	neg bool
	mag []uint64
}

// arena holds the words of one query's integers. Nothing is freed one by one: reset starts the next query, and what a
// mark encloses can be given back early. After a few queries the storage has grown to what is needed.
//
// Size: the methods are the arithmetic of the integers, rationals and polynomials that the arena allocates.
type arena struct {
	buf        []uint64
	used       int
	generation int
	x, y, z, r big.Int // of long products and quotients
}

type mark struct{ used, generation int }

func (a *arena) reset()     { a.used = 0 }
func (a *arena) mark() mark { return mark{a.used, a.generation} }

func (a *arena) release(m mark) {
	if m.generation == a.generation {
		a.used = m.used
	}
}

func (a *arena) words(n int) []uint64 {
	if a.used+n > len(a.buf) {
		a.buf = make([]uint64, 2*len(a.buf)+n+4096) // what lies in the old storage stays alive by its references
		a.used = 0
		a.generation++
	}
	w := a.buf[a.used : a.used+n : a.used+n]
	a.used += n
	return w
}

func (x wint) sign() int {
	switch {
	case len(x.mag) == 0:
		return 0
	case x.neg:
		return -1
	}
	return 1
}

func (x wint) negated() wint { return wint{!x.neg, x.mag} }

func (x wint) bitLen() int {
	n := len(x.mag)
	if n == 0 {
		return 0
	}
	return 64*n - bits.LeadingZeros64(x.mag[n-1])
}

// frexp is x as a fraction of magnitude in [0.5, 1), rounded, and a power of two; (0, 0) for zero.
func (x wint) frexp() (float64, int) {
	n := len(x.mag)
	if n == 0 {
		return 0, 0
	}
	top := x.mag[n-1]
	z := bits.LeadingZeros64(top)
	top <<= z
	if n > 1 && z > 0 {
		top |= x.mag[n-2] >> (64 - z)
	}
	f := math.Ldexp(float64(top), -64)
	if x.neg {
		f = -f
	}
	return f, 64*n - z
}

func normalized(neg bool, w []uint64) wint {
	n := len(w)
	for n > 0 && w[n-1] == 0 {
		n--
	}
	return wint{neg, w[:n]}
}

func compareMag(x, y []uint64) int {
	if len(x) != len(y) {
		if len(x) < len(y) {
			return -1
		}
		return 1
	}
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			if x[i] < y[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

func (a *arena) word(neg bool, m uint64) wint {
	w := a.words(1)
	w[0] = m
	return normalized(neg, w)
}

func (a *arena) add(x, y wint) wint {
	if len(x.mag) == 0 {
		return y
	}
	if len(y.mag) == 0 {
		return x
	}
	if x.neg == y.neg {
		if len(x.mag) < len(y.mag) {
			x, y = y, x
		}
		w := a.words(len(x.mag) + 1)
		var c uint64
		for i, m := range y.mag {
			w[i], c = bits.Add64(x.mag[i], m, c)
		}
		for i := len(y.mag); i < len(x.mag); i++ {
			w[i], c = bits.Add64(x.mag[i], 0, c)
		}
		w[len(x.mag)] = c
		return normalized(x.neg, w)
	}
	switch compareMag(x.mag, y.mag) {
	case 0:
		return wint{}
	case -1:
		x, y = y, x
	}
	w := a.words(len(x.mag))
	var c uint64
	for i, m := range y.mag {
		w[i], c = bits.Sub64(x.mag[i], m, c)
	}
	for i := len(y.mag); i < len(x.mag); i++ {
		w[i], c = bits.Sub64(x.mag[i], 0, c)
	}
	return normalized(x.neg, w)
}

func (a *arena) sub(x, y wint) wint { return a.add(x, y.negated()) }

func (a *arena) mul(x, y wint) wint {
	if len(x.mag) == 0 || len(y.mag) == 0 {
		return wint{}
	}
	w := a.words(len(x.mag) + len(y.mag))
	if min(len(x.mag), len(y.mag)) >= longProduct && bits.UintSize == 64 {
		a.mulLong(x.mag, y.mag, w)
		return normalized(x.neg != y.neg, w)
	}
	clear(w)
	for i, m := range x.mag {
		var carry uint64
		row := w[i : i+len(y.mag)+1]
		for j, v := range y.mag {
			h, l := bits.Mul64(m, v)
			var c uint64
			l, c = bits.Add64(l, carry, 0)
			h += c
			row[j], c = bits.Add64(row[j], l, 0)
			carry = h + c
		}
		row[len(y.mag)] = carry
	}
	return normalized(x.neg != y.neg, w)
}

// longProduct is how many words both factors have at least for math/big, whose inner loops are assembly and which knows faster
// methods for many words, to be worth its preparations: the two took as long at 6 to 8 words.
const longProduct = 8

// mulLong writes x y to w, as many words as both have together, by math/big in the memory of w. Its words must have 64 bits.
func (a *arena) mulLong(x, y, w []uint64) {
	of := func(s []uint64) []big.Word {
		return unsafe.Slice((*big.Word)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
	}
	a.x.SetBits(of(x))
	a.y.SetBits(of(y))
	out := of(w)
	got := a.z.SetBits(out[:0:len(out)]).Mul(&a.x, &a.y).Bits()
	if len(got) > 0 && &got[0] != &out[0] { // math/big may choose other memory
		copy(out, got)
	}
	clear(out[len(got):])
}

// bigWords are the same words as math/big sees them, where its words have 64 bits.
func bigWords(s []uint64) []big.Word {
	return unsafe.Slice((*big.Word)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// toBig sets z to the magnitude of x, in memory of the arena.
func (a *arena) toBig(x wint, z *big.Int) {
	w := bigWords(a.words(len(x.mag)))
	if bits.UintSize == 64 {
		copy(w, bigWords(x.mag))
		z.SetBits(w)
		return
	}
	w = make([]big.Word, 0, 2*len(x.mag))
	for _, m := range x.mag {
		w = append(w, big.Word(m), big.Word(m>>32))
	}
	z.SetBits(w)
}

// quo is the quotient of two magnitudes, rounded down.
func (a *arena) quo(x, y wint) wint {
	a.toBig(x, &a.x)
	a.toBig(y, &a.y)
	if bits.UintSize == 64 {
		a.z.SetBits(bigWords(a.words(len(x.mag) + 1))[:0])
	}
	q, _ := a.z.QuoRem(&a.x, &a.y, &a.r)
	words := q.Bits()
	w := a.words(len(words))
	clear(w)
	for i, m := range words {
		if bits.UintSize == 64 {
			w[i] = uint64(m)
		} else {
			w[i/2] |= uint64(m) << (32 * (i % 2))
		}
	}
	return normalized(false, w)
}

// times is m x for a small positive m.
func (a *arena) times(m uint64, x wint) wint { return a.mul(x, a.word(false, m)) }

// shl is x 2^k.
func (a *arena) shl(x wint, k uint) wint {
	if len(x.mag) == 0 || k == 0 {
		return x
	}
	n, b := int(k>>6), k&63
	w := a.words(len(x.mag) + n + 1)
	clear(w[:n])
	var low uint64
	for i, m := range x.mag {
		w[n+i] = m<<b | low
		low = m >> 1 >> (63 - b)
	}
	w[n+len(x.mag)] = low
	return normalized(x.neg, w)
}

// shr is the magnitude of x / 2^k, rounded down.
func (a *arena) shr(x wint, k uint) wint {
	n, b := int(k>>6), k&63
	if n >= len(x.mag) {
		return wint{}
	}
	w := a.words(len(x.mag) - n)
	for i := range w {
		w[i] = x.mag[n+i] >> b
		if n+i+1 < len(x.mag) {
			w[i] |= x.mag[n+i+1] << 1 << (63 - b)
		}
	}
	return normalized(x.neg, w)
}
