// Package volume tests steps of meshes of elements: tetrahedra, hexahedra, prisms, pyramids and
// shells whose vertices move linearly. Elements may be crushed, inverted or torn.
//
// # Which pairs a step tests
//
// The features of a mesh.Volume are its vertices, edges and triangles, inner ones included, as far
// as they belong to a live element. The universe is every vertex with every face that does not have
// it, and every two edges without a common vertex. It is complete: every vertex is in an edge and
// every edge in a face, so two features that first touch do so vertex to face or edge to edge; two
// that have a vertex in common first touch elsewhere where a pair without one does.
//
// Each pair is of one Class:
//
//	WithinElement   some element has all vertices of both: contact means that the element is
//	                squeezed flat, or inverts
//	AtSplit         else, a vertex of the one and a vertex of the other were split from one
//	                (mesh.Volume.Origin), and are still at the same place at t = 0. Such pairs
//	                touch at t = 0 by construction, so the default classes do not include them.
//	                Once the two vertices have separated, the pair is of one of the classes below
//	WithinObject    else, both are of one connected component
//	BetweenObjects  else
//
// # Algorithm
//
// The production algorithm is a tree over patches of some elements (order.go, layout.go, tree.go).
// A patch has the features that its elements own. Each feature is in one patch only, so every pair
// is found once without a look-up. Boxes are computed at both ends of the step: two of them are
// apart when one lies above the other at both ends, which makes the cost insensitive to the
// distance traveled. Pairs that pass the boxes and have no common vertex are tested along six
// diagonal directions, and then by the narrow phase in batches (worker.go). The tree is refitted
// for every step, and rebuilt when its traversal has become more expensive (scene.go).
//
//	collisions.go  Collisions and Earliest; earliest.go searches, restart.go decides when a shorter
//	               interval pays
//	contact.go     Contact, its class and order; sortkey.go and gather.go sort and merge lists of
//	               contacts
//	brute.go       the reference implementation: every pair of the universe
//	search.go      Search, another way to find the pairs, which shares the narrow phase;
//	               core/reference/volccd is one
//	backtrack.go   start positions of vertices that were created during a step
//	options.go     classes of pairs, and options
package volume
