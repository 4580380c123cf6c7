package meshfile

import (
	"fmt"
	"slices"
	"strings"
)

// Beside is what a reader found or did beside vertices and elements.
type Beside struct {
	LeftOut []LeftOut // in the order in which the reader met them
	Fields  []Field
	Notes   []string // full sentences
}

// LeftOut is how many things of a kind a reader, or Clean, left out.
type LeftOut struct {
	What  string // a plural, as "faces given twice"
	Count int
}

// The kinds of things that are left out.
const (
	facesRepeating  = "faces that repeat a vertex"
	facesTwice      = "faces given twice"
	edgesRepeating  = "edges that repeat a vertex"
	verticesUnused  = "vertices that nothing uses"
	elementsTwice   = "elements given twice"
	solidElements   = "elements with an inside, which a surface does not have"
	ghostCells      = "ghost cells"
	crossedPolygons = "polygons that cross themselves, cut as fans"
)

// Field is numbers at the points of a file: data that belongs to the vertices, as a displacement.
type Field struct {
	Name       string
	Components int       // numbers of each vertex
	Values     []float64 // n x Components, not checked: some may be NaN or infinite
}

// mostFields is how many fields of a file are kept. Their names are compared one by one.
const mostFields = 100

// Remarks returns the remarks of what embeds them.
func (b *Beside) Remarks() *Beside { return b }

// leave counts things that are left out.
func (b *Beside) leave(what string, n int) {
	if n == 0 {
		return
	}
	i := slices.IndexFunc(b.LeftOut, func(l LeftOut) bool { return l.What == what })
	if i < 0 {
		i = len(b.LeftOut)
		b.LeftOut = append(b.LeftOut, LeftOut{What: what})
	}
	b.LeftOut[i].Count += n
}

// count returns how many things of a kind were left out.
func (b *Beside) count(what string) int {
	for _, l := range b.LeftOut {
		if l.What == what {
			return l.Count
		}
	}
	return 0
}

func (b *Beside) note(format string, args ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf(format, args...))
}

// keep adds a field; of several with one name the first stays.
func (b *Beside) keep(f Field) {
	if len(b.Fields) == mostFields || b.field(f.Name) != nil || f.Name == "" || f.Components == 0 {
		b.leave("fields of point data without a name of their own, or beyond the first 100", 1)
		return
	}
	f.Name = strings.ToValidUTF8(f.Name, "\ufffd")
	b.Fields = append(b.Fields, f)
}

// field returns the field of a name, or nil.
func (b *Beside) field(name string) *Field {
	for i := range b.Fields {
		if b.Fields[i].Name == name {
			return &b.Fields[i]
		}
	}
	return nil
}
