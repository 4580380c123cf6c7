package step

import (
	"math"
	"slices"
	"time"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/num"
)

// Earliest is the first impact of m as vertex i moves on the segment x0[i] -> x1[i] (row-major, m.NV x 3 doubles each).
//
// Separate is a proof: no pair comes within the separation for t <= TMax. Otherwise none does so for t < TOILo. Of several
// pairs with the same TOILo the first in the order (kind, a, b) is reported.
func Earliest(m *mesh.Mesh, x0, x1 []float64, o *Options) (geom.Impact, error) {
	all, err := Collisions(m, x0, x1, o)
	if err != nil || len(all) == 0 {
		var none geom.Impact
		if err == nil {
			none.SetSeparate(0)
		}
		return none, err
	}
	return all[0], nil
}

// Collisions is every pair that is not Separate, sorted by (TOILo, kind, a, b).
func Collisions(m *mesh.Mesh, x0, x1 []float64, o *Options) ([]geom.Impact, error) {
	c, err := newCall(m, x0, x1, o)
	if err != nil {
		return nil, err
	}
	return c.collisions()
}

// Size is a safe step: for every t in [0, alpha] all pairs keep more than the separation. It is TMax when no pair comes too
// near, and with NoZeroTOI it is 0 only when a pair is too near at t = 0.
//
// Distances exceed the separation for t < TOILo, and may equal it there: alpha is the double before.
func Size(m *mesh.Mesh, x0, x1 []float64, o *Options) (float64, error) {
	im, err := Earliest(m, x0, x1, o)
	switch {
	case err != nil:
		return 0, err
	case im.Verdict != geom.Separate:
		return math.Max(0, num.Down(im.TOILo)), nil
	case o == nil:
		return 1, nil
	}
	return o.TMax, nil
}

// call is one call under way.
type call struct {
	m  *mesh.Mesh
	mo geom.Motion
	o  *Options

	began time.Time
	stats Stats
}

func newCall(m *mesh.Mesh, x0, x1 []float64, o *Options) (*call, error) {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	c := &call{m: m, o: o, began: time.Now()}
	if err := o.check(nil); err != nil {
		return nil, err
	}
	if err := load(m, &c.mo, x0, x1, o); err != nil {
		return nil, err
	}
	c.stats.Threads = int32(o.threads())
	c.stats.Boxes = int64(m.NV + len(m.Edges) + len(m.Faces))
	return c, nil
}

func (c *call) collisions() ([]geom.Impact, error) {
	candidates, err := broad.Sweep(c.m, &c.mo, broad.Options{MinSeparation: c.o.MinSeparation, Threads: c.o.Threads})
	if err != nil {
		return nil, err
	}
	g := broad.Gate{Progress: c.o.Progress, Total: float64(candidates.Len())}
	n := c.o.threads()
	found := make([][]geom.Impact, n)
	err = broad.Crew(n, func(w int) {
		solver := narrow.NewSolver()
		var idx [][4]int32
		const block = 256
		turn := 0
		for k := geom.VertexFace; k <= geom.PointPoint; k++ {
			pairs := candidates.Of(k)
			for lo := 0; lo < len(pairs); lo += block {
				turn++
				if turn%n != w {
					continue
				}
				b := pairs[lo:min(lo+block, len(pairs))]
				idx = idx[:0]
				for _, p := range b {
					idx = append(idx, c.m.Indices(k, p[0], p[1]))
				}
				solver.Batch(k, &c.mo, idx, &c.o.Options, func(i int, im *geom.Impact) {
					im.A, im.B = int64(b[i][0]), int64(b[i][1])
					found[w] = append(found[w], *im)
				})
				if !g.Pass(int64(len(b))) {
					return
				}
			}
		}
	})
	if err == nil && g.Cancelled() {
		err = ErrCancelled
	}
	if err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	slices.SortFunc(all, func(x, y geom.Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	c.count(candidates, all)
	return all, nil
}

func (c *call) count(candidates *broad.Candidates, all []geom.Impact) {
	for k := range c.stats.Candidates {
		c.stats.Candidates[k] = int64(len(candidates.Of(geom.Kind(k + 1))))
	}
	c.stats.Impacts = int64(len(all))
	for i := range all {
		if all[i].Verdict == geom.Undecided {
			c.stats.Undecided++
		}
	}
	c.stats.SecondsTotal = time.Since(c.began).Seconds()
	if c.o.Stats != nil {
		*c.o.Stats = c.stats
	}
}
