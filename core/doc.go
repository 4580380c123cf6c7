// Package core is the map of the house; the rooms are its subdirectories.
//
// The story of a step. A user hands over two frames of a mesh (mesh). Every vertex becomes one record that holds both ends
// of its motion (geom). The broad phase (broad) sweeps the boxes of vertices, edges and faces and hands on the pairs that may
// meet. The narrow phase (narrow) asks of each pair when it first touches: exactly (exact), or conservatively
// with a minimum separation. The step (step) keeps the earliest, or all. Errors of rounding are bounded in num; loops that
// carry the time are kernels in ../simd, which knows no geometry.
//
// rigid, volume and patch tell the same story for rotating bodies, deforming volumes and curved surfaces.
//
// Imports point down only; layers_test.go holds that law.
package core
