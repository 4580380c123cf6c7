// Package overlap measures how far closed surfaces are in each other: the volume that two solids
// have in common, and how deep points are in a solid.
//
//	number.go   the arithmetics of volumes: doubles, pairs of doubles, rational numbers
//	box.go      the common box of two solids, made smaller by the parts of the surfaces in it
//	frame.go    the frame of that box, and points in its coordinates
//	facet.go    triangles as tops of columns, with the errors of their planes
//	polygon.go  polygons that half-planes cut, with the error of each cut
//	column.go   the volume that two columns have in common
//	measure.go  sums over pairs of columns, on all threads
//	plane.go    planes that separate two solids which may touch
//	overlap.go  Measure: the volume that two solids have in common; Volume: that of one
//	depth.go    Depths: where points lie to a surface, how far from it, and by which direction
//	thick.go    Thick: the same of solids with a radius
//
// A solid's winding number at a point is the sum of the signs of the columns below its triangles
// that hold the point. So the integral of the product of two winding numbers is a sum over pairs of
// columns, and each term depends continuously on the corners: no predicate decides anything, and
// degenerate positions are as good as others.
//
// Laws:
//  1. Of solids with winding numbers 0 and 1 the common volume is in the bracket. Others are
//     refused, where it matters by more than rounding, or count by the product of their winding
//     numbers.
//  2. The bracket is as narrow as the tolerance, relatively, or the flag Unfinished is set. It is
//     [0, 0] for solids that have no common point, and for those that touch if a plane of a
//     triangle separates them or few enough triangles are near.
//  3. Volume returns a bracket of the integral of the winding number.
//  4. A point's distance from the surface is in [Lo, Hi], which is [0, 0] if and only if the point
//     is on the surface; its winding number is that of package contain. In the state Defined one
//     point of the surface is nearest, and Normal is the derivative of the distance.
//  5. No result depends on the number of threads.
package overlap
