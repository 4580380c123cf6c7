// Package rigid finds when two rigid bodies first come close, for bodies that move and turn at constant rates.
//
// A Motion is exact: its doubles are the truth. A Body is a surface with a tree of oriented boxes. Solver.Earliest answers by conservative
// advancement: from a time at which two parts of the bodies are a distance apart it steps to one before which they cannot
// come as near as the separation, whatever curves their points take. Parts with the least time are opened first, until a pair
// of triangles is within the tolerance. Every number is a float with a margin that docs/numerics.md derives, so an answer is a proof.
//
// Interval methods stand on Arc and Moment, which enclose a motion with outward rounding.
package rigid
