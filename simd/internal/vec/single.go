package vec

import "math"

// Vec32 is Vec3 in single precision; functions whose names end with 32 are those of Vec3.
type Vec32 struct{ X, Y, Z float32 }

// Plus32 returns a + b.
func Plus32(a, b Vec32) Vec32 { return Vec32{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Minus32 returns a - b.
func Minus32(a, b Vec32) Vec32 { return Vec32{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Blend32 is Blend in single precision.
func Blend32(m [2]Vec32, w0, w1 float32) Vec32 {
	return Vec32{
		float32(m[0].X*w0) + float32(m[1].X*w1),
		float32(m[0].Y*w0) + float32(m[1].Y*w1),
		float32(m[0].Z*w0) + float32(m[1].Z*w1),
	}
}

// LargestOf32 is LargestOf in single precision.
func LargestOf32(a, b Vec32) Vec32 {
	return Vec32{larger32(a.X, b.X), larger32(a.Y, b.Y), larger32(a.Z, b.Z)}
}

// larger32 is the larger magnitude, as larger.
func larger32(a, b float32) float32 {
	const sign = 1 << 31
	return math.Float32frombits(max(math.Float32bits(a)&^sign, math.Float32bits(b)&^sign))
}

// Cross32 returns a x b.
func Cross32(a, b Vec32) Vec32 {
	return Vec32{
		float32(a.Y*b.Z) - float32(a.Z*b.Y),
		float32(a.Z*b.X) - float32(a.X*b.Z),
		float32(a.X*b.Y) - float32(a.Y*b.X),
	}
}

// Permanent32 is Permanent in single precision.
func Permanent32(a, b Vec32) Vec32 {
	return Vec32{
		float32(a.Y*b.Z) + float32(a.Z*b.Y),
		float32(a.Z*b.X) + float32(a.X*b.Z),
		float32(a.X*b.Y) + float32(a.Y*b.X),
	}
}

// Dot32 returns a.b, summed from the left.
func Dot32(a, b Vec32) float32 { return float32(a.X*b.X) + float32(a.Y*b.Y) + float32(a.Z*b.Z) }

// Sum32 returns the sum of the components, from the left.
func Sum32(a Vec32) float32 { return a.X + a.Y + a.Z }

// Abs32 returns the magnitude of x.
func Abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
