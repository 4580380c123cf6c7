package proximity

import (
	"errors"
	"math"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// Near pairs of regions are those of the whole, each in the one that contains its corner: along the
// axes, along other directions, by pieces, under a memory limit and by brute force.
func TestNearPairsOfRegions(t *testing.T) {
	defer func(before broad.Orientation) { orientation = before }(orientation)
	r := ccdtest.NewRand(41, 42)
	total := 0
	for range 20 {
		m, x := needles(t, r, 20)
		const d = 0.05
		all, err := Near(m, x, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		least := func(of geom.Shape, id int64, axis int) float64 {
			verts := []int32{int32(id)}
			switch of {
			case geom.Edge:
				verts = m.Edges[id][:]
			case geom.Face:
				verts = m.Faces[id][:]
			}
			lo := math.Inf(1)
			for _, v := range verts {
				lo = min(lo, x[3*int(v)+axis])
			}
			return lo
		}
		inf, at, axis := math.Inf(1), [3]float64{}, r.IntN(3)
		// Three planes through vertices divide space into eight regions, so that corners of
		// primitives are on borders.
		for k := range at {
			at[k] = x[3*r.IntN(m.NV)+k]
		}
		if r.IntN(4) == 0 {
			at[axis] = inf
		}
		seen := 0
		for side := range 8 {
			region := broad.Region{Lo: [3]float64{-inf, -inf, -inf}, Hi: at}
			for k := range 3 {
				if side>>k&1 == 1 {
					region.Lo[k], region.Hi[k] = at[k], inf
				}
			}
			var want []NearPair
			for _, n := range all {
				inside, of := true, n.Kind.Info().Shapes
				for k := range 3 {
					corner := max(least(of[0], n.A, k), least(of[1], n.B, k))
					inside = inside && region.Lo[k] <= corner && corner < region.Hi[k]
				}
				if inside {
					want = append(want, n)
				}
			}
			seen += len(want)
			for _, orientation = range []broad.Orientation{broad.AlongAxes, broad.OrientAlways, broad.DivideAlways} {
				for _, o := range []Options{{CallOptions: engine.CallOptions{Threads: 2}},
					{CallOptions: engine.CallOptions{MemoryLimit: 1 << 20}}, {BruteForce: true}} {
					o.Region = &region
					if got, err := Near(m, x, d, &o); err != nil || !slices.Equal(got, want) {
						t.Fatalf("region %v, orientation %d, %+v: %d pairs, %v; %d belong to it",
							region, orientation, o, len(got), err, len(want))
					}
				}
			}
		}
		if total += seen; seen != len(all) {
			t.Fatalf("regions have %d pairs of %d", seen, len(all))
		}
	}
	if total < 1000 {
		t.Errorf("%d pairs", total)
	}
}

// Other calls on a configuration refuse a region, and all refuse one that is none.
func TestRegionsAreRefused(t *testing.T) {
	m, x := needles(t, ccdtest.NewRand(43, 44), 3)
	o := Options{Region: new(broad.Region)}
	_, one := Intersections(m, x, &o)
	_, two := Intersects(m, x, &o)
	_, three := Distance(m, x, &o)
	_, four := List(m, x, 0.1, &o)
	for i, err := range []error{one, two, three, four} {
		if !errors.Is(err, status.ErrUnsupported) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	o.Region.Lo[2] = 1
	if _, err := Near(m, x, 0.1, &o); err == nil {
		t.Error("a region whose ends are not in order")
	}
}
