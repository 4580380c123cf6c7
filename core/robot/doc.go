// Package robot decides edges of paths of robots: whether any two tested bodies touch while all
// joints follow polynomials, straight lines among them, from one configuration to another.
//
// New makes a Robot of a tree of joints with bodies of triangles, edges and points with radii. A
// Worker checks edges of it, one at a time, without allocating. Robot.CheckEdges checks many on
// several threads, with the same bits for any number of them.
//
// Each body that moves has a tree of balls in its link's coordinates, and all that it is tested
// against has trees of eight boxes a node. On an interval [m - h, m + h] of the edge the pose, the
// velocities and the accelerations at m and a bound of the third derivative say how far apart two
// nodes stay. A pair of nodes that is not proven apart waits for shorter intervals if it moves far,
// and is opened otherwise. Pairs of leaves are separated along directions, and touch for certain by
// signs of determinants. docs/proofs/robot-edges.md derives all bounds.
//
// The laws are those of docs/proofs/robots.md:
//
//   - R1: an edge that is Free has no pair within the separation, and no body inside of another.
//   - R2: of an edge that Collides, two bodies touch at S, or one is inside of the other; before
//     SFree no pair comes within the separation.
//   - R3: an edge is Undecided if a pair comes within the tolerance, or the budget is spent.
//   - R5: a clearance is a bracket of the least distance on the edge, or on a part of it.
//   - R6: of the tested pairs, those that are not listed as touching or undecided are free.
//   - R7: a pair that cannot meet within ranges of the variables is free at all of their values.
//
// Files:
//
//   - model.go: joints, bodies and what is wrong with them. robot.go: the robot.
//   - edge.go, curve.go: what an edge is given by. way.go: paths of joints from one link to
//     another, and states along them. bounds.go: bounds on what links do, and on the rounding of
//     states.
//   - primitive.go, balls.go, boxes.go: primitives, clusters, and the trees over them.
//   - place.go, planes.go, direction.go, leaf.go: balls and boxes, balls and planes, directions
//     between clusters, pairs of leaves.
//   - touch.go: primitives that certainly touch. solid.go, inside.go, winding.go: bodies inside of
//     others.
//   - search.go: lists of open pairs in an interval. first.go, any.go: the two searches over
//     intervals. check.go: checks and their results. many.go: many edges on several threads.
//   - clearance.go, meter.go: least distances. pairs.go: all pairs that touch. ranges.go: pairs
//     that can meet within ranges. change.go: robots made from others.
package robot
