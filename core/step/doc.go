// Package step tests whole steps: a mesh whose vertices move linearly from x0 to x1, or as a motion
// says.
//
// A course is what moves, as the caller gives it (course.go; course_paths.go for a motion). Of it,
// three things are made that say what a call does. Each is an interface and is chosen once, when
// the call begins. One loop puts them together:
//
//	path     what moves: straight | curved                            path.go, package curved
//	source   which pairs count: a sweep, of all or between two groups | given pairs   source.go
//	want     what is looked for: the earliest impact (search.go) | so many of the first
//	         (first_impacts.go) | every one (want.go) | all intervals of contact (intervals.go) |
//	         the distance of a line search (linesearch.go)
//	run      for each section of the step, each portion of space, each block of pairs: the want has
//	         the path decide it                                       run.go
//
// The check of the start is a run of its own, with its own path, source and want (start_check.go).
//
// What calls share:
//
//	call.go, worker.go   a call, its workers and their memory; pool.go has that of finished calls
//	options.go           options
//	method.go            what the method of a call lets a search leave out
//	tactics.go           the ways in which a call may save time, and what a memory limit leaves
//	costs.go             what a search costs, by which plans are compared
//	device_sieve.go      what a graphics processor (package device) proves apart
//	region.go            regions, to distribute a step over machines
//
// The calls are functions on a mesh from x0 to x1, and methods of Step:
//
//	step.go              Step, what moves and which pairs count, as a value; source.go has Between
//	part.go              what a step of a scene or of a neighbor list gives each call
//	earliest.go          Earliest, the first impact: search.go is its want, search_restart.go says
//	                     when a shorter interval pays, search_bound.go has a first bound on its time
//	batch.go             EarliestBatch, the first impact of each of several worlds
//	batch_device.go      the same on a device, which gets the worlds as copies in one mesh
//	collisions.go        Collisions, all impacts; gather.go sorts them
//	first_impacts.go     FirstImpacts, so many of them from the first one on
//	visit.go             Visit, which passes them to a callback
//	pairs.go             Pairs, the impacts of given pairs
//	intervals.go         Intervals of contact
//	least.go             LeastDistance, LeastOnPaths
//	gradients.go         Gradients of times
//	size.go              Size, a safe step
//	advance.go           Advance, the positions after a safe step, proven; landing.go how an attempt
//	                     gets there; advance_kept.go which pairs a safe step does not prove, and
//	                     unproven.go collects them; advance_batch.go does it for several worlds
//	why.go               Why: the pair that limits a step; why_others.go: those that come next;
//	                     why_text.go: its sentences
//	linesearch.go        LineSearch, a step that leaves room for the next
//	sizes.go             Sizes, a step for each vertex, and the positions, proven;
//	                     sizes_options.go its options; sizing.go its passes; sizes_ways.go what
//	                     vertices go along
//	nearness.go          the distance of a pair at x0 that Sizes keeps a part of; nearness_kept.go
//	                     remembers it from pass to pass
//	exclude_near.go      ExcludeNear, which excludes pairs that are near in the mesh
//	activeset.go         ActiveSet, contact constraints: see package constraint
//	respond.go           Respond, positions after contact for those who have no solver
//
// The broad phase streams blocks of candidates into the narrow phase while they are in cache, so a
// call needs memory for the mesh and a few blocks, not for the candidates.
//
// Every result has the bits that the narrow phase returns for the single pair. Shared work, its
// order, the number of threads and the memory limit change the time but not the results (law 7).
// Each file proves it for what it adds.
package step
