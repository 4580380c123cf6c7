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

// Points whose distance is between a quarter of the margin and what law 9 calls rounding are one:
// an element that ends twice as far from the body's pivot as the body, which touches it at the
// start.
func TestLaw9ElementThatReachesFartherThanTheBody(t *testing.T) {
	still := rigid.Motion{Rotation: quat.Number{Real: 1}}
	c := &rigids.Case{Family: "parallel", MA: still, MB: still, O: rigid.DefaultOptions()}
	c.A = rigids.Solid{{
		{X: 0.31813199602773334, Y: 0.5945503346438248, Z: 0.568914768562288},
		{X: 0.31287358492158246, Y: -0.5070862517293222, Z: -0.5356744153065434},
		{X: 0.31550293506436916, Y: 0.04373220677072225, Z: 0.01662003102368381},
	}}
	c.B = rigids.Solid{{
		{X: 0.3187517947531537, Y: 0.7243715575937933, Z: 0.6990845969687558},
		{X: 0.3134930851717079, Y: -0.37726374456742884, Z: -0.4055048850076379},
		{X: 0.31612243996242895, Y: 0.17355390651318098, Z: 0.1467898559805615},
	}}
	c.To = rigids.Solid{{
		{X: 0.9912803095734777, Y: -0.5487910792412721, Z: 1.0088230534979186},
		{X: 0.7171524687696584, Y: -0.19714108368427385, Z: -1.2138838081212187},
		{X: 0.712033871340358, Y: -0.4670437610183163, Z: 1.30237715596548},
	}}
	var m rigids.Method
	for _, search := range []rigid.Search{nil, rigids.D2M} {
		c.O.Search = search
		im, err := m.Solve(c)
		if err != nil || im.Verdict != geom.Contact || im.Flags&rigid.InitialContact == 0 {
			t.Fatalf("%+v, %v", im, err)
		}
		for _, err := range c.Check(&im) {
			t.Errorf("%v", err)
		}
	}
}

// The points of triangles that intersect are as near as contact, though an edge crosses a sliver at
// an angle of about 1e-8: the place that signs of volumes give is 1.4e-10 from the face.
func TestLaw9EdgeThroughASliver(t *testing.T) {
	still := rigid.Motion{Rotation: quat.Number{Real: 1}}
	c := &rigids.Case{Family: "parallel", MA: still, MB: still, O: rigid.DefaultOptions()}
	c.O.MinSeparation = 0
	c.A = rigids.Solid{{
		{X: -0.46514517075475714, Y: -0.7409984048464406, Z: -0.7514220399210756},
		{X: 0.8055128738445161, Y: 0.30207487769281416, Z: 0.0763412432904631},
		{X: 0.17018388237667106, Y: -0.21946172577573647, Z: -0.33754044240983605},
	}}
	c.B = rigids.Solid{{
		{X: 0.49470497793809975, Y: 0.04693487783520057, Z: -0.126132919562254},
		{X: 1.7653615735292671, Y: 1.0900082427594124, Z: 0.7016296886944776},
		{X: -0.71429945253363, Y: 0.7280743443059114, Z: -0.7194677314776518},
	}}
	c.MA.AngularVelocity = r3.Vec{X: 2.496427570967443, Y: -0.11983516700330821, Z: -2.7854885731360466}
	c.To = c.B
	c.O.Search = rigids.D2M
	var m rigids.Method
	im, err := m.Solve(c)
	if err != nil || im.Flags&rigid.Intersecting == 0 {
		t.Fatalf("%+v, %v", im, err)
	}
	for _, err := range c.Check(&im) {
		t.Errorf("%v", err)
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
