package simd

import "math"

// vec3 is a vector in scalar registers: the compiler keeps a struct there, not an array.
type vec3 struct{ x, y, z float64 }

// difference of two vertices at one end of the motion: 0 or 4.
func difference(p, q *[8]float64, end int) vec3 {
	return vec3{p[end] - q[end], p[end+1] - q[end+1], p[end+2] - q[end+2]}
}

func plus(a, b vec3) vec3  { return vec3{a.x + b.x, a.y + b.y, a.z + b.z} }
func minus(a, b vec3) vec3 { return vec3{a.x - b.x, a.y - b.y, a.z - b.z} }

// blend is a vector between its two ends.
func blend(m [2]vec3, w0, w1 float64) vec3 {
	return vec3{
		float64(m[0].x*w0) + float64(m[1].x*w1),
		float64(m[0].y*w0) + float64(m[1].y*w1),
		float64(m[0].z*w0) + float64(m[1].z*w1),
	}
}

// largestOf are the larger magnitudes of two vectors' components.
func largestOf(a, b vec3) vec3 { return vec3{larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)} }

// larger is the larger magnitude. It compares bit patterns as integers, which needs neither a branch nor care for NaN.
func larger(a, b float64) float64 {
	const sign = 1 << 63
	return math.Float64frombits(max(math.Float64bits(a)&^sign, math.Float64bits(b)&^sign))
}

func cross(a, b vec3) vec3 {
	return vec3{
		float64(a.y*b.z) - float64(a.z*b.y),
		float64(a.z*b.x) - float64(a.x*b.z),
		float64(a.x*b.y) - float64(a.y*b.x),
	}
}

// permanent is cross with a plus, for magnitudes.
func permanent(a, b vec3) vec3 {
	return vec3{
		float64(a.y*b.z) + float64(a.z*b.y),
		float64(a.z*b.x) + float64(a.x*b.z),
		float64(a.x*b.y) + float64(a.y*b.x),
	}
}

func dot(a, b vec3) float64 { return float64(a.x*b.x) + float64(a.y*b.y) + float64(a.z*b.z) }

func sum(a vec3) float64 { return a.x + a.y + a.z }
