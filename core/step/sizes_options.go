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
	case o.TMax != 1:
		return status.Errorf(status.ErrUnsupported,
			"options.t_max is %v: the steps of vertices concern whole steps, to t = 1", o.TMax)
	case !o.Unique():
		return status.Errorf(status.ErrUnsupported,
			"options.method is %d: the steps of vertices need the exact method", o.Method)
	}
	if err := o.refuse(unsupported{region: "the steps of vertices concern all pairs of a step"}); err != nil {
		return err
	}
	for i, g := range so.Groups {
		if int(g) >= m.NV {
			return status.Errorf(status.ErrIndex,
				"groups[%d] is %d: must be less than the number of vertices, %d", i, g, m.NV)
		}
	}
	return nil
}
