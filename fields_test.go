package ccd

import (
	"math"
	"reflect"
	"testing"

	"ccd/core/constraint"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/patch"
	"ccd/core/proximity"
	"ccd/core/rigid"
	"ccd/core/scene"
)

// The structs of this package are filled by hand from those of core: each of their fields gets a
// value.
func TestConversionsFillAllFields(t *testing.T) {
	for name, made := range map[string]any{
		"Impact":      impactOf(filled[geom.Impact]()),
		"PatchImpact": patchImpactOf(filled[patch.Impact]()),
		"RigidImpact": rigidImpactOf(filled[rigid.Impact]()),
		"NearPair":    nearPairOf(filled[proximity.NearPair]()),
		"SceneImpact": sceneImpactOf(filled[rigid.SceneImpact]()),
		"MeshImpact":  meshImpactOf(filled[rigid.MeshImpact]()),
		"ScenePart":   scenePartOf(filled[scene.PartInfo]()),
		"Constraint":  constraintOf(filled[constraint.Constraint]()),
		"Interval":    intervalOf(filled[geom.Interval]()),
		"Clearance":   clearanceOf(filled[geom.LeastDistance]()),
		"Gradient":    gradientOf(filled[gradient.Gradient]()),
		"RigidMotion": motionOf(filled[rigid.Motion]()),
	} {
		unset(t, name, reflect.ValueOf(made))
	}
	s := settings{stats: new(Stats)}
	setAll(reflect.ValueOf(&s.counted).Elem())
	s.write()
	unset(t, "Stats", reflect.ValueOf(*s.stats))
}

func filled[T any]() *T {
	v := new(T)
	setAll(reflect.ValueOf(v).Elem())
	return v
}

// setAll sets all fields to something that is not zero.
func setAll(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				setAll(v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			setAll(v.Index(i))
		}
	case reflect.Float64:
		v.SetFloat(math.Pi)
	case reflect.Bool:
		v.SetBool(true)
	default:
		if v.CanInt() {
			v.SetInt(1)
		} else {
			v.SetUint(1)
		}
	}
}

// unset reports the fields that are zero.
func unset(t *testing.T, name string, v reflect.Value) {
	if v.IsZero() {
		t.Errorf("%s is not filled in", name)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			unset(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			unset(t, name+"[]", v.Index(i))
		}
	}
}
