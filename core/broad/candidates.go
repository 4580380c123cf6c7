package broad

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"ccd/core/broad/hierarchy"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Candidates are the pairs of a broad phase, by kind, sorted by (a, b); a < b in edge-edge and
// point-point pairs.
//
// A sweep stores them as it finds them. They are sorted when first read, because sorting takes
// longer than finding them and not every caller reads them.
type Candidates struct {
	mesh       *mesh.Mesh
	separation float64
	radii      *mesh.Radii // at the sweep
	threads    int
	// kinds are those of a step, and pairs of an intersection test that a plan has found by pieces.
	kinds [geom.EdgeFace]kindPairs
	step  *geom.Trajectories // the step that they were swept for, where Keep was called
	held  atomic.Int32       // number of holders beside the owner

	filter  *mesh.Filter // filter is that of the sweep that found them, else nil.
	allowed *mesh.Filter // allowed is a filter that allows all of them, which a caller had, else nil.
	unboxed bool         // their boxes are not compared
	extent  [3]float64   // mean extents of the boxes in that sweep
}

// Hold protects the candidates from a Release by their owner, until Release is called once more.
// Without Hold and Release the garbage collector frees them.
func (c *Candidates) Hold() { c.held.Add(1) }

// Release ends a Hold, or the owner's use. The last one returns the memory to the next sweep.
func (c *Candidates) Release() {
	if c.held.Add(-1) < 0 {
		for k := range c.kinds {
			p := &c.kinds[k]
			p.found.free()
			p.masks.Free()
			if p.sorted != nil {
				list := p.sorted
				sortedPairs[k].Put(&list)
				p.sorted, p.n = nil, 0
			}
		}
	}
}

// sortedPairs keeps the pairs of released candidates, by kind, between calls until the garbage
// collector takes them: to write a pair into fresh memory takes longer than to sort it.
var sortedPairs [geom.EdgeFace]sync.Pool

// wastedPairs bounds how much more memory than it needs a list takes.
const wastedPairs = 4

// newPairs returns n pairs of a kind, whatever they are.
func newPairs(k geom.Kind, n int) [][2]int32 {
	if p, _ := sortedPairs[k-1].Get().(*[][2]int32); p != nil && cap(*p) >= n && cap(*p) <= wastedPairs*n {
		return (*p)[:n]
	}
	return make([][2]int32, n)
}

// kindPairs holds the pairs of a kind, as found or sorted.
type kindPairs struct {
	sync.Mutex
	n      int
	masks  *hierarchy.Pairs // masks has the pairs of a sweep by the hierarchy until they are read, else nil.
	found  pairList
	sorted [][2]int32
}

// sparsePairs is the number of pairs, of each first primitive, below which to sort the pairs of
// masks one by one takes less time than hierarchy.Sorted, which visits all primitives.
const sparsePairs = 4

// sortInto writes the pairs of a kind to out in their order. Their first members are below n,
// second ones below m.
func sortInto[T int32 | int64](k *kindPairs, out [][2]T, n, m, threads int) error {
	switch pairs := k.masks.Len(); {
	case pairs == 0:
		return sortPairs(&k.found, out, n, m, threads)
	case pairs >= sparsePairs*n:
		return hierarchy.Sorted(k.masks, out, n, m, threads)
	}
	var l pairList
	k.masks.Each(l.reserve, l.commit)
	err := sortPairs(&l, out, n, m, threads)
	l.free()
	return err
}

// take moves the pairs that workers have found for a family into k.
func (k *kindPairs) take(found [][]pairList, family int) {
	for i := range found {
		k.found.chunks = append(k.found.chunks, found[i][family].chunks...)
	}
	k.n = k.found.length()
}

// Mesh returns the mesh of the candidates.
func (c *Candidates) Mesh() *mesh.Mesh { return c.mesh }

// Keep stores the step that the candidates were swept for, so that Contains can check others. The
// candidates own the motion from now on.
func (c *Candidates) Keep(mo *geom.Trajectories) { c.step = mo }

// Contains returns an error that names the first vertex that leaves the box of its motion in the
// candidates' step at an end of the step mo of the same mesh. Without Keep it returns nil.
//
// A primitive's box is the hull of its vertices' boxes. So if each vertex stays within its box,
// each primitive's box is within the one that was swept, and boxes that overlap in mo overlapped in
// the sweep: no pair is missing from the list.
func (c *Candidates) Contains(mo *geom.Trajectories) error {
	if c.step == nil {
		return nil
	}
	for v := range mo.N {
		was, now := c.step.Rec[8*v:8*v+8], mo.Rec[8*v:8*v+8]
		for i := range 8 {
			lo, hi := min(was[i%4], was[4+i%4]), max(was[i%4], was[4+i%4])
			if x := now[i]; x < lo || x > hi {
				return fmt.Errorf("x%d[%d][%d] is %v: outside of [%v, %v], where the vertex was in the "+
					"step of the candidates; find candidates for this step",
					i/4, v, i%4, x, lo, hi)
			}
		}
	}
	return nil
}

// ContainsPaths is Contains for vertices on curved paths, of which control has points, pieces x
// (degree + 1) x n x 3: a path is within the hull of its control points, so within the box of its
// vertex's motion in the candidates' step where they all are.
func (c *Candidates) ContainsPaths(degree int, control []float64) error {
	if c.step == nil {
		return nil
	}
	n := c.step.N
	for at := range len(control) / 3 {
		v := at % n
		was := c.step.Rec[8*v : 8*v+8]
		for i := range 3 {
			lo, hi := min(was[i], was[4+i]), max(was[i], was[4+i])
			if x := control[3*at+i]; x < lo || x > hi {
				return fmt.Errorf("control[%d][%d][%d][%d] is %v: outside of [%v, %v], where the vertex was in the "+
					"step of the candidates; find candidates for this step",
					at/n/(degree+1), at/n%(degree+1), v, i, x, lo, hi)
			}
		}
	}
	return nil
}

// Radii returns the radii of the boxes in the sweep that found the candidates.
func (c *Candidates) Radii() *mesh.Radii { return c.radii }

// ValidFor returns an error unless the candidates contain every pair of m that may come within the
// separation and their radii: they must be of the same mesh, swept with at least this separation
// and no smaller radii. Contains checks the step.
func (c *Candidates) ValidFor(m *mesh.Mesh, separation float64, radii *mesh.Radii) error {
	if c.mesh != m {
		return fmt.Errorf("candidates are of another mesh")
	}
	if !(c.separation >= separation) {
		return fmt.Errorf("candidates are for a separation of %v, not %v", c.separation, separation)
	}
	if i, now, then, found := radii.Exceeds(c.radii); found {
		return fmt.Errorf("candidates are for a radius[%d] of %v, not %v", i, then, now)
	}
	return nil
}

// Of returns the pairs of one kind, as the indices of geom.Impact.A and B, sorted at the first
// call. The slice belongs to the candidates.
func (c *Candidates) Of(k geom.Kind) [][2]int32 {
	if !k.Known() {
		return nil
	}
	p := &c.kinds[k-1]
	p.Lock()
	defer p.Unlock()
	if len(p.sorted) < p.n {
		sorted := newPairs(k, p.n)
		n, m := c.below(k)
		must(sortInto(p, sorted, n, m, c.threads))
		p.sorted = sorted
		p.found.free()
		p.masks.Free()
	}
	return p.sorted
}

// Copy writes the first len(out) pairs of one kind to out.
func (c *Candidates) Copy(k geom.Kind, out [][2]int64) {
	p := &c.kinds[k-1]
	p.Lock()
	whole := len(p.sorted) < p.n && len(out) == p.n
	if whole {
		n, m := c.below(k)
		must(sortInto(p, out, n, m, c.threads))
	}
	p.Unlock()
	if whole {
		return
	}
	for i, x := range c.Of(k)[:len(out)] {
		out[i] = [2]int64{int64(x[0]), int64(x[1])}
	}
}

// below returns the numbers of primitives of a kind's first and second shape.
func (c *Candidates) below(k geom.Kind) (n, m int) {
	s := k.Info().Shapes
	return c.mesh.Count(s[0]), c.mesh.Count(s[1])
}

// Count returns the number of pairs of one kind.
func (c *Candidates) Count(k geom.Kind) int {
	if !k.Known() {
		return 0
	}
	return c.kinds[k-1].n
}

// Len returns the number of pairs of all kinds.
func (c *Candidates) Len() int {
	n := 0
	for k := range c.kinds {
		n += c.kinds[k].n
	}
	return n
}

// add appends a pair. add and sort are for BruteForce, which finds pairs one by one.
func (c *Candidates) add(k geom.Kind, a, b int32) {
	p := &c.kinds[k-1]
	p.sorted = append(p.sorted, [2]int32{a, b})
	p.n++
}

func (c *Candidates) sort() {
	for k := range c.kinds {
		slices.SortFunc(c.kinds[k].sorted, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	}
}
