// Package box has the kernels on boxes of primitives, for the broad phase. See package simd for
// what all kernels keep.
//
//	vertices.go   records of vertices: floats that bound both ends of their motion
//	kinetic.go    records: the layout, and pairs of them that no axis separates
//	join.go       boxes of primitives for a sweep, from the records of their vertices
//	ends.go       the same in columns, at both ends of the motion
//	cells.go      the cells of a grid that boxes reach into
//	sweep.go      sweeps of sorted boxes: pairs of one list, of two, of edges and faces
//	list.go       sweeps that tell certain pairs from those in doubt
//	ranks.go      the rank of each of some keys
//	swept.go      boxes in doubles over the step, for pairs
//	blocks.go     boxes in blocks of eight, for volumes
//	tree.go       nodes of a hierarchy with eight children: boxes in columns, pairs of them
//	rows.go       the boxes of vertices over a step, for nodes
//	expand.go     pairs of nodes as masks, written as pairs of primitives
//	inorder.go    which numbers of two nodes are the smaller ones; pairs of a row of bits
//	sieve.go      pairs of nodes that stay apart along a direction at the start
//
//	kernels_*.go  generated: the choice between assembly and plain Go
package box
