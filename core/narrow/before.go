package narrow

import (
	"ccd/core/exact"
	"ccd/core/geom"
)

// ApartBefore reports whether a coordinate axis, tried from axis on, proves that a pair does not touch at any t in [0, end): exact.ApartBefore.
func ApartBefore(kind geom.Kind, mo *geom.Trajectories, v *[4]int32, end float64, axis *int) bool {
	return exact.ApartBefore(kind, mo, v, end, axis)
}
