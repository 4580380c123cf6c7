package overlap

import (
	"math"

	"ccd/core/contain"
	"ccd/core/engine"
	"ccd/core/num"
	"ccd/core/status"
)

// DefaultTolerance is the relative width of the bracket of a common volume.
const DefaultTolerance = 1e-6

// LeastTolerance is the least one: brackets of doubles are about that wide.
const LeastTolerance = 1e-14

// Shells is a rule for solids with winding numbers other than 0 and 1: with parts that overlap, or
// are wound inwards.
type Shells int32

// The rules.
const (
	Refuse Shells = iota // they are an error
	Count                // A point counts as often as the product of its winding numbers says.
)

// Options of a volume.
type Options struct {
	Tolerance float64 // the relative width of the bracket; 0 stands for DefaultTolerance
	Shells    Shells
}

// Check returns an error for an option that is out of its range.
func (o *Options) Check() error {
	if !(o.Tolerance == 0 || o.Tolerance >= LeastTolerance && o.Tolerance <= 1) {
		return status.Errorf(status.ErrArgument, "tolerance is %v: must be 0, for %v, or in [%v, 1]",
			o.Tolerance, DefaultTolerance, LeastTolerance)
	}
	if o.Shells != Refuse && o.Shells != Count {
		return status.Errorf(status.ErrArgument, "shells is %d: must be 0 (refuse) or 1 (count)", o.Shells)
	}
	return nil
}

// Flags of a Common.
const (
	// Unfinished says that the bracket is wider than the tolerance.
	Unfinished int32 = 1 << iota
)

// Bracket is an interval that holds a number.
type Bracket struct{ Lo, Hi float64 }

// Common is the volume that two solids have in common, and their own; its layout is that of
// ccd_overlap: 56 bytes, no padding.
type Common struct {
	Volume      Bracket
	A, B        Bracket
	Containment contain.Relation
	Flags       int32
}

// Unknown is a Common that says nothing.
func Unknown() Common {
	all := Bracket{math.Inf(-1), math.Inf(1)}
	return Common{Volume: all, A: all, B: all, Flags: Unfinished}
}

// Measure returns the volume that two closed solids have in common. ab gives the points of A in the
// coordinates of B, ba those of B in the coordinates of A. volumeA and volumeB are their own
// volumes, from Volume.
//
// The volume is computed in doubles, with a bound on all errors, then in pairs of doubles, where
// the bound is too large; and where it may be 0, by separating planes, and in rational numbers.
//
// done maps the fraction of this volume that is computed to that of the call.
func Measure(c *engine.Call, a, b *contain.Solid, ab, ba *contain.Placement, volumeA, volumeB Bracket, o *Options,
	done func(fraction float64) float64) (r Common, err error) {
	r = Common{A: volumeA, B: volumeB}
	tolerance := o.Tolerance
	if tolerance == 0 {
		tolerance = DefaultTolerance
	}
	if o.Shells == Refuse {
		for i, v := range [2]Bracket{volumeA, volumeB} {
			if v.Hi < 0 {
				return r, status.Errorf(status.ErrArgument, "%c: its volume is %.6g: the faces are wound inwards; "+
					"reverse them, or count shells by their winding numbers", 'a'+i, v.Lo)
			}
		}
	}
	r.Containment, _, _ = contain.Between(a, b, ab, ba)
	if r.Containment == contain.Outside {
		return r, nil
	}
	var b0 box
	b0.lo, b0.hi = ab.Box(a)
	same := contain.Identity()
	l, h := same.Box(b)
	for k := range l {
		b0.lo[k], b0.hi[k] = max(b0.lo[k], l[k]), min(b0.hi[k], h[k])
		if !(b0.lo[k] < b0.hi[k]) {
			return r, nil
		}
	}
	m := measure{c: c, a: a, b: b, ab: ab, tolerance: tolerance, shells: o.Shells, done: done}
	common, some := m.shrunk(b0)
	fr, ok := frameOf(&common.lo, &common.hi)
	if !some || !ok {
		return r, nil
	}
	m.fr = &fr
	v, err := m.volume()
	if err != nil {
		return r, err
	}
	if o.Shells == Refuse {
		v.Lo = max(v.Lo, 0)
	}
	// A volume beyond the range of doubles is wider than in the frame.
	if r.Volume = scaledOut(v, fr.scale()); !narrow(r.Volume, tolerance) {
		r.Flags |= Unfinished
	}
	return r, nil
}

// Whole is done of a call that computes one volume.
func Whole(fraction float64) float64 { return fraction }

// narrow reports whether a bracket is within the relative tolerance.
func narrow(v Bracket, tolerance float64) bool {
	least := math.Max(v.Lo, -v.Hi)
	return v.Lo == v.Hi || least > 0 && num.SubUp(v.Hi, v.Lo) <= tolerance*least
}

// measure is the search for a volume.
type measure struct {
	c         *engine.Call
	a, b      *contain.Solid
	ab        *contain.Placement
	fr        *frame
	tolerance float64
	shells    Shells
	done      func(fraction float64) float64
}

// volume returns the common volume in units of the frame.
func (m *measure) volume() (Bracket, error) {
	one, err := stage(m, &singles, 0, 0.2)
	if err != nil || narrow(one.Bracket, m.tolerance) {
		return one.Bracket, err
	}
	two, err := stage(m, &doubles, 0.2, 0.7)
	if err != nil {
		return two.Bracket, err
	}
	v := Bracket{max(one.Lo, two.Lo), min(one.Hi, two.Hi)}
	known := m.ab.Err == 0 || m.ab.Exact != nil
	if narrow(v, m.tolerance) || !known {
		return v, nil
	}
	if v.Lo <= 0 && m.separated() {
		return Bracket{}, nil
	}
	if two.terms > exactTerms {
		return v, nil
	}
	exact, err := stage(m, &rationals, 0.7, 1)
	return exact.Bracket, err
}

// exactTerms is the most pairs of columns whose volumes are added as rational numbers: their
// numbers of digits grow with each.
const exactTerms = 4000

// found is what a stage returns.
type found struct {
	Bracket
	terms int
}

// stage computes the volume in one arithmetic: the part of the work between two fractions.
func stage[T number[T]](m *measure, ar *arithmetic[T], from, to float64) (f found, err error) {
	same := contain.Identity()
	threads := int(m.c.Stats.Threads)
	var of [2]*shadow[T]
	for i, one := range [2]struct {
		s  *contain.Solid
		at *contain.Placement
	}{{m.a, m.ab}, {m.b, &same}} {
		list := facets(ar, m.fr, one.s, one.at)
		if !m.c.Progress.GoOn() {
			return f, m.c.Progress.Err()
		}
		if of[i] = newShadow(list, threads); !m.c.Progress.GoOn() {
			return f, m.c.Progress.Err()
		}
	}
	a, b := of[0], of[1]
	if m.shells == Refuse && ar.unit > 0 {
		for i, s := range of {
			sum, err := excess(m.c, ar, m.fr, s, m.done(from+float64((to-from)*float64(i+1)/3)))
			if err != nil {
				return f, err
			}
			if v := bracket(ar, &sum); v.Lo > 0 {
				return f, m.overlapping(i, v)
			}
		}
	}
	sum, err := common(m.c, ar, m.fr, a.of, b, m.done(to))
	f.Bracket, f.terms = bracket(ar, &sum), sum.pairs
	return f, err
}

// overlapping is the error of solid i, whose winding number is neither 0 nor 1 in a part of the
// frame; v is at least twice its volume.
func (m *measure) overlapping(i int, v Bracket) error {
	v = scaledOut(v, m.fr.scale())
	return status.Errorf(status.ErrArgument, "%c: where both bodies' boxes overlap, parts of its surface overlap or "+
		"are wound inwards: winding numbers are neither 0 nor 1 (the integral of w^2 - w is %.6g); mend it, or count "+
		"shells by their winding numbers", 'a'+i, v.Lo)
}

// bracket returns the interval of an amount.
//
// A sum of n terms errs by n u of the sum of magnitudes, as terms counts the roundings that one of
// them may go through. The bounds themselves were added in doubles, of which 2^-20 takes care.
func bracket[T number[T]](ar *arithmetic[T], a *amount[T]) Bracket {
	x := a.six.over(ar.of(6))
	if ar.unit == 0 {
		return around(x)
	}
	off := a.off + float64(ar.unit*float64(a.terms+4)*a.size)
	off = float64(off*(1+0x1p-20)) + tiny
	rest := x.minus(ar.of(x.float())).float()
	off += float64(math.Abs(rest) * (1 + 0x1p-20))
	if !(off < math.Inf(1)) || math.IsNaN(x.float()) {
		return Bracket{math.Inf(-1), math.Inf(1)}
	}
	return Bracket{num.SubDown(x.float(), off), num.AddUp(x.float(), off)}
}

// around returns the doubles beside a rational number.
func around[T number[T]](x T) Bracket {
	f := x.float()
	r, ok := any(x).(rational)
	if !ok {
		return Bracket{num.Down(f), num.Up(f)}
	}
	switch s := r.minus(rationals.of(f)).sign(); {
	case s > 0:
		return Bracket{f, num.Up(f)}
	case s < 0:
		return Bracket{num.Down(f), f}
	}
	return Bracket{f, f}
}

// scaledOut multiplies a bracket with 2^e, outwards. A product below the doubles is at most half of
// the least of them off, so it is made greater only if it was rounded down.
func scaledOut(v Bracket, e int) Bracket {
	up := func(x float64) float64 {
		y := math.Ldexp(x, e)
		if math.IsInf(y, -1) && !math.IsInf(x, -1) {
			return -math.MaxFloat64
		}
		if math.Ldexp(y, -e) < x {
			y = num.Up(y)
		}
		return y
	}
	return Bracket{-up(-v.Lo), up(v.Hi)}
}

// Volume returns the volume of a closed solid: the integral of its winding number, which is
// negative where it is wound inwards.
//
// In the frame of its box, coordinates are from 0 to 1. The column below a triangle has the volume
// (n_z / 2)(z_0 + z_1 + z_2) / 3. With u the unit, coordinates err by u, differences by 3u, each of
// the products of n_z, whose magnitudes add up to m, by 8u m and by 4u of the sides, and the sum of
// heights by 9u: together less than 64u l for l the sum of magnitudes of both sides' components.
func Volume(s *contain.Solid) Bracket {
	v, _ := VolumeWhile(s, func() bool { return true })
	return v
}

// lookEvery is how many triangles are taken between two looks at goOn.
const lookEvery = 1024

// VolumeWhile is Volume; ok is false where goOn, which is called every few milliseconds, was false.
func VolumeWhile(s *contain.Solid, goOn func() bool) (v Bracket, ok bool) {
	same := contain.Identity()
	lo, hi := same.Box(s)
	fr, ok := frameOf(&lo, &hi)
	if !ok {
		return Bracket{}, true
	}
	var sum amount[double]
	ar := &doubles
	tri := s.Triangles()
	list := make([]amount[double], 0, len(tri))
	for i := range tri {
		if i%lookEvery == 0 && !goOn() {
			return Bracket{}, false
		}
		var c [3][3]double
		for k := range c {
			c[k], _ = local(ar, &fr, &contain.Point{At: tri[i][k]})
		}
		x, y := c[1][0].minus(c[0][0]), c[1][1].minus(c[0][1])
		v, w := c[2][0].minus(c[0][0]), c[2][1].minus(c[0][1])
		l := math.Abs(x.h) + math.Abs(y.h) + math.Abs(v.h) + math.Abs(w.h)
		six := x.times(w).minus(y.times(v)).times(c[0][2].plus(c[1][2]).plus(c[2][2]))
		list = append(list, amount[double]{six, float64(64*ar.unit*l) + tiny, math.Abs(six.h), 1, 0})
	}
	sum = total(list)
	return scaledOut(bracket(ar, &sum), fr.scale()), goOn()
}
