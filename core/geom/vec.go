package geom

// Vectors that are indexed by axis are arrays; those that are passed around by value are gonum's r3.Vec (pose.go), which stays in
// registers. No operation of either can be fused.

// Dot3 returns (x + y) + z of the three products, each operation rounded.
func Dot3(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// Cross3 returns the vector product, each operation rounded.
func Cross3(a, b *[3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// Sub3 returns a - b.
func Sub3(a, b *[3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
