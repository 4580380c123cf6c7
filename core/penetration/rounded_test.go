package penetration_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// nearest returns the square of the distance of the origin from the hull of up to three points, or
// nil where its nearest point is not inside of it.
func nearest(c []ratVec) *big.Rat {
	switch len(c) {
	case 1:
		return c[0].dot(c[0])
	case 2:
		e := c[1].minus(c[0])
		t, all := new(big.Rat).Neg(c[0].dot(e)), e.dot(e)
		if t.Sign() <= 0 || t.Cmp(all) >= 0 {
			return nil
		}
		n := c[0].cross(e)
		return n.dot(n).Quo(n.dot(n), all)
	}
	n := c[1].minus(c[0]).cross(c[2].minus(c[0]))
	for i := range c {
		if c[i].cross(c[(i+1)%3]).dot(n).Sign() <= 0 {
			return nil
		}
	}
	h := c[0].dot(n)
	return h.Quo(h.Mul(h, h), n.dot(n))
}

// Law W1 of balls: the square of the distance of their centers is rational.
func TestDepthLawsOfBalls(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 56))
	for range 200 {
		ra, rb := 1+rnd.Float64(), 0.1+rnd.Float64()
		a, b := must(rigid.Sphere(ra)), must(rigid.Sphere(rb))
		r := new(big.Rat).Add(rat(ra), rat(rb))
		pa, pb := unturned(0, 0, 0), unturned(0, 0, 0)
		pa.Position = geom.Scale(10, r3.Vec{X: rnd.NormFloat64(), Y: 1})
		way := r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64(), Z: rnd.NormFloat64()}
		pb.Position = r3.Add(pa.Position, geom.Scale(1.09*rnd.Float64()/geom.Norm(way), way))
		d := depth(t, a, pa, b, pb)
		v := ratOf(pb.Position).minus(ratOf(pa.Position))
		for k, end := range [2]float64{d.Lo, d.Hi} { // D <= r - lo, D >= r - hi
			rest := new(big.Rat).Sub(r, rat(end))
			if rest.Mul(rest, rest).Cmp(v.dot(v)) == 2*k-1 {
				t.Errorf("balls at %v: not in [%v, %v], end %d", way, d.Lo, d.Hi, k)
			}
		}
	}
}

// Law W1 of bodies that overlap by their radii alone, against rational arithmetic: the distance
// without them is that of the nearest corner, edge or face of the difference.
func TestDepthLawsOfRadii(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 53))
	checked, edge := 0, 0
	for range long.Part(400, 10) {
		size := math.Ldexp(1+rnd.Float64(), rnd.IntN(60)-30)
		x := make([]float64, 12)
		for i := range x {
			x[i] = size * rnd.NormFloat64()
		}
		a, ball := must(rigid.HullBody(x)), rnd.IntN(4) == 0
		ra, rb := size*float64(rnd.IntN(8))/8, size*float64(1+rnd.IntN(8))/16
		if ball {
			ra += size / 16
			a = must(rigid.Sphere(ra))
		} else {
			a = must(a.Padded(ra))
		}
		var b *rigid.Body
		if rnd.IntN(2) == 0 {
			b = must(rigid.Capsule(rb, size*rnd.Float64()))
		} else {
			b = must(rigid.Sphere(rb))
		}
		pa, pb := geom.Pose{Rotation: randomTurn(rnd)}, geom.Pose{Rotation: randomTurn(rnd)}
		pa.Position = geom.Scale(1e2*size*float64(rnd.IntN(2)), r3.Vec{X: rnd.NormFloat64(), Y: 1})
		way := r3.Vec{X: rnd.NormFloat64(), Y: rnd.NormFloat64(), Z: 1}
		pb.Position = r3.Add(pa.Position, geom.Scale(1.2*size, way))
		d := depth(t, a, pa, b, pb)
		placedA, placedB := ratPoseOf(&pa), ratPoseOf(&pb)
		var c []ratVec
		for _, q := range placedB.all(b.Convexity().Corners) {
			for _, p := range placedA.all(a.Convexity().Corners) {
				c = append(c, q.minus(p))
			}
		}
		w := truthOf(placedA.all(a.Convexity().Corners), placedB.all(b.Convexity().Corners))
		if w.h != nil && w.h.Sign() >= 0 {
			continue // They overlap without their radii.
		}
		var least *big.Rat
		take := func(v ...ratVec) {
			if x := nearest(v); x != nil && (least == nil || x.Cmp(least) < 0) {
				least, edge = x, edge+len(v)-1
			}
		}
		for i := range c {
			take(c[i])
			for j := range i {
				take(c[i], c[j])
				for k := range j {
					take(c[i], c[j], c[k])
				}
			}
		}
		// The depth is r - D: lo <= r - D <= hi.
		r := new(big.Rat).Add(rat(ra), rat(rb))
		if square := new(big.Rat).Mul(r, r); square.Cmp(least) <= 0 {
			if d.Hi != 0 {
				t.Errorf("they are apart: %+v", d)
			}
			continue
		}
		checked++
		for k, end := range [2]float64{d.Lo, d.Hi} {
			rest := new(big.Rat).Sub(r, rat(end)) // D <= r - lo, D >= r - hi
			sign := new(big.Rat).Mul(rest, rest).Cmp(least)
			if k == 0 && (rest.Sign() < 0 || sign < 0) || k == 1 && rest.Sign() > 0 && sign > 0 {
				f, _ := least.Float64()
				t.Errorf("the depth, about %v, is not in [%v, %v]: end %d", ra+rb-math.Sqrt(f), d.Lo, d.Hi, k)
			}
		}
		if d.Hi-d.Lo > float64(0x1p-45*d.Hi)+float64(0x1p-36*(a.Reach()+b.Reach()+ra+rb)) {
			t.Errorf("[%v, %v] is wide", d.Lo, d.Hi)
		}
	}
	if checked < 5 || edge < 10 {
		t.Errorf("%d checked, %d at edges and faces", checked, edge)
	}
}
