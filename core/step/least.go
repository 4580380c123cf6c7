package step

import (
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/core/status"
)

// SearchLeast finds the pair of a mesh with the least distance over a step during which no pair
// touches: the one with the least Hi, of equal ones the first in the order (kind, a, b); Kind 0
// without a pair. Lo bounds the distance of all pairs from below. Each pair's Hi - Lo is at most
// the bracket. It is proximity.LeastDistance, which capi passes, because this package does not
// import that one.
type SearchLeast func(bracket float64, o *engine.CallOptions) (geom.LeastDistance, error)

// LeastDistance brackets the least distance, less radii, that any pair of the mesh has at a time in
// [0, TMax], in the Euclidean norm: laws D1 to D6 of docs/numerics.md. Without a pair Kind is 0, A
// and B are -1, T is 0, and Lo and Hi are +Inf.
//
// Options are those of Earliest; MinSeparation and the method do not matter. With CheckStart an
// edge that passes through a face at x0 is a pair at distance 0. Candidates and a device
// that must be used are not supported. The search is not part of MemoryLimit.
//
// If a pair touches, Earliest finds it, and the distance is 0. Else the result is the search's, but
// for Lo: let H be the least Hi and w the bracket. A pair has Lo >= Hi - w >= H - w, so H - w,
// rounded down, is a lower bound for all pairs, which depends on no order. No proof rests on that
// width: the search's own lower bound, which is at least H - w, is returned if it should ever be
// less.
func LeastDistance(m *mesh.Mesh, x0, x1 []float64, search SearchLeast, o *Options) (geom.LeastDistance, error) {
	return leastOf(&leastOnLines{m, x0, x1}, search, o)
}

// LeastOnPaths is LeastDistance on the paths of a motion: laws D6 and D8. If the paths have radii,
// whether a pair touches is not known: the distance is then in [0, Hi], where Hi bounds that of the
// impact's pair at its time.
//
// With radii of at most R the bracket of a pair is wider than w by at most what two primitives may
// be off on both sides: 4 R.
func LeastOnPaths(m *mesh.Mesh, paths *motion.Motion, search SearchLeast, o *Options) (geom.LeastDistance, error) {
	return leastOf(&leastOnPaths{m, paths}, search, o)
}

// leastCourse is what moves in a search for a least distance.
type leastCourse interface {
	earliest(o *Options) (geom.Impact, error)
	extent() float64 // returns the size of the scene
	spare() float64  // returns by how much more than asked for a pair's bracket may be wide
	// touching returns the least distance of a step with an impact.
	touching(im *geom.Impact, tMax float64) geom.LeastDistance
	place(d *geom.LeastDistance) // writes the points
}

// leastOf is LeastDistance for any course.
func leastOf(of leastCourse, search SearchLeast, o *Options) (geom.LeastDistance, error) {
	none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	here, err := leastOptions(o)
	if err != nil {
		return none, err
	}
	var stats [2]engine.Stats
	here.Stats, here.Progress = &stats[0], engine.Half(o.Progress, 0)
	first, err := of.earliest(here)
	if err != nil {
		return none, err
	}
	var best geom.LeastDistance
	if first.Verdict == geom.Contact {
		best = of.touching(&first, o.TMax)
	} else {
		size := of.extent()
		if size > 0x1p-4*geom.MaxCoordinate {
			return none, status.Errorf(status.ErrUnsupported,
				"x0 and x1 extend over %v: the least distance of a step needs at most %v",
				size, 0x1p-4*geom.MaxCoordinate)
		}
		bracket := narrow.LeastShare * size
		call := o.CallOptions
		call.Stats, call.Progress = &stats[1], engine.Half(o.Progress, 1)
		if best, err = search(bracket, &call); err != nil {
			return none, err
		}
		switch {
		case best.Kind == 0:
			best = none
		case bracket < leastExact:
			best.Lo = 0
		default:
			best.Lo = max(0, min(best.Lo, num.SubDown(best.Hi, num.AddUp(bracket, of.spare()))))
		}
	}
	if o.Stats != nil {
		stats[0].Add(&stats[1])
		*o.Stats = stats[0]
		o.Stats.Impacts = int64(min(1, best.Kind))
	}
	of.place(&best)
	return best, nil
}

// leastOnLines is a straight step.
type leastOnLines struct {
	m      *mesh.Mesh
	x0, x1 []float64
}

func (l *leastOnLines) earliest(o *Options) (geom.Impact, error) { return Earliest(l.m, l.x0, l.x1, o) }
func (l *leastOnLines) extent() float64                          { return narrow.Extent(l.x0, l.x1) }
func (l *leastOnLines) spare() float64                           { return 0 }

func (l *leastOnLines) touching(im *geom.Impact, _ float64) geom.LeastDistance {
	return narrow.Touching(im)
}

func (l *leastOnLines) place(d *geom.LeastDistance) {
	switch q, r := l.m.PairQuery(d.Kind, int32(d.A), int32(d.B), l.x0, l.x1); {
	case d.Kind == 0:
	case d.Hi == 0:
		narrow.PlaceTouching(q, r, d)
	default:
		narrow.PlaceLeast(q, r, d)
	}
}

// leastOnPaths is a motion.
type leastOnPaths struct {
	m     *mesh.Mesh
	paths *motion.Motion
}

func (l *leastOnPaths) earliest(o *Options) (geom.Impact, error) {
	return Curved(l.m, l.paths).Earliest(o)
}

func (l *leastOnPaths) extent() float64 {
	return narrow.Extent(l.paths.Control(), l.paths.Control())
}

func (l *leastOnPaths) spare() (most float64) {
	if l.paths.Refines() { // The search makes the radii as small as it needs them.
		return 0
	}
	for i := range l.paths.Vertices() {
		most = max(most, l.paths.LargestRadius(i))
	}
	return 4 * most
}

func (l *leastOnPaths) touching(im *geom.Impact, tMax float64) geom.LeastDistance {
	d := narrow.Touching(im)
	if !l.paths.HasRadii() || im.Kind == geom.EdgeFace {
		return d
	}
	q, r := l.m.PairQuery(im.Kind, int32(im.A), int32(im.B), l.paths.Control(), l.paths.Control())
	vertices := l.m.Indices(im.Kind, int32(im.A), int32(im.B))
	pair := narrow.PathPair{Motion: l.paths, Kind: im.Kind, Vertices: vertices[:len(q)/6], Radii: r, TMax: tMax}
	d.Hi = narrow.NewPathLeast(narrow.NewSolver()).DistanceAt(&pair, d.T, narrow.LeastShare*l.extent())
	return d
}

// place writes the points: those of the pair at the positions at its time, which are rounded.
func (l *leastOnPaths) place(d *geom.LeastDistance) {
	if d.Kind == 0 {
		return
	}
	n := l.paths.Vertices()
	x, radius := make([]float64, 3*n), make([]float64, n)
	l.paths.Place(d.T, x, radius)
	q, r := l.m.PairQuery(d.Kind, int32(d.A), int32(d.B), x, x)
	t := d.T
	if d.T = 0; d.Lo == 0 && d.Hi == 0 {
		narrow.PlaceTouching(q, r, d)
	} else {
		narrow.PlaceLeast(q, r, d)
	}
	most, off := narrow.PlaceError(q, r), 0.0
	for _, v := range l.m.PairVertices(d.Kind, int32(d.A), int32(d.B)) {
		most, off = max(most, narrow.PlaceError(motion.ControlOf(l.paths, v), r)), max(off, radius[v])
	}
	d.T, d.Epsilon = t, num.AddUp(most, off)
}

// leastExact is the least width of a bracket at which its own rounding does not matter: nothing
// underflows.
const leastExact = 0x1p-960

// leastOptions are those of the searches.
func leastOptions(o *Options) (*Options, error) {
	err := o.refuse(unsupported{
		candidates: "the least distance concerns all pairs of a step",
		region:     "the least distance concerns all pairs of a step",
		device:     "the least distance is computed on the CPU",
	})
	if err != nil {
		return nil, err
	}
	here := *o
	here.Device, here.MinSeparation, here.Method = nil, 0, narrow.Exact
	here.Flags &^= narrow.MaxNorm
	return &here, nil
}
