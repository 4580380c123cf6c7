// Package poses holds motions of rigid bodies at constant rates, and what encloses the poses on
// them. A Motion is exact: its doubles define the motion in real arithmetic. What computes with it
// rounds outwards, so that it holds every pose at every time that it is asked for.
//
//	motion.go  Motion, by rates, a screw or two poses; its pose at a time, rounded
//	arc.go     Arc, which encloses a motion around a time; the poses over an interval of time
//	box.go     Box and Matrix, vectors and matrices of intervals
package poses
