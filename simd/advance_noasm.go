//go:build !amd64

package simd

// Without assembly every level is the generic one.

func advance256(m *[48][4]float64, a, b *[16][2]float64, skip uint32, out *[4]float64) {
	advanceGeneric((*RelativeMotion)(m), (*SiblingBoxes)(a), (*SiblingBoxes)(b), uint8(skip^15), out)
}
