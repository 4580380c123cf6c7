package patch

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// vec is r3.Vec with methods, whose products are rounded before they are added
// (core/fused_test.go).
type vec r3.Vec

func (a vec) add(b vec) vec       { return vec{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }
func (a vec) sub(b vec) vec       { return vec{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }
func (a vec) times(s float64) vec { return vec{float64(s * a.X), float64(s * a.Y), float64(s * a.Z)} }
func (a vec) dot(b vec) float64   { return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) }
func (a vec) length() float64     { return math.Sqrt(a.dot(a)) }
func (a vec) most() float64       { return max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)) }

// sum returns the sum of the magnitudes of the coordinates.
func (a vec) sum() float64 { return math.Abs(a.X) + math.Abs(a.Y) + math.Abs(a.Z) }

func (a vec) along(s float64, b vec) vec {
	return vec{a.X + float64(s*b.X), a.Y + float64(s*b.Y), a.Z + float64(s*b.Z)}
}
func (a vec) cross(b vec) vec {
	return vec{
		float64(a.Y*b.Z) - float64(a.Z*b.Y),
		float64(a.Z*b.X) - float64(a.X*b.Z),
		float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// unit returns a scaled to length one; ok is false for a vector without direction.
func (a vec) unit() (n vec, ok bool) {
	s := a.length()
	if !(s > 0x1p-400) {
		return a, false
	}
	return vec{a.X / s, a.Y / s, a.Z / s}, true
}
