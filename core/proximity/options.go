package proximity

import (
	"errors"
	"fmt"
	"math"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Options of a call, with the meanings of ccd_options. A nil *Options stands for the zero value. In
// the statistics Impacts is the pairs of the result.
type Options struct {
	engine.CallOptions
	BruteForce bool          // test all pairs: quadratic, for comparison
	Region     *broad.Region // nil, or the region whose pairs Near returns; other calls return status.ErrUnsupported
}

// load checks the positions x and packs them as a motion at rest.
func load(m *mesh.Mesh, mo *geom.Trajectories, x []float64, threads int) error {
	if len(x) != 3*m.NV {
		return status.Errorf(status.ErrArgument, "x has %d coordinates: the mesh has %d vertices, so it must have %d",
			len(x), m.NV, 3*m.NV)
	}
	err := m.LoadParallel(mo, x, x, threads)
	if !errors.Is(err, status.ErrNonFinite) {
		return err
	}
	for i, c := range x {
		if !(math.Abs(c) <= geom.MaxCoordinate) {
			return fmt.Errorf("x[%d][%d] is %v: %w", i/3, i%3, c, status.ErrNonFinite)
		}
	}
	return err
}
