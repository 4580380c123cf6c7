// Package broad finds the pairs of primitives that may meet within a step.
//
// A candidate is a pair whose swept boxes of doubles overlap, each inflated by half the minimum
// separation, that shares no vertex and that the mesh's filter allows. The families of pairs are
// those of package mesh. Every candidate is found once: boxes are compared exactly (bound, laws 1
// to 3), and lists grow as needed.
//
// What pairs are asked for, and of which boxes:
//
//	memory.go      memory that grows, and blocks of work for threads
//	limit.go       the error of a plan that exceeds its memory limit
//	family.go      the families of pairs
//	parts.go       divides them where pairs need a primitive that changes
//	inflate.go     how far boxes are inflated
//	bands.go       Bands: paths bounded more tightly
//	slab.go        Slab: the part of the pairs that one machine, or one pass, finds
//	region.go      Region: the same with three axes
//	excerpt.go     Excerpt: the primitives around a few vertices
//	near.go        Near: the primitives that matter to the pairs with a changed vertex
//	hierarchy_near.go  the same by the hierarchy of the mesh
//	ordered.go     Ordered: a step in an order by space, in which the grid finds the same pairs
//	renumber.go    makes that order, for large meshes whose own is none
//	remote.go      Remote: a device that finds pairs
//	input.go       PlanOptions: Input, Keep, Tactic and Work
//	keep.go        keeper: decides which pairs a plan keeps
//
// A plan and what finds its pairs:
//
//	plan.go        Plan: what a plan has, and the tactics, one of which finds its pairs
//	tasks.go       its tasks
//	begin.go       sets it to a step
//	build.go       makes it, by the first tactic that fits
//	slabplan.go    SlabPlan: a step divided into slabs to keep a memory limit
//	bytes.go       its memory
//	space.go       the record space, and the records of the vertices
//	few.go         few primitives: all pairs are compared
//	reuse.go       candidates that are known already
//	hierarchy_plan.go  the hierarchy of the mesh
//	worlds.go      Worlds: the same without a plan, for many small steps of a mesh
//	windows.go     a device, window by window
//	long.go        primitives that are long beside the axes
//	orient.go      boxes along other directions, in which they are thin
//	pieces.go      pieces of them
//	piecesize.go   whether these pay
//	slices.go      sweeps them slice by slice
//	slicebudget.go within a memory limit
//	static.go      staticCull: of a mesh with static vertices, the primitives near those that move
//	boxbounds.go   their boxes
//	occupancy.go   the cells of these
//
// The cells of a grid:
//
//	grid.go        the grid
//	axis.go        the axis of the sweep
//	width.go       the width of cells
//	layer.go       the primitives of a family in the cells
//	chosen.go      those of them that may be in a pair that the plan keeps
//	cells.go       how they get into the cells
//	fill.go        chooses the grid of a family and fills it
//	divide.go      a run of cells divided into tasks
//	keyrange.go    cells with many entries divided among tasks
//	worker.go      Worker: the memory of a goroutine
//	cellsweep.go   sweeps the cells of a task and emits pairs in blocks
//	celllist.go    the boxes of a cell as the kernels take them
//	cellsort.go    sorts the entries of a cell
//	places.go      cells of places in an order
//
// Lists of candidates:
//
//	options.go     options
//	sweep.go       Sweep lists all candidates
//	pool.go        plans and workers that calls share
//	list.go        decides by doubles what single precision cannot
//	hierarchy.go   lists by the hierarchy of the mesh: the same pairs
//	crowded.go     whether it finds the first one
//	sweep_remote.go  lists by a device
//	candidates.go  Candidates: the list, sorted when it is read
//	pairlist.go    pairs as they were found
//	order.go       sorts them
//	given.go       candidates of the caller
//	bruteforce.go  the reference: every pair
//	stats.go       collects the statistics of a sweep
//
// BruteForce compares every pair. It is here, and not in core/reference, because the option
// CCD_BRUTE_FORCE calls it. The tests compare Sweep with it and with the sweep of [Belgrod2023],
// core/reference/stq.
package broad
