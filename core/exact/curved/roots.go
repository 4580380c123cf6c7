package curved

import (
	"math"

	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/kernel"
)

// CurveFinder decides batches of pairs on paths of degree 2 and 3, of one piece and without a
// separation, by kernels; scratch of one goroutine, ready as it is.
//
// A pair's first root of f = A.(B x C) is looked for part by part of the time, from the first to
// the last. A part in which kernels.Roots proves that there is no contact is left behind; one with
// a single root that may be a contact goes to kernels.Times, and its answer counts if the root that
// it rounds is that one: if it is in the part. Any other part is halved. So a contact that is found
// is the first, and its time is that of MotionResolver, which is unique.
type CurveFinder struct {
	part          []timePart // by position
	list, one     []int32
	from, to, toi []float64
	at, time      []float64
	state, found  []uint8

	where kernel.Places
	done  [kernel.PlaceLen]uint8
}

// timePart is [i, i + 1] 2^-depth.
type timePart struct {
	i     uint64
	depth int
}

// curveHalvings is how often a part of the time is halved; what is left goes to MotionResolver.
const curveHalvings = 7

// Find writes the state of each pair for t in [0, tMax], kernel.None, Contact or Unknown, and of a
// contact the largest double that is not above its time.
func (f *CurveFinder) Find(c *kernel.Curves, k geom.Kind, index [][4]int32, tMax float64, toi []float64,
	state []uint8) {
	first := timePart{depth: min(30, max(0, -math.Ilogb(tMax)-1))} // not shorter than [0, tMax], but for tMax < 2^-30
	f.resize(len(index))
	for i := range index {
		f.list[i], f.part[i], state[i], toi[i] = int32(i), first, kernel.Unknown, 0
	}
	for list := f.list; len(list) > 0; {
		for j, i := range list {
			p := f.part[i]
			unit := math.Float64frombits(uint64(1023-p.depth) << 52) // 2^-depth
			f.from[j], f.to[j] = float64(p.i)*unit, float64(p.i+1)*unit
		}
		n := len(list)
		c.Roots(k, index, list, f.from[:n], f.to[:n], f.toi[:n], f.state[:n])
		f.round(c, k, index, list)
		left := list[:0]
		for j, i := range list {
			p := &f.part[i]
			switch {
			case f.state[j] == kernel.Contact && f.toi[j] < tMax:
				state[i], toi[i] = kernel.Contact, f.toi[j]
			case f.state[j] == kernel.Contact:
				state[i] = kernel.None
			case f.state[j] == kernel.None && f.to[j] >= min(tMax, 1):
				state[i] = kernel.None
			case f.state[j] == kernel.None:
				p.next()
				left = append(left, i)
			case f.state[j] == kernel.Unknown && p.depth < first.depth+curveHalvings:
				*p = timePart{2 * p.i, p.depth + 1}
				left = append(left, i)
			}
		}
		list = left
	}
}

// next goes to the part behind: the second half of the shortest part of which the first half ends
// here.
func (p *timePart) next() {
	for p.i++; p.i&1 == 0 && p.depth > 0; p.depth-- {
		p.i >>= 1
	}
}

// undecidedRoot is the state of a root that floats cannot place: halving would not help.
const undecidedRoot = 0xff

// round replaces, for each pair of the list with a single root, the state and the time by those of
// the rounded root.
func (f *CurveFinder) round(c *kernel.Curves, k geom.Kind, index [][4]int32, list []int32) {
	n := 0
	for j, i := range list {
		if f.state[j] == kernel.Contact {
			f.one[n], f.at[n] = i, f.toi[j]
			n++
		}
	}
	if n == 0 {
		return
	}
	c.Times(k, index, f.one[:n], f.at[:n], f.time[:n], f.found[:n])
	n = 0
	for j := range list {
		if f.state[j] != kernel.Contact {
			continue
		}
		f.state[j], f.toi[j] = f.found[n], f.time[n]
		if f.found[n] == kernel.Unknown || !(f.toi[j] >= f.from[j] && f.toi[j] < f.to[j]) {
			f.state[j] = undecidedRoot
		}
		n++
	}
}

// resize makes room for n pairs.
func (f *CurveFinder) resize(n int) {
	if len(f.part) < n {
		f.part, f.list, f.one = make([]timePart, n), make([]int32, n), make([]int32, n)
		for _, list := range []*[]float64{&f.from, &f.to, &f.toi, &f.at, &f.time} {
			*list = make([]float64, n)
		}
		f.state, f.found = make([]uint8, n), make([]uint8, n)
	}
	f.list = f.list[:n]
}

// Place passes to place each pair that Find found in contact: with the whole impact if kernels find
// where it touches, else with nil.
func (f *CurveFinder) Place(c *kernel.Curves, k geom.Kind, index [][4]int32, toi []float64, state []uint8,
	place func(i int, im *geom.Impact)) {
	n := 0
	for i := range index {
		if state[i] == kernel.Contact {
			f.one[n], f.at[n] = int32(i), toi[i]
			n++
		}
	}
	var im geom.Impact
	for first := 0; first < n; first += kernel.PlaceLen {
		list := f.one[first:min(first+kernel.PlaceLen, n)]
		c.Place(k, index, list, f.at[first:first+len(list)], &f.where, f.done[:len(list)])
		for j, i := range list {
			if f.done[j] == 0 {
				place(int(i), nil)
				continue
			}
			exact.ReportPlaced(k, &f.where, j, toi[i], &im)
			place(int(i), &im)
		}
	}
}
