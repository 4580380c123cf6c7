package patch

import (
	"fmt"
	"math"

	"ccd/core/geom"
	"ccd/core/status"
	"ccd/core/trim"
)

// faces are the faces of a trimmed body: the regions of their parameters, and what they have in
// common.
type faces struct {
	regions []*trim.Region
	joints  map[[2]int32][]joint // Keys are the numbers of two faces, the lesser first.
}

// joint is a curve, or a point, that two faces have in common: places on either, which correspond
// to each other, each joined to the next by a segment on either.
type joint [][4]float64

// Trim returns a body of the same patches, trimmed. A patch belongs to the face of[i], of which it
// covers the window windows[i]: x at u = 0 and u = 1, y at v = 0 and v = 1, in the plane of the
// face's parameters. Points of a patch count where they lie in the region of its face. Only quads
// and triangles have loops.
func (b *Body) Trim(regions []*trim.Region, of []int32, windows [][4]float64) (*Body, error) {
	n := len(b.patches)
	if len(of) != n || len(windows) != n {
		return nil, status.Errorf(status.ErrArgument, "%d faces of patches and %d windows: the body has %d patches",
			len(of), len(windows), n)
	}
	f := &faces{regions: regions, joints: map[[2]int32][]joint{}}
	list := make([]trimming, n)
	for i := range list {
		if of[i] < 0 || int(of[i]) >= len(regions) {
			return nil, status.Errorf(status.ErrIndex, "of[%d] is %d: there are %d faces", i, of[i], len(regions))
		}
		r := regions[of[i]]
		if b.patches[i].form.Shape == Curve && !r.Whole() {
			return nil, status.Errorf(status.ErrArgument,
				"patch %d is a curve: face %d, which has loops, cannot have it", i, of[i])
		}
		w := windows[i]
		for k, x := range w {
			if !(math.Abs(x) <= geom.MaxCoordinate) {
				return nil, fmt.Errorf("windows[%d][%d] is %v: %w", i, k, x, status.ErrNonFinite)
			}
		}
		if !(math.Abs(w[1]-w[0]) >= 1/geom.MaxCoordinate && math.Abs(w[3]-w[2]) >= 1/geom.MaxCoordinate) {
			return nil, status.Errorf(status.ErrArgument, "windows[%d] is %v: its sides must be at least 1e-150", i, w)
		}
		list[i] = trimming{f, of[i], r, [2][2]float64{{w[0], w[1]}, {w[2], w[3]}}}
	}
	out := *b
	out.trims = list
	return &out, nil
}

// Join returns a trimmed body in which faces have curves or points in common, besides those that it
// had: calls on a body against itself take them for neighbors there. Curve k joins the faces
// between[k]; places has counts[k] places of it, in the planes of the first and of the second face.
func (b *Body) Join(between [][2]int32, counts []int32, places [][4]float64) (*Body, error) {
	if b.trims == nil && b.Patches() > 0 {
		return nil, status.Errorf(status.ErrArgument, "the body has no faces: trim it first")
	}
	if len(between) != len(counts) {
		return nil, status.Errorf(status.ErrArgument, "%d counts for %d joints", len(counts), len(between))
	}
	out := *b
	out.trims = append([]trimming(nil), b.trims...)
	f := &faces{joints: map[[2]int32][]joint{}}
	if len(b.trims) > 0 {
		f.regions = b.trims[0].faces.regions
		for k, v := range b.trims[0].faces.joints {
			f.joints[k] = append([]joint(nil), v...)
		}
	}
	at := 0
	for i, pair := range between {
		n := int(counts[i])
		if n < 1 || n > len(places)-at {
			return nil, status.Errorf(status.ErrArgument, "joint %d has %d places: must be 1 to %d",
				i, n, len(places)-at)
		}
		for _, k := range pair {
			if k < 0 || int(k) >= len(f.regions) {
				return nil, status.Errorf(status.ErrIndex, "joint %d is of face %d: there are %d faces",
					i, k, len(f.regions))
			}
		}
		j, err := jointOf(i, places[at:at+n], pair[0] > pair[1])
		if err != nil {
			return nil, err
		}
		key := [2]int32{min(pair[0], pair[1]), max(pair[0], pair[1])}
		f.joints[key] = append(f.joints[key], j)
		at += n
	}
	if at != len(places) {
		return nil, status.Errorf(status.ErrArgument, "%d places: the joints need %d", len(places), at)
	}
	for i := range out.trims {
		out.trims[i].faces = f
	}
	return &out, nil
}

// jointOf copies the places of a joint; turned exchanges the faces.
func jointOf(i int, places [][4]float64, turned bool) (joint, error) {
	out := make(joint, len(places))
	for k, p := range places {
		for e, x := range p {
			if !(math.Abs(x) <= geom.MaxCoordinate) {
				return nil, fmt.Errorf("joint %d: places[%d][%d] is %v: %w", i, k, e, x, status.ErrNonFinite)
			}
		}
		if out[k] = p; turned {
			out[k] = [4]float64{p[2], p[3], p[0], p[1]}
		}
	}
	return out, nil
}

// Faces returns how many faces a trimmed body has, 0 for one that is not trimmed.
func (b *Body) Faces() int {
	if len(b.trims) == 0 {
		return 0
	}
	return len(b.trims[0].faces.regions)
}

// trimmingOf returns the trimming of patch i, or nil.
func (b *Body) trimmingOf(i int) *trimming {
	if b.trims == nil {
		return nil
	}
	return &b.trims[i]
}

// hasLoops reports whether some face of the body has loops.
func (b *Body) hasLoops() bool {
	for i := range b.trims {
		if !b.trims[i].region.Whole() {
			return true
		}
	}
	return false
}
