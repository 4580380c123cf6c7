package step

import (
	"fmt"
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// Pairs is the answers for given pairs (a, b) of one kind, in their order, whether or not their boxes overlap and whatever
// the mesh's filter says. Out-of-range indices are a mesh.ErrIndex.
func Pairs(m *mesh.Mesh, x0, x1 []float64, kind geom.Kind, pairs [][2]int64, o *Options) ([]geom.Impact, error) {
	c, err := newCall(m, x0, x1, o)
	if err != nil {
		return nil, err
	}
	if err := checkPairs(m, kind, pairs); err != nil {
		return nil, err
	}
	out := make([]geom.Impact, len(pairs))
	g := broad.Gate{Progress: c.o.Progress, Total: float64(len(pairs))}
	const block = 128
	var next atomic.Int64
	err = broad.Crew(min(c.o.threads(), 1+len(pairs)/block), func(int) {
		solver := narrow.NewSolver()
		var q [24]float64
		for {
			lo := int(next.Add(block)) - block
			if lo >= len(pairs) {
				return
			}
			hi := min(lo+block, len(pairs))
			for i, p := range pairs[lo:hi] {
				idx := m.Indices(kind, int32(p[0]), int32(p[1]))
				c.mo.Query(kind, &idx, &q)
				solver.Solve(kind, q[:kind.Len()], &c.o.Options, &out[lo+i])
				out[lo+i].A, out[lo+i].B = p[0], p[1]
			}
			if !g.Pass(int64(hi - lo)) {
				return
			}
		}
	})
	if err == nil && g.Cancelled() {
		err = ErrCancelled
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

func checkPairs(m *mesh.Mesh, kind geom.Kind, pairs [][2]int64) error {
	var n [2]int
	var names [2]string
	switch kind {
	case geom.VertexFace:
		n, names = [2]int{m.NV, len(m.Faces)}, [2]string{"vertices", "faces"}
	case geom.EdgeEdge:
		n, names = [2]int{len(m.Edges), len(m.Edges)}, [2]string{"edges", "edges"}
	case geom.PointEdge:
		n, names = [2]int{m.NV, len(m.Edges)}, [2]string{"vertices", "edges"}
	case geom.PointPoint:
		n, names = [2]int{m.NV, m.NV}, [2]string{"vertices", "vertices"}
	default:
		return fmt.Errorf("kind is %d: must be 1 to 4", kind)
	}
	for i, p := range pairs {
		for j, x := range p {
			if x < 0 || x >= int64(n[j]) {
				return fmt.Errorf("pairs[%d][%d] is %d: out of range for %d %s: %w", i, j, x, n[j], names[j], mesh.ErrIndex)
			}
		}
	}
	return nil
}
