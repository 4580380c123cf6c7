package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// TestNormalOfWhatTouches: where triangles touch, the normal points to the side on which A is, although their near points are one.
func TestNormalOfWhatTouches(t *testing.T) {
	plate := []r3.Vec{{X: -9, Y: -9}, {X: 9, Y: -9}, {Y: 9}}
	tip := []r3.Vec{{}, {X: 0.3, Y: 0.1, Z: 1}, {X: -0.4, Y: 0.2, Z: 1}}
	ridge := []r3.Vec{{X: -1}, {X: 1}, {Z: -1}}
	roof := []r3.Vec{{Y: -1}, {Y: 1}, {X: 0.2, Z: 1}}
	r := rand.New(rand.NewPCG(58, 1))
	var s Solver
	for _, method := range []Search{nil, Reference} {
		for _, pair := range [][2][]r3.Vec{{plate, tip}, {ridge, roof}, {ridge, tip}, {plate, roof}} {
			low, high := oneFace(t, pair[0]), oneFace(t, pair[1])
			for k := range 40 {
				q := quat.Number{Real: 1}
				if k > 0 {
					q = quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(), Kmag: r.NormFloat64()}
				}
				still := Motion{Rotation: q}
				rot := geom.Rotation(q)
				// separates reports that n, from b to a, has a on the one side and b on the other.
				separates := func(n r3.Vec, a, b []r3.Vec) bool {
					least, most := math.Inf(1), math.Inf(-1)
					for i := range a {
						least, most = min(least, geom.Dot(n, rot.Apply(a[i]))), max(most, geom.Dot(n, rot.Apply(b[i])))
					}
					return math.Abs(geom.Norm(n)-1) < 1e-12 && least-most > -1e-14
				}
				c := course{a: low, b: high, ma: still, mb: still, o: DefaultOptions()}
				c.o.Search = method
				if im := c.solve(t, &s); im.Verdict != geom.Contact || !separates(im.Normal, pair[0], pair[1]) {
					t.Errorf("method %v: a below b, %v: %+v", method, pair, im)
				}
				c.a, c.b = high, low
				if im := c.solve(t, &s); im.Verdict != geom.Contact || !separates(im.Normal, pair[1], pair[0]) {
					t.Errorf("method %v: a above b, %v: %+v", method, pair, im)
				}
			}
		}
	}
}
