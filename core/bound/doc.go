// Package bound holds the boxes of moving primitives.
//
// box.go has the swept box of doubles, which the broad phase promises its users: it holds the
// primitive at every time of the step, exactly, and is no larger than that. record.go has the
// single-precision records that the fast sweep compares: both ends of the motion of one vertex in a
// 64-byte line (design: boxes at both ends are tighter than one swept box); record_space.go chooses
// the space of these records, map.go has coordinates along other directions. dop.go and sphere.go
// have the other bounding volumes.
//
// Laws
//
//  1. Contains. A box holds every point of its primitive at every time of its interval, in real
//     arithmetic.
//  2. Near. Two primitives that come within the separation d (max norm) at some time have boxes,
//     each inflated by Half(d), that overlap: no rounding is on the wrong side. With radii the same
//     holds of Inflation.
//  3. Order. Boxes of doubles that overlap have records that overlap, so a sweep over records loses
//     no pair.
package bound
