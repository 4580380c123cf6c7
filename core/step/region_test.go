package step

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/status"
)

// cutSpace returns about n regions that partition space, by random cuts at the given coordinates,
// and at others.
func cutSpace(r *rand.Rand, coordinates []float64, n int) []Region {
	inf := math.Inf(1)
	out := []Region{{Lo: [3]float64{-inf, -inf, -inf}, Hi: [3]float64{inf, inf, inf}}}
	for len(out) < n {
		of, axis, at := r.IntN(len(out)), r.IntN(3), 0.0
		if rows := len(coordinates) / 3; rows > 0 {
			at = []float64{1, 1, 1, 0.5, 1e9}[r.IntN(5)] * coordinates[3*r.IntN(rows)+axis]
		}
		if !(out[of].Lo[axis] <= at && at <= out[of].Hi[axis]) {
			continue
		}
		above := out[of]
		above.Lo[axis], out[of].Hi[axis] = at, at
		out = append(out, above)
	}
	return out
}

// ownerOf returns which of some regions contains the corner of the pair of an impact, by the
// control points of the vertices.
func ownerOf(t *testing.T, s *motionScene, im *geom.Impact, regions []Region) int {
	t.Helper()
	shapes, owners := im.Kind.Info().Shapes, []int{}
	for i, r := range regions {
		inside := true
		for axis := range 3 {
			at := math.Max(s.leastOf(shapes[0], im.A, axis), s.leastOf(shapes[1], im.B, axis))
			inside = inside && r.Lo[axis] <= at && at < r.Hi[axis]
		}
		if inside {
			owners = append(owners, i)
		}
	}
	if len(owners) != 1 {
		t.Fatalf("%v pair (%d, %d) has the owners %v", im.Kind, im.A, im.B, owners)
	}
	return owners[0]
}

// The calls on a region list the impacts that it owns, the first of them and the size that it
// leaves, bit for bit, by every route: threads, memory limits, given candidates, brute force, the
// check of the start.
func TestRegionsPartThePairs(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	total, crossing := 0, 0
	list := everyScene(t)
	for range 2 { // enough impacts without real scenes too
		list = append(list, soup(t, "more", 16, func() float64 { return 2*r.Float64() - 1 }, 1))
	}
	for range 8 {
		list = append(list, tangle(t, r))
	}
	for at, s := range list {
		if s.m.NV == 0 {
			continue
		}
		linear := linearScene(t, &s)
		for turn := range 3 {
			if !long.On() && turn != at%3 {
				continue
			}
			o := DefaultOptions()
			o.MinSeparation, o.MaxIterations, o.Threads, o.CheckStart = []float64{0, 1e-3, 0}[turn]*s.size(), 2000,
				1+turn%2, turn == 2
			if turn == 1 && s.name != "cloth-funnel" {
				thickness(t, r, &s, r.IntN(3))
				o.Method = []narrow.Method{narrow.Exact, narrow.TightInclusion}[r.IntN(2)]
			}
			want, err := Collisions(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			regions := cutSpace(r, append(slices.Clone(s.x0), s.x1...), []int{1, 3, 9}[r.IntN(3)])
			owned := make([][]geom.Impact, len(regions))
			for i := range want {
				of := ownerOf(t, &linear, &want[i], regions)
				owned[of] = append(owned[of], want[i])
				if s.name == "cloth-funnel" { // it may not be there: the counts below are those of the others
					continue
				}
				if total++; want[i].Kind == geom.EdgeFace {
					crossing++
				}
			}
			for i := range regions {
				o.Region = &regions[i]
				label := fmt.Sprintf("%s, turn %d, region %v of %d", s.name, turn, regions[i], len(regions))
				same(t, label, &s, &o, owned[i])
				sizeOfRegion(t, label, &s, &o, owned[i])
				for j, other := range []Options{o, o, o} {
					switch j {
					case 0:
						other.MemoryLimit = 1
					case 1:
						other.Flags |= narrow.BruteForce
						if s.name == "cloth-funnel" {
							continue
						}
					case 2:
						if other.Candidates, err = broad.Sweep(s.m, s.motion(t),
							broad.Options{MinSeparation: o.MinSeparation}); err != nil {
							t.Fatal(err)
						}
					}
					if o.Method == narrow.TightInclusion && j > 0 { // reports by the pairs that it gets
						continue
					}
					same(t, fmt.Sprint(label, ", route ", j), &s, &other, owned[i])
				}
			}
			if err := s.m.SetRadii(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d impacts, %d of edges that pass through faces", total, crossing)
	if total < long.Part(3000, 3) || crossing < long.Part(100, 2) {
		t.Error("too few for a test")
	}
}

// sizeOfRegion compares the size that a region leaves with its impacts.
func sizeOfRegion(t *testing.T, label string, s *scene, o *Options, owned []geom.Impact) {
	t.Helper()
	want := o.TMax
	if len(owned) > 0 {
		want = sizeOf(&owned[0], o.TMax)
	}
	if got := must[float64](t)(Size(s.m, s.x0, s.x1, o)); got != want {
		t.Errorf("%s: size %v, want %v", label, got, want)
	}
}

// Needles have boxes along other directions, and pieces: regions go by the axes all the same.
func TestRegionsOfNeedles(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	defer func(before broad.Orientation) { orientation = before }(orientation)
	total := 0
	for range 6 {
		s := soup(t, "needles", 25, func() float64 { return 2*r.Float64() - 1 }, 0.3)
		linear := linearScene(t, &s)
		o := DefaultOptions()
		o.MinSeparation = 0.01 * float64(r.IntN(2))
		want := must[[]geom.Impact](t)(Collisions(s.m, s.x0, s.x1, &o))
		regions := cutSpace(r, append(slices.Clone(s.x0), s.x1...), 5)
		for i := range regions {
			var owned []geom.Impact
			for j := range want {
				if ownerOf(t, &linear, &want[j], regions) == i {
					owned = append(owned, want[j])
				}
			}
			total += len(owned)
			o.Region = &regions[i]
			for _, orientation = range []broad.Orientation{broad.AlongAxes, broad.OrientAlways, broad.DivideAlways} {
				same(t, fmt.Sprintf("orientation %d, region %v", orientation, regions[i]), &s, &o, owned)
			}
			o.Region = nil
		}
	}
	if total < 1000 {
		t.Errorf("%d impacts", total)
	}
}

// Regions of a motion own each pair once, by the control points, whatever the sections and the
// memory limit.
func TestMotionRegionsPartThePairs(t *testing.T) {
	total, empty := 0, 0
	eachMotion(t, 54, 4, func(t *testing.T, r *rand.Rand, s *motionScene, o Options) {
		want := everyPair(t, s, &o, nil)
		regions := cutSpace(r, s.mo.Control(), 2+r.IntN(5))
		owned := make([][]geom.Impact, len(regions))
		for i := range want {
			of := ownerOf(t, s, &want[i], regions)
			owned[of] = append(owned[of], want[i])
		}
		for i := range regions {
			with := o
			with.Region = &regions[i]
			of := func() partImpacts { return impactsOfPart(t, s, &with, i%3 == 0) }
			for _, got := range []partImpacts{of(), inSections(of)} {
				label := fmt.Sprintf("%s, region %v", s.name, regions[i])
				sameImpacts(t, label, got.all, owned[i])
				if !sameEarliest(got.first, owned[i]) {
					t.Fatalf("%s: the earliest is %+v", label, got.first)
				}
				size := o.TMax
				if len(owned[i]) > 0 {
					size = sizeOf(&owned[i][0], o.TMax)
				}
				if got.size != size {
					t.Fatalf("%s: size %v, want %v", label, got.size, size)
				}
			}
			if total += len(owned[i]); len(owned[i]) == 0 {
				empty++
			}
		}
	})
	if t.Logf("%d impacts, %d regions without any", total, empty); total < 300 || empty < 20 {
		t.Error("too few for a test")
	}
}

// Calls that concern all pairs of a step refuse a region, and all calls refuse one that is none.
func TestRegionsAreRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	s := soup(t, "soup", 5, r.Float64, 1)
	ms := bent(t, r, &s, 2, 1, 0.1)
	o := DefaultOptions()
	o.MinSeparation, o.CallOptions = 0.1, engine.CallOptions{Threads: 1}
	o.Region = &cutSpace(nil, nil, 1)[0]
	alpha, y := make([]float64, s.m.NV), make([]float64, 3*s.m.NV)
	for name, call := range map[string]func() error{
		"advance":        func() error { _, err := Advance(s.m, s.x0, s.x1, y, 1, &o); return err },
		"advance of":     func() error { _, err := Curved(ms.m, ms.mo).Advance(y, 1, &o); return err },
		"sizes":          func() error { _, err := Sizes(s.m, s.x0, s.x1, alpha, y, nil, &o); return err },
		"sizes of":       func() error { _, err := Curved(ms.m, ms.mo).Sizes(alpha, y, nil, &o); return err },
		"line search":    func() error { _, err := LineSearch(s.m, s.x0, s.x1, 0.5, &o); return err },
		"line search of": func() error { _, err := Curved(ms.m, ms.mo).LineSearch(0.5, &o); return err },
		"active set":     func() error { _, err := ActiveSet(s.m, s.x0, s.x1, &o); return err },
		"pairs":          func() error { _, err := Pairs(s.m, s.x0, s.x1, geom.VertexFace, nil, &o); return err },
		"pairs of":       func() error { _, err := Curved(ms.m, ms.mo).Pairs(geom.VertexFace, nil, &o); return err },
		"intervals":      func() error { _, err := Intervals(s.m, s.x0, s.x1, &o); return err },
	} {
		if err := call(); !errors.Is(err, status.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	o.Region.Lo[1] = math.NaN()
	if _, err := Earliest(s.m, s.x0, s.x1, &o); err == nil {
		t.Error("NaN")
	}
}
