package ccd

import (
	"ccd/core/mesh"
	"ccd/core/proximity"
)

// Intersection is a pair of primitives that share a point: for EdgeFace A is an edge and B a face,
// else as in Impact.
type Intersection struct {
	Kind Kind
	A, B int
}

// NearPair is the distance of a pair, less the radii of both primitives, and 0 where they overlap.
//
// The distance is in [Lo, Hi]. Both are 0 if and only if the primitives touch or overlap; otherwise
// they differ by at most 2^-24 of Hi (without radii). U, V and the points are those of the
// primitives without their radii; U and V have the meanings of Impact.
type NearPair struct {
	Kind           Kind // 0: there is no pair
	A, B           int
	Lo, Hi         float64 // +Inf without a pair
	U, V           float64
	PointA, PointB [3]float64 // nearest points, rounded
}

func nearPairOf(p *proximity.NearPair) NearPair {
	return NearPair{
		Kind: Kind(p.Kind), A: int(p.A), B: int(p.B), Lo: p.Lo, Hi: p.Hi, U: p.U, V: p.V, PointA: p.PointA,
		PointB: p.PointB,
	}
}

// Intersections returns every pair of a mesh that intersects where its vertices are at x, sorted by
// (Kind, A, B), pairs of an edge and a face first. Each decision is exact.
func Intersections(m *Mesh, x []float64, o *Options) ([]Intersection, error) {
	return onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) ([]Intersection, error) {
		list, err := proximity.Intersections(m, x, o)
		return converted(list, func(i *proximity.Intersection) Intersection {
			return Intersection{Kind(i.Kind), int(i.A), int(i.B)}
		}), err
	})
}

// Intersects reports whether anything intersects where the vertices are at x.
func Intersects(m *Mesh, x []float64, o *Options) (bool, error) {
	return onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) (bool, error) { return proximity.Intersects(m, x, o) })
}

// Near returns every pair that may be within the distance d where the vertices are at x (those with
// Lo <= d), sorted by (Kind, A, B).
func Near(m *Mesh, x []float64, d float64, o *Options) ([]NearPair, error) {
	return onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) ([]NearPair, error) {
		list, err := proximity.Near(m, x, d, o)
		return converted(list, nearPairOf), err
	})
}

// Distance returns the pair with the smallest distance where the vertices are at x; [Lo, Hi]
// contains the smallest distance.
func Distance(m *Mesh, x []float64, o *Options) (NearPair, error) {
	return onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) (NearPair, error) {
		nearest, err := proximity.Distance(m, x, o)
		return nearPairOf(&nearest), err
	})
}
