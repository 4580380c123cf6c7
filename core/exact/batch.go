package exact

import (
	"math"
	"math/bits"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// block is the number of queries that go through the batched stages at a time: their lists fit the
// first-level cache.
const block = 1024

// lists are the scratch of a batch. Position k of every list but the last four belongs to query
// alive[k].
type lists struct {
	batch     kernel.Batch
	survivors kernel.Survivors
	order     kernel.Order

	alive [block]int32
	masks [block]uint8 // one bit for each piece of time on which the query may touch; 0: it is separate
	toi   [block]float64
	known [block]bool // whether toi is the earliest time of contact, rounded down

	waiting, query [block]int32
	piece, state   [block]uint8
	root           [block]float64
}

// Batch resolves the queries idx, each as many vertices of the motion as the kind has points. It
// calls emit in order for every query that is not separate; emit must not keep im. The results are
// those of Resolve, bit for bit, because the batched stages only prove that queries are separate.
func (r *Resolver) Batch(kind geom.Kind, mo *geom.Trajectories, idx [][4]int32, tMax float64,
	emit func(i int, im *geom.Impact)) {
	r.Until(kind, mo, idx, &tMax, emit)
}

// Until is Batch with an end of time that emit may lower between queries, for a search for the
// earliest impact. Each query is decided for an end of time that is at least the present one, so no
// impact before the last end of time is lost.
func (r *Resolver) Until(kind geom.Kind, mo *geom.Trajectories, idx [][4]int32, tMax *float64,
	emit func(i int, im *geom.Impact)) {
	im := &r.impact
	*im = geom.Impact{}
	if r.Remote.First(kind, idx, *tMax, 0) {
		r.finishRemote(kind, mo, idx, tMax, im, emit)
		return
	}
	for first := 0; first < len(idx); first += block {
		part := idx[first:min(first+block, len(idx))]
		if !kernel.CPU.Supports(kind) {
			r.untilSingle(kind, mo, part, first, *tMax, im, emit)
			continue
		}
		b := &r.lists.batch
		*b = kernel.Batch{Kind: kind, Step: mo, Index: part, TMax: *tMax, Separation: r.Margin.Beyond(0), Single: true,
			Stages: kernel.Axes | kernel.Floats | kernel.InPlane | kernel.TimePieces}
		n := r.sieve(b)
		r.Margin.Leaves(first, r.lists.alive[:n])
		r.roots(b, n)
		r.finish(b, first, n, tMax, im, emit)
	}
}

// untilSingle is Until for kinds without kernels; first is the position of the first query.
func (r *Resolver) untilSingle(kind geom.Kind, mo *geom.Trajectories, idx [][4]int32, first int, tMax float64,
	im *geom.Impact, emit func(i int, im *geom.Impact)) {
	var q [24]float64
	for i := range idx {
		if r.Margin != nil {
			r.Margin.Left(int32(first + i))
		}
		mo.Query(kind, &idx[i], &q)
		if r.Resolve(kind, q[:], tMax, im); im.Verdict != geom.Separate {
			emit(first+i, im)
		}
	}
}

// finish decides the first n queries of the lists: those of b that the batched stages did not prove
// separate. first is the position of b's first query in the caller's list.
func (r *Resolver) finish(b *kernel.Batch, first, n int, tMax *float64, im *geom.Impact,
	emit func(i int, im *geom.Impact)) {
	r.placed.next = 0
	for k := range n {
		if r.lists.masks[k] == 0 || r.lists.known[k] && r.lists.toi[k] >= *tMax {
			continue // The contact is later than its toi.
		}
		i := r.lists.alive[k]
		if r.Wanted != nil && !r.Wanted(first+int(i)) {
			continue
		}
		if r.lists.known[k] && (r.Times && r.timeKnown(b.Kind, k, im) || r.placeKnown(b, k, n, *tMax, im)) {
			emit(first+int(i), im)
			continue
		}
		b.Step.Query(b.Kind, &b.Index[i], &r.query)
		if !r.touch(b.Kind, k, im) {
			r.decide(b.Kind, *tMax, im)
		}
		if im.Verdict != geom.Separate {
			emit(first+int(i), im)
		}
	}
}

// finishRemote decides the queries that a device left, block by block, like those that the kernels
// of the CPU leave.
func (r *Resolver) finishRemote(kind geom.Kind, mo *geom.Trajectories, idx [][4]int32, tMax *float64, im *geom.Impact,
	emit func(i int, im *geom.Impact)) {
	remote, l := r.Remote, &r.lists
	b := &l.batch
	*b = kernel.Batch{Kind: kind, Step: mo, Index: idx, TMax: *tMax}
	r.Stats.Separate[StageFilter] += int64(len(idx) - len(remote.List))
	for first := 0; first < len(remote.List); first += block {
		n := copy(l.alive[:], remote.List[first:])
		copy(l.masks[:n], remote.Masks[first:])
		copy(l.toi[:n], remote.TOI[first:])
		for k := range n {
			l.known[k] = remote.State[first+k] == kernel.Contact
			if l.known[k] && l.toi[k] >= b.TMax { // the next piece, and the contact, begin beyond it
				l.masks[k] = 0
			}
			if l.masks[k] == 0 {
				r.Stats.Separate[StageDouble]++
			}
		}
		r.finish(b, 0, n, tMax, im, emit)
	}
}

// BatchIntervals calls emit, in order, for each query of a motion that has intervals of contact: i
// is its position in idx, and list is valid until emit returns. As in Batch, the kernels only prove
// pairs separate.
func (r *Resolver) BatchIntervals(kind geom.Kind, mo *geom.Trajectories, idx [][4]int32, tMax float64,
	emit func(i int, list []geom.Interval)) {
	list := r.listed
	defer func() { r.listed = list[:0] }()
	for first := 0; first < len(idx); first += block {
		part := idx[first:min(first+block, len(idx))]
		if !kernel.CPU.Supports(kind) {
			var q [24]float64
			for i := range part {
				mo.Query(kind, &part[i], &q)
				if list = r.Intervals(kind, q[:], tMax, list[:0]); len(list) > 0 {
					emit(first+i, list)
				}
			}
			continue
		}
		b := &r.lists.batch
		*b = kernel.Batch{Kind: kind, Step: mo, Index: part, TMax: tMax, Single: true,
			Stages: kernel.Axes | kernel.Floats | kernel.InPlane | kernel.TimePieces}
		n := r.sieve(b)
		r.roots(b, n)
		for k := range n {
			if r.lists.masks[k] == 0 {
				continue
			}
			i := r.lists.alive[k]
			mo.Query(kind, &part[i], &r.query)
			if before, ok := 0, r.lists.known[k]; ok {
				if before, ok = r.oneRoot(widened[kind]); ok { // the contact that is known is all
					r.times.Begin(kind, list[:0])
					r.times.instant(r.lists.toi[k], false, tMax, before, -before)
					list = r.times.List
					emit(first+int(i), list)
					continue
				}
			}
			if list = r.everyContact(kind, tMax, list[:0]); len(list) > 0 {
				emit(first+int(i), list)
			}
		}
	}
}

// sieve writes to lists.alive and masks the queries that floats cannot prove separate, and returns
// their number.
func (r *Resolver) sieve(b *kernel.Batch) int {
	if r.Boxed {
		b.Stages &^= kernel.Axes
	}
	b.Order = &r.lists.order
	n := len(b.Index)
	out := &r.lists.survivors
	*out = kernel.Survivors{List: r.lists.alive[:n], TimePieces: r.lists.masks[:n]}
	kernel.CPU.Filter(b, out)
	r.Stats.Separate[StageAxis] += int64(out.Axes)
	r.Stats.Separate[StageFilter] += int64(n - out.Axes - out.N)
	return out.N
}

// roots looks for the first root of each of the first n queries of the lists, one piece of time
// after the other. A contact on a piece is the earliest if all pieces before it have none.
func (r *Resolver) roots(b *kernel.Batch, n int) {
	l := &r.lists
	for k := range n {
		l.known[k] = false
		l.waiting[k] = int32(k)
	}
	for n > 0 {
		for j, k := range l.waiting[:n] {
			l.query[j] = l.alive[k]
			l.piece[j] = uint8(bits.TrailingZeros8(l.masks[k]))
		}
		kernel.CPU.Find(b, l.query[:n], l.piece[:n], l.root[:n], l.state[:n])
		m := 0
		for j, k := range l.waiting[:n] {
			switch l.state[j] {
			case kernel.Contact:
				l.known[k], l.toi[k] = true, l.root[j]
				if l.root[j] >= b.TMax { // the next piece, and the contact, begin beyond it
					l.masks[k] = 0
				}
			case kernel.None:
				if l.masks[k] &= l.masks[k] - 1; l.masks[k] != 0 {
					l.waiting[m] = k
					m++
				}
			}
			if l.masks[k] == 0 {
				r.Stats.Separate[StageDouble]++
			}
		}
		n = m
	}
}

// timeKnown writes the impact of query k of the lists, whose contact roots found, without its
// place. TOIHi is the next double, because a root that the kernels find is no double.
func (r *Resolver) timeKnown(kind geom.Kind, k int, out *geom.Impact) bool {
	r.Stats.Contact[StageDouble]++
	toi := r.lists.toi[k]
	*out = geom.Impact{
		Verdict: geom.Contact, Kind: kind, A: -1, B: -1, Flags: geom.Certified,
		TOILo: toi, TOIHi: math.Float64frombits(math.Float64bits(toi) + 1),
	}
	return true
}

// placeKnown writes the impact of query k of the lists, whose contact roots found, with the place
// that the kernel computes, and reports whether the kernel could. The kernel computes the next
// known contacts along with it.
func (r *Resolver) placeKnown(b *kernel.Batch, k, n int, tMax float64, out *geom.Impact) bool {
	p := &r.placed
	if k >= p.next {
		m := 0
		for p.next = k; p.next < n && m < len(p.toi); p.next++ {
			if q := p.next; r.lists.masks[q] != 0 && r.lists.known[q] && r.lists.toi[q] < tMax {
				p.query[m], p.toi[m] = r.lists.alive[q], r.lists.toi[q]
				m++
			}
		}
		p.find(b, m)
		p.at = 0
	}
	for p.query[p.at] != r.lists.alive[k] { // Queries are skipped that a lower tMax has excluded in the meantime.
		p.at++
	}
	if p.done[p.at] == 0 {
		return false
	}
	r.Stats.Contact[StageDouble]++
	p.report(b.Kind, p.at, out)
	return true
}

// touch writes the impact of r.query, query k of the lists, if roots found its contact and
// double-doubles can place it; it reports whether.
func (r *Resolver) touch(kind geom.Kind, k int, out *geom.Impact) bool {
	if !r.lists.known[k] {
		return false
	}
	r.found = found{floor: r.lists.toi[k], shape: 2, slack: [4]int{1, 1, 1, 1}}
	r.double.load(widened[kind], &r.query)
	if !r.double.place(&r.found) {
		return false
	}
	r.Stats.Contact[StageDouble]++
	r.report(kind, out)
	return true
}
