// Package mesh represents meshes: surfaces of triangles, edges and points (Mesh), with the filters that decide which pairs are tested, and
// meshes of elements (Volume). It also reads files of meshes and queries.
//
//	mesh.go, edges.go, table.go       Mesh: vertices, unique edges, triangles, and what belongs to no triangle
//	filter.go, setters.go, hinged.go  Filter and what sets it; the pairs that intersection tests need in addition
//	radii.go                          Radii: a radius per vertex, and the separation of a pair
//	volume*.go, element.go            Volume: elements and their features; volume_edit.go changes them
//	read.go, load.go                  Read: surfaces from files of any format; the readers are obj.go, off.go, ply*.go, stl.go
//	cells.go                          ReadCells: elements from files; the readers are medit.go, msh.go, vtk.go, vtu*.go
//	beside.go, foreign.go             Beside: what readers leave out, and data at points; names of formats that are not read
//	clean.go, cells_clean.go          Clean: what readers leave out, for arrays; the same for elements
//	polygon.go, orient.go             polygons are cut into triangles, with exact signs
//	mshdata.go, vtkdata.go            data at points of MSH and VTK; vtkcell.go has the types of cells
//	weld.go, rings.go                 Weld: vertices that are copies of others; vertices within some edges of each other
//	queries.go                        ReadQueries: single queries
//	source.go, text.go, shown.go      what the readers share: packed numbers, lines, words in error messages
//	assembly.go, part.go              Assembly: meshes side by side; Part: a mesh of some of its elements
//	order.go, rest.go                 Order: numbers by places in space; AtRest: without pairs that rest
//	hinged_points.go                  pairs of points that have an edge
//	load_nonblock.go, load_js.go      how a file is opened, and in JavaScript
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
// includes the border of the face; edges are closed, so edge-edge includes the end points. The remaining cases are a point on
// an edge or on a point:
//
//   - An edge of a face is within vertex-face. A codimensional edge e and a vertex v that lies on an edge g: edge-edge has
//     (g, e) unless g shares a vertex with e. So v needs point-edge only when every edge at v shares a vertex with e: v has
//     no edge at all, or is the free end of a rod that is hinged to e, or closes a triangle of rods over e. (An edge of a
//     face at v would put that face's third edge or e itself in the way.) Those v are EdgePoints, and Filter.Allows
//     excludes the pairs that edge-edge covers.
//   - A vertex on an edge or face is within the families above when the other point is tested against that edge or
//     face; two vertices that lie on no edge are point-point.
//   - Two edges that share a vertex, or an edge and a face that do, touch elsewhere first where the end of one meets the
//     other, or where the edge crosses the opposite edge of the face: pairs that share no vertex, and are above.
//
// A face that collapses onto itself, or an edge that shrinks to a point, is no collision.
package mesh
