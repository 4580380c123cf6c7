package step

import (
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Collisions is every pair that is not Separate, sorted by (TOILo, kind, a, b).
func Collisions(m *mesh.Mesh, x0, x1 []float64, o *Options) ([]geom.Impact, error) {
	e, err := start(m, x0, x1, o)
	if err != nil {
		return nil, err
	}
	defer e.end()
	if err := e.build(e.horizon()); err != nil {
		return nil, err
	}
	e.gate.Begin(e.o.Progress, e.plan.Weight())
	_, err = e.run(inOrder, func(w *worker, k geom.Kind, pairs [][2]int32) {
		w.solver.Batch(k, &e.mo, w.idx, &e.o.Options, func(i int, im *geom.Impact) {
			im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
			w.found = append(w.found, *im)
		})
	}, nil)
	if err != nil {
		return nil, err
	}
	all := e.gather()
	e.finish(all)
	return all, nil
}

func inOrder(i int) int { return i }
