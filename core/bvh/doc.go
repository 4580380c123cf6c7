// Package bvh builds binary trees over primitives.
//
//	build.go     Build: the topology, from axis-aligned boxes by the surface area heuristic
//	oriented.go  Tree.Fit: oriented boxes of the nodes of a tree over triangles
//	moments.go   principal axes of a node's surface, candidates for the axes of its box
//
// Every leaf holds one primitive, so a subtree of n primitives has 2n - 1 nodes, its position in
// the array is known before it is built, and the tree is the same for any number of threads.
package bvh
