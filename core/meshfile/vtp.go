package meshfile

import (
	"ccd/core/mesh"
	"ccd/core/status"
	"encoding/xml"
	"math"
	"strconv"
	"strings"
)

// polyList is one list of cells of polygonal data in VTK's XML: all of one type.
type polyList struct {
	section, count        string // its element, and the attribute of a Piece that has its length
	cell                  int64
	cells                 int
	connectivity, offsets *array
}

// polySections are the lists of a Piece of polygonal data. Data of cells follow in this order.
func polySections() []polyList {
	return []polyList{
		{section: "Verts", count: "NumberOfVerts", cell: vtkVertices},
		{section: "Lines", count: "NumberOfLines", cell: vtkPolyline},
		{section: "Polys", count: "NumberOfPolys", cell: vtkPolygon},
		{section: "Strips", count: "NumberOfStrips", cell: vtkStrip},
	}
}

// list returns the list of an element of a piece, or nil.
func (p *piece) list(section string) *polyList {
	for i := range p.lists {
		if p.lists[i].section == section {
			return &p.lists[i]
		}
	}
	return nil
}

// beginLists reads how long the lists of a Piece are. A list that is not named is empty.
func (v *vtu) beginLists(e *xml.StartElement, p *piece) error {
	p.lists = polySections()
	for i := range p.lists {
		l := &p.lists[i]
		n, err := strconv.Atoi(strings.TrimSpace(attribute(e, l.count, "0")))
		if err != nil || n < 0 || n > math.MaxInt32/3-p.cells {
			return v.fail("a Piece whose %s is %s", l.count, shown(attribute(e, l.count, "0")))
		}
		l.cells = n
		p.cells += n
	}
	return nil
}

// polyCells adds the cells of a piece of polygonal data whose points begin at vertex first.
func (v *vtu) polyCells(c *Cells, p *piece, first int) error {
	ghosts, err := v.ghosts(p)
	if err != nil {
		return err
	}
	for _, l := range p.lists {
		if l.cells == 0 {
			continue
		}
		if l.connectivity == nil || l.offsets == nil {
			return v.fail("a Piece whose %s have no connectivity or no offsets", l.section)
		}
		offsets, err := v.integersOf(l.offsets, l.cells, false)
		if err != nil {
			return err
		}
		corners, err := v.integersOf(l.connectivity, (l.cells+p.points)*mesh.MostCorners, true)
		if err != nil {
			return err
		}
		marks := ghosts
		if ghosts != nil {
			marks, ghosts = ghosts[:l.cells], ghosts[l.cells:]
		}
		g := cellArrays{at: l.offsets, offsets: offsets, corners: corners, ghosts: marks}
		if err := g.add(c, p.points, first, func(int) int64 { return l.cell }); err != nil {
			return status.Errorf(status.ErrFile, "%s: %v", l.section, err)
		}
	}
	return nil
}
