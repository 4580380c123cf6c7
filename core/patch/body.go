package patch

import (
	"fmt"
	"math"
)

// Body is a set of patches on common control points: what a mesh is to triangles. Patches that share control points at
// corners or along edges are neighbours there. A body does not change; its control points are given anew at every step.
type Body struct {
	points  int
	patches []part
	index   []int32
	weights []float64 // one for each entry of index, or nil
}

// part is one patch of a body: its form, and where its control points begin in the index.
type part struct {
	form  Form
	first int
}

// NewBody makes a body of the given number of control points. index holds the control points of each patch in turn, in the
// order of its form; weights, or nil, one for each entry.
func NewBody(points int, forms []Form, index []int32, weights []float64) (*Body, error) {
	b := &Body{points: points, index: index, weights: weights}
	at := 0
	for i, f := range forms {
		if err := f.Check(); err != nil {
			return nil, fmt.Errorf("patch %d: %w", i, err)
		}
		b.patches = append(b.patches, part{f, at})
		at += f.Points()
	}
	if at != len(index) {
		return nil, fmt.Errorf("%w: %d indices, not the %d that the patches have", ErrArgument, len(index), at)
	}
	for i, p := range index {
		if p < 0 || int(p) >= points {
			return nil, fmt.Errorf("%w: index[%d] is %d: there are %d control points", ErrIndex, i, p, points)
		}
	}
	if weights == nil {
		return b, nil
	}
	if len(weights) != at {
		return nil, fmt.Errorf("%w: %d weights for %d indices", ErrArgument, len(weights), at)
	}
	for i, p := range b.patches {
		if err := checkWeights(p.form.Points(), weights[p.first:p.first+p.form.Points()]); err != nil {
			return nil, fmt.Errorf("patch %d, from weights[%d] on: %w", i, p.first, err)
		}
	}
	return b, nil
}

// Points is how many control points the body has, Patches how many patches.
func (b *Body) Points() int  { return b.points }
func (b *Body) Patches() int { return len(b.patches) }

// indices are the control points of patch i.
func (b *Body) indices(i int) []int32 {
	p := &b.patches[i]
	return b.index[p.first : p.first+p.form.Points()]
}

// gather writes patch i of the body at a step, into storage that p brings along.
func (b *Body) gather(i int, x0, x1 []float64, p *Patch) {
	f := b.patches[i].form
	n := 3 * f.Points()
	if cap(p.X0) < n {
		p.X0, p.X1 = make([]float64, n), make([]float64, n)
	}
	p.Form, p.X0, p.X1, p.W = f, p.X0[:n], p.X1[:n], nil
	for k, v := range b.indices(i) {
		copy(p.X0[3*k:3*k+3], x0[3*v:])
		copy(p.X1[3*k:3*k+3], x1[3*v:])
	}
	if b.weights == nil {
		return
	}
	at := b.patches[i].first
	w := b.weights[at : at+n/3]
	for _, x := range w {
		if x != w[0] { // equal weights are none
			p.W = w
			return
		}
	}
}

// bounds is the box of one patch over a step.
type bounds struct {
	lo, hi [3]float64
	patch  int32
}

// boxes are those of all patches, grown by by.
func (b *Body) boxes(x0, x1 []float64, by float64) []bounds {
	out := make([]bounds, len(b.patches))
	for i := range out {
		x := &out[i]
		x.patch = int32(i)
		for k := range 3 {
			x.lo[k], x.hi[k] = math.Inf(1), math.Inf(-1)
		}
		for _, v := range b.indices(i) {
			for k := range 3 {
				p, q := x0[3*int(v)+k], x1[3*int(v)+k]
				x.lo[k], x.hi[k] = min(x.lo[k], p, q), max(x.hi[k], p, q)
			}
		}
		if by > 0 { // outwards: a sum of doubles is off by at most half a unit in its last place
			for k := range 3 {
				x.lo[k] = math.Nextafter(x.lo[k]-by, math.Inf(-1))
				x.hi[k] = math.Nextafter(x.hi[k]+by, math.Inf(1))
			}
		}
	}
	return out
}
