package meshfile

import (
	"ccd/core/mesh"
	"ccd/core/status"
	"slices"
)

// cells adds the cells of a piece whose points begin at vertex first. The types are read first, so
// that a cell that is not read is named before its corners make no sense.
func (v *vtu) cells(c *Cells, p *piece, first int) error {
	types, err := p.types(v)
	if err != nil {
		return err
	}
	room, polyhedra := p.cells*mesh.MostCorners, false
	for i, kind := range types {
		if err := checkCell(kind); err != nil {
			return status.Errorf(status.ErrFile, "cell %d: %v", i, err)
		}
		switch {
		case kind == vtkPolyhedron:
			polyhedra = true
			room = max(room, (p.cells+p.points)*mesh.MostCorners)
		case variable(kind):
			room = max(room, (p.cells+p.points)*mesh.MostCorners)
		case curvedCell(kind):
			room = max(room, p.cells*mostNodes)
		}
	}
	offsets, err := v.integersOf(p.offsets, p.cells, false)
	if err != nil {
		return err
	}
	corners, err := v.integersOf(p.connectivity, room, true)
	if err != nil {
		return err
	}
	ghosts, err := v.ghosts(p)
	if err != nil {
		return err
	}
	g := cellArrays{at: p.offsets, offsets: offsets, corners: corners, ghosts: ghosts}
	if polyhedra {
		if g.faces, err = v.polyhedra(p); err != nil {
			return err
		}
	}
	return g.add(c, p.points, first, func(i int) int64 { return types[i] })
}

// types returns the types of the cells of a piece. pyevtk writes one for each point of polylines,
// all of them alike: then it is known what each cell is.
func (p *piece) types(v *vtu) ([]int64, error) {
	if p.points <= p.cells {
		return v.integersOf(p.kindOf, p.cells, false)
	}
	types, err := v.integersOf(p.kindOf, p.points, true)
	if err != nil || len(types) == p.cells {
		return types, err
	}
	if p.cells > 0 && len(types) == p.points && slices.Min(types) == slices.Max(types) {
		return types[:p.cells], nil
	}
	return nil, p.kindOf.fail("%d types, where its Piece has %d cells", len(types), p.cells)
}

// cellArrays are the corners of cells, one cell after the other; offsets say where each ends.
type cellArrays struct {
	at                       *array // that the offsets are from
	offsets, corners, ghosts []int64
	faces                    *polyhedronFaces // nil without polyhedra
}

// add adds the cells, of the types that kind returns, with corners among points that begin at
// vertex first.
func (g *cellArrays) add(c *Cells, points, first int, kind func(int) int64) error {
	from, list := int64(0), make([]int32, 0, mesh.MostCorners)
	for i, to := range g.offsets {
		if to < from || to > int64(len(g.corners)) {
			return g.at.fail("cell %d has the vertices from %d to %d, of %d", i, from, to, len(g.corners))
		}
		list = list[:0]
		for j, x := range g.corners[from:to] {
			if x < 0 || x >= int64(points) {
				return status.Errorf(status.ErrFile, "cell %d: its corner %d is %d: out of range for %d points",
					i, j, x, points)
			}
			list = append(list, int32(first)+int32(x))
		}
		from = to
		if g.faces != nil && kind(i) == vtkPolyhedron {
			var err error
			if list, err = g.faces.of(list[:0], i, first, points); err != nil {
				return status.Errorf(status.ErrFile, "cell %d: %v", i, err)
			}
		}
		if g.ghosts != nil && c.ghost(g.ghosts[i]) {
			continue
		}
		if err := c.add(int(kind(i)), list); err != nil {
			if err = status.Errorf(status.ErrFile, "cell %d: %v", i, err); !c.postpone(err) {
				return err
			}
		}
	}
	return nil
}

// integersOf is numbers of an array that has integers.
func (v *vtu) integersOf(a *array, count int, atMost bool) ([]int64, error) {
	x, err := v.numbers(a, count, atMost)
	if err != nil {
		return nil, err
	}
	if x.reals != nil {
		return nil, a.fail("%s numbers, where integers are expected", a.kind)
	}
	return x.integers, nil
}

// ghosts returns the marks of the cells of a piece, or nil.
func (v *vtu) ghosts(p *piece) ([]int64, error) {
	if p.ghosts == nil {
		return nil, nil
	}
	return v.integersOf(p.ghosts, p.cells, false)
}

// Marks of vtkGhostType: the cell is a copy of another piece's, was refined, or is hidden. In
// vtkGhostLevels any number but 0 is a copy's.
const (
	duplicateCell = 1
	refinedCell   = 8
	hiddenCell    = 32
)

// ghost reports whether a mark says that a cell is not one of the grid, and counts it.
func (c *Cells) ghost(mark int64) bool {
	if mark&(duplicateCell|refinedCell|hiddenCell) == 0 {
		return false
	}
	c.leave(ghostCells, 1)
	return true
}

// mostComponents bounds the numbers of a field at a point: a matrix of 10 by 10.
const mostComponents = 100

// fields reads the data at the points that all pieces have. What is malformed is left out: no
// vertex or cell depends on it.
func (v *vtu) fields(c *Cells) {
	for i := range v.pieces {
		if v.pieces[i].points == 0 {
			continue
		}
		for _, a := range v.pieces[i].fields {
			if values := v.field(a); values != nil {
				c.keep(Field{Name: a.name, Components: a.components, Values: values})
			} else {
				c.leave(badFields, 1)
			}
		}
		return
	}
}

// badFields is what a field is that cannot be read.
const badFields = "fields of point data that are malformed, or that not all pieces have"

// field returns the values of a field in all pieces, given that in the first that has points; nil
// where it is malformed or some piece has none.
func (v *vtu) field(like *array) (all []float64) {
	if like.components < 1 || like.components > mostComponents {
		return nil
	}
	for i := range v.pieces {
		p := &v.pieces[i]
		if p.points == 0 {
			continue
		}
		a := p.fieldOf(like)
		if a == nil {
			return nil
		}
		x, err := v.numbers(a, p.points*a.components, false)
		if err != nil {
			return nil
		}
		x.reals = slices.Grow(x.reals, len(x.integers))
		for _, n := range x.integers {
			x.reals = append(x.reals, float64(n))
		}
		if len(x.reals) != p.points*a.components {
			return nil
		}
		if all == nil {
			all = x.reals
		} else {
			all = append(all, x.reals...)
		}
	}
	return all
}

// fieldOf returns a piece's array of the same name and components.
func (p *piece) fieldOf(like *array) *array {
	for _, a := range p.fields {
		if a.name == like.name && a.components == like.components {
			return a
		}
	}
	return nil
}
