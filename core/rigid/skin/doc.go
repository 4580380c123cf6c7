// Package skin finds the features of a surface that do not depend on how it is cut into triangles:
// triangles in one plane are one face, pieces of one line one edge, and a vertex inside of either
// is no corner. A body has one Skin, made at the first call that asks where bodies touch (manifold)
// or how far a convex one bulges.
//
//	skin.go      Skin, and the faces, edges and corners of a surface
//	straight.go  pieces of edges that go on straight
//	thin.go      triangles so thin that rounding decides what they are; an order of places
package skin
