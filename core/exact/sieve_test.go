package exact_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/simd/box"
)

// What the sieve at the start drops has no contact: for queries of all families, eight of one of
// them a block, with the vertices of each other too.
func TestSieveAgreesWithResolver(t *testing.T) {
	rng := ccdtest.NewRand(45, 1)
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		dropped, contacts := 0, 0
		for group := range 20 * len(ccdtest.Families) {
			until := []float64{1, 0.4375, 0.1, 0}[group%4]
			d, c := sieveGroup(t, rng, kind, ccdtest.Families[group/4%len(ccdtest.Families)], until)
			dropped, contacts = dropped+d, contacts+c
		}
		if dropped < 1000 || contacts < 1000 {
			t.Errorf("%v: %d pairs dropped, %d contacts kept: the test shows too little", kind, dropped, contacts)
		}
	}
}

// sieveGroup compares the pairs of eight queries, and returns how many are dropped, and how many of
// the others are contacts.
func sieveGroup(
	t *testing.T, rng *rand.Rand, kind geom.Kind, family ccdtest.Family, until float64,
) (dropped, contacts int) {
	const lanes = box.Children
	var x [2][]float64
	for range lanes {
		q := family.Make(rng, kind, false).Q
		x[0], x[1] = append(x[0], q[:12]...), append(x[1], q[12:24]...)
	}
	mo, err := geom.NewTrajectories(x[0], x[1])
	if err != nil {
		t.Fatal(err)
	}
	wide := 1 // vertices of the first primitive
	sieve, run := box.NewSieve(until, 0), box.SieveVF
	if kind == geom.EdgeEdge {
		wide, run = 2, box.SieveEE
	}
	var first, second []int32
	for i := range int32(lanes) {
		v := []int32{4 * i, 4*i + 1, 4*i + 2, 4*i + 3}
		first, second = append(first, v[:wide]...), append(second, v[wide:]...)
	}
	a, b := make([]box.SieveBlock, 1), make([]box.SieveBlock, 1)
	box.SieveBlocks(a, mo.Rec, first, wide, lanes, 1)
	box.SieveBlocks(b, mo.Rec, second, 4-wide, lanes, 1)
	records := []box.Record{{Mask: math.MaxUint64}}
	left := uint64(0)
	if run(records, a, b, &sieve, records) > 0 {
		left = records[0].Mask
	}
	var resolver exact.Resolver
	for pair := range lanes * lanes {
		var q [24]float64
		var im geom.Impact
		i, j := pair/lanes, pair%lanes
		at := [4]int32(append(append([]int32{}, first[wide*i:wide*i+wide]...), second[(4-wide)*j:(4-wide)*(j+1)]...))
		mo.Query(kind, &at, &q)
		resolver.Resolve(kind, q[:], until, &im)
		switch {
		case left>>pair&1 != 0:
			if im.Verdict == geom.Contact {
				contacts++
			}
		case im.Verdict == geom.Contact:
			t.Fatalf("%v of %s until %v: dropped, but in contact at %v: %v", kind, family.Name, until, im.TOILo, q)
		default:
			dropped++
		}
	}
	return dropped, contacts
}
