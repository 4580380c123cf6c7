// Package kernel is the seam between the algorithms and what computes on many pairs at a time. An
// algorithm hands a Batch of pairs to a Backend and gets back the pairs that it has to look at
// itself; which instructions, or which device, did the work it does not know.
//
// What a Filter drops is proven separate; what it keeps is any superset of the pairs in contact. A
// Finder's and a Placer's answers are unique: every backend returns the same bits, or none. So a
// backend may be exchanged only where answers are unique (the exact methods), or where it is the
// one the method is written for; CPU is that one.
package kernel

import (
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/linear"
)

// Batch is pairs of one kind. Positions in Index name the pairs.
type Batch struct {
	Kind  geom.Kind
	Step  *geom.Trajectories
	Index [][4]int32 // the vertices of each pair
	TMax  float64    // end of the time that matters
	// Separation is one of the max norm, whose cube holds the ball of a Euclidean separation.
	Separation float64
	Stages     Stages // the stages of a filter
	Order      *Order // the order of the stages Floats and InPlane; nil: Floats comes first
	Single     bool   // Floats may be in single precision: other pairs that do not touch are left then
}

// Order is in which order Floats and InPlane test the pairs of a batch. Floats comes first, and
// InPlane where it dropped over four times as many of what Floats had left as Floats itself: nearly
// all pairs are of one sort, and in a flat mesh, where most are coplanar, Floats drops none. (Where
// both drop many, InPlane takes longer.) What is left after both does not depend on it.
type Order struct {
	inPlaneFirst bool
	batches      int // tested since then
	precision    Precision
}

// Precision is in which precisions floats test the pairs of a batch that may be in single
// precision. A trial takes both, one after the other.
type Precision struct {
	noSingle, noDouble bool
	batches            int // since the last trial began
}

// trial begins a batch and reports whether it is a trial.
func (p *Precision) trial() bool {
	if p.batches == 0 {
		p.noSingle, p.noDouble = false, false
	}
	trial := p.batches == 0
	p.batches = (p.batches + 1) % trialBatches
	return trial
}

// trialBatches is the number of batches after which both precisions are tried again.
const trialBatches = 16

// learn takes how many of n pairs single precision has left in a trial, and how many of those
// double precision. A pair takes 7 to 9 ns in single and 11 to 15 in double precision, and one that
// is left 80 in the next stage: so double precision pays where it drops an eighth of what single
// left. Single precision does not where the scene is far too large or small for its range, or
// everything is nearly coplanar.
func (p *Precision) learn(n, single, double int) {
	p.noDouble = 8*(single-double) <= single
	p.noSingle = !p.noDouble && n-single < single-double
}

// orderBatches is the number of batches after which Floats comes first again: what it would drop is
// not known while InPlane comes first.
const orderBatches = 16

// stages returns Floats and InPlane in their order.
func (o *Order) stages() [2]Stages {
	if o != nil && o.inPlaneFirst {
		return [2]Stages{InPlane, Floats}
	}
	return [2]Stages{Floats, InPlane}
}

// learn takes how many pairs of a batch the first and the second stage have dropped.
func (o *Order) learn(dropped [2]int) {
	switch {
	case o == nil:
	case o.inPlaneFirst:
		o.batches++
		o.inPlaneFirst = o.batches < orderBatches
	default:
		o.inPlaneFirst, o.batches = dropped[1] > 4*dropped[0], 0
	}
}

// Stages are the parts of a filter that a caller wants, in the order in which they are done.
type Stages uint8

// The stages.
const (
	// The coordinate axes, over the whole step; needless where the pairs' boxes are known to meet.
	Axes       Stages = 1 << iota
	Floats            // directions and signs in floats, with error bounds
	InPlane           // directions within the plane of a pair that is coplanar at all times
	TimePieces        // the same on pieces of the time, which says on which of them a pair may touch
)

// Survivors are the pairs that a filter keeps. The slices are the caller's, each as long as the
// batch's Index.
type Survivors struct {
	List       []int32 // positions, ascending: List[:N]
	TimePieces []uint8 // the stage TimePieces sets a bit for each eighth of [0, TMax] on which the pair may touch
	N          int
	Axes       int // how many the stage Axes dropped
}

// Margin makes the filters of a search prove more than the search needs, so that what they drop
// stays apart on motions nearby. A nil Margin is none; it changes no answer.
type Margin struct {
	Width float64       // >= 0, added to every separation of a filter
	Left  func(i int32) // gets each query that is not proven to keep more than its separation and Width
}

// Beyond returns a separation with the margin, rounded up.
func (m *Margin) Beyond(separation float64) float64 {
	if m == nil {
		return separation
	}
	return num.AddUp(separation, m.Width)
}

// Leaves passes the queries of a list to Left; first is added to each position.
func (m *Margin) Leaves(first int, list []int32) {
	if m != nil {
		for _, i := range list {
			m.Left(int32(first) + i)
		}
	}
}

// Filter proves pairs separate.
type Filter interface {
	// Filter keeps in out the pairs of b that the stages cannot prove separate.
	Filter(b *Batch, out *Survivors)
}

// States of a pair in Finder.
const (
	Unknown = linear.RootUndecided // the finder cannot say
	None    = linear.RootNone      // no contact on this piece of time
	Contact = linear.RootContact   // toi is the earliest time of contact on this piece, rounded down
)

// Finder finds times of contact at separation 0.
type Finder interface {
	// Find writes, for each position in list, the state of that pair on the given piece of time,
	// and the time of a contact.
	Find(b *Batch, list []int32, piece []uint8, toi []float64, state []uint8)
}

// Placer finds where primitives touch at separation 0.
type Placer interface {
	// Place writes, for each position in list, where the pair touches at its time of contact, to
	// the columns of out; done is 0 where it does not answer.
	Place(b *Batch, list []int32, toi []float64, out *Places, done []uint8)
}

// Backend is all of these. For a kind that it does not support, none of its functions may be
// called.
type Backend interface {
	Supports(k geom.Kind) bool
	Filter
	Finder
	Placer
}

// Places is what a Placer writes: a column for each position of its list, at most PlaceLen of them.
type Places = linear.Places

// The rows of Places.
const (
	PlaceLen    = linear.PlaceLen
	PlaceU      = linear.PlaceU
	PlaceV      = linear.PlaceV
	PlaceWidth  = linear.PlaceWidth
	PlacePoint  = linear.PlacePoint  // three rows
	PlaceNormal = linear.PlaceNormal // three rows
)
