package proximity

import (
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
)

// PathQuery is a search for the least distance over a motion of a mesh.
type PathQuery struct {
	Mesh    *mesh.Mesh
	Motion  *motion.Motion
	TMax    float64
	Bracket float64 // the width of the bracket of each pair (narrow.PathLeast.Find)
}

// LeastOnPaths is LeastDistance for vertices on the paths of a motion.
//
// It searches sections of the motion one after the other, each as a straight step: that of its
// midlines. Every point of the mesh is within half of the section's band of where the midlines have
// it, at all times of the section, so a pair that these keep farther apart than a bound B and the
// band is farther apart than B there. Pairs that are left are measured on their paths, over the
// whole motion, once. So a pair is never skipped in all sections unless it is farther apart than
// some B >= the least Hi, and the result depends on no order, as that of LeastDistance.
func LeastOnPaths(q *PathQuery, o *Options) (geom.LeastDistance, error) {
	none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	p := newOverPaths(q)
	all := p.sections(q.Mesh)
	p.load(all[0])
	s, err := begin(q.Mesh, o, func(mo *geom.Trajectories, threads int) error {
		return q.Mesh.LoadParallel(mo, p.x0, p.x1, threads)
	})
	if err != nil {
		return none, err
	}
	defer s.end()
	c := newOverStep(s, &LeastQuery{Mesh: q.Mesh, Bracket: q.Bracket})
	c.over.paths = p
	for _, w := range s.workers {
		w.over.paths = &pathWorker{least: narrow.NewPathLeast(w.over.solver), seen: map[pathKey]bool{}}
	}
	if err := p.guess(c, o); err != nil {
		return none, err
	}
	for i, part := range all {
		if i > 0 {
			p.load(part)
			if err := q.Mesh.LoadParallel(&s.mo, p.x0, p.x1, int(s.Stats.Threads)); err != nil {
				return none, err
			}
		}
		c.over.tMax, s.share = part.end, float64(i+1)/float64(len(all))
		if err := c.over.find(c); err != nil {
			return none, err
		}
	}
	return leastOver(c)
}

// overPaths is what makes the search over a step one over a motion.
type overPaths struct {
	q      *PathQuery
	x0, x1 []float64 // the midlines of the present section
	off    []float64 // how far each vertex may be from its midline, in length
	band   float64   // twice the largest of off, rounded up
	mid    geom.Trajectories
	axes   []float64 // the deviation of each vertex on each axis
	radius []float64 // the largest radius of each vertex
}

// pathWorker is a worker's scratch.
type pathWorker struct {
	least *narrow.PathLeast
	seen  map[pathKey]bool // the pairs that were measured, or found beyond the bound
}

type pathKey struct {
	kind geom.Kind
	a, b int32
}

// pathPair is a pair to measure.
type pathPair struct {
	kind     geom.Kind
	a, b     int32
	vertices [4]int32
	radii    [2]float64
}

// pathSection is a section of a motion: a part of a piece, or some pieces.
type pathSection struct {
	number, halvings int     // The section is a part of a piece with this number.
	first, last      int     // The section is the pieces first to last-1, if last is not 0.
	end              float64 // the end of the search, in the time of the section
}

func newOverPaths(q *PathQuery) *overPaths {
	n := q.Motion.Vertices()
	p := &overPaths{q: q, x0: make([]float64, 3*n), x1: make([]float64, 3*n), off: make([]float64, n),
		axes: make([]float64, 3*n), radius: make([]float64, n)}
	p.mid.N, p.mid.Rec = n, make([]float64, 8*n)
	for v := range n {
		p.radius[v] = q.Motion.LargestRadius(v)
	}
	return p
}

// mostSections is the largest number of sections. It decides about the time only.
const mostSections = 32

// sections divides the motion up to the end of the search: into sections of some pieces where there
// are many, else into parts of pieces, until midlines are typically within a quarter of an edge.
func (p *overPaths) sections(m *mesh.Mesh) (list []pathSection) {
	mo, tMax := p.q.Motion, p.q.TMax
	pieces := mo.Pieces()
	if pieces > mostSections {
		for i := range mostSections {
			first, last := pieces*i/mostSections, pieces*(i+1)/mostSections
			if part := motion.SpanOf(mo, first, last); i == 0 || part.From <= tMax {
				list = append(list, pathSection{first: first, last: last, end: part.At(tMax)})
			}
		}
		return list
	}
	halvings, bend := 0, motion.TypicalBend(mo)
	edge := p.edgeLength(m)
	for halvings < motion.MaxHalvings && pieces<<halvings < mostSections && bend > 0.25*edge {
		halvings, bend = halvings+1, 0.25*bend
	}
	for i := range pieces << halvings {
		if part := motion.PartOf(mo, i, halvings); i == 0 || part.From <= tMax {
			list = append(list, pathSection{number: i, halvings: halvings, end: part.At(tMax)})
		}
	}
	return list
}

// edgeLength estimates the mean length of an edge at the start.
func (p *overPaths) edgeLength(m *mesh.Mesh) (mean float64) {
	x, step := p.q.Motion.Control(), 1+len(m.Edges)/1024
	count := 0
	for i := 0; i < len(m.Edges); i += step {
		a, b := 3*m.Edges[i][0], 3*m.Edges[i][1]
		mean += math.Hypot(math.Hypot(x[a]-x[b], x[a+1]-x[b+1]), x[a+2]-x[b+2])
		count++
	}
	return mean / float64(max(count, 1))
}

// load computes the midlines of a section and how far the paths may be from them.
func (p *overPaths) load(s pathSection) {
	n := len(p.off)
	if s.last > 0 {
		p.q.Motion.LoadSpan(s.first, s.last, 0, n, &p.mid, p.axes)
	} else {
		p.q.Motion.LoadPart(s.number, s.halvings, 0, n, &p.mid, p.axes, nil)
	}
	most := 0.0
	for v := range n {
		copy(p.x0[3*v:3*v+3], p.mid.Rec[8*v:])
		copy(p.x1[3*v:3*v+3], p.mid.Rec[8*v+4:])
		sum := 0.0
		for _, e := range p.axes[3*v : 3*v+3] {
			sum = num.AddUp(sum, num.MulUp(e, e))
		}
		// Where squares underflow the root may be too small, by less than this.
		p.off[v] = num.AddUp(num.AddUp(num.SqrtUp(sum), 0x1p-500), p.radius[v])
		most = max(most, p.off[v])
	}
	p.band = num.AddUp(most, most)
}

// guess measures the nearest pairs at the ends and in the middle of the search, so that the bound
// is small from the beginning.
func (p *overPaths) guess(c *closest, o *Options) error {
	x := make([]float64, 3*p.q.Mesh.NV)
	for i := range 3 {
		t := float64(0.5*float64(i)) * p.q.TMax
		if i > 0 && t == 0 {
			break
		}
		p.q.Motion.Place(t, x, nil)
		near, err := Distance(p.q.Mesh, x, &Options{CallOptions: engine.CallOptions{Threads: o.Threads}})
		if err != nil {
			return err
		}
		if near.Kind == 0 || near.Kind == geom.EdgeFace {
			continue
		}
		k, a, b := near.Kind, int32(near.A), int32(near.B)
		shapes := &k.Info().Shapes
		r := [2]float64{c.radii.Of(shapes[0], a), c.radii.Of(shapes[1], b)}
		p.find(c, c.workers[0], &pathPair{kind: k, a: a, b: b, vertices: p.q.Mesh.Indices(k, a, b), radii: r})
	}
	return nil
}

// measure measures a pair, unless its own midlines prove it beyond the bound in this section.
func (p *overPaths) measure(c *closest, w *worker, pair *pathPair) {
	key := pathKey{pair.kind, pair.a, pair.b}
	if w.over.paths.seen[key] {
		return
	}
	if bound := min(c.over.radius, c.least.Load()); !math.IsInf(bound, 0) {
		off, split := [2]float64{}, pair.kind.Info().Split
		for i, v := range pair.vertices[:pair.kind.Points()] {
			side := 0
			if i >= split {
				side = 1
			}
			off[side] = max(off[side], p.off[v])
		}
		d := num.AddUp(num.AddUp3(off[0], off[1], bound), num.AddUp(pair.radii[0], pair.radii[1]))
		o := narrow.Options{Method: narrow.Exact, MinSeparation: d, TMax: c.over.tMax}
		var im geom.Impact
		if w.over.solver.Solve(pair.kind, w.query[:pair.kind.Len()], &o, &im); im.Verdict == geom.Separate {
			return
		}
	}
	p.find(c, w, pair)
}

// find brackets the least distance of a pair on its paths.
func (p *overPaths) find(c *closest, w *worker, pair *pathPair) {
	w.over.paths.seen[pathKey{pair.kind, pair.a, pair.b}] = true
	query := narrow.PathPair{Motion: p.q.Motion, Kind: pair.kind, Vertices: pair.vertices[:pair.kind.Points()],
		Radii: pair.radii, TMax: p.q.TMax}
	var d geom.LeastDistance
	if !w.over.paths.least.Find(&query, p.q.Bracket, c.least.Load(), &d) {
		return
	}
	d.A, d.B = int64(pair.a), int64(pair.b)
	w.over.keep(c, &d)
}
