// Package neighbors keeps a list of near pairs that serves many calls while the vertices move
// little: a neighbor list with a skin, as molecular dynamics has it.
//
//	list.go    List: when its pairs serve a call, when they are found anew
//	motion.go  how far vertices have moved since
//	near.go    Near, the pairs within a distance
//	step.go    Step, a step whose calls use the list
//
// # Laws
//
//  1. Same bits. Each call returns what proximity.Near, or the call of package step of the same
//     name, returns for the same arguments: whatever calls came before, whatever the reach, and
//     whether the list served it or not.
//  2. A call that fails changes nothing that a later call returns.
//
// # Why a list suffices
//
// A list is of positions p and a reach R: it has every allowed pair with Lo <= R at p (law of
// proximity.List), so that a pair that it lacks is farther apart than R there, and it has for each
// of its pairs a gap not above its distance. Distances are those of surfaces, radii subtracted.
//
// Let a call concern positions x such that each vertex v is at most delta(v) from p(v): one
// configuration, or all times of a step, which a segment, and so a box, holds. A point of a
// primitive is a convex combination of its vertices, with weights that do not change, and so moves
// by at most the largest delta of them. The primitives of a pair have no common vertex. So the
// distance of a pair differs from that at p by at most the sum of the two largest delta of
// different vertices, m.
//
// A call returns no pair that is always more than D = proximity.Beyond(d, r) apart, where d is its
// distance or minimum separation and r the largest radius. If D + m <= R, it concerns no pair that
// the list lacks; and none with a gap above D + m. All sums are rounded up. The pairs of the list
// are those that the mesh's filter allows; a list of another filter serves no call.
//
// In the max norm a pair comes within the separation d when its centers are at most sqrt(3) (d +
// r_a + r_b) apart: D is larger then (reachOf).
//
// An exact method returns for a pair what it returns alone, and a step the pairs with a contact, so
// more pairs to test change nothing (law 7 of package step). Methods with a tolerance may report a
// pair that is only near; they, parts of a step (regions), motions of a shape that the arguments'
// checks refuse and BruteForce do not use the list.
package neighbors
