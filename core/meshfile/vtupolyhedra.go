package meshfile

import (
	"errors"
	"fmt"
	"math"
)

// polyhedronArrays are the arrays of the faces of polyhedra in VTK's XML. Files of version 2.3 have
// faces of their own, which cells name; older ones have for each cell a list of its faces.
var polyhedronArrays = map[string]bool{"faces": true, "faceoffsets": true, "face_connectivity": true,
	"face_offsets": true, "polyhedron_to_faces": true, "polyhedron_offsets": true}

// mostFaceCorners is the room for the corners of faces, for each point and cell: hexahedra have 24
// of them, and cells of the dual of tetrahedra some 70 to some 7 points.
const mostFaceCorners = 64

// polyhedronFaces are the faces of the polyhedra of a piece, in either form.
type polyhedronFaces struct {
	lists, ends      []int64 // Each cell has a list that ends at ends, which is below 0 for other cells.
	corners, offsets []int64 // Each face has corners that end at offsets.
	named, namedEnds []int64 // Each cell has numbers of faces that end at namedEnds.
}

// polyhedra reads the faces of the polyhedra of a piece.
func (v *vtu) polyhedra(p *piece) (*polyhedronFaces, error) {
	room := (p.cells + p.points) * mostFaceCorners
	var err error
	read := func(name string, count int, atMost bool) (list []int64) {
		a := p.polyhedra[name]
		if err == nil && a == nil {
			err = v.fail("a Piece of polyhedra without its %s", name)
		}
		if err == nil {
			list, err = v.integersOf(a, count, atMost)
		}
		return list
	}
	f := new(polyhedronFaces)
	if p.polyhedra["face_connectivity"] == nil {
		f.lists, f.ends = read("faces", room, true), read("faceoffsets", p.cells, false)
		return f, err
	}
	f.corners, f.offsets = read("face_connectivity", room, true), read("face_offsets", room, true)
	f.named, f.namedEnds = read("polyhedron_to_faces", room, true), read("polyhedron_offsets", p.cells, false)
	return f, err
}

var errFaces = errors.New("its list of faces is out of range")

// of appends the faces of cell i, as addCurved takes them, of points that begin at vertex first.
func (f *polyhedronFaces) of(list []int32, i, first, points int) ([]int32, error) {
	face := func(corners []int64) error {
		list = append(list, int32(len(corners)))
		for j, x := range corners {
			if x < 0 || x >= int64(points) {
				return fmt.Errorf("corner %d of a face is %d: out of range for %d points", j, x, points)
			}
			list = append(list, int32(first)+int32(x))
		}
		return nil
	}
	if f.ends == nil {
		numbers := span(f.named, f.namedEnds, i)
		if numbers == nil {
			return nil, errFaces
		}
		list = append(list, int32(len(numbers)))
		for _, n := range numbers {
			if n < 0 || n >= int64(len(f.offsets)) {
				return nil, errFaces
			}
			corners := span(f.corners, f.offsets, int(n))
			if corners == nil {
				return nil, errFaces
			}
			if err := face(corners); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	from := int64(0)
	for j := i - 1; j >= 0; j-- {
		if f.ends[j] >= 0 {
			from = f.ends[j]
			break
		}
	}
	to := f.ends[i]
	if to <= from || to > int64(len(f.lists)) || f.lists[from] < 0 || f.lists[from] > math.MaxInt32 {
		return nil, errFaces
	}
	list = append(list, int32(f.lists[from]))
	for rest := f.lists[from+1 : to]; len(rest) > 0; {
		n := rest[0]
		if n < 0 || n >= int64(len(rest)) {
			return nil, errFaces
		}
		if err := face(rest[1 : 1+n]); err != nil {
			return nil, err
		}
		rest = rest[1+n:]
	}
	return list, nil
}

// span returns the part of a list that ends at ends[i] and begins where the part before it ends;
// nil where it is empty or out of range.
func span(list, ends []int64, i int) []int64 {
	from := int64(0)
	if i > 0 {
		from = ends[i-1]
	}
	if from < 0 || ends[i] <= from || ends[i] > int64(len(list)) {
		return nil
	}
	return list[from:ends[i]]
}
