// Package d2m finds the earliest contact of rigid bodies by D2M, the method of [Buddingh2017]:
// trees of spheres, and second-order root finding for every pair of features that is left.
//
// It is the reference implementation of the conservative advancement of package rigid: slower, and
// with nothing in common but the definition of a motion and the last step back. Its Search is a
// rigid.Search, which capi hands over; package rigid does not know it. docs/papers.md says what is
// taken from the paper and where we depart.
//
// search.go searches the trees of two bodies, which sphere_tree.go builds; mesh.go searches a body
// and an element of a mesh. features.go is the function of time that vanishes where two features
// meet, pair.go the pair of motions and the directions that separate two moving hulls, plane.go a
// face's plane at rest, and track.go the arithmetic of moving vectors with bounds on their errors.
package d2m

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid"
	"ccd/core/status"
)

// Search is a rigid.Search.
//
// It keeps laws 1 and 2 of rigid.Solver.Earliest with touching in place of MinSeparation: before
// TOIHi the surfaces do not touch, and at it they are within a quarter of Tolerance but for
// rounding. The pose at TOILo is proven to keep MinSeparation (an eighth of Tolerance where that is
// 0), unless it is the one at TMin. With SpheresOnly laws 1 and 2 hold likewise, but not 3.
type Search struct {
	// SpheresOnly ends the search at spheres around small parts (CAPOEIRA in the paper): fast and
	// approximate, for the surfaces may be far apart where two of these spheres meet, or never
	// meet. Contacts are flagged so. Not against a mesh.
	SpheresOnly bool
}

// Check reports an option that the method does not have.
func (s Search) Check(o *rigid.Options, mesh bool) error {
	switch {
	case o.Flags&rigid.IgnoreSeparating != 0:
		return fmt.Errorf("options.flags is %#x: D2M does not ignore what parts; choose the default method: %w",
			o.Flags, status.ErrUnsupported)
	case mesh && s.SpheresOnly:
		return fmt.Errorf("options.method is d2m_spheres: not against a mesh; choose d2m: %w", status.ErrUnsupported)
	}
	return nil
}

// Find searches two bodies, or a body and an element.
func (s Search) Find(c *rigid.Call) {
	m, ok := c.Scratch.(*state)
	if !ok {
		m = new(state)
		c.Scratch = m
	}
	if c.Bodies[1] == nil {
		m.mesh.find(c)
	} else {
		m.bodies.find(c, s.SpheresOnly)
	}
}

// state is the scratch of one solver.
type state struct {
	bodies bodies
	mesh   meshSearch
}

// epsilon is how wide the root finder's last interval is at most: no point moves by more than an
// eighth of the tolerance in it.
func epsilon(c *rigid.Call) float64 {
	o := c.Options
	return max(0.125*o.Tolerance/max(c.Speed, 0x1p-500), 0x1p-52*max(math.Abs(o.TMin), math.Abs(o.TMax)))
}

// find answers the call.
func (s *bodies) find(c *rigid.Call, spheresOnly bool) {
	s.warm = false // a result has the same bits whatever the earlier queries were
	f := s.earliest(treeOf(c.Bodies[0]), treeOf(c.Bodies[1]), c.Motions[0], c.Motions[1], c.From, c.To,
		options{epsilon: epsilon(c), spheresOnly: spheresOnly, budget: int(min(c.Budget, math.MaxInt32))})
	c.Steps = int64(f.steps)
	im := c.Out
	switch {
	case f.verdict == geom.Undecided:
		im.SetUndecided(f.lo, geom.ReasonIterations)
	case f.spheresOnly:
		im.Verdict, im.TOILo, im.TOIHi, im.Flags = geom.Contact, f.lo, f.hi, rigid.Approximate
		if f.initial && c.From == c.Options.TMin {
			im.Flags |= rigid.InitialContact
		}
	case f.verdict == geom.Contact:
		stepBack(c, f.lo, c.Options.TMin, f.faces, f.initial)
	}
}

// treeOf is the body's tree of spheres, built at the first call.
func treeOf(b *rigid.Body) *sphereTree {
	return b.Attached(func() any {
		n := int32(0)
		for _, f := range b.Faces {
			n = max(n, f[0]+1, f[1]+1, f[2]+1)
		}
		vertices := make([]r3.Vec, n)
		for i, f := range b.Faces {
			for k, p := range b.Corners(int32(i)) {
				vertices[f[k]] = p
			}
		}
		return newSphereTree(vertices, b.Faces, 1.0/32)
	}).(*sphereTree)
}

// stepBack writes the contact of two faces at the time lo, the beginning of the root finder's last
// interval, before which the surfaces are proven not to touch. They may do so before its end.
//
// Then it takes the paper's step back (section V): from the contact by what the two need, at the
// speed with which they close along the normal, to open MinSeparation and half the tolerance. That
// step is no proof, for the speed may change on the way and other parts may be closer. So the pose
// is tested by package rigid, at that one time, and the step doubled until it is proven to keep
// MinSeparation; at start at the latest. TOILo is then the proven pose.
func stepBack(c *rigid.Call, lo, start float64, faces [2]int32, initial bool) {
	o, im := c.Options, c.Out
	closing := c.Touch(lo, faces[0], faces[1], initial)
	back := (o.MinSeparation + float64(0.5*o.Tolerance)) / max(closing, 0x1p-500)
	for t := lo; t > start; back *= 2 {
		t = max(num.SubDown(lo, back), start)
		if c.Keeps(t) {
			im.TOILo = t
			return
		}
	}
	im.TOILo = start
	if start == o.TMin {
		im.Flags |= rigid.InitialContact
	}
}
