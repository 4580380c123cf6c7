// Package step tests whole steps: a mesh whose vertices move linearly from x0 to x1.
//
//	earliest.go    Earliest, the first impact; restart.go decides when a shorter interval pays
//	collisions.go  Collisions, all impacts; gather.go sorts them; visit.go passes them to a callback instead
//	pairs.go       Pairs, the impacts of given pairs
//	size.go        Size, a safe step; advance.go the positions after it, proven; linesearch.go a step that leaves room for the next
//	sizes.go       Sizes, a step for each vertex, and the positions, proven; sizing.go its passes; nearness.go the distance that a near pair has at x0, which nearness_kept.go keeps from pass to pass
//	activeset.go   ActiveSet, contact constraints: see package constraint
//	exclude_near.go   ExcludeNear, which excludes pairs that are near in the mesh
//	slab.go        slabs, to distribute a step over machines
//	call.go        what these calls share: workers, plans, memory
//	first_bound.go, advance_kept.go   a first bound on the earliest impact; what a safe step leaves
//	intervals.go, least.go, gradients.go   intervals of contact, the least distance, gradients
//	start_check.go, device.go   the check of the start; a call with a device
//	motion.go, motion_calls.go   steps of motions and their calls, with motion_sizes.go and linesearch_motion.go
//	motion_sections.go, motion_parts.go, motion_sift.go   which of their pairs are solved, and when, with motion_axes.go,
//	               motion_kernels.go and motion_pairset.go
//	options.go, solve.go   options; a block of pairs
//
// The broad phase streams blocks of candidates into the narrow phase while they are in cache, so a call needs memory for the
// mesh and a few blocks, not for the candidates.
//
// Every result has the bits that the narrow phase returns for the single pair. Shared work, its order, the number of threads and the memory
// limit change the time but not the results (law 7). Each file proves it for what it adds.
package step
