//go:build !amd64

package simd

import "unsafe"

// Without assembly every level is the generic one.

func placeTriangles256(m *[48][4]float64, a, b *[9]float64, out *[38][4]float64) {
	placeTrianglesGeneric((*RelativeMotion)(m), a, b, (*Triangles)(out))
}

func keepTriangles256(t *[38][4]float64, d *[12]float64) float64 {
	return keepTrianglesGeneric((*Triangles)(t), (*Turn)(unsafe.Pointer(d)))
}
