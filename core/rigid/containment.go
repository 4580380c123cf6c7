package rigid

import (
	"fmt"
	"math"
	"math/big"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	common "ccd/core/overlap"
	"ccd/core/rigid/poses"
	"ccd/core/rigid/skin"
	"ccd/core/status"
)

// Relation says how two bodies lie to each other: see contain.Relation.
type Relation = contain.Relation

// The relations.
const (
	NotDecided  = contain.Undecided
	Outside     = contain.Outside
	Inside      = contain.Inside
	Contains    = contain.Contains
	Overlapping = contain.Overlapping
	Crossing    = contain.Crossing
)

// enclosing is what a body encloses, its features and its hull, each made at the first call that
// needs it.
type enclosing struct {
	solid   atomic.Pointer[contain.Solid] // nil until it is made
	skinned sync.Once
	skin    *skin.Skin
	hull    bulging
	shape   convexity

	volume atomic.Pointer[common.Bracket] // nil until it is known
}

// solid returns the body's surface as one that encloses space; it need not be closed.
func (b *Body) solid() *contain.Solid { return b.solidWhile(func() bool { return true }) }

// solidWhile is solid, or nil where goOn returns false; a later call begins anew.
func (b *Body) solidWhile(goOn func() bool) *contain.Solid {
	e := &b.enclosing
	if s := e.solid.Load(); s != nil {
		return s
	}
	// Without a lock: goOn may be the caller's, and ask for the same body. Two solids of a body are
	// equal; the first that is made is kept.
	if s := contain.NewWhile(b.tri, new(engine.CallOptions).Workers(), goOn); s != nil {
		e.solid.CompareAndSwap(nil, s)
	}
	return e.solid.Load()
}

// closedSolid returns the body's surface, without the radius of the body, or why it is not closed,
// or that the call was cancelled; the error begins with name.
func (b *Body) closedSolid(name string, c *engine.Call) (*contain.Solid, error) {
	s := b.solidWhile(c.Progress.GoOn)
	if s == nil {
		return nil, c.Progress.Err()
	}
	if err := s.Closed(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// closedSolids returns the surfaces of both bodies, without their radii.
func closedSolids(a, b *Body, c *engine.Call) (sa, sb *contain.Solid, err error) {
	if sa, err = a.closedSolid("a", c); err == nil {
		sb, err = b.closedSolid("b", c)
	}
	return sa, sb, err
}

// thick returns what the body's surface s encloses, with the radius of the body.
func (b *Body) thick(s *contain.Solid) common.Thick {
	g := &b.grown
	return common.Thick{Solid: s, Inner: g.inner, Outer: g.outer, Convex: b.Convexity().Convex}
}

// Containment writes how the bodies a and b lie to each other at the time t when they move by ma[i]
// and mb[i]: the first relation of contain.Between. Both surfaces must be closed.
//
// The relation is that of the poses in real arithmetic. It is exact where t = 0 or the bodies do
// not turn, as coordinates then are rational functions of the doubles given. Else they are known to
// rounding, and bodies that nearly touch may be contain.Undecided.
//
// A body that is more than its triangles is what they enclose and all points within its radius:
// thickPair has its relations.
//
// Bodies whose motion is Separate have one relation for all t in [TMin, TMax].
func Containment(a, b *Body, ma, mb []Motion, t float64, out []Relation, o *engine.CallOptions) error {
	if err := checkTime(t); err != nil {
		return err
	}
	for i := range ma {
		for k, m := range [2]*Motion{&ma[i], &mb[i]} {
			if err := m.Check(t, t); err != nil {
				return fmt.Errorf("m%c[%d].%w", 'a'+k, i, err)
			}
		}
	}
	var call engine.Call
	if err := call.Begin(o); err != nil {
		return err
	}
	sa, sb, err := closedSolids(a, b, &call)
	if err != nil {
		return call.End(err)
	}
	more := a.grown.outer > 0 || b.grown.outer > 0
	var ka, kb common.Thick
	if more {
		ka, kb = a.thick(sa), b.thick(sb)
	}
	tasks := engine.NewTasks(0, len(ma))
	call.Progress.Part(int64(len(ma)), 1)
	err = call.Run(len(ma), func(int) {
		pair := thickPair{a: a, b: b, ka: ka, kb: kb}
		for i := range tasks.All() {
			ab, ba := seenFrom(&mb[i], &ma[i], t), seenFrom(&ma[i], &mb[i], t)
			pab, pba := ab.placement(sa.Far()), ba.placement(sb.Far())
			if out[i], _, _ = contain.Between(sa, sb, &pab, &pba); more {
				out[i] = pair.relation(out[i], &ma[i], &mb[i], t)
			}
			if !call.Progress.Pass(1) {
				tasks.Stop()
			}
		}
	})
	return call.End(err)
}

// Winding writes the winding number of a body, at the time t of its motion, around points in the
// world: contain.OnSurface for those on its surface, which must be closed, and
// contain.UnknownWinding as in Containment. points has three coordinates for each item of out. Of a
// body that is more than its triangles it is 1 inside and 0 outside; what is nearer to its border
// than rounding and its deviation tell is contain.UnknownWinding.
func Winding(b *Body, m *Motion, t float64, points []float64, out []int32, o *engine.CallOptions) error {
	if err := checkTime(t); err != nil {
		return err
	}
	if err := m.Check(t, t); err != nil {
		return fmt.Errorf("motion.%w", err)
	}
	if len(points) != 3*len(out) {
		return status.Errorf(status.ErrArgument, "points has %d coordinates for %d results", len(points), len(out))
	}
	for i, x := range points {
		if !(math.Abs(x) <= MaxMagnitude) {
			return fmt.Errorf("points[%d][%d] is %v: %w", i/3, i%3, x, poses.ErrMagnitude)
		}
	}
	world := Motion{Rotation: quat.Number{Real: 1}}
	frame := seenFrom(m, &world, t)
	var call engine.Call
	if err := call.Begin(o); err != nil {
		return err
	}
	s, err := b.closedSolid("body", &call)
	if err != nil {
		return call.End(err)
	}
	at := func(i int) contain.Point { return frame.point((*geom.Vec)(points[3*i:])) }
	if b.grown.outer > 0 {
		k := b.thick(s)
		return call.End(k.Windings(&call, out, func(i int) contain.Point { return known(at(i)) }))
	}
	return call.End(s.Windings(&call, out, at))
}

// checkTime checks a time at which bodies are looked at.
func checkTime(t float64) error {
	if !(math.Abs(t) <= MaxMagnitude) {
		return fmt.Errorf("t is %v: %w", t, poses.ErrMagnitude)
	}
	return nil
}

// seen gives the points of one body in the coordinates of another: v is at M v + T, for entries of
// M and T that are off by at most row and shift, row in sum over each row. exact is nil where M and
// T have no error, and where they are not rational.
type seen struct {
	m          [3]geom.Vec
	t          geom.Vec
	row, shift float64
	exact      func(v *geom.Vec) *contain.Rational
}

// seenFrom returns the body that moves by m as the one that moves by from sees it at the time t:
// from's pose inverted, after m's.
func seenFrom(from, m *Motion, t float64) seen {
	if *from == *m {
		return seen{m: contain.Identity().M}
	}
	a, b := m.Around(t), from.Around(t)
	pa, pb := a.Over(num.Point(0)), b.Over(num.Point(0))
	inverse := pb.R.Transposed()
	way := pa.Position(r3.Vec{})
	for k := range way {
		way[k] = way[k].Sub(pb.X[k])
	}
	shift := inverse.Apply(way)
	var s seen
	for i := range 3 {
		s.t[i] = s.middle(shift[i].Add(num.Point(geom.Components(from.Pivot)[i])), &s.shift)
		sum := 0.0
		for j := range 3 {
			entry := inverse[i][0].Mul(pa.R[0][j]).Add(inverse[i][1].Mul(pa.R[1][j])).Add(inverse[i][2].Mul(pa.R[2][j]))
			off := 0.0
			s.m[i][j] = s.middle(entry, &off)
			sum = num.AddUp(sum, off)
		}
		s.row = max(s.row, sum)
	}
	if (t == 0 || m.AngularVelocity == r3.Vec{}) && (t == 0 || from.AngularVelocity == r3.Vec{}) {
		once := sync.OnceValue(func() rationalFrame { return rationalFrom(from, m, t) })
		s.exact = func(v *geom.Vec) *contain.Rational {
			f := once()
			return f.at(v)
		}
	}
	return s
}

// middle returns a double in an interval, and raises off to the distance of its farther end.
func (*seen) middle(i num.Interval, off *float64) float64 {
	x := float64(i.Lo/2) + float64(i.Hi/2)
	*off = max(*off, num.SubUp(i.Hi, x), num.SubUp(x, i.Lo))
	return x
}

// err bounds the error of M v + T, computed as contain does, for a v whose coordinates are at most
// far in magnitude. M's entries are at most 1 and their errors: a product rounds by u of far, the
// sums of three products and T by 3u of at most 3 far + |T|. 2^-49 is 16u.
func (s *seen) err(far float64) float64 {
	if s.row == 0 && s.shift == 0 {
		return 0
	}
	size := far + max(math.Abs(s.t[0]), math.Abs(s.t[1]), math.Abs(s.t[2]))
	return float64((float64(s.row*far)+s.shift+float64(0x1p-49*size))*(1+0x1p-40)) + 0x1p-1000
}

// placement is for a solid with these greatest coordinates.
func (s *seen) placement(far float64) contain.Placement {
	return contain.Placement{M: s.m, T: s.t, Err: s.err(far), Exact: s.exact}
}

// point is where a single point is.
func (s *seen) point(v *geom.Vec) contain.Point {
	p := contain.Point{Err: s.err(max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2])))}
	for k := range p.At {
		p.At[k] = geom.Dot3(&s.m[k], v) + s.t[k]
	}
	if s.exact != nil {
		p.Exact = func() *contain.Rational { return s.exact(v) }
	}
	return p
}

// rationalFrame is M and T in rational numbers.
type rationalFrame struct {
	m [3]contain.Rational
	t contain.Rational
}

func (f *rationalFrame) at(v *geom.Vec) *contain.Rational {
	var out contain.Rational
	for k := range out {
		out[k] = new(big.Rat).Set(f.t[k])
		for l, x := range v {
			y := new(big.Rat).SetFloat64(x)
			out[k].Add(out[k], y.Mul(y, f.m[k][l]))
		}
	}
	return &out
}

// rationalFrom is seenFrom in rational numbers, for bodies that have not turned since t = 0.
func rationalFrom(from, m *Motion, t float64) (f rationalFrame) {
	ra, rb := rationalRotation(m.Rotation), rationalRotation(from.Rotation)
	xa, xb := rationalPosition(m, t), rationalPosition(from, t)
	pivotA, pivotB := rationalOf(m.Pivot), rationalOf(from.Pivot)
	var way contain.Rational // the origin of the body as the world sees it, less the place of from's pivot
	for k := range way {
		way[k] = new(big.Rat).Sub(xa[k], xb[k])
		for l := range 3 {
			way[k].Sub(way[k], new(big.Rat).Mul(ra[k][l], pivotA[l]))
		}
	}
	for i := range 3 {
		f.t[i] = pivotB[i]
		for k := range 3 {
			f.t[i].Add(f.t[i], new(big.Rat).Mul(rb[k][i], way[k]))
		}
		for j := range 3 {
			f.m[i][j] = new(big.Rat)
			for k := range 3 {
				f.m[i][j].Add(f.m[i][j], new(big.Rat).Mul(rb[k][i], ra[k][j]))
			}
		}
	}
	return f
}

func rationalOf(v r3.Vec) (out contain.Rational) {
	for k, x := range geom.Components(v) {
		out[k] = new(big.Rat).SetFloat64(x)
	}
	return out
}

// rationalPosition is where the pivot is at the time t.
func rationalPosition(m *Motion, t float64) contain.Rational {
	x, v := rationalOf(m.Position), rationalOf(m.Velocity)
	at := new(big.Rat).SetFloat64(t)
	for k := range x {
		x[k].Add(x[k], v[k].Mul(v[k], at))
	}
	return x
}

// rationalRotation is the matrix of q/|q|: products of q's components over |q|^2.
func rationalRotation(q quat.Number) (m [3]contain.Rational) {
	c := [4]*big.Rat{}
	for k, x := range [4]float64{q.Real, q.Imag, q.Jmag, q.Kmag} {
		c[k] = new(big.Rat).SetFloat64(x)
	}
	times := func(s int64, i, j int) *big.Rat {
		x := new(big.Rat).Mul(c[i], c[j])
		return x.Mul(x, big.NewRat(s, 1))
	}
	sum := func(x ...*big.Rat) *big.Rat {
		all := new(big.Rat)
		for _, y := range x {
			all.Add(all, y)
		}
		return all
	}
	inverse := sum(times(1, 0, 0), times(1, 1, 1), times(1, 2, 2), times(1, 3, 3))
	inverse.Inv(inverse)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		m[i][i] = sum(times(1, 0, 0), times(1, i+1, i+1), times(-1, j+1, j+1), times(-1, k+1, k+1))
		m[i][j] = sum(times(2, i+1, j+1), times(-2, 0, k+1))
		m[i][k] = sum(times(2, i+1, k+1), times(2, 0, j+1))
		for l := range 3 {
			m[i][l].Mul(m[i][l], inverse)
		}
	}
	return m
}
