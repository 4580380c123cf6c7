// Package screw finds when two bodies come near each other while B moves as a screw, as A sees it:
// it turns about one fixed axis and slides along it, or slides alone. All of the motion is looked
// at at once. Along such an axis a body has an image in a plane, of distances from the axis and
// heights less what the screw adds up; a screw only shifts it. Images that are apart separate the
// bodies at every time, and angles about the axis tell when those that meet are near.
//
//	screw.go    Screw, an axis in both bodies, and what the true motions are off it
//	image.go    the images of triangles, divided where they bend
//	polygon.go  what encloses the images of a node more tightly than a rectangle
//	copies.go   triangles that a screw carries to each other share their images
//	tree.go     Images, a tree of those of a body
//	kept.go     the images that a body keeps
//	near.go     Near, the windows of time in which triangles of both bodies may be near
//
// docs/proofs/screws.md proves that no pair is near outside of its windows. Package rigid searches
// these.
package screw
