// Package scene keeps a mesh with its positions over many steps in which only some vertices move.
//
// The calls of its steps (Scene.Step) concern the pairs with a vertex that moves: the others are at
// rest and are skipped. A scene finds them from what it knows of the parts at rest, so that a call
// costs what moves, not what the scene contains.
//
//	scene.go   Scene: positions, commits, what is checked
//	parts.go   Add, Remove
//	step.go    Step: the step of the vertices that move, whose calls are computed on a view
//	view.go    the mesh and the positions that a call passes to package step
//	elements.go, grid.go, build.go  what is near
//	state.go   what is known of the edges and faces that intersect
//
// # Laws
//
// A scene consists of parts: meshes with their filters, the first of them the one that it was
// created from. Primitives have numbers of the scene, which rise with the parts and stay while a
// part is there (mesh.Assembly). "The mesh" below is that of all parts, one after the other.
//
// Let x be the positions of the scene, M the vertices of the list moved that are not static
// (mesh.SetStatic), and x1 their positions at t = 1; every other vertex stays at x.
//
//  1. Same bits. A call returns what the call of package step of the same name returns for the
//     motion x -> x1 on a mesh with the same topology, groups, exclusions and radii, of which the
//     vertices outside of M are static. So pairs without a vertex in M are skipped, and all others
//     are reported with the same bits, in the same order, whatever commits came before.
//  2. State. Let U be the vertices whose state is unknown and K the list of crossings. An allowed
//     edge and face without a common vertex and without a vertex in U share a point at x if and
//     only if they are in K.
package scene
