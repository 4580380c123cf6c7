package ccd_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"ccd"
)

// Bad arguments of calls on rigid bodies, patches and scenes are errors of their kind, which name
// the argument and the index; the other results are zero.
func TestBadBodiesAreErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	body, m := cube(t), mustMesh()
	still, fast := ccd.RigidMotion{}, ccd.RigidMotion{Velocity: [3]float64{0, inf, 0}}
	rigid := func(ma, mb ccd.RigidMotion, o ccd.Options) func() (any, error) {
		return func() (any, error) { return ccd.RigidEarliest(body, ma, body, mb, &o) }
	}
	inScene := func(s *ccd.RigidScene) func() (any, error) { return func() (any, error) { return s.Earliest(nil) } }
	two := []*ccd.RigidBody{body, body}
	form := ccd.PatchForm{Shape: ccd.Quad, U: 1, V: 1}
	square := []float64{0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}
	flat := &ccd.Patch{Form: form, X0: square, X1: square}
	sheet, err := ccd.NewPatchBody(4, []ccd.PatchForm{form}, []int32{0, 1, 2, 3}, nil)
	if err != nil || sheet.Points() != 4 || sheet.Patches() != 1 {
		t.Fatal(sheet, err)
	}
	step := ccd.PatchStep{Body: sheet, X0: square, X1: square}
	pair := func(p *ccd.Patch, o ccd.Options) func() (any, error) {
		return func() (any, error) { return ccd.PatchPair(flat, p, &o) }
	}
	weighed := func(w ...float64) *ccd.Patch { return &ccd.Patch{Form: form, X0: square, X1: square, Weights: w} }
	s, err := ccd.NewScene(m, start)
	if err != nil {
		t.Fatal(err)
	}
	moves := func(moved []int32, x1 []float64, o ccd.Options) func() (any, error) {
		return func() (any, error) { return s.Step(moved, x1).Earliest(&o) }
	}
	only := func(err error) func() (any, error) { return func() (any, error) { return nil, err } }
	row := []float64{0, 0, 0}
	screw := func(speed float64, axis [3]float64) error {
		_, err := ccd.RigidMotionScrew(ccd.RigidPose{}, axis, [3]float64{0, 0, 1}, speed)
		return err
	}
	pose := func(m *ccd.RigidMotion, at float64) error {
		_, err := m.Pose(at)
		return err
	}
	between := func(duration float64, to ccd.RigidPose) error {
		_, err := ccd.RigidMotionBetween(ccd.RigidPose{}, to, duration, [3]float64{})
		return err
	}
	newBody := func(x []float64, faces []int32) error {
		_, err := ccd.NewRigidBody(x, faces)
		return err
	}
	newPatches := func(points int, forms []ccd.PatchForm, index []int32, w []float64) error {
		_, err := ccd.NewPatchBody(points, forms, index, w)
		return err
	}
	for text, c := range map[string]struct {
		kind error
		call func() (any, error)
	}{
		"faces has 2 indices":                           {ccd.ErrArgument, only(newBody(row, []int32{0, 0}))},
		"faces has 0 items":                             {ccd.ErrArgument, only(newBody(row, nil))},
		"vertices has 2 coordinates":                    {ccd.ErrArgument, only(newBody(row[:2], []int32{0, 0, 0}))},
		"faces[0][1] is 1: out of range for 1 vertices": {ccd.ErrIndex, only(newBody(row, []int32{0, 1, 0}))},
		"vertices[0][2] is NaN": {
			ccd.ErrNonFinite, only(newBody([]float64{0, 0, nan}, []int32{0, 0, 0})),
		},
		"a is nil or zero": {
			ccd.ErrArgument, func() (any, error) { return ccd.RigidEarliest(nil, still, body, still, nil) },
		},
		"b is nil or zero": {
			ccd.ErrArgument, func() (any, error) {
				return ccd.RigidEarliest(body, still, &ccd.RigidBody{}, still, nil)
			},
		},
		"mb: velocity[1] is +Inf": {ccd.ErrNonFinite, rigid(still, fast, ccd.Options{})},
		"ma: angular_velocity turns": {
			ccd.ErrArgument, rigid(ccd.RigidMotion{AngularVelocity: [3]float64{1e30, 0, 0}}, still, ccd.Options{}),
		},
		"options.t_min is +Inf": {
			ccd.ErrNonFinite, rigid(still, still, ccd.Options{TMin: inf}),
		},
		"options.t_max is 1: must be at least t_min, 2": {ccd.ErrArgument, rigid(still, still, ccd.Options{TMin: 2})},
		"options.tolerance is -1": {
			ccd.ErrArgument, rigid(still, still, ccd.Options{Tolerance: -1}),
		},
		"options.method: calls on rigid": {
			ccd.ErrUnsupported, rigid(still, still, ccd.Options{Method: ccd.Exact}),
		},
		"CCD_NORM_MAX: calls on rigid": {
			ccd.ErrUnsupported, rigid(still, still, ccd.Options{Norm: ccd.MaxNorm}),
		},
		"CCD_NO_ZERO_TOI: calls on rigid": {
			ccd.ErrUnsupported, rigid(still, still, ccd.Options{NoZeroTOI: true}),
		},
		"CCD_BRUTE_FORCE: calls on rigid": {
			ccd.ErrUnsupported, rigid(still, still, ccd.Options{BruteForce: true}),
		},
		"CCD_CHECK_START: calls on rigid": {
			ccd.ErrUnsupported, rigid(still, still, ccd.Options{CheckStart: true}),
		},
		"CCD_APART_AT_TOI: calls on rigid": {
			ccd.ErrUnsupported, rigid(still, still, ccd.Options{ApartAtTOI: true}),
		},
		"options.method is 4": {ccd.ErrArgument, rigid(still, still, ccd.Options{Method: 4})},
		"options.threads is -1": {
			ccd.ErrArgument, rigid(still, still, ccd.Options{Threads: -1}),
		},
		"bodies[1] is nil": {
			ccd.ErrArgument,
			inScene(&ccd.RigidScene{Bodies: []*ccd.RigidBody{body, nil}, Motions: make([]ccd.RigidMotion, 2)}),
		},
		"motions has 1 items for 2": {
			ccd.ErrArgument, inScene(&ccd.RigidScene{Bodies: two, Motions: make([]ccd.RigidMotion, 1)}),
		},
		"motions[1]: velocity[1] is +Inf": {
			ccd.ErrNonFinite, inScene(&ccd.RigidScene{Bodies: two, Motions: []ccd.RigidMotion{still, fast}}),
		},
		"groups has 1 items": {
			ccd.ErrArgument,
			inScene(&ccd.RigidScene{Bodies: two, Motions: make([]ccd.RigidMotion, 2), Groups: []int32{0}}),
		},
		"skip[0][1] is 2": {
			ccd.ErrIndex,
			inScene(&ccd.RigidScene{Bodies: two, Motions: make([]ccd.RigidMotion, 2), Skip: [][2]int32{{0, 2}}}),
		},
		"scene is nil": {ccd.ErrArgument, inScene(nil)},
		"x0 has 3 coordinates; the mesh": {ccd.ErrArgument, func() (any, error) {
			return (&ccd.RigidScene{}).MeshEarliest(m, row, end, nil)
		}},
		"mesh is nil": {
			ccd.ErrArgument, func() (any, error) { return (&ccd.RigidScene{}).MeshCollisions(nil, row, row, nil) },
		},
		"duration is 0": {ccd.ErrArgument, only(between(0, ccd.RigidPose{}))},
		"position1[2] is NaN": {
			ccd.ErrNonFinite, only(between(1, ccd.RigidPose{Position: [3]float64{0, 0, nan}})),
		},
		"speed[0] is +Inf":     {ccd.ErrNonFinite, only(screw(inf, [3]float64{}))},
		"axis_point[1] is NaN": {ccd.ErrNonFinite, only(screw(0, [3]float64{0, nan, 0}))},
		"motion is nil":        {ccd.ErrArgument, only(pose(nil, 0))},
		"t is NaN":             {ccd.ErrNonFinite, only(pose(&still, nan))},
		"rotation[0] is NaN": {
			ccd.ErrNonFinite, only(pose(&ccd.RigidMotion{Rotation: [4]float64{1, nan, 0, 0}}, 0)),
		},
		"points is -1":     {ccd.ErrArgument, only(newPatches(-1, nil, nil, nil))},
		"patch 0: shape 7": {ccd.ErrArgument, only(newPatches(4, []ccd.PatchForm{{Shape: 7}}, nil, nil))},
		"u degree 10 of a quad": {
			ccd.ErrArgument, only(newPatches(4, []ccd.PatchForm{{Shape: ccd.Quad, U: 10, V: 1}}, nil, nil)),
		},
		"index has 3 entries: the pat": {
			ccd.ErrArgument, only(newPatches(4, []ccd.PatchForm{form}, []int32{0, 1, 2}, nil)),
		},
		"index[3] is 4": {
			ccd.ErrIndex, only(newPatches(4, []ccd.PatchForm{form}, []int32{0, 1, 2, 4}, nil)),
		},
		"1 weights for 4 indices": {
			ccd.ErrArgument, only(newPatches(4, []ccd.PatchForm{form}, []int32{0, 1, 2, 3}, []float64{1})),
		},
		"a is nil": {
			ccd.ErrArgument, func() (any, error) { return ccd.PatchPair(nil, flat, nil) },
		},
		"b: x1 has 3 coordinates": {
			ccd.ErrArgument, pair(&ccd.Patch{Form: form, X0: square, X1: row}, ccd.Options{}),
		},
		"b: weights[1] is -1":           {ccd.ErrArgument, pair(weighed(1, -1, 1, 1), ccd.Options{})},
		"b: weights[2] is NaN":          {ccd.ErrNonFinite, pair(weighed(1, 1, nan, 1), ccd.Options{})},
		"options.t_min: calls on patch": {ccd.ErrUnsupported, pair(flat, ccd.Options{TMin: 0.5})},
		"SEPARATING: calls on patches":  {ccd.ErrUnsupported, pair(flat, ccd.Options{IgnoreSeparating: true})},
		"options.method: calls on patc": {ccd.ErrUnsupported, pair(flat, ccd.Options{Method: ccd.Exact})},
		"CCD_NORM_MAX: calls on patche": {ccd.ErrUnsupported, pair(flat, ccd.Options{Norm: ccd.MaxNorm})},
		"a.Body is nil or zero": {
			ccd.ErrArgument, func() (any, error) { return ccd.PatchEarliest(ccd.PatchStep{}, step, nil) },
		},
		"body b: x0 has 3 coordinates": {
			ccd.ErrArgument, func() (any, error) {
				return ccd.PatchCollisions(step, ccd.PatchStep{Body: sheet, X0: row}, nil)
			},
		},
		"min_distance is 0": {
			ccd.ErrArgument, func() (any, error) { return ccd.PatchManifold(step, step, 0, 0, nil) },
		},
		"t_window is 2": {
			ccd.ErrArgument, func() (any, error) { return ccd.PatchManifold(step, step, 2, 1, nil) },
		},
		"neighbourhood is 2": {ccd.ErrArgument, func() (any, error) {
			hit, u, err := ccd.PatchSelfEarliest(step, 2, nil)
			if u != (ccd.PatchUnresolved{}) {
				t.Error(u)
			}
			return hit, err
		}},
		"neighbourhood is -1": {ccd.ErrArgument, func() (any, error) {
			list, _, err := ccd.PatchSelfCollisions(step, -1, nil)
			return list, err
		}},
		"b.Body is nil or": {ccd.ErrArgument, func() (any, error) {
			list, _, err := ccd.PatchSelfManifold(ccd.PatchStep{}, 0, 1, 0, nil)
			return list, err
		}},
		"knots_u has 1 knots": {ccd.ErrArgument, func() (any, error) {
			_, err := ccd.NewNURBS(ccd.NURBS{U: 2, KnotsU: []float64{0}})
			return nil, err
		}},
		"model is nil": {
			ccd.ErrArgument, func() (any, error) { _, err := (*ccd.PatchModel)(nil).Body(); return nil, err },
		},
		"the file is empty": {ccd.ErrFile, func() (any, error) { _, err := ccd.DecodePatches(nil); return nil, err }},
		"no.json": {
			ccd.ErrFile, func() (any, error) { _, err := ccd.ReadPatches(t.TempDir() + "/no.json"); return nil, err },
		},

		"scene is nil or zero": {
			ccd.ErrArgument, func() (any, error) { return (*ccd.Scene)(nil).Step(nil, nil).Collisions(nil) },
		},
		"mesh is nil or zero": {
			ccd.ErrArgument, func() (any, error) { _, err := ccd.NewScene(nil, start); return nil, err },
		},
		"x0 has 3 coordinates; the scene": {ccd.ErrArgument, func() (any, error) {
			_, err := ccd.NewScene(m, row)
			return nil, err
		}},
		"moved[0] is 6":                   {ccd.ErrIndex, moves([]int32{6}, row, ccd.Options{})},
		"moved[1] is 2, after 3":          {ccd.ErrIndex, moves([]int32{3, 2}, append(row, row...), ccd.Options{})},
		"x1 has 3 coordinates; moved":     {ccd.ErrArgument, moves([]int32{3, 4}, row, ccd.Options{})},
		"x1 has 3 coordinates; moved has": {ccd.ErrArgument, moves(nil, row, ccd.Options{})},
		"x1[0][0] is NaN":                 {ccd.ErrNonFinite, moves([]int32{3}, []float64{nan, 0, 0}, ccd.Options{})},
		"scenes need the exact method": {
			ccd.ErrUnsupported, moves([]int32{3}, row, ccd.Options{Method: ccd.TightInclusion}),
		},
		"options.t_min: steps do not": {ccd.ErrUnsupported, moves([]int32{3}, row, ccd.Options{TMin: 1})},
		"share is 2": {
			ccd.ErrArgument, func() (any, error) {
				_, _, err := s.Step([]int32{3}, row).Advance(2, nil)
				return nil, err
			},
		},
		"share is 1": {ccd.ErrArgument, func() (any, error) {
			return ccd.NewStep(m, start, end).Sizes(&ccd.SizesOptions{Share: 1, MaxPasses: 1}, nil)
		}},
		"groups has 1 ids": {ccd.ErrArgument, func() (any, error) {
			return s.Step(nil, end).Sizes(&ccd.SizesOptions{Groups: []int32{0}, Share: 0.5, MaxPasses: 1}, nil)
		}},
		"max_passes is 0": {
			ccd.ErrArgument, func() (any, error) { return s.Step(nil, end).Sizes(&ccd.SizesOptions{Share: 0.5}, nil) },
		},
		"options.t_max is 0.5": {
			ccd.ErrUnsupported, func() (any, error) {
				return ccd.NewStep(m, start, end).Sizes(nil, &ccd.Options{TMax: 0.5})
			},
		},
		"no proven motion":    {ccd.ErrArgument, only(s.CommitProven())},
		"part is 1":           {ccd.ErrIndex, only(s.Remove(1))},
		"x has 3 coordinates": {ccd.ErrArgument, only(s.Reset(row))},
		"moved[0] is -1":      {ccd.ErrIndex, only(s.Commit([]int32{-1}, row))},
		"x has 3 coordinates; the mesh": {
			ccd.ErrArgument, func() (any, error) { _, err := s.Add(m, row); return nil, err },
		},
		"proximity calls do not support it": {ccd.ErrUnsupported, only(s.Check(&ccd.Options{Norm: ccd.MaxNorm}))},
		"options.t_min: pairs do not": {ccd.ErrUnsupported, func() (any, error) {
			return ccd.Pair(ccd.PointPoint, make([]float64, 12), &ccd.Options{TMin: 1})
		}},
	} {
		out, err := c.call()
		if !errors.Is(err, c.kind) || !strings.Contains(errText(err), text) {
			t.Errorf("want %q of kind %q, got %v", text, c.kind, err)
		}
		if out != nil && !reflect.ValueOf(out).IsZero() {
			t.Errorf("%s: %+v beside the error", text, out)
		}
	}
	if p := (*ccd.PatchBody)(nil); p.Points() != 0 || p.Patches() != 0 || (ccd.PatchForm{}).Points() != 0 {
		t.Error("a nil body has parts")
	}
	if s := (*ccd.Scene)(nil); s.Parts() != nil || s.Vertices() != 0 {
		t.Error("a nil scene has parts")
	}
}

func errText(err error) string {
	if err == nil {
		return "<nil>"
	}
	return err.Error()
}
