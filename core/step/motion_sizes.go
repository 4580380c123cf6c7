package step

import (
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/status"
)

// sizesOnPaths is Sizes for a motion of one piece: it chooses for each vertex how much of its path
// it goes. With Y = paths.Cut(alpha), of which vertex i goes along its path up to alpha[i] as t
// runs from 0 to 1, the laws of Sizes hold with Y in place of the segments from x0 to y:
//
//  1. Every pair that is not known to touch at t = 0 keeps more than its d for every t in [0, 1] of Y: in exact arithmetic for just the control points of Y, and
//     where radii are above 0 for every path within the radii of Y, among which is that of the motion up to alpha.
//  2. y is where Y ends: its last control points, which are the first ones bit for bit where alpha is 0, and those of the motion where it is 1.
//  3. alpha is what the algorithm of Sizes defines, with Y in place of x0 -> y.
//  4. alpha is 0 or at least Floor.
//  5. On an error alpha is 0 and y is where the paths begin.
//
// The distance of a pair at t = 0 is that of the first control points less the radii rho of both,
// rounded down; it is known to touch where that is not above 0.
//
// A motion of degree 1 with radius 0 has the bits of Sizes. Of a body that turns the tube of its
// piece is meant: nothing is enclosed anew.
//
// In pieces the law has no such form. Vertex i then changes from one polynomial to the next at the
// times tau_j / alpha_i, which differ from vertex to vertex: Y would have a piece for each of these
// times, as many as vertices, and each pass would have others.
func sizesOnPaths(m *mesh.Mesh, paths *motion.Motion, alpha, y []float64, so *SizesOptions, o *Options) (report SizesReport, err error) {
	if err := fits(m, paths); err != nil {
		clear(alpha)
		return report, err
	}
	control, n := paths.Control(), 3*m.NV
	x0, x1 := control[:n], control[len(control)-n:]
	if paths.Linear() {
		return Sizes(m, x0, x1, alpha, y, so, o)
	}
	defer func() {
		if err != nil && len(y) == n {
			copy(y, x0)
		}
		if err != nil {
			clear(alpha)
		}
	}()
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if so == nil {
		d := DefaultSizesOptions()
		so = &d
	}
	if o.Candidates != nil {
		return report, status.Errorf(status.ErrUnsupported, "options.candidates: the steps of vertices on a motion find their own")
	}
	if paths.Pieces() > 1 {
		return report, status.Errorf(status.ErrUnsupported, "motion has %d pieces: the steps of vertices need a motion of one", paths.Pieces())
	}
	if err := so.check(m, x0, alpha, y, o); err != nil {
		return report, err
	}
	return sizesUpTo(m, paths, x0, x1, alpha, y, so, o)
}
