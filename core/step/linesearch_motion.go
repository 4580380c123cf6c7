package step

import (
	"ccd/core/engine"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/core/status"
)

// lineSearchOnPaths is LineSearch for a motion: it bounds the times alpha at which a line search
// may leave it, with Distance at t = 0.
//
// A motion of degree 1, one piece and radius 0 has the bits and the laws of LineSearch. Otherwise,
// on the paths:
//
//  1. For every t in [0, Alpha] all pairs keep more than Separation = share x Distance.
//  2. All pairs are farther apart than Distance at 0. It is at most the cap. All three fields are 0 if a pair touches at 0, or with CheckStart an edge passes
//     through a face of the positions there.
//  3. Where radii are 0, or are made anew on parts down to rounding, Alpha is positive. With other radii it is 0 if a pair's distance at 0 is at most
//     Separation and twice the radii of its primitives together.
//  4. Alpha is TMax when no pair comes as near as Separation, and twice these radii or the tolerance.
//
// Why 1 holds: Alpha is sizeOnPaths with this separation. 2: Distance is that of the positions of
// motion.Place at 0, a certified bound, less twice the largest of the radii there, within which the
// vertices are: a distance is between two points, each a convex combination of vertices. 3: the
// polynomials are within rho of the paths, so at 0 they are farther apart than Distance - rho; a
// contact at 0 needs Separation + rho. The tolerance is lowered to half of Distance - Separation,
// and 2 rho is at most the tolerance of a motion that refines.
func lineSearchOnPaths(m *mesh.Mesh, paths *motion.Motion, share float64, o *Options) (Bound, error) {
	if err := checkLineSearch(share, o); err != nil {
		return Bound{}, err
	}
	if err := narrow.CheckMotion(&o.Options); err != nil {
		return Bound{}, err
	}
	if err := fits(m, paths); err != nil {
		return Bound{}, err
	}
	if o.DeviceOnly {
		return Bound{}, status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: motions are computed on the CPU")
	}
	if paths.Linear() {
		return LineSearch(m, paths.Control()[:3*m.NV], paths.Control()[3*m.NV:], share, o)
	}
	x, radius := make([]float64, 3*m.NV), make([]float64, m.NV)
	paths.Place(0, x, radius)
	inner := *o
	inner.Progress = engine.Half(o.Progress, 0)
	distance, err := startDistance(m, x, x, &inner)
	if err != nil {
		return Bound{}, err
	}
	most := 0.0
	for _, r := range radius {
		most = max(most, r)
	}
	if most > 0 {
		distance = max(0, num.SubDown(distance, 2*most))
	}
	if distance == 0 {
		return Bound{}, nil
	}
	b := Bound{Distance: distance, Separation: float64(share * distance)}
	inner.CheckStart = false
	inner.MinSeparation, inner.Progress = b.Separation, engine.Half(o.Progress, 1)
	if half := 0.5 * (b.Distance - b.Separation); half > 0 {
		inner.Tolerance = min(inner.Tolerance, half)
	}
	b.Alpha, err = sizeOnPaths(m, paths, &inner)
	return b, err
}
