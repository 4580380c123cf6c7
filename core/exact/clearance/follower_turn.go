package clearance

import (
	"math"
	"math/bits"

	"ccd/core/num"
)

// This file has the parts of time in which a polynomial turns: which they are, and where its root
// is.
//
// Let all features of a part but those that certainly exclude themselves be of two sorts:
//
//   - some turn: the region > 0 throughout, and the signs of near change once;
//   - the others are rivals: the signs of one of their polynomials change once, and where it has
//     one of these signs it excludes the feature: near where it is > 0, another where it is < 0.
//
// If near of the features that turn goes from + to -, let y be past the first of their roots, and
// not past one of another. If all rivals are excluded at y, they are so before y, for their signs
// change once. So up to y the nearest point is in one of the features that turn, and contact is
// where one of them has near <= 0: from the first root on, to the end of the part, because the foot
// of that feature is a point of the polygon. If near goes from - to +, the same holds backwards:
// the pair is in contact up to the last root, and apart after it if all rivals are excluded just
// before it.

// A turner is a polynomial of a feature whose signs change once on a part of time.
type turner struct {
	feature int8
	poly    int8
	before  int8    // its sign before the root
	guess   float64 // about the root, from 0 to 1
}

// addTurn adds a feature that turns.
func (f *Follower) addTurn(x *piece, i uint64, depth int) {
	poly := bits.TrailingZeros8(x.left)
	c := x.c[poly]
	t := turner{feature: x.feature, poly: int8(poly), before: 1}
	if c[0].Hi < 0 {
		t.before = -1
	}
	t.guess = math.Ldexp(float64(i)+rootOf(c), -depth)
	f.turns = append(f.turns, t)
}

// together reports whether all pieces of a part turn or are rivals, and takes them.
func (f *Follower) together(list []piece, i uint64, depth int) bool {
	if len(list) > 1 && (f.alone || f.touching || f.flat >= 0) {
		return false
	}
	f.turns = f.turns[:0]
	for before := int8(1); before >= -1 && len(f.turns) == 0; before -= 2 {
		if !f.rivalry(list, before, depth) {
			continue
		}
		for j := range list {
			if x := &list[j]; f.turnsFrom(x, before, depth) {
				f.addTurn(x, i, depth)
			}
		}
	}
	return len(f.turns) > 0
}

// turnsFrom reports whether a piece turns, from a sign of near.
func (f *Follower) turnsFrom(x *piece, before int8, depth int) bool {
	return x.left == 1 && x.c[0][0].Hi > 0 == (before > 0) &&
		onceIn(x.c[0], f.all[x.feature].poly[0].margin(depth))
}

// rivalry lists the rivals of those pieces that turn from a sign of near. It reports whether the
// others are all rivals.
func (f *Follower) rivalry(list []piece, before int8, depth int) bool {
	f.rivals = f.rivals[:0]
	for j := range list {
		x := &list[j]
		if f.turnsFrom(x, before, depth) {
			continue
		}
		n := len(f.rivals)
		for p := range f.all[x.feature].n {
			// The sign of the polynomial before its root, if it excludes the feature on this side.
			sign := before
			if p > 0 {
				sign = -before
			}
			if x.left>>p&1 != 0 && x.c[p][0].Hi > 0 == (sign > 0) &&
				onceIn(x.c[p], f.all[x.feature].poly[p].margin(depth)) {
				f.rivals = append(f.rivals, turner{feature: x.feature, poly: int8(p), before: sign})
				break
			}
		}
		if len(f.rivals) == n {
			return false
		}
	}
	return true
}

// excluded reports whether all rivals certainly exclude themselves at a time: the sign of their
// polynomials there is that before the root, or after it where near turns from - to +.
func (f *Follower) excluded(t float64) bool {
	for i := range f.rivals {
		x := &f.rivals[i]
		sign := int(x.before)
		if f.turns[0].before < 0 {
			sign = -sign
		}
		if f.certainSign(x, t) != sign {
			return false
		}
	}
	return true
}

// lasts reports whether the verdict before a turning part holds up to a time of it: whether no
// feature that turns has done so, or not all where the pair is in contact. certain says whether
// that is known.
func (f *Follower) lasts(t float64) (yes, certain bool) {
	back := f.turns[0].before < 0
	for i := range f.turns {
		switch same := f.signAt(&f.turns[i], t) == int(f.turns[i].before); {
		case back && same:
			return true, true
		case !back && !same:
			return false, true
		}
	}
	return !back, back || f.excluded(t)
}

// turnedAt returns the change at the root of a turning part, in [a, b], about at the guesses for
// the time from lo to hi: from contact, or to contact. The verdict of a does not last up to b. ok
// is false if it is not certain that the rivals leave it so.
func (f *Follower) turnedAt(a, b float64, contact bool) (t Instant, ok bool) {
	back := f.turns[0].before < 0 // the last root counts
	var x, y float64
	exact, some := false, false
	for i := range f.turns {
		z := &f.turns[i]
		if len(f.turns) > 1 && f.signAt(z, b) == int(z.before) {
			continue // Its root is beyond, for b is rounded down.
		}
		v, w := f.root(z, a, b)
		zero := f.signAt(z, w) == 0
		switch {
		case !some || w < y && !back || w > y && back:
			x, y, exact, some = v, w, zero, true
		case w == y && !back:
			exact = exact && zero // The first root is before y, if one is.
		case w == y:
			exact = exact || zero // The last root is y, if one is.
		}
	}
	at := y
	if back {
		at = x
	}
	if !some || !f.excluded(at) {
		return Instant{}, false
	}
	if exact {
		if contact {
			return Instant{Undecided: true, Lo: y}, true
		}
		x = y
	}
	f.Until = max(b, y)
	return Instant{Contact: true, Lo: x, Hi: y}, true
}

// value returns about the value of a polynomial at a time of the last part, and a bound on its
// error.
//
// Error, in units of u^2 and of most: the share x of the part is the quotient of two differences of
// doubles, off by less than 64 of itself, and the polynomial changes by at most 2 degree a unit of
// x: 128 for each of degree steps. A step of de Casteljau's algorithm is a difference (10), a
// product (22), a sum (5 and 10): 47, for which 64 stands.
func (f *Follower) value(z *turner, t float64) (value, slope, e float64) {
	p := &f.all[z.feature].poly[z.poly]
	h, l := num.TwoSum(t, -f.lo)
	w, v := num.TwoSum(f.hi, -f.lo)
	q := h / w
	rest := Double2{h, l}.Minus(Double2{w, v}.By(q))
	x := Double2{Hi: q}.Plus(Double2{Hi: rest.Hi / w})
	var b [6*MaxFollowed + 1]Double2
	n := copy(b[:], p.c) - 1
	for m := n; m > 0; m-- {
		if m == 1 {
			slope = float64(n) * (b[1].Hi - b[0].Hi) / w
		}
		for k := range m {
			b[k] = b[k].Plus(b[k+1].Minus(b[k]).times(x))
		}
	}
	return b[0].Hi, slope, float64((p.err+float64(float64(192*n)*square2*p.most))*(1+0x1p-40)) + lost
}

// certainSign returns the sign of a polynomial at a time of the last part, or 0 where
// double-doubles do not tell.
func (f *Follower) certainSign(z *turner, t float64) int {
	switch value, _, e := f.value(z, t); {
	case value > e:
		return 1
	case value < -e:
		return -1
	}
	return 0
}

// signAt returns the sign of a polynomial that turns at a time of the last part: in double-doubles,
// where they tell, else exactly.
func (f *Follower) signAt(z *turner, t float64) int {
	if s := f.certainSign(z, t); s != 0 {
		return s
	}
	return f.course.Sign(f.all[z.feature].part, int(z.poly), t)
}

// root returns neighboring doubles in [a, b] between which the only root of a polynomial that turns
// lies, or is the second of. The polynomial has the sign `before` at a and another one at b. The
// search goes by steps that double, from a time that Newton's method makes of the guess.
func (f *Follower) root(z *turner, a, b float64) (x, y float64) {
	t := f.lo + float64((f.hi-f.lo)*z.guess)
	if t > a && t < b {
		if value, slope, _ := f.value(z, t); slope != 0 {
			t -= value / slope
		}
	}
	return Bracket(a, b, t, func(t float64) bool { return f.signAt(z, t) == int(z.before) })
}

// rootOf returns about the root of coefficients whose signs change once, by regula falsi with
// halved ends. No proof rests on it.
func rootOf(c []Double2) (x float64) {
	n := len(c) - 1
	lo, hi, fl, fh := 0.0, 1.0, c[0].Hi, c[n].Hi
	var b [6*MaxFollowed + 1]float64
	x = 0.5
	last, step := 0, 1.0
	for tries := 40; tries > 0 && step > 0x1p-30; tries-- {
		y := (float64(lo*fh) - float64(hi*fl)) / (fh - fl)
		if !(y > lo && y < hi) {
			break
		}
		x, step = y, math.Abs(y-x)
		for k := range c {
			b[k] = c[k].Hi
		}
		for m := n; m > 0; m-- {
			for k := range m {
				b[k] += float64(x * (b[k+1] - b[k]))
			}
		}
		if b[0] > 0 == (fl > 0) {
			if lo, fl = x, b[0]; last > 0 {
				fh *= 0.5
			}
			last = 1
		} else {
			if hi, fh = x, b[0]; last < 0 {
				fl *= 0.5
			}
			last = -1
		}
		if b[0] == 0 {
			break
		}
	}
	return x
}
