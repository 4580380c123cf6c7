// Package broad finds the pairs of primitives that may meet within a step.
//
// A candidate is a pair whose swept boxes of doubles overlap, each inflated by half the minimum
// separation, that shares no vertex and that the mesh's filter allows. The families of pairs are
// those of package mesh. Every candidate is found once: boxes are compared exactly (bound, laws 1
// to 3), and lists grow as needed.
//
// The production algorithm is a sweep within the cells of a grid:
//
//	input.go       PlanOptions: Input, Tactic and Work
//	keep.go        Keep: which pairs a plan keeps, and the keeper that decides about them
//	slab.go        Slab: the part of the pairs that one machine, or one pass, finds
//	region.go      Region: the same with three axes
//	bands.go       Bands: paths bounded more tightly
//	inflate.go     how far boxes are inflated
//	plan.go        Plan: the grid and the tasks of one step
//	slabplan.go    SlabPlan: a step divided into slabs to keep a memory limit
//	family.go      the families of pairs
//	layer.go       the primitives of a family in the cells of a grid
//	cells.go       how they get into the cells
//	grid.go        the grid
//	axis.go        the axis of the sweep
//	width.go       the width of cells
//	divide.go      a run of cells divided into tasks
//	keyrange.go    cells with many entries divided among tasks
//	worker.go      Worker sweeps tasks and emits pairs in blocks
//	few.go         few primitives
//	reuse.go       plans of candidates that are known already
//	hierarchy_plan.go  plans by the trees of package hierarchy
//	hierarchy_near.go  those of changed vertices
//	ordered.go     Ordered: a step in an order by space, in which the grid finds the same pairs
//	renumber.go    makes that order, for large meshes whose own is none
//	orient.go      boxes along other directions than the axes, where they pay
//	pieces.go      pieces of long primitives
//	piecesize.go   whether they pay
//	slices.go      sweeps them slice by slice
//	slicebudget.go within a memory limit
//	near.go        Near: the primitives that matter to the pairs with a changed vertex
//	excerpt.go     Excerpt: the primitives around a few vertices
//	static.go      staticCull: of a mesh with static vertices, the primitives near those that move
//	boxbounds.go   their boxes
//	occupancy.go   the cells of these
//	parts.go       divides the families for static.go and near.go
//	remote.go      Remote: a device that finds the pairs of a plan, window by window
//	sweep.go       Sweep lists all candidates
//	list.go        decides by doubles what single precision cannot
//	hierarchy.go   lists by the trees of package hierarchy, where a mesh has them: the same pairs
//	sweep_remote.go  lists by a device
//	candidates.go  Candidates: the list, sorted when it is read
//	pairlist.go    pairs as they were found
//	order.go       sorts them
//	cellsort.go    sorts the entries of a cell
//	given.go       candidates of the caller
//	bruteforce.go  the reference: every pair
//	options.go     options
//	stats.go       collects the statistics of a sweep
//
// BruteForce compares every pair. It is here, and not in core/reference, because the option
// CCD_BRUTE_FORCE calls it. The tests compare Sweep with it and with the sweep of [Belgrod2023],
// core/reference/stq.
package broad
