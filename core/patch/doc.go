// Package patch answers queries between moving curved primitives: Bezier curves, triangles and tensor-product patches,
// polynomial or rational, and NURBS surfaces, which become rational patches.
//
// A Patch is a form (shape and degrees), control points at both ends of the step, and positive weights. A control point
// moves on the segment between its ends; weights stay. So the patch at a time t is the Bezier patch of the control points
// at t, and lies in their hull: this is all that the methods rest on. A subpatch, made by halving, has the same nature,
// for a rational average moves linearly too (see halve.go).
//
// Solver answers a pair: best-first over pairs of subpatches, each checked by GJK as conservative advancement on the
// moving hulls. A Scene answers bodies of patches, and a body against itself. docs/numerics.md derives the bounds,
// docs/papers.md names the papers.
package patch
