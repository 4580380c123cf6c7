// Package trim decides where boxes lie with respect to closed loops in a plane: the loops that
// bound a face in the plane of its parameters.
//
// A Region is what an odd number of loops surround: a point is in it if a ray from the point
// crosses the loops an odd number of times. So neither the orientation of a loop nor the order of
// the loops matters. A loop is a closed polygon. The polygon stands for a curve, which lies within
// a tolerance of it along each axis; so do the places at which the file's curves do not quite meet.
//
// Laws, for all finite doubles, in exact arithmetic (docs/proofs/trimmed-faces.md):
//
//   - F1. Outside is a proof: no point of the box is in the region or, along both axes, within the
//     tolerance of a loop.
//   - F2. Inside is a proof: all points of the box are in the region, and none is that near a loop.
//   - F3. Crosses is all else: the loops come within the tolerance of the box, up to 2^-50 of
//     their coordinates.
//
// region.go has regions and their tree of boxes, regions.go those of many faces, classify.go the
// classification, nearest.go the point of the loops that is nearest to a place.
package trim
