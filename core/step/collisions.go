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
	if err := e.prepare(); err != nil {
		return nil, err
	}
	for ; e.parts.More(); e.parts.Next() {
		if err := e.build(e.horizon()); err != nil {
			return nil, err
		}
		e.gate.Part(e.plan.Weight(), e.parts.UpTo())
		if _, err := e.run(inOrder, e.collect, nil, nil); err != nil {
			return nil, err
		}
	}
	all, err := e.gather()
	if err != nil {
		return nil, err
	}
	if err := e.finish(all); err != nil {
		return nil, err
	}
	return all, nil
}

// collect keeps the answers of a block that are not Separate.
func (e *engine) collect(w *worker, k geom.Kind, pairs [][2]int32) {
	w.solver.Batch(k, &e.mo, w.idx, &e.o.Options, func(i int, im *geom.Impact) {
		im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
		w.found = append(w.found, *im)
	})
}

func inOrder(i int) int { return i }
