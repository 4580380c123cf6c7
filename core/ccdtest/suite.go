package ccdtest

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// Suite holds one method to the laws. The zero Queries means 12 cases per family, kind and
// separation (2 with -short).
type Suite struct {
	New     func() Method         // a method with scratch of its own
	Options func(*narrow.Options) // chooses the method and its flags; nil for the defaults
	Exact   bool                  // see Promise; as Rounding below
	Skip    func(c *Case) bool    // cases the method does not take, e.g. d > 0; nil for none
	Queries int
	Seed    uint64

	Rounding func(k geom.Kind, q []float64, o *narrow.Options) float64
	Patches  bool
}

func (s *Suite) promise() Promise { return Promise{s.Exact, s.Rounding, s.Patches} }

// knownCases caches the truths of the cases that the suites of one test binary share.
var knownCases struct {
	sync.Mutex
	cases map[string][]KnownCase
}

// Cases returns the cases of a kind with their truths, the same for every law and every method.
func Cases(k geom.Kind, separation bool, n int, seed uint64) []KnownCase {
	key := fmt.Sprint(k, separation, n, seed)
	knownCases.Lock()
	defer knownCases.Unlock()
	if list, ok := knownCases.cases[key]; ok {
		return list
	}
	var list []KnownCase
	for i, fam := range Families {
		stream := uint64(i)<<8 | uint64(k)<<1
		if separation {
			stream |= 1
		}
		r := NewRand(seed, stream)
		for range n {
			list = append(list, NewKnownCase(fam.Make(r, k, separation)))
		}
	}
	if knownCases.cases == nil {
		knownCases.cases = make(map[string][]KnownCase)
	}
	knownCases.cases[key] = list
	return list
}

// Law0WellFormed: the result is always written, has no NaN, and is infinite exactly when Separate.
func (s *Suite) Law0WellFormed(t *testing.T, k geom.Kind) { s.single(t, k, 0) }

// Law1SeparateIsProof: Separate means |F| > d for all t in [0, t_max] and all (u, v).
func (s *Suite) Law1SeparateIsProof(t *testing.T, k geom.Kind) { s.single(t, k, 1) }

// Law2SafeBeforeTOI: whatever the verdict, |F| > d for all t < toi_lo, also when the budget is a
// few boxes.
func (s *Suite) Law2SafeBeforeTOI(t *testing.T, k geom.Kind) {
	s.single(t, k, 2)
	for _, budget := range []int64{1, 3, 30} {
		s.run(t, k, 2, func(o *narrow.Options) { o.MaxIterations = budget })
	}
}

// Law3ContactIsNear: Contact means |F| <= d + delta + 2 eps somewhere in [toi_lo, toi_hi].
func (s *Suite) Law3ContactIsNear(t *testing.T, k geom.Kind) {
	s.single(t, k, 3)
	s.run(t, k, 3, func(o *narrow.Options) { o.Tolerance *= 1e-5 })
}

// Law4UndecidedOnlyWhenSpent: an exact method is never undecided, with any budget; another one is
// not on generic queries with the default budget.
func (s *Suite) Law4UndecidedOnlyWhenSpent(t *testing.T, k geom.Kind) {
	s.single(t, k, 4)
	if s.Exact {
		s.run(t, k, 4, func(o *narrow.Options) { o.MaxIterations = 1 })
		return
	}
	s.each(t, k, func(j *KnownCase, m Method) error {
		if j.Family != "generic" && j.Family != "meshlike" {
			return nil
		}
		o := s.options(j)
		var out geom.Impact
		if m(k, j.Q, &o, &out); out.Verdict == geom.Undecided {
			return violation(4, "undecided with %d boxes", o.MaxIterations)
		}
		return nil
	})
}

// Law5CertifiedContactExists: the flag Certified means that there is a contact, and not after
// toi_hi.
func (s *Suite) Law5CertifiedContactExists(t *testing.T, k geom.Kind) { s.single(t, k, 5) }

// Law6Scale: multiplying coordinates, d and delta by a power of two changes no bit of t, u, v.
func (s *Suite) Law6Scale(t *testing.T, k geom.Kind) {
	s.each(t, k, func(j *KnownCase, m Method) error {
		o := s.options(j)
		var plain geom.Impact
		m(k, j.Q, &o, &plain)
		for _, e := range []int{-300, -40, -1, 3, 60, 290} {
			if err := s.scaled(j, m, &o, &plain, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// scaled compares plain with the result of the case times 2^e, where that product is exact and in
// range.
func (s *Suite) scaled(j *KnownCase, m Method, o *narrow.Options, plain *geom.Impact, e int) error {
	inRange := true
	times := func(x float64) float64 {
		y := math.Ldexp(x, e)
		if x != 0 && !(math.Abs(x) >= 1e-150 && math.Abs(y) >= 1e-150 && math.Abs(y) <= 1e140) {
			inRange = false
		}
		return y
	}
	q := make([]float64, len(j.Q))
	for i, x := range j.Q {
		q[i] = times(x)
	}
	big := *o
	big.MinSeparation, big.Tolerance = times(o.MinSeparation), times(o.Tolerance)
	for k, b := range o.SceneBound {
		big.SceneBound[k] = times(b)
	}
	if !inRange {
		return nil
	}
	var out geom.Impact
	m(j.Kind, q, &big, &out)
	a, b := plain, &out
	if a.Verdict != b.Verdict || a.TOILo != b.TOILo || a.TOIHi != b.TOIHi || a.U != b.U || a.V != b.V ||
		a.Flags != b.Flags {
		return violation(6, "times 2^%d gives %+v instead of %+v", e, out, *plain)
	}
	return nil
}

// Law7SameBits: the result depends on the query and the options only, not on the contents of the
// scratch or on the thread.
func (s *Suite) Law7SameBits(t *testing.T, k geom.Kind) {
	cases := append(s.cases(k, false), s.cases(k, true)...)
	want := make([]geom.Impact, len(cases))
	for i := range cases {
		o := s.options(&cases[i])
		s.New()(k, cases[i].Q, &o, &want[i])
	}
	var wg sync.WaitGroup
	for w := range max(2, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			m := s.New()
			for n := range cases {
				i := (n*(2*w+1) + 7*w) % len(cases) // another order for every worker
				o := s.options(&cases[i])
				var out geom.Impact
				if m(k, cases[i].Q, &o, &out); out != want[i] {
					t.Errorf("%v:\nlaw 7: %+v after other queries, %+v alone", &cases[i].Case, out, want[i])
					return
				}
			}
		})
	}
	wg.Wait()
}

// Law8PositiveStep: asking for no zero toi gives toi_lo > 0 whenever the distance at t = 0 exceeds
// d; contact at t = 0 is contact.
func (s *Suite) Law8PositiveStep(t *testing.T, k geom.Kind) {
	s.single(t, k, 8)
	s.run(t, k, 8, func(o *narrow.Options) { o.Flags |= narrow.NoZeroTOI })
	s.run(t, k, 2, func(o *narrow.Options) { o.Flags |= narrow.NoZeroTOI })
}

// single tests one law of single results over all cases.
func (s *Suite) single(t *testing.T, k geom.Kind, law int) { t.Helper(); s.run(t, k, law, nil) }

func (s *Suite) run(t *testing.T, k geom.Kind, law int, change func(*narrow.Options)) {
	t.Helper()
	s.each(t, k, func(j *KnownCase, m Method) error {
		o := s.options(j)
		if change != nil {
			change(&o)
		}
		out := geom.Impact{Verdict: -1, Kind: -1, TOILo: math.NaN()} // must be overwritten
		m(k, j.Q, &o, &out)
		return laws[law](j, &o, &out, s.promise())
	})
}

// each tests every case, without and with separation, and reports at most a few broken laws.
func (s *Suite) each(t *testing.T, k geom.Kind, check func(*KnownCase, Method) error) {
	t.Helper()
	m, failures, tested := s.New(), 0, 0
	for _, separation := range []bool{false, true} {
		cases := s.cases(k, separation)
		for i := range cases {
			tested++
			if err := check(&cases[i], m); err != nil {
				if failures++; failures <= 5 {
					t.Errorf("%v:\n%v", &cases[i].Case, err)
				}
			}
		}
	}
	if failures > 5 {
		t.Errorf("%d failures in all", failures)
	}
	if tested == 0 {
		t.Error("no case was tested")
	}
}

func (s *Suite) options(j *KnownCase) narrow.Options {
	o := j.Options()
	if s.Options != nil {
		s.Options(&o)
	}
	return o
}

func (s *Suite) cases(k geom.Kind, separation bool) []KnownCase {
	n := s.Queries
	if n == 0 {
		n = 12
		if testing.Short() {
			n = 2
		}
	}
	all := Cases(k, separation, n, s.Seed)
	if s.Skip == nil {
		return all
	}
	var kept []KnownCase
	for i := range all {
		if !s.Skip(&all[i].Case) {
			kept = append(kept, all[i])
		}
	}
	return kept
}
