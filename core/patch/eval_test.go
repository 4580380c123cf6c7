package patch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A surface's jet is the patch and its differences.
func TestJetIsThePatchAndItsDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, f := range forms() {
		for trial := range 4 {
			p := randomPatch(r, f, trial%2 == 1)
			fr := localSpaceOf(p)
			var tr tree
			tr.load(p, &fr)
			var s surface
			s.load(&tr)
			u, v, tm := 0.1+0.3*r.Float64(), 0.1+0.3*r.Float64(), r.Float64()
			var j jet
			s.eval(u, v, 2, &j)
			const e = 1e-4
			at := func(du, dv float64) vec {
				x := byDefinition(p, u+du, v+dv, tm)
				o := func(k int) float64 { return (1-tm)*fr.origin[0][k] + tm*fr.origin[1][k] }
				return vec{x[0] - o(0), x[1] - o(1), x[2] - o(2)}.times(fr.unit)
			}
			want := [derivatives]vec{
				at(0, 0),
				at(e, 0).sub(at(-e, 0)).times(1 / (2 * e)),
				at(0, e).sub(at(0, -e)).times(1 / (2 * e)),
				at(e, 0).add(at(-e, 0)).sub(at(0, 0).times(2)).times(1 / (e * e)),
				at(e, e).sub(at(e, -e)).sub(at(-e, e)).add(at(-e, -e)).times(1 / (4 * e * e)),
				at(0, e).add(at(0, -e)).sub(at(0, 0).times(2)).times(1 / (e * e)),
			}
			for d, x := range want {
				if f.Shape == Curve && (d == byV || d == byUV || d == byVV) {
					x = vec{}
				}
				if got := j.at(d, tm); got.sub(x).length() > 1e-4*(1+x.length())*math.Max(1, float64(f.U)) {
					t.Errorf("%v rational %v derivative %d: %v, not %v", f, p.W != nil, d, got, x)
				}
			}
		}
	}
}
