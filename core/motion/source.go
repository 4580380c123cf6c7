package motion

import (
	"math"

	"ccd/core/num"
)

// source encloses the paths of points of bodies on parts of a step.
//
// A control point of a point x of body b is C d + c, with d = x - pivot and a frame (C, c) of the
// body and of the part of time alone, which intervals enclose. So what intervals take is paid once
// for all points of a body: each point is then one product in doubles, with a bound on its error
// (placement).
type source struct {
	curve  curve
	degree int
	bodies int
	x      []float64
	pivots [][3]float64 // pivots of the bodies: their frames map x - pivot

	// The body of each point, resting for one that stays where x is, or blended for one with
	// weights.
	links   []int32
	weights []float64 // the weights of all bodies for each point, nil where no point is blended

	bends []float64 // bends[i] bounds the derivative of order degree + 1 of point i
}

// The links of points that belong to no single body.
const (
	resting = -1
	blended = -2
)

// finish sets the degree and computes the bounds of the derivatives.
func (s *source) finish(n, degree int) {
	s.degree = degree
	s.bends = make([]float64, n)
	for i := range s.bends {
		s.bends[i] = s.curve.bound(i, degree+1)
	}
	if s.weights == nil {
		return
	}
	s.links = make([]int32, n)
	for i := range s.links {
		s.links[i] = linkOf(s.weights[i*s.bodies:][:s.bodies])
	}
}

// linkOf returns the one body that has a weight if that is 1, and blended otherwise.
func linkOf(weights []float64) int32 {
	link := int32(blended)
	for b, w := range weights {
		if w == 0 {
			continue
		}
		if w != 1 || link != blended {
			return blended
		}
		link = int32(b)
	}
	return link
}

// Parts encloses paths on parts of a step, for a motion that Refines, and keeps the latest frames.
// It is for one goroutine; the zero value is ready for use. What it returns does not depend on what
// it keeps.
type Parts struct {
	source *source
	slots  []partSlot
	places []placement // degree + 1 for each slot
}

// partSlot names the body and the part of time of kept frames.
type partSlot struct {
	used   bool
	body   int32
	t0, t1 float64
	share  float64 // remainder of this length of time
}

// partSlots is the number of frames that the zero Parts keeps.
const partSlots = 64

// PartsBytes bounds the memory of Parts in a solver.
const PartsBytes = partSlots * (48 + (MaxDegree+1)*120)

// newParts keeps the frames of so many bodies on one part of time.
func newParts(s *source, bodies int) *Parts {
	p := &Parts{}
	p.reset(s, max(bodies, 1))
	return p
}

func (p *Parts) reset(s *source, slots int) {
	p.source = s
	p.slots = make([]partSlot, slots)
	p.places = make([]placement, slots*(s.degree+1))
}

// Enclose does the work of Gather on a part [t0, t1] of a piece, for a motion that Refines.
func (p *Parts) Enclose(m *Motion, t0, t1 float64, vertices []int32, control, radius []float64) {
	if p.source != m.source {
		p.reset(m.source, partSlots)
	}
	var c [3 * (MaxDegree + 1)]float64
	for v, i := range vertices {
		radius[v] = p.enclose(int(i), t0, t1, c[:])
		for l := range m.degree + 1 {
			copy(control[3*(l*len(vertices)+v):], c[3*l:3*l+3])
		}
	}
}

// of returns the placements of a body's control points for t in [t0, t1], and the remainder of this
// length of time. Bodies of one part of time have slots of their own, up to the number of slots.
func (p *Parts) of(body int32, t0, t1 float64) (places []placement, share float64) {
	h := math.Float64bits(t0)*0x9e3779b97f4a7c15 ^ math.Float64bits(t1)*0xc2b2ae3d27d4eb4f
	at := int((h>>40 + uint64(body)) % uint64(len(p.slots)))
	k := p.source.degree + 1
	slot := &p.slots[at]
	places = p.places[at*k : at*k+k : at*k+k]
	if slot.used && slot.body == body && slot.t0 == t0 && slot.t1 == t1 {
		return places, slot.share
	}
	*slot = partSlot{used: true, body: body, t0: t0, t1: t1, share: remainder(p.source.degree, num.SubUp(t1, t0))}
	frames := hermiteFrames(p.source.curve, int(body), p.source.degree, t0, t1)
	for l := range places {
		places[l] = newPlacement(&frames[l])
	}
	return places, slot.share
}

// enclose writes degree + 1 control points of point i for t in [t0, t1] into control, and returns
// the radius: a point of the path is a convex combination of the control points with the same
// weights, so it is off by no more than the largest error of one of them, and the remainder.
func (p *Parts) enclose(i int, t0, t1 float64, control []float64) (radius float64) {
	s := p.source
	body := s.links[i]
	switch body {
	case blended:
		return p.blend(i, t0, t1, control)
	case resting:
		for l := range s.degree + 1 {
			for k := range 3 {
				control[3*l+k] = s.x[3*i+k] + 0 // The sum removes a negative zero.
			}
		}
		return 0
	}
	places, share := p.of(body, t0, t1)
	a := s.arm(i, int(body))
	for l := range places {
		radius = max(radius, places[l].place(&a, (*[3]float64)(control[3*l:])))
	}
	return num.AddUp(radius, num.MulUp(share, s.bends[i]))
}

// blend does the work of enclose for a point with weights: the sum over the bodies of weight times
// where the body brings it. The errors of its products and sums are added up.
func (p *Parts) blend(i int, t0, t1 float64, control []float64) (radius float64) {
	s := p.source
	var off [MaxDegree + 1]float64
	clear(control[:3*(s.degree+1)])
	remain := 0.0
	for body, w := range s.weights[i*s.bodies:][:s.bodies] {
		if w == 0 {
			continue
		}
		places, share := p.of(int32(body), t0, t1)
		remain = share
		a := s.arm(i, body)
		var y [3]float64
		for l := range places {
			own := places[l].place(&a, &y)
			if w != 1 {
				own = num.MulUp(own, math.Abs(w))
			}
			for k := range 3 {
				v, e := y[k], 0.0
				if w != 1 {
					v, e = roundedProduct(w, y[k])
				}
				sum, f := num.TwoSum(control[3*l+k], v)
				control[3*l+k] = sum + 0
				own += e + math.Abs(f)
			}
			off[l] = num.AddUp(off[l], own*slack)
		}
	}
	for _, r := range off {
		radius = max(radius, r)
	}
	return num.AddUp(radius, num.MulUp(remain, s.bends[i]))
}

// roundedProduct returns a b, rounded, and a bound on its error: the error itself, unless the
// product is nearly denormal.
func roundedProduct(a, b float64) (p, off float64) {
	p = float64(a * b)
	if math.Abs(p) < 0x1p-960 {
		if p == 0 && (a == 0 || b == 0) {
			return p, 0
		}
		return p, float64(0x1p-52*math.Abs(p)) + 0x1p-1074
	}
	return p, math.Abs(math.FMA(a, b, -p))
}

// arm is a point's offset d from the pivot of its body.
type arm struct {
	d      [3]float64 // rounded
	length float64    // bounds the length of d from above, but for slack; at least 2^-1000 unless d is 0
	off    float64    // bounds the error of d from above
}

func (s *source) arm(i, body int) (a arm) {
	q := &s.pivots[body]
	for k := range 3 {
		d, e := num.TwoSum(s.x[3*i+k], -q[k])
		a.d[k] = d
		a.off += math.Abs(e)
	}
	a.length = lengthOf(&a.d)
	return a
}

// lengthOf returns the length of d up to a few roundings where its square is at least 2^-900.
// Elsewhere it is the sum of the magnitudes, which is no less, or 2^-1000 if that is more and d is
// not 0.
func lengthOf(d *[3]float64) float64 {
	if s := float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2]); s >= 0x1p-900 {
		return math.Sqrt(s)
	}
	sum := math.Abs(d[0]) + math.Abs(d[1]) + math.Abs(d[2])
	if sum == 0 {
		return 0
	}
	return max(sum, 0x1p-1000)
}
