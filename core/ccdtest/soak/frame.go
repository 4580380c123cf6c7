package main

import (
	"fmt"
	"math/big"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/reference/oracle"
)

// pair is a mesh whose only pair is of a given kind, with the points of a query in its order as
// vertices.
func pair(k geom.Kind) (*mesh.Mesh, error) {
	switch k {
	case geom.VertexFace:
		return mesh.New(4, nil, []int32{1, 2, 3})
	case geom.EdgeEdge:
		return mesh.New(4, []int32{0, 1, 2, 3}, nil)
	case geom.PointEdge:
		return mesh.New(3, []int32{1, 2}, nil)
	case geom.EdgeFace:
		return mesh.New(5, []int32{0, 1, 2, 3, 3, 4, 4, 2}, []int32{2, 3, 4})
	case geom.PointPoint:
		return mesh.New(2, nil, nil)
	}
	panic("soak: " + k.String())
}

// frame checks the distance of the pair at t = 0, and whether an edge and a face of the same points
// intersect. The laws are those of proximity.NearPair, and 9; 10 is a wrong intersection.
func (w *worker) frame(c *ccdtest.Case) {
	fail := func(law int, format string, args ...any) {
		w.record.broken("proximity", law, c, fmt.Errorf(format, args...))
	}
	m, err := pair(c.Kind)
	if err != nil {
		fail(0, "%v", err)
		return
	}
	x := c.Q[:3*c.Kind.Points()]
	got, err := proximity.Distance(m, x, nil)
	truth := oracle.Distance(c.Kind, x)
	lo, hi := truth.Enclose()
	switch {
	case err != nil:
		fail(0, "%v", err)
	case got.Lo > lo || got.Hi < hi:
		fail(1, "[%v, %v] does not hold the distance, in [%v, %v]", got.Lo, got.Hi, lo, hi)
	case (got.Hi == 0) != (truth.Squared.Sign() == 0):
		fail(2, "[%v, %v], but the squared distance is %v", got.Lo, got.Hi, truth.Squared)
	case new(big.Float).Sub(big.NewFloat(got.Hi), big.NewFloat(got.Lo)).Cmp(big.NewFloat(0x1p-24*got.Hi+5e-324)) > 0:
		fail(3, "[%v, %v] is not tight", got.Lo, got.Hi)
	}
	if err == nil {
		if err := ccdtest.CheckNearest(c.Kind, x, got.U, got.V, got.Hi, got.PointA, got.PointB); err != nil {
			w.record.broken("proximity", 9, c, err)
		}
	}
	if m, err = pair(geom.EdgeFace); err != nil || len(c.Q) < 15 {
		return
	}
	some, err := proximity.Intersects(m, c.Q[:15], nil)
	if want := oracle.Crossing(c.Q[:15]); err != nil || some != want {
		fail(10, "an edge and a face cross: %v, %v; want %v", some, err, want)
	}
	if got, err := proximity.Distance(m, c.Q[:15], nil); err != nil || some != (got.Hi == 0) {
		fail(2, "an edge and a face cross: %v; their distance is %v, %v", some, got.Hi, err)
	}
}
