package step

import (
	"ccd/core/broad"
	"ccd/core/constraint"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/status"
)

// Step is what moves and which pairs count. Its methods are the calls.
//
// It is made by Straight and Curved of a mesh, by Among and CurvedAmong of candidates, by
// scene.Scene.Step and by neighbors.List.Step. It copies nothing: a call reads the positions that
// the arrays hold when it begins. Threads may share a step as long as none writes to its arrays
// during a call.
//
// Every method has the bits of the function of the same name on the same mesh and motion; where a
// step does not support a call, the error is status.ErrUnsupported with the reason.
//
// Size: each call of a step is a method, and each way to make one a field.
type Step struct {
	mesh   *mesh.Mesh
	course moving            // what moves
	known  *broad.Candidates // nil where the options or a sweep find the pairs
	source Source            // nil, or what chooses mesh, course and candidates for each call
}

// Straight returns the step of m on which vertex i moves from x0[i] to x1[i]; both have 3 m.NV
// coordinates.
func Straight(m *mesh.Mesh, x0, x1 []float64) *Step { return &Step{mesh: m, course: &segments{x0, x1}} }

// Curved returns the step of m on the paths of a motion. A motion of degree 1 with one piece and no
// radius is the straight step.
func Curved(m *mesh.Mesh, paths *motion.Motion) *Step { return &Step{mesh: m, course: courseOf(paths)} }

// Among returns the straight step whose pairs are candidates, on their mesh. It must stay within
// the step that they were found for.
func Among(known *broad.Candidates, x0, x1 []float64) *Step {
	return &Step{mesh: known.Mesh(), course: &segments{x0, x1}, known: known}
}

// CurvedAmong returns the step on the paths of a motion whose pairs are candidates, on their mesh.
func CurvedAmong(known *broad.Candidates, paths *motion.Motion) *Step {
	return &Step{mesh: known.Mesh(), course: courseOf(paths), known: known}
}

// From returns the step of a source.
func From(s Source) *Step { return &Step{source: s} }

// Earliest is the function of that name.
func (s *Step) Earliest(o *Options) (im geom.Impact, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		if im, err = runEarliest(p.begin(o)); err == nil {
			p.name(&im)
			p.proven(im.Verdict == geom.Separate && o.TMax == 1, nil)
		}
		return err
	})
	if err != nil {
		return noImpact(), err
	}
	return im, nil
}

// Collisions is the function of that name.
func (s *Step) Collisions(o *Options) (all []geom.Impact, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		c, err := p.begin(o)
		if all, err = runCollisions(c, err, listedBytes); err == nil {
			for i := range all {
				p.name(&all[i])
			}
			p.proven(len(all) == 0 && o.TMax == 1, nil)
		}
		return err
	})
	return all, err
}

// FirstImpacts is the function of that name.
func (s *Step) FirstImpacts(count int, o *Options) (list []geom.Impact, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		c, err := p.begin(o)
		if list, err = runFirstImpacts(c, err, count); err == nil {
			for i := range list {
				p.name(&list[i])
			}
			p.proven(len(list) == 0 && o.TMax == 1, nil)
		}
		return err
	})
	return list, err
}

// Visit is the function of that name.
func (s *Step) Visit(o *Options, visit func(batch []geom.Impact) (stop bool)) error {
	return s.run(NearPairs, o, func(p *Part, o *Options) error {
		none := true
		c, err := p.begin(o)
		err = runVisit(c, err, func(batch []geom.Impact) bool {
			none = false
			for i := range batch {
				p.name(&batch[i])
			}
			return visit(batch)
		})
		p.proven(err == nil && none && o.TMax == 1, nil)
		return err
	})
}

// Pairs is the function of that name. A scene has no list of pairs.
func (s *Step) Pairs(kind geom.Kind, pairs [][2]int64, o *Options) (list []geom.Impact, err error) {
	err = s.run(GivenPairs, o, func(p *Part, o *Options) error {
		list, err = runPairs(kind, pairs, o, func() (*call, error) { return p.begin(o) })
		return err
	})
	return list, err
}

// Intervals is the function of that name. It needs a straight step.
func (s *Step) Intervals(o *Options) (all []geom.Interval, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		x0, x1, err := p.course.straight(p.mesh, "intervals of contact")
		if err != nil {
			return err
		}
		if all, err = Intervals(p.mesh, x0, x1, o); err != nil {
			return err
		}
		for i := range all {
			p.rename(all[i].Kind, &all[i].A, &all[i].B)
		}
		p.proven(len(all) == 0 && o.TMax == 1, nil)
		return nil
	})
	return all, err
}

// PairIntervals is the function of that name. It needs a straight step, and a scene has no list of
// pairs.
func (s *Step) PairIntervals(kind geom.Kind, pairs [][2]int64, o *Options) (all []geom.Interval, err error) {
	err = s.run(GivenPairs, o, func(p *Part, o *Options) error {
		x0, x1, err := p.course.straight(p.mesh, "intervals of contact")
		if err != nil {
			return err
		}
		all, err = PairIntervals(p.mesh, x0, x1, kind, pairs, o)
		return err
	})
	return all, err
}

// Moves is what moves in a search of package proximity: straight from X0 to X1, or on Paths.
type Moves struct {
	X0, X1 []float64
	Paths  *motion.Motion // nil: straight
}

// NearestPair finds the pair of a mesh with the least distance over a step during which none
// touches, as SearchLeast says.
type NearestPair func(m *mesh.Mesh, on Moves, tMax, bracket float64, o *engine.CallOptions) (
	geom.LeastDistance, error)

// LeastDistance is the function of that name, or LeastOnPaths. It needs all pairs of a step, so
// candidates do not have it.
func (s *Step) LeastDistance(nearest NearestPair, o *Options) (least geom.LeastDistance, err error) {
	err = s.run(AllPairs, o, func(p *Part, o *Options) error {
		on, err := p.course.moves(p.mesh, o)
		if err != nil {
			return err
		}
		search := func(bracket float64, call *engine.CallOptions) (geom.LeastDistance, error) {
			return nearest(p.mesh, on, o.TMax, bracket, call)
		}
		if on.Paths != nil {
			least, err = LeastOnPaths(p.mesh, on.Paths, search, o)
		} else {
			least, err = LeastDistance(p.mesh, on.X0, on.X1, search, o)
		}
		if err == nil && least.Kind != 0 {
			p.rename(least.Kind, &least.A, &least.B)
		}
		return err
	})
	return least, err
}

// DistancesAt is proximity.Profile or proximity.ProfileOnPaths, as capi passes them.
type DistancesAt func(m *mesh.Mesh, on Moves, times []float64, out []geom.LeastDistance, o *engine.CallOptions) error

// Profile brackets the distance of the mesh at some times, each of which has a place in out, by
// distances. It needs all pairs of a step, as LeastDistance does, whose options it takes.
func (s *Step) Profile(times []float64, out []geom.LeastDistance, distances DistancesAt, o *Options) error {
	return s.run(AllPairs, o, func(p *Part, o *Options) error {
		on, err := p.course.moves(p.mesh, o)
		if err != nil {
			return err
		}
		if _, err := leastOptions(o); err != nil {
			return err
		}
		if err := distances(p.mesh, on, times, out, &o.CallOptions); err != nil {
			return err
		}
		for i := range times {
			if d := &out[i]; d.Kind != 0 {
				p.rename(d.Kind, &d.A, &d.B)
			}
		}
		return nil
	})
}

// Size is the function of that name.
func (s *Step) Size(o *Options) (alpha float64, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		if alpha, err = sizeOn(p.mesh, p.course, o); err == nil {
			p.proven(alpha == 1, nil) // an impact at t = 1 leaves less
		}
		return err
	})
	return alpha, err
}

// Advance is the function of that name. Of a scene x has a row for each vertex that moves.
func (s *Step) Advance(x []float64, share float64, o *Options) (alpha float64, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		if p.names == nil {
			alpha, err = advanceOn(p.mesh, p.course, x, share, o)
			return err
		}
		if err := p.names.Fit("x", x); err != nil {
			return err
		}
		y := p.names.Room()
		if alpha, err = advanceOn(p.mesh, p.course, y, share, o); err == nil {
			p.names.Rows(y, x)
			p.proven(true, x)
		}
		return err
	})
	if err != nil {
		s.stay(x)
		return 0, err
	}
	return alpha, nil
}

// Sizes is the function of that name. Of a scene alpha, y and the groups have an item for each
// vertex that moves.
func (s *Step) Sizes(alpha, y []float64, so *SizesOptions, o *Options) (report SizesReport, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		if p.names == nil {
			report, err = sizesOn(p.mesh, p.course, alpha, y, so, o)
			return err
		}
		report, err = p.namedSizes(alpha, y, so, o)
		return err
	})
	if err != nil {
		clear(alpha)
		s.stay(y)
		return SizesReport{}, err
	}
	return report, nil
}

// namedSizes is Sizes where the caller's rows are others than those of the part.
func (p *Part) namedSizes(alpha, y []float64, so *SizesOptions, o *Options) (report SizesReport, err error) {
	if err := p.names.FitValues("alpha", alpha); err != nil {
		return report, err
	}
	if err := p.names.Fit("y", y); err != nil {
		return report, err
	}
	own := DefaultSizesOptions()
	if so != nil {
		own = *so
	}
	if own.Groups, err = p.names.Groups(own.Groups); err != nil {
		return report, err
	}
	all, to := make([]float64, p.mesh.NV), p.names.Room()
	if report, err = sizesOn(p.mesh, p.course, all, to, &own, o); err != nil {
		return report, err
	}
	p.names.Rows(to, y)
	p.names.Values(all, alpha)
	p.proven(true, y)
	return report, nil
}

// LineSearch is the function of that name.
func (s *Step) LineSearch(share float64, o *Options) (b Bound, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		b, err = lineSearchOn(p.mesh, p.course, share, o)
		p.proven(err == nil && b.Alpha == 1, nil)
		return err
	})
	return b, err
}

// ActiveSet is the function of that name. It needs a straight step.
func (s *Step) ActiveSet(o *Options) (list []constraint.Constraint, err error) {
	err = s.run(NearPairs, o, func(p *Part, o *Options) error {
		x0, x1, err := p.course.straight(p.mesh, "constraints")
		if err != nil {
			return err
		}
		list, err = activeSet(p.mesh, x0, x1, o, p.name)
		if p.names == nil || err != nil {
			return err
		}
		for i := range list {
			for j, v := range list[i].Vertices {
				list[i].Vertices[j] = int32(p.names.Number(geom.Vertex, int64(v)))
			}
		}
		p.proven(len(list) == 0 && o.TMax == 1, nil)
		return nil
	})
	return list, err
}

// Gradients is the function of that name. It needs a straight step, and a scene has no list of
// pairs.
func (s *Step) Gradients(impacts []geom.Impact, out []gradient.Gradient, o *Options) error {
	return s.run(GivenPairs, o, func(p *Part, o *Options) error {
		x0, x1, err := p.course.straight(p.mesh, "gradients")
		if err != nil {
			return err
		}
		return Gradients(p.mesh, x0, x1, impacts, out, o)
	})
}

// Candidates returns the pairs whose boxes over the step overlap. It needs a step of a mesh: others
// have their pairs.
func (s *Step) Candidates(bruteForce bool, o broad.Options) (*broad.Candidates, error) {
	if s.source != nil || s.known != nil {
		return nil, status.Errorf(status.ErrUnsupported,
			"step: it has its pairs; find candidates of a step of the mesh")
	}
	return s.course.candidates(s.mesh, bruteForce, o)
}

// run runs a call on the step itself, or on the part that its source chooses.
func (s *Step) run(w Wanted, o *Options, call func(p *Part, o *Options) error) error {
	of := &struct {
		part Part
		o    Options
	}{o: orDefault(o)}
	if s.source != nil {
		return s.source.Run(w, &of.o, call)
	}
	of.part.mesh, of.part.course = s.mesh, s.course
	if s.known == nil {
		return call(&of.part, &of.o)
	}
	if w == AllPairs {
		return status.Errorf(status.ErrUnsupported,
			"candidates: this call concerns pairs of any distance; make a step of the mesh")
	}
	if err := s.course.allows(s.known, s.mesh, &of.o); err != nil {
		return err
	}
	if w == NearPairs {
		of.o.Candidates = s.known
	}
	return call(&of.part, &of.o)
}

// stay makes x the positions at t = 0, if it has as many.
func (s *Step) stay(x []float64) {
	if s.source != nil {
		s.source.Stay(x)
	} else {
		s.course.stay(x)
	}
}
