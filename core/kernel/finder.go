package kernel

import "ccd/simd/pairs"

// PairFinder is a device that finds the candidate pairs too: those of pairs.Plan, in its order. It
// is used after Load. An error with a method Over() (need, budget int64) says that the device's
// memory is not enough; after any other it is not used any more.
type PairFinder interface {
	Device
	// Limit sets the bytes of memory that may be used there; 0: as many as the device has to spare.
	// It is called before Load.
	Limit(bytes uint64)
	// LoadMesh copies a mesh to the device. It is called once, before Plan.
	LoadMesh(m *pairs.Mesh) error
	// Plan counts the pairs of each list of the families, and returns how many pairs may be taken
	// at a time.
	Plan(space *pairs.Space, families []pairs.Family) (totals []int64, room int, err error)
	// Pairs writes the pairs of a list from position from on to out.
	Pairs(list int, from int64, out [][2]int32) error
	// FirstOf is First for n pairs of a list of vertex-face or edge-edge pairs. It may look at a
	// longer time than tmax: then a contact that it finds may be later, and masks divide that time.
	FirstOf(list int, face bool, from int64, n int, tmax, sep float64, found *pairs.Found) error
}

// Foresighted is a PairFinder that a Plan may tell what FirstOf will be asked. It changes no
// result.
type Foresighted interface {
	// Ahead lets the next Plan look at the first n pairs, about, of each list of vertex-face and
	// edge-edge pairs as FirstOf does.
	Ahead(n int, tmax, sep float64)
	// Ready returns how many of the first pairs of a list that Plan has looked at.
	Ready(list int) int
}

// Prefetched sets what the device has found for the queries of the next call of First, whose pairs
// are found.Pairs: First takes it as it is. Drop forgets it.
func (r *Remote) Prefetched(found *pairs.Found) {
	n := len(found.Pairs)
	for i := len(r.all); i < n; i++ {
		r.all = append(r.all, int32(i))
	}
	r.List, r.Masks, r.TOI, r.State = r.all[:n:n], found.Masks, found.TOI, found.State
	r.ready, r.Used = true, true
}

// Drop makes the next call of First ask the device. r may be nil.
func (r *Remote) Drop() {
	if r != nil && r.ready {
		r.List, r.Masks, r.TOI, r.State = nil, nil, nil, nil
		r.ready = false
	}
}
