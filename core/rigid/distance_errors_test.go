package rigid_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// TestDistanceErrors tests that errors of distances, clearances and scenes name the argument.
func TestDistanceErrors(t *testing.T) {
	b, err := rigid.NewBody([]float64{0, 0, 0}, [][3]int32{{0, 0, 0}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	good := geom.Pose{Rotation: quat.Number{Real: 1}}
	bad := geom.Pose{}
	far := geom.Pose{Rotation: quat.Number{Real: 1}, Position: r3.Vec{Y: math.Inf(1)}}
	var r rigid.Ruler
	var s rigid.Scene
	var c rigid.ClearanceSolver
	var g rigid.Gap
	s.Bodies = []*rigid.Body{b, b}
	moving := rigid.Motion{Rotation: quat.Number{Real: 1}}
	distance := func(p, q *geom.Pose, o rigid.DistanceOptions) error { return r.Distance(b, p, b, q, o, &g) }
	meets := func(p, q *geom.Pose) error { _, err := r.Intersects(b, p, b, q); return err }
	within := func(poses []geom.Pose, d float64) error {
		_, err := s.Within(poses, d, rigid.DistanceOptions{})
		return err
	}
	for _, x := range []struct {
		err  error
		want string
	}{
		{distance(&bad, &good, rigid.DistanceOptions{}), "pose a: rotation is 0"},
		{distance(&good, &far, rigid.DistanceOptions{}), "pose b: position[1] is +Inf"},
		{distance(&good, &good, rigid.DistanceOptions{Tolerance: -1}), "options.tolerance is -1"},
		{distance(&good, &good, rigid.DistanceOptions{Tolerance: math.NaN()}), "options.tolerance is NaN"},
		{distance(&good, &good, rigid.DistanceOptions{MaxIterations: -1}), "options.max_iterations is -1"},
		{meets(&good, &bad), "pose b: rotation is 0"},
		{within([]geom.Pose{good}, 1), "poses has 1 items for 2 bodies"},
		{within([]geom.Pose{good, far}, 1), "poses[1]: position[1] is +Inf"},
		{within([]geom.Pose{good, good}, -1), "distance is -1"},
		{within([]geom.Pose{good, good}, math.NaN()), "distance is NaN"},
		{c.Clearance(b, b, &moving, &moving, &rigid.Options{TMin: 1}, &g), "options.t_max is 0"},
	} {
		if x.err == nil || !strings.HasPrefix(x.err.Error(), x.want) {
			t.Errorf("%v does not begin with %q", x.err, x.want)
		}
	}
}
