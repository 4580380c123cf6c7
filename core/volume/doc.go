// Package volume answers steps of meshes of elements: tetrahedra, hexahedra, prisms, pyramids and shells whose vertices move
// linearly, crushed, inverted and torn as they may be.
//
// # Which pairs a step tests
//
// The features of a mesh.Volume are its vertices, edges and triangles, those inside included, as far as they belong to a live
// element. The universe is every vertex with every face that does not have it, and every two edges without a common
// vertex. It is complete: every vertex is in an edge and every edge in a face, so two features that first touch do so
// vertex to face or edge to edge; two that have a vertex in common touch elsewhere first where a pair without one does.
//
// Each pair is of one Class:
//
//	WithinElement   some element has all vertices of both: contact means that the element is squeezed flat, or inverts
//	AtSplit         else, a vertex of the one and a vertex of the other were split from one (mesh.Volume.Origin), and are still
//	                at the same place at t = 0. The two touch at t = 0 by construction, which is no news: the class is left
//	                out unless it is asked for. Once the two vertices have parted, the pair is of one of the classes below
//	WithinObject    else, both are of one connected component
//	BetweenObjects  else
//
// # How
//
// The default method is a tree over patches of some elements (order.go, layout.go, tree.go). A patch has the features that
// its elements own, each in one patch only, so no pair is met twice and none needs a look-up. Boxes stand at both ends of
// the step: two of them are apart when one lies above the other at both ends, which makes the cost insensitive to how far
// things travel. What the boxes leave, less pairs with a common vertex, is compared along six diagonal directions, and
// goes to the narrow phase in batches (worker.go). The tree is refitted for every step, and built anew when traversing it
// has grown dearer (scene.go). BruteForce (brute.go) is the reference implementation.
//
// A caller may hand in another Search (search.go), which finds the pairs of features in its own way and shares the narrow phase.
// core/reference/volccd is one: the method of [Tang2011].
package volume
