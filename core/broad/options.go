package broad

import (
	"fmt"
	"runtime"

	"ccd/core/engine"
	"ccd/core/mesh"
)

// Options of a broad phase.
type Options struct {
	MinSeparation float64                     // pairs that come within this distance are candidates
	Radii         *mesh.Radii                 // nil, or radii of the boxes in place of the mesh's
	Region        *Region                     // nil, or the region whose pairs are wanted; the processor finds them
	Remote        *Remote                     // nil, or a device that finds the pairs; Err says whether it did
	Threads       int                         // 0 = as many as the process may use
	Progress      func(fraction float64) bool // nil, or called from time to time; true cancels the call
	// MemoryLimit is in bytes, 0 for no limit. A call whose plan and candidates would take more
	// returns status.ErrMemory.
	MemoryLimit uint64
	Stats       *engine.Stats // nil, or written by a call that succeeds
}

// threads returns the number of threads.
func (o *Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// radii returns the radii of the boxes, or an error.
func (o *Options) radii(m *mesh.Mesh) (*mesh.Radii, error) {
	if o.Radii != nil {
		return o.Radii, nil
	}
	r := m.Filter().Radii()
	return r, r.Check(o.MinSeparation)
}

func (o *Options) check() error {
	if !(o.MinSeparation >= 0) || o.MinSeparation > 1e150 {
		return fmt.Errorf("options.min_separation is %v: must be in [0, 1e150]", o.MinSeparation)
	}
	if err := o.Region.Check(); err != nil {
		return fmt.Errorf("options.%w", err)
	}
	if o.Threads < 0 {
		return fmt.Errorf("options.threads is %d: must not be negative", o.Threads)
	}
	return nil
}
