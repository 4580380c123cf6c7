package rigid

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// beside draws what lies along d: a needle's point with a part of at most 0 along n, or with n
// itself added.
type beside struct {
	r       *rand.Rand
	d, n, m r3.Vec // orthonormal, but for rounding
}

func someBeside(r *rand.Rand) beside {
	v := func() r3.Vec { return r3.Unit(r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}) }
	d := v()
	n := r3.Unit(r3.Cross(d, v()))
	return beside{r, d, n, r3.Cross(d, n)}
}

// at returns a point along d, lifted by gap, off to the side by less than thick and down, for sign
// -1, or up by as much.
func (b *beside) at(along, gap, thick, sign float64) r3.Vec {
	side := r3.Add(geom.Scale(thick*(2*b.r.Float64()-1), b.m), geom.Scale(sign*thick*b.r.Float64(), b.n))
	return r3.Add(geom.Scale(along, b.d), r3.Add(geom.Scale(gap, b.n), side))
}

// TestD2MNeedlesAtOneInstant: whether triangles touch at the start is tested apart from their
// features.
func TestD2MNeedlesAtOneInstant(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 1))
	still := Motion{Rotation: quat.Number{Real: 1}}
	o := DefaultOptions()
	o.Search, o.TMax, o.MinSeparation = Reference, 0, 0
	var s Solver
	for range 4000 {
		b := someBeside(r)
		gap, thick := 1e-9*(1+r.Float64()), math.Ldexp(1, -20-r.IntN(40))*float64(r.IntN(2))
		one := []r3.Vec{{}, b.at(1, 0, thick, -1), b.at(2*r.Float64()-0.5, 0, thick, -1)}
		two := []r3.Vec{b.at(2*r.Float64()-1, gap, thick, 1), b.at(2*r.Float64()-1, gap, thick, 1),
			b.at(r.Float64(), gap, thick, 1)}
		first, second := oneFace(t, one), oneFace(t, two)
		var im Impact
		if err := s.Earliest(first, second, &still, &still, &o, &im); err != nil || im.Verdict != geom.Separate {
			t.Fatalf("%v and %v, %v apart: %+v, %v", one, two, gap, im, err)
		}
		over, err := overMesh(t, first, two, r3.Vec{}, &o)
		if err != nil || over.Verdict != geom.Separate {
			t.Fatalf("%v and %v over a mesh, %v apart: %+v, %v", one, two, gap, over, err)
		}
	}
}

func oneFace(t *testing.T, c []r3.Vec) *Body {
	t.Helper()
	b, err := NewBody(flatten(c), [][3]int32{{0, 1, 2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// overMesh tests a body at rest and a mesh of one triangle, or one vertex, that moves.
func overMesh(t *testing.T, b *Body, c []r3.Vec, velocity r3.Vec, o *Options) (MeshImpact, error) {
	t.Helper()
	d := MeshScene{Bodies: []*Body{b}, Motions: []Motion{{Rotation: quat.Number{Real: 1}}}, Mesh: oneElement(t, len(c))}
	return d.Earliest(flatten(c), flatten(shifted(c, geom.Scale(o.TMax-o.TMin, velocity))), o)
}

// overMeshBy tests the bodies of a scene and a mesh of one triangle at rest.
func overMeshBy(t *testing.T, d *MeshScene, c []r3.Vec, o *Options) (MeshImpact, error) {
	t.Helper()
	d.Mesh = oneElement(t, len(c))
	return d.Earliest(flatten(c), flatten(c), o)
}

// oneElement returns a mesh of one triangle or one vertex.
func oneElement(t *testing.T, corners int) *mesh.Mesh {
	t.Helper()
	edges, faces := []int32{0, 1, 1, 2, 2, 0}, []int32{0, 1, 2}
	if corners == 1 {
		edges, faces = nil, nil
	}
	grid, err := mesh.New(corners, edges, faces)
	if err != nil {
		t.Fatal(err)
	}
	return grid
}

// grazing is a body that passes another at a distance.
type grazing struct {
	name     string
	a, b     []r3.Vec
	velocity r3.Vec
	distance float64
}

var grazes = func() (list []grazing) {
	needle := []r3.Vec{{}, {X: 0.9, Y: 0.5, Z: -0.3}, {X: 0.9, Y: 0.5, Z: -0.3}}
	beside := r3.Unit(r3.Cross(needle[1], r3.Vec{X: 1, Y: 2, Z: 4}))
	for _, gap := range []float64{1e-8, 1e-9, 2e-10} {
		list = append(list,
			grazing{"needles that slide along each other", needle, shifted(needle, geom.Scale(gap, beside)),
				needle[1], gap})
	}
	x, y, z := r3.Unit(needle[1]), beside, r3.Cross(r3.Unit(needle[1]), beside)
	for _, height := range []float64{1e-4, 1e-7, 1e-10, 1e-12} {
		// Down through the plane of a sliver, 1e-7 beyond its tip, and 1e-9 from the middle of its
		// long side.
		sliver := []r3.Vec{{}, x, r3.Add(geom.Scale(0.5, x), geom.Scale(height, y))}
		for _, off := range []struct{ along, side, distance float64 }{{1 + 1e-7, 0, 1e-7}, {0.3, -1e-9, 1e-9}} {
			p := r3.Add(r3.Add(geom.Scale(off.along, x), geom.Scale(off.side, y)), geom.Scale(0.5, z))
			list = append(list,
				grazing{"a point beside a sliver", sliver, []r3.Vec{p, p, p}, geom.Scale(-1, z), off.distance})
		}
	}
	return list
}()

func shifted(list []r3.Vec, by r3.Vec) (out []r3.Vec) {
	for _, p := range list {
		out = append(out, r3.Add(p, by))
	}
	return out
}

func flatten(list []r3.Vec) (x []float64) {
	for _, p := range list {
		x = append(x, p.X, p.Y, p.Z)
	}
	return x
}

// TestD2MGrazes: what passes at more than the tolerance is no contact, of bodies and over a mesh,
// however thin both are.
func TestD2MGrazes(t *testing.T) {
	o := DefaultOptions()
	o.Search, o.MinSeparation = Reference, 0
	still := Motion{Rotation: quat.Number{Real: 1}}
	for _, g := range grazes {
		a, b := oneFace(t, g.a), oneFace(t, g.b)
		move := still
		move.Velocity = g.velocity
		var s Solver
		for swap, bodies := range [2][2]*Body{{a, b}, {b, a}} {
			ma, mb := still, move
			if swap == 1 {
				ma, mb = move, still
			}
			var im Impact
			if err := s.Earliest(bodies[0], bodies[1], &ma, &mb, &o, &im); err != nil || im.Verdict != geom.Separate {
				t.Errorf("%s, %v away: %+v, %v", g.name, g.distance, im, err)
			}
		}
		first, err := overMesh(t, a, g.b, g.velocity, &o)
		if err != nil || first.Verdict != geom.Separate {
			t.Errorf("%s over a mesh, %v away: %+v, %v", g.name, g.distance, first, err)
		}
	}
}

// TestD2MPointsStartTogether: bodies without size travel farther than they are large in any time,
// however short, and are not tested in ever shorter ones.
func TestD2MPointsStartTogether(t *testing.T) {
	point, err := NewBody([]float64{0.3, -0.2, 0.1}, [][3]int32{{0, 0, 0}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := ccdtest.NewRand(27, 1)
	for range 50 {
		v := r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
		c := course{point, point, Motion{Rotation: quat.Number{Real: 1}},
			Motion{Rotation: quat.Number{Real: 1}, Velocity: v}, DefaultOptions()}
		c.o.Search = Reference
		var s Solver
		var im, other Impact
		if err := s.Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im); err != nil || im.Verdict != geom.Contact ||
			im.TOIHi != 0 || im.Iterations > 100 {
			t.Fatalf("%v: %+v, %v", v, im, err)
		}
		d := c.scaled(0x1p-3, 0x1p7)
		if err := s.Earliest(d.a, d.b, &d.ma, &d.mb, &d.o, &other); err != nil || other.Iterations != im.Iterations {
			t.Fatalf("%v: %d steps, in other units %+v, %v", v, im.Iterations, other, err)
		}
		over, err := overMesh(t, point, []r3.Vec{point.tri[0][0]}, v, &c.o)
		if err != nil || over.Verdict != geom.Contact || over.TOIHi != 0 || over.Iterations > 100 {
			t.Fatalf("%v over a mesh: %+v, %v", v, over, err)
		}
	}
}
