package vec

import "math"

// Vec3 is a vector in scalar registers: the compiler keeps a struct there, not an array.
type Vec3 struct{ X, Y, Z float64 }

// Difference returns p - q for two vertex records at one end of the motion: 0 or 4.
func Difference(p, q *[8]float64, end int) Vec3 {
	return Vec3{p[end] - q[end], p[end+1] - q[end+1], p[end+2] - q[end+2]}
}

// Plus returns a + b.
func Plus(a, b Vec3) Vec3 { return Vec3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Minus returns a - b.
func Minus(a, b Vec3) Vec3 { return Vec3{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Blend returns the sum of a vector at the two ends of the motion with the weights w0 and w1.
func Blend(m [2]Vec3, w0, w1 float64) Vec3 {
	return Vec3{
		float64(m[0].X*w0) + float64(m[1].X*w1),
		float64(m[0].Y*w0) + float64(m[1].Y*w1),
		float64(m[0].Z*w0) + float64(m[1].Z*w1),
	}
}

// LargestOf returns the larger magnitude of each component.
func LargestOf(a, b Vec3) Vec3 { return Vec3{Larger(a.X, b.X), Larger(a.Y, b.Y), Larger(a.Z, b.Z)} }

// Larger returns the larger magnitude. It compares bit patterns as integers, which needs neither a branch nor care for NaN.
func Larger(a, b float64) float64 {
	const sign = 1 << 63
	return math.Float64frombits(max(math.Float64bits(a)&^sign, math.Float64bits(b)&^sign))
}

// Cross returns a x b.
func Cross(a, b Vec3) Vec3 {
	return Vec3{
		float64(a.Y*b.Z) - float64(a.Z*b.Y),
		float64(a.Z*b.X) - float64(a.X*b.Z),
		float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// Permanent is Cross with a plus in place of each minus, for magnitudes.
func Permanent(a, b Vec3) Vec3 {
	return Vec3{
		float64(a.Y*b.Z) + float64(a.Z*b.Y),
		float64(a.Z*b.X) + float64(a.X*b.Z),
		float64(a.X*b.Y) + float64(a.Y*b.X),
	}
}

// Dot returns a.b, summed from the left.
func Dot(a, b Vec3) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) }

// Sum returns the sum of the components, from the left.
func Sum(a Vec3) float64 { return a.X + a.Y + a.Z }

// Lesser returns x where x < y, else y, NaN too.
func Lesser(x, y float64) float64 {
	if x < y {
		return x
	}
	return y
}
