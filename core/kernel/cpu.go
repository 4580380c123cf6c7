package kernel

import (
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/box"
	"ccd/simd/curve"
	"ccd/simd/linear"
	"ccd/simd/still"
)

// CPU is the kernels of package simd, at the level that this processor has.
var CPU Backend = cpu{}

type cpu struct{}

// ofList filters a list of pairs.
type ofList = func(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int

// perKind are the kernels for one kind of pair. Size: one field for each kernel.
type perKind struct {
	axes    func(rec []float64, idx [][4]int32, sep float64, out []int32) int
	floats  [2]ofList // filters in single precision and in double precision
	inPlane ofList
	pieces  func(rec []float64, idx [][4]int32, list []int32, tmax, sep float64, out []int32, masks []uint8) int
	find    func(rec []float64, idx [][4]int32, list []int32, piece []uint8, tmax float64, toi []float64,
		state []uint8)
	place     func(rec []float64, idx [][4]int32, list []int32, toi []float64, out *linear.Places, done []uint8)
	diagonals func(rec []float64, idx [][4]int32, gap float64, out []int32) int
	cross     func(a, b *box.Cross, idx [][4]int32, lanes [][2]int32) int
	near      func(rec []float64, idx [][4]int32, d float64, out []int32) int
	enclose   func(rec []float64, idx [][4]int32, list []int32, out *still.Enclosures)
	axesOf    func(rec []float64, degree int, idx [][4]int32, sep float64, out []int32) int
	curved    func(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep float64, out []int32) int
	curved32  func(rec []float64, degree int, idx [][4]int32, list []int32, tmax, sep, off float64, out []int32) int
	rootsOf   func(rec []float64, degree int, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8)
	timesOf   func(rec []float64, degree int, idx [][4]int32, list []int32, at, toi []float64, state []uint8)
	placeOf   func(rec []float64, degree int, idx [][4]int32, list []int32, toi []float64, out *linear.Places,
		done []uint8)
}

// kernels has no entry for the kinds that have no kernels.
var kernels = [...]perKind{
	geom.VertexFace: {linear.AxisCullVF, [2]ofList{linear.Filter32VF, linear.FilterVF}, linear.InPlaneVF,
		linear.TimePiecesVF, linear.RootsVF, linear.PlaceVF, linear.DiagonalVF, box.CrossVF, still.NearVF,
		still.EncloseVF, curve.AxesVF, curve.FilterVF, curve.Filter32VF, curve.RootsVF, curve.TimesVF, curve.PlaceVF},
	geom.EdgeEdge: {linear.AxisCullEE, [2]ofList{linear.Filter32EE, linear.FilterEE}, linear.InPlaneEE,
		linear.TimePiecesEE, linear.RootsEE, linear.PlaceEE, linear.DiagonalEE, box.CrossEE, still.NearEE,
		still.EncloseEE, curve.AxesEE, curve.FilterEE, curve.Filter32EE, curve.RootsEE, curve.TimesEE, curve.PlaceEE},
}

// Supports reports whether there are kernels for a kind.
func (cpu) Supports(k geom.Kind) bool { return 0 < k && int(k) < len(kernels) }

func (cpu) Filter(b *Batch, out *Survivors) {
	k, rec, n := &kernels[b.Kind], b.Step.Rec, len(b.Index)
	if b.Stages&Axes != 0 {
		n = k.axes(rec, b.Index, b.Separation, out.List)
	} else {
		for i := range n {
			out.List[i] = int32(i)
		}
	}
	out.Axes = len(b.Index) - n
	var dropped [2]int
	for i, stage := range b.Order.stages() {
		before := n
		switch b.Stages & stage {
		case Floats:
			n = k.filter(b, out.List[:n])
		case InPlane:
			n = k.inPlane(rec, b.Index, out.List[:n], b.TMax, b.Separation, out.List)
		}
		dropped[i] = before - n
	}
	b.Order.learn(dropped)
	if b.Stages&TimePieces != 0 {
		n = k.pieces(rec, b.Index, out.List[:n], b.TMax, b.Separation, out.List, out.TimePieces)
	}
	out.N = n
}

// filter is the stage Floats: it keeps the pairs of a list that floats cannot prove separate, and
// returns their number.
func (k *perKind) filter(b *Batch, list []int32) int {
	rec, single, double := b.Step.Rec, k.floats[0], k.floats[1]
	if !b.Single || b.Order == nil || !linear.Single() {
		return double(rec, b.Index, list, b.TMax, b.Separation, list)
	}
	p := &b.Order.precision
	trial := p.trial()
	n := len(list)
	if !p.noSingle {
		n = single(rec, b.Index, list, b.TMax, b.Separation, list)
	}
	left := n
	if !p.noDouble {
		n = double(rec, b.Index, list[:n], b.TMax, b.Separation, list)
	}
	if trial {
		p.learn(len(list), left, n)
	}
	return n
}

func (cpu) Find(b *Batch, list []int32, piece []uint8, toi []float64, state []uint8) {
	kernels[b.Kind].find(b.Step.Rec, b.Index, list, piece, b.TMax, toi, state)
}

func (cpu) Place(b *Batch, list []int32, toi []float64, out *Places, done []uint8) {
	kernels[b.Kind].place(b.Step.Rec, b.Index, list, toi, out, done)
}

// Diagonals writes to out the positions of the pairs that no diagonal of two axes separates by more
// than gap, and returns their number: linear.DiagonalVF.
func Diagonals(k geom.Kind, step *geom.Trajectories, index [][4]int32, gap float64, out []int32) int {
	return kernels[k].diagonals(step.Rec, index, gap, out)
}

// Near writes to out the positions of the pairs that floats cannot prove to be farther apart than d
// at the start of the step, and returns their number: still.NearVF. Those left out are farther
// apart than d (1 + 2^-21).
func Near(k geom.Kind, step *geom.Trajectories, index [][4]int32, d float64, out []int32) int {
	return kernels[k].near(step.Rec, index, d, out)
}

// Enclosures are the results of Enclose, in rows.
type Enclosures = still.Enclosures

// The rows of Enclosures, and how many columns they have.
const (
	EncloseLo  = still.EncloseLo
	EncloseHi  = still.EncloseHi
	EncloseU   = still.EncloseU
	EncloseV   = still.EncloseV
	EncloseLen = still.EncloseLen
)

// Enclose encloses the distances of at most EncloseLen pairs of a list at the start of the step,
// where floats can: still.EncloseVF.
func Enclose(k geom.Kind, step *geom.Trajectories, index [][4]int32, list []int32, out *Enclosures) {
	kernels[k].enclose(step.Rec, index, list, out)
}

// Crossings writes to out the positions of the edge-face pairs that floats cannot prove to have no
// common point at the start of the step, ^i for a pair i that is proven to cross inside of both,
// and returns their number: still.FilterEF.
func Crossings(step *geom.Trajectories, edges [][2]int32, faces [][3]int32, pairs [][2]int32, out []int32) int {
	return still.FilterEF(step.Rec, edges, faces, pairs, out)
}

// Curves is paths of one degree, a polynomial in t for each vertex.
type Curves struct {
	Degree int
	// The coordinates of the Degree + 1 control points of each vertex, vertex by vertex; and one
	// number more.
	Rec []float64
	Off float64 // how far they may be from the true ones, on each axis
}

// Supports reports whether Filter takes paths of this degree, and pairs of the kind.
func (c Curves) Supports(k geom.Kind) bool {
	return (c.Degree == 2 || c.Degree == 3) && CPU.Supports(k)
}

// Filter writes to out the positions of the pairs that floats cannot prove to keep more than the
// separation, in the max norm, throughout [0, tMax], and returns their number: curve.Filter32VF,
// and curve.AxesVF and curve.FilterVF as far as p has learnt that they pay.
func (c Curves) Filter(k geom.Kind, index [][4]int32, tMax, separation float64, p *Precision, out []int32) int {
	kernel := &kernels[k]
	double := separation
	if c.Off > 0 {
		double = num.AddUp(separation, 2*c.Off)
	}
	trial := p.trial()
	if p.noSingle || !linear.Single() {
		n := kernel.axesOf(c.Rec, c.Degree, index, double, out)
		return kernel.curved(c.Rec, c.Degree, index, out[:n], tMax, double, out)
	}
	list := out[:len(index)]
	for i := range list {
		list[i] = int32(i)
	}
	left := kernel.curved32(c.Rec, c.Degree, index, list, tMax, separation, c.Off, list)
	n := left
	if !p.noDouble {
		n = kernel.curved(c.Rec, c.Degree, index, list[:n], tMax, double, list)
	}
	if trial {
		p.learn(len(index), left, n)
	}
	return n
}

// Roots looks for a root of coplanarity of the pairs at the positions of list, each in a part
// [from, to] of the time: None where there is no contact in it, Contact where there is one root,
// which may be one, about at toi, else Unknown. There is no separation: curve.RootsVF.
func (c Curves) Roots(k geom.Kind, index [][4]int32, list []int32, from, to, toi []float64, state []uint8) {
	kernels[k].rootsOf(c.Rec, c.Degree, index, list, from, to, toi, state)
}

// Times writes the largest doubles toi not above the roots that are near the times at, and whether
// they are contacts: curve.TimesVF.
func (c Curves) Times(k geom.Kind, index [][4]int32, list []int32, at, toi []float64, state []uint8) {
	kernels[k].timesOf(c.Rec, c.Degree, index, list, at, toi, state)
}

// Place writes where the pairs of list touch, at most PlaceLen of them, each strictly between the
// time and the next double; done is 0 where it does not answer: curve.PlaceVF.
func (c Curves) Place(k geom.Kind, index [][4]int32, list []int32, toi []float64, out *Places, done []uint8) {
	kernels[k].placeOf(c.Rec, c.Degree, index, list, toi, out, done)
}

// Cross writes the pairs of two lists of features whose boxes are not apart, and returns their
// number: box.CrossVF.
func Cross(k geom.Kind, a, b *box.Cross, index [][4]int32, lanes [][2]int32) int {
	return kernels[k].cross(a, b, index, lanes)
}
