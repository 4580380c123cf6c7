package proximity

import (
	"fmt"
	"math"
	"runtime"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Options of a call, with the meanings of ccd_options. A nil *Options stands for the zero value.
type Options struct {
	Threads     int                         // 0 = as many as the process may use
	MemoryLimit uint64                      // bytes of working memory and results; 0 = no limit
	BruteForce  bool                        // look at all pairs: quadratic, for comparison
	Progress    func(fraction float64) bool // nil, or called from time to time, never twice at once; true cancels the call
	Stats       *Stats                      // nil, or written
}

// Stats is what a call did and how long it took, with the meanings of ccd_stats.
type Stats struct {
	Boxes         int64                // boxes of vertices, edges and faces
	Candidates    [geom.EdgeFace]int64 // pairs the broad phase handed on, by kind - 1
	Found         int64                // pairs of the result
	SecondsBuild  float64              // boxes, sorting; wall clock
	SecondsBroad  float64              // sweep; summed over threads and divided by their number
	SecondsNarrow float64              // pairs; the same
	SecondsTotal  float64
	PeakBytes     int64 // working memory of the call
	Threads       int32 // threads that were used
}

func (o *Options) check() error {
	if o.Threads < 0 {
		return fmt.Errorf("options.threads is %d: must not be negative", o.Threads)
	}
	return nil
}

func (o *Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// load checks a frame and packs it as a motion at rest.
func load(m *mesh.Mesh, mo *geom.Motion, x []float64) error {
	if len(x) != 3*m.NV {
		return fmt.Errorf("x has %d coordinates; the mesh has %d vertices, so %d: %w", len(x), m.NV, 3*m.NV, status.ErrArgument)
	}
	for i, c := range x {
		if !(math.Abs(c) <= geom.MaxCoordinate) {
			return fmt.Errorf("x[%d][%d] is %v: %w", i/3, i%3, c, status.ErrNonFinite)
		}
	}
	return m.Load(mo, x, x)
}
