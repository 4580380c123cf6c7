package exact_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// edgeAndFace draws an edge and a face, of which many cross, and some only just.
func edgeAndFace(r *rand.Rand) (q [15]float64) {
	number := [](func() float64){
		r.NormFloat64,
		func() float64 { return float64(r.IntN(4)) },
		func() float64 { return 0x1p33 + float64(r.IntN(5)) },
		func() float64 { return 5e-324 * float64(r.IntN(9)) },
		func() float64 { return 1e140 * r.NormFloat64() },
	}[r.IntN(5)]
	for i := range q {
		q[i] = number()
	}
	if r.IntN(3) == 0 { // the edge nearly passes through a point of the plane
		u, v, s := 1.2*r.Float64(), 1.2*r.Float64(), r.Float64()
		for k := range 3 {
			p := q[6+k] + u*(q[9+k]-q[6+k]) + v*(q[12+k]-q[6+k])
			q[3+k] = p + s*(p-q[k])
		}
	}
	return q
}

// checkCrossing holds Crosses and CrossingImpact against package oracle.
func checkCrossing(r *exact.Resolver, q *[15]float64) (crosses, inside bool, err error) {
	crosses, inside = r.Crosses(q)
	if want := oracle.Crossing(q[:]); crosses != want || inside && !crosses {
		return crosses, inside, fmt.Errorf("crosses %v, inside %v; want %v", crosses, inside, want)
	}
	at := func(k geom.Kind, points ...int) bool {
		var x []float64
		for _, p := range points {
			x = append(x, q[3*p:3*p+3]...)
		}
		return oracle.Distance(k, x).Squared.Sign() == 0
	}
	if inside && (at(geom.VertexFace, 0, 2, 3, 4) || at(geom.VertexFace, 1, 2, 3, 4) ||
		at(geom.EdgeEdge, 0, 1, 2, 3) || at(geom.EdgeEdge, 0, 1, 3, 4) || at(geom.EdgeEdge, 0, 1, 4, 2)) {
		return crosses, inside, fmt.Errorf("inside, although the edge's end or the face's side touches")
	}
	if !crosses {
		return
	}
	return crosses, inside, checkCrossingImpact(r, q)
}

// checkCrossingImpact holds the contact data to law 9, as those of the point that runs along the
// edge.
func checkCrossingImpact(r *exact.Resolver, q *[15]float64) error {
	var im, along geom.Impact
	r.CrossingImpact(q, &im)
	if im.Kind != geom.EdgeFace || im.Verdict != geom.Contact || im.TOILo != 0 || im.TOIHi != 0 || im.Width != 0 ||
		im.Flags != geom.Certified|geom.InitialContact|geom.Intersecting {
		return fmt.Errorf("%+v", im)
	}
	moving := append(append(append(append([]float64{}, q[:3]...), q[6:]...), q[3:6]...), q[6:]...)
	r.Resolve(geom.VertexFace, moving, 1, &along)
	at := along.TOILo
	along.U, along.V, along.Point, along.Normal = im.U, im.V, im.Point, im.Normal
	turned := at < 0.5
	if turned { // law 9 has the normal turned against the motion
		for k := range along.Normal {
			along.Normal[k] = -along.Normal[k]
		}
	}
	o := narrow.DefaultOptions()
	if err := ccdtest.CheckContact(moving, &o, &along, ccdtest.Promise{Exact: true}); err != nil {
		return err
	}
	// The longer part of the edge is on the normal's side, wherever the normal is not nearly at
	// right angles to the edge.
	sum, size := new(big.Rat), new(big.Rat)
	for k := range 3 {
		d := new(big.Rat).Sub(new(big.Rat).SetFloat64(q[3+k]), new(big.Rat).SetFloat64(q[k]))
		d.Mul(d, new(big.Rat).SetFloat64(im.Normal[k]))
		sum.Add(sum, d)
		size.Add(size, d.Abs(d))
	}
	if size.Mul(size, big.NewRat(1, 1<<20)); new(big.Rat).Abs(sum).Cmp(size) > 0 && (sum.Sign() > 0) != turned {
		return fmt.Errorf("the normal %v points to the shorter part of the edge, which meets the face at %v",
			im.Normal, at)
	}
	return nil
}

func TestCrossingLaw9ContactData(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 3))
	var resolver exact.Resolver
	crossing, strictly, n := 0, 0, 2000
	if testing.Short() {
		n = 500
	}
	for range n {
		q := edgeAndFace(r)
		crosses, inside, err := checkCrossing(&resolver, &q)
		if err != nil {
			t.Fatalf("%v\n%v", err, q)
		}
		if crosses {
			crossing++
		}
		if inside {
			strictly++
		}
	}
	if crossing < n/10 || strictly < n/20 || strictly > crossing*19/20 {
		t.Errorf("of %d, %d cross, %d of them inside of both by floats alone", n, crossing, strictly)
	}
}

// FuzzCrossingLaw9 tests edges and faces between points of a grid, where most crossings are
// degenerate, and of random doubles.
func FuzzCrossingLaw9(f *testing.F) {
	r := rand.New(rand.NewPCG(15, 4))
	for range 8 {
		q := edgeAndFace(r)
		f.Add(ccdtest.Pack(q[:]), false)
		f.Add(ccdtest.Pack(q[:]), true)
	}
	var resolver exact.Resolver
	f.Fuzz(func(t *testing.T, raw []byte, grid bool) {
		if len(raw) < 120 {
			return
		}
		var q [15]float64
		copy(q[:], ccdtest.Unpack(1, 0, 0, 1, append(raw[:120:120], make([]byte, 72)...)).Q)
		for i := range q {
			if grid {
				q[i] = float64(int8(raw[i])) / 4
			}
		}
		if _, _, err := checkCrossing(&resolver, &q); err != nil {
			t.Fatalf("%v\n%v", err, q)
		}
	})
}
