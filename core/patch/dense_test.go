package patch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// Shifted by 1e6 and scaled by 2^40, laws 1 to 3 hold: at times before TOILo, or at any time if the
// answer is Separate, both surfaces are sampled densely, and Newton's method from the samples that
// are nearest to each other finds no contact.
func TestLaws1To3BySampling(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	forms := []Form{{Triangle, 1, 1}, {Triangle, 2, 2}, {Triangle, 3, 3}, {Quad, 1, 1}, {Quad, 2, 2}, {Quad, 3, 3}}
	contacts, separate := 0, 0
	var s, probe Solver
	for trial := range 60 {
		f, rational := forms[trial%len(forms)], trial%4 == 3
		e := families["approach"](r, randomPatch(r, f, rational), randomPatch(r, f, rational))
		if trial%3 == 2 { // most come to meet, some pass by
			e.b.move([3]float64{3, 0, 0}, [3]float64{3, 0, 0})
		}
		size := reach(e)
		for variant := range 3 {
			a, b := e.a.copied(), e.b.copied()
			o := DefaultOptions()
			o.Tolerance = 1e-6 * size
			switch variant {
			case 1:
				a.move([3]float64{1e6, -1e6, 1e6}, [3]float64{1e6, -1e6, 1e6})
				b.move([3]float64{1e6, -1e6, 1e6}, [3]float64{1e6, -1e6, 1e6})
			case 2:
				a.scale(0x1p40)
				b.scale(0x1p40)
				o.Tolerance *= 0x1p40
			}
			var im Impact
			if err := s.Solve(a, b, &o, &im); err != nil {
				t.Fatal(err)
			}
			end := im.TOILo
			switch im.Verdict {
			case geom.Separate:
				separate++
				end = 1
			case geom.Contact:
				contacts++
				if d := distance(a.At(im.UVA[0], im.UVA[1], im.TOIHi),
					b.At(im.UVB[0], im.UVB[1], im.TOIHi)); d > 2*o.Tolerance {
					t.Fatalf("trial %d, variant %d: %v apart at %v", trial, variant, d, im.TOIHi)
				}
			default:
				t.Fatalf("trial %d, variant %d: %v", trial, variant, im.Verdict)
			}
			probe.begin(a, b, &o)
			for _, part := range []float64{0, 0.3, 0.7, 0.95, 0.9999} {
				if far := probe.sampled(a, b, part*end); far <= 4*probe.gapError && end > 0 {
					t.Fatalf("trial %d, variant %d: %v from contact at %v of %v", trial, variant, far, part, end)
				}
			}
		}
	}
	if contacts < 60 || separate < 20 {
		t.Errorf("only %d contacts and %d that stay apart", contacts, separate)
	}
}

// sampled returns how near the patches come at a time, as Newton's method finds it from the nearest
// of 15 x 15 points of each.
func (s *Solver) sampled(a, b *Patch, t float64) float64 {
	const n = 14
	sample := func(p *Patch) (uv [][2]float64, at [][3]float64) {
		for i := 0; i <= n; i++ {
			for j := 0; j <= n && (p.Form.Shape == Quad || i+j <= n); j++ {
				u, v := float64(i)/n, float64(j)/n
				uv, at = append(uv, [2]float64{u, v}), append(at, p.At(u, v, t))
			}
		}
		return uv, at
	}
	ua, pa := sample(a)
	ub, pb := sample(b)
	best := math.Inf(1)
	var x place
	for i := range pa {
		for j := range pb {
			if d := distance(pa[i], pb[j]); d < best {
				best, x.x = d, [4]float64{ua[i][0], ua[i][1], ub[j][0], ub[j][1]}
			}
		}
	}
	return s.approach(&x, t, 0)
}

func (p *Patch) copied() *Patch {
	q := *p
	q.X0, q.X1 = append([]float64{}, p.X0...), append([]float64{}, p.X1...)
	return &q
}
