// Package mesh holds the topology of a surface: vertices, unique edges, triangles, and the parts that belong to no
// triangle; the filters that say which pairs may collide; and readers of the files that meshes and queries come in.
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
// This is complete. Let two primitives without a common vertex first touch at time t. Faces are closed, so vertex-face
// includes the border of the face; edges are closed, so edge-edge includes the end points. What is left is a point on
// an edge or on a point:
//
//   - An edge of a face is within vertex-face. A codimensional edge e and a vertex v that lies on an edge g: edge-edge has
//     (g, e) unless g shares a vertex with e. So v needs point-edge only when every edge at v shares a vertex with e: v has
//     no edge at all, or is the free end of a rod that is hinged to e, or closes a triangle of rods over e. (An edge of a
//     face at v would put that face's third edge or e itself in the way.) Those v are EdgePoints, and Filter.Allows
//     leaves out the pairs that edge-edge has already.
//   - A vertex on an edge or face is within the families above when the other point is tested against that edge or
//     face; two vertices that lie on no edge are point-point.
//   - Two edges that share a vertex, or an edge and a face that do, touch elsewhere first where the end of one meets the
//     other, or where the edge crosses the opposite edge of the face: pairs that share no vertex, and are above.
//
// A face that collapses onto itself, or an edge that shrinks to a point, is no collision.
package mesh
