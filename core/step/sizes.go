package step

import "ccd/core/mesh"

// Sizes chooses a step alpha for each vertex, and the positions y that the steps lead to, so that
// the motion from x0 straight to just these doubles is safe. One early impact ends the step of a
// whole mesh (Size); here it ends that of a few vertices.
//
// A pair keeps its separation d: that of the options and radii where its distance at x0 exceeds it,
// else KeepRatio x h, where h <= its distance, proven, and h >= half of it. A pair that touches at
// x0 cannot be kept apart: its vertices rest (alpha 0).
//
// Options are those of Size with an exact method and TMax 1. With CheckStart the vertices of an
// edge and a face that pass through each other at x0 rest as well; without it such pairs are not
// seen.
//
// Laws.
//
//  1. Every pair of the mesh's families (package mesh) that does not touch at x0 keeps more than
//     its d for every t in [0, 1] of the motion x0 -> y, in exact arithmetic. The vertices of a
//     pair that touches at x0 stay there.
//  2. y is x0 + alpha (x1 - x0) in floats, coordinate by coordinate, with the alpha of the vertex,
//     and lies between x0 and x1; it is x1 if alpha is 1, and x0 bit for bit if alpha is 0.
//  3. alpha is what the algorithm below defines, so it does not depend on threads, candidates or
//     memory (law 7).
//  4. alpha is 0 or at least Floor, Share x the earliest impact of the whole step among pairs that
//     do not touch at x0. So if no vertex rests, each goes as far as with a Share of one step for
//     all.
//  5. On an error alpha is 0 and y is x0.
//
// alpha has one number for each vertex, y the length of x0; y may be x0 or x1, but must not overlap
// them otherwise.
//
// # How
//
//	alpha = 1, y = x1
//	repeat: for every pair that comes within its d on x0 -> y, at the time toi:
//	            lower alpha of each vertex that moves to max(Floor, alpha x Share x toi);
//	            to 0 if that lowers none, or the pair touches at x0
//	        lower alpha of each vertex to the least of its group
//	        y = x0 + alpha (x1 - x0), rounded
//
// until no alpha is lowered. Only minima and products of unique times enter, so no order matters.
//
// Each pair was tested last on the doubles that its vertices keep. So from the second pass on only
// pairs of which a vertex was lowered are tested; the others keep their proof.
//
// Every pair found lowers an alpha: one of its vertices moves, for a pair that rests has the
// distance of x0. After MaxPasses passes vertices are lowered to 0 at once, and after finishPasses
// more all are.
func Sizes(m *mesh.Mesh, x0, x1, alpha, y []float64, so *SizesOptions, o *Options) (SizesReport, error) {
	return sizesOn(m, &segments{x0, x1}, alpha, y, so, o)
}

// sizesOn is Sizes on any course: sizes_ways.go has the laws on the paths of a motion. On an error
// it writes 0 to alpha and the positions at t = 0 to y.
func sizesOn(m *mesh.Mesh, on sizable, alpha, y []float64, so *SizesOptions, o *Options) (
	report SizesReport, err error) {
	defer func() {
		if err != nil {
			on.stay(y)
			clear(alpha)
		}
	}()
	if so == nil {
		d := DefaultSizesOptions()
		so = &d
	}
	own := orDefault(o)
	if err := on.fits(m); err != nil {
		return report, err
	}
	x0, x1 := on.ends()
	if err := so.check(m, x0, alpha, y, &own); err != nil {
		return report, err
	}
	s := sizings.get(&own)
	defer s.end()
	s.begin(m, x0, x1, so, &own)
	if s.ways, err = on.ways(s, &own); err != nil {
		return report, err
	}
	if err := s.choose(); err != nil {
		return report, err
	}
	report = s.report()
	copy(alpha, s.alpha)
	copy(y, s.y)
	if own.Stats != nil {
		*own.Stats = s.stats
	}
	return report, nil
}

// report sums up the steps.
func (s *sizing) report() SizesReport {
	r := SizesReport{Used: 1, Floor: 1, Passes: int64(s.passes)}
	if s.passes > 1 {
		r.Floor = s.floor
	}
	all, used := 0.0, 0.0
	for v, a := range s.alpha {
		if !s.ways.goes(int32(v)) {
			continue
		}
		if a == 0 {
			r.Resting++
		}
		l := s.ways.length(int32(v))
		all += l
		used += float64(a * l)
	}
	if all > 0 {
		r.Used = used / all
	}
	return r
}
