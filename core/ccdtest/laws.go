package ccdtest

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// Method solves one query. A Method may keep scratch memory: it belongs to one goroutine.
type Method func(kind geom.Kind, q []float64, o *narrow.Options, out *geom.Impact)

// Violation is a law that a result breaks. Law 0 is the form of the result.
type Violation struct {
	Law  int
	Text string
}

func (v *Violation) Error() string { return fmt.Sprintf("law %d: %s", v.Law, v.Text) }

func violation(law int, format string, args ...any) error {
	return &Violation{law, fmt.Sprintf(format, args...)}
}

// KnownCase is a case with its exact truth for t in [0, TMax].
type KnownCase struct {
	Case
	Truth     oracle.SeparationTruth
	euclidean *foundContact           // nil before the search for contact in the Euclidean norm
	sharp     *oracle.SeparationTruth // the truth in the Euclidean norm; nil before the oracle is called
}

// foundContact is a time of contact, if one was found.
type foundContact struct {
	t     float64
	found bool
}

// NewKnownCase computes the truth of a case with the oracle.
func NewKnownCase(c Case) KnownCase {
	return KnownCase{Case: c, Truth: oracle.Separation(c.Kind, c.Q, c.D, c.TMax)}
}

// exactTruth is the truth in the norm of the options. The Euclidean oracle takes too long where
// exponents span more than 2^120: false then.
func (j *KnownCase) exactTruth(o *narrow.Options) (oracle.SeparationTruth, bool) {
	if o.Flags&narrow.MaxNorm != 0 || j.D == 0 {
		return j.Truth, true
	}
	if j.sharp == nil {
		if !j.Spans(0x1p120) {
			return oracle.SeparationTruth{}, false
		}
		t := oracle.EuclideanSeparation(j.Kind, j.Q, j.D, j.TMax)
		j.sharp = &t
	}
	return *j.sharp, true
}

// Promise is what a method promises beyond the laws, and what its third law allows to rounding.
type Promise struct {
	// Never Undecided, no tolerance, times rounded to neighboring doubles.
	Exact    bool
	Rounding func(k geom.Kind, q []float64, o *narrow.Options) float64 // nil: 2 eps, eps the ErrorBound
	// the suite is one of curved patches, whose contact data follow rules of their own
	Patches bool
}

// rounding is how much farther than d + delta a contact may be from one.
func (p *Promise) rounding(j *KnownCase, o *narrow.Options) float64 {
	if p.Rounding != nil {
		return p.Rounding(j.Kind, j.Q, o)
	}
	return 2 * ErrorBound(j.Kind, j.Q, o)
}

// checker is one law: it returns an error if the result out, computed under o, breaks it. In the
// Euclidean norm the truth in the max norm is only a bound, and euclid.go has a sharper one.
type checker func(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) error

// laws are the checkers of single results, by their number.
var laws = map[int]checker{0: wellFormed, 1: separateIsProof, 2: safeBeforeTOI, 3: contactIsNear, 4: undecided,
	5: certified, 8: positiveStep, 9: contactData}

// Check tests every law that concerns a single result and returns those that are broken.
func Check(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) (broken []error) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 9} {
		if err := laws[n](j, o, out, p); err != nil {
			broken = append(broken, err)
		}
	}
	return broken
}

// wellFormed: the output is always written, never NaN, and infinite times mean Separate.
func wellFormed(j *KnownCase, o *narrow.Options, out *geom.Impact, _ Promise) error {
	numbers := append([]float64{out.TOILo, out.TOIHi, out.U, out.V, out.Width},
		append(out.Point[:], out.Normal[:]...)...)
	for _, x := range numbers {
		if math.IsNaN(x) {
			return violation(0, "NaN in %+v", *out)
		}
	}
	if out.Kind != j.Kind || out.A != -1 || out.B != -1 || out.Reserved != 0 {
		return violation(0, "kind, indices or reserved field not as for a bare pair: %+v", *out)
	}
	switch out.Verdict {
	case geom.Separate:
		want := new(geom.Impact)
		want.SetSeparate(j.Kind)
		if *out != *want {
			return violation(0, "separate, but %+v", *out)
		}
		return nil
	case geom.Contact, geom.Undecided:
	default:
		return violation(0, "verdict %d", out.Verdict)
	}
	if !(0 <= out.TOILo && out.TOILo <= out.TOIHi && out.TOILo <= o.TMax && out.TOIHi <= 1) {
		return violation(0, "times [%v, %v] with t_max %v", out.TOILo, out.TOIHi, o.TMax)
	}
	if !(out.Width >= 0) || math.IsInf(out.Width, 0) {
		return violation(0, "width %v", out.Width)
	}
	return parametersInside(j.Kind, out)
}

// insideDomain reports whether (u, v) is in the domain of a kind, but for the rounding of u + v.
func insideDomain(k geom.Kind, u, v float64) bool {
	inside := u >= 0 && v >= 0 && u <= 1 && v <= 1
	switch k.Info().Domain {
	case geom.Triangle:
		return inside && u+v <= 1+0x1p-52
	case geom.Square:
		return inside
	case geom.Segment:
		return inside && v == 0
	case geom.Point:
		return u == 0 && v == 0
	}
	panic("ccdtest: " + k.String())
}

// parametersInside checks that u, v are in the domain and that the normal has length 1 or 0.
func parametersInside(k geom.Kind, out *geom.Impact) error {
	if !insideDomain(k, out.U, out.V) {
		return violation(0, "parameters (%v, %v) outside the domain", out.U, out.V)
	}
	n := math.Hypot(math.Hypot(out.Normal[0], out.Normal[1]), out.Normal[2])
	if n != 0 && math.Abs(n-1) > 1e-12 {
		return violation(0, "normal %v has length %v", out.Normal, n)
	}
	return nil
}

// separateIsProof is law 1.
func separateIsProof(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) error {
	if out.Verdict != geom.Separate {
		return nil
	}
	if t, ok := contactTime(j, o, p); ok {
		return violation(1, "separate, but there is contact at t = %v", t)
	}
	return nil
}

// safeBeforeTOI is law 2, whatever the verdict.
func safeBeforeTOI(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) error {
	if t, ok := contactTime(j, o, p); ok && out.TOILo > t {
		return violation(2, "toi_lo = %v is later than the contact at t = %v", out.TOILo, t)
	}
	return nil
}

// contactTime is a time at which contact is certain, rounded down: the earliest one in the max norm
// and of a method that is exact.
func contactTime(j *KnownCase, o *narrow.Options, p Promise) (float64, bool) {
	if o.Flags&narrow.MaxNorm != 0 || j.D == 0 {
		return j.Truth.Lo, j.Truth.Contact
	}
	if p.Exact {
		if truth, ok := j.exactTruth(o); ok {
			return truth.Lo, truth.Contact
		}
	}
	if j.euclidean == nil {
		t, found := euclideanContact(&j.Case)
		j.euclidean = &foundContact{t, found}
	}
	return j.euclidean.t, j.euclidean.found
}

// contactIsNear is law 3.
func contactIsNear(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) error {
	if out.Verdict != geom.Contact {
		return nil
	}
	if p.Exact {
		truth, ok := j.exactTruth(o)
		if ok && !truth.Contact {
			return violation(3, "contact at [%v, %v], but there is none", out.TOILo, out.TOIHi)
		}
		if ok && (out.TOILo != truth.Lo || out.TOIHi != truth.Hi) {
			return violation(3, "times [%v, %v], exactly [%v, %v]", out.TOILo, out.TOIHi, truth.Lo, truth.Hi)
		}
		return nil
	}
	near := j.D + o.Tolerance + p.rounding(j, o)
	near += near * 0x1p-50 // the sum's own rounding
	if o.Flags&narrow.MaxNorm == 0 && j.D != 0 {
		if far, ok := euclideanFar(&j.Case, near, out.TOILo, out.TOIHi); ok && far {
			return violation(3, "contact at [%v, %v], but the distance stays above %v", out.TOILo, out.TOIHi, near)
		}
		return nil
	}
	if near > math.MaxFloat64 || !oracle.SeparatedAt(j.Kind, j.Q, near, out.TOILo) {
		return nil
	}
	if !oracle.SeparationFrom(j.Kind, j.Q, near, out.TOILo, out.TOIHi).Contact {
		return violation(3, "contact at [%v, %v], but |F| stays above %v", out.TOILo, out.TOIHi, near)
	}
	return nil
}

// undecided is law 4: an exact method is never undecided. How near others came they say by their
// width, which wellFormed reads.
func undecided(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) error {
	if p.Exact && out.Verdict == geom.Undecided {
		return violation(4, "an exact method is undecided")
	}
	return nil
}

// certified is law 5.
func certified(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) error {
	if out.Flags&geom.Certified == 0 {
		return nil
	}
	if out.Verdict != geom.Contact {
		return violation(5, "certified, but %v", out.Verdict)
	}
	if o.Flags&narrow.MaxNorm == 0 && j.D != 0 {
		if far, ok := euclideanFar(&j.Case, j.D, out.TOILo, out.TOIHi); ok && far {
			return violation(5, "certified at [%v, %v], but there is no contact", out.TOILo, out.TOIHi)
		}
		return nil
	}
	if !j.Truth.Contact || j.Truth.Lo > out.TOIHi {
		return violation(5, "certified at [%v, %v], but the truth is %+v", out.TOILo, out.TOIHi, j.Truth)
	}
	return nil
}

// positiveStep is law 8. A time below the smallest double is rounded to zero: nothing positive can
// be asked for then. Of a method that is not exact it is not asked either when the distance exceeds
// d by less than 1e-290: a bound on the time, that excess over the speed, may underflow. Curved
// patches whose distance exceeds d by no more than rounding may be in contact.
func positiveStep(j *KnownCase, o *narrow.Options, out *geom.Impact, p Promise) error {
	truth := j.Truth
	if o.Flags&narrow.MaxNorm == 0 && j.D != 0 {
		ok := false
		if p.Exact || p.Patches && out.TOILo == 0 {
			truth, ok = j.exactTruth(o)
		}
		if !ok {
			return nil // the truth in the max norm says nothing of t = 0 here
		}
	}
	strict := p.Exact || o.Flags&narrow.NoZeroTOI != 0
	initial := out.Flags&geom.InitialContact != 0
	if truth.Contact && truth.Hi == 0 {
		// Curved patches see a start in contact after some tens of checks: a smaller budget leaves
		// it undecided at 0.
		if few := o.MaxIterations > 0 && o.MaxIterations < 100; p.Patches && few && out.Verdict == geom.Undecided &&
			out.TOILo == 0 {
			return nil
		}
		if out.Verdict != geom.Contact || out.TOILo != 0 || strict && !initial {
			return violation(8, "in contact at t = 0, but %v at %v with flags %#x", out.Verdict, out.TOILo, out.Flags)
		}
		return nil
	}
	if !strict || p.Patches && initial && j.nearAtStart(o) {
		return nil
	}
	if initial {
		return violation(8, "initial contact is claimed, but the truth is %+v", truth)
	}
	if out.TOILo == 0 && !(truth.Contact && truth.Lo == 0) &&
		(p.Exact || j.D > 1e-270 || oracle.SeparatedAt(j.Kind, j.Q, j.D+1e-290, 0)) {
		return violation(8, "toi_lo = 0 without contact before %v", truth.Lo)
	}
	return nil
}

// nearAtStart reports whether the distance at t = 0, in the norm of the options, exceeds d by no
// more than rounding: that of patches.
func (j *KnownCase) nearAtStart(o *narrow.Options) bool {
	a, b := straightPatches(j.Kind, j.Q)
	near := (j.D + patchStartRounding(a, b, j.D)) * (1 + 0x1p-50)
	if o.Flags&narrow.MaxNorm != 0 {
		return !oracle.SeparatedAt(j.Kind, j.Q, near, 0)
	}
	far, _ := oracle.Distance(j.Kind, j.Q[:3*j.Kind.Points()]).Enclose()
	return far <= near
}

// ErrorBound is the eps of law 3 in the max norm: K u (max|A| + max|B| + max|C|) on the worst axis,
// the maxima over both ends, with K = 16, and a few of the smallest denormals; see
// docs/numerics.md. A scene's bound s stands for all its queries, of every kind: the three are
// differences of two coordinates, 6 s together.
func ErrorBound(k geom.Kind, q []float64, o *narrow.Options) (eps float64) {
	n := k.Points()
	for a := range 3 {
		widest := func(i, j int) float64 {
			return max(math.Abs(q[3*i+a]-q[3*j+a]), math.Abs(q[3*(n+i)+a]-q[3*(n+j)+a]))
		}
		sum := 0.0
		for _, f := range k.Info().Form {
			sum += widest(int(f[0]), int(f[1]))
		}
		if s := o.SceneBound[a]; s > 0 {
			sum = 6 * s
		}
		eps = max(eps, 16*0x1p-53*(1+0x1p-50)*sum+16*0x1p-1074)
	}
	return eps
}
