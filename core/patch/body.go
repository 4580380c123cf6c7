package patch

import (
	"fmt"

	"ccd/core/status"
)

// Body is a set of patches on common control points: what a mesh is to triangles. Patches that
// share control points at corners or along edges are neighbors there. A body does not change; a
// BodyStep has its control points.
type Body struct {
	points  int
	patches []patchRef
	index   []int32
	weights []float64 // one for each entry of index, or nil
	// nurbs is the surface whose control points the body has, or nil. The patches of such a body
	// are computed at every step.
	nurbs *NURBS

	trims []trimming // What counts of each patch; nil: all of it.

	lagrange bool // the control points are nodes of finite elements, and the patches are computed at every step
}

// patchRef is one patch of a body: its form, and where its control points begin in the index.
type patchRef struct {
	form  Form
	first int
}

// NewBody makes a body of the given number of control points. index holds the control points of
// each patch in turn, in the order of its form; weights, or nil, one for each entry.
func NewBody(points int, forms []Form, index []int32, weights []float64) (*Body, error) {
	b := &Body{points: points, index: index, weights: weights}
	at := 0
	for i, f := range forms {
		if err := f.Check(); err != nil {
			return nil, fmt.Errorf("patch %d: %w", i, err)
		}
		b.patches = append(b.patches, patchRef{f, at})
		at += f.Points()
	}
	if at != len(index) {
		return nil, status.Errorf(status.ErrArgument, "index has %d entries: the patches need %d", len(index), at)
	}
	for i, p := range index {
		if p < 0 || int(p) >= points {
			return nil, status.Errorf(status.ErrIndex, "index[%d] is %d: there are %d control points", i, p, points)
		}
	}
	if weights == nil {
		return b, nil
	}
	if len(weights) != at {
		return nil, status.Errorf(status.ErrArgument, "%d weights for %d indices", len(weights), at)
	}
	for i, p := range b.patches {
		if err := checkWeights(p.form.Points(), weights[p.first:p.first+p.form.Points()]); err != nil {
			return nil, fmt.Errorf("patch %d, from weights[%d] on: %w", i, p.first, err)
		}
	}
	return b, nil
}

// NewNURBS makes a body of the Bezier patches of a NURBS surface or curve, u slowest. Its control
// points are the surface's.
func NewNURBS(s *NURBS) (*Body, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	nu, nv := s.Points()
	zero := make([]float64, 3*nu*nv)
	patches, _, err := s.Bezier(zero, zero)
	if err != nil {
		return nil, err
	}
	b := &Body{points: nu * nv, nurbs: s}
	for _, p := range patches {
		b.patches = append(b.patches, patchRef{form: p.Form})
	}
	return b, nil
}

// Points returns how many control points the body has, Patches how many patches.
func (b *Body) Points() int  { return b.points }
func (b *Body) Patches() int { return len(b.patches) }

// indices returns the numbers of the control points of patch i.
func (b *Body) indices(i int) []int32 {
	p := &b.patches[i]
	return b.index[p.first : p.first+p.form.Points()]
}

// BodyStep is a body over one step: its control points at both ends, row-major, 3 doubles each.
type BodyStep struct {
	Body   *Body
	X0, X1 []float64

	made []*Patch // patches of a NURBS surface, or of elements given by nodes
}

// begin checks the control points and computes the patches of a NURBS surface, or of elements given
// by nodes.
func (f *BodyStep) begin() (err error) {
	if err := checkPoints(f.Body.points, f.X0, f.X1); err != nil {
		return err
	}
	f.made = nil
	switch {
	case f.Body.nurbs != nil:
		f.made, _, err = f.Body.nurbs.Bezier(f.X0, f.X1)
	case f.Body.lagrange:
		f.made, err = f.fromNodes()
	}
	return err
}

// gather writes patch i of this step to p, whose storage it uses.
func (f *BodyStep) gather(i int, p *Patch) {
	p.trimming = f.Body.trimmingOf(i)
	if f.made != nil {
		m := f.made[i]
		p.Form, p.W, p.Err, p.WErr = m.Form, m.W, m.Err, m.WErr
		p.X0, p.X1 = append(p.X0[:0], m.X0...), append(p.X1[:0], m.X1...)
		return
	}
	b := f.Body
	form := b.patches[i].form
	p.Form, p.W, p.Err, p.WErr = form, nil, 0, 0
	p.X0, p.X1 = p.X0[:0], p.X1[:0]
	for _, v := range b.indices(i) {
		p.X0 = append(p.X0, f.X0[3*v:3*v+3]...)
		p.X1 = append(p.X1, f.X1[3*v:3*v+3]...)
	}
	if b.weights == nil {
		return
	}
	at := b.patches[i].first
	w := b.weights[at : at+form.Points()]
	for _, x := range w {
		if x != w[0] { // Only weights that differ make a patch rational.
			p.W = w
			return
		}
	}
}
