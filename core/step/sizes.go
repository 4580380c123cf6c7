package step

import (
	"fmt"

	"ccd/core/mesh"
	"ccd/core/status"
)

// SizesOptions are the options of Sizes beside those of a step.
type SizesOptions struct {
	// Groups is nil, or has a group by vertex: the vertices of a group have one step. A group is
	// less than the number of vertices, and negative for a vertex that is in none.
	Groups []int32
	// Share, in (0, 1), is the part of the way to its impact that a pair keeps.
	Share float64
	// KeepRatio, in [0, 1], is the part of its distance at x0 that a pair within the separation
	// keeps.
	KeepRatio float64
	// MaxPasses, at least 1, is the number of searches after which vertices in contact rest.
	MaxPasses int
}

// DefaultSizesOptions returns a share of 0.9, a ratio of 0.5 and 64 passes.
func DefaultSizesOptions() SizesOptions {
	return SizesOptions{Share: 0.9, KeepRatio: 0.5, MaxPasses: 64}
}

// SizesReport says what Sizes did.
type SizesReport struct {
	Used    float64 // sum |alpha (x1 - x0)| / sum |x1 - x0| over the vertices; 1 if none moves
	Floor   float64 // the alpha of a vertex is at least Floor, or 0; 1 if no pair came too near
	Resting int64   // vertices with alpha 0 of which x1 is not x0
	Passes  int64   // searches, of which the first concerned the whole mesh
}

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
	s := sizings.Get().(*sizing)
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

// check returns an error for the first argument that is wrong. The searches check x0, x1 and the
// other options.
func (so *SizesOptions) check(m *mesh.Mesh, x0, alpha, y []float64, o *Options) error {
	switch {
	case len(alpha) != m.NV:
		return fmt.Errorf("alpha has %d values; the mesh has %d vertices", len(alpha), m.NV)
	case len(y) != len(x0):
		return fmt.Errorf("y has %d coordinates; x0 has %d", len(y), len(x0))
	case so.Groups != nil && len(so.Groups) != m.NV:
		return fmt.Errorf("groups has %d ids; the mesh has %d vertices", len(so.Groups), m.NV)
	case !(so.Share > 0 && so.Share < 1):
		return fmt.Errorf("share is %v: must be in (0, 1)", so.Share)
	case !(so.KeepRatio >= 0 && so.KeepRatio <= 1):
		return fmt.Errorf("keep_ratio is %v: must be in [0, 1]", so.KeepRatio)
	case so.MaxPasses < 1:
		return fmt.Errorf("max_passes is %d: must be positive", so.MaxPasses)
	case o.Region != nil:
		return o.allPairs("the steps of vertices concern")
	case o.TMax != 1:
		return status.Errorf(status.ErrUnsupported,
			"options.t_max is %v: the steps of vertices concern whole steps, to t = 1", o.TMax)
	case !o.Unique():
		return status.Errorf(status.ErrUnsupported,
			"options.method is %d: the steps of vertices need the exact method", o.Method)
	}
	for i, g := range so.Groups {
		if int(g) >= m.NV {
			return status.Errorf(status.ErrIndex,
				"groups[%d] is %d: must be less than the number of vertices, %d", i, g, m.NV)
		}
	}
	return nil
}

// report sums up the steps.
func (s *sizing) report() SizesReport {
	r := SizesReport{Used: 1, Floor: 1, Passes: int64(s.passes)}
	if s.passes > 1 {
		r.Floor = s.floor
	}
	all, used := 0.0, 0.0
	for v, a := range s.alpha {
		if !s.ways.moves(int32(v)) {
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
