package ccd

import (
	"ccd/core/mesh"
	"ccd/core/step"
)

// RespondOptions are the options of Respond beside those of a step.
type RespondOptions struct {
	// InverseMass is nil, or has an inverse mass by vertex: 0 for one that contact does not move.
	// Nil stands for 1. Contact moves no static vertex of the mesh.
	InverseMass []float64
	// Friction, in [0, 1e6], is the coefficient of Coulomb friction: what the points of a contact
	// slide is taken back, up to this coefficient times what the normal moves them.
	Friction float64
	// Keep, in [0, 1), is the part of Options.MinSeparation that the step keeps: constraints begin
	// at the whole of it, and the rest is room for the next step to begin with.
	Keep float64
	// MaxRounds, 1 to 1000, is the number of times that constraints are found, and treated once
	// each.
	MaxRounds int
}

// DefaultRespondOptions returns no friction, a part of 0.25 and 4 rounds.
func DefaultRespondOptions() RespondOptions {
	d := step.DefaultRespondOptions()
	return RespondOptions{d.InverseMass, d.Friction, d.Keep, d.MaxRounds}
}

// Response is positions after contact, and what Respond did.
type Response struct {
	X        []float64 // the positions, 3 for each vertex
	Alpha    float64   // the part of the way to the positions of the response that was safe; 1 if all of it
	Contacts int       // constraints of the first round
	Rounds   int       // rounds; less than MaxRounds if no pair was left that comes too near
	// Why says which pair limits the way to the positions of the response, as Step.Why does with
	// MinSeparation times Keep; its Cause is CauseNone if Alpha is 1.
	Why Why
}

// Respond moves the ends of a step apart where pairs come too near, and goes as far as is safe. x1
// is where the vertices would be without contact. Velocities follow: (X - x0) / dt.
//
// It is a helper for those who have no solver: it treats each contact for itself, as in
// position-based dynamics, and no forces are balanced. What it leaves undone is stopped before
// contact as by Advance: all pairs keep more than Keep times the separation, and their radii, on
// the straight way from x0 to just the doubles of X, in exact arithmetic.
//
// Options.MinSeparation must be positive, also where the mesh has radii: it is the room in which
// resting contact moves on. nil stands for DefaultRespondOptions. Options.Stats add up all
// searches.
func Respond(m *Mesh, x0, x1 []float64, ro *RespondOptions, o *Options) (Response, error) {
	return onMesh(&respondCalls, m, o, func(c *mesh.Mesh, s *settings) (Response, error) {
		x := make([]float64, 3*c.NV)
		r, err := step.Respond(c, x0, x1, x, ro.core(), s.step())
		return Response{x, r.Alpha, int(r.Contacts), int(r.Rounds), whyOf(&r.Why)}, err
	})
}

// core returns the options as the core takes them; nil stands for the defaults.
func (ro *RespondOptions) core() *step.RespondOptions {
	if ro == nil {
		return nil
	}
	return &step.RespondOptions{
		InverseMass: ro.InverseMass, Friction: ro.Friction, Keep: ro.Keep, MaxRounds: ro.MaxRounds,
	}
}
