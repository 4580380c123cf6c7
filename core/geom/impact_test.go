package geom

import (
	"math"
	"testing"
	"unsafe"
)

// Impacts are ordered by time, then kind, then a, then b, and nothing else.
func TestImpactOrder(t *testing.T) {
	list := []Impact{ // ascending
		{TOILo: 0.25, Kind: PointPoint, A: 9, B: 9},
		{TOILo: 0.5, Kind: VertexFace, A: 1, B: 2},
		{TOILo: 0.5, Kind: VertexFace, A: 1, B: 3},
		{TOILo: 0.5, Kind: VertexFace, A: 2, B: 0},
		{TOILo: 0.5, Kind: EdgeEdge, A: 0, B: 0},
		{TOILo: 0.75, Kind: VertexFace},
		{TOILo: math.Inf(1), Kind: VertexFace, A: -1, B: -1},
	}
	for i := range list {
		for j := range list {
			a, b := list[i], list[j]
			a.Verdict, a.TOIHi, a.U = Contact, 0.9, float64(i) // what is not part of the order
			if got := a.Before(&b); got != (i < j) {
				t.Errorf("impact %d before %d: %v", i, j, got)
			}
		}
	}
}

func TestImpactHasTheLayoutOfC(t *testing.T) {
	if n := unsafe.Sizeof(Impact{}); n != 120 {
		t.Errorf("an impact takes %d bytes, ccd_impact 120", n)
	}
}

func TestZeroVerdictIsUndecided(t *testing.T) {
	var im Impact
	if im.Verdict != Undecided {
		t.Errorf("a forgotten assignment reads %v", im.Verdict)
	}
	im.SetSeparate(EdgeEdge)
	want := Impact{Verdict: Separate, Kind: EdgeEdge, A: -1, B: -1, TOILo: math.Inf(1), TOIHi: math.Inf(1)}
	if im != want {
		t.Errorf("SetSeparate gives %+v", im)
	}
}

// Widen repeats points so that the wider query has the same points in the same order, and no
// others.
func TestWiden(t *testing.T) {
	for k, from := range map[Kind][4]int{VertexFace: {0, 1, 2, 3}, EdgeEdge: {0, 1, 2, 3}, PointEdge: {0, 1, 2, 1},
		PointPoint: {0, 1, 1, 1}} {
		q := make([]float64, k.Len())
		for i := range q {
			q[i] = float64(i)
		}
		var out [24]float64
		Widen(k, q, &out)
		for i, x := range out {
			end, point, axis := i/12, i/3%4, i%3
			if want := q[3*(end*k.Points()+from[point])+axis]; x != want {
				t.Errorf("%v: out[%d] is %v, not %v", k, i, x, want)
			}
		}
	}
}
