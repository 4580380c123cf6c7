package ccdtest_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// The check of law 9 takes a right answer, and sees each way in which contact data can be wrong.
func TestLaw9SeesWhatIsWrong(t *testing.T) {
	q := []float64{0.25, 0.5, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0 /* t = 1 */, 0.25, 0.5, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0}
	o := narrow.DefaultOptions()
	o.MinSeparation = 0.25
	right := geom.Impact{Verdict: geom.Contact, Kind: geom.VertexFace, A: -1, B: -1, TOILo: 0.375, TOIHi: 0.375,
		U: 0.25, V: 0.5,
		Point: [3]float64{0.25, 0.5, 0}, Normal: [3]float64{0, 0, 1}}
	weights, gap := [4]float64{1, -0.25, -0.25, -0.5}, -1.25
	exact := ccdtest.Promise{Exact: true}
	if err := ccdtest.CheckContact(q, &o, &right, exact); err != nil {
		t.Errorf("a right answer is blamed: %v", err)
	}
	if err := ccdtest.CheckConstraint(q, &o, &right, weights, gap, 0.25); err != nil {
		t.Errorf("a right constraint is blamed: %v", err)
	}
	for name, change := range map[string]func(im *geom.Impact){
		"u beside":            func(im *geom.Impact) { im.U += 0.3 },
		"v = 0":               func(im *geom.Impact) { im.V = 0 },
		"outside":             func(im *geom.Impact) { im.U, im.V = 0.3, 0.71 },
		"early":               func(im *geom.Impact) { im.TOILo, im.TOIHi = 0.374, 0.374 },
		"normal turned round": func(im *geom.Impact) { im.Normal[2] = -1 },
		"normal along face":   func(im *geom.Impact) { im.Normal = [3]float64{1, 0, 0} },
		"normal too long":     func(im *geom.Impact) { im.Normal[2] += 1e-12 },
		"no normal":           func(im *geom.Impact) { im.Normal[2] = 0 },
		"point on a":          func(im *geom.Impact) { im.Point[2] = 0.25 },
	} {
		wrong := right
		change(&wrong)
		if ccdtest.CheckContact(q, &o, &wrong, exact) == nil {
			t.Errorf("%s: nothing is seen in %+v", name, wrong)
		}
	}
	for name, c := range map[string]struct {
		weights    [4]float64
		gap        float64
		separation float64
	}{
		"turned round":  {[4]float64{-1, 0.25, 0.25, 0.5}, gap, 0.25},
		"sum":           {[4]float64{1, -0.25, -0.25, -0.25}, gap, 0.25},
		"exchanged":     {[4]float64{1, -0.5, -0.25, -0.25}, gap, 0.25},
		"gap":           {weights, 1, 0.25},
		"gap, nearly":   {weights, -1.25 - 1e-13, 0.25},
		"of the points": {weights, -1, 0.25},
		"separation":    {weights, -1, 0},
	} {
		if ccdtest.CheckConstraint(q, &o, &right, c.weights, c.gap, c.separation) == nil {
			t.Errorf("constraint, %s: nothing is seen", name)
		}
	}
	o.MinSeparation = 0 // the normal is then against the motion
	touching := right
	touching.TOILo, touching.TOIHi = 0.5, 0.5
	if err := ccdtest.CheckContact(q, &o, &touching, exact); err != nil {
		t.Errorf("a right answer without separation is blamed: %v", err)
	}
	touching.Normal[2] = -1
	if ccdtest.CheckContact(q, &o, &touching, exact) == nil {
		t.Error("a normal along the motion is not seen")
	}
}
