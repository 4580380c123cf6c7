// Package proximity answers what is true of one frame: which primitives intersect, and how near they are.
//
// Intersections and Intersects look at edges against faces, as simulators do, and beyond that at what such a test cannot
// see. Near finds the pairs within a distance, as candidates for barriers; Distance the smallest distance there is.
//
// # Which pairs intersect
//
// An edge and a face intersect when the closed segment and the closed triangle share a point. Pairs that share a vertex
// are left out: beyond that vertex they meet only where the edge lies in the face's plane, and there
//
//   - either the other end of the edge lies in the face,
//   - or the edge crosses the edge opposite of the shared vertex: a vertex and a face, or two edges, without a common
//     vertex. In nearly all meshes another edge or face at that place makes it an edge-face pair without a common vertex.
//     Where none does, the pair is hinged (mesh.Hinged) and tested for touching itself.
//
// Codimensional vertices and edges are tested against faces and each other. Hence the law that ties this to the steps:
//
//	Complete. No pair intersects, if and only if no allowed edge and face without a common vertex share a point, and no
//	allowed pair of the families of package mesh touches.
//
// So a frame without intersections, moved by a step that is separate, has none. The filters of the mesh carry over: if a
// patch or static vertices leave out an edge-face pair, they leave out each vertex-face and edge-edge pair in it. Lists of
// excluded pairs name pairs of one kind, and leave out no others; those of kind EdgeFace are for here alone.
//
// Every answer is exact: orient.go decides by signs in floating point with a bound on the error, and asks package
// exact where that does not tell.
//
// # How near
//
// Distances are Euclidean, between the pairs of package mesh: vertex-face, edge-edge and codimensional ones. That is the
// distance of the surfaces as long as they do not intersect. Each comes as an enclosure: bound.go proves both ends in
// floating point, and uses integers of any width where they are too far apart. Both ends are 0 if and only if the pair touches.
//
// The work done in common, its order, the threads and the memory limit decide only how soon an answer is found.
package proximity
