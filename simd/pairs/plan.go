package pairs

import (
	"math"
	"slices"
	"sort"
)

// Plan is the lists of some families. Begin starts one, Add adds a family; then Pairs finds any
// part of a list.
type Plan struct {
	rec    []float64
	mesh   *Mesh
	space  Space
	Layers []*Layer // one layer for each family: with Self there is one, else A's and B's
	Passes []*Pass
}

// Layer is the primitives of a set, in the order of their minima along the first axis, and in the
// cells of a grid.
type Layer struct {
	set    Set
	world  int // the number of its primitives in a copy of the mesh; 0: there are no copies
	Boxes  []Box
	Cells  []uint32 // the cells of the entries, in rising order
	Ents   []uint32 // entry i is Boxes[Ents[i]] in cell Cells[i]
	Starts []uint32 // cell c has the entries from Starts[c] to Starts[c+1]-1
}

// Begin starts a plan of the vertices rec: {x0 y0 z0 0 x1 y1 z1 0} each.
func (p *Plan) Begin(rec []float64, m *Mesh, s *Space) {
	*p = Plan{rec: rec, mesh: m, space: *s}
}

// vertices returns the vertices of a primitive; one is memory for a vertex.
func (p *Plan) vertices(width int, id int32, one *[1]int32) []int32 {
	switch width {
	case 2:
		return p.mesh.Edges[2*int(id) : 2*int(id)+2]
	case 3:
		return p.mesh.Faces[3*int(id) : 3*int(id)+3]
	}
	one[0] = id
	return one[:]
}

// Add adds a family: two passes, or one with Self.
func (p *Plan) Add(f *Family) {
	var layers []*Layer
	for _, set := range f.Sets() {
		layers = append(layers, p.layer(set))
	}
	g := f.Grid
	for {
		total := int64(0)
		for _, l := range layers {
			for i := range l.Boxes {
				total += int64(g.Count(&l.Boxes[i]))
			}
		}
		if total <= f.Most || g.Cells() == 1 {
			break
		}
		f.Coarsen(&g)
	}
	for _, l := range layers {
		l.place(&g, p.mesh.copies())
	}
	p.Layers = append(p.Layers, layers...)
	add := func(query, target *Layer, mode int) {
		s := &Pass{plan: p, Query: query, Target: target, Mode: mode, Grid: g, Excluded: f.Excluded}
		s.count()
		p.Passes = append(p.Passes, s)
	}
	if f.Self {
		add(layers[0], layers[0], Itself)
		return
	}
	add(layers[1], layers[0], Second)
	add(layers[0], layers[1], First)
}

// layer makes the boxes of a set and sorts them.
func (p *Plan) layer(set *Set) *Layer {
	type keyed struct {
		key uint32
		id  int32
	}
	order := make([]keyed, set.N)
	var one [1]int32
	for i := range order {
		id := set.ID(i)
		e := p.space.ends(p.rec, p.vertices(set.Width, id, &one), 0)
		order[i] = keyed{Key(min(e[0], e[1])), id}
	}
	slices.SortStableFunc(order, func(a, b keyed) int { return int(int64(a.key) - int64(b.key)) })
	l := &Layer{set: *set, world: p.mesh.World(set.Width), Boxes: make([]Box, set.N)}
	for i, o := range order {
		l.Boxes[i] = p.box(set.Width, o.id)
	}
	return l
}

// Key maps floats to integers in the same order; both zeros have one.
func Key(x float32) uint32 {
	if x == 0 {
		return 1 << 31
	}
	b := math.Float32bits(x)
	if b>>31 != 0 {
		return ^b
	}
	return b | 1<<31
}

// box makes the box of a primitive.
func (p *Plan) box(width int, id int32) (b Box) {
	var one [1]int32
	v := p.vertices(width, id, &one)
	for k := range 3 {
		e := p.space.ends(p.rec, v, k)
		b.Ends[k], b.Ends[3+k], b.Ends[6+k], b.Ends[9+k] = e[0], e[1], e[2], e[3]
	}
	b.ID, b.Group = uint32(id), -1
	if m := p.mesh; m.Group != nil {
		b.Group = m.Group[v[0]]
		for _, i := range v[1:] {
			if m.Group[i] != b.Group {
				b.Group = -1
			}
		}
	}
	if m := p.mesh; m.Static != nil {
		all := uint8(1)
		for _, i := range v {
			all &= m.Static[i]
		}
		b.ID |= uint32(all) << 31
	}
	if s := p.space.Slab; s != nil {
		b.Least = least(p.rec, v, s.Axis)
	}
	return b
}

// Min and Max are the bounds of a box along an axis of the space, over the whole motion.
func (b *Box) Min(k int) float32 { return min(b.Ends[k], b.Ends[3+k]) }
func (b *Box) Max(k int) float32 { return -min(b.Ends[6+k], b.Ends[9+k]) }

// Range returns the cells of a box: the first and the last along both axes.
func (g *Grid) Range(b *Box) (lo, hi [2]int) {
	for k := range 2 {
		lo[k], hi[k] = g.Cell(k, b.Min(1+k)), g.Cell(k, b.Max(1+k))
	}
	return lo, hi
}

// Count returns the number of cells of a box.
func (g *Grid) Count(b *Box) int {
	lo, hi := g.Range(b)
	return (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1)
}

// row returns the first row of cells of the copy that a box is in: the copies follow each other
// along the second axis.
func (l *Layer) row(b *Box, g *Grid) int {
	if l.world == 0 {
		return 0
	}
	return int(b.ID&^Static) / l.world * g.N[0]
}

// place makes the entries: in the order of the cells, and within a cell in that of the boxes.
func (l *Layer) place(g *Grid, copies int) {
	type entry struct{ cell, box uint32 }
	var all []entry
	for i := range l.Boxes {
		lo, hi := g.Range(&l.Boxes[i])
		row := l.row(&l.Boxes[i], g)
		for y := lo[0]; y <= hi[0]; y++ {
			for z := lo[1]; z <= hi[1]; z++ {
				all = append(all, entry{uint32((row+y)*g.N[1] + z), uint32(i)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return int(a.cell) - int(b.cell) })
	l.Cells, l.Ents = make([]uint32, len(all)), make([]uint32, len(all))
	for i, e := range all {
		l.Cells[i], l.Ents[i] = e.cell, e.box
	}
	l.Starts = make([]uint32, g.Cells()*copies+1)
	for c := range l.Starts {
		l.Starts[c] = uint32(sort.Search(len(all), func(i int) bool { return int(all[i].cell) >= c }))
	}
}
