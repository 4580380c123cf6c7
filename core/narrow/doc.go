// Package narrow answers one pair of primitives: vertex-face, edge-edge, point-edge, point-point.
//
// vertexface.go, edgeedge.go, pointedge.go and pointpoint.go choose the method and fill the impact; tight.go is Tight
// Inclusion (paper 2021), contract.go the time-contracted solver (paper 2024, made rigorous); exact answers come from
// core/exact. filter.go holds the error bounds. All obey the laws of docs/numerics.md.
package narrow
