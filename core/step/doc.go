// Package step tests whole steps: a mesh whose vertices move linearly from x0 to x1, or as a motion says.
//
// Three things say what a call does. Each is an interface, chosen once when the call begins; one loop puts them together:
//
//	path     what moves: straight | curved                                  path.go, curved.go
//	source   which pairs count: a sweep | given pairs | the check of the start   source.go, start_check.go
//	want     what is looked for: the earliest impact | every impact | ...   want.go, search.go
//	run      for each section, each portion, each block of pairs: the want has the path decide it   run.go
//
// What calls share:
//
//	call.go, worker.go   a call, its workers and their memory
//	options.go           options
//	device.go, solve.go  a graphics processor: pairs that wait for it, and what it proves apart
//	slab.go              slabs and regions, to distribute a step over machines
//
// The calls:
//
//	earliest.go          Earliest, the first impact; search.go the want, restart.go when a shorter interval pays, first_bound.go a
//	                     first bound on its time
//	collisions.go        Collisions, all impacts; gather.go sorts them; visit.go passes them to a callback instead
//	pairs.go             Pairs, the impacts of given pairs
//	intervals.go         Intervals of contact
//	least.go             LeastDistance
//	gradients.go         Gradients of times
//	size.go              Size, a safe step; advance.go the positions after it, proven; advance_kept.go what a safe step leaves to prove
//	linesearch.go        LineSearch, a step that leaves room for the next; linesearch_motion.go on a motion
//	sizes.go             Sizes, a step for each vertex, and the positions, proven; sizing.go its passes; motion_sizes.go on a motion;
//	                     nearness.go the distance that a near pair has at x0, which nearness_kept.go keeps from pass to pass
//	exclude_near.go      ExcludeNear, which excludes pairs that are near in the mesh
//	activeset.go         ActiveSet, contact constraints
//	jacobian.go          Jacobian and EffectiveMass of constraints; tangents.go frames of normals; colors.go constraints without a
//	                     vertex in common
//	motion.go            calls on motions, and how one begins; motion_calls.go more of them
//
// Curved paths:
//
//	curved.go            midlines, bands around them, and how a block of pairs is decided
//	motion_sections.go   sections of the step, swept one after the other
//	motion_sift.go       which pairs are solved: what midlines, and parts (motion_parts.go), do not prove apart
//	motion_kernels.go    contacts that kernels find; motion_axes.go a first look at a pair; motion_pairset.go pairs solved before
//
// The broad phase streams blocks of candidates into the narrow phase while they are in cache, so a call needs memory for the
// mesh and a few blocks, not for the candidates.
//
// Every result has the bits that the narrow phase returns for the single pair. Shared work, its order, the number of threads and the
// memory limit change the time but not the results (law 7). Each file proves it for what it adds.
package step
