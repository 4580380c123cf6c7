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
	case o.Region != nil:
		return status.Errorf(status.ErrUnsupported, "options.region: the calls of a scene concern all pairs of a step")
	case o.SceneBound != [3]float64{}:
		return status.Errorf(status.ErrUnsupported, "options.scene_bound: scenes do not support it")
	}
	return nil
}

// Step returns the step on which vertex moved[i] goes from where it is to row i of x1, and all
// others rest. moved ascends; x1 has 3 len(moved) doubles. Arrays of its calls have a row for each
// vertex in moved. The step begins where the scene is when a call begins.
//
// Calls on given pairs are unsupported. Those for least distances concern pairs of any distance:
// their view is the whole mesh, so they cost what the scene contains. Options are those of package
// step with the exact method, without candidates and scene bound. Pairs without a vertex in moved
// are skipped.
//
// A call that proves the whole motion lets CommitProven place the vertices there: Earliest,
// Collisions, Visit, Intervals and ActiveSet that find nothing up to t = 1, Size and LineSearch
// that return 1, and Advance and Sizes.
func (s *Scene) Step(moved []int32, x1 []float64) *step.Step { return step.From(&source{s, moved, x1}) }

// source is a step of a scene.
type source struct {
	scene *Scene
	moved []int32
	x1    []float64
}

// Stay writes where the vertices are.
func (q *source) Stay(x []float64) {
	if len(x) == 3*len(q.moved) {
		q.scene.PositionsOf(q.moved, x)
	}
}

// Run runs a call on the view of the motion. What was proven before no longer holds.
func (q *source) Run(w step.Wanted, o *step.Options, call func(p *step.Part, o *step.Options) error) error {
	s, own := q.scene, *o
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.proof.held = false
	if err := q.check(w, &own); err != nil {
		return err
	}
	all := w == step.AllPairs || own.Flags&narrow.BruteForce != 0
	v, err := s.viewOf(q.moved, q.x1, all, &own)
	if err != nil {
		return err
	}
	if w == step.AllPairs { // Later calls need not see the whole mesh.
		s.view.kept = false
	}
	return call(step.NewPart(v.m, v.x0, v.x1, &names{q, v}), &own)
}

// check returns an error for the first argument of a call that is wrong, and does without a check
// of the start that can find nothing.
func (q *source) check(w step.Wanted, o *step.Options) error {
	s := q.scene
	if w == step.GivenPairs {
		return status.Errorf(status.ErrUnsupported,
			"scene: its steps find their pairs, and take none; use a step of a mesh")
	}
	if err := supported(o); err != nil {
		return err
	}
	if err := s.checkMotion(q.moved, q.x1); err != nil {
		return err
	}
	if err := s.checkRadii(o.MinSeparation); err != nil {
		return err
	}
	if o.CheckStart && s.state.none(s.parts, q.moved) {
		o.CheckStart = false // nothing to find (law 2)
	}
	return nil
}

// names are the numbers of a scene for those of a view.
type names struct {
	*source
	view *view
}

func (n *names) Number(shape geom.Shape, i int64) int64 { return n.view.number(shape, i) }
func (n *names) Room() []float64                        { return n.view.room() }
func (n *names) Rows(from, to []float64)                { n.view.rows(n.moved, from, to) }

func (n *names) Groups(given []int32) ([]int32, error) {
	return n.view.groups(n.moved, given, n.scene.parts.Extent(geom.Vertex))
}

func (n *names) Values(from, to []float64) {
	for i, v := range n.moved {
		to[i] = from[n.view.at(v)]
	}
}

func (n *names) Fit(name string, x []float64) error {
	if len(x) != len(n.x1) {
		return status.Errorf(status.ErrArgument, "%s has %d coordinates; x1 has %d", name, len(x), len(n.x1))
	}
	return nil
}

func (n *names) FitValues(name string, values []float64) error {
	if len(values) != len(n.moved) {
		return status.Errorf(status.ErrArgument, "%s has %d values; moved has %d vertices",
			name, len(values), len(n.moved))
	}
	return nil
}

func (n *names) Prove(x []float64) {
	if x == nil {
		x = n.x1
	}
	n.scene.prove(n.moved, x)
}

// viewOf returns the view of a motion, with all pairs or those that come near, and takes what the
// scene keeps off the memory limit.
func (s *Scene) viewOf(moved []int32, x1 []float64, all bool, o *step.Options) (v *view, err error) {
	v, o.CallOptions, err = s.view.of(s, moved, x1, s.moves(), o.MinSeparation, all, &o.CallOptions)
	return v, err
}

// moves returns whether a vertex in moved counts as moving: the pairs of static ones are skipped.
// It is quick for vertices in a rising order.
func (s *Scene) moves() func(v int32) bool {
	var p *mesh.Piece
	return func(v int32) bool {
		p = s.parts.Same(p, geom.Vertex, v)
		return !p.Static(v)
	}
}
