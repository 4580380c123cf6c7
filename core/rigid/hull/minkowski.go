package hull

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// Differences is the set of the differences a - b of two convex bodies at one time, by the corners
// of both: the bodies share a point if and only if it holds 0, and they must move at least as far
// as 0 is from its border to part.
type Differences struct {
	A, B []r3.Vec
	p    []r3.Vec // some of its corners, which span an inner hull
	from [][2]int // the corners of both that they are differences of
}

// depthMost is how many corners are added to the inner hull at most.
const depthMost = 200

// Depth is how deep 0 is in the differences: in [Lo, Hi]. Lo is below 0 where 0 is outside.
type Depth struct {
	Lo, Hi float64
	N      r3.Vec // unit: along it the bodies overlap by Hi at most
	E, F   r3.Vec // if of two edges N is across: these, of a and b; else 0
}

// farthest adds the farthest corner along a direction, unless it is known, and returns how far it
// is.
func (d *Differences) farthest(n r3.Vec) (far float64, added bool) {
	i, j := 0, 0
	most, least := math.Inf(-1), math.Inf(1)
	for k, x := range d.A {
		if v := geom.Dot(n, x); v > most {
			i, most = k, v
		}
	}
	for k, y := range d.B {
		if v := geom.Dot(n, y); v < least {
			j, least = k, v
		}
	}
	if slices.Contains(d.from, [2]int{i, j}) {
		return most - least, false
	}
	d.p, d.from = append(d.p, r3.Sub(d.A[i], d.B[j])), append(d.from, [2]int{i, j})
	return most - least, true
}

// Measure returns the depth to within enough, or what suffices to compare it with a limit.
//
// It is the expanding polytope algorithm [vandenBergen2001] on hulls with exact signs: 0 is as deep
// in the hull of some corners as the least distance of a plane of its faces says, and that is a
// lower bound. The farthest corner beyond the nearest plane gives an upper one, along its normal.
func (d *Differences) Measure(limit, enough, off float64) (out Depth) {
	d.p, d.from = d.p[:0], d.from[:0]
	for i := range 27 {
		if i != 13 {
			d.farthest(r3.Vec{X: float64(i%3 - 1), Y: float64(i/3%3 - 1), Z: float64(i/9 - 1)})
		}
	}
	out.Hi = math.Inf(1)
	for range depthMost {
		faces, solid := Of(d.p)
		if !solid {
			if out, grown := d.flat(faces[0], off); !grown {
				return out
			}
			continue
		}
		least, at, n := math.Inf(1), 0, r3.Vec{}
		for i, f := range faces {
			if h, m := planeOf(d.p[f[0]], d.p[f[1]], d.p[f[2]]); h < least {
				least, at, n = h, i, m
			}
		}
		far, added := d.farthest(n)
		out.Lo = least - off
		if hi := far + off; hi < out.Hi {
			out.Hi, out.N = hi, n
			out.E, out.F = d.edges(faces[at])
		}
		if !added || out.Lo > limit || out.Hi < limit-enough || out.Hi-out.Lo <= enough {
			break
		}
	}
	return out
}

// edges returns the edges of both bodies that a face of the differences is spanned by, if it is by
// one of each.
func (d *Differences) edges(f [3]int32) (e, g r3.Vec) {
	var is, js []int
	for _, k := range f {
		if c := d.from[k]; true {
			if !slices.Contains(is, c[0]) {
				is = append(is, c[0])
			}
			if !slices.Contains(js, c[1]) {
				js = append(js, c[1])
			}
		}
	}
	if len(is) != 2 || len(js) != 2 {
		return e, g
	}
	return r3.Sub(d.A[is[1]], d.A[is[0]]), r3.Sub(d.B[js[1]], d.B[js[0]])
}

// flat looks beyond corners that lie in one plane. If none is, 0 is not inside of the differences.
func (d *Differences) flat(f [3]int32, off float64) (out Depth, grown bool) {
	p := d.p[f[0]]
	u := r3.Sub(d.p[f[1]], p)
	n, ok := geom.Unit(geom.Cross(u, r3.Sub(d.p[f[2]], p)), geom.Cross(u, r3.Sub(d.p[f[2]], p)))
	if !ok {
		n = geom.LeastAxis(u)
		if w, ok := geom.Unit(geom.Cross(u, n), geom.Cross(u, n)); ok {
			n = w
		}
	}
	far, first := d.farthest(n)
	back, second := d.farthest(geom.Scale(-1, n))
	if (first || second) && far+back > off {
		return Depth{}, true
	}
	if back < far {
		n, far = geom.Scale(-1, n), back
	}
	return Depth{Lo: min(0, far) - off, Hi: far + off, N: n}, false
}

// planeOf returns how far 0 is behind the plane of a face, and its unit normal, to 2^-44 of the
// size of the corners. Of slivers, whose normal doubles do not tell, it is computed in 400 bits.
func planeOf(a, b, c r3.Vec) (h float64, n r3.Vec) {
	u, v := r3.Sub(b, a), r3.Sub(c, a)
	w := geom.Cross(u, v)
	if size := geom.Norm(w); size > float64(0x1p-8*float64(geom.Norm(u)*geom.Norm(v))) && size > 0x1p-400 {
		n = geom.Scale(1/size, w)
		return geom.Dot(n, a), n
	}
	const bits = 400
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }
	minus := func(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Sub(x, y) }
	times := func(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Mul(x, y) }
	var p, q, o [3]*big.Float
	ac, bc, cc := geom.Components(a), geom.Components(b), geom.Components(c)
	for k := range 3 {
		o[k] = wide(ac[k])
		p[k], q[k] = minus(wide(bc[k]), o[k]), minus(wide(cc[k]), o[k])
	}
	square, along := wide(0), wide(0)
	var m [3]*big.Float
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		m[k] = minus(times(p[i], q[j]), times(p[j], q[i]))
		square.Add(square, times(m[k], m[k]))
		along.Add(along, times(m[k], o[k]))
	}
	if square.Sign() == 0 {
		return math.Inf(1), r3.Vec{}
	}
	size := square.Sqrt(square)
	for k, x := range [3]*float64{&n.X, &n.Y, &n.Z} {
		*x, _ = m[k].Quo(m[k], size).Float64()
	}
	h, _ = along.Quo(along, size).Float64()
	return h, n
}
