package bound

import (
	"math"
	"slices"

	"ccd/core/geom"
)

// RecordSpace is the space of the records: axes in the order that suits the sweep, the origin in
// the middle of the scene, the scene's size near one. It keeps 24 bits enough for scenes far from
// the origin and of any size. Where most of a scene moves alike, the frame moves along, which
// shrinks the swept boxes.
//
// Whatever the frame, the records are sound (see Records); it decides only how many pairs are left.
type RecordSpace struct {
	Axis  [3]int        // record axis k is coordinate Axis[k]; the sweep runs along record axis 0
	C     [2][3]float64 // the center at both ends, in the order of Axis
	Scale float64       // a power of two

	Largest float64 // an upper bound of the magnitudes of coordinates
	Map     *Map    // nil, or the coordinates are those of this map
}

// sampleSize is how many primitives are looked at to choose a frame and a grid, and fewSize how
// many to choose a frame.
const (
	sampleSize = 512
	fewSize    = 128
)

// Sampler makes samples. It keeps its working memory, three columns of numbers or six, no longer
// than the sample.
type Sampler struct {
	Map      *Map // nil, or samples are in the coordinates of this map
	Few      bool // samples are for frames and estimates alone, and look at fewer primitives
	memory   []float64
	shared   bool // samples take traveled for what travel would return
	traveled [3]float64
}

// Share prepares for several samples of mo over [0, t], the same for all: what depends on the
// vertices alone is computed once.
func (m *Sampler) Share(mo *geom.Trajectories, t float64, still bool) {
	m.shared, m.traveled = true, [3]float64{}
	if !still {
		m.traveled = m.travel(mo, t)
	}
}

// ShareWith prepares for samples in the coordinates of other, which computed what samples share.
func (m *Sampler) ShareWith(other *Sampler) {
	m.Map, m.Few, m.shared, m.traveled = other.Map, other.Few, other.shared, other.traveled
}

// size is how many primitives a sample looks at, at most.
func (m *Sampler) size() int {
	if m.Few {
		return fewSize
	}
	return sampleSize
}

// columns returns k empty columns, each with room for n numbers.
func (s *Sampler) columns(k, n int) (c [6][]float64) {
	s.memory = slices.Grow(s.memory[:0], k*n)
	for i := range k {
		c[i] = s.memory[i*n : i*n : (i+1)*n]
	}
	return c
}

// Sample is statistics of a scene, from which frames and grids are chosen; none of it matters to
// soundness.
type Sample struct {
	Lo, Hi  [3]float64 // the bulk of the boxes' centers, per coordinate axis
	Extent  [3]float64 // mean extent of a box, the largest tenth left out
	Travel  [3]float64 // median displacement, where the frame should move along; else zero
	largest float64
	of      *Map
}

// NewSample is Sampler.Sample for a single use.
func NewSample(mo *geom.Trajectories, largest, t float64, n int, still bool, vertices func(i int) []int32) Sample {
	return new(Sampler).Sample(mo, largest, t, n, still, vertices)
}

// Sample looks at some of n primitives over [0, t]; vertices(i) are those of primitive i. With
// still, Travel is zero. largest is at least the magnitude of every coordinate of the input.
func (m *Sampler) Sample(mo *geom.Trajectories, largest, t float64, n int, still bool,
	vertices func(i int) []int32) Sample {
	s := Sample{largest: largest, of: m.Map}
	if m.Map != nil {
		s.largest = 2 * largest
	}
	switch {
	case m.shared:
		s.Travel = m.traveled
	case !still:
		s.Travel = m.travel(mo, t)
	}
	step := 1 + (n-1)/m.size()
	columns := m.columns(6, min(n, m.size()))
	center, extent := columns[:3], columns[3:]
	for i := 0; i < n; i += step {
		lo, hi := m.around(mo, vertices(i), t, &s.Travel)
		for k := range 3 {
			center[k], extent[k] = append(center[k], lo[k]+float64((hi[k]-lo[k])/2)), append(extent[k], hi[k]-lo[k])
		}
	}
	for k := range 3 {
		s.Lo[k], s.Hi[k] = bulk(center[k])
		s.Extent[k] = trimmedMean(extent[k])
	}
	return s
}

// vertex returns the coordinates of a vertex at both ends; memory is for those of a map.
func (m *Sampler) vertex(mo *geom.Trajectories, v int, memory *[8]float64) []float64 {
	r := mo.Rec[8*v : 8*v+8]
	if m.Map == nil {
		return r
	}
	m.Map.Apply(r, memory[:])
	return memory[:]
}

// around is the box of some vertices over [0, t], seen from what moves by travel.
func (m *Sampler) around(mo *geom.Trajectories, vertices []int32, t float64, travel *[3]float64) (lo, hi [3]float64) {
	var memory [8]float64
	for i, v := range vertices {
		r := m.vertex(mo, int(v), &memory)
		for k := range 3 {
			a, b := r[k], r[k]+(float64(t*(r[4+k]-r[k]))-travel[k])
			if a, b = min(a, b), max(a, b); i > 0 { // no branch on which is less: nothing foretells it
				a, b = min(a, lo[k]), max(b, hi[k])
			}
			lo[k], hi[k] = a, b
		}
	}
	return lo, hi
}

// travel is the displacement over [0, t] along each axis that suits most vertices: the median of a
// sample, if moving along at least halves the distance traveled, else zero.
func (m *Sampler) travel(mo *geom.Trajectories, t float64) (out [3]float64) {
	columns := m.columns(3, min(mo.N, m.size()))
	d := columns[:3]
	var memory [8]float64
	for v := 0; v < mo.N; v += 1 + (mo.N-1)/m.size() {
		r := m.vertex(mo, v, &memory)
		for k := range d {
			d[k] = append(d[k], r[4+k]-r[k])
		}
	}
	for k, d := range d {
		out[k] = float64(common(d) * t)
	}
	return out
}

// common is the median of some displacements if it stands for most of them, else zero. It changes
// their order.
func common(d []float64) float64 {
	if len(d) == 0 {
		return 0
	}
	m, rest, moving := nth(d, len(d)/2), 0.0, 0.0
	for _, x := range d {
		rest += math.Abs(x) / float64(len(d))
		moving += math.Abs(x-m) / float64(len(d))
	}
	if moving > rest/2 {
		return 0
	}
	return m
}

// bulk returns the bounds of all of x, at most sampleSize numbers, but a hundredth at either end.
func bulk(x []float64) (lo, hi float64) {
	if len(x) == 0 {
		return 0, 0
	}
	c := len(x) / 100
	var least, most [sampleSize/100 + 1]float64 // the c + 1 least numbers so far in rising order, and those of -x
	for i := range least {
		least[i], most[i] = math.Inf(1), math.Inf(1)
	}
	for _, v := range x {
		if v < least[c] {
			insert(least[:c+1], v)
		}
		if -v < most[c] {
			insert(most[:c+1], -v)
		}
	}
	return least[c], -most[c]
}

// insert puts v in its place among numbers in rising order and drops the last of them.
func insert(x []float64, v float64) {
	i := len(x) - 1
	for ; i > 0 && x[i-1] > v; i-- {
		x[i] = x[i-1]
	}
	x[i] = v
}

// trimmedMean is the mean of all of x but the largest tenth. It changes the order.
func trimmedMean(x []float64) float64 {
	n := len(x) - len(x)/10
	if n < len(x) {
		nth(x, n)
	}
	m := 0.0
	for _, v := range x[:n] {
		m += v / float64(n)
	}
	return m
}

// nth brings the k-th smallest of x to its place, with none larger before it, and returns it:
// Hoare's selection.
func nth(x []float64, k int) float64 {
	for lo, hi := 0, len(x)-1; lo < hi; {
		pivot, i, j := x[lo+(hi-lo)/2], lo, hi
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			lo = hi
		}
	}
	return x[k]
}

// RecordSpace is SpaceAlong for the axis along which the scene is longest in units of a box.
func (s *Sample) RecordSpace(r float64) RecordSpace {
	lengths, best := s.Lengths(r), 0
	for k, x := range lengths {
		if x > lengths[best] {
			best = k
		}
	}
	return s.SpaceAlong(best, r)
}

// Lengths returns the scene's length along each axis in units of a box that is inflated by r on
// each side.
func (s *Sample) Lengths(r float64) (out [3]float64) {
	for k := range out {
		// Halved, because the difference of two coordinates at the limit must not overflow once it
		// is divided.
		out[k] = (float64(s.Hi[k]/2) - float64(s.Lo[k]/2)) / (float64(s.Extent[k]/2) + r + 0x1p-1000)
	}
	return out
}

// SpaceAlong returns the record space of a sweep along an axis, with the center and scale for boxes
// inflated by r. The floats of its records are finite.
func (s *Sample) SpaceAlong(axis int, r float64) RecordSpace {
	f := RecordSpace{Axis: [3]int{axis, (axis + 1) % 3, (axis + 2) % 3}, Largest: s.largest, Map: s.of}
	for k, a := range f.Axis {
		f.C[0][k] = float64(s.Lo[a]/2) + float64(s.Hi[a]/2)
		f.C[1][k] = f.C[0][k] + s.Travel[a]
	}
	f.Scale = ScaleOf(math.Max(s.largest, r))
	return f
}

// ScaleOf returns the scale of a space for a scene and an inflation of at most some size. No float
// of a record exceeds 13 in magnitude then: |x -+ r - c| <= 6 size, for |c| <= 4 size; and size
// Scale < 2, or denormal sizes stay far below 1.
func ScaleOf(size float64) float64 {
	if !(size > 0) {
		return 1
	}
	return math.Ldexp(1, -max(min(math.Ilogb(size), 1000), -1000))
}
