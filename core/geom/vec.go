package geom

// Vec is a vector or a point, indexed by axis. Bodies that turn and curved patches use gonum's
// r3.Vec (pose.go) instead, which is passed by value and stays in registers. No operation of either
// is fused.
type Vec = [3]float64

// Dot3 returns (x + y) + z of the three products, each operation rounded.
func Dot3(a, b *Vec) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// Cross3 returns the vector product, each operation rounded.
func Cross3(a, b *Vec) Vec {
	return Vec{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// Sub3 returns a - b.
func Sub3(a, b *Vec) Vec { return Vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
