package ccd

import (
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/neighbors"
	"ccd/core/proximity"
	"ccd/core/status"
)

// Neighbors is a list of the pairs of a mesh that are near, for many steps and calls of Near close
// to the same positions. A call at other positions finds pairs anew where that pays. Results are
// those of the calls without the list, bit for bit. NewNeighbors makes it; goroutines may share it.
type Neighbors struct {
	core *neighbors.List
}

// NeighborsReport says what a list holds, and what it did so far.
type NeighborsReport struct {
	Reach  float64
	Pairs  int // Pairs is how many the list has.
	Bytes  int // Bytes is the memory of the list and its positions.
	Builds int // how often pairs were found
	Served int // calls for which the list had the pairs
	Fresh  int // calls that were computed without it
}

// NewNeighbors returns the list of the pairs of a mesh that are at most reach apart where vertex i
// is at x[i], 3 coordinates each; radii are subtracted. Options are those of Near.
func NewNeighbors(m *Mesh, x []float64, reach float64, o *Options) (*Neighbors, error) {
	return onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) (*Neighbors, error) {
		l, err := neighbors.New(m, x, reach, o)
		if err != nil {
			return nil, err
		}
		return &Neighbors{l}, nil
	})
}

func (n *Neighbors) get() (*neighbors.List, error) {
	if n == nil || n.core == nil {
		return nil, status.Errorf(ErrArgument, "neighbors is nil or zero: make it with NewNeighbors")
	}
	return n.core, nil
}

// Near is the function of that name for the mesh of the list. d is at most the reach.
func (n *Neighbors) Near(x []float64, d float64, o *Options) ([]NearPair, error) {
	return with(&proximityCalls, o, func(s *settings) ([]NearPair, error) {
		l, err := n.get()
		if err != nil {
			return nil, err
		}
		bruteForce := s.narrow.Flags&narrow.BruteForce != 0
		list, err := l.Near(x, d, &proximity.Options{CallOptions: s.call, BruteForce: bruteForce})
		return converted(list, nearPairOf), err
	})
}

// Step returns the step of the list's mesh from x0 to x1, whose calls use the list where they can.
// Options.MinSeparation is at most the reach.
func (n *Neighbors) Step(x0, x1 []float64) *Step {
	l, err := n.get()
	if err != nil {
		return &Step{err: err}
	}
	return &Step{core: l.Step(x0, x1), rows: l.Mesh().NV}
}

// Report returns what the list holds now. That of a nil list is zero.
func (n *Neighbors) Report() NeighborsReport {
	l, err := n.get()
	if err != nil {
		return NeighborsReport{}
	}
	r := l.Report()
	return NeighborsReport{r.Reach, int(r.Pairs), int(r.Bytes), int(r.Builds), int(r.Served), int(r.Fresh)}
}
