// Package proximity tests one configuration of a mesh: which primitives intersect, and how near
// they are.
//
// Intersections and Intersects test edges against faces, as simulators do, and also the pairs that
// such a test misses. Near finds the pairs within a distance, as candidates for barriers; Distance
// the smallest distance.
//
//	intersections.go  Intersections, Intersects; package exact decides whether an edge and a face
//	                  cross
//	near.go           Near; enclose.go encloses a distance: bound.go in floating point,
//	                  core/exact/nearest_wide.go in integers
//	distance.go       Distance; tree.go has its trees
//	sieve.go          what both leave out, by a kernel
//	containment.go    Winding, Nested: what a closed surface encloses, by package contain
//	overlap.go        Overlap, Volume, Depths: volumes and depths, by package overlap
//	scan.go           what these calls share: the broad phase, workers, memory
//	list.go, gather.go, order.go   PairList: near pairs for calls nearby; how lists are put in order
//	over_step.go, profile.go             the least distance over a step; distances at times of it
//	over_paths.go                        the least distance on the paths of a motion, in sections
//	radii.go, options.go                 distances with radii;
//	                                     options
//
// # Which pairs intersect
//
// An edge and a face intersect when the closed segment and the closed triangle share a point. Pairs
// that share a vertex are not tested: apart from that vertex they meet only where the edge lies in
// the face's plane, and there
//
//   - either the other end of the edge lies in the face,
//   - or the edge crosses the edge opposite of the shared vertex: a vertex and a face, or two
//     edges, without a common vertex. In nearly all meshes another edge or face there forms an
//     edge-face pair without a common vertex. Where none does, the pair is hinged (mesh.Hinged) and
//     tested directly.
//
// Codimensional vertices and edges are tested against faces and each other. Hence the law that
// connects this test with the steps:
//
//	Complete. No pair intersects, if and only if no allowed edge and face without a common vertex
//	share a point, and no allowed pair of the families of package mesh touches.
//
// So a configuration without intersections has none after a step that is separate. The filters of
// the mesh apply: if a collision group or static vertices exclude an edge-face pair, they exclude
// each vertex-face and edge-edge pair in it. Lists of excluded pairs exclude pairs of one kind
// only; those of kind EdgeFace concern this test alone.
//
// Every result is exact: exact.Resolver.Crosses decides by signs in floating point with a bound on
// the error, and the others as queries in motion.
//
// # How near
//
// Distances are Euclidean, between the pairs of package mesh: vertex-face, edge-edge and
// codimensional ones. That is the distance of the surfaces as long as they do not intersect. Each
// distance is returned as an enclosure: bound.go proves both ends in floating point; where they are
// too far apart, exact.NearestOf computes them in integers of any width. Both ends are 0 if and
// only if the pair touches.
//
// Shared work, its order, the number of threads and the memory limit change the time but not the
// results.
package proximity
