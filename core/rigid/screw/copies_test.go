package screw

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/ccdtest"
)

// withCopies returns a body with copies of each triangle of another one, carried by screw motions
// about the axis of a frame, and moved by nothing, by rounding, or by about as much as copies may
// be off.
func withCopies(r *rand.Rand, b *surface, f *Axis) *surface {
	var x []float64
	var faces [][3]int32
	m, _ := f.rows()
	_, size := middle(b)
	off := size * []float64{0, 0x1p-50, 0x1p-42, 0x1p-25, 0x1p-23}[r.IntN(5)]
	for i := range b.tri {
		for n := range 1 + r.IntN(4) {
			angle := math.Pi * (2*r.Float64() - 1)
			if n == 0 {
				angle = 0
			}
			sin, cos := math.Sincos(angle)
			first := int32(len(x) / 3)
			for _, p := range b.tri[i] {
				p = m.Apply(r3.Sub(p, f.point))
				p = r3.Vec{X: p.X*cos - p.Y*sin, Y: p.X*sin + p.Y*cos, Z: p.Z + f.advance*angle}
				p = r3.Add(m.ApplyTransposed(p), f.point)
				x = append(x, p.X+off*r.NormFloat64(), p.Y+off*r.NormFloat64(), p.Z+off*r.NormFloat64())
			}
			faces = append(faces, [3]int32{first, first + 1, first + 2})
		}
	}
	return surfaceOf(x, faces)
}

// TestCopiesShareImages: a thread has fewer images than triangles, although each triangle would
// have several, whatever its vertices are rounded to; and all its triangles are members of them.
func TestCopiesShareImages(t *testing.T) {
	for _, rounded := range []func(float64) float64{
		func(x float64) float64 { return x },
		func(x float64) float64 { return float64(float32(x)) },
	} {
		bolt := surfaceOf(ccdtest.Thread(100, 4, 1, 1.2, 0.3, 0, false))
		x := make([]float64, 0, len(bolt.tri)*9)
		var faces [][3]int32
		for i := range bolt.tri {
			for _, p := range bolt.tri[i] {
				x = append(x, rounded(p.X), rounded(p.Y), rounded(p.Z))
			}
			faces = append(faces, [3]int32{int32(3 * i), int32(3*i + 1), int32(3*i + 2)})
		}
		b := surfaceOf(x, faces)
		f := AxisOf(b, r3.Vec{}, r3.Vec{Z: 1})
		f.advance = 0.3 / (2 * math.Pi)
		tree := ImagesOf(b, f, 1)
		faceParts := map[int32]int{}
		for i := range tree.parts {
			p := &tree.parts[i]
			for j := p.first; j < p.last; j++ {
				faceParts[tree.members[j].face]++
			}
		}
		if len(faceParts) != len(b.tri) || len(tree.parts) > len(b.tri)/2 {
			t.Errorf("%d of %d triangles have images, %d in all", len(faceParts), len(b.tri), len(tree.parts))
		}
	}
}

// TestImagesHoldWhatCopiesAreOff: an image reaches beyond its triangle by what copies are off it,
// to all sides, where the triangle does not bend and where it reaches the axis.
func TestImagesHoldWhatCopiesAreOff(t *testing.T) {
	const spread = 0.01
	m := imager{frame: Axis{axis: r3.Vec{Z: 1}, across: r3.Vec{X: 1}}, size: 4, slack: 0x1p-45,
		coarse: 1, most: 1, spread: spread}
	m.m, _ = m.frame.rows()
	for _, c := range []struct {
		tri    bvh.Triangle
		r, z   [2]float64
		around float64
	}{
		{bvh.Triangle{{Y: -1, Z: 0.5}, {Y: -2, Z: 0.5}, {Y: -2, Z: 1}}, [2]float64{1, 2}, [2]float64{0.5, 1},
			0.99 * spread},
		{bvh.Triangle{{}, {X: 1}, {X: 1, Z: 1}}, [2]float64{0, 1}, [2]float64{0, 1}, 3},
	} {
		m.out = m.out[:0]
		m.triangle(&c.tri)
		low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for i := range m.out {
			p := &m.out[i]
			for k, half := range [2]float64{
				math.Abs(p.e*p.c) + math.Abs(p.f*p.s), math.Abs(p.e*p.s) + math.Abs(p.f*p.c),
			} {
				mid := [2]float64{p.r, p.z}[k]
				lo, hi := mid-half, mid+half
				if !math.IsInf(p.bendR, 1) {
					a, b := p.extent(&[2]float64{float64(1 - k), float64(k)})
					lo, hi = max(lo, a), min(hi, b)
				}
				low[k], high[k] = min(low[k], lo), max(high[k], hi)
			}
			if p.least > max(c.r[0]-spread, 0) {
				t.Errorf("a part is %v or more from the axis, its triangle %v", p.least, c.r)
			}
			at := math.Atan2(c.tri[1].Y, c.tri[1].X)
			if p.own[0] > at-c.around || p.own[1] < at+c.around {
				t.Errorf("angles %v do not hold those of copies", p.own)
			}
		}
		want := [2][2]float64{c.r, c.z}
		for k := range 2 {
			if lo := want[k][0] - spread; low[k] > max(lo, 0) && low[k] > lo || high[k] < want[k][1]+spread {
				t.Errorf("coordinate %d is in [%v, %v], that of the triangle in %v", k, low[k], high[k], want[k])
			}
		}
	}
}

// TestFamiliesBoundWhatCopiesAreOff: of each triangle, the first of its family is carried to it by
// the turn that is kept, up to the family's bound, which is not far more than that.
func TestFamiliesBoundWhatCopiesAreOff(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 53))
	shared, wide := 0, 0
	for i := range 20 {
		f := Axis{axis: r3.Vec{Z: 1}, across: r3.Vec{X: 1}, advance: 0.1 * float64(i%2)}
		b := withCopies(r, surfaceOf(ccdtest.Tube(8+r.IntN(8), 1, 0.5, -1, 1)), &f)
		m := imager{frame: f, size: b.RadiusAbout(f.point) + 8*f.advance}
		m.m, _ = f.rows()
		m.slack = 0x1p-47 * m.size
		_, size := middle(b)
		for level := range Levels {
			for _, family := range m.families(b.tri, size, level) {
				first, off := m.corners(&b.tri[family.members[0].face]), 0.0
				for _, x := range family.members {
					h := m.corners(&b.tri[x.face])
					sin, cos := math.Sincos(x.turn)
					for k, p := range first.p {
						p = r3.Vec{X: p.X*cos - p.Y*sin, Y: p.X*sin + p.Y*cos, Z: p.Z + f.advance*x.turn}
						off = max(off, r3.Norm(r3.Sub(p, h.p[k])))
					}
				}
				if off > family.spread+0x1p-46*m.size {
					t.Fatalf("copies are %v off, said to be at most %v", off, family.spread)
				}
				if family.spread > 8*off+0x1p-38*size {
					t.Errorf("copies are %v off, said to be %v", off, family.spread)
				}
				if len(family.members) > 1 {
					shared++
				}
				if off > 0x1p-30*size {
					wide++
				}
			}
		}
	}
	if shared < 200 || wide < 30 {
		t.Errorf("%d families have copies, %d are wide", shared, wide)
	}
}
