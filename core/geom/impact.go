package geom

import "math"

// Verdict is the outcome of a query. The zero Verdict is Undecided: a forgotten assignment never
// reads as a proof.
type Verdict int32

// The verdicts, with the values of the C constants CCD_UNDECIDED and so on.
const (
	Undecided Verdict = iota
	Separate
	Contact
)

func (v Verdict) String() string {
	switch v {
	case Undecided:
		return "undecided"
	case Separate:
		return "separate"
	case Contact:
		return "contact"
	}
	return "invalid"
}

// Flags that an Impact carries, with the values of the C constants.
const (
	Certified      uint32 = 1 << iota // law 5: a root is proven to exist
	InitialContact                    // the contact is already there at t = 0
	Intersecting                      // beside InitialContact: an edge passes through a face at t = 0
)

// Why a verdict is Undecided, beside the other flags, with the values of the C constants
// CCD_REASON_ITERATIONS and so on. A call that failed sets none.
const (
	ReasonIterations uint32 = 1 << (8 + iota) // the budget MaxIterations was spent
	ReasonMemory                              // the memory of the query was spent
	ReasonCoarse                              // doubles are too coarse for the tolerance
	ReasonArea                                // beside one of the first two: contact over an area, or along a curve
)

// Reasons are the flags that say why.
const Reasons = ReasonIterations | ReasonMemory | ReasonCoarse | ReasonArea

// Reason names why a verdict is Undecided, by the flags of an impact: "iterations", "memory",
// "coarse" or "area"; else "". An area comes before the budget that was spent on it.
func Reason(flags uint32) string {
	switch {
	case flags&ReasonArea != 0:
		return "area"
	case flags&ReasonIterations != 0:
		return "iterations"
	case flags&ReasonMemory != 0:
		return "memory"
	case flags&ReasonCoarse != 0:
		return "coarse"
	}
	return ""
}

// Impact is the result of a query. Its layout is that of ccd_impact: 120 bytes, no hidden padding.
//
// Laws 1 to 4 of docs/numerics.md: Separate is a proof for all t in [0, t_max]; whatever the
// verdict, the primitives keep more than the minimum separation for every t < TOILo.
type Impact struct {
	Verdict      Verdict
	Kind         Kind
	A, B         int64   // indices of the two primitives; -1 for a bare pair
	TOILo, TOIHi float64 // fractions of the step; +Inf when separate
	U, V         float64 // parameters on the primitives at the impact
	Point        [3]float64
	Normal       [3]float64 // unit, from b to a; zero when separate
	Width        float64    // the size of the last box, a length: how tight the result is
	Flags        uint32
	Reserved     uint32
}

// SetSeparate writes the verdict Separate.
func (i *Impact) SetSeparate(k Kind) {
	*i = Impact{Verdict: Separate, Kind: k, A: -1, B: -1, TOILo: math.Inf(1), TOIHi: math.Inf(1)}
}

// Before orders impacts by (TOILo, Kind, A, B), with EdgeFace before the other kinds: the order of
// every list of impacts.
func (i *Impact) Before(j *Impact) bool {
	if i.TOILo != j.TOILo {
		return i.TOILo < j.TOILo
	}
	if i.Kind != j.Kind {
		return i.Kind%EdgeFace < j.Kind%EdgeFace
	}
	if i.A != j.A {
		return i.A < j.A
	}
	return i.B < j.B
}
