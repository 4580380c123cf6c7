package step

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// listedBytes is what an impact takes until a list of all is handed out: as it is found, its spot twice while they are sorted, and in
// the list.
const listedBytes = 2*impactBytes + 2*int(unsafe.Sizeof(spot{}))

// Collisions is every pair that is not Separate, sorted by (TOILo, kind, a, b). With a memory limit, which the list and the working
// memory keep together, it may be an status.ErrMemory: see Visit.
func Collisions(m *mesh.Mesh, x0, x1 []float64, o *Options) ([]geom.Impact, error) {
	return collisions(m, x0, x1, o, listedBytes)
}

// collisions is Collisions for a caller that takes so many bytes for each impact.
func collisions(m *mesh.Mesh, x0, x1 []float64, o *Options, perItem int) ([]geom.Impact, error) {
	e, err := start(m, x0, x1, o)
	if err != nil {
		return nil, err
	}
	defer e.end()
	e.perItem = perItem
	if err := e.sweepAll(e.collect); err != nil {
		return nil, err
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

// sweepAll hands every pair of the step to the handler.
func (e *stepCall) sweepAll(handle func(w *worker, k geom.Kind, pairs [][2]int32)) error {
	if err := e.prepare(); err != nil {
		return err
	}
	for ; e.parts.More(); e.parts.Next() {
		if err := e.build(e.horizon()); err != nil {
			return err
		}
		e.gate.Part(e.plan.Weight(), e.parts.UpTo())
		if _, err := e.run(inOrder, handle, nil, nil); err != nil {
			return err
		}
		if e.halt.Load() {
			return errVisitor
		}
	}
	return nil
}

// collect keeps the answers of a block that are not Separate.
func (e *stepCall) collect(w *worker, k geom.Kind, pairs [][2]int32) {
	w.solver.Batch(k, &e.mo, w.idx, &e.o.Options, func(i int, im *geom.Impact) {
		im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
		w.found.Add(im, &e.budget, e.perItem)
	})
}

func inOrder(i int) int { return i }
