package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/status"
)

// Verdict says what is proven of an edge.
type Verdict int32

const (
	Undecided Verdict = iota
	Free              // No tested pair comes within the separation, and none is inside of another.
	Collides          // At S two tested bodies touch, or one is inside of the other.
)

// Reason says why an edge is undecided.
type Reason int32

const (
	NoReason         Reason = iota
	ReasonTolerance         // Two bodies come within the tolerance.
	ReasonCoarse            // Doubles are too coarse for the tolerance.
	ReasonIterations        // MaxIntervals was reached.
)

// Options of a check. Lengths are in the units of the robot.
type Options struct {
	Separation   float64 // a contact is a distance of at most this
	Tolerance    float64 // an approach to within this, beyond the separation, may stay undecided
	MaxIntervals int64   // intervals and poses that an edge may take; what is left is undecided
	Any          bool    // stop at any contact; else find the first one
}

// DefaultOptions returns a tolerance of 1e-6 and 100,000 intervals.
func DefaultOptions() Options { return Options{Tolerance: 1e-6, MaxIntervals: 100000} }

func (o *Options) check() error {
	switch {
	case !(o.Separation >= 0 && o.Separation <= MaxMagnitude):
		return status.Errorf(status.ErrArgument, "separation is %g: must be in [0, 1e60]", o.Separation)
	case !(o.Tolerance > 0 && o.Tolerance <= MaxMagnitude):
		return status.Errorf(status.ErrArgument, "tolerance is %g: must be above 0, at most 1e60", o.Tolerance)
	case o.MaxIntervals < 1:
		return status.Errorf(status.ErrArgument, "max_intervals is %d: must be at least 1", o.MaxIntervals)
	}
	return nil
}

// Result is what is known of an edge.
type Result struct {
	Verdict Verdict
	Reason  Reason
	How     How
	// A and B are the bodies of a contact or an approach; A is farther from the root, or inside.
	// They are -1 for an edge that is free.
	A, B int
	S    float64 // a time of contact if the edge collides, SFree if it is undecided
	// SFree is a time before which no tested pair comes within the separation. It is 0 if the edge
	// collides and any contact was asked for.
	SFree         float64
	Point, Normal r3.Vec // Coordinates are the root's; the normal points from B to A, zeros if unknown
	Counts        Counts
}

// Check decides the edge from q0 to q1, on which all joint variables change linearly.
func (w *Worker) Check(q0, q1 []float64, o *Options) (Result, error) {
	if err := o.check(); err != nil {
		return Result{}, err
	}
	var err error
	if w.speed, err = w.f.setEdge(q0, q1); err != nil {
		return Result{}, err
	}
	return w.decide(o, 0, 1), nil
}

// CheckCurve decides an edge on which all variables are polynomials: control has their control
// values in the form of Bernstein, degree + 1 rows of all variables, 0 <= degree <= HighestDegree.
func (w *Worker) CheckCurve(control []float64, degree int, o *Options) (Result, error) {
	if err := o.check(); err != nil {
		return Result{}, err
	}
	var err error
	if w.speed, err = w.f.setCurve(control, degree); err != nil {
		return Result{}, err
	}
	return w.decide(o, 0, 1), nil
}

// decide decides the part of the edge from one time to another.
func (w *Worker) decide(o *Options, from, to float64) Result {
	w.f.separation, w.tolerance, w.f.budget = o.Separation, o.Tolerance, o.MaxIntervals
	w.f.counts = Counts{}
	w.from, w.to = from, to
	w.reset()
	if o.Any && w.any() {
		return w.result(true)
	}
	if o.Any && w.f.budget > 0 { // an approach within the tolerance: the first one tells where it is
		w.reset()
		w.first()
	} else if !o.Any {
		w.first()
	}
	// What is inside of what at the start takes one pose, which is looked at without a budget, too.
	var inside hit
	if min(w.best.s, w.nearS()) > from && (seeker{front: &w.f}).contained(from, &inside) {
		w.best = inside
	}
	return w.result(false)
}

func (w *Worker) reset() {
	w.best = hit{s: math.Inf(1)}
	w.near = nearby{}
	w.f.spent = w.f.spent[:0]
	clear(w.looked)
}

func (w *Worker) nearS() float64 {
	if w.near.any {
		return w.near.s
	}
	return w.to
}

// result makes the result of what was found.
func (w *Worker) result(any bool) (out Result) {
	out = Result{Verdict: Free, A: -1, B: -1, S: w.to, SFree: w.to, Counts: w.f.counts}
	w.f.counts = Counts{}
	switch {
	case !math.IsInf(w.best.s, 1):
		out.Verdict, out.How, out.S = Collides, w.best.how, w.best.s
		out.SFree = min(w.nearS(), w.best.s)
		out.Point, out.A, out.B = w.inRoot(w.best.s, w.best.task, w.best.point), int(w.best.pa), int(w.best.pb)
		if w.best.how != Inside {
			out.A, out.B = int(w.f.robot.primitives[w.best.pa].body), int(w.f.robot.primitives[w.best.pb].body)
			if !any && out.SFree < out.S || w.best.how == Near {
				out.Normal = w.normalAt(out.SFree)
			}
		}
		if any {
			out.SFree = w.from
		}
	case w.near.any:
		t := &w.f.robot.tasks[w.near.task]
		out.Verdict, out.Reason, out.S, out.SFree = Undecided, w.near.reason, w.near.s, w.near.s
		out.A, out.B = int(w.f.robot.movers[t.mover].body), int(w.near.body)
	}
	return out
}

// inRoot takes a point of a task's target's frame to the root's coordinates.
func (w *Worker) inRoot(s float64, task int32, point r3.Vec) r3.Vec {
	w.f.kin.at(s)
	return w.f.kin.get(w.f.robot.targets[w.f.robot.tasks[task].target].root).place(point)
}

// normalAt returns the direction between the two primitives of the contact at the time s, zero if
// they are too close to tell.
func (w *Worker) normalAt(s float64) r3.Vec {
	t := &w.f.robot.tasks[w.best.task]
	pa, pb := &w.f.robot.primitives[w.best.pa], &w.f.robot.primitives[w.best.pb]
	w.f.kin.at(s)
	placedA := placed(w.f.kin.get(t.way), pa)
	c := nearest(pa, &placedA, pb)
	list, count := c.directions(pa, &placedA, pb)
	if count == 0 {
		return r3.Vec{}
	}
	n := list[0]
	return w.f.kin.get(w.f.robot.targets[t.target].root).r.Apply(n)
}
