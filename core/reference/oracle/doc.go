// Package oracle decides queries in exact arithmetic (math/big). It is slow, and written for
// clarity. The tests compare production code with it.
//
//	contact.go      Contact: the first contact in exact arithmetic, by the roots of one cubic;
//	                poly.go and root.go are its
//	                arithmetic, by Sturm's theorem; place.go computes where the primitives touch
//	separation.go   Separation: the same for a minimum separation in the max norm, by directions
//	                that separate;
//	                separation_algebraic.go is its arithmetic, by Descartes' rule
//	euclid.go       EuclideanSeparation: the same in the Euclidean norm, by the nearest point's
//	                features and contact.go's arithmetic
//	motion.go       MotionContact, MotionSeparation, MotionEuclidean: the three for points that move
//	                on polynomials in t
//	distance.go     Distance: the distance of a pair in one configuration, over rational numbers
//	crossing.go     Crossing: whether an edge and a face share a point, over rational numbers
//	intervals.go    Intervals: every interval of contact; time.go rational queries; check.go checks
//	                places
//
// It imports only geom, none of the code that it checks. Contact and Separation share no arithmetic
// with each other either, so their agreement at a separation of 0 is a check of both. No production
// package imports it.
package oracle
