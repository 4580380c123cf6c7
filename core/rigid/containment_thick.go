package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/contain"
	"ccd/core/geom"
	"ccd/core/num"
	common "ccd/core/overlap"
)

// thickPair decides how two bodies lie to each other of which one is more than its triangles. It
// serves one goroutine.
//
// Let K be what the triangles of a body enclose, and S the body: all points within its radius of K.
// Its inside are those that are nearer to K than the radius is, and the inside of K. Outside: S_a
// and S_b have no common point. Inside: S_a is in the inside of S_b. Contains: S_b is in that of
// S_a. Overlapping: K_a and K_b are, and their surfaces are farther apart than the sum of
// the radii. Crossing: S_a and S_b share a point, and neither is in the inside of the other.
// Undecided: rounding, a deviation, or the form of a body that is not convex, hides which.
//
// docs/proofs/proximity.md has the proofs.
type thickPair struct {
	a, b   *Body
	ka, kb common.Thick
	ruler  Ruler
}

// answer is what is known of a statement.
type answer int

const (
	maybe answer = iota
	no
	yes
)

// relation returns how the bodies lie, of which K_a and K_b lie as bare says.
func (w *thickPair) relation(bare Relation, ma, mb *Motion, t float64) Relation {
	inner := [2]float64{w.ka.Inner, w.kb.Inner}
	outer := [2]float64{w.ka.Outer, w.kb.Outer}
	lo, hi := 0.0, 0.0 // the distance of the surfaces of K_a and K_b
	share := maybe     // whether S_a and S_b share a point
	if bare != Outside && bare != NotDecided {
		share = yes
	}
	if bare != Crossing {
		r := &w.ruler
		r.still = t == 0
		r.prepare(w.a, w.b, ma, mb, t)
		r.measure(DistanceOptions{}, math.Inf(1))
		if !r.meets {
			lo, hi = min(r.lowest, r.best.hi), r.best.hi
		}
	}
	apart := lo > num.AddUp(outer[0], outer[1])
	touch := hi <= num.AddDown(inner[0], inner[1]) // The surfaces are within the sum of the radii.
	if t == 0 && bare != Crossing && !apart && !touch {
		touch = w.ruler.reaching(inner)
		apart = !touch && (inner == outer || !w.ruler.reaching(outer))
	}
	switch {
	case bare == Outside && apart:
		return Outside
	case bare == Overlapping && apart:
		return Overlapping
	case touch:
		share = yes
	}
	ab, ba := seenFrom(mb, ma, t), seenFrom(ma, mb, t)
	ina := isInside(w.a, &w.ka, &w.kb, &ab, bare == Inside, bare != NotDecided, lo, touch)
	if ina == yes {
		return Inside
	}
	inb := isInside(w.b, &w.kb, &w.ka, &ba, bare == Contains, bare != NotDecided, lo, touch)
	switch {
	case inb == yes:
		return Contains
	case share == yes && ina == no && inb == no:
		return Crossing
	}
	return NotDecided
}

// isInside tells whether S_x is in the inside of S_y. frame gives the places of x's points as y
// sees them. bare says that K_x is in the inside of K_y, if that is known. The surfaces of K_x and
// K_y are at least gap apart. touch says that they are within the sum of the radii.
func isInside(x *Body, kx, ky *common.Thick, frame *seen, bare, known bool, gap float64, touch bool) answer {
	switch {
	case bare && num.AddDown(gap, ky.Inner) > kx.Outer:
		return yes
	case known && ky.Outer == 0 && (!bare || touch):
		return no
	}
	corners := x.Convexity().Corners
	if ky.Convex {
		return cornersInside(corners, kx, ky, frame)
	}
	for _, c := range corners {
		p := frame.point(vecOf(c))
		if leaves(&p, kx, ky) {
			return no
		}
	}
	return cellsInside(kx, ky, frame)
}

// cornersInside is isInside for a convex K_y: the signed distance from it is a convex function,
// whose maximum over K_x is at a corner of the hull, and a ball about a point reaches as much
// farther as its radius is.
func cornersInside(corners []r3.Vec, kx, ky *common.Thick, frame *seen) answer {
	all := yes
	for _, c := range corners {
		p := frame.point(vecOf(c))
		lo, hi := ky.Signed(&p)
		if p = known(p); p.Err == 0 && num.AddDown(lo, kx.Inner) < ky.Outer && num.AddUp(hi, kx.Outer) >= ky.Inner {
			lo, hi = ky.Refined(&p)
		}
		switch {
		case num.AddDown(lo, kx.Inner) >= ky.Outer:
			return no
		case num.AddUp(hi, kx.Outer) >= ky.Inner:
			all = maybe
		}
	}
	return all
}

// leaves reports whether a point of S_x that is not in the inside of S_y was found in the ball
// about a point p of K_x: p, or where the ball ends on the way out of K_y or, where p is on the
// surface of K_y, across the triangles there.
func leaves(p *contain.Point, kx, ky *common.Thick) bool {
	lo, hi := ky.Signed(p)
	switch {
	case lo >= ky.Outer:
		return true
	case kx.Inner == 0 || num.AddUp(hi, kx.Inner) < ky.Outer:
		return false // The distance grows by no more than the way.
	case p.Err > 0 && p.Exact != nil:
		if q := known(*p); q.Err == 0 {
			return leaves(&q, kx, ky)
		}
	}
	for _, way := range ky.Ways(p) {
		z := contain.Point{Err: p.Err}
		// A unit vector is one up to rounding, but along an axis, where products are exact.
		step := float64(kx.Inner * (1 - 0x1p-40))
		alongAxis := math.Abs(way[0])+math.Abs(way[1])+math.Abs(way[2]) == 1
		if alongAxis {
			step = kx.Inner
		}
		for k := range z.At {
			var e float64
			if z.At[k], e = num.TwoSum(p.At[k], float64(step*way[k])); e != 0 || !alongAxis {
				z.Err = max(z.Err, p.Err+float64(0x1p-50*(math.Abs(z.At[k])+kx.Inner)))
			}
		}
		if lo, _ = ky.Signed(&z); lo >= ky.Outer {
			return true
		}
	}
	return false
}

// cellsMost is the most cells that are looked at for one pair of bodies.
const cellsMost = 4096

// cellsInside is isInside for any K_x and K_y: a box of K_x is cut in halves until no part that has
// points of K_x is unknown. A part is known if its ball, larger by the radius of x, is in S_y.
func cellsInside(kx, ky *common.Thick, frame *seen) answer {
	type cell struct{ lo, hi geom.Vec }
	var all cell
	same := contain.Identity()
	all.lo, all.hi = same.Box(kx.Solid)
	stack := []cell{all}
	for seen := 0; len(stack) > 0; seen++ {
		if seen == cellsMost {
			return maybe
		}
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		var c contain.Point
		r, longest := 0.0, 0
		for k := range c.At {
			c.At[k] = float64(n.lo[k]/2) + float64(n.hi[k]/2)
			half := max(num.SubUp(n.hi[k], c.At[k]), num.SubUp(c.At[k], n.lo[k]))
			if r = math.Hypot(r, half); n.hi[k]-n.lo[k] > n.hi[longest]-n.lo[longest] {
				longest = k
			}
		}
		r = float64(r * (1 + 0x1p-40))
		near, far := kx.Signed(&c)
		if near > r {
			continue
		}
		p := frame.point(&c.At)
		if _, hi := ky.Signed(&p); num.AddUp(num.AddUp(hi, r), kx.Outer) < ky.Inner {
			continue
		}
		if far <= 0 && leaves(&p, kx, ky) {
			return no
		}
		low, high := n, n
		low.hi[longest], high.lo[longest] = c.At[longest], c.At[longest]
		stack = append(stack, low, high)
	}
	return yes
}

// known returns a point whose coordinates are doubles as one without an error.
func known(p contain.Point) contain.Point {
	if p.Err == 0 || p.Exact == nil {
		return p
	}
	at := p.Exact()
	var q contain.Point
	for k, x := range at {
		var exactly bool
		if q.At[k], exactly = x.Float64(); !exactly {
			return p
		}
	}
	return q
}

func vecOf(v r3.Vec) *geom.Vec { return &geom.Vec{v.X, v.Y, v.Z} }
