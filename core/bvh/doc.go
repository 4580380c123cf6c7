// Package bvh builds binary trees over primitives: a topology from axis-aligned boxes by the surface area heuristic, and oriented
// boxes fitted to every node.
//
// Every leaf holds one primitive, so a subtree of n primitives has 2n - 1 nodes, its place in the array is known before it is
// built, and the tree is the same for any number of threads.
package bvh
