package rigid_test

import (
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// parallelEdges returns a case of the soak, seed 814743552055: an edge over an edge of a mesh that
// deforms. The two pass each other at an angle of about 3e-7, where the points that minimize their
// distance are lost to rounding in the determinant of the normal equations.
func parallelEdges() *rigids.Case {
	v := func(x, y, z float64) r3.Vec { return r3.Vec{X: x, Y: y, Z: z} }
	edge := func(p, q r3.Vec) rigids.Solid { return rigids.Solid{{p, q, q}} }
	still := rigid.Motion{Rotation: quat.Number{Real: 1}}
	c := &rigids.Case{Family: "twins", MA: still, MB: still, O: rigid.DefaultOptions()}
	c.A = edge(v(0.32344137082881474, 0.6479559503035361, -0.12281401130372702),
		v(0.2171584786786609, -0.03758457786628294, 0.14799320423182263))
	c.B = edge(v(0.323441304725916, 0.6479567078477559, -0.1228142253177388),
		v(0.2171584125757621, -0.037583820322063144, 0.14799299021781084))
	c.To = edge(v(1.0604278957008477, 0.4442646723391739, 0.8651457764035356),
		v(0.2789060552749054, -0.9295035106120466, -0.5022028991334931))
	return c
}

// The points of edges that pass each other at a small angle are as near each other as the edges
// are.
func TestD2MLaw9NearlyParallelEdges(t *testing.T) {
	var m rigids.Method
	for _, search := range []rigid.Search{nil, rigids.D2M} {
		c := parallelEdges()
		c.O.Search = search
		im, err := m.Solve(c)
		if err != nil || im.Verdict != geom.Contact {
			t.Fatalf("%+v, %v", im, err)
		}
		for _, err := range c.Check(&im) {
			t.Errorf("%v", err)
		}
	}
}

// Triangles with edges that are nearly parallel keep the laws, by both methods, and the budget is
// not spent: where an angle is too small for the points of two edges to be computed from their
// normal equations, that is no reason to leave a case undecided.
func TestNearlyParallelEdgesLaws0To9(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 600
	}
	var m rigids.Method
	r := ccdtest.NewRand(66, 1)
	contacts, undecided := 0, 0
	for i := range n {
		c := rigids.Make(r, "parallel", i%2 == 0)
		if i/2%2 == 0 {
			c.O.Search, c.O.MaxIterations = rigids.D2M, 100000
		}
		im, err := m.Solve(c)
		if err != nil {
			t.Fatal(err)
		}
		switch im.Verdict {
		case geom.Contact:
			contacts++
		case geom.Undecided:
			undecided++
		}
		for _, err := range c.Check(&im) {
			t.Errorf("%v\n%v", err, c)
		}
	}
	t.Logf("%d contacts, %d undecided", contacts, undecided)
	if contacts < n/2 || undecided > n/100 {
		t.Errorf("%d contacts and %d undecided of %d", contacts, undecided, n)
	}
}
