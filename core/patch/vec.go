package patch

import "math"

// vec is a point or a direction. A struct, so that the compiler keeps it in registers.
type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec       { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec       { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) times(s float64) vec { return vec{float64(s * a.x), float64(s * a.y), float64(s * a.z)} }
func (a vec) dot(b vec) float64   { return float64(a.x*b.x) + float64(a.y*b.y) + float64(a.z*b.z) }
func (a vec) length() float64     { return math.Sqrt(a.dot(a)) }
func (a vec) most() float64       { return max(math.Abs(a.x), math.Abs(a.y), math.Abs(a.z)) }
func (a vec) along(s float64, b vec) vec {
	return vec{a.x + float64(s*b.x), a.y + float64(s*b.y), a.z + float64(s*b.z)}
}
func (a vec) cross(b vec) vec {
	return vec{
		float64(a.y*b.z) - float64(a.z*b.y),
		float64(a.z*b.x) - float64(a.x*b.z),
		float64(a.x*b.y) - float64(a.y*b.x),
	}
}

// unit is a scaled to length one; ok is false for a vector without direction.
func (a vec) unit() (n vec, ok bool) {
	s := a.length()
	if !(s > 0x1p-400) {
		return a, false
	}
	return vec{a.x / s, a.y / s, a.z / s}, true
}
