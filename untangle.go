package ccd

import (
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/untangle"
)

// ObjectCrossing is all intersections of two objects of a mesh, or of one with itself. Objects are
// connected components, named by their least vertices.
type ObjectCrossing struct {
	A, B       int // A <= B; equal for an object that crosses itself
	Pairs      int // the number of pairs of primitives that share a point
	Edge, Face int // the pair that crosses the deepest; -1 where the objects touch without an edge through a face
	// Depth is how far, rounded, the nearer end of Edge is beyond the plane of Face; 0 for what
	// only touches.
	Depth float64
}

// Crossings returns which objects of a mesh cross or touch where its vertices are at x, sorted by
// (A, B). It is empty if and only if Intersections is, which is exact.
func Crossings(m *Mesh, x []float64, o *Options) ([]ObjectCrossing, error) {
	return onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) ([]ObjectCrossing, error) {
		list, err := untangle.Crossings(m, x, o)
		return converted(list, func(c *untangle.Crossing) ObjectCrossing {
			return ObjectCrossing{int(c.A), int(c.B), int(c.Pairs), int(c.Edge), int(c.Face), c.Depth}
		}), err
	})
}

// Untangled says what Untangle did.
type Untangled struct {
	Clean         bool    // the exact check found no intersection at the positions that were returned
	Rounds        int     // how many times vertices were moved
	Before, After int     // the number of intersections at x and at the positions
	Moved         int     // how many vertices have other positions
	Farthest      float64 // the longest way of a vertex, rounded
}

// Untangle returns positions near x at which nothing intersects: a helper, which may fail and says
// so. What it calls Clean was tested by Intersects, exactly, and nothing else is called clean. Else
// the positions are those with the fewest intersections that were found.
//
// masses is nil (all alike), or has a value above 0 for each vertex: +Inf for one that stays.
// Static vertices stay too. Of two things that cross, the heavier moves less. rounds limits the
// rounds of moves; 0 stands for 200. An object inside of another one crosses nothing: see Nested.
func Untangle(m *Mesh, x, masses []float64, rounds int, o *Options) ([]float64, Untangled, error) {
	y := make([]float64, len(x))
	r, err := onRest(m, o, func(m *mesh.Mesh, o *proximity.Options) (untangle.Result, error) {
		if len(x) != 3*m.NV {
			y = make([]float64, 3*m.NV) // The error is about x.
		}
		return untangle.Untangle(m, x, masses, rounds, o, y)
	})
	if err != nil {
		return nil, Untangled{}, err
	}
	return y, Untangled{r.Clean == 1, int(r.Rounds), int(r.Before), int(r.After), int(r.Moved), r.Farthest}, nil
}
