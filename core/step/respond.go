package step

import (
	"ccd/core/constraint"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// RespondOptions are the options of Respond beside those of a step.
type RespondOptions struct {
	// InverseMass is nil, or has an inverse mass by vertex: 0 for one that contact does not move.
	// Nil stands for 1. Contact moves no static vertex of the mesh.
	InverseMass []float64
	// Friction, in [0, 1e6], is the coefficient of Coulomb friction.
	Friction float64
	// Keep, in [0, 1), is the part of the separation that the step keeps: constraints begin at the
	// whole of it, and the rest is room for the next step to begin with.
	Keep float64
	// MaxRounds, in [1, 1000], is the number of times that constraints are found, and treated once.
	MaxRounds int
}

// DefaultRespondOptions returns no friction, a part of 0.25 and 4 rounds.
func DefaultRespondOptions() RespondOptions { return RespondOptions{Keep: 0.25, MaxRounds: 4} }

// Response says what Respond did.
type Response struct {
	Alpha    float64 // the part of the way to the positions of the response that was safe; 1 if all of it
	Contacts int64   // constraints of the first round
	Rounds   int64   // rounds of the response; less than MaxRounds if no pair was left that comes too near
	// Why says which pair limits the way to the positions of the response, and what keeps it from
	// going on, as Step.Why does with MinSeparation times Keep.
	Why Why
}

// roundedAway is the part of a separation that a round may leave of it by rounding: it is no reason
// for another round.
const roundedAway = 1e-12

// Respond moves the ends x1 of a step apart where pairs come too near, goes as far as is safe, and
// writes the positions to x. It is a helper, not a solver: each contact is treated for itself
// (constraint.Push), as in position-based dynamics. What that leaves undone Advance stops before
// contact.
//
// Laws. If Alpha > 0, all pairs keep more than Keep times the separation, and their radii, on the
// straight way from x0 to just the doubles of x (law 1 of Advance). If Alpha is 0, x is x0. Why is
// that of the step from x0 to the positions of the response. On an error x is x0 and the response
// is 0.
//
// MinSeparation must be positive, also where the mesh has radii: it is the room in which resting
// contact moves on. The norm must be the Euclidean one. x may be x0 or x1, but must not
// overlap them otherwise. ro is nil, or what DefaultRespondOptions returns with changes. Stats add
// up all searches.
func Respond(m *mesh.Mesh, x0, x1, x []float64, ro *RespondOptions, o *Options) (r Response, err error) {
	defer func() {
		if err != nil && len(x) == len(x0) {
			copy(x, x0)
		}
	}()
	how := DefaultRespondOptions()
	if ro != nil {
		how = *ro
	}
	run := respond{m: m, o: orDefault(o), mass: inverseMass(m, how.InverseMass)}
	if err := how.check(m, &run.o); err != nil {
		return Response{}, err
	}
	if len(x) != 3*m.NV {
		return Response{}, status.Errorf(status.ErrArgument, "x has %d coordinates; the vertices have %d",
			len(x), 3*m.NV)
	}
	run.y = append(run.y, x1...)
	if err := run.rounds(x0, &how, &r); err != nil {
		return Response{}, err
	}
	err = run.search(func(o *Options) (err error) {
		o.MinSeparation = how.Keep * o.MinSeparation
		r.Alpha, r.Why, err = run.advance(x0, o)
		return err
	})
	if err == nil && run.o.Progress != nil && run.o.Progress(1) {
		err = status.ErrCancelled
	}
	if err != nil {
		return Response{}, err
	}
	copy(x, run.y)
	if run.o.Stats != nil {
		*run.o.Stats = run.stats
	}
	return r, nil
}

// check returns an error for the first argument that is wrong. The searches check x0, x1 and the
// other options.
func (ro *RespondOptions) check(m *mesh.Mesh, o *Options) error {
	switch {
	case ro.InverseMass != nil && len(ro.InverseMass) != m.NV:
		return status.Errorf(status.ErrArgument, "inverse_mass has %d numbers: the mesh has %d vertices",
			len(ro.InverseMass), m.NV)
	case !(ro.Friction >= 0 && ro.Friction <= 1e6):
		return status.Errorf(status.ErrArgument, "friction is %v: must be in [0, 1e6]", ro.Friction)
	case !(ro.Keep >= 0 && ro.Keep < 1):
		return status.Errorf(status.ErrArgument, "keep is %v: must be in [0, 1)", ro.Keep)
	case ro.MaxRounds < 1 || ro.MaxRounds > 1000:
		return status.Errorf(status.ErrArgument, "max_rounds is %d: must be 1 to 1000", ro.MaxRounds)
	case !(o.MinSeparation > 0):
		return status.Errorf(status.ErrArgument, "options.min_separation is %v: must be positive; resting contact "+
			"needs the room, as a thousandth of an edge", o.MinSeparation)
	}
	if err := constraint.CheckInverseMass(ro.InverseMass); err != nil {
		return err
	}
	return o.refuse(unsupported{candidates: "a response finds the pairs of the ends that it moves"})
}

// inverseMass returns the inverse masses of the vertices, 0 of static ones.
func inverseMass(m *mesh.Mesh, given []float64) []float64 {
	out, static := make([]float64, m.NV), m.Filter().Static(geom.Vertex)
	for v := range out {
		switch {
		case static != nil && static[v]:
		case given == nil:
			out[v] = 1
		case v < len(given):
			out[v] = given[v]
		}
	}
	return out
}

// respond is the state of one call of Respond.
type respond struct {
	m      *mesh.Mesh
	o      Options
	mass   []float64
	y      []float64 // the ends of the step, as far as they are moved apart
	passes int       // searches so far
	stats  engine.Stats
}

// rounds moves the ends of the step apart.
func (r *respond) rounds(x0 []float64, how *RespondOptions, out *Response) error {
	for round := range how.MaxRounds {
		var set []constraint.Constraint
		if err := r.search(func(o *Options) (err error) {
			set, err = ActiveSet(r.m, x0, r.y, o)
			return err
		}); err != nil {
			return err
		}
		if round == 0 {
			out.Contacts = int64(len(set))
		}
		if !anyTooNear(set) {
			return nil
		}
		if err := constraint.Push(set, x0, r.y, r.mass, how.Friction); err != nil {
			return err
		}
		r.o.SceneBound = [3]float64{} // The ends may be beyond it now.
		out.Rounds++
	}
	return nil
}

// advance goes from x0 towards the ends of the step as far as is safe, which then are where it
// came, and says what ended it.
func (r *respond) advance(x0 []float64, o *Options) (alpha float64, why Why, err error) {
	to := Part{mesh: r.m, course: &segments{x0, r.y}}
	x := make([]float64, len(x0))
	alpha, first, err := advanceFrom(r.m, to.course, x, 1, o)
	if err == nil {
		why, err = to.explain(alpha, &first, o)
	}
	why.Response = 1
	r.y = x
	return alpha, why, err
}

// anyTooNear reports whether a constraint is violated by more than rounding.
func anyTooNear(set []constraint.Constraint) bool {
	for i := range set {
		if set[i].Gap < -float64(roundedAway*set[i].Separation) {
			return true
		}
	}
	return false
}

// search runs a search of the call.
func (r *respond) search(run func(o *Options) error) error {
	var stats engine.Stats
	o := r.o
	o.Progress, o.Stats = partOf(r.o.Progress, r.passes), nil
	if r.o.Stats != nil {
		o.Stats = &stats
	}
	r.passes++
	err := run(&o)
	r.stats.Add(&stats)
	return err
}
