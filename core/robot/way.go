package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// way is the path of joints from a frame, the link B, to a link A, by its last step: the joint that
// leads from the link of the way `from` to A. The ways of a robot are a list in which `from` comes
// first. The way of a link to itself has no joint.
type way struct {
	frame, link int
	from        int32
	joint       int32 // -1 for the way of a link to itself
	up          bool  // Whether it goes from the joint's child to its parent.
}

// ways makes the ways that are asked for, each once.
type ways struct {
	list   []way
	found  map[[2]int]int32
	joints []joint
	parent []int32 // joint above each link, -1 for the root
}

func (w *ways) depth(link int) (n int) {
	for ; w.parent[link] >= 0; n++ {
		link = w.joints[w.parent[link]].Parent
	}
	return n
}

// to returns the way from a frame to a link.
func (w *ways) to(frame, link int) int32 {
	if i, ok := w.found[[2]int{frame, link}]; ok {
		return i
	}
	made := way{frame: frame, link: link, joint: -1, from: -1}
	if frame != link {
		if below := w.below(frame, link); below >= 0 {
			made.joint, made.up = w.parent[below], true
			made.from = w.to(frame, below)
		} else {
			made.joint = w.parent[link]
			made.from = w.to(frame, w.joints[made.joint].Parent)
		}
	}
	i := int32(len(w.list))
	w.list = append(w.list, made)
	w.found[[2]int{frame, link}] = i
	return i
}

// below returns the child of link that is on the way up from frame, -1 if frame is not below link.
func (w *ways) below(frame, link int) int {
	for x := frame; w.parent[x] >= 0; {
		j := w.joints[w.parent[x]].Parent
		if j == link {
			return x
		}
		x = j
	}
	return -1
}

// joint is a Joint with what is computed once.
type joint struct {
	Joint
	axis   r3.Vec // Its length is 1; it is within 3u of its direction.
	drift  float64
	length float64 // A bound on that of Position.
}

func newJoint(j *Joint) joint {
	out := joint{Joint: *j, drift: drift(&j.Rotation), length: lengthUp(j.Position)}
	if j.Kind != Fixed {
		// Scaling by a power of two is exact but for components that are too small to matter.
		_, e := math.Frexp(geom.MaxAbs(j.Axis))
		a := r3.Vec{X: math.Ldexp(j.Axis.X, -e), Y: math.Ldexp(j.Axis.Y, -e), Z: math.Ldexp(j.Axis.Z, -e)}
		n := geom.Norm(a)
		out.axis = r3.Vec{X: a.X / n, Y: a.Y / n, Z: a.Z / n}
	}
	return out
}

// lengthUp returns a bound on the length of v, whose coordinates are at most MaxMagnitude.
func lengthUp(v r3.Vec) float64 { return float64(geom.Norm(v)*(1+16*unit)) + 1e-150 }

// state is the pose of a link A in a frame B at one time, its angular velocity, the velocity of its
// origin, and their derivatives, all in B's coordinates.
type state struct {
	r             geom.Mat
	t, w, v, l, a r3.Vec
}

// move adds an offset d that turns with the frame so far.
func (s *state) move(d r3.Vec) {
	wd := geom.Cross(s.w, d)
	s.t = r3.Add(s.t, d)
	s.v = r3.Add(s.v, wd)
	s.a = r3.Add(s.a, r3.Add(geom.Cross(s.l, d), geom.Cross(s.w, wd)))
}

// drive is what a joint does at one time: its value, with the sine and cosine of an angle, and the
// first two derivatives.
type drive struct{ value, rate, second, sin, cos float64 }

// turn turns the frame about an axis of it.
func (s *state) turn(axis r3.Vec, d *drive) {
	e := s.r.Apply(axis)
	u := geom.Scale(d.rate, e)
	s.l = r3.Add(s.l, geom.Cross(s.w, u))
	s.w = r3.Add(s.w, u)
	if d.second != 0 {
		s.l = r3.Add(s.l, geom.Scale(d.second, e))
	}
	t := turning(axis, d.sin, d.cos)
	s.r = product(&s.r, &t)
}

// slide moves the frame along an axis of it.
func (s *state) slide(axis r3.Vec, d *drive) {
	e := s.r.Apply(axis)
	s.move(geom.Scale(d.value, e))
	u := geom.Scale(d.rate, e)
	s.v = r3.Add(s.v, u)
	s.a = r3.Add(s.a, geom.Scale(2, geom.Cross(s.w, u)))
	if d.second != 0 {
		s.a = r3.Add(s.a, geom.Scale(d.second, e))
	}
}

// after returns the state beyond a joint.
func (s *state) after(j *joint, up bool, d drive) state {
	out := *s
	if !up {
		out.move(s.r.Apply(j.Position))
		out.r = product(&out.r, &j.Rotation)
		switch j.Kind {
		case Revolute:
			out.turn(j.axis, &d)
		case Prismatic:
			out.slide(j.axis, &d)
		}
		return out
	}
	d.value, d.rate, d.second, d.sin = -d.value, -d.rate, -d.second, -d.sin
	switch j.Kind {
	case Revolute:
		out.turn(j.axis, &d)
	case Prismatic:
		out.slide(j.axis, &d)
	}
	back := transposed(&j.Rotation)
	out.r = product(&out.r, &back)
	out.move(geom.Scale(-1, out.r.Apply(j.Position)))
	return out
}

// at returns the place, velocity and acceleration of the point y of the link.
func (s *state) at(y r3.Vec) (x, v, a r3.Vec) {
	ry := s.r.Apply(y)
	wy := geom.Cross(s.w, ry)
	return r3.Add(s.t, ry), r3.Add(s.v, wy), r3.Add(s.a, r3.Add(geom.Cross(s.l, ry), geom.Cross(s.w, wy)))
}

// place returns the place of the point y of the link.
func (s *state) place(y r3.Vec) r3.Vec { return r3.Add(s.t, s.r.Apply(y)) }

// turning returns the rotation about a unit axis.
func turning(u r3.Vec, sin, cos float64) geom.Mat {
	d := 1 - cos
	xx, yy, zz := float64(u.X*u.X)*d, float64(u.Y*u.Y)*d, float64(u.Z*u.Z)*d
	xy, xz, yz := float64(float64(u.X*u.Y)*d), float64(float64(u.X*u.Z)*d), float64(float64(u.Y*u.Z)*d)
	sx, sy, sz := float64(u.X*sin), float64(u.Y*sin), float64(u.Z*sin)
	return geom.Mat{
		X: r3.Vec{X: cos + float64(xx), Y: xy - sz, Z: xz + sy},
		Y: r3.Vec{X: xy + sz, Y: cos + float64(yy), Z: yz - sx},
		Z: r3.Vec{X: xz - sy, Y: yz + sx, Z: cos + float64(zz)},
	}
}

func transposed(m *geom.Mat) geom.Mat {
	return geom.Mat{
		X: r3.Vec{X: m.X.X, Y: m.Y.X, Z: m.Z.X},
		Y: r3.Vec{X: m.X.Y, Y: m.Y.Y, Z: m.Z.Y},
		Z: r3.Vec{X: m.X.Z, Y: m.Y.Z, Z: m.Z.Z},
	}
}

func product(a, b *geom.Mat) geom.Mat {
	return geom.Mat{X: b.ApplyTransposed(a.X), Y: b.ApplyTransposed(a.Y), Z: b.ApplyTransposed(a.Z)}
}

// kinematics has the states of the ways at one time, each computed when it is first asked for.
type kinematics struct {
	ways   *ways
	curve  curve
	now    int64
	state  []state
	stamp  []int64
	sin    []float64
	cos    []float64
	turned []int64
	count  int64 // states computed
}

func newKinematics(w *ways, variables int) kinematics {
	n, j := len(w.list), len(w.joints)
	return kinematics{ways: w, curve: newCurve(variables), now: 1, state: make([]state, n), stamp: make([]int64, n),
		sin: make([]float64, j), cos: make([]float64, j), turned: make([]int64, j)}
}

// at sets the time.
func (k *kinematics) at(s float64) {
	k.now++
	k.curve.at(s)
}

// get returns the state of a way at the time.
func (k *kinematics) get(i int32) *state {
	s := &k.state[i]
	if k.stamp[i] == k.now {
		return s
	}
	k.stamp[i] = k.now
	k.count++
	w := &k.ways.list[i]
	if w.joint < 0 {
		*s = state{r: geom.Mat{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}}
		return s
	}
	j := &k.ways.joints[w.joint]
	before := k.get(w.from)
	if j.Kind == Fixed {
		*s = before.after(j, w.up, drive{cos: 1})
		return s
	}
	d := drive{value: float64(j.Factor*k.curve.q[j.Variable]) + j.Offset,
		rate: float64(j.Factor * k.curve.rate[j.Variable]), second: float64(j.Factor * k.curve.second[j.Variable])}
	if j.Kind == Revolute {
		if k.turned[w.joint] != k.now {
			k.turned[w.joint] = k.now
			k.sin[w.joint], k.cos[w.joint] = num.Sincos(d.value, 0)
		}
		d.sin, d.cos = k.sin[w.joint], k.cos[w.joint]
	}
	*s = before.after(j, w.up, d)
	return s
}
