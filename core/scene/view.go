package scene

import (
	"slices"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// view is the mesh and the motion that a call passes to package step.
type view struct {
	m      *mesh.Mesh
	part   *mesh.Part // the part that m is made of; nil: m is the only mesh of the scene
	whole  bool       // all elements are in it
	x0, x1 []float64
	y      []float64 // room for positions
}

// viewer makes views.
//
// Law: the view of a motion has every pair with a vertex that moves that comes within its
// separation, so a call on it returns what it returns on the whole mesh (law 1 of the package).
// Proof. A vertex that moves is on elements, all of which are in the view. Let a and b be the
// primitives of such a pair, a with a vertex that moves. An element A that has a is in the view.
// Let B be an element that has b. If B has a vertex that moves, it is in the view; if not, it
// rests. The box of the motion of A and that of B overlap (elements.rest). So they meet a common
// cell on the level on which B is (grid), which is marked with a box that contains A's; hence B is
// in the view.
//
// A view serves later calls in which the same vertices move within their reach, for the same or a
// smaller separation, until other vertices are placed elsewhere: the boxes of elements are made of
// the reach of their vertices, and elements at rest are where they were.
type viewer struct {
	last view
	all  elements
	grid grid
	part *mesh.Part
	made bool    // the grid is that of the positions
	row  []int32 // row[v] is 1 + the row of vertex v among those that move in this call; 0 if it rests
	ids  []int32 // elements of the vertices that move
	seen []bool  // seen[e] is true if element e is listed already

	kept  bool // the last view may serve again
	moved []int32
	reach []span // where each moved vertex may be
	d     float64
}

// span is an interval for each coordinate.
type span struct{ lo, hi [3]float64 }

// contains reports whether a point is in the span.
func (s *span) contains(x []float64) bool {
	return s.lo[0] <= x[0] && x[0] <= s.hi[0] && s.lo[1] <= x[1] && x[1] <= s.hi[1] && s.lo[2] <= x[2] &&
		x[2] <= s.hi[2]
}

// wholeFrom is the part of the vertices, or of the elements, from which on a view is the whole
// mesh.
const wholeFrom = 0.4

// of returns the view of a motion, in which all vertices rest but those in moved that satisfy
// moves. d is the minimum separation. With brute force, where many vertices move, or where the
// memory limit allows no grid, it is the whole mesh. The options that it returns have the memory
// limit that remains for the call on the view.
func (w *viewer) of(s *Scene, moved []int32, x1 []float64, moves func(v int32) bool, d float64, bruteForce bool,
	o *engine.CallOptions) (*view, engine.CallOptions, error) {
	allowed := w.allowed(s, o)
	whole := bruteForce || float64(len(moved)) > s.whole*float64(s.parts.Count(geom.Vertex)) || !allowed
	if w.serves(s, moved, x1, d, whole) {
		for i, u := range moved {
			r := 3 * w.last.at(u)
			copy(w.last.x0[r:r+3], s.x[3*u:3*u+3])
			copy(w.last.x1[r:r+3], x1[3*i:3*i+3])
		}
		return &w.last, w.left(o), nil
	}
	if n := s.parts.Extent(geom.Vertex); len(w.row) < n {
		w.row = append(w.row, make([]int32, n-len(w.row))...)
	}
	for i, v := range moved {
		if moves(v) {
			w.row[v] = int32(i) + 1
		}
	}
	defer func() {
		for _, v := range moved {
			w.row[v] = 0
		}
	}()
	w.kept, w.d, w.moved = true, d, append(w.moved[:0], moved...)
	moving := func(v int32) bool { return w.row[v] > 0 }
	if !whole {
		if err := w.make(s, o.Workers()); err != nil {
			w.forget()
			return nil, *o, err
		}
		w.stretch(s, moved, x1)
		w.gather(s, moved, d)
		allowed = w.allowed(s, o)
		whole = float64(len(w.ids)) > s.whole*float64(s.parts.Count(mesh.Elements)) || !allowed
	}
	w.kept = allowed // a later call may have a larger limit
	v := &w.last
	v.whole = whole
	if m := s.parts.Only(); whole && m != nil {
		w.wholeOf(s, m, moved, x1, moving)
		return v, w.left(o), nil
	}
	w.partOf(s, moved, x1, moving)
	return v, w.left(o), nil
}

// partOf makes a view of the elements in w.ids, or of all.
func (w *viewer) partOf(s *Scene, moved []int32, x1 []float64, moving func(v int32) bool) {
	if w.part == nil {
		w.part = mesh.NewPart(s.parts)
	}
	w.part.Fit()
	if v := &w.last; v.whole {
		w.part.AddAll()
	} else {
		for _, e := range w.ids {
			w.part.Add(w.all.of(e), e)
		}
	}
	for _, v := range moved {
		w.part.AddLoose(v) // static ones too
	}
	v := &w.last
	v.part, v.m = w.part, w.part.Build(moving)
	v.x0, v.x1 = v.x0[:0], v.x1[:0]
	for _, u := range w.part.Of(geom.Vertex) {
		v.x0 = append(v.x0, s.x[3*u:3*u+3]...)
		if r := 3 * w.row[u]; r > 0 {
			v.x1 = append(v.x1, x1[r-3:r]...)
		} else {
			v.x1 = append(v.x1, s.x[3*u:3*u+3]...)
		}
	}
}

// keptPerElement is about the memory that the scene keeps for each element at rest, beyond the mesh
// and the positions, and while it makes the grid: its place in the cells, about a third of a cell,
// and its places among those of its vertices.
const keptPerElement = 200

// allowed reports whether the memory limit of a call, if there is one, is at least twice what the
// scene keeps for the grid, or would keep. If it is not, the scene gives its grid up.
func (w *viewer) allowed(s *Scene, o *engine.CallOptions) bool {
	if o.MemoryLimit == 0 {
		return true
	}
	kept := w.bytes()
	if !w.made {
		kept += keptPerElement * int64(s.parts.Count(mesh.Elements))
	}
	if uint64(kept) <= o.MemoryLimit/2 {
		return true
	}
	if w.grid, w.made, w.seen = (grid{}), false, nil; !w.last.whole {
		w.part, w.last, w.kept = nil, view{}, false
	}
	return false
}

// left returns the options of a call with what is left of its memory limit beside the grid.
func (w *viewer) left(o *engine.CallOptions) engine.CallOptions {
	own := *o
	if w.made && own.MemoryLimit > 0 {
		own.MemoryLimit -= min(uint64(w.bytes()), own.MemoryLimit/2)
	}
	return own
}

// bytes returns about the memory that the viewer keeps for the scene as a whole.
func (w *viewer) bytes() int64 {
	n := 4*int64(cap(w.row)) + int64(cap(w.seen))
	if w.part != nil {
		n += w.part.Bytes()
	}
	if w.made {
		n += w.grid.bytes()
	}
	return n
}

// serves reports whether the last view serves a motion.
func (w *viewer) serves(s *Scene, moved []int32, x1 []float64, d float64, whole bool) bool {
	if !w.kept || !slices.Equal(moved, w.moved) {
		return false
	}
	if w.last.whole || whole {
		return w.last.whole
	}
	if d > w.d {
		return false
	}
	for i, v := range moved {
		if !w.reach[i].contains(s.x[3*v:3*v+3]) || !w.reach[i].contains(x1[3*i:3*i+3]) {
			return false
		}
	}
	return true
}

// stretch sets the reach of the vertices moved: their motions, and a part of the extent of an
// element about them.
func (w *viewer) stretch(s *Scene, moved []int32, x1 []float64) {
	more := 1 / (16 * typical * w.grid.scale)
	w.reach = w.reach[:0]
	for i, v := range moved {
		var r span
		for k := range 3 {
			a, b := s.x[3*int(v)+k], x1[3*i+k]
			r.lo[k], r.hi[k] = min(a, b)-more, max(a, b)+more
		}
		w.reach = append(w.reach, r)
	}
}

// wholeOf makes the view that is the only mesh of the scene.
func (w *viewer) wholeOf(s *Scene, m *mesh.Mesh, moved []int32, x1 []float64, moving func(v int32) bool) {
	rest := make([]bool, m.NV)
	for v := range rest {
		rest[v] = !moving(int32(v))
	}
	v := &w.last
	v.m, v.part = m.AtRest(rest), nil
	v.x0, v.x1 = append(v.x0[:0], s.x[:3*m.NV]...), append(v.x1[:0], s.x[:3*m.NV]...)
	for i, u := range moved {
		copy(v.x1[3*u:3*u+3], x1[3*i:3*i+3])
	}
}

// make enters all elements into the grid, unless they are there.
func (w *viewer) make(s *Scene, threads int) error {
	if w.made {
		return nil
	}
	w.all = elements{parts: s.parts}
	n := s.parts.Extent(mesh.Elements)
	w.seen = make([]bool, n)
	var runs []runOfElements
	for _, p := range s.parts.Pieces() {
		from := p.First(mesh.Elements)
		box := func(i int32) bound.Box { return restOf(p, i, s.x) }
		runs = append(runs, runOfElements{from, from + int32(p.Count(mesh.Elements)), box})
	}
	err := w.grid.build(runs, n, threads)
	w.made = err == nil
	return err
}

// add enters the elements of a part that was added to the scene. Where there are many more than
// when the grid was made, it is made anew at the next call.
func (w *viewer) add(s *Scene, p *mesh.Piece) {
	w.kept = false
	if !w.made {
		return
	}
	if n := s.parts.Extent(mesh.Elements); len(w.seen) < n {
		w.seen, w.grid.stamp = append(w.seen, make([]bool, n-len(w.seen))...),
			append(w.grid.stamp, make([]uint32, n-len(w.grid.stamp))...)
	}
	if w.grid.count+p.Count(mesh.Elements) > 2*w.grid.entries {
		w.made = false
		return
	}
	first := p.First(mesh.Elements)
	for i := range int32(p.Count(mesh.Elements)) {
		b := restOf(p, first+i, s.x)
		home := w.grid.home(&b)
		w.grid.put(first+i, &home)
	}
}

// remove takes the elements of a part out of the grid. The part is still in the scene.
func (w *viewer) remove(s *Scene, p *mesh.Piece) {
	w.kept, w.all.last = false, nil
	if !w.made {
		return
	}
	if w.grid.count-p.Count(mesh.Elements) < w.grid.entries/4 {
		w.made = false
		return
	}
	first := p.First(mesh.Elements)
	for i := range int32(p.Count(mesh.Elements)) {
		b := restOf(p, first+i, s.x)
		home := w.grid.home(&b)
		w.grid.take(first+i, &home)
	}
}

// gather lists the elements of the vertices that move, and those at rest near them.
func (w *viewer) gather(s *Scene, moved []int32, d float64) {
	w.ids = w.ids[:0]
	piecesAt(s.parts, moved, func(p *mesh.Piece, v int32) {
		if w.row[v] > 0 {
			w.visit(p, v)
		}
	})
	w.grid.unmark()
	var run bound.Box
	for i, e := range w.ids {
		b := w.swept(s, e, d)
		longer := run
		if join(&longer, &b); i > 0 && extent(&longer)*w.grid.scale <= 0.5 {
			run = longer // neighbors are marked together
			continue
		}
		if i > 0 {
			w.grid.mark(&run)
		}
		run = b
	}
	if len(w.ids) > 0 {
		w.grid.mark(&run)
	}
	w.ids = w.grid.near(w.seen, func(e int32) bound.Box { return w.all.rest(e, s.x) }, w.ids)
	for _, e := range w.ids {
		w.seen[e] = false
	}
}

// swept returns the box of an element in the reach of its vertices, inflated by the minimum
// separation and its radius.
func (w *viewer) swept(s *Scene, e int32, d float64) bound.Box {
	var room [3]int32
	p := w.all.of(e)
	vertices := p.Element(e, &room)
	b := boxAt(s.x, vertices)
	for _, v := range vertices {
		if r := w.row[v]; r > 0 {
			reach := &w.reach[r-1]
			join(&b, &bound.Box{Min: reach.lo, Max: reach.hi})
		}
	}
	b.Inflate(bound.Inflation(2*d, radius(p, vertices)))
	return b
}

// forget makes the grid and the last view invalid.
func (w *viewer) forget() { w.made, w.kept = false, false }

// place enters the elements of the vertices moved anew, whose positions in s.x become the rows
// of x.
func (w *viewer) place(s *Scene, moved []int32, x []float64) {
	w.kept = w.kept && slices.Equal(moved, w.moved)
	w.ids = w.ids[:0]
	if w.made {
		piecesAt(s.parts, moved, w.visit)
	}
	homes := make([]cellRange, 0, len(w.ids))
	for _, e := range w.ids {
		b := w.all.rest(e, s.x)
		homes = append(homes, w.grid.home(&b))
	}
	for i, v := range moved {
		copy(s.x[3*v:3*v+3], x[3*i:3*i+3])
	}
	for i, e := range w.ids {
		b := w.all.rest(e, s.x)
		if now := w.grid.home(&b); now != homes[i] {
			w.grid.take(e, &homes[i])
			w.grid.put(e, &now)
		}
		w.seen[e] = false
	}
}

// visit appends the elements at a vertex of a part that were not seen to w.ids.
func (w *viewer) visit(p *mesh.Piece, v int32) {
	p.Around(v, func(e int32) {
		if !w.seen[e] {
			w.seen[e] = true
			w.ids = append(w.ids, e)
		}
	})
}

// name gives an impact the numbers of the scene.
func (v *view) name(im *geom.Impact) {
	if im.Verdict != geom.Separate {
		s := im.Kind.Info().Shapes
		im.A, im.B = v.number(s[0], im.A), v.number(s[1], im.B)
	}
}

// number returns the number in the scene of a primitive of the view.
func (v *view) number(shape geom.Shape, i int64) int64 {
	if v.part == nil {
		return i
	}
	return int64(v.part.Of(shape)[i])
}

// at returns the row of a vertex of the scene, which is in the view.
func (v *view) at(vertex int32) int32 {
	if v.part == nil {
		return vertex
	}
	return v.part.At(vertex)
}

// room returns an array for positions of the view.
func (v *view) room() []float64 {
	v.y = append(v.y[:0], v.x1...)
	return v.y
}

// rows copies the rows of the vertices moved from positions of the view.
func (v *view) rows(moved []int32, from, to []float64) {
	for i, w := range moved {
		r := 3 * v.at(w)
		copy(to[3*i:3*i+3], from[r:r+3])
	}
}

// groups returns the groups of the view's vertices from those of the vertices moved, whose ids are
// less than below: new ids, in the order in which the old ones occur.
func (v *view) groups(moved, given []int32, below int) ([]int32, error) {
	if given == nil {
		return nil, nil
	}
	if len(given) != len(moved) {
		return nil, status.Errorf(status.ErrArgument, "groups has %d ids; moved has %d vertices", len(given),
			len(moved))
	}
	out, ids := make([]int32, v.m.NV), map[int32]int32{}
	for i := range out {
		out[i] = -1
	}
	for i, g := range given {
		if int(g) >= below {
			return nil, status.Errorf(status.ErrIndex, "groups[%d] is %d: must be less than the number of vertices, %d",
				i, g, below)
		}
		if g < 0 {
			continue
		}
		id, known := ids[g]
		if !known {
			id = int32(len(ids))
			ids[g] = id
		}
		out[v.at(moved[i])] = id
	}
	return out, nil
}
