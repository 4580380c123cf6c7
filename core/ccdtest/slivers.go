package ccdtest

import (
	"math"
	"math/rand/v2"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// Frame are three axes of length 1, orthogonal to each other but for rounding.
type Frame [3][3]float64

// NewFrame draws the axes at random, or takes those of coordinates in any order.
func NewFrame(r *rand.Rand, turned bool) *Frame {
	if !turned {
		f, k := &Frame{}, r.Perm(3)
		for i := range f {
			f[i][k[i]] = float64(1 - 2*r.IntN(2))
		}
		return f
	}
	x, y := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()},
		[3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	z := unit(geom.Cross3(&x, &y))
	x = unit(x)
	return &Frame{x, geom.Cross3(&z, &x), z}
}

// At is the point with these coordinates in the frame.
func (f *Frame) At(x, y, z float64) (p [3]float64) {
	for k := range p {
		p[k] = float64(x*f[0][k]) + float64(y*f[1][k]) + float64(z*f[2][k])
	}
	return p
}

// rods are points near a line, the first axis of a frame, and draws along and across it.
type rods struct {
	r *rand.Rand
	*Frame
}

func newRods(r *rand.Rand) *rods { return &rods{r, NewFrame(r, r.IntN(3) > 0)} }

func unit(x [3]float64) [3]float64 {
	l := math.Sqrt(geom.Dot3(&x, &x))
	return [3]float64{x[0] / l, x[1] / l, x[2] / l}
}

// across draws up to w in either direction.
func (d *rods) across(w float64) float64 { return w * (2*d.r.Float64() - 1) }

// near is a point of the line, moved across it by up to w.
func (d *rods) near(x, w float64) [3]float64 { return d.At(x, d.across(w), d.across(w)) }

// thin draws a width: that of slivers that meshes have, one near rounding, or none.
func thin(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return logUniform(r, 1e-16, 1e-9)
	case 1:
		return 0
	}
	return logUniform(r, 1e-9, 1e-6)
}

// moves lets the points rest, move together, or each on its own, by as much as the width, the gap
// or the length.
func (d *rods) moves(f *frames, k geom.Kind, w, gap float64) {
	r := d.r
	f[1] = f[0]
	if r.IntN(3) == 0 {
		return
	}
	by := [...]float64{w, gap, 1, logUniform(r, 1e-12, 1)}[r.IntN(4)]
	own := by * [...]float64{0, 1, 1e-3}[r.IntN(3)]
	for _, p := range [2][2]int{{0, k.Info().Split}, {k.Info().Split, k.Points()}} {
		together := d.At(d.across(by), d.across(by), d.across(by))
		for i := p[0]; i < p[1]; i++ {
			for a := range 3 {
				f[1][i][a] += together[a] + d.across(own)
			}
		}
	}
}

// sliver puts points near one line: a face is a sliver, edges lie along each other, and the other
// primitive is anywhere near the line, beside it or beyond its ends.
func sliver(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	c, w, gap := newRods(r), thin(r), logUniform(r, 1e-10, 1e-5)
	if r.IntN(4) == 0 {
		gap = logUniform(r, 1e-10, 0.1)
	}
	long := 1 + 7*r.Float64()
	for i := range k.Points() {
		f[0][i] = c.near(long*(r.Float64()-0.5), w)
	}
	if r.IntN(4) > 0 {
		off := c.At(0.25*long*(r.Float64()-0.5), c.across(gap), c.across(gap))
		for i := range k.Info().Split {
			for a := range 3 {
				f[0][i][a] += off[a]
			}
		}
	}
	if k == geom.PointPoint { // beside each other
		off := c.At(c.across(gap), c.across(gap), c.across(gap))
		for a := range 3 {
			f[0][0][a] = f[0][1][a] + off[a]
		}
	}
	c.moves(f, k, w, gap)
	*d = gap * logUniform(r, 1e-2, 4)
}

// nearlyParallel has edges 1e-9 to 1e-6 rad from parallel at a gap of 1e-10 to 1e-5, and a vertex
// at that gap from a face or an edge; one slides over the other, nearly in its plane or along it,
// or passes through at that distance.
func nearlyParallel(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	c, tilt, gap := newRods(r), thin(r), logUniform(r, 1e-10, 1e-5)
	half := 0.25 + r.Float64()
	switch k {
	case geom.EdgeEdge:
		at, rise := r.Float64()-0.5, float64(r.IntN(2))*c.across(tilt)
		f[0] = [4][3]float64{c.At(-0.5, 0, 0), c.At(0.5, 0, 0), c.At(at-half, 0, gap),
			c.At(at+half, c.across(tilt), gap+rise)}
	case geom.VertexFace:
		f[0] = [4][3]float64{c.At(0, 0, gap), c.At(-half, -half, 0), c.At(half, -half, c.across(tilt)),
			c.At(c.across(half), half, c.across(tilt))}
	case geom.PointEdge:
		f[0] = [4][3]float64{c.At(0, 0, gap), c.At(-half, 0, 0), c.At(half, c.across(tilt), c.across(tilt))}
	case geom.PointPoint:
		f[0] = [4][3]float64{c.At(0, 0, gap), c.At(0, 0, 0)}
	default:
		panic("ccdtest: " + k.String())
	}
	f[1] = f[0]
	x, y, z := float64(r.IntN(2))*(r.Float64()-0.5), r.Float64()-0.5,
		[...]float64{0, 0, c.across(tilt), c.across(gap)}[r.IntN(4)]
	back := float64(r.IntN(2)) * r.Float64() // the way before the primitives are at the gap
	for i := range k.Info().Split {
		before, after := c.At(-back*x, -back*y, -back*z), c.At((1-back)*x, (1-back)*y, (1-back)*z)
		for a := range 3 {
			f[1][i][a] = f[0][i][a] + after[a]
			f[0][i][a] += before[a]
		}
	}
	if r.IntN(3) == 0 {
		c.moves(f, k, tilt, gap)
	}
	*d = gap * [...]float64{1, 0.5, 1 - 1e-9, r.Float64()}[r.IntN(4)]
}

// resting has primitives that are exactly d apart, or a unit in the last place less or more, at
// rest or sliding: flat ones in a plane of coordinates or in any, where d is off by rounding.
func resting(r *rand.Rand, k geom.Kind, f *frames, d *float64) {
	c := newRods(r)
	*d = [...]float64{1e-3, 0.1, 0.25, logUniform(r, 1e-6, 1)}[r.IntN(4)]
	gap := *d
	if way := r.IntN(3); way > 0 {
		gap = math.Nextafter(gap, float64(4*way-4))
	}
	speed := [...]float64{0, 0.3, 1}[r.IntN(3)]
	x, y := speed*(r.Float64()-0.5), speed*(r.Float64()-0.5)
	for i := range k.Points() {
		u, v := float64(r.IntN(9)-4)/4, float64(r.IntN(9)-4)/4
		if z := 0.0; i < k.Info().Split {
			z = gap
			f[0][i], f[1][i] = c.At(u, v, z), c.At(u+x, v+y, z)
		} else {
			f[0][i], f[1][i] = c.At(u, v, z), c.At(u, v, z)
		}
	}
	if k == geom.PointEdge || k == geom.PointPoint {
		f[0][0], f[1][0] = c.At(0, 0, gap), c.At(x, 0, gap)
	}
	if k == geom.PointPoint {
		f[0][1], f[1][1] = c.At(0, 0, 0), c.At(x, 0, 0)
	}
	if r.IntN(4) == 0 {
		f.jitter(r)
	}
}

// Thin are the families of slivers, of what is nearly parallel, and of what rests at exactly the
// separation.
func Thin() []Family { return Families[len(Families)-3:] }

// gathered are the primitives of some queries of the thin families, all kinds among them, all in
// one place.
type gathered struct {
	x0, x1       []float64
	edges, faces []int32
}

// gatherThin draws them; the first vertex has the number first.
func gatherThin(r *rand.Rand, first int32) (g gathered) {
	for range 1 + r.IntN(3) {
		k := geom.Kind(1 + r.IntN(4))
		c := Thin()[r.IntN(3)].Make(r, k, false)
		n, v := 3*k.Points(), first+int32(len(g.x0)/3)
		g.x0, g.x1 = append(g.x0, c.Q[:n]...), append(g.x1, c.Q[n:]...)
		switch k {
		case geom.VertexFace:
			g.faces = append(g.faces, v+1, v+2, v+3)
			g.edges = append(g.edges, v+1, v+2, v+2, v+3, v+3, v+1)
		case geom.EdgeEdge:
			g.edges = append(g.edges, v, v+1, v+2, v+3)
		case geom.PointEdge:
			g.edges = append(g.edges, v+1, v+2)
		}
	}
	return g
}

// ThinScene is a mesh of the primitives of some queries of the thin families.
func ThinScene(r *rand.Rand) (m *mesh.Mesh, x0, x1 []float64, err error) {
	g := gatherThin(r, 0)
	m, err = mesh.New(len(g.x0)/3, g.edges, g.faces)
	return m, g.x0, g.x1, err
}
