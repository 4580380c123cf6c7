// Package step answers whole steps: a mesh that moves from x0 to x1.
//
// Earliest finds the first impact, Collisions all of them, Size a step that is safe, Pairs the answers for given
// pairs. The broad phase streams blocks of candidates into the narrow phase while they are in cache, so a call needs
// memory for the mesh and a few blocks, not for the candidates.
//
// Every answer is that of the narrow phase for the single pair: the work done in common, its order, the threads and the
// memory limit decide only how soon it is found (law 7). Each file says why for what it adds.
package step
