package ccd

import (
	"math"
	"slices"
	"sync"

	"ccd/core/patch"
	"ccd/core/status"
)

// PatchShape is the domain of a patch's parameters.
type PatchShape int32

// The shapes.
const (
	Curve    = PatchShape(patch.Curve)    // u in [0, 1]; of degree 0 it is a point
	Triangle = PatchShape(patch.Triangle) // u, v >= 0, u + v <= 1
	Quad     = PatchShape(patch.Quad)     // u, v in [0, 1]
)

// String returns "curve", "triangle" or "quad".
func (s PatchShape) String() string { return patch.Shape(s).String() }

// PatchForm is the shape and the degrees, up to 9, of a Bezier patch. V is 0 for curves and equals
// U for triangles.
//
// The order of the control points: of a curve by the power of u. Of a quad, point (i, j), i along u
// and j along v, has the index i (V+1) + j. Of a triangle of degree n, point (i, j), the power of u
// and of v, by rows of equal j: (0,0) (1,0) ... (n,0), (0,1) ... (n-1,1), ..., (0,n).
type PatchForm struct {
	Shape PatchShape
	U, V  int
}

// Points returns the number of control points of the form, or 0 if the form is not valid.
func (f PatchForm) Points() int {
	c := f.core()
	if c.Check() != nil {
		return 0
	}
	return c.Points()
}

func (f PatchForm) core() patch.Form {
	return patch.Form{Shape: patch.Shape(f.Shape), U: f.U, V: f.V}
}

// Patch is one moving Bezier patch, polynomial or rational: its control points at t = 0 and t = 1,
// 3 coordinates each, in the order of the form, each of which moves on a segment.
type Patch struct {
	Form    PatchForm
	X0, X1  []float64
	Weights []float64 // positive, one for each control point, the largest at most 2^100 times the least; nil: all equal
}

// core returns the patch of the core; name is that of the argument.
func (p *Patch) core(name string) (*patch.Patch, error) {
	if p == nil {
		return nil, status.Errorf(ErrArgument, "%s is nil", name)
	}
	c, err := patch.New(p.Form.core(), p.X0, p.X1, p.Weights)
	return c, named(name, err)
}

// named puts the name of an argument before the text of an error and keeps its kind.
func named(name string, err error) error {
	if err == nil {
		return nil
	}
	err = status.Invalid(err)
	return status.Errorf(status.Kind(err), "%s: %v", name, err)
}

// PatchBody is a set of patches on common control points: what a Mesh is to triangles.
// NewPatchBody, NewNURBS and PatchModel.Body make it; it does not change, and goroutines may share
// it.
type PatchBody struct {
	core *patch.Body
}

// NewPatchBody makes a body of patches on the given number of control points. index has the control
// points of each patch in turn, in the order of its form; weights has one for each entry of index,
// or is nil: all equal. The slices are copied.
//
// Errors are ErrArgument, ErrIndex and ErrNonFinite.
func NewPatchBody(points int, forms []PatchForm, index []int32, weights []float64) (b *PatchBody, err error) {
	defer entered(&err)
	if points < 0 || points > math.MaxInt32 {
		return nil, status.Errorf(ErrArgument, "points is %d: must be 0 to %d", points, math.MaxInt32)
	}
	list := make([]patch.Form, len(forms))
	for i, f := range forms {
		list[i] = f.core()
	}
	return patchBody(patch.NewBody(points, list, slices.Clone(index), slices.Clone(weights)))
}

// NURBS is the fixed part of a moving NURBS surface: everything but the control points. Point (i,
// j), i along u and j along v, has the index i n_v + j, with n_v points along v. Weights have the
// same order.
type NURBS struct {
	U, V int // degrees, from 1 to 9; V is 0 and KnotsV nil for a curve
	// KnotsU and KnotsV rise, are clamped or not, and may have any multiplicity. There are as many
	// as points along the parameter, plus the degree, plus 1.
	KnotsU, KnotsV []float64
	Weights        []float64 // positive, or nil: all equal
}

// NewNURBS makes a body of the Bezier patches of a NURBS surface or curve; v varies fastest. Its
// control points are those of the surface. The error bounds of each query include the rounding of
// the conversion. The slices are copied.
func NewNURBS(s NURBS) (b *PatchBody, err error) {
	defer entered(&err)
	return patchBody(patch.NewNURBS(&patch.NURBS{
		U: s.U, V: s.V, KnotsU: slices.Clone(s.KnotsU), KnotsV: slices.Clone(s.KnotsV), W: slices.Clone(s.Weights),
	}))
}

func patchBody(c *patch.Body, err error) (*PatchBody, error) {
	if err != nil {
		return nil, err
	}
	return &PatchBody{c}, nil
}

// Points returns the number of control points of the body.
func (b *PatchBody) Points() int {
	if b == nil || b.core == nil {
		return 0
	}
	return b.core.Points()
}

// Patches returns the number of patches of the body.
func (b *PatchBody) Patches() int {
	if b == nil || b.core == nil {
		return 0
	}
	return b.core.Patches()
}

// PatchModel is the content of a file: patches on common control points, as NewPatchBody takes
// them.
type PatchModel struct {
	Points  []float64 // 3 coordinates for each control point
	Forms   []PatchForm
	Index   []int32
	Weights []float64 // nil: all equal
}

// ReadPatches reads a file of patches: a list of Bezier patches as of the Utah teapot, OBJ with
// free-form curves and surfaces, or JSON. The content determines the format. NURBS and B-splines
// become Bezier patches, whose control points are rounded. Errors are ErrFile; they name the path
// and the line.
func ReadPatches(path string) (m *PatchModel, err error) {
	defer entered(&err)
	return patchModel(patch.Read(path))
}

// DecodePatches is ReadPatches for the content of a file.
func DecodePatches(data []byte) (m *PatchModel, err error) {
	defer entered(&err)
	return patchModel(patch.Decode(data))
}

func patchModel(c *patch.Model, err error) (*PatchModel, error) {
	if err != nil {
		return nil, err
	}
	forms := converted(c.Forms, func(f *patch.Form) PatchForm { return PatchForm{PatchShape(f.Shape), f.U, f.V} })
	return &PatchModel{c.Points, forms, c.Index, c.Weights}, nil
}

// Body returns a body of all patches.
func (m *PatchModel) Body() (b *PatchBody, err error) {
	defer entered(&err)
	if m == nil {
		return nil, status.Errorf(ErrArgument, "model is nil")
	}
	return NewPatchBody(len(m.Points)/3, m.Forms, m.Index, m.Weights)
}

// PatchStep is a body over one step: its control points at both ends, 3 coordinates each.
type PatchStep struct {
	Body   *PatchBody
	X0, X1 []float64
}

// core returns the step as the core takes it; name is that of the argument.
func (s *PatchStep) core(name string) (*patch.BodyStep, error) {
	if s.Body == nil || s.Body.core == nil {
		return nil, status.Errorf(ErrArgument, "%s.Body is nil or zero: make it with NewPatchBody", name)
	}
	return &patch.BodyStep{Body: s.Body.core, X0: s.X0, X1: s.X1}, nil
}

// PatchImpact is the first contact of two patches, or the answer that there is none.
//
// Separate is a proof: the distance exceeds Options.MinSeparation for all t in [0, TMax]. Otherwise
// it does so for all t <= TOILo, unless TOILo is 0. Contact: at TOIHi the distance is at most
// MinSeparation + Tolerance + rounding. Undecided: Options.MaxIterations or the memory of one query
// is reached, or weights are very far apart: Flags.Reason says which.
type PatchImpact struct {
	Verdict      Verdict
	Flags        Flags      // InitialContact, Certified
	A, B         int        // indices of the patches in their bodies; -1 where there is none
	TOILo, TOIHi float64    // fractions of the step; +Inf when separate
	UVA, UVB     [2]float64 // parameters of the points in contact, on both patches
	Point        [3]float64 // the point of A at TOILo
	Normal       [3]float64 // unit, from B to A; zeros when separate
	Width        float64    // a length: how far the points move against each other from TOILo to TOIHi
}

func patchImpactOf(i *patch.Impact) PatchImpact {
	return PatchImpact{
		Verdict: Verdict(i.Verdict), Flags: Flags(i.Flags), A: int(i.A), B: int(i.B), TOILo: i.TOILo, TOIHi: i.TOIHi,
		UVA: i.UVA, UVB: i.UVB,
		Point: i.Point, Normal: i.Normal, Width: i.Width,
	}
}

// PatchPair returns the first contact of two patches, of any shapes. A and B of the impact are -1.
//
// Calls on patches use MinSeparation (Euclidean), TMax, Tolerance, MaxIterations (pairs of
// subpatches that a query may test), NoZeroTOI, Threads, Progress and Stats. MemoryLimit also
// bounds the memory of each query; 0 stands for 256 MiB there.
func PatchPair(a, b *Patch, o *Options) (PatchImpact, error) {
	return onPatches(o, func(s *patch.Scene, o *patch.Options) (im PatchImpact, err error) {
		pa, err := a.core("a")
		if err != nil {
			return im, err
		}
		pb, err := b.core("b")
		if err != nil {
			return im, err
		}
		var found patch.Impact
		if err := s.Pair(pa, pb, o, &found); err != nil {
			return im, err
		}
		return patchImpactOf(&found), nil
	})
}

// PatchEarliest returns the first contact between a patch of a and one of b: the one with the least
// TOILo, of equal ones the first in the order (A, B). Patches of one body are not tested against
// each other: see PatchSelfEarliest.
func PatchEarliest(a, b PatchStep, o *Options) (PatchImpact, error) {
	return onBodies(&a, &b, o, func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) (PatchImpact, error) {
		first, err := s.Earliest(a, b, o)
		return patchImpactOf(&first), err
	})
}

// PatchCollisions returns the impact of every pair of patches that is not Separate, sorted by
// (TOILo, A, B).
func PatchCollisions(a, b PatchStep, o *Options) ([]PatchImpact, error) {
	return onBodies(&a, &b, o, func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) ([]PatchImpact, error) {
		list, err := s.Collisions(a, b, o)
		return converted(list, patchImpactOf), err
	})
}

// PatchManifold samples where two bodies first come into contact: the earliest impact first, then
// others that begin within timeWindow, in [0, 1], after it, with points at least minDistance, above
// 0, from each other. It is empty if the bodies stay separate.
func PatchManifold(a, b PatchStep, timeWindow, minDistance float64, o *Options) ([]PatchImpact, error) {
	return onBodies(&a, &b, o, func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) ([]PatchImpact, error) {
		list, err := s.Manifold(a, b, timeWindow, minDistance, o)
		return converted(list, patchImpactOf), err
	})
}

// PatchUnresolved counts the pairs of adjacent parts that a call on a body against itself could not
// prove separate.
type PatchUnresolved struct {
	Pairs int
	TFrom float64 // they are proven separate for t < TFrom; +Inf if there are none
}

// PatchSelfEarliest returns the first contact of a body with itself, between two patches or within
// one: A <= B.
//
// Patches whose control points are equal along an edge or at a corner, at both ends of the step,
// touch there at all times; that is no contact. Pairs of points that differ by at most
// neighbourhood, in every parameter, from a common point may be nearer than MinSeparation, and
// where even touching cannot be excluded they are unresolved. neighbourhood is in [2^-20, 1/2], and
// 0 stands for 1/64.
//
// The proof has no gap if unresolved.Pairs is 0, or if unresolved.TFrom >= TOILo.
func PatchSelfEarliest(b PatchStep, neighbourhood float64, o *Options) (im PatchImpact,
	unresolved PatchUnresolved, err error) {
	return onItself(&b, o,
		func(s *patch.Scene, b *patch.BodyStep, o *patch.Options) (PatchImpact, patch.Unresolved, error) {
			first, u, err := s.SelfEarliest(b, neighbourhood, o)
			return patchImpactOf(&first), u, err
		})
}

// PatchSelfCollisions returns the impact of every pair of patches of a body, A <= B, that is not
// Separate; see PatchSelfEarliest.
func PatchSelfCollisions(b PatchStep, neighbourhood float64, o *Options) (list []PatchImpact,
	unresolved PatchUnresolved, err error) {
	return onItself(&b, o,
		func(s *patch.Scene, b *patch.BodyStep, o *patch.Options) ([]PatchImpact, patch.Unresolved, error) {
			list, u, err := s.SelfCollisions(b, neighbourhood, o)
			return converted(list, patchImpactOf), u, err
		})
}

// PatchSelfManifold samples where a body first comes into contact with itself: see PatchManifold
// and PatchSelfEarliest.
func PatchSelfManifold(b PatchStep, timeWindow, minDistance, neighbourhood float64, o *Options) (list []PatchImpact,
	unresolved PatchUnresolved, err error) {
	return onItself(&b, o,
		func(s *patch.Scene, b *patch.BodyStep, o *patch.Options) ([]PatchImpact, patch.Unresolved, error) {
			list, u, err := s.SelfManifold(b, timeWindow, minDistance, neighbourhood, o)
			return converted(list, patchImpactOf), u, err
		})
}

// patchScenes is a pool of the working memory of calls.
var patchScenes = sync.Pool{New: func() any { return new(patch.Scene) }}

// onPatches runs a call with a scene of the pool.
func onPatches[T any](o *Options, call func(s *patch.Scene, o *patch.Options) (T, error)) (T, error) {
	return with(&patchCalls, o, func(set *settings) (T, error) {
		s := patchScenes.Get().(*patch.Scene)
		out, err := call(s, set.patch())
		patchScenes.Put(s) // a panic skips this: its scene may be inconsistent
		return out, err
	})
}

// onBodies does the same for a call on two bodies.
func onBodies[T any](a, b *PatchStep, o *Options,
	call func(s *patch.Scene, a, b *patch.BodyStep, o *patch.Options) (T, error)) (T, error) {
	return onPatches(o, func(s *patch.Scene, o *patch.Options) (out T, err error) {
		ca, err := a.core("a")
		if err != nil {
			return out, err
		}
		cb, err := b.core("b")
		if err != nil {
			return out, err
		}
		return call(s, ca, cb, o)
	})
}

// onItself does the same for a call on a body against itself, and returns the unresolved pairs too.
func onItself[T any](b *PatchStep, o *Options,
	call func(s *patch.Scene, b *patch.BodyStep, o *patch.Options) (T, patch.Unresolved, error),
) (T, PatchUnresolved, error) {
	var unresolved PatchUnresolved
	out, err := onPatches(o, func(s *patch.Scene, o *patch.Options) (out T, err error) {
		c, err := b.core("b")
		if err != nil {
			return out, err
		}
		out, u, err := call(s, c, o)
		if err == nil {
			unresolved = PatchUnresolved{int(u.Pairs), u.TFrom}
		}
		return out, err
	})
	return out, unresolved, err
}
