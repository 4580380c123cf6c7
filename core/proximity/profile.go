package proximity

import (
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
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
	for i, t := range times {
		if !(t >= 0 && t <= 1) {
			return status.Errorf(status.ErrArgument, "times[%d] is %v: must be in [0, 1]", i, t)
		}
	}
	var mo geom.Trajectories
	if err := m.Load(&mo, x0, x1); err != nil {
		return err
	}
	p := profile{m: m, x0: x0, x1: x1, x: make([]float64, len(x0))}
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
	m         *mesh.Mesh
	x0, x1, x []float64
}

// at computes the distance at the time t.
func (p *profile) at(t float64, o *Options, out *geom.LeastDistance) error {
	off := p.move(t)
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

// move writes the positions at the time t, and returns by how much the distance of any two points
// may differ from the one at the true positions.
func (p *profile) move(t float64) float64 {
	switch t {
	case 0:
		copy(p.x, p.x0)
		return 0
	case 1:
		copy(p.x, p.x1)
		return 0
	}
	top := 0.0
	for i, x := range p.x0 {
		y := p.x1[i]
		p.x[i] = x + float64(t*(y-x))
		top = max(top, math.Abs(x)+math.Abs(y))
	}
	// Two points, each off by less than this along each axis: 2 sqrt 3 < 3.5.
	return float64(3.5*positionError*top) + 0x1p-1068
}

// place writes the points and the normal of the pair at the positions.
func (p *profile) place(d *geom.LeastDistance) {
	q, r := p.m.PairQuery(d.Kind, int32(d.A), int32(d.B), p.x, p.x)
	ends, _ := p.m.PairQuery(d.Kind, int32(d.A), int32(d.B), p.x0, p.x1)
	t := d.T
	if d.T = 0; d.Hi == 0 {
		narrow.PlaceTouching(q, r, d)
	} else {
		narrow.PlaceLeast(q, r, d)
	}
	d.T, d.Epsilon = t, narrow.PlaceError(ends, r)
}
