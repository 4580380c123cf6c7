package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// The place of a point along a direction that turns with a carrier is no farther from its chord
// than carriage.bend says, and that bound is reached but for a small factor.
func TestBendsAreBounds(t *testing.T) {
	best := 0.0
	for i := range 300 {
		r := rand.New(rand.NewPCG(155, uint64(i)))
		vec := func() r3.Vec { return r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
		m := [2]Motion{{Rotation: quat.Number{Real: 1}, Position: vec(), Velocity: vec(), AngularVelocity: vec()},
			{Rotation: quat.Number{Real: 1}, Position: vec(), Velocity: vec(), AngularVelocity: vec()}}
		switch i % 4 {
		case 1:
			m[1].AngularVelocity = m[0].AngularVelocity
		case 2:
			m[i/4%2].AngularVelocity = r3.Vec{}
		}
		box, err := BoxBody([3]float64{1, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		var s SlideSolver
		s.motion = [2]*Motion{&m[0], &m[1]}
		for side := range 2 {
			if err := s.take(side, []*Body{box}); err != nil {
				t.Fatal(err)
			}
		}
		o := DefaultOptions()
		s.pair(&o)
		pose := func(t float64) *slidePose {
			p := &slidePose{pair: &s.pairs[0], t: t}
			s.measure(p)
			return p
		}
		h := 0.3 * r.Float64()
		p := pose(0)
		n, _ := geom.Unit(vec(), vec())
		if n == (r3.Vec{}) {
			n = r3.Vec{Z: 1}
		}
		arm := r3.Vec{X: 0.5, Y: 0.5, Z: 0.5}
		for carrier := world; carrier < 2; carrier++ {
			for own := range 2 {
				if own == carrier {
					continue
				}
				place := func(t float64) float64 {
					q, way := pose(t), n
					if carrier != world {
						way = q.rot[carrier].Apply(p.rot[carrier].ApplyTransposed(n))
					}
					y := q.rot[own].Apply(arm)
					if own == 1 {
						y = r3.Add(y, q.x)
					}
					if carrier == 1 {
						y = r3.Sub(y, q.x)
					}
					return geom.Dot(way, y)
				}
				c := p.carriage(carrier, own, h)
				bound := c.bend(n, p.rot[own].Apply(arm))
				first, last := place(0), place(h)
				for k := 1; k < 12; k++ {
					share := float64(k) / 12
					off := math.Abs(place(h*share) - first - share*(last-first))
					if off > bound+1e-14 {
						t.Fatalf("case %d, carrier %d, part %d: %v is more than %v", i, carrier, own, off, bound)
					}
					if bound > 1e-9 {
						best = max(best, off/bound)
					}
				}
			}
		}
	}
	if t.Log(best); best < 0.7 {
		t.Errorf("at most %v of a bound is reached", best)
	}
}

// A facet is a polygon in the body: its sides hold the corners of the face and nothing beyond.
func TestFacetsLieInTheBody(t *testing.T) {
	box, err := BoxBody([3]float64{2, 4, 6})
	if err != nil {
		t.Fatal(err)
	}
	h, err := box.convex("a")
	if err != nil || len(h.facets) != 6 {
		t.Fatal(len(h.facets), err)
	}
	half := r3.Vec{X: 1, Y: 2, Z: 3}
	for i := range 4000 {
		r := rand.New(rand.NewPCG(156, uint64(i)))
		x := r3.Vec{X: r.NormFloat64(), Y: 2 * r.NormFloat64(), Z: 3 * r.NormFloat64()}
		for k := range h.facets {
			f := &h.facets[k]
			foot := r3.Sub(x, geom.Scale(geom.Dot(f.n, x)-f.at, f.n))
			inside, off := true, 1e-12
			for _, s := range f.sides {
				inside = inside && geom.Dot(s.in, x) >= s.at
			}
			within := math.Abs(foot.X) <= half.X+off && math.Abs(foot.Y) <= half.Y+off && math.Abs(foot.Z) <= half.Z+off
			if inside != within || f.thick > 1e-12 {
				t.Fatalf("case %d, facet %+v: %v, %v", i, f, inside, within)
			}
		}
	}
}
