// Package rigid finds when two rigid bodies first come close, for bodies that move and turn at
// constant rates.
//
// A Motion is exact: its doubles define the motion in real arithmetic. A Body is a surface with a
// tree of oriented boxes. Solver.Earliest is conservative advancement: from a time at which two
// parts of the bodies are a distance apart it steps to one before which they cannot come as near as
// the separation, whatever curves their points take. The pair of parts with the least time is
// opened first, until a pair of triangles is within the tolerance. Every number is a float with a
// margin that docs/numerics.md derives, so a result is a proof.
//
//   - body.go: surfaces and their trees. Motions, and intervals that enclose them, are in package
//     poses.
//   - shape.go: boxes, spheres, capsules, cylinders, cones and hulls, these by package hull.
//     surface.go: the triangles of a body. convexity.go: whether a surface is that of a hull.
//     grown.go: what bodies are beyond their triangles.
//   - options.go, earliest.go, heap.go: the query and the search between two bodies, best first.
//   - query.go: both motions as seen from A's pivot, the poses at one time, and the margins of all
//     bounds.
//   - window.go, turning_bounds.go: the times at which two bodies can meet at all; parts.go: the
//     parts of them that are searched one after the other.
//   - node.go, leaf.go: how long two boxes, or two triangles, stay apart. What two triangles do at
//     one instant is in package triangle.
//   - gathered.go: pairs of nodes that are tested four at a time.
//   - together.go: the same for triangles of bodies that turn nearly alike, seen by one of them.
//   - lasting.go: motions that are a screw, whose images separate at every time, by package screw.
//   - tolerance.go: the least tolerance that doubles allow at the size of a query.
//   - normal.go: the normal of a contact; touching.go chooses it from several.
//   - overlap.go, passing_edges.go: whether the surfaces pass through each other at the start.
//   - separating.go, closing.go: contacts at the start that separate, and the points of those that
//     do not.
//   - scene.go, broad_phase.go: many bodies.
//   - mesh.go, mesh_tree.go, mesh_approach.go, mesh_search.go, mesh_leaf.go: bodies over a mesh
//     that deforms.
//   - distance.go, gap.go, apart.go: distances at poses, bounds of those of boxes; resting.go: the
//     normal of bodies that touch; pose_gradient.go: derivatives by the poses; within.go: many
//     bodies; clearance.go: the least distance over a motion; profile.go: the distance at times of
//     it.
//   - manifold.go, manifold_reduce.go: where bodies at poses touch, in features of surfaces that do
//     not depend on their triangles, by package skin.
//   - bulging.go, slide.go, slide_pose.go, slide_stay.go: convex bodies, and how long they stay in
//     contact; package hull says how deep they are in each other.
//   - containment.go: how two bodies lie to each other, and points to a body, by package contain.
//   - containment_thick.go: how two bodies with radii lie to each other.
//   - common_volume.go: the volume that two bodies have in common, and depths of points, by package
//     overlap.
//   - search.go: the interface of another search, such as core/reference/d2m.
package rigid
