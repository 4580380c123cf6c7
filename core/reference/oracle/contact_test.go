package oracle_test

import (
	"math"
	"math/big"
	"testing"

	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// A vertex falls onto a face from height 1 to -2: contact at t = 1/3, which is no double.
func TestContactFallingVertex(t *testing.T) {
	q := []float64{
		0.25, 0.5, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0,
		0.25, 0.5, -2, 0, 0, 0, 1, 0, 0, 0, 1, 0,
	}
	tr := oracle.Contact(geom.VertexFace, q)
	third := big.NewRat(1, 3)
	lo, hi := new(big.Rat).SetFloat64(tr.TOILo), new(big.Rat).SetFloat64(tr.TOIHi)
	if tr.Verdict != geom.Contact || lo.Cmp(third) > 0 || hi.Cmp(third) < 0 || tr.TOIHi != math.Nextafter(tr.TOILo, 1) {
		t.Fatalf("got %+v", tr.Impact)
	}
	if tr.U != 0.25 || tr.V != 0.5 || tr.Normal != [3]float64{0, 0, 1} || tr.Point != [3]float64{0.25, 0.5, 0} {
		t.Errorf("got u %v, v %v, normal %v, point %v", tr.U, tr.V, tr.Normal, tr.Point)
	}
	if im := tr.Until(tr.TOILo); im.Verdict != geom.Separate || !math.IsInf(im.TOILo, 1) {
		t.Errorf("until %v: %v, but the contact is later", tr.TOILo, im)
	}
	if im := tr.Until(tr.TOIHi); im.Verdict != geom.Contact {
		t.Errorf("until %v: %v, but the contact is earlier", tr.TOIHi, im)
	}
}

// Two edges of one line slide into each other: all cross products vanish throughout.
func TestContactCollinearEdges(t *testing.T) {
	q := []float64{
		0, 0, 0, 1, 0, 0, 2, 0, 0, 4, 0, 0,
		2, 0, 0, 3, 0, 0, 2, 0, 0, 4, 0, 0,
	}
	tr := oracle.Contact(geom.EdgeEdge, q)
	if tr.Verdict != geom.Contact || tr.TOILo != 0.5 || tr.TOIHi != 0.5 || tr.U != 1 || tr.V != 0 {
		t.Fatalf("got %+v", tr.Impact)
	}
}

// A point meets an edge's end, and misses the edge when it passes beside it.
func TestContactPointEdge(t *testing.T) {
	q := []float64{1, 1, 0, 0, 0, 0, 1, 0, 0, 1, -1, 0, 0, 0, 0, 1, 0, 0}
	if tr := oracle.Contact(geom.PointEdge, q); tr.Verdict != geom.Contact || tr.TOILo != 0.5 || tr.U != 1 ||
		tr.Normal != [3]float64{0, 1, 0} {
		t.Errorf("got %+v", tr.Impact)
	}
	q[0], q[9] = math.Nextafter(1, 2), math.Nextafter(1, 2)
	if tr := oracle.Contact(geom.PointEdge, q); tr.Verdict != geom.Separate {
		t.Errorf("got %+v", tr.Impact)
	}
}

// Times below the smallest double round down to 0, and the interval still holds them.
func TestContactTinyTime(t *testing.T) {
	q := []float64{1e-300, 0, 0, 0, 0, 0, -1e140, 0, 0, 0, 0, 0}
	tr := oracle.Contact(geom.PointPoint, q)
	if tr.Verdict != geom.Contact || tr.TOILo != 0 || tr.TOIHi != 5e-324 || tr.Flags != geom.Certified {
		t.Errorf("got %+v", tr.Impact)
	}
	if tr := oracle.Contact(geom.PointPoint, make([]float64, 12)); tr.TOIHi != 0 ||
		tr.Flags != geom.Certified|geom.InitialContact {
		t.Errorf("got %+v", tr.Impact)
	}
}
