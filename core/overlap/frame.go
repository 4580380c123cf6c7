package overlap

import (
	"math"
	"math/big"

	"ccd/core/contain"
	"ccd/core/geom"
)

// frame is the common box of two solids: a point p is at (p - lo) 2^-exp in its coordinates, along
// the axes i, j, k in this order. k is the axis along which columns stand. The box is [0, size],
// and each size is more than 1/2 and at most 1.
type frame struct {
	lo   geom.Vec
	exp  [3]int
	axes [3]int
	size [3]float64
}

// frameOf returns the frame of a box, or false where it has no interior. Columns stand along the
// shortest side: there the triangles are least above each other.
func frameOf(lo, hi *geom.Vec) (f frame, ok bool) {
	k := 0
	var d geom.Vec
	for i := range d {
		if !(lo[i] < hi[i]) {
			return f, false
		}
		d[i] = math.Nextafter(hi[i]-lo[i], math.Inf(1))
		if d[i] < d[k] {
			k = i
		}
	}
	f.lo, f.axes = *lo, [3]int{(k + 1) % 3, (k + 2) % 3, k}
	for n, i := range f.axes {
		f.size[n], f.exp[n] = math.Frexp(d[i])
	}
	return f, true
}

// scale returns the power of two that a volume in the frame is multiplied with.
func (f *frame) scale() int { return f.exp[0] + f.exp[1] + f.exp[2] }

// local returns a point in the frame and, along each axis, a bound of its error.
func local[T number[T]](ar *arithmetic[T], f *frame, p *contain.Point) (q [3]T, off [3]float64) {
	var exact *contain.Rational
	if p.Err != 0 && p.Exact != nil && ar.unit < 0x1p-53 {
		exact = p.Exact()
	}
	for n, i := range f.axes {
		if exact != nil {
			x := new(big.Rat).Sub(exact[i], new(big.Rat).SetFloat64(f.lo[i]))
			q[n] = ar.read(x.Mul(x, powerOf2(-f.exp[n])))
		} else {
			q[n] = scaled(ar, ar.diff(p.At[i], f.lo[i]), -f.exp[n])
			off[n] = math.Ldexp(p.Err, -f.exp[n])
		}
		if ar.unit > 0 {
			off[n] += float64(ar.unit*math.Abs(q[n].float())) + tiny
		}
	}
	return q, off
}

// tiny is more than what underflow takes from a number of the frame.
const tiny = 0x1p-900

// scaled returns x 2^e. Halves of the exponent keep the factor within the doubles.
func scaled[T number[T]](ar *arithmetic[T], x T, e int) T {
	for e != 0 {
		part := max(-1000, min(1000, e))
		x = x.times(ar.of(math.Ldexp(1, part)))
		e -= part
	}
	return x
}

func powerOf2(e int) *big.Rat {
	x := new(big.Rat).SetInt64(1)
	n := new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e)))
	if e < 0 {
		return x.SetFrac(big.NewInt(1), n)
	}
	return x.SetInt(n)
}
