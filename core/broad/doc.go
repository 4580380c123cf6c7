// Package broad finds the pairs of primitives that may meet within a step.
//
// A candidate is a pair whose swept boxes of doubles overlap, each inflated by half the minimum
// separation, that shares no vertex and that the mesh's filter allows. The families of pairs are
// those of package mesh. Every candidate is found once: boxes are compared exactly (bound, laws 1
// to 3), and lists grow as needed.
//
// The production algorithm is a sweep within the cells of a grid:
//
//	input.go       PlanOptions: Input, Keep, Tactic and Work
//	plan.go        Plan: the grid and the tasks of one step; slabplan.go divides it into slabs to keep a memory limit
//	family.go      the families of pairs; layer.go and cells.go put the primitives of a family into the cells of grid.go,
//	               axis.go chooses the axis of the sweep, width.go the width of cells
//	worker.go      Worker sweeps tasks and emits pairs in blocks; keyrange.go divides cells with many entries among tasks
//	sweep.go       Sweep lists all candidates; list.go decides by doubles what single precision cannot
//	candidates.go  Candidates: the list, sorted when it is read; pairlist.go, order.go and cellsort.go store and sort
//	hierarchy.go   lists by the trees of package hierarchy, where a mesh has them: the same pairs
//	hierarchy_plan.go  plans by these trees; hierarchy_near.go those of changed vertices
//	reuse.go       plans of candidates that are known already
//	orient.go      boxes along other directions than the axes, where they pay; candidate lists use the axes and whole primitives
//	pieces.go      pieces of long primitives; piecesize.go whether they pay, slices.go sweeps them slice by slice
//	ordered.go     Ordered: a step in an order by space, which renumber.go makes for large meshes whose own is none; the same pairs
//	near.go        Near: the primitives that matter to the pairs with a changed vertex
//	static.go      staticCull: of a mesh with static vertices, the primitives near those that move, by the boxes of boxbounds.go and the
//	               cells of occupancy.go; parts.go divides the families for this and for Near
//	remote.go      Remote: a device that finds the pairs of a plan, window by window; sweep_remote.go lists all candidates with it
//	slab.go        Slab: the part of the pairs that one machine, or one pass, finds; region.go Region: the same with three axes
//	bands.go       Bands: paths bounded more tightly; inflate.go how far boxes are inflated
//	divide.go      a run of cells divided into tasks; slicebudget.go a sweep of pieces within a memory limit
//	few.go         few primitives; excerpt.go those around a few vertices; given.go pairs of the caller
//	bruteforce.go  the reference: every pair
//	options.go     options; stats.go collects the statistics of a sweep
//
// BruteForce compares every pair. It is here, and not in core/reference, because the option
// CCD_BRUTE_FORCE calls it. The tests compare Sweep with it and with the sweep of [Belgrod2023],
// core/reference/stq.
package broad
