package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// TestNormalOfWhatTouches: where triangles touch, the normal points to the side on which A is,
// although their near points are one.
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
					q = quat.Number{Real: r.NormFloat64(), Imag: r.NormFloat64(), Jmag: r.NormFloat64(),
						Kmag: r.NormFloat64()}
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

// TestNormalOfCubesFaceOnFace: cubes that stand face on face have the normal of these faces,
// whichever triangles are reported and whether faces of theirs are flush: from b to a, and where
// they part against the motion. What parts is not turned where it is ignored.
func TestNormalOfCubesFaceOnFace(t *testing.T) {
	a, n := axisAligned(t), 0
	var s Solver
	for axis := range 3 {
		for _, sign := range []float64{-1, 1} {
			for k := range 25 {
				off := [3]float64{}
				off[axis], off[(axis+1)%3], off[(axis+2)%3] = sign, float64(k%5-2)/4, float64(k/5-2)/4
				toA := [3]float64{}
				toA[axis] = -sign
				for _, rate := range []float64{-1, 0, 0.5} { // the rate at which the cubes part
					c := course{a: a, b: a, ma: Motion{Rotation: quat.Number{Real: 1}},
						mb: Motion{Rotation: quat.Number{Real: 1}}, o: DefaultOptions()}
					c.mb.Position = r3.Vec{X: off[0], Y: off[1], Z: off[2]}
					c.mb.Velocity = geom.Scale(-rate, r3.Vec{X: toA[0], Y: toA[1], Z: toA[2]})
					want := r3.Vec{X: toA[0], Y: toA[1], Z: toA[2]}
					if rate > 0 {
						want = geom.Scale(-1, want)
					}
					im := c.solve(t, &s)
					if n++; geom.Norm(r3.Sub(im.Normal, want)) > 1e-12 || im.Flags != InitialContact {
						t.Errorf("at %v, parting at %v: %+v", off, rate, im)
					}
					if c.o.Flags = IgnoreSeparating; rate <= 0 {
						if im = c.solve(t, &s); geom.Norm(r3.Sub(im.Normal, want)) > 1e-12 {
							t.Errorf("at %v, parting at %v, ignoring what parts: %+v", off, rate, im)
						}
					}
				}
			}
		}
	}
	if n != 450 {
		t.Errorf("%d cases", n)
	}
}

// axisAligned returns a cube of edge 1.
func axisAligned(t *testing.T) *Body {
	t.Helper()
	var x []float64
	for i := range 8 {
		x = append(x, float64(i>>2&1), float64(i>>1&1), float64(i&1))
	}
	var faces [][3]int32
	for _, q := range [][4]int32{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}} {
		faces = append(faces, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	b, err := NewBody(x, faces, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNormalOfPoints: points that meet have a normal too, against their motion.
func TestNormalOfPoints(t *testing.T) {
	p := oneFace(t, []r3.Vec{{}, {}, {}})
	var s Solver
	for _, v := range []r3.Vec{{}, {X: 1}, {Y: -2, Z: 1}} {
		c := course{a: p, b: p, ma: Motion{Rotation: quat.Number{Real: 1}, Velocity: v},
			mb: Motion{Rotation: quat.Number{Real: 1}}, o: DefaultOptions()}
		im := c.solve(t, &s)
		if im.Verdict != geom.Contact || math.Abs(geom.Norm(im.Normal)-1) > 1e-12 ||
			math.Abs(geom.Dot(im.Normal, v)+geom.Norm(v)) > 1e-12 {
			t.Errorf("at %v: %+v", v, im)
		}
	}
}
