// Package ccdtest generates queries, reads the data sets, and tests the numbered laws of
// docs/numerics.md: every method must pass the same suites.
//
//	families.go, makers.go, build.go    Family: random queries of one sort from a seed; slivers.go
//	                                    has thin and nearly parallel ones
//	queries.go                          the recorded queries and scenes of the data sets
//	suite.go, laws.go, fuzz.go          Suite runs a Method over all families, or a fuzzer; Check
//	                                    tests single results against the laws
//	euclid.go, contact.go, trig.go      what the laws need: Euclidean distances, contact data,
//	                                    numbers of 400 bits
//	volume_cases.go, volume_laws.go     the same for steps of small volumes; elements.go, crumple.go
//	                                    and sequences.go make larger ones
//	step_check.go                       random steps of small meshes, and the exact truth of a whole
//	                                    step
//	patches.go, patch_pairs.go, patch_contact.go  the same for curved patches
//	intervals.go, gradients.go             the laws of intervals and gradients
//	least.go, least_place.go               those of least distances, their places and profiles
//	least_paths.go                         those of least distances on the paths of a motion
//	motions.go, rigid_motion.go         queries of points on polynomials in t, and of bodies that
//	                                    turn
//	threads.go                          surfaces of threads and tubes
//	resting.go                          pairs that rest on each other at exactly the separation
//	patch_walls.go, sequences_more.go   patches with a contact that is known to the bit; more scenes
//	                                    of volumes
//	patch_areas.go                      patches that meet over an area, at a known time
//	heap.go, race.go, race_off.go       how tests collect garbage; whether the race detector watches
//	rigids/, constraints/               the same for rigid bodies, and for contact constraints
//	bits/, soak/                        commands: digests of results, and endless random tests
//	columns/, rewrap/                   the widths of lines, and the command that wraps comments
//	source/                             the packages of the module with types
//	figures/                            the command that counts what a reader of the code carries
//
// The truth comes from the oracles of core/reference/oracle, which share no code with what they
// check. A test of a law reads
//
//	func TestVertexFaceLaw2SafeBeforeTOI(t *testing.T) {
//		suite.Law2SafeBeforeTOI(t, geom.VertexFace)
//	}
//
// Only tests and tools import this package. A test of a package that ccdtest imports (geom, exact,
// narrow, mesh) must be an external one, package foo_test, to avoid an import cycle.
package ccdtest
