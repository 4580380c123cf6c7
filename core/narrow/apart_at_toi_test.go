package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// apartAt reports, in exact arithmetic, whether a pair keeps more than d at the time t.
func apartAt(c *ccdtest.Case, flags uint32, d, t float64) bool {
	if flags&narrow.MaxNorm == 0 {
		return !oracle.EuclideanContactAt(c.Kind, c.Q, d, t)
	}
	return oracle.SeparatedAt(c.Kind, c.Q, d, t)
}

// checkApart holds an answer with ApartAtTOI to its laws, with exact arithmetic. It reports whether
// the flag moves the time of impact.
func checkApart(t testing.TB, s *narrow.Solver, c *ccdtest.Case, flags uint32) bool {
	t.Helper()
	o := narrow.DefaultOptions()
	o.MinSeparation, o.Tolerance, o.TMax, o.Flags = c.D, c.Delta, c.TMax, flags
	var bare, im geom.Impact
	s.Solve(c.Kind, c.Q, &o, &bare)
	o.Flags |= narrow.ApartAtTOI
	s.Solve(c.Kind, c.Q, &o, &im)
	if im.Verdict != bare.Verdict {
		t.Fatalf("law 1: %+v, without the flag %+v: %v", im, bare, c)
	}
	if im.Verdict == geom.Separate || bare.Flags&geom.InitialContact != 0 {
		if im != bare {
			t.Fatalf("law 1: %+v, without the flag %+v: %v", im, bare, c)
		}
		return false
	}
	g := c.Delta
	for d := c.D + 2*g; d > geom.MaxCoordinate || !apartAt(c, flags, d, 0); d = c.D + 2*g {
		g /= 2
	}
	if c.D+g == c.D {
		if im != bare {
			t.Fatalf("law 4: %+v, without the flag %+v: %v", im, bare, c)
		}
		return false
	}
	var want oracle.SeparationTruth
	if flags&narrow.MaxNorm == 0 {
		want = oracle.EuclideanSeparation(c.Kind, c.Q, c.D+g, c.TMax)
	} else {
		want = oracle.Separation(c.Kind, c.Q, c.D+g, c.TMax)
	}
	if !want.Contact || im.TOILo != want.Lo || im.TOIHi != want.Hi || im.TOILo > bare.TOILo {
		t.Fatalf("law 2: [%v, %v], want %+v for g = %v, without the flag %+v: %v", im.TOILo, im.TOIHi, want, g, bare, c)
	}
	if im.TOILo > 0 && !apartAt(c, flags, c.D, im.TOILo) {
		t.Fatalf("law 3: not more than d = %v apart at %v: %v", c.D, im.TOILo, c)
	}
	return true
}

// Laws 1 to 4 of ApartAtTOI, on all families but those whose exponents make the oracle slow.
func TestApartAtTOILaws(t *testing.T) {
	n := 120
	if testing.Short() {
		n = 25
	}
	s, moved := narrow.NewSolver(), 0
	for _, family := range ccdtest.Families {
		if family.Exponents {
			continue
		}
		for k := geom.VertexFace; k <= geom.PointPoint; k++ {
			r := ccdtest.NewRand(uint64(k), 21)
			for i := range n {
				c := family.Make(r, k, i%2 == 0)
				if i%4 > 1 {
					c.Delta = math.Ldexp(1, -r.IntN(40))
				}
				if checkApart(t, s, &c, []uint32{0, narrow.MaxNorm, narrow.NoZeroTOI}[i%3]) {
					moved++
				}
			}
		}
	}
	if moved < 100 {
		t.Errorf("the time of only %d contacts is moved", moved)
	}
}

// What the flag is for: at toi_lo the points in contact, computed in floats, do not coincide.
func TestApartAtTOILeavesADistance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s, touching, near := narrow.NewSolver(), 0, 0
	for range 2000 {
		k := []geom.Kind{geom.VertexFace, geom.EdgeEdge}[r.IntN(2)]
		q := make([]float64, 24)
		for i := range q {
			q[i] = float64(r.IntN(9)) - 4
		}
		for _, flags := range []uint32{0, narrow.ApartAtTOI} {
			o := narrow.DefaultOptions()
			o.Flags = flags
			var im geom.Impact
			s.Solve(k, q, &o, &im)
			if im.Verdict != geom.Contact || im.TOILo == 0 {
				continue
			}
			w := k.Info().Weights(im.U, im.V)
			sum := 0.0
			for axis := range 3 {
				x := 0.0
				for i, weight := range w {
					a, b := q[3*i+axis], q[12+3*i+axis]
					x += weight * (a + im.TOILo*(b-a))
				}
				sum += x * x
			}
			if d := math.Sqrt(sum); flags == 0 && d == 0 {
				touching++
			} else if flags != 0 {
				near++
				if !(d > 0.5e-6 && d < 2e-6) {
					t.Errorf("%v at %v: a distance of %v in floats", k, im.TOILo, d)
				}
			}
		}
	}
	if touching == 0 || near < 100 {
		t.Errorf("%d of the contacts have a distance of 0 without the flag, %d contacts with it", touching, near)
	}
}

func TestApartAtTOISupport(t *testing.T) {
	for m, want := range map[narrow.Method]bool{narrow.Default: true, narrow.Exact: true, narrow.TightInclusion: false,
		narrow.TimeContracted: false} {
		o := narrow.DefaultOptions()
		o.Method, o.Flags = m, narrow.ApartAtTOI
		if err := o.Check(); err != nil {
			t.Error(err)
		}
		if err := o.Supported(geom.EdgeEdge); (err == nil) != want {
			t.Errorf("method %d: %v", m, err)
		}
	}
}

// FuzzApartAtTOI holds random queries, separations and tolerances to the laws.
func FuzzApartAtTOI(f *testing.F) {
	f.Add(uint64(1), uint8(0), uint8(0), 1e-6, 0.0)
	f.Add(uint64(2), uint8(2), uint8(1), 0.25, 0.5)
	s := narrow.NewSolver()
	f.Fuzz(func(t *testing.T, seed uint64, family, kind uint8, tolerance, separation float64) {
		fam := ccdtest.Families[int(family)%len(ccdtest.Families)]
		if fam.Exponents || !(tolerance > 1e-100 && tolerance < 1e100) || !(separation >= 0 && separation < 1e100) {
			return
		}
		c := fam.Make(ccdtest.NewRand(seed, 22), geom.StepKinds[int(kind)%4], false)
		c.Delta, c.D = tolerance, separation
		checkApart(t, s, &c, []uint32{0, narrow.MaxNorm}[kind/4%2])
	})
}
