// Package geom holds the words every room above it speaks: the kinds of a query, the motion of a step, and the impact that
// answers it. Vectors are flat arrays of doubles, as the kernels want them.
package geom
