package exact_test

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// spread returns the ratio of the largest to the least length of a query.
func spread(c *ccdtest.Case) float64 {
	low, high := math.Abs(c.D), math.Abs(c.D)
	for _, x := range c.Q {
		if x = math.Abs(x); x != 0 && (x < low || low == 0) {
			low = x
		}
		high = max(high, x)
	}
	return high / low
}

// The staged resolver gives the oracle's times in every bit, on every family.
func TestEuclideanResolverAgreesWithOracle(t *testing.T) {
	n := 24
	if testing.Short() {
		n = 12
	}
	for _, fam := range ccdtest.Families {
		var r clearance.EuclideanResolver
		contacts := 0
		for _, k := range kinds {
			rng := ccdtest.NewRand(13, uint64(k))
			for range n {
				c := fam.Make(rng, k, true)
				if !(spread(&c) <= 0x1p120) {
					continue // the oracle would take seconds
				}
				if compareWithEuclideanOracle(t, &r, &c) {
					contacts++
				}
			}
		}
		t.Logf("%-12s %4d contacts, %+v", fam.Name, contacts, r.Stats)
	}
}

func compareWithEuclideanOracle(t *testing.T, r *clearance.EuclideanResolver, c *ccdtest.Case) (contact bool) {
	t.Helper()
	var out geom.Impact
	before := r.Stats
	r.Resolve(c.Kind, c.Q, c.D, c.TMax, &out)
	truth := oracle.EuclideanSeparation(c.Kind, c.Q, c.D, c.TMax)
	if (out.Verdict == geom.Contact) != truth.Contact || out.TOILo != truth.Lo || out.TOIHi != truth.Hi {
		t.Fatalf("%v:\nresolver %+v\noracle %+v\nstats before %+v after %+v", c, out, truth, before, r.Stats)
	}
	return truth.Contact
}

// Along a line the norms agree, whatever the exponents: on an axis, and on the line of (3, 4, 0),
// where lengths are five times as large.
func TestEuclideanResolverAlongALine(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 60
	}
	contacts, total := 0, 0
	for _, fam := range ccdtest.Families {
		var r clearance.EuclideanResolver
		var s clearance.SeparationResolver
		for _, k := range kinds {
			rng := ccdtest.NewRand(21, uint64(k))
			for i := range n {
				c := fam.Make(rng, k, true)
				axis := i % 3
				line := make([]float64, len(c.Q))
				for j := axis; j < len(line); j += 3 {
					// Multiples by 3, 4 and 5 must be doubles.
					line[j] = math.Float64frombits(math.Float64bits(c.Q[j]) &^ 7)
				}
				d := max(math.Float64frombits(math.Float64bits(c.D)&^7), 0x1p-1060)
				if c.D > 1e149 {
					d = 0x1p400
				}
				var want, got geom.Impact
				s.Resolve(k, line, d, c.TMax, &want)
				r.Resolve(k, line, d, c.TMax, &got)
				check := func() {
					t.Helper()
					total++
					if got.Verdict != want.Verdict || got.TOILo != want.TOILo || got.TOIHi != want.TOIHi {
						t.Fatalf("%v, along a line %v, d = %v:\n%+v\nin the max norm %+v", &c, line, d, got, want)
					}
				}
				check()
				for j := axis; j < len(line); j += 3 {
					x := line[j]
					other := j - axis + (axis+1)%3
					if math.Abs(x) > 0x1p490 || math.Abs(x) < 0x1p-1000 && x != 0 {
						x = 0
					}
					line[j], line[other] = 3*x, 4*x
				}
				flat := make([]float64, len(line))
				for j := axis; j < len(line); j += 3 {
					flat[j] = line[j] / 3
				}
				s.Resolve(k, flat, d, c.TMax, &want)
				r.Resolve(k, line, 5*d, c.TMax, &got)
				check()
				if got.Verdict == geom.Contact {
					contacts++
				}
			}
		}
	}
	t.Logf("%d queries, %d contacts", total, contacts)
}

// On the listed pairs of real scenes: the oracle's answer on a sample, contact wherever there is
// contact without a separation, and no earlier than in the max norm, whose cube holds the ball.
func TestSceneEuclideanSeparations(t *testing.T) {
	for _, s := range ccdtest.Scenes(t) {
		mo, m := loadScene(t, &s)
		for k, truths := range s.Truth {
			idx := listedQueries(&s, m, mo.N, k)
			for _, d := range []float64{1e-5, 1e-3} {
				var r clearance.EuclideanResolver
				var cube clearance.SeparationResolver
				stride := 1 + len(idx)/2000
				for i := 0; i < len(idx); i += stride {
					var q [24]float64
					var im, other geom.Impact
					mo.Query(k, &idx[i], &q)
					r.Resolve(k, q[:], d, 1, &im)
					if truths[i] && im.Verdict != geom.Contact {
						t.Fatalf("%s %v pair %d: %v with separation %v, but there is contact without",
							s.Name, k, i, im.Verdict, d)
					}
					cube.Resolve(k, q[:], d, 1, &other)
					if im.TOILo < other.TOILo {
						t.Fatalf("%s %v pair %d: %+v, in the max norm %+v", s.Name, k, i, im, other)
					}
					if i/stride%100 != 0 {
						continue
					}
					c := ccdtest.Case{Family: s.Name, Kind: k, Q: q[:], D: d, TMax: 1}
					compareWithEuclideanOracle(t, &r, &c)
				}
				t.Logf("%s %v d = %v: %+v", s.Name, k, d, r.Stats)
			}
		}
	}
}

// What begins at the separation, or at no time later than the first double, is decided at once by
// integers; t_max = 0 as well.
func TestEuclideanResolverAtTheStart(t *testing.T) {
	var r clearance.EuclideanResolver
	var im geom.Impact
	// Distance 5 at the start, going apart, staying, or coming together.
	for _, to := range []float64{8, 4, 3} {
		q := []float64{3, 4, 0, 0, 0, 0, 3, to, 0, 0, 0, 0}
		for _, tMax := range []float64{0, 0.5, 1} {
			r.Resolve(geom.PointPoint, q, 5, tMax, &im)
			if im.Verdict != geom.Contact || im.TOIHi != 0 || im.Flags&geom.InitialContact == 0 {
				t.Errorf("to %v, d = 5, t_max %v: %+v", to, tMax, im)
			}
			below := math.Nextafter(5, 0)
			r.Resolve(geom.PointPoint, q, below, tMax, &im)
			if tMax == 0 && im.Verdict != geom.Separate {
				t.Errorf("to %v, d below 5, t_max 0: %+v", to, im)
			}
			if tMax > 0 && (im.Verdict == geom.Contact) != (to == 3) || im.Flags&geom.InitialContact != 0 {
				t.Errorf("to %v, d below 5, t_max %v: %+v", to, tMax, im)
			}
		}
	}
	// A ball that is crossed between two doubles: no double is a time of contact.
	q := []float64{-1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0} // The points meet at t = 1/3.
	r.Resolve(geom.PointPoint, q, 0x1p-200, 1, &im)
	if im.Verdict != geom.Contact || im.TOILo != 1.0/3 || im.TOIHi != math.Nextafter(1.0/3, 1) {
		t.Errorf("a ball of 2^-200: %+v", im)
	}
	// It is missed by 2^-199.
	q[1], q[7] = 0x1p-199, 0x1p-199
	r.Resolve(geom.PointPoint, q, 0x1p-200, 1, &im)
	if im.Verdict != geom.Separate {
		t.Errorf("a ball of 2^-200 missed: %+v", im)
	}
	// It is touched at one instant, which is no double.
	q[1], q[7] = 0x1p-200, 0x1p-200
	r.Resolve(geom.PointPoint, q, 0x1p-200, 1, &im)
	if im.Verdict != geom.Contact || im.TOILo != 1.0/3 || im.TOIHi != math.Nextafter(1.0/3, 1) {
		t.Errorf("a ball of 2^-200 touched: %+v", im)
	}
}

// Where F is least at many places, contact is in their middle: of the overlap of parallel edges, of
// an edge without a length.
func TestEuclideanMiddle(t *testing.T) {
	var r clearance.EuclideanResolver
	var im geom.Impact
	still := func(x ...float64) []float64 { // the first two points, or the first, fall by 2
		q := append(append([]float64{}, x...), x...)
		return q
	}
	near := func(name string, u, v float64) {
		t.Helper()
		if im.Verdict != geom.Contact || math.Abs(im.U-u) > 1e-15 || math.Abs(im.V-v) > 1e-15 {
			t.Errorf("%s: %+v, expected u = %v, v = %v", name, im, u, v)
		}
		if im.Normal != [3]float64{0, 0, 1} {
			t.Errorf("%s: normal %v", name, im.Normal)
		}
	}
	for _, flip := range []bool{false, true} {
		// a from 0 to 4, b from 1 to 9 (or from 9 to 1): both from 1 to 4.
		b0, b1, v := 1.0, 9.0, 1.5/8
		if flip {
			b0, b1, v = b1, b0, 1-v
		}
		q := still(0, 0, 2, 4, 0, 2, b0, 0, 0, b1, 0, 0)
		q[12+2], q[12+5] = 0, 0
		r.Resolve(geom.EdgeEdge, q, 1, 1, &im)
		near("parallel edges", 2.5/4, v)
	}
	q := still(0, 0, 2, 1, 0, 2, 1, 0, 0, 3, 0, 0)
	q[12+2], q[12+5] = 0, 0
	r.Resolve(geom.EdgeEdge, q, 1, 1, &im)
	near("end to end", 1, 0)
	q = still(1, 0, 2, 1, 0, 2, 0, 0, 0, 4, 0, 0)
	q[12+2], q[12+5] = 0, 0
	r.Resolve(geom.EdgeEdge, q, 1, 1, &im)
	near("an edge without length", 0.5, 0.25)
	q = still(1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 0)
	q[12+2] = 0
	r.Resolve(geom.VertexFace, q, 1, 1, &im)
	near("a face that is a point", 1.0/3, 1.0/3)
	// A face flat on the axis from 0 to 4, f2 at 2: the places above 1 are u = 1/4, v = 0 to u = 0,
	// v = 1/2.
	q = still(1, 0, 2, 0, 0, 0, 4, 0, 0, 2, 0, 0)
	q[12+2] = 0
	r.Resolve(geom.VertexFace, q, 1, 1, &im)
	near("a flat face", 0.125, 0.25)
}

func BenchmarkEuclideanResolver(b *testing.B) {
	for _, name := range []string{"meshlike", "generic", "aligned"} {
		fam, _ := ccdtest.FamilyNamed(name)
		for _, k := range kinds {
			b.Run(name+"/"+k.String(), func(b *testing.B) {
				rng := ccdtest.NewRand(4, uint64(k))
				var cases []ccdtest.Case
				for range 1024 {
					cases = append(cases, fam.Make(rng, k, true))
				}
				var r clearance.EuclideanResolver
				var out geom.Impact
				for i := 0; b.Loop(); i++ {
					c := &cases[i%len(cases)]
					r.Resolve(k, c.Q, c.D, c.TMax, &out)
				}
				b.ReportMetric(100*float64(r.Stats.Wide)/float64(b.N), "%wide")
			})
		}
	}
}
