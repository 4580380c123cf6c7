package rigids

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/rigid"
)

func violation(law int, format string, args ...any) error {
	return &ccdtest.Violation{Law: law, Text: fmt.Sprintf(format, args...)}
}

// Check returns the laws of rigid.Solver.Earliest that a result breaks, by the numbers of
// docs/numerics.md.
func (c *Case) Check(im *rigid.Impact) (broken []error) {
	if err := c.wellFormed(im); err != nil {
		return []error{err}
	}
	for _, law := range []func(*rigid.Impact) error{c.safe, c.near, c.start, c.contactData} {
		if err := law(im); err != nil {
			broken = append(broken, err)
		}
	}
	return broken
}

// wellFormed: the result is always written, in range, without NaN.
func (c *Case) wellFormed(im *rigid.Impact) error {
	list := []float64{im.TOILo, im.TOIHi, im.Distance}
	for _, v := range []r3.Vec{im.PointA, im.PointB, im.Normal} {
		list = append(list, v.X, v.Y, v.Z)
	}
	if slices.ContainsFunc(list, math.IsNaN) {
		return violation(0, "NaN in %+v", *im)
	}
	n := geom.Norm(im.Normal)
	switch {
	case im.Verdict == geom.Separate && im.TOILo == math.Inf(1) && im.TOIHi == math.Inf(1) && im.IndexA == -1 &&
		im.IndexB == -1 && n == 0:
	case im.Verdict == geom.Undecided && im.TOILo >= c.O.TMin && im.TOILo <= c.O.TMax && im.TOIHi == math.Inf(1) &&
		im.IndexA == -1:
	case im.Verdict == geom.Contact && c.O.Search == Spheres && im.TOILo >= c.O.TMin && im.TOILo <= im.TOIHi &&
		im.TOIHi <= c.O.TMax && n == 0:
	case im.Verdict == geom.Contact && im.TOILo >= c.O.TMin && im.TOILo <= im.TOIHi && im.TOIHi <= c.O.TMax &&
		im.IndexA >= 0 && im.IndexB >= 0 &&
		im.Distance >= 0 && math.Abs(n-1) < 1e-12:
	default:
		return violation(0, "%+v", *im)
	}
	return nil
}

// safe is laws 1 and 2: from a time with a distance the sides need distance / speed to meet; where
// that is little, time goes on by a share of the interval, and the proof becomes a sample.
func (c *Case) safe(im *rigid.Impact) error {
	end, law := c.O.TMax, 1
	if im.Verdict != geom.Separate {
		end, law = im.TOILo, 2
	}
	separation := c.kept()
	if c.O.Search != nil {
		separation = 0
	}
	if c.O.Search == D2M && im.Verdict == geom.Contact && (c.To == nil || len(c.B) == 1) {
		end = im.TOIHi // the surfaces do not touch before it; over a mesh, those of this body and this element
	}
	if c.O.Flags&rigid.IgnoreSeparating != 0 && separation == 0 && c.Crosses(c.O.TMin) {
		return nil // They overlap by no more than rounding, or they would be Intersecting; the depth is not measured.
	}
	speed := c.Speed()
	for t := c.O.TMin; t < end || t == c.O.TMax && law == 1; {
		d, slack := c.Distance(t)
		if c.tooNear(t, d, slack, separation) {
			return violation(law, "%+v, but a distance of %v at %v", *im, d, t)
		}
		if t >= end {
			return nil
		}
		step := max((d-separation-slack)/max(speed, 1e-9), (end-c.O.TMin)/256)
		t = min(max(t+step, math.Nextafter(t, end)), math.Nextafter(end, c.O.TMin))
		if law == 1 && t >= math.Nextafter(end, c.O.TMin) {
			t = end
		} else if t == math.Nextafter(end, c.O.TMin) {
			d, slack := c.Distance(t)
			if c.tooNear(t, d, slack, separation) {
				return violation(law, "%+v, but a distance of %v at %v", *im, d, t)
			}
			return nil
		}
	}
	return nil
}

// tooNear reports whether the sides surely do not keep the separation at t, where the distance in
// floats is d, or 0 for a crossing. Floats may well see a crossing where thin triangles pass each
// other, or too small a distance over a sliver, so exact numbers confirm either.
func (c *Case) tooNear(t, d, slack, separation float64) bool {
	switch {
	case separation > 0 && d+slack >= separation, separation == 0 && d > 0:
		return false
	case c.Crosses(t):
		return true
	}
	return c.Exact(t) < separation*(1-1e-9)
}

// near is law 3; and the step back: at TOILo the sides keep the separation, unless contact is there
// at TMin.
func (c *Case) near(im *rigid.Impact) error {
	if im.Verdict != geom.Contact || c.O.Search == Spheres {
		return nil
	}
	reach := (c.O.MinSeparation + c.O.Tolerance) * (1 + 1e-9)
	if c.O.Search == D2M { // it finds contact, not nearness, but for rounding: 2^12 u of the sizes (docs/numerics.md)
		_, slack := c.Distance(im.TOIHi)
		reach = float64(0.25*c.O.Tolerance) + float64(16*slack)
	}
	if im.Flags&rigid.Intersecting != 0 {
		// An edge and a face that are within a margin of each other may be said to cross: the
		// margin, and twice the error of a place.
		size, world := c.sizes(im)
		slack := 0x1p-53 * (float64(1280*size) + float64(32*world))
		if d, _ := c.Distance(c.O.TMin); d > slack && !c.Crosses(c.O.TMin) {
			return violation(3, "said to pierce at a distance of %v: %+v", d, *im)
		}
		return nil
	}
	if d := c.Exact(im.TOIHi); d > reach || c.O.Search == nil && im.Distance > reach {
		return violation(3, "contact at a distance of %v: %+v", d, *im)
	}
	// D2M steps back from each element alone
	if im.Flags&rigid.InitialContact == 0 && (c.O.Search == nil || c.To == nil) {
		if d := c.Exact(im.TOILo); !(d > float64(c.kept()*(1-1e-15))-1e-16) {
			return violation(2, "a distance of %v at toi_lo: %+v", d, *im)
		}
	}
	return nil
}

// start is law 8: the flag says exactly whether contact is there at TMin, up to rounding; and law
// 12, where separating contact is ignored. D2M answers for contact without a distance. Distance
// errs by more than its slack for slivers, so Exact has the last word.
func (c *Case) start(im *rigid.Impact) error {
	if im.Verdict == geom.Undecided || c.O.Search != nil {
		return nil
	}
	d, slack := c.Distance(c.O.TMin)
	initial, reach := im.Flags&rigid.InitialContact != 0, c.O.MinSeparation+c.O.Tolerance
	slack = max(4*slack, 1e-11)
	if c.O.Flags&rigid.IgnoreSeparating != 0 && initial {
		return c.onward(im)
	}
	switch {
	case c.O.Flags&rigid.IgnoreSeparating != 0 && d < reach+slack: // it parts, or laws 1 and 2 are broken
	case d == 0 && c.Crosses(c.O.TMin) || d > 0 && d < reach-slack:
		if (!initial || im.TOILo != c.O.TMin) && (d == 0 || c.Exact(c.O.TMin) < reach-slack) {
			return violation(8, "a distance of %v at the start: %+v", d, *im)
		}
	case d > reach+slack && (initial || im.TOILo <= c.O.TMin) &&
		c.Exact(c.O.TMin) > reach+slack && !c.Crosses(c.O.TMin):
		return violation(8, "initial contact at a distance of %v: %+v", d, *im)
	}
	return nil
}
