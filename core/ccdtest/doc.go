// Package ccdtest is the test's helper: it makes queries, reads the data sets, and holds the numbered laws of
// docs/numerics.md as suites that every method must pass.
//
// A Family makes queries of one sort from a seed (families.go says which, build.go how). A Method is anything that
// answers a query. Check asks whether one answer breaks a law, with the oracles of core/reference/oracle as the truth; Suite
// runs it over all families, and its methods are named after the laws, so that a test reads
//
//	func TestVertexFaceLaw2SafeBeforeTOI(t *testing.T) { suite.Law2SafeBeforeTOI(t, geom.VertexFace) }
//
// Steps of volumes have laws of their own (volume_laws.go), on families of small volumes (volume_cases.go), degenerate ones among
// them; the oracle is asked about every pair, and nothing of the truth is taken from core/volume.
//
// Only tests and tools import this package. A test inside a package that ccdtest imports (geom, exact, narrow, mesh)
// must be an external one, package foo_test, or the imports would form a ring.
package ccdtest
