package meshfile

import (
	"bytes"
	"ccd/core/mesh"
	"ccd/core/status"
)

// Surface is the content of a file: coordinates, the edges that the file lists, and triangles.
type Surface struct {
	Vertices []float64  // n x 3
	Edges    [][2]int32 // line elements; not the edges of the faces
	Faces    [][3]int32 // polygons are split into triangles
	// Unused lists, ascending, the vertices that no face, edge or point of the file uses. They are
	// particles only if the caller says so.
	Unused []int32
	// Deviation bounds how far curved faces and lines of the file are from the flat ones here.
	Deviation float64
	Beside

	points []int32 // vertices that the file names as points
	cuts   cuts
}

// cuts is what is kept of polygons while a file is read.
type cuts struct {
	late []latePolygon
	ring ring // the memory of polygons
	sum  int  // corners of all polygons
}

// MemoryPerByte bounds the total allocation of reading, in bytes for each byte of a file: what
// TestMemoryIsBoundedByTheFile measures for the worst known files, 64, and a quarter more. Half of
// that is garbage of growing lists; usual files take 5 to 10.
const MemoryPerByte = 80

// Read reads an OBJ, PLY, STL or OFF file, or the triangles, quadrilaterals and lines of one that
// ReadCells reads; the format is determined by the content. Errors are of the kind status.ErrFile
// and name the path and the line or the byte; of the content they quote only numbers and words that
// a format defines.
//
// The memory is at most MemoryPerByte times the file's size, whatever its header declares.
// Compressed arrays (of VTK's XML) may take more: three times the declared numbers of points, of
// data at points and of cells of their piece, in 8 bytes each. A file may declare as much as its
// compressor can pack into it, LZ4 255, zlib 1032 and LZMA 7100 times its size; data that would
// unpack to another size than declared are an error before they are unpacked.
//
// No public Go package reads all four formats, reports where a file is wrong, and allocates no
// memory on the word of a header.
func Read(path string) (*Surface, error) {
	return DecodeFile(path, Decode)
}

// Decode is Read for the content of a file.
func Decode(data []byte) (*Surface, error) {
	s, err := decode(data)
	if err == nil {
		err = s.finish()
	}
	if err != nil {
		return nil, err
	}
	s.clean()
	return s, nil
}

func decode(data []byte) (*Surface, error) {
	if binarySTL(data) {
		return readBinarySTL(data)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := foreign(data); err != nil {
		return nil, err
	}
	if read := cellReader(data); read != nil {
		c, err := read(data)
		if err != nil {
			return nil, err
		}
		return c.surface()
	}
	word := firstWord(data)
	switch {
	case len(data) == 0:
		return nil, status.Errorf(status.ErrFile, "the file is empty")
	case string(word) == "ply":
		return readPLY(data)
	case offHeader(word):
		return readOFF(data)
	case bytes.IndexByte(bytes.TrimRight(data, "\x00"), 0) >= 0: // ZBrush ends its texts with a zero
		return readBinarySTL(data) // says what it lacks to be one
	case bytes.EqualFold(word, []byte("solid")):
		return readTextSTL(data)
	case objKeyword(word):
		return readOBJ(bytes.TrimRight(data, "\x00"))
	}
	return nil, status.Errorf(status.ErrFile,
		"line 1: neither OBJ, PLY, STL, OFF, MSH, MESH nor VTK: it begins with %s; convert it to one of these "+
			"formats",
		Shown(word))
}

// Mesh returns the topology of the surface, with the edges of the file beside those of its faces.
// The vertices in Unused keep their numbers and are ignored; where they are to be particles, set
// Unused to nil.
func (s *Surface) Mesh() (*mesh.Mesh, error) {
	var ignored []bool
	if len(s.Unused) > 0 {
		ignored = make([]bool, len(s.Vertices)/3)
	}
	for i, v := range s.Unused {
		if v < 0 || int(v) >= len(ignored) {
			return nil, status.Errorf(status.ErrIndex, "unused[%d] is %d: out of range for %d vertices",
				i, v, len(ignored))
		}
		ignored[v] = true
	}
	flat := make([]int32, 0, 3*len(s.Faces))
	for _, f := range s.Faces {
		flat = append(flat, f[:]...)
	}
	m, err := mesh.NewIgnoring(len(s.Vertices)/3, nil, flat, ignored)
	if err != nil || len(s.Edges) == 0 {
		return m, err
	}
	edges, have := make([]int32, 0, 2*len(m.Edges)), make(map[[2]int32]bool, len(m.Edges))
	for _, list := range [][][2]int32{m.Edges, s.Edges} {
		for _, e := range list {
			if key := [2]int32{min(e[0], e[1]), max(e[0], e[1])}; !have[key] {
				have[key] = true
				edges = append(edges, e[:]...)
			}
		}
	}
	return mesh.NewIgnoring(m.NV, edges, flat, ignored)
}
