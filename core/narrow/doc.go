// Package narrow decides one pair of primitives at a time: vertex-face, edge-edge, point-edge or
// point-point.
//
//	solve.go       the Solver: chooses the method and reports the impact; options.go has the options
//	batch.go       many pairs of one step, through the kernels first; queries.go many independent
//	               pairs
//	form.go        a query in difference form F(t,u,v), box.go its bounds on a cell, start.go its
//	               distance at t = 0
//	vertexface.go, edgeedge.go, pointedge.go, pointpoint.go   what differs by kind
//	tight.go       Tight Inclusion [Wang2021]
//	contract.go    the time-contracted solver [Chen2024], made rigorous; cut.go, directions.go,
//	               probe.go and queue.go are its parts
//	certify.go     proofs that there is a contact
//	finish.go      contact points and normals
//	start_exact.go, start_place.go   the distance and the place at t = 0 over integers and
//	                                 rationals, where floats cannot decide
//	intervals.go, motion.go             intervals of contact; paths that are polynomials in t
//	least.go, least_place.go            least distances, and the points of them
//	least_place_quick.go                the points, where balls of 106 bits prove them
//	least_paths.go                      least distances on the paths of a motion
//	apart_at_toi.go, before.go, crossing.go   pairs left apart; proofs before a time; edges through
//	                                          faces
//	each.go, sieve.go   batches with separations of their own; a first look at pairs that may touch
//
// The exact method is package exact's. The error bounds of the filters are in core/num/filter.go.
// All methods obey the laws of docs/numerics.md.
package narrow
