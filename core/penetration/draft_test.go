package penetration

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/rigid"
)

func made(b *rigid.Body, err error) *rigid.Body {
	if err != nil {
		panic(err)
	}
	return b
}

// bodiesOf returns convex bodies of all kinds, of a size of about s.
func bodiesOf(rnd *rand.Rand, s float64) []*rigid.Body {
	hull := func(n int, flat float64) *rigid.Body {
		x := make([]float64, 3*n)
		for i := range x {
			x[i] = s * rnd.NormFloat64()
			if i%3 == 2 {
				x[i] *= flat
			}
		}
		return made(rigid.HullBody(x))
	}
	box := made(rigid.BoxBody([3]float64{1.6 * s, 1.2 * s, 0.8 * s}))
	cube := made(rigid.BoxBody([3]float64{s, s, s}))
	cylinder := made(rigid.Cylinder(0.5*s, s, 0))
	return []*rigid.Body{
		box, cube, made(rigid.Sphere(0.7 * s)), made(rigid.Capsule(0.4*s, 1.2*s)), hull(5, 1), hull(12, 1),
		hull(60, 1), hull(300, 0.5), hull(30, 1e-4), made(box.Padded(0.1 * s)), cylinder,
		made(rigid.NewBody([]float64{0, 0, 0, s, 0, 0, 0, s, 0, 0, 0, s},
			[][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, 1)),
	}
}

// poseOf returns a pose: turned at random, or by steps of 45 degrees, or by nothing.
func poseOf(rnd *rand.Rand, s float64) (p geom.Pose) {
	x := rnd.NormFloat64
	switch rnd.IntN(4) {
	case 0:
		p.Rotation = quat.Number{Real: 1}
	case 1:
		sin, cos := math.Sincos(float64(rnd.IntN(8)) * math.Pi / 8)
		p.Rotation = quat.Number{Real: cos}
		*[]*float64{&p.Rotation.Imag, &p.Rotation.Jmag, &p.Rotation.Kmag}[rnd.IntN(3)] = sin
	default:
		p.Rotation = quat.Number{Real: x(), Imag: x(), Jmag: x(), Kmag: x()}
	}
	p.Position = geom.Scale(0.5*s, r3.Vec{X: x(), Y: x(), Z: x()})
	if rnd.IntN(3) == 0 { // On a lattice: faces touch, centers coincide.
		k := func() float64 { return float64(rnd.IntN(5)-2) * 0.2 * s }
		p.Position = r3.Vec{X: k(), Y: k(), Z: k()}
	}
	return p
}

// A draft is a depth by the laws: its bracket shares a point with that of the exact search, and its
// way out is as short.
func TestDraftsAgreeWithTheExactSearch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(51, 40))
	served, all := 0, 0
	var s, exact Solver
	for range long.Part(60, 30) {
		size := math.Ldexp(1+rnd.Float64(), rnd.IntN(60)-30)
		bodies := bodiesOf(rnd, size)
		for i, a := range bodies {
			for j, b := range bodies {
				pa, pb := poseOf(rnd, size), poseOf(rnd, size)
				if rnd.IntN(8) == 0 {
					shift := geom.Scale(1e6*size, r3.Vec{X: rnd.NormFloat64(), Y: 1})
					pa.Position, pb.Position = r3.Add(pa.Position, shift), r3.Add(pb.Position, shift)
				}
				var x, y Depth
				err := s.Depth(a, &pa, b, &pb, rigid.DistanceOptions{}, &x)
				if e := exact.depth(a, &pa, b, &pb, rigid.DistanceOptions{}, false, &y); err != nil || e != nil {
					t.Fatal(err, e)
				}
				name := fmt.Sprintf("%d %d", i, j)
				if !s.ballsApart() {
					if all++; x.Iterations == s.draft.steps {
						served++
					}
				}
				wide := 0x1p-45*x.Hi + 0x1p-36*s.reach() + s.deviations()
				if x.Flags != y.Flags || x.Lo > y.Hi || y.Lo > x.Hi || x.Hi-x.Lo > wide || s.kind != exact.kind {
					t.Fatalf("%s: kinds %v %v\n%+v\n%+v\n%v %v", name, s.kind, exact.kind, x, y, pa, pb)
				}
				if x.Lo > y.Lo+float64(0x1p-36*s.reach()) {
					t.Errorf("%s: %v is more than %v, which leaves room for deviations", name, x.Lo, y.Lo)
				}
				if s.kind == byFacet && x.Hi-x.Lo > 0x1p-46*x.Hi+s.deviations() {
					t.Errorf("%s: [%v, %v] is wide", name, x.Lo, x.Hi)
				}
				near := s.deviations() == 0 && geom.Norm(pa.Position) < 100*size
				if near && s.kind == byFacet && x.Epsilon > float64(0x1p-34*s.reach()) {
					t.Errorf("%s: the points are only good to %v", name, x.Epsilon)
				}
				if lack := geom.Norm(r3.Sub(r3.Sub(x.PointB, x.PointA), x.Translation)); lack > x.Epsilon {
					t.Errorf("%s: %v lacks more than %v", name, lack, x.Epsilon)
				}
			}
		}
	}
	if float64(served) < 0.95*float64(all) {
		t.Errorf("drafts answer %d of %d", served, all)
	}
}
