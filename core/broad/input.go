package broad

import (
	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// PlanOptions say what a plan is made of: what it is given, which pairs to keep, how to find them,
// and what the call allows it.
type PlanOptions struct {
	Input  Input
	Keep   Keep
	Tactic Tactic
	Work   Work

	selected bool    // selected is true if the plan's staticCull holds: a Build with no shorter time made it.
	within   int64   // within is the memory limit, also where a slab that cannot be cut may exceed it.
	largest  float64 // largest is the largest magnitude of a coordinate.
}

// Input is what a plan is given beside the mesh and its motion: what its boxes hold, and how near a
// pair must come.
type Input struct {
	Separation float64     // Separation is the distance within which pairs count: boxes grow by half of it.
	Radii      *mesh.Radii // Radii let each box grow by the radius of its primitive as well.
	Bands      *Bands      // Bands, if not nil, have tighter boxes within those of the motion.
	Until      float64     // Until is the end of the time [0, Until] that boxes cover.
	Still      bool        // Still is true if the record space stays at rest.
	AtRest     bool        // AtRest is true if the vertices stay at rest over [0, Until] as well.

	// Intersections is true if the pairs wanted are those of an intersection test of one
	// configuration, which is at rest over [0, Until], not those of a step.
	Intersections bool

	// Euclidean is true if the separation is measured in the Euclidean norm, not in the max norm.
	// Plans read it where boxes are along other directions.
	Euclidean bool
}

// Tactic says how a plan finds its pairs, which changes the time but no pair that comes within the
// separation.
type Tactic struct {
	Orient  Orientation // Orient lets boxes be compared along other directions than the axes.
	Remote  *Remote     // Remote is a device that finds the pairs, or nil.
	Ordered *Ordered    // Ordered is the step in the mesh's order, or nil.

	// Hierarchy lets the hierarchy of the mesh find the pairs, where it has one and the plan fits.
	Hierarchy bool

	// Sieve lets such a plan leave out pairs that boxes do not tell apart, where they are proven to
	// be apart in another way.
	Sieve bool

	Unboxed bool // Unboxed has given pairs emitted without comparing their boxes.

	// Farther bounds how much more than their separation pairs may be apart that are found where
	// boxes are not those along the axes.
	Farther float64

	cull when // cull says when static primitives are left out; tests change it.
}

// Work is what the call allows a plan.
type Work struct {
	Progress *engine.Progress // Progress is that of the call, for plans that take long (pieces.go), or nil.
	UpTo     float64          // UpTo is the part of the call that is done when the plan has been swept.
	Threads  int

	// Limit is how many bytes the plan and the workers' lists may use, beyond which Build fails
	// (see SlabPlan); 0 is no limit.
	Limit int64
}

// Keep says which pairs a plan keeps; each field that is not nil leaves out some. With a slab and a
// region those are kept that both own.
type Keep struct {
	Slab    *Slab
	Region  *Region
	Hulls   *geom.Trajectories // Hulls decide who owns a pair, in place of the step: see Region.
	Changed []bool             // Changed has the vertices of which a pair must have one.
	Near    *Near              // Near has what is near those vertices: nothing else is swept then.
	Excerpt *Excerpt           // Excerpt has all that is swept.
}

// everything reports whether a plan keeps all pairs that the filter allows.
func (k *Keep) everything() bool {
	return k.Slab == nil && k.Region == nil && k.Changed == nil && k.Near == nil && k.Excerpt == nil
}

// owner returns the box of space whose pairs are wanted, nil for all: a pair that a slab and a
// region own has its corner in both. The box is written to memory.
func (k *Keep) owner(memory *Region) *Region {
	if k.Slab == nil {
		return k.Region
	}
	*memory = k.Slab.region()
	if k.Region != nil {
		for axis := range 3 {
			memory.Lo[axis] = max(memory.Lo[axis], k.Region.Lo[axis])
			memory.Hi[axis] = max(memory.Lo[axis], min(memory.Hi[axis], k.Region.Hi[axis])) // It may be empty.
		}
	}
	return memory
}

// Orientation says along which directions a plan compares boxes.
type Orientation int

// AlongAxes is for callers whose results depend on all pairs of boxes that overlap. OrientAlways
// and DivideAlways, which divides primitives into pieces, are for tests.
const (
	AlongAxes Orientation = iota
	OrientIfItPays
	OrientAlways
	DivideAlways
)

// when says when static primitives are left out.
type when int

const (
	whenItPays when = iota
	never
	always
)

// inflation returns how far the box of a primitive is inflated.
func (o *PlanOptions) inflation(s geom.Shape, id int32) float64 {
	if o.Input.Radii.Uniform() {
		return o.most()
	}
	return bound.Inflation(o.Input.Separation, o.Input.Radii.Of(s, id))
}

// own returns the inflation of each primitive as a function, nil where it is one for all.
func (o *PlanOptions) own() func(s geom.Shape, id int32) float64 {
	if o.Input.Radii.Uniform() {
		return nil
	}
	return o.inflation
}

// most returns the largest inflation of a box.
func (o *PlanOptions) most() float64 {
	return Inflation(o.Input.Separation, o.Input.Radii, o.Input.Radii.Largest())
}

// typical returns a mean inflation. Only speed depends on it.
func (o *PlanOptions) typical() float64 {
	return Inflation(o.Input.Separation, o.Input.Radii, o.Input.Radii.Typical())
}
