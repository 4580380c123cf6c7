package broad

import (
	"math"
	"math/rand/v2"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// The hierarchy finds the first list of a mesh where boxes overlap so often that the grid takes
// longer than it takes to make the hierarchy too. Only speed depends on it. Each edge of a sheet
// overlaps 10 neighbors, so it has 5 pairs. First lists by the hierarchy took 1.4 to 2 times as
// long as by the grid where edges had 6 to 10 pairs, 0.8 with 21, 0.64 with 36, 0.67 to 0.97 with
// 43, 0.33 with 160.
const (
	crowdedLeast = 1 << 12 // edges of a mesh below which it is not looked at
	crowdedPairs = 20      // pairs of edges whose boxes overlap, for each edge
)

// crowded reports whether the boxes of the edges overlap as often, inflated by some number. Of n
// edges it compares the n pairs of a sample, of which twice as many overlap as an edge has pairs.
func crowded(m *mesh.Mesh, mo *geom.Trajectories, inflation float64) bool {
	n := len(m.Edges)
	if n < crowdedLeast {
		return false
	}
	boxes := make([][6]float64, int(math.Sqrt(float64(2*n))))
	random := rand.NewPCG(45, uint64(n)) // Neighbors in the mesh must be as likely as other pairs.
	for i := range boxes {
		e, b := &m.Edges[random.Uint64()%uint64(n)], &boxes[i]
		u, v := (*[7]float64)(mo.Rec[8*e[0]:]), (*[7]float64)(mo.Rec[8*e[1]:])
		for k := range 3 {
			b[k] = min(u[k], u[4+k], v[k], v[4+k]) - inflation
			b[3+k] = max(u[k], u[4+k], v[k], v[4+k]) + inflation
		}
	}
	pairs := 0
	for i := range boxes {
		a := &boxes[i]
		for j := range boxes[:i] {
			b := &boxes[j]
			if a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5] {
				pairs++
			}
		}
		if pairs >= 2*crowdedPairs {
			return true
		}
	}
	return false
}
