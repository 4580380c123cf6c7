package step

import (
	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// AdvanceBatch is Advance of each of several worlds: of the same mesh, at other positions. World i
// has the coordinates from 3 m.NV i on of x0, x1 and x. It writes the steps to alpha and the
// positions to x; out is nil, or takes what ended the step of each world, as EarliestBatch finds
// it.
//
// Laws. alpha[i] and the positions of world i have the bits of Advance for it, and out[i] those of
// Earliest. On an error alpha is 0, x is x0, and out holds nothing. An error names the first world
// that has one.
//
// x may be x0 or x1, but must not overlap them otherwise. A device of the options computes the
// impacts; the proofs are the processor's. Workers, memory limit and statistics are those of
// EarliestBatch.
func AdvanceBatch(m *mesh.Mesh, x0, x1 []float64, share float64, alpha, x []float64, out []geom.Impact,
	o *Options) (err error) {
	defer func() {
		if err != nil {
			clear(alpha)
			if len(x) == len(x0) {
				copy(x, x0)
			}
		}
	}()
	switch {
	case len(x) != len(x0):
		return status.Errorf(status.ErrArgument, "x has %d coordinates; x0 has %d", len(x), len(x0))
	case out != nil && len(out) != len(alpha):
		return status.Errorf(status.ErrArgument, "out has %d impacts; alphas has %d worlds", len(out), len(alpha))
	}
	if err := checkShare(share, o); err != nil {
		return err
	}
	b, err := beginBatch(m, x0, x1, len(alpha), o)
	if err != nil {
		return err
	}
	if out == nil {
		out = make([]geom.Impact, len(alpha))
	}
	found, err := b.onDevice(x0, x1, out)
	if err != nil {
		return b.call.End(err)
	}
	// After an error x is x0, so x0 is overwritten when all worlds are done.
	to := x
	if len(x) > 0 && &x[0] == &x0[0] {
		to = make([]float64, len(x))
	}
	n, small := 3*m.NV, searchesWorlds(&b.own) && broad.WorldsPay(m, x0, x1, len(out))
	err = b.run(func() batchWorker {
		w := newWorldAdvance(m, &b.own, small, found)
		world := func(i int, stats *engine.Stats) (err error) {
			from, end := n*i, n*(i+1)
			alpha[i], err = w.advance(x0[from:end], x1[from:end], to[from:end], share, &out[i])
			stats.Add(&w.a.stats)
			return err
		}
		return batchWorker{world, w.end}
	})
	if err == nil && len(x) > 0 && &to[0] != &x[0] {
		copy(x, to)
	}
	return err
}

// worldAdvance is a worker of AdvanceBatch, and the searches of its worlds.
type worldAdvance struct {
	m     *mesh.Mesh
	o     Options
	a     *advance
	known bool        // a device has found the impacts
	found geom.Impact // the earliest impact of the world
	// Small worlds are searched by whole, and the motions to the positions of their attempts by
	// way. Others are searched as those of Advance.
	small      bool
	whole, way *worldSearch
	others     searches
}

func newWorldAdvance(m *mesh.Mesh, o *Options, small, known bool) *worldAdvance {
	w := &worldAdvance{m: m, o: *o, a: advances.get(o), small: small, known: known, others: searchedAgain{}}
	proving := provingOptions(o)
	w.whole, w.way = newWorldSearch(m, o, small), newWorldSearch(m, &proving, small)
	if !known && tacticsOf(o).keep {
		w.others = &w.a.kept
	}
	return w
}

// advance computes a step and the positions in x, and writes what ended it.
func (w *worldAdvance) advance(x0, x1, x []float64, share float64, out *geom.Impact) (alpha float64, err error) {
	w.found = *out
	w.a.begin(w.m, x0, &w.o)
	w.a.searches = w
	if alpha, err = w.a.choose(&segments{x0, x1}, share); err != nil {
		return 0, err
	}
	copy(x, w.a.x)
	*out = w.found
	return alpha, nil
}

func (w *worldAdvance) first(a *advance, on *segments) (_ geom.Impact, err error) {
	switch {
	case w.known:
	case w.small:
		w.found, err = w.whole.earliest(on.x0, on.x1)
		a.stats.Add(&w.whole.counted)
	default:
		w.found, err = w.others.first(a, on)
	}
	return w.found, err
}

func (w *worldAdvance) test(a *advance, on *segments) (geom.Impact, error) {
	if !w.small {
		return w.others.test(a, on)
	}
	im, err := w.way.earliest(on.x0, on.x1)
	a.stats.Add(&w.way.counted)
	return im, err
}

// end ends the searches and leaves the memory to later calls.
func (w *worldAdvance) end() {
	w.whole.end()
	w.way.end()
	w.a.end()
}
