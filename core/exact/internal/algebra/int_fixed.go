package algebra

import (
	"math"
	"math/bits"
)

// Integers of fixed width in two's complement. Nothing here checks for overflow: fixed.go bounds
// every magnitude.

// Int128 holds magnitudes below 2^127.
type Int128 struct {
	Hi int64
	Lo uint64
}

// Int128Of returns an integer of 64 bits.
func Int128Of(x int64) Int128 { return Int128{x >> 63, uint64(x)} }

// Mul64 returns a b.
func Mul64(a, b int64) Int128 {
	h, l := bits.Mul64(uint64(a), uint64(b))
	return Int128{int64(h) - (a>>63)&b - (b>>63)&a, l}
}

// Add returns x + y.
func (x Int128) Add(y Int128) Int128 {
	l, c := bits.Add64(x.Lo, y.Lo, 0)
	h, _ := bits.Add64(uint64(x.Hi), uint64(y.Hi), c)
	return Int128{int64(h), l}
}

// Sub returns x - y.
func (x Int128) Sub(y Int128) Int128 {
	l, c := bits.Sub64(x.Lo, y.Lo, 0)
	h, _ := bits.Sub64(uint64(x.Hi), uint64(y.Hi), c)
	return Int128{int64(h), l}
}

// Sign returns -1, 0 or 1.
func (x Int128) Sign() int {
	switch {
	case x.Hi < 0:
		return -1
	case x.Hi == 0 && x.Lo == 0:
		return 0
	}
	return 1
}

// Wide returns x with more bits.
func (x Int128) Wide() Int192 { return Int192{x.Lo, uint64(x.Hi), uint64(x.Hi >> 63)} }

// Float returns x to within 2 u |x|.
func (x Int128) Float() float64 {
	if x.Hi < 0 {
		x = Int128{}.Sub(x)
		return -(float64(float64(uint64(x.Hi))*0x1p64) + float64(x.Lo))
	}
	return float64(float64(uint64(x.Hi))*0x1p64) + float64(x.Lo)
}

// Int192 holds magnitudes below 2^191, lowest word first.
type Int192 [3]uint64

// AddMul adds n a.
func (x *Int192) AddMul(n Int128, a int64) {
	sign := uint64(n.Hi >> 63)
	m := uint64(a)
	if a < 0 {
		m = -m
	}
	h0, l0 := bits.Mul64(n.Lo, m)
	h1, l1 := bits.Mul64(uint64(n.Hi), m)
	l2 := sign * m
	var c uint64
	l1, c = bits.Add64(l1, h0, 0)
	l2, _ = bits.Add64(l2, h1, c)
	if a < 0 {
		x[0], c = bits.Sub64(x[0], l0, 0)
		x[1], c = bits.Sub64(x[1], l1, c)
		x[2], _ = bits.Sub64(x[2], l2, c)
		return
	}
	x[0], c = bits.Add64(x[0], l0, 0)
	x[1], c = bits.Add64(x[1], l1, c)
	x[2], _ = bits.Add64(x[2], l2, c)
}

// Sign returns -1, 0 or 1.
func (x *Int192) Sign() int {
	switch {
	case int64(x[2]) < 0:
		return -1
	case x[0]|x[1]|x[2] == 0:
		return 0
	}
	return 1
}

// Sub returns x - y.
func (x Int192) Sub(y Int192) (r Int192) {
	var c uint64
	r[0], c = bits.Sub64(x[0], y[0], 0)
	r[1], c = bits.Sub64(x[1], y[1], c)
	r[2], _ = bits.Sub64(x[2], y[2], c)
	return r
}

// Add returns x + y.
func (x Int192) Add(y Int192) (r Int192) {
	var c uint64
	r[0], c = bits.Add64(x[0], y[0], 0)
	r[1], c = bits.Add64(x[1], y[1], c)
	r[2], _ = bits.Add64(x[2], y[2], c)
	return r
}

// Times returns x m, modulo 2^192.
func (x Int192) Times(m uint64) (r Int192) {
	h0, l0 := bits.Mul64(x[0], m)
	h1, l1 := bits.Mul64(x[1], m)
	var c uint64
	r[0] = l0
	r[1], c = bits.Add64(l1, h0, 0)
	r[2], _ = bits.Add64(x[2]*m, h1, c)
	return r
}

// Float returns x to within 3 u |x|.
func (x Int192) Float() float64 {
	sign := 1.0
	if int64(x[2]) < 0 {
		x = Int192{}.Sub(x)
		sign = -1
	}
	return sign * (float64((float64(float64(x[2])*0x1p64)+float64(x[1]))*0x1p64) + float64(x[0]))
}

// Int256 holds magnitudes below 2^255, lowest word first.
type Int256 [4]uint64

// AddMul adds a b 2^(64 at).
func (x *Int256) AddMul(at int, a, b uint64) {
	h, l := bits.Mul64(a, b)
	var c uint64
	x[at], c = bits.Add64(x[at], l, 0)
	x[at+1], c = bits.Add64(x[at+1], h, c)
	for i := at + 2; i < len(x); i++ {
		x[i], c = bits.Add64(x[i], 0, c)
	}
}

// Negate changes the sign.
func (x *Int256) Negate() {
	c := uint64(0)
	for i := range x {
		x[i], c = bits.Sub64(0, x[i], c)
	}
}

// Shl2 multiplies by four.
func (x *Int256) Shl2() {
	for i := len(x) - 1; i > 0; i-- {
		x[i] = x[i]<<2 | x[i-1]>>62
	}
	x[0] <<= 2
}

// Int512 holds magnitudes below 2^511, lowest word first.
type Int512 [8]uint64

// Extend returns x with more bits.
func (x Int192) Extend() Int512 {
	s := uint64(int64(x[2]) >> 63)
	return Int512{x[0], x[1], x[2], s, s, s, s, s}
}

// Mul multiplies by m, modulo 2^512, which is right for negative numbers too.
func (x *Int512) Mul(m uint64) {
	var carry, c uint64
	for i := range x {
		h, l := bits.Mul64(x[i], m)
		x[i], c = bits.Add64(l, carry, 0)
		carry = h + c
	}
}

// AddShl adds y 2^k, k < 448.
func (x *Int512) AddShl(y *Int192, k uint) {
	s := uint64(int64(y[2]) >> 63)
	w, b := int(k>>6), k&63
	v := [4]uint64{y[0] << b, y[1]<<b | y[0]>>1>>(63-b), y[2]<<b | y[1]>>1>>(63-b), s<<b | y[2]>>1>>(63-b)}
	var c uint64
	for i := w; i < 8; i++ {
		m := s
		if i-w < 4 {
			m = v[i-w]
		}
		x[i], c = bits.Add64(x[i], m, c)
	}
}

// Sign returns -1, 0 or 1.
func (x *Int512) Sign() int {
	if int64(x[7]) < 0 {
		return -1
	}
	for _, m := range x {
		if m != 0 {
			return 1
		}
	}
	return 0
}

// Scaled64 writes the doubles x, times a common power of two, to m; false when they do not fit 60
// bits and a sign.
func Scaled64(x *[8]float64, m *[8]int64) bool {
	least, most := math.MaxInt32, math.MinInt32
	var e [8]int
	for i, y := range x {
		b := math.Float64bits(y)
		e[i] = int(b>>52) & 0x7ff
		f := b & (1<<52 - 1)
		if e[i] == 0 {
			e[i] = 1
		} else {
			f |= 1 << 52
		}
		m[i] = int64(f)
		if f == 0 {
			continue
		}
		most = max(most, e[i]+bits.Len64(f))
		z := bits.TrailingZeros64(f)
		least = min(least, e[i]+z)
	}
	if most-least > 60 {
		return false
	}
	for i, y := range x {
		if m[i] == 0 {
			continue
		}
		if d := e[i] - least; d >= 0 {
			m[i] <<= d
		} else {
			m[i] >>= -d // exact: the zeros that are lost were counted
		}
		if y < 0 {
			m[i] = -m[i]
		}
	}
	return true
}
