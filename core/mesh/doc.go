// Package mesh represents meshes: surfaces of triangles, edges and points (Mesh), with the filters
// that decide which pairs are tested, and meshes of elements (Volume). Package meshfile reads them
// from files.
//
//	mesh.go, edges.go, table.go       Mesh: vertices, edges, triangles, and what has no triangle
//	filter.go, setters.go, hinged.go  Filter and its setters; pairs that intersection tests need too
//	radii.go                          Radii: a radius per vertex, and the separation of a pair
//	volume*.go, element.go            Volume: elements, their features; volume_edit.go: changes
//	rings.go                          vertices within some edges of each other
//	assembly.go, part.go              Assembly: meshes side by side; Part: a mesh of some elements
//	order.go, rest.go                 Order: numbers by places in space; AtRest: pairs that move
//	hinged_points.go                  pairs of points that have an edge
//	copies.go                         Copies: so many copies of a mesh as one
//
// # Which pairs a step tests
//
// Two primitives touch in one of four ways, each a family of pairs that share no vertex:
//
//	vertex-face   every vertex         x every face
//	edge-edge     every pair of edges
//	point-edge    EdgePoints           x CodimEdges
//	point-point   every pair of CodimVertices
//
// This is complete. Let two primitives without a common vertex first touch at time t. Faces are
// closed, so vertex-face includes the border of the face; edges are closed, so edge-edge includes
// the end points. The remaining cases are a point on an edge or on a point:
//
//   - An edge of a face is within vertex-face. A codimensional edge e and a vertex v that lies on
//     an edge g: edge-edge has (g, e) unless g shares a vertex with e. So v needs point-edge only
//     when every edge at v shares a vertex with e: v has no edge at all, or is the free end of a
//     rod that is hinged to e, or closes a triangle of rods over e. (An edge of a face at v would
//     put that face's third edge or e itself in the way.) Those v are EdgePoints, and Filter.Allows
//     excludes the pairs that edge-edge covers.
//   - A vertex on an edge or face is within the families above when the other point is tested
//     against that edge or face; two vertices that lie on no edge are point-point.
//   - Two edges that share a vertex, or an edge and a face that do, touch elsewhere first where the
//     end of one meets the other, or where the edge crosses the opposite edge of the face: pairs
//     that share no vertex, and are above.
//
// A face that collapses onto itself, or an edge that shrinks to a point, is no collision.
package mesh
