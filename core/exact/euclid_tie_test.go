package exact_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// falling are the first points of queries above the plane z = 0, whose nearest feature is the
// inside, a side or a corner of F, and the others, which stay on it.
var falling = []struct {
	kind   geom.Kind
	above  [][2]float64
	ground [][2]float64
}{
	{geom.VertexFace, [][2]float64{{1, 1}}, [][2]float64{{0, 0}, {4, 0}, {0, 4}}},
	{geom.VertexFace, [][2]float64{{2, 0}}, [][2]float64{{0, 0}, {4, 0}, {0, 4}}},
	{geom.VertexFace, [][2]float64{{0, 4}}, [][2]float64{{0, 0}, {4, 0}, {0, 4}}},
	{geom.EdgeEdge, [][2]float64{{-1, 0}, {2, 0}}, [][2]float64{{0, -3}, {0, 2}}},
	{geom.EdgeEdge, [][2]float64{{0, 0}, {2, 0}}, [][2]float64{{1, 0}, {5, 0}}},
	{geom.EdgeEdge, [][2]float64{{0, 0}, {2, 0}}, [][2]float64{{2, 0}, {2, 5}}},
	{geom.PointEdge, [][2]float64{{1, 0}}, [][2]float64{{0, 0}, {4, 0}}},
	{geom.PointEdge, [][2]float64{{4, 0}}, [][2]float64{{0, 0}, {4, 0}}},
	{geom.PointPoint, [][2]float64{{4, 1}}, [][2]float64{{4, 1}}},
}

// Contacts at a time that is a double, and starts at the distance d, are decided by the fifth stage
// alone, at any orientation, unless the pair rests on an axis: that stage compares one feature with
// d in integers. The times are known.
func TestEuclideanTies(t *testing.T) {
	turns := [][3][3]float64{ // multiples of rotations by 1, 5 and 15
		{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		{{3, -4, 0}, {4, 3, 0}, {0, 0, 5}},
		{{10, -5, 10}, {11, 2, -10}, {2, 14, 5}},
	}
	for _, f := range falling {
		for i, turn := range turns {
			scale := []float64{1, 5, 15}[i]
			for _, c := range []struct{ from, to, at float64 }{{2, -2, 0.4375}, {1.25, 1.25 - 4, 0.25}, {0.25, -1, 0},
				{0.25, 3, 0}, {0.75, 0.25, 1}} {
				query := func(height float64) (q []float64) {
					put := func(p [2]float64, z float64) {
						for k := range 3 {
							q = append(q, turn[k][0]*p[0]+turn[k][1]*p[1]+turn[k][2]*z)
						}
					}
					for _, p := range f.above {
						put(p, height)
					}
					for _, p := range f.ground {
						put(p, 0)
					}
					return q
				}
				q := append(query(c.from), query(c.to)...)
				var r clearance.EuclideanResolver
				var im geom.Impact
				r.Resolve(f.kind, q, 0.25*scale, 1, &im)
				if im.Verdict != geom.Contact || im.TOILo != c.at || im.TOIHi != c.at {
					t.Errorf("%v, turned by %v, from %v to %v: %+v, want contact at %v",
						f.kind, turn, c.from, c.to, im, c.at)
				}
				if r.Stats.Wide != 0 || c.at > 0 && r.Stats.Ties+r.Stats.Resting != 1 {
					t.Errorf("%v, turned by %v, from %v to %v: %+v", f.kind, turn, c.from, c.to, r.Stats)
				}
				for _, bits := range []int{-1, 1} { // the separation of a neighboring double
					near := ccdtest.Case{Kind: f.kind, Q: q, D: 0.25 * scale * (1 + float64(bits)*0x1p-52), TMax: 1}
					compareWithEuclideanOracle(t, &r, &near)
				}
			}
		}
	}
}

// Most contacts at doubles of the families made for them are ties.
func TestEuclideanTiesOfFamilies(t *testing.T) {
	for _, name := range []string{"aligned", "grazing", "ends", "integers", "static"} {
		fam, _ := ccdtest.FamilyNamed(name)
		var r clearance.EuclideanResolver
		for _, k := range kinds {
			rng := ccdtest.NewRand(31, uint64(k))
			for range 100 {
				c := fam.Make(rng, k, true)
				var im geom.Impact
				r.Resolve(k, c.Q, c.D, c.TMax, &im)
			}
		}
		if r.Stats.Ties < r.Stats.Wide {
			t.Errorf("%s: %+v", name, r.Stats)
		}
	}
}

func BenchmarkEuclideanTies(b *testing.B) {
	fam, _ := ccdtest.FamilyNamed("aligned")
	rng := ccdtest.NewRand(77, 1)
	var cases []ccdtest.Case
	var r clearance.EuclideanResolver
	var im geom.Impact
	for len(cases) < 64 {
		c := fam.Make(rng, geom.VertexFace, true)
		before := r.Stats.Ties
		if r.Resolve(c.Kind, c.Q, c.D, c.TMax, &im); r.Stats.Ties > before {
			cases = append(cases, c)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c := &cases[i%len(cases)]
		r.Resolve(c.Kind, c.Q, c.D, c.TMax, &im)
	}
}
