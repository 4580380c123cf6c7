package clearance

import (
	"math"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// A search that foresees the change gives the answers of one by polynomials alone, first contacts
// and intervals, and looks at fewer parts of time.
func TestForeseenChangesChangeNoAnswer(t *testing.T) {
	n := long.Part(2000, 8)
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint} {
		contacts, looks := sameAnswers(t, kind, n, func(_, without *Follower) { without.slowly = true })
		t.Logf("%v: %d of %d in contact, %d parts of time, without %d", kind, contacts, n, looks[0], looks[1])
		if contacts < n/20 && kind != geom.PointPoint || looks[0] > looks[1] {
			t.Errorf("%v: the pairs are too easy, or nothing is foreseen", kind)
		}
	}
}

// sliding returns a resolver of a point that slides at the height d over an edge along x, from
// beside it, and a follower of the pair.
func sliding(from, to, height float64) (*EuclideanResolver, *Follower) {
	r := &EuclideanResolver{}
	q := []float64{from, 0, height, 0, 0, 0, 1, 0, 0, to, 0, height, 0, 0, 0, 1, 0, 0}
	l := &r.Lines
	l.Shape, r.Sides, r.Plane = &Shapes[geom.PointEdge], PolygonSides[geom.PointEdge], false
	l.load(q, 9, slideDistance)
	l.loadLow(q, 9)
	r.pursue(geom.PointEdge, q, slideDistance, 0)
	f := &r.pursuit.follower
	f.Begin(geom.PointEdge, l.D, false, r)
	return r, f
}

// A change is between neighboring doubles, and known only if nothing changes before it.
func TestForeseenChangesAreKnownOnlyIfProven(t *testing.T) {
	const low = slideDistance * (1 - 0x1p-40)
	_, f := sliding(-1, 0.5, low)
	before, after, known := f.foresee(0, 1, false)
	if !known || math.Nextafter(before, 1) != after || math.Abs(before-2.0/3) > 1e-6 {
		t.Errorf("comes: %v to %v, known %v", before, after, known)
	}
	_, f = sliding(0.5, -1, low)
	before, after, known = f.foresee(0, 1, true)
	if !known || math.Nextafter(before, 1) != after || math.Abs(before-1.0/3) > 1e-6 {
		t.Errorf("leaves: %v to %v, known %v", before, after, known)
	}
	_, f = sliding(0.25, 0.75, low)
	if before, after, known = f.foresee(0, 1, true); !known || before != 1 || after != 1 {
		t.Errorf("stays: %v to %v, known %v", before, after, known)
	}
	_, f = sliding(-1, -2, low)
	if before, after, known = f.foresee(0, 1, false); !known || before != 1 || after != 1 {
		t.Errorf("parts: %v to %v, known %v", before, after, known)
	}
	// It passes right over the edge: what is seen at both ends does not show it.
	r, f := sliding(-1, 2, low)
	if f.stays(0.5, 1) || f.stays(0, 0.5) {
		t.Error("in contact at one end alone, it is said to stay")
	}
	var x NearestDouble
	r.LookDouble(0, &x)
	if r.Holds(&x, 0, 1) || r.Holds(&x, 0, 0.5) || !r.Holds(&x, 0, 0.125) {
		t.Error("the direction at first is wrong")
	}
}

// refusing is a course of which one call of Holds, counted from 1, says no.
type refusing struct {
	*EuclideanResolver
	at    int
	calls *int
}

func (c refusing) Holds(x *NearestDouble, lo, hi float64) bool {
	*c.calls++
	return *c.calls != c.at && c.EuclideanResolver.Holds(x, lo, hi)
}

// Nothing is known without the direction of each part of the time.
func TestForeseenChangesAskForEachPart(t *testing.T) {
	for at := range 4 {
		// A point that slides past the end of an edge, a little higher than the separation.
		r, f := sliding(-1, -1, slideDistance)
		q := []float64{-0x1p-40, -1, slideDistance, 0, 0, 0, 1, 0, 0, -0x1p-40, 1, slideDistance, 0, 0, 0, 1, 0, 0}
		r.Lines.load(q, 9, slideDistance)
		r.Lines.loadLow(q, 9)
		calls := 0
		f.Begin(geom.PointEdge, r.Lines.D, false, refusing{r, at, &calls})
		f.least, f.pace = 0.5, 2
		if got := f.passes(0, 1); got != (at == 0) || at > 0 && calls != at {
			t.Errorf("direction %d is refused: passes says %v after %d", at, got, calls)
		}
		r, f = sliding(-1, 0.5, slideDistance*(1-0x1p-40))
		calls = 0
		f.Begin(geom.PointEdge, r.Lines.D, false, refusing{r, at, &calls})
		before, after, known := f.foresee(0, 1, false)
		if known != (at != 1) || math.Nextafter(before, 1) != after {
			t.Errorf("direction %d is refused: %v to %v, known %v", at, before, after, known)
		}
	}
}
