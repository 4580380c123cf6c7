package rigid_test

import (
	"errors"
	"fmt"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/rigids"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// suite holds a method to the laws. The zero Cases means 12 of every family, of two bodies and over
// a mesh (3 with -short).
type suite struct {
	Search rigid.Search // nil for the method of package rigid
	Cases  int
	Seed   uint64
}

// Law0WellFormed: the result is always written, in range, without NaN.
func (s *suite) Law0WellFormed(t *testing.T) { s.law(t, 0) }

// Law1SeparateIsProof: Separate means that the distance exceeds the separation for all t in [TMin,
// TMax].
func (s *suite) Law1SeparateIsProof(t *testing.T) { s.law(t, 1) }

// Law2SafeBeforeTOI: whatever the verdict it does so for all t < TOILo, also when the budget is
// small; and at TOILo, unless contact is there at TMin.
func (s *suite) Law2SafeBeforeTOI(t *testing.T) {
	s.law(t, 2)
	s.each(t, func(m *rigids.Method, c *rigids.Case) error {
		c.O.MaxIterations = 7
		im, err := m.Solve(c)
		if err != nil {
			return err
		}
		return only(c.Check(&im), 2)
	})
}

// Law3ContactIsNear: in contact the distance at TOIHi is at most MinSeparation + Tolerance, or the
// sides pierce each other at TMin.
func (s *suite) Law3ContactIsNear(t *testing.T) { s.law(t, 3) }

// Law4UndecidedOnlyWhenSpent: with the default budget cases are decided, where doubles are not too
// coarse.
func (s *suite) Law4UndecidedOnlyWhenSpent(t *testing.T) {
	s.each(t, func(m *rigids.Method, c *rigids.Case) error {
		im, err := m.Solve(c)
		if err == nil && im.Verdict == geom.Undecided && c.Family != "spinning" && c.Family != "fast" {
			err = violation(4, "%+v", im)
		}
		return err
	})
}

// Law6Scale: in other units, powers of two, no bit changes.
func (s *suite) Law6Scale(t *testing.T) { s.again(t, 6) }

// Law7SameBits: the result does not depend on earlier queries, and the earliest impact is the first
// of the list of all.
func (s *suite) Law7SameBits(t *testing.T) { s.again(t, 7) }

// Law8Start: the flag InitialContact says whether contact is there at TMin.
func (s *suite) Law8Start(t *testing.T) { s.law(t, 8) }

// Law9ContactData: points, features and normal are what they are said to be.
func (s *suite) Law9ContactData(t *testing.T) { s.law(t, 9) }

func (s *suite) law(t *testing.T, law int) {
	s.each(t, func(m *rigids.Method, c *rigids.Case) error {
		im, err := m.Solve(c)
		if err != nil {
			return err
		}
		return only(c.Check(&im), law)
	})
}

func (s *suite) again(t *testing.T, law int) {
	s.each(t, func(m *rigids.Method, c *rigids.Case) error {
		im, err := m.Solve(c)
		if err != nil {
			return err
		}
		return only([]error{m.Laws6And7(c, &im, 11, -3)}, law)
	})
}

func violation(law int, format string, args ...any) error {
	return &ccdtest.Violation{Law: law, Text: fmt.Sprintf(format, args...)}
}

// only picks the violations of a law.
func only(broken []error, law int) error {
	for _, err := range broken {
		var v *ccdtest.Violation
		if err != nil && (!errors.As(err, &v) || v.Law == law) {
			return err
		}
	}
	return nil
}

func (s *suite) each(t *testing.T, ask func(m *rigids.Method, c *rigids.Case) error) {
	t.Helper()
	n := s.Cases
	if n == 0 {
		n = 12
	}
	if testing.Short() {
		n = (n + 3) / 4
	}
	var m rigids.Method
	for i, family := range rigids.Families {
		if s.Search != nil && (family == "spinning" || family == "fast" || family == "whirling") {
			continue // many turns, and long ways, cost the root finder its budget
		}
		r := ccdtest.NewRand(s.Seed, uint64(i))
		for k := range n {
			// rigids.Spheres does not support meshes.
			c := rigids.Make(r, family, k%2 == 1 && s.Search != rigids.Spheres)
			if c.O.Search = s.Search; s.Search != nil {
				c.O.Flags = 0 // the default method's alone
			}
			if err := ask(&m, c); err != nil {
				t.Errorf("%v\n%v", err, c)
			}
		}
	}
}

// PartingAfterImpact: from every impact, met after TMin, the sides go back where they came from; as
// they kept the separation on the way there, they part.
func (s *suite) PartingAfterImpact(t *testing.T) {
	impacts := 0
	s.each(t, func(m *rigids.Method, c *rigids.Case) error {
		c.O.Flags = 0
		im, err := m.Solve(c)
		if err != nil || im.Verdict != geom.Contact || im.Flags != 0 {
			return err
		}
		d := c.Back(im.TOILo)
		if _, slack := d.Distance(0); slack > 16*im.Distance {
			return nil // so far away that places round by as much as the sides are apart
		}
		impacts++
		back, err := m.Solve(d)
		// A tolerance that is no rounding holds pairs that come nearer on the way back, though not
		// as near as the separation.
		if err == nil && back.Verdict != geom.Separate && d.O.Tolerance < 1e-9 {
			err = violation(8, "back from %+v: %+v", im, back)
		}
		if err != nil {
			return err
		}
		return errors.Join(d.Check(&back)...)
	})
	if impacts < 2*len(rigids.Families) && !testing.Short() {
		t.Errorf("only %d impacts", impacts)
	}
}
