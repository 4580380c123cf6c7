package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// DefaultTolerance stands for Options.Tolerance 0 where the sizes of a query allow it; see grain.
const DefaultTolerance = 1e-10

// separationShare is the part of a separation in the tolerance that 0 stands for. A computed gap is
// above a separation d only beyond d (1 + 2^-44), which stretch takes for directions that are no
// units; twice that leaves the eight grains whole.
const separationShare = 0x1p-43

// grain bounds the rounding of the pose of a body at times in [from, to]: eight of it, of
// both bodies together, is the least tolerance that a query has by default.
//
//	grain = u (2^10 (r + |O|) + 2^4 (|X| + T (|V| + w r))),  T = max(|from|, |to|),
//
// with r the radius about the pivot O, X the pivot's place that is farthest from the origin, V its
// velocity and w the rate. In detail:
//
//   - The margin of a gap, 1024u of both radii and 16u of the distance of the pivots, is at most
//     that of both bodies. The search thus ends: a computed gap is surely above the separation from
//     two grains on, and surely within separation and tolerance up to seven.
//   - Between two doubles a body moves by 2u T (|V| + w r) or less, an eighth of its part: times
//     are fine enough for these five grains.
//   - A caller's pose rounds R, by 64u or less in all, where it takes points r + |O| away from
//     their places, and the position, and sums of both, by less than 8u |X| in all. Without a
//     separation an eighth of the tolerance is kept, so rounded poses at TOILo do not intersect.
//
// X moves on a line, so its distance is greatest at an end.
func (s *bodyState) grain(m *Motion, from, to float64) float64 {
	x := max(geom.Norm(m.Along(from)), geom.Norm(m.Along(to)))
	t := max(math.Abs(from), math.Abs(to))
	r := s.radius + geom.Norm(m.Pivot)
	return float64(0x1p-43*r) + float64(0x1p-49*(x+float64(t*(geom.Norm(m.Velocity)+float64(s.rate*s.radius)))))
}

// tolerant returns the options with the tolerance that 0 stands for: DefaultTolerance, or eight
// grains and separationShare of the separation where these are more. The grains are those of the
// times at which the balls around the pivots come within MinSeparation + DefaultTolerance, so that
// a far end of the interval counts for nothing.
func (q *query) tolerant(o Options, ma, mb *Motion) Options {
	if o.Tolerance > 0 {
		return o
	}
	o.Tolerance = DefaultTolerance
	grains := func(from, to float64) float64 {
		both := q.a.grain(ma, from, to) + q.b.grain(mb, from, to)
		return float64(8*both) + float64(separationShare*o.MinSeparation)
	}
	if grains(o.TMin, o.TMax) <= DefaultTolerance {
		return o
	}
	if from, to, some := q.window(&o); some {
		o.Tolerance = max(DefaultTolerance, grains(from, to))
	}
	return o
}

// shareOfTolerance bounds the part of a body in the tolerance that 0 stands for: that of two bodies
// is at most the sum, because an end of a part of the interval is no farther than an end of the
// whole, but for rounding.
func shareOfTolerance(b *Body, m *Motion, from, to float64) float64 {
	side := bodyState{pivot: m.Pivot, radius: b.radiusAbout(m.Pivot)}
	hi, _ := m.Rate()
	side.rate = hi * (1 + 0x1p-50)
	return max(0.5*DefaultTolerance, 8*side.grain(m, from, to)) * (1 + 0x1p-40)
}

// optionsOf returns the options with the tolerance of body i over the mesh: if it is 0,
// DefaultTolerance, or eight grains of the body and the mesh and a share of the separation where
// these are more. The grain of vertices at x is u 2^4 (|x| + T |x'|): what they lose like a pivot.
func (s *MeshScene) optionsOf(i int32) Options {
	o := s.options
	if o.Tolerance == 0 {
		o.Tolerance = max(DefaultTolerance, shareOfTolerance(s.Bodies[i], &s.Motions[i], o.TMin, o.TMax)+
			float64(8*s.grain)+float64(separationShare*o.MinSeparation))
	}
	return o
}

// grainOf returns the grain of the vertices, the same for all elements.
func grainOf(x0, x1 []float64, o *Options) float64 {
	if o.Tolerance > 0 {
		return 0
	}
	far, way := 0.0, 0.0
	for i := 0; i+2 < len(x0); i += 3 {
		p, q := geom.VecOf(x0[i:]), geom.VecOf(x1[i:])
		far = max(far, geom.Norm(p))
		if o.TMax > o.TMin {
			far, way = max(far, geom.Norm(q)), max(way, geom.Norm(r3.Sub(q, p)))
		}
	}
	if way > 0 {
		way *= max(math.Abs(o.TMin), math.Abs(o.TMax)) / (o.TMax - o.TMin)
	}
	return float64(0x1p-49 * (far + way))
}
