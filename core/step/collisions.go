package step

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// listedBytes is the memory of an impact until the list is returned: as found, two copies of its
// key during the sort, and in the list.
const listedBytes = 2*impactBytes + 2*int(unsafe.Sizeof(sortKey{}))

// Collisions returns every pair that is not Separate, sorted by (TOILo, kind, a, b); with
// CheckStart the edges that pass through faces at x0 come first. If the list and the working memory
// exceed the memory limit, it returns status.ErrMemory; Visit needs no list.
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
	c.results.perItem = perItem
	c.Progress.Reserve()
	add := func(w *worker, im *geom.Impact) { w.found.Add(im, &c.Budget, perItem) }
	if err := sweepAll(c, narrowed{}, everyImpact(c, add), add, true); err != nil {
		return nil, err
	}
	all, err := gather(c)
	if err != nil {
		return nil, err
	}
	if err := c.finish(all); err != nil {
		return nil, err
	}
	return all, nil
}

// sweepAll passes the candidates of the step to a want. With CheckStart it first passes every edge
// that goes through a face at x0 to crossing. With anyOrder the sweep may choose the order in which
// pairs are found.
func sweepAll(c *call, only narrowed, w want, crossing func(w *worker, im *geom.Impact), anyOrder bool) error {
	if err := eachCrossing(c, false, crossing); err != nil {
		return err
	}
	pairs, err := newSource(c, only)
	if err != nil {
		return err
	}
	if anyOrder {
		if err := pairs.arrange(); err != nil {
			return err
		}
	}
	return newRun(c, c.path, pairs, w).all()
}
