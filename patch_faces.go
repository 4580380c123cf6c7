package ccd

import (
	"slices"

	"ccd/core/status"
	"ccd/core/trim"
)

// PatchFace is a face of a trimmed body: closed polygons in the plane of the face's parameters. A
// point is in the face if a ray from it crosses the loops an odd number of times, so orientation
// has no effect, and a loop within another is a hole. Without loops all of the face's patches
// counts.
type PatchFace struct {
	Loops     [][][2]float64 // corners; the last is joined to the first
	Tolerance [2]float64     // along x and y: how far the polygons may be from the curves that are meant
}

// PatchWindow says where a patch lies in the plane of its face: x at u = 0 and u = 1, y at v = 0
// and v = 1.
type PatchWindow struct {
	Face int
	X, Y [2]float64
}

// Trim returns a body of the same patches, trimmed: of each patch, the part counts that lies within
// the loops of its face. There is a window for each patch. In all calls Separate is then a proof
// for the points of the faces and those within the tolerance of the loops along both axes; the
// points of a contact belong to the faces, or are that near to the loops.
//
// Errors are ErrArgument, ErrIndex and ErrNonFinite.
func (b *PatchBody) Trim(faces []PatchFace, windows []PatchWindow) (out *PatchBody, err error) {
	defer entered(&err)
	if b == nil || b.core == nil {
		return nil, status.Errorf(ErrArgument, "the body is nil or zero: make it with NewPatchBody")
	}
	regions := make([]*trim.Region, len(faces))
	for i, f := range faces {
		var corners [][2]float64
		var counts []int32
		for _, l := range f.Loops {
			corners, counts = append(corners, l...), append(counts, int32(len(l)))
		}
		if regions[i], err = trim.New(corners, counts, f.Tolerance); err != nil {
			return nil, status.Errorf(status.Kind(status.Invalid(err)), "faces[%d]: %v", i, err)
		}
	}
	of, places := make([]int32, len(windows)), make([][4]float64, len(windows))
	for i, w := range windows {
		of[i], places[i] = int32(min(max(w.Face, -1), len(faces))), [4]float64{w.X[0], w.X[1], w.Y[0], w.Y[1]}
	}
	return patchBody(b.core.Trim(regions, of, places))
}

// PatchJoint is a curve, or with one place a point, that two faces have in common: x, y in the
// plane of face A and x, y of the same point in that of B. Each place is joined to the next by a
// segment.
type PatchJoint struct {
	A, B   int
	Places [][4]float64
}

// Join returns a trimmed body whose faces have curves or points in common, besides those that they
// had: the edges and vertices of a solid. Calls on the body against itself take the faces for
// neighbors there: pairs of points that both differ by at most the neighbourhood, in every
// parameter, from one place of a joint are not tested. They count as unresolved, unless both
// patches have one displacement.
//
// Errors are ErrArgument, ErrIndex and ErrNonFinite.
func (b *PatchBody) Join(joints []PatchJoint) (out *PatchBody, err error) {
	defer entered(&err)
	if b == nil || b.core == nil {
		return nil, status.Errorf(ErrArgument, "the body is nil or zero: make it with NewPatchBody and Trim")
	}
	between, counts := make([][2]int32, len(joints)), make([]int32, len(joints))
	var places [][4]float64
	for i, j := range joints {
		n := b.core.Faces()
		between[i] = [2]int32{int32(min(max(j.A, -1), n)), int32(min(max(j.B, -1), n))}
		counts[i], places = int32(len(j.Places)), append(places, slices.Clone(j.Places)...)
	}
	return patchBody(b.core.Join(between, counts, places))
}

// Faces returns the number of faces of a trimmed body, 0 for one that is not trimmed.
func (b *PatchBody) Faces() int {
	if b == nil || b.core == nil {
		return 0
	}
	return b.core.Faces()
}
