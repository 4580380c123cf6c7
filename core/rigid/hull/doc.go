// Package hull computes convex hulls of points with exact signs, and how deep two hulls are in each
// other. It knows points and triangles, no bodies and no motions: rigid makes bodies of hulls with
// it, asks whether a surface is that of a hull, and measures overlaps while bodies slide.
//
//	hull.go       Of, the hull of points by quickhull
//	surface.go    Bounds, whether triangles that enclose space are the surface of a hull
//	flat.go       Covers, the same where all points lie in a plane or on a line
//	minkowski.go  Differences, whose distance from 0 to the border is how deep hulls overlap
package hull
