package proximity

import (
	"math"
	"slices"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/core/status"
)

// positionError is how far a coordinate of Profile's positions may be from the true one, over
// |x0| + |x1|: 4 units of rounding, of which 3 are used (docs/proofs/least-distance.md).
const positionError = 0x1p-51

// Profile brackets the distance of a mesh, less radii, at each of some times of a step: law D7 of
// docs/numerics.md. The results are those of Distance at the positions there, widened by how far
// rounding may have moved them; at t = 0 and 1 these are the ends themselves. The pair, its points
// and its normal are those of the rounded positions. Without a pair Kind is 0, and Lo and Hi are
// +Inf. The times are in [0, 1].
func Profile(m *mesh.Mesh, x0, x1, times []float64, out []geom.LeastDistance, o *Options) error {
	var mo geom.Trajectories
	if err := m.Load(&mo, x0, x1); err != nil {
		return err
	}
	p := profile{m: m, mover: &segments{x0, x1}, x: make([]float64, len(x0))}
	return p.run(times, out, o)
}

// ProfileOnPaths is Profile for vertices on the paths of a motion: law D9. The distances are
// widened by the radii of the paths, and by what rounding takes from the positions.
func ProfileOnPaths(m *mesh.Mesh, paths *motion.Motion, times []float64, out []geom.LeastDistance, o *Options) error {
	n := paths.Vertices()
	p := profile{m: m, mover: &onPaths{motion: paths, radius: make([]float64, n)}, x: make([]float64, 3*n)}
	return p.run(times, out, o)
}

// run computes the distances at all times.
func (p *profile) run(times []float64, out []geom.LeastDistance, o *Options) error {
	for i, t := range times {
		if !(t >= 0 && t <= 1) {
			return status.Errorf(status.ErrArgument, "times[%d] is %v: must be in [0, 1]", i, t)
		}
	}
	var total engine.Stats
	for i, t := range times {
		call := *o
		var stats engine.Stats
		call.Stats, call.Progress = &stats, engine.Share(o.Progress, i, len(times))
		if err := p.at(t, &call, &out[i]); err != nil {
			return err
		}
		if i == 0 {
			total = stats
		} else {
			total.Add(&stats)
		}
	}
	if o.Stats != nil {
		*o.Stats = total
	}
	return nil
}

// profile is a step of a mesh whose distances are computed at several times.
type profile struct {
	m     *mesh.Mesh
	mover mover
	x     []float64
}

// mover places the vertices of a profile.
type mover interface {
	// move writes the positions at the time t, and returns by how much the distance of any two
	// points may differ from the one at the true positions.
	move(t float64, x []float64) float64
	// epsilon returns that of the points of a pair, of which q are the positions.
	epsilon(m *mesh.Mesh, d *geom.LeastDistance, q []float64, r [2]float64) float64
}

// segments is the mover of a straight step.
type segments struct{ x0, x1 []float64 }

// onPaths is the mover of a motion.
type onPaths struct {
	motion *motion.Motion
	radius []float64 // how far each vertex may be from its position
}

// at computes the distance at the time t.
func (p *profile) at(t float64, o *Options, out *geom.LeastDistance) error {
	off := p.mover.move(t, p.x)
	near, err := Distance(p.m, p.x, o)
	if err != nil {
		return err
	}
	*out = geom.LeastDistance{Kind: near.Kind, A: near.A, B: near.B, T: t, Lo: near.Lo, Hi: near.Hi, U: near.U,
		V: near.V, PointA: near.PointA, PointB: near.PointB}
	if near.Kind == 0 {
		return nil
	}
	p.place(out)
	if off > 0 {
		out.Lo, out.Hi = max(0, num.SubDown(out.Lo, off)), num.AddUp(out.Hi, off)
	}
	return nil
}

func (g *segments) move(t float64, x []float64) float64 {
	switch t {
	case 0:
		copy(x, g.x0)
		return 0
	case 1:
		copy(x, g.x1)
		return 0
	}
	top := 0.0
	for i, a := range g.x0 {
		b := g.x1[i]
		x[i] = a + float64(t*(b-a))
		top = max(top, math.Abs(a)+math.Abs(b))
	}
	// Two points, each off by less than this along each axis: 2 sqrt 3 < 3.5.
	return float64(3.5*positionError*top) + 0x1p-1068
}

func (g *segments) epsilon(m *mesh.Mesh, d *geom.LeastDistance, _ []float64, r [2]float64) float64 {
	ends, _ := m.PairQuery(d.Kind, int32(d.A), int32(d.B), g.x0, g.x1)
	return narrow.PlaceError(ends, r)
}

func (g *onPaths) move(t float64, x []float64) float64 {
	g.motion.Place(t, x, g.radius)
	most := slices.Max(g.radius)
	return num.AddUp(most, most)
}

// epsilon adds the largest radius at the time to what rounding does at the positions.
func (g *onPaths) epsilon(_ *mesh.Mesh, _ *geom.LeastDistance, q []float64, r [2]float64) float64 {
	return num.AddUp(narrow.PlaceError(q, r), slices.Max(g.radius))
}

// place writes the points and the normal of the pair at the positions.
func (p *profile) place(d *geom.LeastDistance) {
	q, r := p.m.PairQuery(d.Kind, int32(d.A), int32(d.B), p.x, p.x)
	t := d.T
	if d.T = 0; d.Hi == 0 {
		narrow.PlaceTouching(q, r, d)
	} else {
		narrow.PlaceLeast(q, r, d)
	}
	d.T, d.Epsilon = t, p.mover.epsilon(p.m, d, q, r)
}
