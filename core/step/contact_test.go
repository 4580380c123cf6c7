package step

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// contactOptions are the methods, norms and separations that answer a step in different ways.
func contactOptions(size float64) map[string]Options {
	all := map[string]Options{}
	for name, change := range map[string]func(o *Options){
		"exact":         func(*Options) {},
		"exact, d":      func(o *Options) { o.MinSeparation = 0.05 * size },
		"tight":         func(o *Options) { o.Method = narrow.TightInclusion },
		"tight, d":      func(o *Options) { o.Method, o.MinSeparation = narrow.TightInclusion, 0.05*size },
		"contracted":    func(o *Options) { o.Method = narrow.TimeContracted },
		"contracted, d": func(o *Options) { o.Method, o.MinSeparation = narrow.TimeContracted, 0.05*size },
		"max norm":      func(o *Options) { o.MinSeparation, o.Flags = 0.05*size, narrow.MaxNorm },
		"contracted, max norm": func(o *Options) {
			o.Method, o.MinSeparation, o.Flags = narrow.TimeContracted, 0.05*size, narrow.MaxNorm
		},
		"positive": func(o *Options) { o.MinSeparation, o.Flags = 0.2*size, narrow.NoZeroTOI },
		"contracted, a small budget": func(o *Options) {
			o.Method, o.MinSeparation, o.MaxIterations = narrow.TimeContracted, 0.05*size, 4
		},
	} {
		o := DefaultOptions()
		o.Tolerance, o.MaxIterations = 1e-6*size, 2000
		change(&o)
		all[name] = o
	}
	return all
}

// Law 9 for what a step reports: its impacts, the earliest one, and the constraints of an active
// set with their weights and gaps.
func TestStepLaw9ContactData(t *testing.T) {
	contacts := 0
	for _, s := range contactScenes(t) {
		for name, o := range contactOptions(s.size()) {
			promise := ccdtest.Promise{Exact: o.Unique()}
			set, err := ActiveSet(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			mo := s.motion(t)
			for i := range set {
				if testing.Short() && i%3 > 0 || !long.On() && i%9 > 0 {
					continue
				}
				c := &set[i]
				var q [24]float64
				mo.Query(c.Kind, &c.Vertices, &q)
				err := ccdtest.CheckContact(q[:c.Kind.Len()], &o.Options, &c.Impact, promise)
				if err == nil {
					err = ccdtest.CheckConstraint(q[:c.Kind.Len()], &o.Options, &c.Impact, c.Weights, c.Gap,
						c.Separation)
				}
				if err != nil {
					t.Fatalf("%s, %s: %v\n%+v\nq = %v", s.name, name, err, *c, q[:c.Kind.Len()])
				}
				if c.Verdict == geom.Contact {
					contacts++
				}
			}
			all, err := Collisions(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) != len(set) {
				t.Fatalf("%s, %s: %d impacts, %d constraints", s.name, name, len(all), len(set))
			}
			for i := range all {
				if all[i] != set[i].Impact {
					t.Fatalf("%s, %s: impact %+v, of the constraint %+v", s.name, name, all[i], set[i].Impact)
				}
			}
			first, err := Earliest(s.m, s.x0, s.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if first.Verdict != geom.Contact {
				continue
			}
			idx := s.m.Indices(first.Kind, int32(first.A), int32(first.B))
			var q [24]float64
			mo.Query(first.Kind, &idx, &q)
			if err := ccdtest.CheckContact(q[:first.Kind.Len()], &o.Options, &first, promise); err != nil {
				t.Fatalf("%s, %s, the earliest: %v\n%+v", s.name, name, err, first)
			}
		}
	}
	if contacts < long.Part(1000, 3) {
		t.Errorf("only %d contacts", contacts)
	}
}

// contactScenes are the scenes, one of them far from the origin, and one that starts in contact
// with a separation and comes apart.
func contactScenes(t *testing.T) []scene {
	list := scenes(t)
	apart := list[0]
	apart.name = "coming apart"
	apart.x0, apart.x1 = list[1].x0, make([]float64, len(list[1].x0))
	for i, x := range apart.x0 {
		apart.x1[i] = 1.2 * x
	}
	far := scene{name: "far", m: list[1].m}
	for i := range list[1].x0 {
		far.x0, far.x1 = append(far.x0, list[1].x0[i]+1e9), append(far.x1, list[1].x1[i]+1e9)
	}
	return append(list, apart, far)
}

// A pair that starts nearer than d/2 and moves apart has its normal from b to a, and a positive
// gap.
func TestActiveSetComingApart(t *testing.T) {
	m, err := mesh.New(4, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	x0 := []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 0.1}
	x1 := []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 2}
	for _, flags := range []uint32{0, narrow.MaxNorm} {
		o := DefaultOptions()
		o.MinSeparation, o.Flags = 0.5, flags
		set, err := ActiveSet(m, x0, x1, &o)
		if err != nil || len(set) != 1 {
			t.Fatalf("%d constraints, error %v", len(set), err)
		}
		if c := &set[0]; c.Normal != [3]float64{0, 0, 1} || c.Gap != 1.5 || c.Separation != 0.5 || c.TOIHi != 0 {
			t.Errorf("flags %d: normal %v, gap %v: want up, and 1.5", flags, c.Normal, c.Gap)
		}
	}
}
