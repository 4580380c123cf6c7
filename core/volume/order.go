package volume

import (
	"errors"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// patchSize is the size of a patch in tetrahedra, by the weights of its elements: its edges and
// faces then fill about ten blocks of eight boxes. Smaller patches make more pairs, larger ones
// more comparisons within a pair; between 16 and 48 the cost is flat.
const patchSize = 24

// weights has, for each kind of element, the number of tetrahedra that it stands for.
var weights = [15]int{
	mesh.Triangle: 1, mesh.Quadrilateral: 2, mesh.Tetrahedron: 1, mesh.Hexahedron: 4, mesh.Prism: 3, mesh.Pyramid: 3,
}

// order holds the live elements in the order of the tree's leaves: patch p is elements[p*size :
// (p+1)*size]. Edits leave gaps, -1.
type order struct {
	elements []int32
	size     int
	known    int          // number of elements of the volume, removed ones included, at the last build or edit
	center   [][3]float64 // scratch: the center of every element
}

// build sorts the elements so that every eight consecutive patches are near each other, and every
// eight of these groups, and so on: by medians along the longest extent of their centers at the
// start of the step.
func (o *order) build(v *mesh.Volume, mo *geom.Trajectories, threads int) error {
	o.elements, o.known = o.elements[:0], len(v.Kinds)
	if cap(o.center) < len(v.Kinds) {
		o.center = make([][3]float64, len(v.Kinds))
	}
	o.center = o.center[:len(v.Kinds)]
	weight := 0
	for e, k := range v.Kinds {
		if k == mesh.Removed {
			continue
		}
		o.elements = append(o.elements, int32(e))
		weight += weights[k]
		c := v.Corners(int32(e))
		part := 1 / float64(len(c))
		o.center[e] = [3]float64{}
		for _, x := range c {
			for k := range 3 {
				// The sum of the coordinates themselves might overflow.
				o.center[e][k] += float64(part * mo.Rec[8*int(x)+k])
			}
		}
	}
	o.size = 1
	if weight > 0 {
		o.size = max(1, patchSize*len(o.elements)/weight)
	}
	if err := o.split(o.elements, threads); err != nil {
		return err
	}
	for run := o.elements; len(run) > 0; run = run[min(o.size, len(run)):] {
		o.halve(run[:min(o.size, len(run))])
	}
	return nil
}

// halve sorts the elements of a patch so that consecutive ones are near each other: they form the
// blocks of features.
func (o *order) halve(run []int32) {
	const near = 3 // An element owns about eight edges and faces.
	if len(run) <= near {
		return
	}
	half := len(run) / 2
	o.selectNth(run, half, o.longest(run))
	o.halve(run[:half])
	o.halve(run[half:])
}

// patches returns the number of patches.
func (o *order) patches() int { return (len(o.elements) + o.size - 1) / o.size }

// split orders a run of elements that begins where a node of the tree begins. Its two halves are
// independent, so they are split in parallel.
func (o *order) split(run []int32, threads int) error {
	const worthwhile = 4096 // elements
	for len(run) > o.size {
		patches := (len(run) + o.size - 1) / o.size
		node := 1 // node is the number of patches of a child.
		for 8*node < patches {
			node *= 8
		}
		children := (patches + node - 1) / node
		left := children / 2 * node * o.size
		o.selectNth(run, left, o.longest(run))
		if threads > 1 && len(run) >= worthwhile {
			parts, errs := [2][]int32{run[:left], run[left:]}, [2]error{}
			err := engine.Parallel(2, func(i int) { errs[i] = o.split(parts[i], (threads+i)/2) })
			return errors.Join(err, errs[0], errs[1])
		}
		if err := o.split(run[:left], 1); err != nil {
			return err
		}
		run = run[left:]
	}
	return nil
}

// longest returns the axis along which the centers of a run extend farthest.
func (o *order) longest(run []int32) int {
	lo, hi := o.center[run[0]], o.center[run[0]]
	for _, e := range run[1:] {
		for k, x := range o.center[e] {
			if x < lo[k] {
				lo[k] = x
			} else if x > hi[k] {
				hi[k] = x
			}
		}
	}
	axis := 0
	for k := 1; k < 3; k++ {
		if hi[k]-lo[k] > hi[axis]-lo[axis] {
			axis = k
		}
	}
	return axis
}

// selectNth moves the n least elements along an axis to the front (quickselect; equal centers are
// ordered by element, so the result is unique).
func (o *order) selectNth(run []int32, n, axis int) {
	less := func(a, b int32) bool {
		x, y := o.center[a][axis], o.center[b][axis]
		return x < y || x == y && a < b
	}
	for lo, hi := 0, len(run)-1; lo < hi; {
		mid := lo + (hi-lo)/2
		if less(run[mid], run[lo]) {
			run[mid], run[lo] = run[lo], run[mid]
		}
		if less(run[hi], run[lo]) {
			run[hi], run[lo] = run[lo], run[hi]
		}
		if less(run[hi], run[mid]) {
			run[hi], run[mid] = run[mid], run[hi]
		}
		pivot := run[mid]
		i, j := lo, hi
		for i <= j {
			for less(run[i], pivot) {
				i++
			}
			for less(pivot, run[j]) {
				j--
			}
			if i <= j {
				run[i], run[j] = run[j], run[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			hi = j
		case n >= i:
			lo = i
		default:
			return
		}
	}
}

// edit updates the order after an edit of the volume. A removed element leaves a gap; a new one
// takes a gap in a neighbor's patch, or goes to the end.
func (o *order) edit(v *mesh.Volume) {
	patch := make([]int32, len(v.Kinds))
	for e := range patch {
		patch[e] = -1
	}
	for i, e := range o.elements {
		if e >= 0 && v.Kinds[e] != mesh.Removed {
			patch[e] = int32(i / o.size)
		} else {
			o.elements[i] = -1
		}
	}
	for e := o.known; e < len(v.Kinds); e++ {
		if v.Kinds[e] != mesh.Removed {
			patch[e] = o.settle(int32(e), o.neighbor(v, int32(e), patch))
		}
	}
	o.known = len(v.Kinds)
}

// neighbor returns the patch of an element that shares a vertex with e, or -1.
func (o *order) neighbor(v *mesh.Volume, e int32, patch []int32) int32 {
	for _, x := range v.Corners(e) {
		for _, other := range v.Star(x) {
			if patch[other] >= 0 {
				return patch[other]
			}
		}
	}
	return -1
}

// settle inserts a new element and returns its patch.
func (o *order) settle(e, near int32) int32 {
	if near >= 0 {
		for i := int(near) * o.size; i < min(int(near+1)*o.size, len(o.elements)); i++ {
			if o.elements[i] < 0 {
				o.elements[i] = e
				return near
			}
		}
	}
	o.elements = append(o.elements, e)
	return int32((len(o.elements) - 1) / o.size)
}
