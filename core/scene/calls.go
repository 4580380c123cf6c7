package scene

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
	"ccd/core/step"
)

// supported returns an error for options that calls of a scene do not support.
func supported(o *step.Options) error {
	switch {
	case !o.Unique():
		return status.Errorf(status.ErrUnsupported, "options.method is %d: scenes need the exact method", o.Method)
	case o.Candidates != nil:
		return status.Errorf(status.ErrUnsupported, "options.candidates: a scene finds its own")
	case o.Slab != nil:
		return status.Errorf(status.ErrUnsupported, "options.slab: the calls of a scene concern all pairs of a step")
	case o.Region != nil:
		return status.Errorf(status.ErrUnsupported, "options.region: the calls of a scene concern all pairs of a step")
	case o.SceneBound != [3]float64{}:
		return status.Errorf(status.ErrUnsupported, "options.scene_bound: scenes do not support it")
	}
	return nil
}

// Earliest returns the first impact of a pair with a vertex in moved, as vertex moved[i] goes from where it is to row i of x1 and all others
// rest. moved ascends; x1 has 3 len(moved) doubles. Options are those of step.Earliest with the exact method, without candidates,
// slab and scene bound. If it is Separate up to t = 1, the motion is proven (CommitProven).
func (s *Scene) Earliest(moved []int32, x1 []float64, o *step.Options) (im geom.Impact, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	im.SetSeparate(0)
	own, err := s.begin(moved, x1, o)
	if err != nil {
		return im, err
	}
	v, err := s.viewOf(moved, x1, &own)
	if err != nil {
		return im, err
	}
	if im, err = step.Earliest(v.m, v.x0, v.x1, &own); err != nil {
		return im, err
	}
	v.name(&im)
	if im.Verdict == geom.Separate && own.TMax == 1 {
		s.prove(moved, x1)
	}
	return im, nil
}

// Collisions returns every pair with a vertex in moved that is not Separate, in the order of step.Collisions. If there is none up to t = 1,
// the motion is proven.
func (s *Scene) Collisions(moved []int32, x1 []float64, o *step.Options) ([]geom.Impact, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	own, err := s.begin(moved, x1, o)
	if err != nil {
		return nil, err
	}
	v, err := s.viewOf(moved, x1, &own)
	if err != nil {
		return nil, err
	}
	found, err := step.Collisions(v.m, v.x0, v.x1, &own)
	if err != nil {
		return nil, err
	}
	for i := range found {
		v.name(&found[i])
	}
	if len(found) == 0 && own.TMax == 1 {
		s.prove(moved, x1)
	}
	return found, nil
}

// Size returns a safe step for the vertices moved, as step.Size does. If it is 1 because nothing comes too near, the motion is proven.
func (s *Scene) Size(moved []int32, x1 []float64, o *step.Options) (float64, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	own, err := s.begin(moved, x1, o)
	if err != nil {
		return 0, err
	}
	v, err := s.viewOf(moved, x1, &own)
	if err != nil {
		return 0, err
	}
	alpha, err := step.Size(v.m, v.x0, v.x1, &own)
	if err == nil && alpha == 1 { // an impact at t = 1 leaves less
		s.prove(moved, x1)
	}
	return alpha, err
}

// Advance chooses one step alpha for the vertices moved and writes the positions that it leads to to the rows of x, as step.Advance does. The
// motion to them is proven. On an error x is where the vertices are, if it has that many rows. x may be x1, but must not overlap it otherwise.
func (s *Scene) Advance(moved []int32, x1, x []float64, share float64, o *step.Options) (alpha float64, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	own, err := s.begin(moved, x1, o)
	if err != nil {
		return 0, s.stay(moved, x, err)
	}
	if len(x) != len(x1) {
		return 0, status.Errorf(status.ErrArgument, "x has %d coordinates; x1 has %d", len(x), len(x1))
	}
	v, err := s.viewOf(moved, x1, &own)
	if err != nil {
		return 0, s.stay(moved, x, err)
	}
	y := v.room()
	if alpha, err = step.Advance(v.m, v.x0, v.x1, y, share, &own); err != nil {
		return 0, s.stay(moved, x, err)
	}
	v.rows(moved, y, x)
	s.prove(moved, x)
	return alpha, nil
}

// Sizes chooses a step for each vertex in moved, alpha[i] for moved[i], and writes the positions that they lead to to the rows of y, as step.Sizes
// does. so.Groups, if not nil, has an id for each vertex in moved. The motion is proven. On an error alpha is 0, and y is where the vertices
// are, if they have that many rows. y may be x1, but must not overlap it otherwise.
func (s *Scene) Sizes(moved []int32, x1, alpha, y []float64, so *step.SizesOptions, o *step.Options) (report step.SizesReport, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	own, err := s.begin(moved, x1, o)
	switch {
	case err != nil:
	case len(alpha) != len(moved):
		err = status.Errorf(status.ErrArgument, "alpha has %d values; moved has %d vertices", len(alpha), len(moved))
	case len(y) != len(x1):
		err = status.Errorf(status.ErrArgument, "y has %d coordinates; x1 has %d", len(y), len(x1))
	}
	var v *view
	if err == nil {
		v, err = s.viewOf(moved, x1, &own)
	}
	if err != nil {
		clear(alpha)
		return report, s.stay(moved, y, err)
	}
	if so == nil {
		d := step.DefaultSizesOptions()
		so = &d
	}
	in := *so
	if in.Groups, err = v.groups(moved, so.Groups, s.parts.Extent(geom.Vertex)); err == nil {
		all, to := make([]float64, v.m.NV), v.room()
		if report, err = step.Sizes(v.m, v.x0, v.x1, all, to, &in, &own); err == nil {
			v.rows(moved, to, y)
			for i, w := range moved {
				alpha[i] = all[v.at(w)]
			}
			s.prove(moved, y)
			return report, nil
		}
	}
	clear(alpha)
	return report, s.stay(moved, y, err)
}

// begin checks the arguments of a call and returns its options. What was proven before no longer holds.
func (s *Scene) begin(moved []int32, x1 []float64, o *step.Options) (step.Options, error) {
	s.proof.held = false
	own := step.DefaultOptions()
	if o != nil {
		own = *o
	}
	if err := supported(&own); err != nil {
		return own, err
	}
	if err := s.checkMotion(moved, x1); err != nil {
		return own, err
	}
	if err := s.checkRadii(own.MinSeparation); err != nil {
		return own, err
	}
	if own.CheckStart && s.state.none(s.parts, moved) {
		own.CheckStart = false // nothing to find (law 2)
	}
	return own, nil
}

// viewOf returns the view of a motion, and takes what the scene keeps off the memory limit.
func (s *Scene) viewOf(moved []int32, x1 []float64, o *step.Options) (v *view, err error) {
	v, o.CallOptions, err = s.view.of(s, moved, x1, s.moves(), o.MinSeparation, o.Flags&narrow.BruteForce != 0, &o.CallOptions)
	return v, err
}

// moves returns whether a vertex in moved counts as moving: the pairs of static ones are skipped. It is quick for vertices in a rising order.
func (s *Scene) moves() func(v int32) bool {
	var p *mesh.Piece
	return func(v int32) bool {
		p = s.parts.Same(p, geom.Vertex, v)
		return !p.Static(v)
	}
}

// stay writes where the vertices moved are to the rows of x, if there are as many, and returns the error.
func (s *Scene) stay(moved []int32, x []float64, err error) error {
	if len(x) == 3*len(moved) {
		s.copyRows(moved, x)
	}
	return err
}
