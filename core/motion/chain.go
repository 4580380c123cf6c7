package motion

import (
	"fmt"
	"math"

	"ccd/core/num"
	"ccd/core/status"
)

// JointKind is the way in which a joint moves its link.
type JointKind int32

// The kinds of joints.
const (
	Fixed     JointKind = iota
	Revolute            // turns about its axis, by Value0 at t = 0 and Value1 at t = 1, in radians
	Prismatic           // slides along its axis, by Value0 at t = 0 and Value1 at t = 1
)

// Joint connects a link to its parent. A point p of the link's space is, in the parent's space, at
// Position + R(Rotation) J(t) p: J turns about the axis through the link's origin, or slides along
// it. The joint's value is Value0 + t (Value1 - Value0).
type Joint struct {
	Kind           JointKind
	Parent         int32      // the joint whose link is the parent, below this joint's own index; -1 for the base
	Rotation       [4]float64 // w, x, y, z; not 0
	Position       [3]float64
	Axis           [3]float64 // the axis in the link's space; 0 is allowed for Fixed alone
	Value0, Value1 float64
}

func (j *Joint) check(i int) error {
	name := fmt.Sprintf("joints[%d]", i)
	switch {
	case j.Kind < Fixed || j.Kind > Prismatic:
		return fmt.Errorf("%s.kind is %d: must be 0 to 2", name, j.Kind)
	case j.Parent < -1 || int(j.Parent) >= i:
		return fmt.Errorf("%s.parent is %d: must be -1, or the index of a joint before it: %w",
			name, j.Parent, status.ErrIndex)
	case j.Rotation == [4]float64{}:
		return fmt.Errorf("%s.rotation is 0: no rotation", name)
	case j.Kind != Fixed && j.Axis == [3]float64{}:
		return fmt.Errorf("%s.axis is 0: no direction", name)
	}
	for _, f := range []struct {
		field string
		x     []float64
	}{{"rotation", j.Rotation[:]}, {"position", j.Position[:]}, {"axis", j.Axis[:]}} {
		for k, x := range f.x {
			if !(math.Abs(x) <= maxMagnitude) {
				return fmt.Errorf("%s.%s[%d] is %v: %w", name, f.field, k, x, errBeyond)
			}
		}
	}
	most := maxMagnitude
	if j.Kind == Revolute {
		most = num.MaxAngle / 4
	}
	if !(math.Abs(j.Value0) <= most) || !(math.Abs(j.Value1) <= most) {
		return fmt.Errorf("%s.value0, value1 are %v, %v: at most %v in magnitude", name, j.Value0, j.Value1, most)
	}
	return nil
}

// Chain returns the motion of n points on the links of a tree of joints, such as a robot's: x are
// the points, each in the space of its link, links[i] is the joint of point i's link, -1 for the
// base, which rests. degree is as in Rigid; pieces is 0 for one a radian of the joints' turns
// together.
func Chain(n int, x []float64, links []int32, joints []Joint, degree, pieces int) (*Motion, error) {
	if err := checkPoints("x", x, n); err != nil {
		return nil, err
	}
	for i, c := range x {
		if math.Abs(c) > maxMagnitude {
			return nil, fmt.Errorf("x[%d][%d] is %v: %w", i/3, i%3, c, errBeyond)
		}
	}
	if len(links) != n {
		return nil, fmt.Errorf("links has %d entries: %d points take as many", len(links), n)
	}
	for i, l := range links {
		if l < -1 || int(l) >= len(joints) {
			return nil, fmt.Errorf("links[%d] is %d: must be -1 or the index of one of %d joints: %w",
				i, l, len(joints), status.ErrIndex)
		}
	}
	c := &chain{x: append([]float64(nil), x...), links: append([]int32(nil), links...)}
	turn := 0.0
	for i := range joints {
		if err := joints[i].check(i); err != nil {
			return nil, err
		}
		c.joints = append(c.joints, newLink(&joints[i]))
		l := &c.joints[i]
		if l.parent >= 0 {
			l.turn = c.joints[l.parent].turn
		}
		if l.kind == Revolute {
			l.turn = num.AddUp(l.turn, l.rate.Mag())
		}
		turn = max(turn, l.turn)
	}
	return fromCurve(n, degree, pieces, turn,
		&source{curve: c, x: c.x, links: c.links, bodies: len(joints), pivots: make([][3]float64, len(joints))})
}

// chain is the curve of a tree of joints.
type chain struct {
	x      []float64
	links  []int32
	joints []link
}

// link is a joint in intervals.
type link struct {
	kind     JointKind
	parent   int32
	place    matrix
	position vector
	axis     vector
	from, to float64
	rate     num.Interval // Value1 - Value0
	turn     float64      // bounds the sum of |rate| of the revolute joints from the base to this one
}

func newLink(j *Joint) link {
	l := link{kind: j.Kind, parent: j.Parent, place: rotation(j.Rotation), position: point(j.Position), from: j.Value0,
		to: j.Value1}
	l.axis, _ = direction(j.Axis)
	l.rate = num.Point(j.Value1).Sub(num.Point(j.Value0))
	return l
}

// value encloses the joint's value at t.
func (l *link) value(t float64) num.Interval {
	switch t {
	case 0:
		return num.Point(l.from)
	case 1:
		return num.Point(l.to)
	}
	return num.Point(l.from).Add(l.rate.Mul(num.Point(t)))
}

// frame carries the unit vectors of the link's space and its origin from the link to the base. With
// x = exp(q [u]x) y, w = q' u and T the turn: x' = T y' + w x x and x” = T y” + w x T y' + w x x',
// for w is constant.
func (c *chain) frame(b int, t float64, f []frame) {
	for k := range 4 {
		d := [3]vector{}
		if k < 3 {
			d[0][k] = num.Point(1)
		}
		c.carry(b, t, d[:len(f)], k == 3)
		for order := range f {
			if k < 3 {
				f[order].column[k] = d[order]
			} else {
				f[order].origin = d[order]
			}
		}
	}
}

// carry replaces a vector of a link's space, at rest there, by the vector in the space of the base
// at t, and its derivatives. A point is moved with the spaces; a direction only turns with them.
func (c *chain) carry(b int, t float64, d []vector, point bool) {
	x, v, a := d[0], vector{}, vector{}
	for j := int32(b); j >= 0; j = c.joints[j].parent {
		l := &c.joints[j]
		switch {
		case l.kind == Revolute:
			q := l.value(t)
			x, v = turned(x, l.axis, q), turned(v, l.axis, q)
			before := v
			v = v.plus(l.axis.cross(x).times(l.rate))
			if len(d) > 2 {
				a = turned(a, l.axis, q).plus(l.axis.cross(before.plus(v)).times(l.rate))
			}
		case l.kind == Prismatic && point:
			x, v = x.plus(l.axis.times(l.value(t))), v.plus(l.axis.times(l.rate))
		}
		x, v = l.place.apply(x), l.place.apply(v)
		if point {
			x = l.position.plus(x)
		}
		if len(d) > 2 {
			a = l.place.apply(a)
		}
	}
	copy(d, []vector{x, v, a})
}

// bound adds up the bounds of the terms of the path. It is the sum over the links of a constant
// vector a, turned by all joints from the base to the link: its derivative of order n is at most
// W^n |a|, W the sum of their rates, for each of n derivatives falls on one of the turns. A
// prismatic joint adds a vector of length |q| along its axis, with the constant derivative q': W^n
// |q| + n W^(n-1) |q'|.
func (c *chain) bound(i, order int) (f float64) {
	add := func(turn, a, rate float64) {
		w2 := num.MulUp(turn, turn)
		power := w2 // W^(n-2)
		if order == 6 {
			power = num.MulUp(w2, w2)
		}
		f = num.AddUp(f, num.MulUp(num.MulUp(power, w2), a))
		f = num.AddUp(f, num.MulUp(num.MulUp(num.MulUp(power, turn), rate), float64(order)))
	}
	a := pointAt(c.x, i) // the point in the space of link j
	for j := c.links[i]; j >= 0; j = c.joints[j].parent {
		l := &c.joints[j]
		add(l.turn, a.norm().Hi, 0)
		if l.kind == Prismatic {
			add(l.turn, max(math.Abs(l.from), math.Abs(l.to)), l.rate.Mag())
		}
		a = l.position
	}
	return f
}
