package step

import (
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// starts says which cause limits a step at the start, for pairs that are within their separation
// there.
type starts struct {
	m      *mesh.Mesh
	x0     []float64
	solver *narrow.Solver
	o      narrow.Options
}

func newStarts(m *mesh.Mesh, x0 []float64, maxNorm bool) *starts {
	s := &starts{m: m, x0: x0, solver: narrow.NewSolver(), o: narrow.DefaultOptions()}
	s.o.TMax = 0
	if maxNorm {
		s.o.Flags = narrow.MaxNorm
	}
	return s
}

// cause returns the cause of a pair. The exact method decides how far it is apart.
func (s *starts) cause(im *geom.Impact) Cause {
	if im.Kind == geom.EdgeFace {
		return Crossing
	}
	a, b := int32(im.A), int32(im.B)
	q, radii := s.m.PairQuery(im.Kind, a, b, s.x0, s.x0)
	within := func(d float64) bool {
		var found geom.Impact
		s.o.MinSeparation = d
		s.solver.Solve(im.Kind, q, &s.o, &found)
		return found.Verdict != geom.Separate
	}
	sum := mesh.Separation(0, radii[0], radii[1])
	switch {
	case within(0):
		return Touching
	case sum > 0 && within(sum):
		return WithinRadii
	}
	return WithinSeparation
}

// mostAtStart is the number of pairs at the start above which the earliest pair that begins apart
// is not looked for: the search keeps them all.
const mostAtStart = 1 << 20

// findOthers counts the pairs that are within their separation at the start, and finds which of
// them limit the step when the remedy for the first one is done.
func (w *Why) findOthers(p *Part, x0 []float64, o *Options) error {
	s := newStarts(p.mesh, x0, o.Flags&narrow.MaxNorm != 0)
	left := newRemedied(w, p.mesh, x0)
	var first [startCauses]*geom.Impact
	still := *o
	still.TMax = 0
	c, err := p.begin(&still)
	err = runVisit(c, err, func(batch []geom.Impact) bool {
		w.Initial += int64(len(batch))
		for i := range batch {
			im := &batch[i]
			cause := s.cause(im)
			k := cause - Crossing
			w.AtStart[k]++
			if (first[k] == nil || im.Before(first[k])) && !left.resolves(im, cause) {
				own := *im
				first[k] = &own
			}
		}
		return false
	})
	if err != nil {
		return err
	}
	for k, im := range first {
		if im != nil {
			w.Others[k] = limitOf(p.mesh, im, Crossing+Cause(k))
		}
	}
	if w.Cause < Crossing || w.Cause == Undecided || w.Initial >= mostAtStart {
		return nil
	}
	c, err = p.begin(o)
	list, err := runFirstImpacts(c, err, int(w.Initial)+1)
	if err != nil {
		return err
	}
	if n := len(list); n > 0 && list[n-1].TOILo > 0 {
		cause := Meeting
		if list[n-1].Verdict == geom.Undecided {
			cause = Undecided
		}
		w.Others[startCauses] = limitOf(p.mesh, &list[n-1], cause)
	}
	return nil
}

// limitOf describes the pair of an impact.
func limitOf(m *mesh.Mesh, im *geom.Impact, cause Cause) Limit {
	l := noLimit()
	l.TOI, l.A, l.B, l.Kind, l.Cause = im.TOILo, im.A, im.B, im.Kind, cause
	copy(l.Vertices[:], m.PairVertices(im.Kind, int32(im.A), int32(im.B)))
	return l
}

// remedied says which pairs at the start the remedy for one of them resolves.
type remedied struct {
	m     *mesh.Mesh
	x0    []float64
	cause Cause
	weld  bool    // the remedy is to weld vertices at one place
	part  []int32 // the component of each vertex, if the remedy is to exclude pairs near in the mesh
}

func newRemedied(w *Why, m *mesh.Mesh, x0 []float64) *remedied {
	r := &remedied{m: m, x0: x0, cause: w.Cause, weld: w.welds()}
	if w.near() {
		r.part = m.Components()
	}
	return r
}

// resolves reports whether the remedy resolves a pair too, which has a cause.
func (r *remedied) resolves(im *geom.Impact, cause Cause) bool {
	vertices := r.m.PairVertices(im.Kind, int32(im.A), int32(im.B))
	split := im.Kind.Info().Shapes[0].Vertices()
	switch {
	case r.part != nil:
		return cause != Crossing && r.part[vertices[0]] == r.part[vertices[split]]
	case r.weld:
		return cause == Touching && samePlace(vertices, split, r.x0)[0] >= 0
	}
	return cause == r.cause
}
