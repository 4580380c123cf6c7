// Package hierarchy finds the pairs of a mesh whose swept boxes overlap, by trees of boxes whose
// shape is made once and whose boxes are made anew for each step.
//
//	order.go      Order: what a mesh has of its trees
//	tree.go       makes a tree, in the order of cut.go: by cuts of the centers of its primitives
//	incidence.go  which primitives share vertices, as masks
//	rows.go       boxes in single precision
//	own.go        those of primitives that have inflations of their own
//	search.go     Search finds the pairs of a step; worker.go does its tasks
//	descend.go    finds the pairs of groups whose boxes touch
//	ends.go       searches by boxes at both ends of a step, whose pairs are decided later
//	changed.go    searches of ends for the pairs with a vertex that has changed
//	static.go     searches of a mesh with static vertices
//	sieve.go      searches up to a short time: pairs that cannot meet before are left out
//	records.go    Pairs: what it finds, as records of masks
//	sorted.go     writes them in order
//
// # The search
//
// A tree has 8 primitives in a block, 8 blocks in a group, and so on; vertices, edges and faces
// have trees of their own. A search makes the boxes of all nodes, from the leaves up, without
// sorting anything. It then goes down two trees together, from their roots: two nodes are compared
// as 8 x 8 boxes (box.Meet), whose 64 answers are the bits of a number. A pair of groups is a unit
// of work: box.MeetLeaves compares the primitives of those pairs of its blocks whose boxes touch,
// and makes of each a mask of 64 pairs of primitives. Other masks, made with the order, have the
// pairs that share a vertex. What is left is stored as a record of 16 bytes, and becomes pairs when
// it is read.
//
// A search of ends has boxes at both ends of the step in all nodes (box.MeetMoving, box.MeetEnds):
// those around both overlap far more often where primitives move farther than they are large, eight
// times as often on a twisted bundle of rods.
//
// # Laws
//
// The boxes are floats, and no larger than those of doubles: there is no slack, and nothing is
// lost.
//
// Law 1. Let lo be a lower bound of a box of doubles and hi an upper one, both inflated, and M(x) =
// float(scale (x - center)), three operations that each round to nearest. Where M(lo) < M(hi), lo <
// hi; where M(lo) > M(hi), lo > hi. Only where floats are equal must doubles be compared.
//
// Proof. Rounding to nearest never decreases: of x <= y, what x is rounded to is at most what y is
// rounded to. Nor do subtracting a number and multiplying by a positive one decrease in real
// arithmetic. So M never decreases, being a composition of such functions, and lo >= hi implies
// M(lo) >= M(hi). That holds where doubles or floats are denormal, and where they underflow: many
// numbers then have one float, which proves nothing, and doubles decide. It would hold for floats
// that overflow as well, but sums of infinite bounds may be NaN. newRowMap therefore refuses a step
// whose floats might exceed 2^100; bound.RecordSpace chooses centers and scales for which they stay
// below 13.
//
// Kernels do not compare, they add: lo + (-hi). The sum of two floats, rounded, has the sign of the
// real sum, and is 0 only where that is, because it loses nothing where it is denormal. A box that
// holds nothing has +Inf for lo and for -hi, so that its sums are +Inf, and it touches nothing.
//
// Boxes are inflated before M, each bound to the nearest double that is not inside the true one, as
// bound.Box.Inflate does. That never decreases either, if the inflation is one for all boxes. With
// different ones it would be another function for each, of which the law says nothing; law 9 is for
// those.
//
// Closed rows. Coordinates are often equal: of a flat sheet, or of rings at the same heights. Where
// no two different bounds along an axis have one float, equal floats prove equal doubles, and so
// boxes that touch. Rows are then closed: their upper bounds along the axis become the next floats,
// M'(hi). Where M(lo) < M'(hi), M(lo) <= M(hi), so lo <= hi; where M(lo) > M'(hi), M(lo) > M(hi),
// so lo > hi. In doubt are boxes one float apart, which doubles decide.
//
// Law 2. The float of the smaller of two doubles is the smaller of their floats, for M never
// decreases. So the row of a primitive is the minimum of those of its vertices, the row of a node
// that of its children, and nodes that are apart in floats have no primitives that touch.
//
// Law 3. The pairs that are found are those of the families of package mesh whose boxes of doubles
// overlap, share no vertex, and are allowed, each once: nodes apart lose none by law 2, floats
// decide or leave it to doubles by law 1, each primitive has one place, and of a node with itself
// only the pairs i <= j are followed, of a block with itself i < j. The set depends on no order and
// on no number of threads.
package hierarchy
