package ccd

import (
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/status"
)

// Pair returns the impact of one pair of primitives that move. q has the points of the pair at t =
// 0, then the same points at t = 1, with 3 coordinates each:
//
//	VertexFace   v, f0, f1, f2      24 numbers
//	EdgeEdge     a0, a1, b0, b1     24
//	PointEdge    p, e0, e1          18
//	PointPoint   p, q               12
//
// A and B of the impact are -1.
func Pair(kind Kind, q []float64, o *Options) (Impact, error) {
	list, err := pairs(kind, q, 1, o)
	if err != nil {
		return Impact{}, err
	}
	list[0].A = -1
	return list[0], nil
}

// Pairs returns the impacts of many pairs of one kind, each as Pair does, on several goroutines
// when there are many. q has the queries one after the other. A of the impact of query i is i.
func Pairs(kind Kind, q []float64, o *Options) ([]Impact, error) {
	return pairs(kind, q, -1, o)
}

// pairs solves n queries, or as many as there are if n is negative.
func pairs(kind Kind, q []float64, n int, o *Options) ([]Impact, error) {
	return with(&pairCalls, o, func(s *settings) ([]Impact, error) {
		k := geom.Kind(kind)
		if err := s.narrow.Supported(k); err != nil {
			return nil, unsupported(k, err)
		}
		if one := k.Len(); n < 0 && len(q)%one != 0 || n >= 0 && len(q) != n*one {
			return nil, status.Errorf(ErrArgument, "q has %d coordinates: a %v query has %d", len(q), k, one)
		}
		impacts := make([]geom.Impact, len(q)/k.Len())
		if err := narrow.Queries(k, q, &s.narrow, &s.call, impacts); err != nil {
			return nil, err
		}
		return converted(impacts, impactOf), nil
	})
}

// unsupported returns an error of narrow.Options.Supported its kind.
func unsupported(k geom.Kind, err error) error {
	if !k.Valid() {
		return err
	}
	return status.Errorf(ErrUnsupported, "%v", err)
}
