// Package contain decides exactly what closed surfaces enclose: the winding number of a surface
// around a point, and whether one surface is inside another, outside of it, or meets it.
//
//	solid.go    Solid: triangles with a tree of boxes; the positions that they share
//	seam.go     whether a surface is closed, and which edge says that it is not
//	ray.go      Solid.Winding: one ray along an axis, from a point that is moved infinitesimally
//	sign.go     signs of areas and volumes in floating point, with a bound on the error
//	exact.go    the same in integers, and points on triangles
//	meet.go     whether two triangles share a point
//	place.go    Placement: a solid in the coordinates of another
//	between.go  Between: how two solids lie to each other
//	many.go     Solid.Windings: many points on all threads
//	near.go     Solid.Near: the triangles near a point
//	nested.go   Solid.Nested: the connected components of one surface that are inside others
//
// A surface is closed if each edge is passed as often in one direction as in the other, where
// corners at equal positions are one. The solid of a closed surface is its points and those around
// which its winding number is not 0: so parts that overlap count once, an inverted surface has the
// inside of the other one, and a component inside another one, wound the other way, is a cavity.
//
// Laws:
//  1. Winding returns the winding number, or On if and only if the point is on the surface.
//  2. Between returns Crossing if and only if the surfaces share a point; Inside if and only if
//     they do not, all of A's surface is inside B's solid and none of B's in A's; Contains the
//     other way round; Outside if and only if none of either is in the other. Then the solids
//     have no common point, or one is a part of the other.
//  3. Nested lists a component and another one that is closed if and only if the first is inside
//     the second, alone, and they do not share a point.
//  4. No result depends on the order of triangles, the axis of the ray or the number of threads.
//
// Where coordinates are doubles, or rational functions of them, no answer is Unknown.
package contain
