package solid

// FourPairs are four pairs of a box of A and a box of B, each at a time of its own. Motions[0] has
// A's motion at the four times, and Motions[1] B's: the rows of a RelativeMotion with a column for
// each pair. The rows from MotionGoal on are read of Motions[0].
type FourPairs struct {
	Motions [2]RelativeMotion
	Boxes   [2][4]*SiblingBoxes
	Columns [2][4]int64 // Each box is this one of two siblings.
}

// Set makes pair k one of boxes a and b, the columns i and j of siblings.
func (f *FourPairs) Set(k int, a *SiblingBoxes, i int32, b *SiblingBoxes, j int32) {
	f.Boxes[0][k], f.Columns[0][k] = a, int64(i)
	f.Boxes[1][k], f.Columns[1][k] = b, int64(j)
}

// Begin takes what does not depend on time from a motion.
func (f *FourPairs) Begin(m *RelativeMotion) {
	for row := range m {
		a, b := m[row][0], m[row][2]
		f.Motions[0][row], f.Motions[1][row] = [4]float64{a, a, a, a}, [4]float64{b, b, b, b}
	}
}

// At takes what depends on time from a motion, for pair k.
func (f *FourPairs) At(k int, m *RelativeMotion) {
	a, b := &f.Motions[0], &f.Motions[1]
	a[MotionSin][k], b[MotionSin][k] = m[MotionSin][0], m[MotionSin][2]
	a[MotionCos][k], b[MotionCos][k] = m[MotionCos][0], m[MotionCos][2]
	for row := MotionX; row < MotionX+3; row++ {
		b[row][k] = m[row][2]
	}
	for _, row := range [4]int{MotionGoal, MotionMargin, MotionSpan, MotionWay} {
		a[row][k] = m[row][0]
	}
}

// Advance writes to out, for the first n pairs, what AdvanceTurning does, bit for bit.
func (f *FourPairs) Advance(n int, out *[4]float64) {
	for k := n; k < 4; k++ {
		for side := range f.Boxes {
			f.Boxes[side][k], f.Columns[side][k] = f.Boxes[side][0], f.Columns[side][0]
		}
	}
	advanceFour(f, 15&^(1<<n-1), out)
}

func (f *FourPairs) advanceGeneric(want uint8, out *[4]float64) {
	for k := range 4 {
		if want>>k&1 == 0 {
			continue
		}
		var a, b placed
		ma, mb := f.Motions[0].body(k), f.Motions[1].body(k)
		ma.place(f.Boxes[0][k], int(f.Columns[0][k]), true, &a)
		mb.place(f.Boxes[1][k], int(f.Columns[1][k]), true, &b)
		out[k] = advancePair(&f.Motions[0], k, &a, &b, true)
	}
}
