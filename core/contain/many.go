package contain

import (
	"math"

	"ccd/core/engine"
)

// What Windings writes for a point that has no winding number.
const (
	OnSurface      = math.MinInt32 + 1 // it is on the surface
	UnknownWinding = math.MinInt32 + 2 // it is Unknown where it is
)

// block is how many points a worker takes at a time.
const block = 64

// Windings writes the winding number of the closed surface around each point to out, on the threads
// of the call. The result does not depend on them.
func (s *Solid) Windings(c *engine.Call, out []int32, point func(i int) Point) error {
	blocks := (len(out) + block - 1) / block
	tasks := engine.NewTasks(0, blocks)
	c.Progress.Part(int64(blocks), 1)
	return c.Run(blocks, func(int) {
		for b := range tasks.All() {
			for i := b * block; i < min((b+1)*block, len(out)); i++ {
				p := point(i)
				switch w, place := s.Winding(&p); place {
				case On:
					out[i] = OnSurface
				case Unknown:
					out[i] = UnknownWinding
				default:
					out[i] = w
				}
			}
			if !c.Progress.Pass(1) {
				tasks.Stop()
			}
		}
	})
}
