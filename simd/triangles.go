package simd

// Triangles are two triangles at a time: rows of four numbers, one for each corner or for the edge that begins there, and
// the first one again.
type Triangles [TrianglesLen][4]float64

// Rows of Triangles: of A, then the same of B, then what is between them.
const (
	TriangleP      = 0  // corners
	TriangleV      = 3  // their velocities
	TriangleW      = 6  // bounds on |spin x arm|
	TriangleE      = 7  // edges, to the next corner
	TriangleE2     = 10 // their squares
	TriangleN      = 11 // the normal, in all columns: the product of the first two edges
	TriangleN2     = 14 // its square
	TriangleCorner = 15 // the square of the corner's distance from the inside of the other triangle; +Inf where its foot is not there
	TriangleHeight = 16 // the corner is at its foot plus so many normals of the other triangle
	TriangleLen    = 17

	EdgesD2      = 34 // of edge i of A and that edge of B, of three, which is nearest
	EdgesS       = 35 // the nearest point of A's, in [0, 1]
	EdgesT       = 36 // that of B's, which is
	EdgesShift   = 37 // number i plus this, around
	TrianglesLen = 38
)

// Turn is a direction n0 + s n1 along which triangles are compared, with the margins.
type Turn struct {
	N0, N1 [3]float64
	Goal   float64 // what the gap must exceed at s = 0
	VLess  float64 // what its derivative may lose
	KMore  float64 // what its curvature may gain
	KA, KB float64 // the curvature of a corner for each unit of TriangleW
	Span   float64
}
