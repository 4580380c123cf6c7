package simd

// SiblingBoxes are the two boxes of the children of a node: row by row, the numbers BoxC to BoxR of both.
type SiblingBoxes [BoxLen][2]float64

// Rows of SiblingBoxes: the center, three axes, the half extents along them, and the radius of a ball about the center.
const (
	BoxC   = 0
	BoxX   = 3
	BoxY   = 6
	BoxZ   = 9
	BoxH   = 12
	BoxR   = 15
	BoxLen = 16
)

// RelativeMotion holds the motions of two bodies at one time, as rows of four numbers. Where each body has its own number, the first
// two are A's and the last two B's; from MotionGoal on all four are the same.
type RelativeMotion [MotionLen][4]float64

// Rows of a RelativeMotion. At that time a body is rotated by P + (cos Q + sin S), matrices by rows, about Pivot, which is at X and
// moves with the velocity V; Spin is its angular velocity, of magnitude Rate. A's X and V are 0.
const (
	MotionP     = 0
	MotionQ     = 9
	MotionS     = 18
	MotionPivot = 27
	MotionSpin  = 30
	MotionV     = 33
	MotionX     = 36
	MotionSin   = 39
	MotionCos   = 40
	MotionRate  = 41

	MotionGoal    = 42 // what a gap must exceed
	MotionMargin  = 43 // the error of a gap along a product of axes, before it is scaled
	MotionVMargin = 44 // the error of a gap's derivative
	MotionKMargin = 45 // the error of the sum of accelerations
	MotionSpeed   = 46 // of the pivots, at least
	MotionSpan    = 47 // times beyond it do not matter
	MotionLen     = 48
)

// Advance writes to out, for the four pairs of a box of A and a box of B, in the order (0,0), (0,1), (1,0), (1,1), a time before
// which the pair's gap stays above the goal, at most the span. Pairs whose bits are not in want may be left out.
//
// With g from A's center to B's, g' its derivative, and acc the sum of the bounds |spin||spin x arm| on the centers' accelerations, a pair
// takes the greatest of these times: balls of the radii stay apart along the line of centers, or while |g + s g'| exceeds the radii and
// what accelerations do; and, unless the balls alone come far, boxes along one of their axes or, if even that is not far, along a
// product of these, where the gap is at least d + v s - k s^2. The file advance_generic.go says it number by number;
// core/rigid/node.go proves it.
func Advance(m *RelativeMotion, a, b *SiblingBoxes, want uint8, out *[4]float64) {
	advance(m, a, b, uint32(want)^15, out)
}

const (
	advanceShrink   = 1 - 0x1p-46 // a computed root is this much safe
	advanceStretch  = 1 + 0x1p-44 // bounds are widened by as much
	advanceParallel = 1e-4        // the square of a sine below which two axes make no direction of their own
)
