package box

import (
	"math"
	"math/bits"

	"ccd/simd/internal/vec"
)

// SieveBlock holds what SieveEE and SieveVF read of eight primitives, in columns, in coordinates
// that are relative to a center of the block: what they prove does not depend on how far the block
// is from the origin.
type SieveBlock struct {
	Center [3]float64
	_      float64
	Reach  float32 // no vertex is farther from the center at the start, on any axis
	_      [7]float32
	At     [3][Children]float32 // the first vertex at the start, from the center
	Way    [3][Children]float32 // the most that a vertex moves along an axis over the step
	Along  [3][Children]float32 // an edge's direction or a face's normal; the largest is 1, or all are 0
	Lean   [Children]float32    // how far the normal sees a face's vertices apart, for rounding
}

// Sieve is up to when, and by how much, SieveEE and SieveVF prove primitives apart.
type Sieve struct {
	Until float32 // the end of time, rounded up, and positive
	Apart float32 // the separation divided by Until
}

// NewSieve returns the sieve for times from 0 to until and distances up to separation, which is
// in the scaled coordinates of the blocks.
func NewSieve(until, separation float64) Sieve {
	t := raised(float32(max(until, 0x1p-60)))
	return Sieve{Until: t, Apart: raised(float32(separation / float64(t)))}
}

// raised is a float above x >= 0: by the part that roundings of sums of ways take, and by more than
// what underflows.
func raised(x float32) float32 { return float32(x*sieveRaise) + sieveLeast }

// Bounds of SieveEE and SieveVF for the error of the distance along a direction, as parts of the
// reach of a pair of blocks; docs/proofs/kernels.md derives them.
const (
	sieveEdges = 128 * 0x1p-24
	sieveFaces = 64 * 0x1p-24

	// sieveRange makes a reach of more than 2^100 infinite, so that nothing overflows where a pair
	// is dropped.
	sieveRange = 0x1p27

	sieveRaise = 1 + 0x1p-19
	sieveLeast = 0x1p-100
)

// SieveBlocks fills blocks from the coordinates {x0 y0 z0 0 x1 y1 z1 0} of vertices, multiplied by
// scale, a power of two. Lane i of block n is the primitive of the width (1, 2 or 3) vertices
// corners[width*(8*n+i):]; lanes from count on are absent. Coordinates are finite. A scale that
// makes a block larger than 2^100 or smaller than 2^-80 is allowed, but less is proved then.
//
//	c := the first vertex of the block at the start
//	At[w], Way := float32((x0 - c) * scale) of vertex w, the largest |x1 - x0| * scale of all w
//	Along := At[1] - At[0], or (At[1] - At[0]) x (At[2] - At[0]), divided by its largest component
//	Lean := the larger of |Along . (At[1] - At[0])| and |Along . (At[2] - At[0])|
//
// Along and Lean are computed in single precision: any direction is good, and its error is bounded
// along with the others.
func SieveBlocks(blocks []SieveBlock, rec []float64, corners []int32, width, count int, scale float64) {
	whole := min(count/Children, len(blocks))
	if whole > 0 {
		sieveBlocks(width, blocks[:whole], rec, corners[:Children*width*whole], scale)
	}
	for n := whole; n < len(blocks); n++ {
		present := min(max(count-Children*n, 0), Children)
		blocks[n] = SieveBlock{}
		if present > 0 {
			var own [3 * Children]int32 // absent lanes have the first one's vertices
			for i := range Children {
				copy(own[width*i:width*i+width], corners[width*Children*n:])
			}
			copy(own[:width*present], corners[width*Children*n:])
			sieveBlocks(width, blocks[n:n+1], rec, own[:Children*width], scale)
		}
		for k := range 3 {
			for i := present; i < Children; i++ {
				blocks[n].Way[k][i] = inf32
			}
		}
	}
}

func sieveBlocksGeneric(blocks []SieveBlock, rec []float64, corners []int32, width int, scale float64) {
	for n := range blocks {
		b := &blocks[n]
		*b = SieveBlock{}
		own := corners[Children*width*n : Children*width*n+Children*width]
		center := (*[3]float64)(rec[8*int(own[0]):])
		var at [3][3][Children]float32 // The indices are vertex, axis and lane.
		reach := float32(0)
		for i := range Children {
			for k := range 3 {
				way := 0.0
				for w, v := range own[width*i : width*i+width] {
					x0, x1 := rec[8*int(v)+k], rec[8*int(v)+4+k]
					at[w][k][i] = float32((x0 - center[k]) * scale)
					reach = max(reach, vec.Abs32(at[w][k][i]))
					way = max(way, math.Abs(x1-x0))
				}
				b.Way[k][i] = raised(float32(way * scale))
			}
		}
		for k, c := range center {
			b.Center[k] = c * scale
		}
		b.Reach, b.At = raised(reach), at[0]
		if width > 1 {
			for i := range Children {
				b.look(i, &at, width == 3)
			}
		}
	}
}

// look sets the direction of lane i from its vertices, and what a face's vertices are apart along
// it.
func (b *SieveBlock) look(i int, at *[3][3][Children]float32, face bool) {
	var e, f [3]float32
	for k := range 3 {
		e[k] = at[1][k][i] - at[0][k][i]
		f[k] = at[2][k][i] - at[0][k][i]
	}
	n := e
	if face {
		n = cross32(&e, &f)
	}
	largest := more32(more32(vec.Abs32(n[0]), vec.Abs32(n[1])), vec.Abs32(n[2]))
	if !(largest > 0) {
		return
	}
	part := 1 / largest
	for k := range 3 {
		n[k] = float32(n[k] * part)
		b.Along[k][i] = n[k]
	}
	if face {
		first := float32(n[0]*e[0]) + float32(n[1]*e[1]) + float32(n[2]*e[2])
		second := float32(n[0]*f[0]) + float32(n[1]*f[1]) + float32(n[2]*f[2])
		b.Lean[i] = more32(vec.Abs32(first), vec.Abs32(second))
	}
}

func cross32(a, b *[3]float32) [3]float32 {
	return [3]float32{
		float32(a[1]*b[2]) - float32(a[2]*b[1]),
		float32(a[2]*b[0]) - float32(a[0]*b[2]),
		float32(a[0]*b[1]) - float32(a[1]*b[0]),
	}
}

// more32 is the larger of two numbers, or the second where one is no number.
func more32(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

// SieveEE drops pairs of edges of the blocks a and b that stay farther apart than the separation
// from time 0 to s.Until: those whose distance at the start along u x v, u and v their directions,
// is more than they can move. It writes the records that still have pairs to out, in order, and
// returns how many there are; out must hold len(records) and may be records itself.
//
//	for each record of the blocks A and B {
//		d := float32(A.Center - B.Center)
//		e := ((A.Reach + B.Reach) + max |d|) * sieveEdges
//		for each pair (i, j) of the mask {
//			n := A.Along[i] x B.Along[j]
//			w := A.At[i] - (B.At[j] - d)
//			way := |n| . (A.Way[i] + (B.Way[j] + s.Apart))
//			if |n . w| > way * s.Until + e { drop it }
//		}
//	}
//
// The error e is a part of the size of the two blocks and does not depend on the length of n, so
// edges that are parallel, or have no length, are kept. docs/proofs/kernels.md has the proof.
func SieveEE(records []Record, a, b []SieveBlock, s *Sieve, out []Record) int {
	out = out[:len(records)]
	if len(records) == 0 {
		return 0
	}
	return sieveEE(records, a, b, s, out)
}

// SieveVF is SieveEE for vertices of a and faces of b. n is B.Along[j], the normal of the face at
// the start, and e is sieveFaces times the reach, plus B.Lean[j].
func SieveVF(records []Record, a, b []SieveBlock, s *Sieve, out []Record) int {
	out = out[:len(records)]
	if len(records) == 0 {
		return 0
	}
	return sieveVF(records, a, b, s, out)
}

func sieveGeneric(records []Record, a, b []SieveBlock, s *Sieve, out []Record, face bool) int {
	n := 0
	for _, r := range records {
		p := newSievePair(&a[r.A], &b[r.B], s, face)
		for m := r.Mask; m != 0; m &= m - 1 {
			if bit := bits.TrailingZeros64(m); p.apart(bit/Children, bit%Children) {
				r.Mask &^= 1 << bit
			}
		}
		out[n] = r
		if r.Mask != 0 {
			n++
		}
	}
	return n
}

// sievePair is what the pairs of two blocks have in common.
type sievePair struct {
	a, b   *SieveBlock
	s      *Sieve
	face   bool
	offset [3]float32 // The center of a less that of b.
	slack  float32
}

func newSievePair(a, b *SieveBlock, s *Sieve, face bool) (p sievePair) {
	p = sievePair{a: a, b: b, s: s, face: face}
	far := float32(0)
	for k := range 3 {
		p.offset[k] = float32(a.Center[k] - b.Center[k])
		far = max(far, p.offset[k], -p.offset[k])
	}
	p.slack = float32(float32((a.Reach+b.Reach+far)*sieveRange) * (sieveEdges / sieveRange))
	if face {
		p.slack = float32(float32((a.Reach+b.Reach+far)*sieveRange) * (sieveFaces / sieveRange))
	}
	return p
}

// apart reports whether primitive i of a and j of b are proved apart.
func (p *sievePair) apart(i, j int) bool {
	a, b, slack := p.a, p.b, p.slack
	n := [3]float32{b.Along[0][j], b.Along[1][j], b.Along[2][j]}
	if p.face {
		slack = b.Lean[j] + slack
	} else {
		u := [3]float32{a.Along[0][i], a.Along[1][i], a.Along[2][i]}
		n = cross32(&u, &n)
	}
	var w, way [3]float32
	for k := range 3 {
		w[k] = float32(n[k] * (a.At[k][i] - (b.At[k][j] - p.offset[k])))
		way[k] = float32(vec.Abs32(n[k]) * (a.Way[k][i] + (b.Way[k][j] + p.s.Apart)))
	}
	return vec.Abs32(w[0]+w[1]+w[2]) > float32((way[0]+way[1]+way[2])*p.s.Until)+slack
}
