// Package broad finds the pairs of primitives that may meet within a step.
//
// Sweep is the fast road; TiniestQueue is the sweep as the 2023 paper has it (section 6.2), and BruteForce looks at
// every pair: the slow twins, which the tests compare with it.
//
// A candidate is a pair whose swept boxes of doubles overlap, each inflated by half the minimum separation, that
// shares no vertex and that the mesh's filter allows. The families are those of package mesh. No pair is lost, and
// none is given twice: boxes are compared exactly (bound, laws 1 to 3), and lists grow as they must.
package broad
