package curved

import (
	"math"
	"slices"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/num"
)

// setBands sets the bands and the radii around the midlines in p.mid.
func (p *Path) setBands(deviation []float64) {
	if p.bands == nil {
		radii := p.radii.Widened(p.m, p.margins)
		p.bands = &broad.Bands{Lo: new(geom.Trajectories), Hi: new(geom.Trajectories), Radii: radii}
	}
	p.bands.Lo.Reserve(p.m.NV)
	p.bands.Hi.Reserve(p.m.NV)
	off := make([]float64, p.m.NV)
	p.byVertices(func(from, to int) { bandsAround(p.mid, deviation, p.bands, off, from, to) })
	if most := slices.Max(off); most <= fewBends*p.typicalEdge() { // then one value for all takes less time
		for i := range off {
			off[i] = most
		}
	}
	p.boxes = p.radii.Widened(p.m, off, p.margins)
}

// fewBends is the part of an edge that paths may leave their midlines by and still have one radius
// for all.
const fewBends = 0x1p-6

// typicalEdge is the mean length of some edges, in the max norm. Only speed depends on it.
func (p *Path) typicalEdge() float64 {
	sum, n := 0.0, 0
	for i := 0; i < len(p.m.Edges); i += 1 + len(p.m.Edges)/256 {
		e := p.m.Edges[i]
		x, y := p.mid.Rec[8*e[0]:], p.mid.Rec[8*e[1]:]
		sum += max(math.Abs(x[0]-y[0]), math.Abs(x[1]-y[1]), math.Abs(x[2]-y[2]))
		n++
	}
	return sum / float64(max(n, 1))
}

// Cover makes the midlines, bands and radii those of [0, until], if they may be, and returns until
// in the time of the midlines.
func (p *Path) Cover(until float64) float64 {
	switch {
	case !p.cuts:
		return until
	case !p.section.whole():
		return p.section.At(until)
	case until < p.upToTime:
		x0, x1, deviation := p.motion.Midlines(until)
		p.mid.Reserve(p.m.NV)
		for i := range x0 {
			r := p.mid.Rec[8*(i/3):]
			r[i%3], r[4+i%3] = x0[i], x1[i]
		}
		p.upToTime, p.sieve.once = until, nil
		p.setBands(deviation)
		p.forgetSolved()
	}
	return 1
}

// Share is the time t of the step in that of the midlines, rounded up.
func (p *Path) Share(t float64) float64 {
	switch {
	case !p.section.whole():
		return p.section.At(t)
	case t < p.upToTime:
		return min(1, num.DivUp(t, p.upToTime))
	}
	return 1
}

// Bounded reports whether midlines up to a time of theirs end before the step, or their section of
// it, does.
func (p *Path) Bounded(until float64) bool {
	return until < 1 || p.section.whole() && p.upToTime < p.o.TMax
}

// bandsAround sets the bands of the vertices from to to-1 of a motion with these midlines and
// deviations, and by vertex how far they reach, rounded up.
//
// With u = 2^-53, x - d as computed is below its true value by at most u |x - d| and one step of a
// double, 3u (|x| + d) together; the same with x + d. So d + 8u (|x| + d) + 2^-1070 in floats is
// enough.
func bandsAround(mid *geom.Trajectories, deviation []float64, b *broad.Bands, off []float64, from, to int) {
	for v := from; v < to; v++ {
		most := 0.0
		m, lo, hi := mid.Rec[8*v:8*v+8:8*v+8], b.Lo.Rec[8*v:8*v+8:8*v+8], b.Hi.Rec[8*v:8*v+8:8*v+8]
		for k := range 3 {
			d, x, y := deviation[3*v+k], m[k], m[k+4]
			lo[k], hi[k] = num.Down(x-d), num.Up(x+d)
			lo[k+4], hi[k+4] = num.Down(y-d), num.Up(y+d)
			most = max(most, d+(float64(0x1p-50*(max(math.Abs(x), math.Abs(y))+d))+0x1p-1070))
		}
		off[v] = most
	}
}

// Margins returns, by vertex, by how much boxes must be inflated beside the separation, the
// radii of the mesh and the deviations: by the largest radius of the paths of the vertex, and by
// what lets a gap of boxes prove SolveMotion's axes apart, which round sums up.
//
// Let a pair have the separation d = Separation(m, R_a, R_b), at most (1 + 2u)(m + R_a + R_b), and
// rho = r_a + r_b rounded up. SolveMotion compares with d + rho rounded up, at most (1 + 2u)^2 (m +
// R_a + R_b + r_a + r_b). Boxes are inflated by m/2 + R + r and the margin r 2^-50 + 2^-51 (m +
// 2R), R the largest, each: together by at least the (1 + 8u)-fold. Where all are 0 SolveMotion
// compares with 0, which takes no margin.
func Margins(p *motion.Motion, separation float64, radii *mesh.Radii) []float64 {
	more := make([]float64, p.Vertices())
	slack := float64(0x1p-51*separation) + float64(0x1p-50*radii.Largest())
	for i := range more {
		if r := p.LargestRadius(i); r > 0 || separation > 0 || radii.Largest() > 0 {
			more[i] = num.Up(r + float64(r*0x1p-50) + slack)
		}
	}
	return more
}
