package patch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// fitScene is a body that is lowered by 2 or 4 onto or into another that rests, while it changes
// its shape, and the time of their first contact, known from a formula: over an area, along a curve
// or along a line.
type fitScene struct {
	name      string
	a, b      *Body
	x0, x1, y []float64
	exact     float64
}

// floorAt returns a square at the height z, turned about z.
func floorAt(t testing.TB, half, z, angle float64) (*Body, []float64) {
	t.Helper()
	x := []float64{-half, -half, z, -half, half, z, half, -half, z, half, half, z}
	return bodyOf(t, []Form{{Quad, 1, 1}}, []int32{0, 1, 2, 3}, turnedAbout(x, vec{Z: 1}, angle, vec{}), nil)
}

// funnel returns a cone about z of four patches, between the heights -0.5 and 0.5, of the radius
// slope (z + 1).
func funnel(t testing.TB, slope float64) (*Body, []float64) {
	t.Helper()
	var x, w []float64
	var forms []Form
	var index []int32
	for q := range 4 {
		c, d := []float64{1, 0, -1, 0}[q], []float64{0, 1, 0, -1}[q]
		for i, p := range [3][2]float64{{c, d}, {c - d, d + c}, {-d, c}} {
			for _, z := range [2]float64{-0.5, 0.5} {
				index = append(index, int32(len(x)/3))
				x = append(x, slope*(z+1)*p[0], slope*(z+1)*p[1], z)
				w = append(w, []float64{1, math.Sqrt(0.5), 1}[i])
			}
		}
		forms = append(forms, Form{Quad, 2, 1})
	}
	return bodyOf(t, forms, index, x, w)
}

// firstRoot returns the time in [0,1] at which a function that falls is 0.
func firstRoot(f func(t float64) float64) float64 {
	lo, hi := 0.0, 1.0
	for range 60 {
		if m := 0.5 * (lo + hi); f(m) > 0 {
			lo = m
		} else {
			hi = m
		}
	}
	return hi
}

// fitScenes lists bodies that translate, turn about y, grow, and do both. A straight path between a
// body and itself turned by a shrinks it, seen along the axis, by the length of 1 - t + t e^ia.
func fitScenes(t testing.TB) (list []fitScene) {
	const angle = math.Pi / 60
	const more = 1.001
	size := func(turn, grow bool, at float64) float64 {
		c, s, g := 1.0, 0.0, 1.0
		if turn {
			c, s = math.Cos(angle), math.Sin(angle)
		}
		if grow {
			g = more
		}
		return math.Hypot(1-at+at*g*c, at*g*s)
	}
	add := func(name string, a *Body, x []float64, b *Body, y []float64, turns bool,
		gap func(height, size float64) float64) {
		for k := range 4 {
			turn, grow := k%2 == 1, k/2 == 1
			if turn && !turns {
				continue
			}
			c := fitScene{name: name, a: a, b: b, x0: moved(x, [3]float64{0, 0, 1}), x1: x, y: y}
			if turn {
				c.name, c.x1 = c.name+", turns", turnedAbout(x, vec{Y: -1}, angle, vec{})
			}
			if grow {
				c.name, c.x1 = c.name+", grows", append([]float64(nil), c.x1...)
				for i := range c.x1 {
					c.x1[i] *= more
				}
			}
			c.x1 = moved(c.x1, [3]float64{0, 0, -1})
			c.exact = firstRoot(func(at float64) float64 { return gap(1-2*at, size(turn, grow, at)) })
			list = append(list, c)
		}
	}
	bearing, y := halfCylinder(t, 1, 4, 3)
	for _, r := range []float64{0.999, 1} {
		// Where a tight shaft grows it meets the bearing's rims before its floor: not by a formula.
		shaft, x := halfCylinder(t, r, 3, 2)
		for _, angle := range []float64{0, 0.5} {
			floor, z := floorAt(t, 3, -r, angle)
			add(fmt.Sprintf("cylinder on a plate turned by %v", angle), shaft, x, floor, z, true,
				func(height, size float64) float64 { return height - r*size + r })
		}
		if r < 1 {
			add("shaft in bearing", shaft, x, bearing, y, true,
				func(height, size float64) float64 { return height + 1 - r*size })
		}
		under, z := halfCylinder(t, 1, 4, 2)
		for i := range z {
			if i%3 != 1 {
				z[i] = -z[i]
			}
			if i%3 == 2 {
				z[i] -= 1 + r
			}
		}
		add("rod on a rod", shaft, x, under, z, true, func(height, size float64) float64 { return height + r - r*size })
	}
	ring, x := torus(t, 2, 0.5)
	floor, z := floorAt(t, 3, -0.5, 0.3)
	add("torus on a plate", ring, x, floor, z, false,
		func(height, size float64) float64 { return height + 0.5 - 0.5*size })
	outer, u := funnel(t, 1)
	inner, v := funnel(t, 0.9)
	height := 1.0
	lowered := func(name string, a *Body, x []float64, b *Body, y []float64, exact float64) {
		up, down := moved(x, [3]float64{0, 0, height}), moved(x, [3]float64{0, 0, -height})
		list = append(list, fitScene{name, a, b, up, down, y, exact})
	}
	lowered("cone in cone", outer, u, outer, u, 0.5)
	lowered("blunt cone in cone", inner, v, outer, u, 0.5+0.5*0.05/0.9)
	ball, s := bowl(t, 1)
	for i := range s {
		s[i] *= []float64{1.3, 0.8, 1}[i%3]
	}
	lowered("ellipsoid in itself", ball, s, ball, s, 0.5)
	ball, s = bowl(t, 1.6)
	height = 2
	lowered("ball through a torus", ball, s, ring, x, (2-math.Sqrt(2.1*2.1-4))/4)
	return list
}

// Contacts over areas, along curves and along lines are decided at every tolerance from 1e-4 to
// 1e-12 of the bodies' size, whether these translate, turn or grow, wherever they are and however
// large: no later than the known time, and not much before it.
func TestFittingBodiesAreDecided(t *testing.T) {
	most := int64(0)
	for k, c := range fitScenes(t) {
		for place := range 4 {
			put := func(x []float64) []float64 { return x }
			scale := []float64{1, 1, 1e-3, 1e3}[place]
			if place > 0 {
				put = func(x []float64) []float64 {
					y := turnedAbout(x, vec{1, 2, 3}, 0.7, vec{})
					for i := range y {
						y[i] = scale * (y[i] + []float64{3.3, -7.1, 1.7}[i%3])
					}
					return y
				}
			}
			for _, tolerance := range []float64{1e-4, 1e-8, 1e-10, 1e-12} {
				if testing.Short() && (k+place)%4 > 0 {
					continue
				}
				var s Scene
				o := DefaultOptions()
				o.Tolerance, o.MaxIterations, o.Threads = scale*tolerance, 30000, 1
				a := &BodyStep{Body: c.a, X0: put(c.x0), X1: put(c.x1)}
				b := &BodyStep{Body: c.b, X0: put(c.y), X1: put(c.y)}
				im, err := s.Earliest(a, b, &o)
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range s.workers {
					most = max(most, w.solver.Work.Checks)
				}
				where := fmt.Sprintf("%s, place %d, tolerance %v", c.name, place, tolerance)
				late := c.exact - im.TOILo
				switch {
				case im.Verdict != geom.Contact:
					t.Errorf("%s: %+v, contact at %v", where, im, c.exact)
					continue
				case late < -4e-15*float64(1+3*place):
					t.Errorf("%s: %+v, %v after the contact", where, im, -late)
				case late > tolerance+math.Sqrt(8*tolerance):
					t.Errorf("%s: %v before the contact", where, late)
				}
				var p, q Patch
				a.gather(int(im.A), &p)
				b.gather(int(im.B), &q)
				d := distance(p.At(im.UVA[0], im.UVA[1], im.TOIHi), q.At(im.UVB[0], im.UVB[1], im.TOIHi))
				if d > scale*(tolerance+1e-13) {
					t.Errorf("%s: the points are %v apart", where, d)
				}
			}
		}
	}
	t.Logf("%d checks at most in a pair of those searched last", most)
}

// Bodies that pass or meet along a part of a line, at its end, or beside it are decided with little
// more work than others: long thin parts are given up where they do not help.
func TestBodiesThatPassAlongLinesAreDecided(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 9))
	contacts, most := 0, int64(0)
	for i := range 4000 {
		body := func() (*Body, []float64) {
			switch r.IntN(4) {
			case 0:
				return halfCylinder(t, 0.3+r.Float64(), 3, 1+r.IntN(3))
			case 1:
				return funnel(t, 0.3+r.Float64())
			case 2:
				return torus(t, 2, 0.2+0.4*r.Float64())
			}
			return floorAt(t, 3, 0, r.Float64())
		}
		a, x := body()
		b, y := body()
		if i%2 == 0 {
			x = turnedAbout(x, vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 3*r.Float64(), vec{})
		}
		var off, way [3]float64
		square := 0.0
		for k := range off {
			off[k] = r.NormFloat64()
			square += off[k] * off[k]
		}
		fall := 2 + 6*r.Float64()
		for k := range off {
			off[k] /= math.Sqrt(square)
			way[k] = (4-fall)*off[k] + 0.3*r.NormFloat64()*float64(i%3)
			off[k] *= 4
		}
		var s Scene
		o := DefaultOptions()
		o.Tolerance, o.MaxIterations, o.Threads = []float64{1e-5, 1e-8, 1e-11}[i%3], 30000, 1
		im, err := s.Earliest(&BodyStep{Body: a, X0: moved(x, off), X1: moved(x, way)},
			&BodyStep{Body: b, X0: y, X1: y}, &o)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range s.workers {
			most = max(most, w.solver.Work.Checks)
		}
		if im.Verdict == geom.Undecided {
			t.Errorf("case %d: %+v", i, im)
		}
		if im.Verdict == geom.Contact {
			contacts++
		}
	}
	if t.Logf("%d contacts, %d checks at most", contacts, most); contacts < 100 {
		t.Error("too few for a test")
	}
}
