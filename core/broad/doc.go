// Package broad finds the pairs of primitives that may meet within a step.
//
// Sweep is the fast algorithm. BruteForce looks at every pair; it is here, and not in core/reference, because the option
// CCD_BRUTE_FORCE of steps and of broad phases calls it. The tests compare Sweep with it, and with the sweep as [Belgrod2023] has
// it, core/reference/stq.
//
// A candidate is a pair whose swept boxes of doubles overlap, each inflated by half the minimum separation, that
// shares no vertex and that the mesh's filter allows. The families are those of package mesh. No pair is lost, and
// none is given twice: boxes are compared exactly (bound, laws 1 to 3), and lists grow as they must.
package broad
