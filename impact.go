package ccd

import "ccd/core/geom"

// Verdict is the outcome of a query.
type Verdict int32

// The verdicts.
const (
	Undecided Verdict = iota // nothing touches before TOILo; Flags.Reason says why. The exact method is never undecided
	Separate                 // a proof: the distance exceeds the separation for all t in [0, TMax]
	Contact                  // the distance falls to the separation in [TOILo, TOIHi]
)

// String returns "undecided", "separate" or "contact".
func (v Verdict) String() string { return geom.Verdict(v).String() }

// Kind names the two primitives of a pair.
type Kind int32

// The kinds.
const (
	VertexFace Kind = 1 + iota
	EdgeEdge
	PointEdge  // a vertex of no edge, or the end of a rod, and an edge of no face
	PointPoint // two vertices of no edge
	EdgeFace   // an edge that passes through a face: only in results of proximity calls and of Options.CheckStart
)

// String returns "vertex-face" and so on.
func (k Kind) String() string { return geom.Kind(k).String() }

// Flags are facts about an impact.
type Flags uint32

// The flags of an impact.
const (
	Certified      = Flags(geom.Certified)      // a contact is proven to exist
	InitialContact = Flags(geom.InitialContact) // the contact is there at t = 0
	FinalContact   = Flags(geom.FinalContact)   // An Interval has it if the contact is there at TMax.
	Intersecting   = Flags(geom.Intersecting)   // beside InitialContact: an edge passes through a face at t = 0
)

// The flags that say why a verdict is Undecided; none of them where the call failed.
const (
	ReasonIterations = Flags(geom.ReasonIterations) // Options.MaxIterations was reached
	// ReasonMemory: one query reached its limit of memory, for patches MemoryLimit, or 256 MiB if
	// it is 0.
	ReasonMemory = Flags(geom.ReasonMemory)
	ReasonCoarse = Flags(geom.ReasonCoarse) // doubles are too coarse for the tolerance
	// ReasonArea, of patches and beside one of the first two: the contact seems to be over an area
	// or along a curve. This is no proof.
	ReasonArea = Flags(geom.ReasonArea)
)

// Reason names why a verdict is Undecided: "iterations", "memory", "coarse" or "area"; else "".
func (f Flags) Reason() string { return geom.Reason(uint32(f)) }

// Has reports whether all flags of g are set.
func (f Flags) Has(g Flags) bool { return f&g == g }

// Impact is the first contact of a pair, or the answer that there is none.
//
// Whatever the verdict, the primitives keep more than the separation for every t < TOILo: every
// step shorter than TOILo is safe. With the exact method TOILo is the largest double not above the
// time of contact, and TOIHi the next (or the same, if the time is a double).
//
// U and V give the points in contact, p_a of A and p_b of B:
//
//	vertex-face   p_b = (1-U-V) f0 + U f1 + V f2, p_a the vertex
//	edge-edge     p_a = (1-U) a0 + U a1, p_b = (1-V) b0 + V b1
//	point-edge    p_b = (1-U) e0 + U e1, V = 0
//	point-point   U = V = 0
//	edge-face     p_a = p_b = (1-U-V) f0 + U f1 + V f2
type Impact struct {
	Verdict      Verdict
	Kind         Kind
	A, B         int        // indices of the primitives; -1 where there is none
	TOILo, TOIHi float64    // fractions of the step; +Inf when separate
	U, V         float64    // see above
	Point        [3]float64 // the contact point at TOILo
	Normal       [3]float64 // unit, from B to A; zeros when separate
	Width        float64    // a length: how far the search was refined
	Flags        Flags
}

func impactOf(i *geom.Impact) Impact {
	return Impact{
		Verdict: Verdict(i.Verdict), Kind: Kind(i.Kind), A: int(i.A), B: int(i.B), TOILo: i.TOILo, TOIHi: i.TOIHi,
		U: i.U, V: i.V, Point: i.Point, Normal: i.Normal, Width: i.Width, Flags: Flags(i.Flags),
	}
}

// converted returns a list with each item converted.
func converted[From, To any](list []From, convert func(*From) To) []To {
	out := make([]To, len(list))
	for i := range list {
		out[i] = convert(&list[i])
	}
	return out
}
