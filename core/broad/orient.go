package broad

import (
	"math"
	"sync/atomic"
	"unsafe"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
)

// Long and thin primitives beside the axes (rods, fibers, slivers) have boxes that are large and
// all but empty: a million parallel rods across a cube have 5 10^11 pairs of boxes that overlap. A
// plan may therefore compare boxes in the coordinates of a linear map (bound.Map), in which
// primitives of up to three directions are thin: for directions u, v and w these are v x w, w x u
// and u x v, of which each direction has two that vanish.
//
// Law: a plan with a map finds each pair at most once, and every pair that the filter and the slab
// allow and that comes within its separation at some time of [0, Until]. Proof. By the law of
// bound.Map the primitives of such a pair come within the separation along each row, where vertices
// move linearly, as they do along an axis. So the derivation of RecordSpace.Records holds, and
// their records overlap on every axis at an end of the motion or change sides. Everything later in
// the plan compares records. What a staticCull or a slab leaves out is in no such pair, by boxes
// along the axes.
//
// So a plan with a map finds other pairs than one without: far fewer, but some of boxes along the
// axes that are apart. Only callers whose results do not depend on pairs that stay apart set
// Tactic.Orient.
//
// A sample chooses the map, by the step alone. Other scenes pay little, because it gives up early:
// where boxes are not crowded, by the sample that the plan has; where no map makes the boxes of
// pairs much smaller; where a count of sampled pairs finds too few to save.

// How maps are chosen. Only speed depends on it.
const (
	orientLeast   = 4096 // primitives of a family below which no map is considered
	orientCrowd   = 4    // estimated overlaps of a primitive below which none is
	orientSampled = 64   // primitives whose directions are looked at
	orientVolume  = 0.4  // the part of the volume of boxes that a map must leave, at most
	orientShare   = 0.4  // the part of the overlaps that a map must leave, at most
	orientSaved   = 4    // overlaps of a primitive that a map must save, at least
	orientEnough  = 2000 // overlaps that are enough for a count
	modeCosine    = 0.94 // directions within 20 degrees are one
	modeShare     = 0.05 // the part of all lengths, squared, that is a direction of its own
	modeLeast     = 0.6  // the part of all lengths, squared, that must be near one of the directions
	modeTried     = 8    // sampled directions that are tried as such
	flatBasis     = 0.1  // the volume of three directions below which they are no basis
)

// scaled is c a.
func scaled(c float64, a *geom.Vec) geom.Vec { return geom.Vec{c * a[0], c * a[1], c * a[2]} }

// unit is a with length 1.
func unit(a *geom.Vec) geom.Vec { return scaled(1/math.Sqrt(geom.Dot3(a, a)), a) }

// crowding estimates how many boxes each box overlaps, as if they were spread evenly over the
// scene.
func (w *familyPlan) crowding(p *Plan) float64 {
	n, s := float64(w.last().n), &w.sample
	for k, e := range p.extent(s) {
		if size := s.Hi[k] - s.Lo[k]; size > 2*e {
			n *= 2 * e / size
		}
	}
	return n
}

// outlines samples the vertices of primitives at both ends of the plan's time, without the motion
// that most have in common.
type outlines struct {
	p     *Plan
	layer *layer
	size  float64 // the largest coordinate
	*outlineMemory
}

// outlineMemory is what the outlines of one plan after the other use.
type outlineMemory struct {
	some   []outline
	edges  []geom.Vec // Edges are those of outlines, of length 1.
	weight []float64  // Weight has their squared lengths.

	pairs  [][2]bound.Box // Pairs are boxes of outlines, by the axes and by a map.
	counts [][2]int       // Counts has the overlaps of each with those before.

	boxes []edgeBoxes
	met   [][2]int32
}

// bytes returns the memory.
func (m *outlineMemory) bytes() int {
	n := int(unsafe.Sizeof(outline{}))*cap(m.some) + int(unsafe.Sizeof(geom.Vec{}))*cap(m.edges)
	n += 8*cap(m.weight) + int(unsafe.Sizeof([2]bound.Box{}))*cap(m.pairs) + 16*cap(m.counts)
	return n + int(unsafe.Sizeof(edgeBoxes{}))*cap(m.boxes) + 8*cap(m.met)
}

// outline is the vertices of a primitive at both ends.
type outline struct {
	at [6]geom.Vec
	n  int
}

// sampled returns sampled primitive i of n, where stride is engine.Stride(n); any first ones are
// spread over the mesh.
func (c *outlines) sampled(i, n, stride int) outline {
	var o outline
	travel, until := &c.p.scratch.whole.Travel, c.p.how.Input.Until
	for _, v := range c.layer.vertices(int(int64(i) * int64(stride) % int64(n) * int64(c.layer.n) / int64(n))) {
		r := c.p.mo.Rec[8*int(v) : 8*int(v)+8]
		for k := range 3 { // Coordinates are in units of the size, so that no product overflows.
			o.at[o.n][k] = r[k] / c.size
			o.at[o.n+1][k] = (r[k] + (float64(until*(r[4+k]-r[k])) - travel[k])) / c.size
		}
		o.n += 2
	}
	return o
}

// longest returns the longest edge at an end.
func (o *outline) longest(end int) (best geom.Vec) {
	for i := end; i < o.n; i += 2 {
		for j := end; j < i; j += 2 {
			if e := geom.Sub3(&o.at[i], &o.at[j]); geom.Dot3(&e, &e) > geom.Dot3(&best, &best) {
				best = e
			}
		}
	}
	return best
}

// box returns the box of an outline with the rows of a map.
func (o *outline) box(rows *[3]geom.Vec, r float64) (b bound.Box) {
	for k := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range o.n {
			x := geom.Dot3(&rows[k], &o.at[i])
			lo, hi = min(lo, x), max(hi, x)
		}
		b.Min[k], b.Max[k] = lo-r, hi+r
	}
	return b
}

// candidate returns the map that makes boxes the smallest, if it makes them small enough, by a
// sample of n primitives.
func (c *outlines) candidate(n int) (best *bound.Map) {
	if !(c.size > 0) {
		return nil
	}
	grow(&c.some, n)
	for i, stride := 0, engine.Stride(n); i < n; i++ {
		c.some[i] = c.sampled(i, n, stride)
	}
	axes := bound.NewMap([3]geom.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, true)
	least := orientVolume * c.volume(axes)
	if c.p.how.Tactic.Orient == OrientAlways {
		least = math.Inf(1)
	}
	modes, share := c.modes()
	if share < modeLeast && c.p.how.Tactic.Orient != OrientAlways {
		return nil
	}
	for _, rows := range dualBases(modes) {
		m := bound.NewMap(rows, c.p.how.Input.Euclidean)
		if v := c.volume(m); v < least {
			best, least = m, v
		}
	}
	return best
}

// volume returns the mean volume in which the boxes of two primitives overlap, in units of the
// space of the input.
func (c *outlines) volume(m *bound.Map) (sum float64) {
	rows, r := m.Rows(), c.p.how.typical()/c.size
	size := func(b *bound.Box) geom.Vec { return geom.Sub3(&b.Max, &b.Min) }
	first := c.some[len(c.some)-1].box(rows, r)
	before := size(&first)
	for i := range c.some {
		b := c.some[i].box(rows, r)
		s, v := size(&b), 1.0
		for k := range s {
			v *= s[k] + before[k] + 0x1p-24
		}
		sum, before = sum+v, s
	}
	return sum / m.Volume()
}

// modes returns up to three directions that are common among the longest edges, and the part of
// these that are near one of them, by squared length.
func (c *outlines) modes() (out []geom.Vec, share float64) {
	edges, weight := c.edges[:0], c.weight[:0] // Edges are those at one end and at the other.
	defer func() { c.edges, c.weight = edges, weight }()
	out = make([]geom.Vec, 0, 3)
	all := 0.0
	for i := range c.some {
		for end := range 2 {
			e := c.some[i].longest(end)
			if w := geom.Dot3(&e, &e); w > 0 {
				edges, weight = append(edges, scaled(1/math.Sqrt(w), &e)), append(weight, w)
				all += w
			}
		}
	}
	for len(out) < 3 {
		var best geom.Vec
		most := modeShare * all
		for i, tried := 0, 0; i < len(edges) && tried < modeTried; i++ {
			if weight[i] == 0 {
				continue
			}
			tried++
			sum := 0.0
			for j := range edges {
				if math.Abs(geom.Dot3(&edges[j], &edges[i])) > modeCosine {
					sum += weight[j]
				}
			}
			if sum > most {
				best, most = edges[i], sum
			}
		}
		later := float64(float64(2-len(out)) * most) // the directions that follow are no more common
		if best == (geom.Vec{}) || c.p.how.Tactic.Orient != OrientAlways &&
			float64(share*all)+most+later < modeLeast*all {
			break
		}
		mean := geom.Vec{}
		for j, e := range edges {
			d := geom.Dot3(&e, &best)
			if math.Abs(d) > modeCosine {
				for k := range mean {
					mean[k] += float64(math.Copysign(weight[j], d) * e[k])
				}
				weight[j] = 0
			}
		}
		share += most / all
		out = append(out, unit(&mean))
	}
	return out, share
}

// dualBases returns the rows of maps for the first direction, the first two and all three.
func dualBases(modes []geom.Vec) (out [][3]geom.Vec) {
	dual := func(u, v, w *geom.Vec) {
		vw := geom.Cross3(v, w)
		if d := geom.Dot3(u, &vw); math.Abs(d) > flatBasis {
			out = append(out, [3]geom.Vec{vw, geom.Cross3(w, u), geom.Cross3(u, v)})
		}
	}
	if len(modes) == 0 {
		return nil
	}
	u, least := modes[0], 0
	for k := range u {
		if math.Abs(u[k]) < math.Abs(u[least]) {
			least = k
		}
	}
	var axis geom.Vec
	axis[least] = 1
	v := geom.Cross3(&u, &axis)
	v = unit(&v)
	w := geom.Cross3(&u, &v)
	dual(&u, &v, &w)
	for i, v := range modes[1:] {
		w := geom.Cross3(&u, &v)
		if i > 0 {
			w = modes[1]
		} else {
			w = unit(&w)
		}
		dual(&u, &v, &w)
	}
	return out
}

// paysRows is the number of rows of comparisons that a thread makes at once.
const paysRows = 16

// pays counts the overlaps of sampled boxes with and without a map, and reports whether it saves
// enough of them. Each sampled box is compared with those before, until there are enough overlaps
// without the map. Threads compare the rows at the same time, and the last ones in vain.
func (c *outlines) pays(m *bound.Map) (bool, error) {
	n := c.layer.n
	axes, rows := [3]geom.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, m.Rows()
	r := c.p.how.typical() / c.size
	some := grow(&c.pairs, min(n, int(5*math.Sqrt(float64(n)))))
	stride := engine.Stride(len(some))
	err := inBlocks(len(some), c.p.how.Work.Threads, func(_, from, to int) {
		for i := from; i < to; i++ {
			o := c.sampled(i, len(some), stride)
			some[i] = [2]bound.Box{o.box(&axes, r), o.box(rows, r)}
		}
	})
	if err != nil {
		return false, err
	}
	met := grow(&c.counts, len(some)) // met has those of each row.
	clear(met)
	blocks := (len(some) + paysRows - 1) / paysRows
	var enough atomic.Int64
	tasks := engine.NewTasks(0, blocks)
	err = engine.Parallel(max(1, min(c.p.how.Work.Threads, blocks/4)), func(int) {
		for b := range tasks.All() {
			for i := paysRows * b; i < min(paysRows*(b+1), len(some)); i++ {
				met[i] = overlaps(some[:i], &some[i])
				// The sum is that of all rows up to i, some of which others compare now.
				if enough.Add(int64(met[i][0])) > orientEnough {
					tasks.Stop()
				}
			}
		}
	})
	if err != nil {
		return false, err
	}
	var sum [2]int
	tested := 0
	for i := range met {
		sum[0], sum[1], tested = sum[0]+met[i][0], sum[1]+met[i][1], tested+i
		if sum[0] > orientEnough {
			break
		}
	}
	saved := float64(sum[0]-sum[1]) / float64(tested) * float64(n) / 2
	return float64(sum[1]) <= orientShare*float64(sum[0]) && saved >= orientSaved, nil
}

// overlaps counts the boxes that overlap one, by the axes and by a map.
func overlaps(some [][2]bound.Box, a *[2]bound.Box) (met [2]int) {
	for j := range some {
		for which := range met {
			if a[which].Overlaps(&some[j][which]) {
				met[which]++
			}
		}
	}
	return met
}
