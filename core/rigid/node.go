package rigid

import (
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/simd/solid"
)

// advance writes to step, for four pairs of nodes in the order of solid.Advance, a time, at most h,
// during which their points keep more than the separation, counted from the poses that were
// computed last. goal is that of these poses, or more.
//
// A point of a node is at c(s) + r(s), s the time since the poses, with
//
//	|r| <= R,  |dr/ds| <= spun = w R,  |d2r/ds2| <= acc2 = w spun,  |d2c/ds2| <= acc = w |W x arm|.
//
// So along a fixed unit n the gap obeys g(s) >= d + v s - k s^2, with d the gap of the boxes at s =
// 0, v the velocity of the centers less both spun, and 2k the sum of all accelerations. Along the
// line of centers the balls of radius R keep the gap without spun and acc2. Each of these bounds
// holds, hence the greatest does.
//
// A second bound for the balls: up to a time h1 they stay apart while |g + s g'| exceeds their
// radii and what accelerations and the error of g' can add by h1, with g here the vector between
// the centers. It is the better one where the bodies pass each other. With c = |g|^2 - balls^2,
// |g|^2 and balls^2 err by less than 10u of size = |g|^2 + balls^2 together, g.g' by 4u |g||g'|; so
// the discriminant (g.g')^2 - |g'|^2 c, whose terms are at most |g'|^2 size, errs by less than 32u
// of that, and c is lessened by 2^-49 size. As much again, 2^-47 |g'|^2 size, within the root,
// covers the error of g.g' outside of it: it makes the root larger by 16u |g||g'|. Bodies that move
// apart do so where g.g' is above its error, 2^-50 |g||g'|; then c says that they stay apart until
// h1.
//
// Along a product of axes n = u x w, |n . x| = |w . (x x u)|: with a box's axes in order these are
// inner products that the axes have needed before, up to the error of the axes. That is within the
// margin of a gap, here before n is scaled to length 1.
func (q *query) advance(a, b *solid.SiblingBoxes, want uint8, goal, h float64, step *[4]float64) {
	q.aim(goal, h)
	solid.Advance(&q.course, a, b, want, step)
}

// advanceTurning is advance with three bounds more, for a search that has become long. A call takes
// 1.2 to 1.4 times as long.
//
// spun is the most |W x r| of the box's corners, if that is less than w R. And let A be the
// acceleration of B's center less that of A's at s = 0. It changes at a rate of at most j, the sum
// of w acc. So until a time h also g(s) >= d + v s - k s^2 with 2k = acc2 + acc2 - n.A + h j/3.
// Once the first bound lasts until r, h is 8 r; along every product of axes. The axis that the
// first bound is longest for turns with its body: solid's slabs.carried. docs/proofs/rigid.md
// (Nodes that turn) derives all three.
func (q *query) advanceTurning(a, b *solid.SiblingBoxes, want uint8, goal, h float64, step *[4]float64) {
	q.aim(goal, h)
	q.aimFar()
	solid.AdvanceTurning(&q.course, a, b, want, step)
}

// aim writes to the course what gaps must exceed, and the time beyond which nothing matters.
func (q *query) aim(goal, h float64) {
	q.course[solid.MotionGoal], q.course[solid.MotionSpan] = alike(goal), alike(h)
}

// aimFar writes to the course what bounds for what turns need besides.
func (q *query) aimFar() {
	c := &q.course
	way := r3.Vec{X: c[solid.MotionX][2], Y: c[solid.MotionX+1][2], Z: c[solid.MotionX+2][2]}
	c[solid.MotionWay] = alike(longest(way) + c[solid.MotionMargin][0])
}

// chartTime writes to the course what depends on the time, besides the angles.
func (q *query) chartTime(f *posePair) {
	c := &q.course
	for lane := range 2 {
		c[solid.MotionX][lane+2], c[solid.MotionX+1][lane+2], c[solid.MotionX+2][lane+2] = f.x.X, f.x.Y, f.x.Z
	}
	c[solid.MotionMargin] = alike(f.margin)
}

func alike(x float64) [4]float64 { return [4]float64{x, x, x, x} }

// chart writes to the course what does not change with time.
func (q *query) chart() {
	c := &q.course
	set := func(row, lane int, v r3.Vec) {
		for l := lane; l < lane+2; l++ {
			c[row][l], c[row+1][l], c[row+2][l] = v.X, v.Y, v.Z
		}
	}
	turn := func(row, lane int, m *geom.Mat) {
		set(row, lane, m.X)
		set(row+3, lane, m.Y)
		set(row+6, lane, m.Z)
	}
	for i, s := range [2]*bodyState{&q.a, &q.b} {
		turn(solid.MotionP, 2*i, &s.p)
		turn(solid.MotionQ, 2*i, &s.q)
		turn(solid.MotionS, 2*i, &s.s)
		set(solid.MotionPivot, 2*i, s.pivot)
		set(solid.MotionSpin, 2*i, s.spin)
		c[solid.MotionRate][2*i], c[solid.MotionRate][2*i+1] = s.rate, s.rate
	}
	set(solid.MotionV, 2, q.v)
	c[solid.MotionVMargin], c[solid.MotionKMargin], c[solid.MotionSpeed] = alike(q.vMargin), alike(2*q.kMargin),
		alike(q.speed)
	d := r3.Sub(q.b.spin, q.a.spin)
	set(solid.MotionD, 0, d)
	set(solid.MotionD, 2, d)
	c[solid.MotionApart] = alike(longest(d))
}
