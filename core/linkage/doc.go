// Package linkage closes chains of joints: it computes the joints that follow when some joints of a
// four-bar, a gripper or a slider-crank go along a path, with a proven radius.
//
// The joints are a tree. Each loop was cut at one joint, and a Loop takes its place: a point of one
// link stays on a point, a line or a plane of another one. Chain.Close proposes polynomials of
// degree 5 for the joints that follow, on pieces of the path, with the values and two derivatives
// that Newton's method finds at the ends of a piece. Nothing depends on how they are found. Law R8
// of docs/proofs/robots.md ("Loops") is proven of them: there is exactly one continuous motion
// within the radii that keeps all loops closed.
//
// Files:
//
//   - chain.go: loops, and what is wrong with them. ways.go: joints from the lowest link above both
//     links of a loop down to them, and the left sides of the equations.
//   - ball.go: Taylor series of numbers with radii. proof.go: the radius of a piece.
//   - walk.go: Newton's method along a path. close.go: pieces, until all are proven.
package linkage
