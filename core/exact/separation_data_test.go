package exact_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// On the listed pairs of real scenes, with separations from a hundredth of an edge's length
// upwards: every answer that the oracle gives on a sample, and a contact wherever the truth without
// separation has one.
func TestSceneSeparations(t *testing.T) {
	for _, s := range ccdtest.Scenes(t) {
		mo, m := loadScene(t, &s)
		for k, truths := range s.Truth {
			idx := listedQueries(&s, m, mo.N, k)
			for _, d := range []float64{1e-5, 1e-3} {
				var r clearance.SeparationResolver
				stride := 1 + len(idx)/4000
				for i := 0; i < len(idx); i += stride {
					var q [24]float64
					var im geom.Impact
					mo.Query(k, &idx[i], &q)
					r.Resolve(k, q[:], d, 1, &im)
					if truths[i] && im.Verdict != geom.Contact {
						t.Fatalf("%s %v pair %d: %v with separation %v, but there is contact without",
							s.Name, k, i, im.Verdict, d)
					}
					if i/stride%100 != 0 {
						continue
					}
					truth := oracle.Separation(k, q[:], d, 1)
					if (im.Verdict == geom.Contact) != truth.Contact || im.TOILo != truth.Lo || im.TOIHi != truth.Hi {
						t.Fatalf("%s %v pair %d, d = %v: %+v, the oracle says %+v", s.Name, k, i, d, im, truth)
					}
				}
				t.Logf("%s %v d = %v: %+v", s.Name, k, d, r.Stats)
			}
		}
	}
}

// The cost on listed pairs of scenes: nearly all are contacts or near misses, the hardest part of a
// step's candidates.
func BenchmarkSceneSeparations(b *testing.B) {
	for _, s := range ccdtest.Scenes(b) {
		mo, m := loadScene(b, &s)
		for _, k := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
			idx := listedQueries(&s, m, mo.N, k)
			for _, d := range []float64{1e-5, 1e-3} {
				b.Run(s.Name+"/"+k.String()+"/"+map[bool]string{true: "1e-3", false: "1e-5"}[d == 1e-3],
					func(b *testing.B) {
						var r clearance.SeparationResolver
						var q [24]float64
						var im geom.Impact
						contacts := 0
						for i := 0; b.Loop(); i++ {
							mo.Query(k, &idx[i%len(idx)], &q)
							r.Resolve(k, q[:], d, 1, &im)
							if im.Verdict == geom.Contact {
								contacts++
							}
						}
						b.ReportMetric(100*float64(contacts)/float64(b.N), "%contact")
						b.ReportMetric(100*float64(r.Stats.Wide)/float64(b.N), "%wide")
						b.ReportMetric(100*float64(r.Stats.Doubles)/float64(b.N), "%doubles")
					})
			}
		}
	}
}
