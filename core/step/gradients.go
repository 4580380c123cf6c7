package step

import (
	"fmt"

	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

// gradientBlock is the number of impacts that a worker takes at a time.
const gradientBlock = 128

// Gradients writes the derivatives of the times of some impacts with respect to the vertices at x0
// and x1. Of an impact its kind, A and B are read: the time is the exact one of the pair, with its
// separation, for t in [0, TMax]. So a pair that a method with a tolerance reports, but that is
// separate, is gradient.NoImpact. An impact with A = B = -1 is that of a step without one. One of
// an edge and a face at x0 is gradient.Initial, without vertices.
//
// The result does not depend on threads, the method, filters, candidates or a device.
func Gradients(m *mesh.Mesh, x0, x1 []float64, impacts []geom.Impact, out []gradient.Gradient, o *Options) error {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if len(out) != len(impacts) {
		return fmt.Errorf("out has %d gradients; there are %d impacts", len(out), len(impacts))
	}
	exact := *o
	exact.Method, exact.CheckStart, exact.Region, exact.Candidates = narrow.Exact, false, nil, nil
	c, err := start(m, x0, x1, &exact)
	if err != nil {
		return err
	}
	defer c.end()
	if err := checkImpacts(m, impacts); err != nil {
		return err
	}
	err = eachBlock(c, len(impacts), gradientBlock, func(w *worker, lo, hi int) {
		w.gradients(c, impacts[lo:hi], out[lo:hi])
	})
	if err != nil {
		return err
	}
	for i := range out {
		c.Stats.Count(out[i].State != gradient.NoImpact, false)
	}
	return c.finish(nil)
}

// gradients computes those of some impacts, kind by kind.
func (w *worker) gradients(c *call, impacts []geom.Impact, out []gradient.Gradient) {
	var at [gradientBlock]int
	for i := range impacts {
		g := &out[i]
		g.Vertices = [4]int32{-1, -1, -1, -1}
		if impacts[i].Kind == geom.EdgeFace && impacts[i].A >= 0 {
			g.Set(geom.EdgeFace, gradient.Initial, 0)
		} else {
			g.Of(&gradient.Query{Kind: impacts[i].Kind}, &geom.Impact{Verdict: geom.Separate})
		}
	}
	for _, k := range geom.StepKinds {
		w.of, w.idx, w.given = c.path.Segments(), w.idx[:0], w.given[:0]
		for i := range impacts {
			im := &impacts[i]
			if im.Kind != k || im.A < 0 {
				continue
			}
			at[len(w.given)] = i
			v := c.m.Indices(k, int32(im.A), int32(im.B))
			copy(out[i].Vertices[:k.Points()], v[:])
			w.given, w.idx = append(w.given, [2]int32{int32(im.A), int32(im.B)}), append(w.idx, v)
		}
		if len(w.given) == 0 {
			continue
		}
		w.pairs[k-1] += int64(len(w.given))
		query := gradient.Query{Kind: k, MaxNorm: c.o.Flags&narrow.MaxNorm != 0, TMax: c.o.TMax}
		w.horizon = c.o.TMax
		c.path.decide(w, k, w.given, c.o.Options, takes(func(i int, im *geom.Impact) {
			var q [24]float64
			w.of.Query(k, &w.idx[i], &q)
			query.Q, query.Separation = q[:k.Len()], w.separation(c, i)
			out[at[i]].Of(&query, im)
		}))
	}
}

// separation is that of pair i of the current block.
func (w *worker) separation(c *call, i int) float64 {
	if c.radii.Uniform() {
		return c.radii.LargestSeparation(c.o.MinSeparation)
	}
	return w.each[i]
}

func checkImpacts(m *mesh.Mesh, impacts []geom.Impact) error {
	for i := range impacts {
		im := &impacts[i]
		if im.A == -1 && im.B == -1 {
			continue
		}
		if !im.Kind.Known() {
			return fmt.Errorf("impacts[%d].kind is %d: must be 1 to 5", i, im.Kind)
		}
		shapes := im.Kind.Info().Shapes
		for j, x := range [2]int64{im.A, im.B} {
			if n := m.Count(shapes[j]); x < 0 || x >= int64(n) {
				return status.Errorf(status.ErrIndex, "impacts[%d].%c is %d: out of range for %d %s",
					i, "ab"[j], x, n, shapes[j].Plural())
			}
		}
	}
	return nil
}
