package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// Law 9 holds where the angle between the two directions of a polygon is so small that the foot of
// the perpendicular in its plane is lost to rounding: faces with a short side, and edges that are
// nearly parallel, nearer to each other than they are wide.
func TestContactDataOfSlivers(t *testing.T) {
	n := 12000
	if testing.Short() {
		n = 1000
	}
	s := narrow.NewSolver()
	rng := ccdtest.NewRand(17, 9)
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		contacts := 0
		for range n {
			q, d := sliver(rng, kind)
			o := narrow.DefaultOptions()
			o.MinSeparation = d
			var im geom.Impact
			s.Solve(kind, q, &o, &im)
			if im.Verdict != geom.Contact {
				continue
			}
			contacts++
			if err := ccdtest.CheckContact(q, &o, &im, ccdtest.Promise{Exact: true}); err != nil {
				t.Fatalf("%v, d = %v, q = %v: %+v: %v", kind, d, q, im, err)
			}
		}
		if contacts < n/4 {
			t.Errorf("%v: %d contacts of %d", kind, contacts, n)
		}
	}
}

// sliver makes a query in which a point of the one primitive passes near a point inside the other,
// and near its end.
func sliver(r *rand.Rand, kind geom.Kind) (q []float64, d float64) {
	random := func() (p [3]float64) {
		for k := range p {
			p[k] = 2*r.Float64() - 1
		}
		return p
	}
	thin := math.Ldexp(1+r.Float64(), -5-r.IntN(40))
	d = thin * math.Ldexp(1+r.Float64(), -r.IntN(12))
	u, v := r.Float64(), r.Float64()
	end := math.Ldexp(r.Float64(), -r.IntN(45))
	if kind == geom.EdgeEdge {
		u = 1 - end
	}
	var ends [2][4][3]float64
	for t := range ends {
		p := &ends[t]
		if kind == geom.VertexFace {
			p[1], p[2] = random(), random()
			tilt := random()
			for k := range 3 {
				p[3][k] = p[2][k] + thin*tilt[k]
			}
		} else {
			p[0], p[1], p[2] = random(), random(), random()
			tilt, stretch := random(), 0.5+r.Float64()
			for k := range 3 {
				p[3][k] = p[2][k] + stretch*(p[1][k]-p[0][k]) + thin*tilt[k]
			}
		}
	}
	// The first primitive moves so that it meets the second at a time s, but for a gap of up to
	// 2 d.
	s, gap := r.Float64(), random()
	f := (1 - u) * (1 - end)
	for k := range 3 {
		at := func(i int) float64 { return (1-s)*ends[0][i][k] + s*ends[1][i][k] }
		if kind == geom.VertexFace {
			meet := (1-u-f)*at(1) + u*at(2) + f*at(3) + 2*d*gap[k]
			way := 2*r.Float64() - 1
			ends[0][0][k], ends[1][0][k] = meet-s*way, meet+(1-s)*way
			continue
		}
		shift := (1-u)*at(0) + u*at(1) - (1-v)*at(2) - v*at(3) + 2*d*gap[k]
		for i := 2; i < 4; i++ {
			ends[0][i][k] += shift
			ends[1][i][k] += shift
		}
	}
	for _, p := range ends {
		for _, x := range p {
			q = append(q, x[:]...)
		}
	}
	return q, d
}
