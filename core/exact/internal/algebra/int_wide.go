package algebra

import (
	"math"
	"math/big"
	"math/bits"
	"unsafe"
)

// Int is an integer of any size: a sign and a magnitude, lowest word first, without leading zero
// words. The words lie in the Arena of the query; an Int is never changed once it is made.
type Int struct {
	neg bool
	Mag []uint64
}

// Arena holds the words of one query's integers. Nothing is freed one by one: reset starts the next
// query, and what a mark encloses can be given back early. After a few queries the storage has
// grown to what is needed.
//
// Size: the methods are the arithmetic of the integers, rationals and polynomials that the Arena
// allocates.
type Arena struct {
	Buf        []uint64
	used       int
	generation int
	x, y, z, r big.Int // These are scratch of long products and quotients.
}

// Mark is a state of an Arena, to which Release goes back.
type Mark struct{ used, generation int }

// Reset gives all storage back. What was made before must no longer be used.
func (a *Arena) Reset() { a.used = 0 }

// Mark returns the present state.
func (a *Arena) Mark() Mark { return Mark{a.used, a.generation} }

// Release gives back the storage that was taken since a mark.
func (a *Arena) Release(m Mark) {
	if m.generation == a.generation {
		a.used = m.used
	}
}

func (a *Arena) words(n int) []uint64 {
	if a.used+n > len(a.Buf) {
		a.Buf = make([]uint64, 2*len(a.Buf)+n+4096) // what lies in the old storage stays alive by its references
		a.used = 0
		a.generation++
	}
	w := a.Buf[a.used : a.used+n : a.used+n]
	a.used += n
	return w
}

// Sign returns -1, 0 or 1.
func (x Int) Sign() int {
	switch {
	case len(x.Mag) == 0:
		return 0
	case x.neg:
		return -1
	}
	return 1
}

func (x Int) negated() Int { return Int{!x.neg, x.Mag} }

func (x Int) bitLen() int {
	n := len(x.Mag)
	if n == 0 {
		return 0
	}
	return 64*n - bits.LeadingZeros64(x.Mag[n-1])
}

// frexp returns x as a fraction of magnitude in [0.5, 1), rounded, and a power of two; (0, 0) for
// zero.
func (x Int) frexp() (float64, int) {
	n := len(x.Mag)
	if n == 0 {
		return 0, 0
	}
	top := x.Mag[n-1]
	z := bits.LeadingZeros64(top)
	top <<= z
	if n > 1 && z > 0 {
		top |= x.Mag[n-2] >> (64 - z)
	}
	f := math.Ldexp(float64(top), -64)
	if x.neg {
		f = -f
	}
	return f, 64*n - z
}

func normalized(neg bool, w []uint64) Int {
	n := len(w)
	for n > 0 && w[n-1] == 0 {
		n--
	}
	return Int{neg, w[:n]}
}

// CompareMag compares two magnitudes: -1, 0 or 1.
func CompareMag(x, y []uint64) int {
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

// Word returns an integer of 64 bits with a sign.
func (a *Arena) Word(neg bool, m uint64) Int {
	w := a.words(1)
	w[0] = m
	return normalized(neg, w)
}

// Add returns x + y.
func (a *Arena) Add(x, y Int) Int {
	if len(x.Mag) == 0 {
		return y
	}
	if len(y.Mag) == 0 {
		return x
	}
	if x.neg == y.neg {
		if len(x.Mag) < len(y.Mag) {
			x, y = y, x
		}
		w := a.words(len(x.Mag) + 1)
		var c uint64
		for i, m := range y.Mag {
			w[i], c = bits.Add64(x.Mag[i], m, c)
		}
		for i := len(y.Mag); i < len(x.Mag); i++ {
			w[i], c = bits.Add64(x.Mag[i], 0, c)
		}
		w[len(x.Mag)] = c
		return normalized(x.neg, w)
	}
	switch CompareMag(x.Mag, y.Mag) {
	case 0:
		return Int{}
	case -1:
		x, y = y, x
	}
	w := a.words(len(x.Mag))
	var c uint64
	for i, m := range y.Mag {
		w[i], c = bits.Sub64(x.Mag[i], m, c)
	}
	for i := len(y.Mag); i < len(x.Mag); i++ {
		w[i], c = bits.Sub64(x.Mag[i], 0, c)
	}
	return normalized(x.neg, w)
}

// Sub returns x - y.
func (a *Arena) Sub(x, y Int) Int { return a.Add(x, y.negated()) }

func (a *Arena) mul(x, y Int) Int {
	if len(x.Mag) == 0 || len(y.Mag) == 0 {
		return Int{}
	}
	w := a.words(len(x.Mag) + len(y.Mag))
	if min(len(x.Mag), len(y.Mag)) >= longProduct && bits.UintSize == 64 {
		a.mulLong(x.Mag, y.Mag, w)
		return normalized(x.neg != y.neg, w)
	}
	clear(w)
	for i, m := range x.Mag {
		var carry uint64
		row := w[i : i+len(y.Mag)+1]
		for j, v := range y.Mag {
			h, l := bits.Mul64(m, v)
			var c uint64
			l, c = bits.Add64(l, carry, 0)
			h += c
			row[j], c = bits.Add64(row[j], l, 0)
			carry = h + c
		}
		row[len(y.Mag)] = carry
	}
	return normalized(x.neg != y.neg, w)
}

// longProduct is how many words both factors have at least for math/big, whose inner loops are
// assembly and which knows faster methods for many words, to be worth its preparations: the two
// took as long at 6 to 8 words.
const longProduct = 8

// mulLong writes x y to w, as many words as both have together, by math/big in the memory of w. Its
// words must have 64 bits.
func (a *Arena) mulLong(x, y, w []uint64) {
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

// bigWords returns the same words as math/big sees them, where its words have 64 bits.
func bigWords(s []uint64) []big.Word {
	return unsafe.Slice((*big.Word)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// toBig sets z to the magnitude of x, in memory of the Arena.
func (a *Arena) toBig(x Int, z *big.Int) {
	w := bigWords(a.words(len(x.Mag)))
	if bits.UintSize == 64 {
		copy(w, bigWords(x.Mag))
		z.SetBits(w)
		return
	}
	w = make([]big.Word, 0, 2*len(x.Mag))
	for _, m := range x.Mag {
		w = append(w, big.Word(m), big.Word(m>>32))
	}
	z.SetBits(w)
}

// quo returns the quotient of two magnitudes, rounded down.
func (a *Arena) quo(x, y Int) Int {
	a.toBig(x, &a.x)
	a.toBig(y, &a.y)
	if bits.UintSize == 64 {
		a.z.SetBits(bigWords(a.words(len(x.Mag) + 1))[:0])
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

// times returns m x for a small positive m.
func (a *Arena) times(m uint64, x Int) Int { return a.mul(x, a.Word(false, m)) }

// Shl returns x 2^k.
func (a *Arena) Shl(x Int, k uint) Int {
	if len(x.Mag) == 0 || k == 0 {
		return x
	}
	n, b := int(k>>6), k&63
	w := a.words(len(x.Mag) + n + 1)
	clear(w[:n])
	var low uint64
	for i, m := range x.Mag {
		w[n+i] = m<<b | low
		low = m >> 1 >> (63 - b)
	}
	w[n+len(x.Mag)] = low
	return normalized(x.neg, w)
}

// shr returns the magnitude of x / 2^k, rounded down.
func (a *Arena) shr(x Int, k uint) Int {
	n, b := int(k>>6), k&63
	if n >= len(x.Mag) {
		return Int{}
	}
	w := a.words(len(x.Mag) - n)
	for i := range w {
		w[i] = x.Mag[n+i] >> b
		if n+i+1 < len(x.Mag) {
			w[i] |= x.Mag[n+i+1] << 1 << (63 - b)
		}
	}
	return normalized(x.neg, w)
}
