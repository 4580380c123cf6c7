package ccd_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ccd"
)

// straight is the motion of degree 1 from start to end.
func straight(t *testing.T) *ccd.Motion {
	t.Helper()
	m, err := ccd.NewMotion(6, 1, nil, slices.Concat(start, end), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bent is a motion of degree 2 between the same ends.
func bent(t *testing.T) *ccd.Motion {
	t.Helper()
	middle := make([]float64, len(start))
	for i := range middle {
		middle[i] = (start[i] + end[i]) / 2
	}
	middle[3*3] += 0.125
	m, err := ccd.NewMotion(6, 2, nil, slices.Concat(start, middle, end), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// made is a step, and the calls that it does not have.
type made struct {
	step    *ccd.Step
	without []string
}

// makers are steps of every maker, all on the same motion but for the bent ones.
func makers(t *testing.T) map[string]made {
	m := mustMesh()
	apart := &ccd.Options{MinSeparation: 0.25}
	among, err := ccd.FindCandidates(m, start, end, apart)
	if err != nil {
		t.Fatal(err)
	}
	amongPaths, err := ccd.FindCandidatesOn(m, bent(t), apart)
	if err != nil {
		t.Fatal(err)
	}
	list, err := ccd.NewNeighbors(m, start, 0.5, nil)
	if err != nil {
		t.Fatal(err)
	}
	scene, err := ccd.NewScene(m, start)
	if err != nil {
		t.Fatal(err)
	}
	inScene := []string{"pairs", "pair intervals", "gradients"}
	curved := []string{"intervals", "pair intervals", "active set", "gradients"}
	return map[string]made{
		"straight":             {ccd.NewStep(m, start, end), nil},
		"motion":               {ccd.NewStepOn(m, straight(t)), nil},
		"candidates":           {among.Step(start, end), []string{"clearance", "profile"}},
		"candidates on motion": {among.StepOn(straight(t)), []string{"clearance", "profile"}},
		"neighbors":            {list.Step(start, end), nil},
		"scene":                {scene.Step(nil, end), inScene},
		"bent":                 {ccd.NewStepOn(m, bent(t)), curved},
		"candidates on bent":   {amongPaths.StepOn(bent(t)), append(curved, "sizes", "clearance", "profile")},
	}
}

// calls are the calls on a step, by name.
func calls(s *ccd.Step, o *ccd.Options) map[string]func() (any, error) {
	pairs := [][2]int{{3, 0}, {4, 0}}
	return map[string]func() (any, error){
		"earliest":      func() (any, error) { return s.Earliest(o) },
		"collisions":    func() (any, error) { return s.Collisions(o) },
		"first impacts": func() (any, error) { return s.FirstImpacts(2, o) },
		"visit": func() (any, error) {
			n := 0
			err := s.Visit(o, func(some []ccd.Impact) bool { n += len(some); return false })
			return n, err
		},
		"pairs":          func() (any, error) { return s.Pairs(ccd.VertexFace, pairs, o) },
		"intervals":      func() (any, error) { return s.Intervals(o) },
		"pair intervals": func() (any, error) { return s.PairIntervals(ccd.VertexFace, pairs, o) },
		"clearance":      func() (any, error) { return s.Clearance(o) },
		"profile":        func() (any, error) { return s.Profile([]float64{0, 0.25, 1}, o) },
		"size":           func() (any, error) { return s.Size(o) },
		"advance":        func() (any, error) { a, x, err := s.Advance(0.9, o); return []any{a, x}, err },
		"sizes":          func() (any, error) { return s.Sizes(nil, o) },
		"line search":    func() (any, error) { return s.LineSearch(0.2, &ccd.Options{MinSeparation: 0.25}) },
		"active set":     func() (any, error) { return s.ActiveSet(o) },
		"gradients": func() (any, error) {
			return s.Gradients([]ccd.Impact{{Verdict: ccd.Contact, Kind: ccd.VertexFace, A: 3, B: 0}}, o)
		},
	}
}

// Every step has every call, with the result of the straight step, or says that it has not.
func TestEveryStepHasEveryCall(t *testing.T) {
	m := mustMesh()
	for _, o := range []*ccd.Options{nil, {MinSeparation: 0.125, Threads: 2}} {
		for maker, made := range makers(t) {
			wanted := calls(ccd.NewStep(m, start, end), o)
			for name, call := range calls(made.step, o) {
				got, err := call()
				if slices.Contains(made.without, name) {
					if !errors.Is(err, ccd.ErrUnsupported) {
						t.Errorf("%s, %s: %v, want an ErrUnsupported", maker, name, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s, %s: %v", maker, name, err)
					continue
				}
				want, _ := wanted[name]()
				if !strings.Contains(maker, "bent") && !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: %+v, of the straight step %+v", maker, name, got, want)
				}
			}
		}
	}
	hit, err := ccd.NewStepOn(m, bent(t)).Earliest(nil)
	if among := makers(t)["candidates on bent"].step; err != nil || hit.Verdict != ccd.Contact {
		t.Errorf("bent: %+v, %v", hit, err)
	} else if same, err := among.Earliest(nil); err != nil || same != hit {
		t.Errorf("candidates on bent: %+v, %v, want %+v", same, err, hit)
	}
}

// The first impacts are those of the list.
func TestFirstImpacts(t *testing.T) {
	s := ccd.NewStep(mustMesh(), start, end)
	all, err := s.Collisions(nil)
	if err != nil || len(all) < 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	for count := 1; count <= len(all)+1; count++ {
		if got, err := s.FirstImpacts(count, nil); err != nil || !slices.Equal(got, all[:min(count, len(all))]) {
			t.Errorf("the first %d are %+v, %v", count, got, err)
		}
	}
	_, err = s.FirstImpacts(0, nil)
	if !errors.Is(err, ccd.ErrArgument) || !strings.Contains(err.Error(), "count is 0") {
		t.Errorf("no impact: %v", err)
	}
}

// A step between two triangles has the impacts of all pairs; between a corner and a face it has
// one.
func TestBetween(t *testing.T) {
	m := mustMesh()
	first, err := m.GroupOf([]int32{2, 1, 0, 1})
	if err != nil || len(first.Vertices) != 3 || len(first.Edges) != 3 || !slices.Equal(first.Faces, []int32{0}) {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := m.GroupOf([]int32{3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]*ccd.Step{"straight": ccd.NewStep(m, start, end), "bent": ccd.NewStepOn(m, bent(t))}
	for name, s := range steps {
		all, err := s.Collisions(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Between(first, second).Collisions(nil); err != nil || !slices.Equal(got, all) {
			t.Errorf("%s: %+v, %v, of all pairs %+v", name, got, err, all)
		}
		got, err := s.Between(ccd.Group{Vertices: []int32{4}}, ccd.Group{Faces: []int32{0}}).Collisions(nil)
		if err != nil || len(got) != 1 || got[0].A != 4 || got[0].Kind != ccd.VertexFace {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	_, err = ccd.NewStep(m, start, end).Between(first, first).Collisions(nil)
	if !errors.Is(err, ccd.ErrIndex) || !strings.HasPrefix(err.Error(), "b.vertices[0] is 2: ") {
		t.Errorf("one group twice: %v", err)
	}
	if _, err := m.GroupOf([]int32{6}); !errors.Is(err, ccd.ErrIndex) {
		t.Errorf("vertex 6: %v", err)
	}
	if _, err := makers(t)["scene"].step.Between(first, second).Earliest(nil); !errors.Is(err, ccd.ErrUnsupported) {
		t.Errorf("a scene: %v", err)
	}
	if _, err := (*ccd.Step)(nil).Between(first, second).Earliest(nil); !errors.Is(err, ccd.ErrArgument) {
		t.Errorf("no step: %v", err)
	}
}

// What the calls on pairs, intervals and gradients say.
func TestPairsIntervalsGradients(t *testing.T) {
	s := ccd.NewStep(mustMesh(), start, end)
	all, err := s.Collisions(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Intervals(nil)
	if err != nil || len(list) != len(all) {
		t.Fatalf("%d intervals of %d impacts, %v", len(list), len(all), err)
	}
	for i, v := range list {
		if v.Enter != all[i].TOILo || v.Kind != all[i].Kind || v.A != all[i].A || v.B != all[i].B || v.Exit < v.Enter {
			t.Errorf("interval %d: %+v, impact %+v", i, v, all[i])
		}
	}
	one, err := s.PairIntervals(all[0].Kind, [][2]int{{all[0].A, all[0].B}}, nil)
	if err != nil || len(one) != 1 || one[0] != list[0] {
		t.Errorf("intervals of the first pair: %+v, %v, want %+v", one, err, list[0])
	}
	found, err := s.Gradients(all[:1], nil)
	if err != nil || len(found) != 1 || found[0].State != ccd.GradientDefined || found[0].TOI != all[0].TOILo {
		t.Errorf("gradients: %+v, %v", found, err)
	}
	rest, err := ccd.NewStep(mustMesh(), start, start).Clearance(nil)
	near, _ := ccd.Distance(mustMesh(), start, nil)
	if err != nil || !(rest.Lo <= near.Hi && near.Lo <= rest.Hi) || rest.Hi-rest.Lo > 1e-6 {
		t.Errorf("clearance at rest: %+v, %v, distance %+v", rest, err, near)
	}
	if rest.PointA[2]-rest.PointB[2] != float64(rest.Normal[2]) || rest.Epsilon > 1e-12 {
		t.Errorf("clearance at rest, 1 apart along z: %+v", rest)
	}
	curve, err := ccd.NewStep(mustMesh(), start, end).Profile([]float64{0, 1}, nil)
	if err != nil || len(curve) != 2 || curve[0].Time != 0 || curve[0].Lo > near.Hi || curve[0].Hi < near.Lo {
		t.Errorf("profile: %+v, %v, distance at the start %+v", curve, err, near)
	}
}

// Motions are where their definitions say.
func TestMotions(t *testing.T) {
	x := []float64{1, 0, 0, 0, 1, 0}
	v, a := []float64{0, 0, 1, 0, 0, 1}, []float64{0, 0, 2, 0, 0, 2}
	quarter := ccd.RigidMotion{AngularVelocity: [3]float64{0, 0, math.Pi / 2}}
	hermite := slices.Concat(x, []float64{1, 0, 2, 0, 1, 2})
	up, turned := []float64{1, 0, 2, 0, 1, 2}, []float64{0, 1, 0, -1, 0, 0}
	doubling := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 2, 0, 0, 0, 2}
	for name, c := range map[string]struct {
		made func() (*ccd.Motion, error)
		want []float64 // want has the positions at t = 1
	}{
		"accelerated": {func() (*ccd.Motion, error) { return ccd.NewAcceleratedMotion(x, v, a) }, up},
		"hermite": {func() (*ccd.Motion, error) {
			return ccd.NewHermiteMotion(2, nil, hermite, slices.Concat(v, v))
		}, up},
		"b-spline": {func() (*ccd.Motion, error) {
			return ccd.NewBSplineMotion(2, 1, []float64{0, 0, 1, 1}, hermite)
		}, up},
		"affine": {func() (*ccd.Motion, error) {
			return ccd.NewAffineMotion(1, x, doubling, make([]float64, 6))
		}, []float64{2, 0, 0, 0, 2, 0}},
		"rigid": {func() (*ccd.Motion, error) { return quarter.Paths(x, 0, 0) }, turned},
		"skinned": {func() (*ccd.Motion, error) {
			return ccd.NewSkinnedMotion(x, []ccd.RigidMotion{quarter}, []float64{1, 1}, 5, 2)
		}, turned},
	} {
		m, err := c.made()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		at, radius, err := m.At(1)
		for i := range at {
			if err != nil || math.Abs(at[i]-c.want[i]) > 1e-9+radius[i/3] {
				t.Errorf("%s: at %v within %v, want %v, %v", name, at, radius, c.want, err)
				break
			}
		}
	}
	half, err := bent(t).Cut([]float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	x, _, _ = half.At(1)
	if !slices.Equal(x[:3], start[:3]) || half.Degree() != 2 || half.Pieces() != 1 || half.Vertices() != 6 {
		t.Errorf("cut at the half: %v", x)
	}
}

// Wrong arguments of motions, lists and calls on pairs are errors that name them.
func TestBadMotionsAndLists(t *testing.T) {
	m := mustMesh()
	two, err := ccd.NewMotion(2, 1, nil, make([]float64, 12), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, vf := ccd.NewStep(m, start, end), ccd.VertexFace
	given := []ccd.Impact{{Kind: vf, A: 7}}
	nan := []float64{math.NaN(), 0, 0, 0, 0, 0}
	var noMotion *ccd.Motion
	var noList *ccd.Neighbors
	exact, tight := &ccd.Options{Method: ccd.Exact}, &ccd.Options{Method: ccd.TightInclusion}
	one := func(_ any, err error) error { return err }
	if err := one(ccd.NewStepOn(m, bent(t)).Earliest(exact)); err != nil {
		t.Error(err)
	}
	for text, c := range map[string]struct{ kind, err error }{
		"degree is 0":                  {ccd.ErrArgument, one(ccd.NewMotion(6, 0, nil, start, nil))},
		"control has 18":               {ccd.ErrArgument, one(ccd.NewMotion(6, 1, nil, start, nil))},
		"n is 0":                       {ccd.ErrArgument, one(ccd.NewMotion(0, 1, nil, nil, nil))},
		"control[0][0][0][0] is NaN":   {ccd.ErrNonFinite, one(ccd.NewMotion(1, 1, nil, nan, nil))},
		"v has 3":                      {ccd.ErrArgument, one(ccd.NewAcceleratedMotion(start, start[:3], start))},
		"motion is nil":                {ccd.ErrArgument, one(ccd.NewStepOn(m, noMotion).Earliest(nil))},
		"motion is nil or zero":        {ccd.ErrArgument, one(new(ccd.Motion).Cut(nil))},
		"motion has 2 vertices":        {ccd.ErrArgument, one(ccd.NewStepOn(m, two).Earliest(nil))},
		"motion has 2 vertices: the":   {ccd.ErrArgument, one(ccd.FindCandidatesOn(m, two, nil))},
		"ends[1] is 2":                 {ccd.ErrArgument, one(two.Cut([]float64{0, 2}))},
		"ends has 1 items":             {ccd.ErrArgument, one(two.Cut([]float64{0}))},
		"reach is 0":                   {ccd.ErrArgument, one(ccd.NewNeighbors(m, start, 0, nil))},
		"neighbors is nil":             {ccd.ErrArgument, one(noList.Step(start, end).Earliest(nil))},
		"neighbors is nil or zero":     {ccd.ErrArgument, one(new(ccd.Neighbors).Near(start, 1, nil))},
		"pairs[1][0] is 9":             {ccd.ErrIndex, one(s.Pairs(vf, [][2]int{{3, 0}, {9, 0}}, nil))},
		"pairs[0][1] is 2":             {ccd.ErrIndex, one(s.PairIntervals(vf, [][2]int{{3, 2}}, nil))},
		"impacts[0].a is 7":            {ccd.ErrIndex, one(s.Gradients(given, nil))},
		"has CCD_CHECK_START":          {ccd.ErrUnsupported, one(s.Intervals(&ccd.Options{CheckStart: true}))},
		"options.norm is CCD_NORM_MAX": {ccd.ErrUnsupported, one(s.Clearance(&ccd.Options{Norm: ccd.MaxNorm}))},
		"options.method":               {ccd.ErrUnsupported, one(ccd.NewStepOn(m, bent(t)).Earliest(tight))},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), text) || !errors.Is(c.err, c.kind) {
			t.Errorf("%v: want %q of the kind %v", c.err, text, c.kind)
		}
	}
}
