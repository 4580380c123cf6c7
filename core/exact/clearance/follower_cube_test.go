package clearance

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// drawnPaths are the control points of a pair's points, integers times a power of two, so that all
// differences are exact.
type drawnPaths struct {
	kind   geom.Kind
	degree int
	points [][4][3]float64 // One entry for each control point.
	d      float64
}

// drawPaths draws a pair that is often near the separation in the max norm: its first primitive is
// about d along a direction of the list from a point of the second, or its edges are parallel.
func drawPaths(r *rand.Rand, kind geom.Kind) *drawnPaths {
	p := &drawnPaths{kind: kind, degree: 1 + r.IntN(3), d: 0.25}
	round := func(x float64) float64 { return math.Round(x*0x1p30) * 0x1p-30 }
	way, n := [3]float64{}, [3]float64{}
	for k := range 3 {
		way[k], n[k] = r.Float64()-0.5, r.Float64()-0.5
	}
	var plane [4][3]float64
	for i := range plane {
		h := 0.0
		for k := range 2 {
			plane[i][k] = r.Float64() - 0.5
			h += plane[i][k] * n[k]
		}
		plane[i][2] = -h / n[2] // It lies in the plane across n.
	}
	first := pointsOf(kind)
	for l := range p.degree + 1 {
		var x [4][3]float64
		for i := range x {
			for k := range 3 {
				x[i][k] = plane[i][k]
				if i < first {
					x[i][k] += math.Copysign(p.d, n[k]) + way[k]*float64(l)/float64(p.degree)
				}
				if r.IntN(4) == 0 {
					x[i][k] += (r.Float64() - 0.5) * 0x1p-3
				}
				x[i][k] = round(x[i][k])
			}
		}
		p.points = append(p.points, x)
	}
	return p
}

func (p *drawnPaths) difference(pair [2]int8, k int, c []Double2) float64 {
	for l := range c {
		c[l] = Double2{Hi: p.points[l][pair[0]][k] - p.points[l][pair[1]][k]}
	}
	return 0
}

func (p *drawnPaths) Corner(i, k int, _, _ float64, c []Double2) float64 {
	return p.difference(Shapes[p.kind].Corners[i], k, c)
}

func (p *drawnPaths) Edge(j, k int, _, _ float64, c []Double2) float64 {
	return p.difference(Shapes[p.kind].Edges[j], k, c)
}

func (p *drawnPaths) Rests(j, k int) bool {
	for l := range p.points {
		if e := Shapes[p.kind].Edges[j]; p.points[l][e[0]][k] != p.points[l][e[1]][k] {
			return false
		}
	}
	return true
}

// Exact is the definition in rationals: the least of +-n.P - d |n|_1 over the corners at t.
func (p *drawnPaths) Exact(n, side int, t float64) (sign int, value float64) {
	at := func(i int8, k int) *big.Rat {
		var c []*big.Rat
		for l := range p.points {
			c = append(c, new(big.Rat).SetFloat64(p.points[l][i][k]))
		}
		s := new(big.Rat).SetFloat64(t)
		for m := len(c) - 1; m > 0; m-- {
			for l := range m {
				y := new(big.Rat).Sub(c[l+1], c[l])
				c[l] = y.Add(c[l], y.Mul(y, s))
			}
		}
		return c[0]
	}
	vector := func(pair [2]int8) (v [3]*big.Rat) {
		for k := range v {
			v[k] = new(big.Rat).Sub(at(pair[0], k), at(pair[1], k))
		}
		return v
	}
	cross := func(u, v [3]*big.Rat) (w [3]*big.Rat) {
		for k := range w {
			i, j := (k+1)%3, (k+2)%3
			w[k] = new(big.Rat).Mul(u[i], v[j])
			w[k].Sub(w[k], new(big.Rat).Mul(u[j], v[i]))
		}
		return w
	}
	axis := func(k int) (v [3]*big.Rat) {
		v = [3]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat)}
		v[k].SetInt64(1)
		return v
	}
	shape := &Shapes[p.kind]
	var v [3]*big.Rat
	switch {
	case n < 3:
		v = axis(n)
	case n < 3+3*len(shape.Edges):
		v = cross(axis((n-3)%3), vector(shape.Edges[(n-3)/3]))
	default:
		v = cross(vector(shape.Edges[0]), vector(shape.Edges[1]))
	}
	far := new(big.Rat)
	for k := range v {
		far.Add(far, new(big.Rat).Abs(v[k]))
	}
	far.Mul(far, new(big.Rat).SetFloat64(p.d))
	var least *big.Rat
	for _, pair := range shape.Corners {
		y, c := new(big.Rat), vector(pair)
		for k := range v {
			y.Add(y, new(big.Rat).Mul(v[k], c[k]))
		}
		if side == 1 {
			y.Neg(y)
		}
		if y.Sub(y, far); least == nil || y.Cmp(least) < 0 {
			least = y
		}
	}
	value, _ = least.Float64()
	return least.Sign(), value
}

// What is said of a direction over a part of time is true at times of it, in rationals: where it
// holds, where it never does, and that it holds up to one time alone.
func TestCubeCertificatesAgainstRationals(t *testing.T) {
	var holding, part, never, once int
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		r := rand.New(rand.NewPCG(31, uint64(kind)))
		for range 10 {
			p := drawPaths(r, kind)
			f := &CubeFollower{}
			f.Begin(kind, p.degree, p.d, p)
			for _, n := range Directions(kind) {
				f.over(0, 1)
				var x cubeForm
				f.form(n, &x)
				for side := range 2 {
					reach, no, one := x.crossing(side), f.never(n, side), f.once(certificateID{n, side})
					if x.none && reach > 0 {
						t.Fatal("a direction that is 0 separates")
					}
					holds := true
					for i := range 9 {
						at := float64(i) / 8
						s, v := p.Exact(n, side, at)
						switch {
						case s <= 0 && (at < reach || reach == 1):
							t.Fatalf("%v, direction %d, side %d: holds up to %g, but is %g at %g", kind, n, side, reach,
								v, at)
						case s >= 0 && no && !x.none:
							t.Fatalf("%v, direction %d, side %d: never holds, but is %g at %g", kind, n, side, v, at)
						case s > 0 && one && !holds:
							t.Fatalf("%v, direction %d, side %d: holds again at %g", kind, n, side, at)
						}
						holds = s > 0
					}
					switch {
					case reach == 1:
						holding++
					case reach > 0:
						part++
					}
					if no {
						never++
					}
					if one && reach < 1 {
						once++
					}
				}
			}
		}
	}
	t.Logf("%d hold, %d in part, %d never, %d once", holding, part, never, once)
	if holding < 50 || part < 20 || never < 300 || once < 10 {
		t.Errorf("%d hold, %d in part, %d never, %d once: the test shows too little", holding, part, never, once)
	}
}

// The integers' value of a certificate is that of the definition, times 2^30 for each length.
func TestCubeValueAgainstRationals(t *testing.T) {
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		r := rand.New(rand.NewPCG(32, uint64(kind)))
		for range 8 {
			p := drawPaths(r, kind)
			var corners [4][3]*big.Int
			for c, pair := range Shapes[kind].Corners {
				for k := range 3 {
					corners[c][k] = big.NewInt(int64((p.points[0][pair[0]][k] - p.points[0][pair[1]][k]) * 0x1p30))
				}
			}
			d := big.NewInt(int64(p.d * 0x1p30))
			for _, n := range Directions(kind) {
				factors := 1 + min(n/3, 1)
				if n == 12 || kind == geom.EdgeEdge && n == 9 {
					factors = 3
				}
				for side := range 2 {
					_, want := p.Exact(n, side, 0)
					x := new(big.Float).SetInt(CubeValue(kind, n, side, &corners, d))
					got, _ := x.SetMantExp(x, -30*factors).Float64()
					if math.Abs(got-want) > 1e-15*math.Abs(want) {
						t.Fatalf("%v, direction %d, side %d: %g, in rationals %g", kind, n, side, got, want)
					}
				}
			}
		}
	}
}

// A direction of which a component changes its sign may separate between times at which it does
// not: d |n|_1 is less there than its coefficients show.
func TestCubeDirectionsThatChangeTheirSign(t *testing.T) {
	p := &drawnPaths{kind: geom.PointEdge, degree: 1, d: 0.25, points: [][4][3]float64{
		{{0, -0.3125, 0}, {0, 0, 0}, {0, 1, -0.125}}, {{0, -0.3125, 0}, {0, 0, 0}, {0, -1, -0.125}},
	}}
	if first, _ := p.Exact(3, 0, 0); first >= 0 {
		t.Fatal("the direction separates at the start: the test shows nothing")
	}
	if middle, _ := p.Exact(3, 0, 0.5); middle <= 0 {
		t.Fatal("the direction does not separate in the middle: the test shows nothing")
	}
	f := &CubeFollower{}
	f.Begin(p.kind, p.degree, p.d, p)
	f.over(0, 1)
	if f.never(3, 0) || f.once(certificateID{3, 0}) {
		t.Error("a direction that separates in the middle is said never to, or up to one time alone")
	}
}
