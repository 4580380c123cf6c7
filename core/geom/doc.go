// Package geom holds the words every room above it speaks: points and boxes on gonum's r3, poses on gonum's quat,
// the kinds of a query, the motion of a step, and the impact that answers it.
package geom
