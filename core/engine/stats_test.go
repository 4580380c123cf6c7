package engine

import (
	"reflect"
	"testing"
)

// Add takes every field of the statistics of a part: none is left out where the struct grows.
func TestAddTakesAllFields(t *testing.T) {
	var sum, part Stats
	fill(reflect.ValueOf(&part).Elem())
	sum.Add(&part)
	if sum != part {
		t.Errorf("0 and %+v make %+v", part, sum)
	}
}

// fill sets all numbers to 3 and all flags.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Int64, reflect.Int32:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(3)
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("a kind of field that this test does not know: " + v.Kind().String())
	}
}
