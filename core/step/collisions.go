package step

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// listedBytes is the memory of an impact until the list is returned: as found, two copies of its key during the sort, and in the
// list.
const listedBytes = 2*impactBytes + 2*int(unsafe.Sizeof(sortKey{}))

// Collisions returns every pair that is not Separate, sorted by (TOILo, kind, a, b); with CheckStart the edges that pass through faces at
// x0 come first. If the list and the working memory exceed
// the memory limit, it returns status.ErrMemory; Visit needs no list.
func Collisions(m *mesh.Mesh, x0, x1 []float64, o *Options) ([]geom.Impact, error) {
	return collisions(m, x0, x1, o, listedBytes)
}

// collisions does the same for a caller that needs perItem bytes for each impact.
func collisions(m *mesh.Mesh, x0, x1 []float64, o *Options, perItem int) ([]geom.Impact, error) {
	c, err := start(m, x0, x1, o)
	if err != nil {
		return nil, err
	}
	defer c.end()
	return c.collisions(perItem)
}

// collisions is the call Collisions.
func (c *call) collisions(perItem int) ([]geom.Impact, error) {
	c.perItem = perItem
	c.Progress.Reserve()
	if err := c.useOrder(); err != nil {
		return nil, err
	}
	add := func(w *worker, im *geom.Impact) { w.found.Add(im, &c.Budget, c.perItem) }
	if err := c.sweepAll(c.collect, add); err != nil {
		return nil, err
	}
	all, err := c.gather()
	if err != nil {
		return nil, err
	}
	if err := c.finish(all); err != nil {
		return nil, err
	}
	return all, nil
}

// sweepAll calls crossing, with CheckStart, for every edge that passes through a face at x0, and handle for every candidate of the step.
func (c *call) sweepAll(handle func(w *worker, k geom.Kind, pairs [][2]int32), crossing func(w *worker, im *geom.Impact)) error {
	if c.o.CheckStart {
		if err := c.checkingStart(func() error { return (startCheck{c}).eachCrossing(false, crossing) }); err != nil {
			return err
		}
	}
	if err := c.prepare(); err != nil {
		return err
	}
	c.endOf = func() float64 { return c.o.TMax }
	for ; c.slabs.More(); c.slabs.Next() {
		if err := c.build(c.horizon()); err != nil {
			return err
		}
		if halvings, ends := c.sections(); ends != nil {
			return c.sweepSections(halvings, ends, handle)
		}
		if err := c.sweepPlan(handle); err != nil {
			return err
		}
	}
	return nil
}

// sweepPlan calls handle for the candidates of the plan.
func (c *call) sweepPlan(handle func(w *worker, k geom.Kind, pairs [][2]int32)) error {
	c.Progress.Part(c.plan.Weight(), c.doneAfter())
	if _, err := c.run(c.plan.LongestFirst, handle, nil, nil); err != nil {
		return err
	}
	if c.halt.Load() {
		return errVisitor
	}
	return nil
}

// collect keeps the impacts of a block that are not Separate.
func (c *call) collect(w *worker, k geom.Kind, pairs [][2]int32) {
	w.solve(c, k, pairs, c.o.Options, func(i int, im *geom.Impact) {
		im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
		w.found.Add(im, &c.Budget, c.perItem)
	})
}

func inOrder(i int) int { return i }
