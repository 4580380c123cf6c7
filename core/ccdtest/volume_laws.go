package ccdtest

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// VolumeContact is the result of a method for a pair of a volume: the impact, with numbers of
// features, the vertices of the query, and the class, with the numbers of the C constants.
type VolumeContact struct {
	geom.Impact
	Vertices [4]int32
	Class    uint32
}

// VolumeMethod solves a step with the case's separation and t_max, for all classes of pairs: all
// contacts, and the earliest one.
type VolumeMethod func(c *VolumeCase, threads int) (all []VolumeContact, first VolumeContact, err error)

// volumePair is a pair of the universe with its truth.
type volumePair struct {
	known KnownCase
	class uint32
	a, b  int64
}

// VolumeTruth is all pairs of a case that touch, by exact arithmetic, with their vertices as keys.
// It takes nothing from core/volume: the universe, classes and the order of edges are made anew
// from live elements.
type VolumeTruth map[[5]int32]*volumePair

const ( // the classes
	betweenObjects = 1 << iota
	withinObject
	withinElement
	atSplit
)

// NewVolumeTruth tests with the oracle every pair of the universe that boxes over rationals do not
// keep apart.
func NewVolumeTruth(c *VolumeCase) VolumeTruth {
	v, truth := c.Volume, VolumeTruth{}
	objects := objectsOf(v)
	add := func(kind geom.Kind, q [4]int32, split int, a, b int) {
		if c.boxesApart(q, split) {
			return
		}
		p := &volumePair{known: NewKnownCase(c.query(kind, q)), a: int64(a), b: int64(b),
			class: classOf(c, objects, q, split)}
		if p.known.Truth.Contact {
			truth[[5]int32{int32(kind), q[0], q[1], q[2], q[3]}] = p
		}
	}
	for f, t := range v.Faces {
		if v.FaceOwner[f] < 0 {
			continue
		}
		for x := range v.NV {
			if v.VertexOwner[x] >= 0 && !slices.Contains(t[:], int32(x)) {
				add(geom.VertexFace, [4]int32{int32(x), t[0], t[1], t[2]}, 1, x, f)
			}
		}
	}
	for i, e := range v.Edges {
		for j, g := range v.Edges[:i] {
			if v.EdgeOwner[i] < 0 || v.EdgeOwner[j] < 0 || slices.Contains(g[:], e[0]) || slices.Contains(g[:], e[1]) {
				continue
			}
			if e[1] < g[1] { // Edges are ordered by their larger vertices, which differ.
				add(geom.EdgeEdge, [4]int32{e[0], e[1], g[0], g[1]}, 2, i, j)
			} else {
				add(geom.EdgeEdge, [4]int32{g[0], g[1], e[0], e[1]}, 2, j, i)
			}
		}
	}
	return truth
}

// query is the case of a pair.
func (c *VolumeCase) query(kind geom.Kind, q [4]int32) Case {
	k := Case{Family: c.Family, Kind: kind, D: c.D, Delta: narrow.DefaultOptions().Tolerance, TMax: c.TMax}
	for _, x := range [2][]float64{c.X0, c.X1} {
		for _, i := range q {
			k.Q = append(k.Q, x[3*i:3*i+3]...)
		}
	}
	return k
}

// boxesApart reports, over rationals, whether the boxes of two features over the step are more than
// d apart.
func (c *VolumeCase) boxesApart(q [4]int32, split int) bool {
	for k := range 3 {
		lo, hi := [2]float64{}, [2]float64{}
		for i, x := range q {
			side, first := 0, i == 0 || i == split
			if i >= split {
				side = 1
			}
			a, b := c.X0[3*int(x)+k], c.X1[3*int(x)+k]
			if first {
				lo[side], hi[side] = a, a
			}
			lo[side], hi[side] = min(lo[side], a, b), max(hi[side], a, b)
		}
		for _, gap := range [2][2]float64{{lo[1], hi[0]}, {lo[0], hi[1]}} {
			g := new(big.Rat).SetFloat64(gap[0])
			if g.Sub(g, new(big.Rat).SetFloat64(gap[1])).Cmp(new(big.Rat).SetFloat64(c.D)) > 0 {
				return true
			}
		}
	}
	return false
}

// objectsOf numbers the connected components of the live elements, by the least vertex.
func objectsOf(v *mesh.Volume) []int32 {
	object := make([]int32, v.NV)
	for i := range object {
		object[i] = int32(i)
	}
	for again := true; again; {
		again = false
		for e, k := range v.Kinds {
			if k == mesh.Removed {
				continue
			}
			least := int32(v.NV)
			for _, x := range v.Corners(int32(e)) {
				least = min(least, object[x])
			}
			for _, x := range v.Corners(int32(e)) {
				again = again || object[x] != least
				object[x] = least
			}
		}
	}
	return object
}

func classOf(c *VolumeCase, objects []int32, q [4]int32, split int) uint32 {
	v := c.Volume
	for e, k := range v.Kinds {
		if k == mesh.Removed {
			continue
		}
		corners, all := v.Corners(int32(e)), true
		for _, x := range q {
			all = all && slices.Contains(corners, x)
		}
		if all {
			return withinElement
		}
	}
	for _, a := range q[:split] {
		for _, b := range q[split:] {
			if v.Origin[a] == v.Origin[b] && [3]float64(c.X0[3*a:]) == [3]float64(c.X0[3*b:]) {
				return atSplit
			}
		}
	}
	if objects[q[0]] == objects[q[3]] {
		return withinObject
	}
	return betweenObjects
}

// CheckVolume runs a method on a case, in the max norm, and returns the laws that it breaks:
//
//	0  the list is in the order of time, kind and vertices, names the features of the volume, and
//	   each contact is well formed
//	1  a pair that is not listed is separate
//	2  no contact is before its toi_lo
//	3  those listed are in contact, at the exact time; and of the class that they are
//	4  the earliest contact is the first of the list, and separate means that there is none
//	7  the same bits for any number of threads
//	9  contact data of those listed
func CheckVolume(c *VolumeCase, truth VolumeTruth, m VolumeMethod) (broken []error) {
	all, first, err := m(c, 1)
	if err != nil {
		return []error{err}
	}
	listed := map[[5]int32]bool{}
	for i := range all {
		broken = append(broken, checkContact(c, truth, all, i)...)
		listed[keyOf(&all[i])] = true
	}
	for key := range truth {
		if !listed[key] {
			broken = append(broken, violation(1, "%v is not listed: contact at t = %v", key, truth[key].known.Truth.Lo))
		}
	}
	if len(all) == 0 && first.Verdict != geom.Separate || len(all) > 0 && first != all[0] {
		broken = append(broken, violation(4, "the earliest of %d is %+v", len(all), first))
	}
	for threads := 2; threads <= 3; threads++ {
		again, other, err := m(c, threads)
		if err != nil || !slices.Equal(again, all) || other != first {
			broken = append(broken, violation(7, "with %d threads %d contacts, with one %d, or others; %v", threads,
				len(again), len(all), err))
		}
	}
	return broken
}

func keyOf(c *VolumeContact) [5]int32 {
	return [5]int32{int32(c.Kind), c.Vertices[0], c.Vertices[1], c.Vertices[2], c.Vertices[3]}
}

func checkContact(c *VolumeCase, truth VolumeTruth, all []VolumeContact, i int) (broken []error) {
	x := &all[i]
	if i > 0 && !before(&all[i-1], x) {
		broken = append(broken, violation(0, "contact %d does not come after the one before: %+v", i, *x))
	}
	p := truth[keyOf(x)]
	if p == nil {
		return append(broken, violation(3, "%+v is no contact of the universe", *x))
	}
	if x.A != p.a || x.B != p.b || x.Class != p.class {
		broken = append(broken, violation(3, "features %d, %d of class %d are reported as %d, %d of class %d", p.a, p.b,
			p.class, x.A, x.B, x.Class))
	}
	o, bare := p.known.Options(), x.Impact
	o.Flags = narrow.MaxNorm
	bare.A, bare.B = -1, -1
	for _, law := range []int{0, 2, 3, 9} {
		if err := laws[law](&p.known, &o, &bare, Promise{Exact: true}); err != nil {
			broken = append(broken, fmt.Errorf("%+v: %w", *x, err))
		}
	}
	return broken
}

// before is the order of contacts: time, kind, and the vertices of either feature, the largest
// first.
func before(a, b *VolumeContact) bool {
	if a.TOILo != b.TOILo {
		return a.TOILo < b.TOILo
	}
	if a.Kind != b.Kind {
		return a.Kind < b.Kind
	}
	order := func(x *VolumeContact) []int32 {
		q := x.Vertices
		split := 1
		if x.Kind == geom.EdgeEdge {
			split = 2
		}
		p := slices.Clone(q[:])
		slices.SortFunc(p[:split], func(a, b int32) int { return cmp.Compare(b, a) })
		slices.SortFunc(p[split:], func(a, b int32) int { return cmp.Compare(b, a) })
		return p
	}
	return slices.Compare(order(a), order(b)) < 0
}

var knownVolumes sync.Map // maps a family and a seed to a VolumeTruth

// Volumes holds a method to the laws on so many cases of every family; with -short on the last one
// only.
func Volumes(t *testing.T, cases int, m VolumeMethod) {
	t.Helper()
	contacts, classes, first := 0, uint32(0), 0
	if testing.Short() {
		first = cases - 1
	}
	for i := range VolumeFamilies {
		for seed := uint64(first); seed < uint64(cases); seed++ {
			c := NewVolumeCase(&VolumeFamilies[i], seed)
			known, ok := knownVolumes.Load(c.String())
			if !ok {
				known, _ = knownVolumes.LoadOrStore(c.String(), NewVolumeTruth(&c))
			}
			truth := known.(VolumeTruth)
			contacts += len(truth)
			for _, p := range truth {
				classes |= p.class
			}
			for _, err := range CheckVolume(&c, truth, m) {
				t.Errorf("%v:\n%v", &c, err)
			}
			if t.Failed() {
				return
			}
		}
	}
	if contacts < 10*len(VolumeFamilies) || classes != betweenObjects|withinObject|withinElement|atSplit {
		t.Errorf("%d contacts of classes %x show too little", contacts, classes)
	}
}
