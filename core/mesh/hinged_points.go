package mesh

import "ccd/core/geom"

// HingedPoints returns the point-edge pairs of points that have an edge, of which apart allows few:
// those of the free end of a rod and the edges at its other end, and those of a corner of a
// triangle of rods and the opposite edge. If it would look at more pairs than most, it returns
// false, for example of a star of many rods.
func (m *Mesh) HingedPoints(most int) (pairs [][2]int32, ok bool) {
	// Each hinge has a list of the numbers of its points plus one; 0 ends it.
	first, next := make([]int32, m.NV), make([]int32, len(m.EdgePoints))
	for i, h := range m.hinges {
		if h[0] >= 0 {
			next[i], first[h[0]] = first[h[0]], int32(i)+1
		}
	}
	looked := 0
	for _, e := range m.CodimEdges {
		for _, v := range m.Edges[e] {
			for i := first[v]; i > 0; i = next[i-1] {
				if looked++; looked > most {
					return nil, false
				}
				if p := m.EdgePoints[i-1]; m.apart(geom.PointEdge, p, e) {
					pairs = append(pairs, [2]int32{p, e})
				}
			}
		}
	}
	return pairs, true
}
