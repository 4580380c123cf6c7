// Package urdf reads robots from URDF files: links with their collision shapes, joints, and the
// pairs of links that are tested, of which an SRDF file allows some to touch.
//
// What is read, and what a malformed file is refused with, is what Python's ccd.robot.read reads,
// for which yourdfpy parses the file; bindings/python/tests/test_robot_files.py compares the two.
//
//   - element.go: the elements of an XML file, numbers of their attributes.
//   - read.go: the calls, links and pairs.
//   - joints.go: the tree of joints, what each follows, its limits.
//   - chain.go: joints of several values as slides and turns.
//   - shapes.go: boxes, balls, capsules, prisms around cylinders, meshes; where they are.
//   - meshes.go: the files of meshes, packages.
//   - srdf.go: allowed pairs, and the joint that the robot stands on.
package urdf
