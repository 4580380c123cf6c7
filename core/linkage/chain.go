package linkage

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/robot"
	"ccd/core/status"
)

// Loop is a constraint that closes a chain. Let x be PointA of the link A in the coordinates of the
// link B, less PointB: each row of Across is orthogonal to x.
type Loop struct {
	A, B           int
	PointA, PointB r3.Vec
	Across         []r3.Vec // There are 1 to 3.
}

// Chain is joints with loops, and which variables follow: as many as the loops have equations.
type Chain struct {
	Links, Variables int
	Joints           []robot.Joint
	Loops            []Loop
	Follow           []int
}

// MostFollow is the greatest number of variables that follow.
const MostFollow = 64

// tree is a chain that was checked: the variables in the order in which they are computed, those
// that follow first, then the drives, and the loops with their joints.
type tree struct {
	count   int   // Variables follow, as many as there are equations.
	columns []int // The variable of each column.
	loops   []loop
	measures
}

// prepare checks a chain.
func (c *Chain) prepare() (*tree, error) {
	if _, err := robot.New(&robot.Model{Links: c.Links, Variables: c.Variables, Joints: c.Joints}); err != nil {
		return nil, err
	}
	if len(c.Loops) == 0 {
		return nil, status.Errorf(status.ErrArgument, "loops is empty: a closed chain has one at least")
	}
	if n := len(c.Follow); n == 0 || n > MostFollow {
		return nil, status.Errorf(status.ErrArgument, "follow has %d variables: must have 1 to %d", n, MostFollow)
	}
	t := &tree{count: len(c.Follow)}
	column := make([]int, c.Variables)
	for i := range column {
		column[i] = -1
	}
	for i, v := range c.Follow {
		if v < 0 || v >= c.Variables {
			return nil, status.Errorf(status.ErrIndex, "follow[%d] is %d: must be one of %d variables", i, v,
				c.Variables)
		}
		if column[v] >= 0 {
			return nil, status.Errorf(status.ErrArgument, "follow[%d] is %d, as follow[%d]", i, v, column[v])
		}
		column[v] = i
		t.columns = append(t.columns, v)
	}
	used, equations := make([]bool, c.Variables), 0
	for i := range c.Loops {
		if err := c.Loops[i].check(i, c.Links); err != nil {
			return nil, err
		}
		equations += len(c.Loops[i].Across)
		a, b := c.ways(&c.Loops[i])
		if len(a)+len(b) == 0 {
			return nil, status.Errorf(status.ErrArgument, "loops[%d] joins link %d with itself", i, c.Loops[i].A)
		}
		for _, k := range append(a[:len(a):len(a)], b...) {
			j := &c.Joints[k]
			if j.Kind == robot.Fixed {
				continue
			}
			used[j.Variable] = true
			if column[j.Variable] >= 0 {
				continue
			}
			column[j.Variable] = len(t.columns)
			t.columns = append(t.columns, j.Variable)
		}
		t.loops = append(t.loops, c.newLoop(&c.Loops[i], a, b, column))
	}
	for i, v := range c.Follow {
		if !used[v] {
			return nil, status.Errorf(status.ErrArgument, "follow[%d] is %d: no joint of a loop has this variable", i,
				v)
		}
	}
	if equations != t.count {
		return nil, status.Errorf(status.ErrArgument,
			"loops have %d equations, and follow has %d variables: must be as many", equations, t.count)
	}
	t.measure()
	return t, c.steady(column)
}

// measures is how far a unit of the variable of each column turns and slides a joint at most, and
// the largest length of the loops where no joint slides.
type measures struct {
	turns, slides []float64
	size          float64
}

func (t *tree) measure() {
	t.turns, t.slides = make([]float64, len(t.columns)), make([]float64, len(t.columns))
	for i := range t.loops {
		l := &t.loops[i]
		t.size = max(t.size, geom.MaxAbs(l.PointA), geom.MaxAbs(l.PointB))
		for _, j := range append(l.a[:len(l.a):len(l.a)], l.b...) {
			t.size = max(t.size, geom.MaxAbs(j.position))
			switch j.kind {
			case robot.Revolute:
				t.turns[j.column] = max(t.turns[j.column], math.Abs(j.factor))
			case robot.Prismatic:
				t.slides[j.column] = max(t.slides[j.column], math.Abs(j.factor))
				t.size = max(t.size, math.Abs(j.offset))
			}
		}
	}
}

// steady reports a drive that errs: the joints that follow would err with it.
func (c *Chain) steady(column []int) error {
	for i := range c.Joints {
		j := &c.Joints[i]
		if j.Kind != robot.Fixed && column[j.Variable] >= len(c.Follow) && j.Error > 0 {
			return status.Errorf(status.ErrArgument,
				"joints[%d].error is %g: must be 0 of a joint that drives a loop: those that follow would err, too", i,
				j.Error)
		}
	}
	return nil
}

func (l *Loop) check(i, links int) error {
	if min(l.A, l.B) < 0 || max(l.A, l.B) >= links {
		return status.Errorf(status.ErrIndex, "loops[%d] joins the links %d and %d: must be two of %d", i, l.A, l.B,
			links)
	}
	if n := len(l.Across); n < 1 || n > 3 {
		return status.Errorf(status.ErrArgument, "loops[%d].rows is %d: must be 1 to 3", i, n)
	}
	for _, named := range []struct {
		name string
		v    r3.Vec
	}{{"point_a", l.PointA}, {"point_b", l.PointB}} {
		if !fine(named.v) {
			return status.Errorf(status.ErrNonFinite, "loops[%d].%s is %v: not finite or above 1e60 in magnitude", i,
				named.name, named.v)
		}
	}
	for k, v := range l.Across {
		if !fine(v) {
			return status.Errorf(status.ErrNonFinite,
				"loops[%d].across[%d] is %v: not finite or above 1e60 in magnitude", i, k, v)
		}
		if v == (r3.Vec{}) {
			return status.Errorf(status.ErrArgument, "loops[%d].across[%d] is 0: must be a direction", i, k)
		}
	}
	return nil
}

// fine reports whether a vector is finite and within robot.MaxMagnitude.
func fine(v r3.Vec) bool {
	return math.Abs(v.X) <= robot.MaxMagnitude && math.Abs(v.Y) <= robot.MaxMagnitude &&
		math.Abs(v.Z) <= robot.MaxMagnitude
}

// ways returns the joints from the lowest link above both links of a loop down to each.
func (c *Chain) ways(l *Loop) (a, b []int) {
	above := make([]int, c.Links)
	for i := range above {
		above[i] = -1
	}
	for i := range c.Joints {
		above[c.Joints[i].Child] = i
	}
	down := func(link int) (way []int) {
		for ; above[link] >= 0; link = c.Joints[above[link]].Parent {
			way = append([]int{above[link]}, way...)
		}
		return way
	}
	a, b = down(l.A), down(l.B)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return a, b
}

// turn is a joint of a loop.
type turn struct {
	kind           robot.JointKind
	column         int // The column of its variable.
	factor, offset float64
	rotation       geom.Mat // The rotation of the joint is within frameOff of it, or exactly it.
	exact          bool
	position, axis r3.Vec // The axis has length 1 within axisOff.
}

const (
	frameOff = 0x1p-46
	axisOff  = 0x1p-50
)

// loop is a Loop with its joints.
type loop struct {
	Loop
	a, b []turn
}

func (c *Chain) newLoop(l *Loop, a, b, column []int) loop {
	made := loop{Loop: *l}
	for side, way := range [2][]int{a, b} {
		for _, k := range way {
			j := &c.Joints[k]
			t := turn{kind: j.Kind, factor: j.Factor, offset: j.Offset, position: j.Position,
				rotation: nearestRotation(j.Rotation), exact: j.Rotation == identity}
			if j.Kind != robot.Fixed {
				t.column, t.axis = column[j.Variable], direction(j.Axis)
			}
			if side == 0 {
				made.a = append(made.a, t)
			} else {
				made.b = append(made.b, t)
			}
		}
	}
	return made
}

var identity = geom.Mat{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}

// direction is the direction of an axis, within 4u of its exact one in each coordinate: the square
// of the length errs by 3u, its root by 1.5u and a rounding, the quotient by one more.
func direction(v r3.Vec) r3.Vec {
	size := geom.MaxAbs(v)
	v = r3.Vec{X: v.X / size, Y: v.Y / size, Z: v.Z / size}
	length := math.Sqrt(float64(v.X*v.X) + float64(v.Y*v.Y) + float64(v.Z*v.Z))
	return r3.Vec{X: v.X / length, Y: v.Y / length, Z: v.Z / length}
}

// nearestRotation is the rotation nearest to a matrix that is within 1e-6 of it, by two steps of
// Newton and Schulz: X becomes X (3 - X^T X) / 2. If singular values are within d of 1, they are
// within 2 d^2 after a step: below 1e-23 after two. In exact arithmetic all X have the same nearest
// rotation. An entry of a step errs by less than 8u, so the matrix by less than 24u in the norm of
// Frobenius, and the nearest rotation moves by at most as much, but for a factor of 1 + 1e-5. Both
// steps together are off by less than 64u = 2^-47.
func nearestRotation(m geom.Mat) geom.Mat {
	for range 2 {
		columns := transposed(&m)
		var square [3][3]float64
		for i, a := range [3]r3.Vec{columns.X, columns.Y, columns.Z} {
			for k, b := range [3]r3.Vec{columns.X, columns.Y, columns.Z} {
				square[i][k] = -float64(geom.Dot(a, b) / 2)
				if i == k {
					square[i][k] += 1.5
				}
			}
		}
		s := geom.Mat{X: r3.Vec{X: square[0][0], Y: square[0][1], Z: square[0][2]},
			Y: r3.Vec{X: square[1][0], Y: square[1][1], Z: square[1][2]},
			Z: r3.Vec{X: square[2][0], Y: square[2][1], Z: square[2][2]}}
		m = geom.Mat{X: s.ApplyTransposed(m.X), Y: s.ApplyTransposed(m.Y), Z: s.ApplyTransposed(m.Z)}
	}
	return m
}

// tooFar reports control values with which a joint of a loop turns farther than num.MaxAngle.
func (t *tree) tooFar(control []float64, variables int) error {
	for _, l := range t.loops {
		for _, j := range append(l.a[:len(l.a):len(l.a)], l.b...) {
			if j.kind != robot.Revolute || j.column < t.count {
				continue
			}
			for i := t.columns[j.column]; i < len(control); i += variables {
				if !(math.Abs(float64(j.factor*control[i]))+math.Abs(j.offset) <= num.MaxAngle/2) {
					return status.Errorf(status.ErrArgument,
						"control: variable %d is %g: the joint turns farther than 2^39 radians", t.columns[j.column],
						control[i])
				}
			}
		}
	}
	return nil
}

func transposed(m *geom.Mat) geom.Mat {
	return geom.Mat{X: m.Apply(identity.X), Y: m.Apply(identity.Y), Z: m.Apply(identity.Z)}
}
