package d2m

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// beside draws what lies along d: a needle's point with a part of at most 0 along n, or with n
// itself added.
type beside struct {
	r       *rand.Rand
	d, n, m r3.Vec // orthonormal, but for rounding
}

func someBeside(r *rand.Rand) beside {
	v := func() r3.Vec { return r3.Unit(r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}) }
	d := v()
	n := r3.Unit(r3.Cross(d, v()))
	return beside{r, d, n, r3.Cross(d, n)}
}

// at is a point along d, lifted by gap, off to the side by less than thick and down, for sign -1,
// or up by as much.
func (b *beside) at(along, gap, thick, sign float64) movingPoint {
	side := r3.Add(geom.Scale(thick*(2*b.r.Float64()-1), b.m), geom.Scale(sign*thick*b.r.Float64(), b.n))
	p := r3.Add(geom.Scale(along, b.d), r3.Add(geom.Scale(gap, b.n), side))
	return movingPoint{p, p, 0x1p-46}
}

// TestNeedlesSideBySide: a plane runs between the two, gap away from one and through the other,
// whose edges are parallel or nearly so. Between 2^-26 and the rounding of the corners the plain
// vector between closest points fails.
func TestNeedlesSideBySide(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	for range 20000 {
		b := someBeside(r)
		gap, thick := math.Ldexp(1+r.Float64(), -4-r.IntN(38)), math.Ldexp(1, -r.IntN(60))*float64(r.IntN(2))
		from, to := 2*r.Float64()-1, 2*r.Float64()-1
		one := [3]movingPoint{{radius: 0x1p-46}, b.at(1, 0, thick, -1), b.at(2*r.Float64()-0.5, 0, thick, -1)}
		two := [3]movingPoint{b.at(from, gap, thick, 1), b.at(to, gap, thick, 1), b.at(r.Float64(), gap, thick, 1)}
		if e := (*[2]movingPoint)(one[:2]); !apartEdges(e, (*[2]movingPoint)(two[:2])) ||
			!apartEdges((*[2]movingPoint)(two[:2]), e) {
			t.Fatalf("edges with a gap of %v are not told apart, %v and %v", gap, one, two)
		}
		if !apartFace(&one, two[0]) {
			t.Fatalf("a gap of %v between %v and a point of %v is not seen", gap, one, two)
		}
		if near, _ := separable(&one, &two, false); near && !apartAlongEdges(&one, &two) {
			t.Fatalf("faces with a gap of %v are not told apart, %v and %v", gap, one, two)
		}
	}
}

// TestPointsOverSlivers: a point over the inside of a sliver is as far as it is above it. Neither
// vector products nor what is seen along an edge tell so at heights of about u^(1/3).
func TestPointsOverSlivers(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 1))
	for range 20000 {
		b := someBeside(r)
		gap, thick := math.Ldexp(1+r.Float64(), -20-r.IntN(22)), math.Ldexp(1+r.Float64(), -r.IntN(40))
		x := r.Float64()
		face := [3]r3.Vec{{}, b.d, r3.Add(geom.Scale(x, b.d), geom.Scale(thick, b.m))}
		at := r3.Add(r3.Add(geom.Scale(0.5*x+0.25, b.d), geom.Scale(0.3*thick, b.m)), geom.Scale(gap, b.n))
		var rove [3]movingPoint
		for k, p := range face {
			rove[k] = movingPoint{p, p, 0x1p-46}
		}
		point := movingPoint{at, at, 0x1p-46}
		if !apartFace(&rove, point) {
			t.Fatalf("%v is %v above a sliver of height %v, which is not seen", at, gap, thick)
		}
		if !apartAlongEdges(&rove, &[3]movingPoint{point, point, point}) {
			t.Fatalf("%v as a face is %v above a sliver of height %v, which is not seen", at, gap, thick)
		}
		if p := planeOf(face); !(p.off < 0x1p-46) {
			t.Fatalf("a sliver of height %v is said to leave its plane by %v", thick, p.off)
		}
	}
}
