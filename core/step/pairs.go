package step

import (
	"fmt"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Pairs returns the impacts of given pairs (a, b) of one kind, in their order, whether or not their
// boxes overlap and the mesh's filter allows them. An index out of range is a status.ErrIndex.
func Pairs(m *mesh.Mesh, x0, x1 []float64, kind geom.Kind, pairs [][2]int64, o *Options) ([]geom.Impact, error) {
	return runPairs(kind, pairs, o, func() (*call, error) { return start(m, x0, x1, o) })
}

// runPairs runs the call Pairs, which begin begins, and ends it.
func runPairs(kind geom.Kind, pairs [][2]int64, o *Options, begin func() (*call, error)) ([]geom.Impact, error) {
	err := o.refuse(unsupported{
		checkStart: "a list of pairs holds only some pairs, so it cannot check the start; call it without check_start",
		region:     "a list of pairs is of all pairs of a step",
	})
	if err != nil {
		return nil, err
	}
	c, err := begin()
	if err != nil {
		return nil, err
	}
	defer c.end()
	return c.pairsOf(kind, pairs)
}

// pairsOf is the call Pairs.
func (c *call) pairsOf(kind geom.Kind, pairs [][2]int64) ([]geom.Impact, error) {
	if err := checkPairs(c.m, kind, pairs); err != nil {
		return nil, err
	}
	out := make([]geom.Impact, len(pairs))
	size := c.device.BlockOf(c.workers[0].solver.Remote, int(c.Stats.Threads), kind, len(pairs))
	err := eachBlock(c, len(pairs), size, func(w *worker, lo, hi int) {
		w.solvePairs(c, kind, pairs[lo:hi], out[lo:hi])
	})
	if err == nil {
		err = c.finish(out)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// eachBlock passes the blocks of a list of n, of a size at most, to the workers.
func eachBlock(c *call, n, size int, work func(w *worker, lo, hi int)) error {
	c.Progress.Part(int64(n), 1)
	blocks := (n + size - 1) / size
	todo := engine.NewTasks(0, blocks)
	return c.Run(blocks, func(i int) {
		for j := range todo.All() {
			lo, hi := size*j, min(size*(j+1), n)
			work(c.workers[i], lo, hi)
			if !c.Progress.Pass(int64(hi - lo)) {
				return
			}
		}
	})
}

// take makes given pairs the block of a worker.
func (w *worker) take(c *call, k geom.Kind, pairs [][2]int64) {
	w.of, w.idx, w.given = c.path.Segments(), w.idx[:0], w.given[:0]
	for _, p := range pairs {
		w.given = append(w.given, [2]int32{int32(p[0]), int32(p[1])})
		w.idx = append(w.idx, c.m.Indices(k, int32(p[0]), int32(p[1])))
	}
}

// solvePairs solves some of the pairs.
func (w *worker) solvePairs(c *call, kind geom.Kind, pairs [][2]int64, out []geom.Impact) {
	w.take(c, kind, pairs)
	for i, p := range pairs {
		out[i].SetSeparate(kind)
		out[i].A, out[i].B = p[0], p[1]
	}
	w.horizon = c.o.TMax
	c.path.decide(w, kind, w.given, c.o.Options, takes(func(i int, im *geom.Impact) {
		out[i] = *im
		out[i].A, out[i].B = pairs[i][0], pairs[i][1]
	}))
}

func checkPairs(m *mesh.Mesh, kind geom.Kind, pairs [][2]int64) error {
	if !kind.Valid() {
		return fmt.Errorf("kind is %d: must be 1 to 4", kind)
	}
	shapes := kind.Info().Shapes
	n := [2]int{m.Count(shapes[0]), m.Count(shapes[1])}
	for i, p := range pairs {
		for j, x := range p {
			if x < 0 || x >= int64(n[j]) {
				return status.Errorf(status.ErrIndex, "pairs[%d][%d] is %d: out of range for %d %s",
					i, j, x, n[j], shapes[j].Plural())
			}
		}
	}
	return nil
}
