// Package triangle looks at two triangles at one instant, as doubles place them: which points of
// them are nearest, whether they intersect, and whether they pass through each other beyond
// rounding. It has no state, and knows no bodies and no motions. Errors are bounded in
// docs/proofs/rigid.md and docs/proofs/body-distances.md.
//
//	closest.go       Corners, a triangle made ready; Pair, two of them; their nearest points
//	refined.go       nearest points up to rounding, whatever the shapes and the angles
//	intersecting.go  whether an edge of one meets the inside of the other
//	passing.go       whether they do so wherever within an error their corners are
//	exact.go         what two triangles at exact poses do, in integers
package triangle
