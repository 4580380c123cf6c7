package meshfile

import (
	"cmp"
	"slices"

	"ccd/core/mesh"
	"ccd/core/status"
)

// Clean does for arrays what the readers do for files: it returns a surface without the faces and
// edges that New refuses, and says how many of each it left out. faces and edges are flat, as those
// of New; edges are codimensional ones, and those of the faces need not be among them.
//
// A face that repeats a vertex is a segment; it becomes an edge where no face has that edge, so
// nothing that the arrays place in space is lost. Of faces given twice the first stays. Vertices in
// no edge keep their numbers and are listed in Unused. Errors, of indices out of range, are those
// of New.
func Clean(x []float64, edges, faces []int32) (*Surface, error) {
	n := len(x) / 3
	if 3*n != len(x) {
		return nil, status.Errorf(status.ErrArgument, "x has %d coordinates: not a multiple of 3", len(x))
	}
	if err := mesh.CheckSizes(n, edges, faces); err != nil {
		return nil, err
	}
	if err := finite(x); err != nil {
		return nil, err
	}
	s := &Surface{Vertices: slices.Clone(x)}
	for i := range len(faces) / 3 {
		s.Faces = append(s.Faces, [3]int32(faces[3*i:]))
	}
	for i := range len(edges) / 2 {
		s.Edges = append(s.Edges, [2]int32(edges[2*i:]))
	}
	for i, f := range s.Faces {
		for j, v := range f {
			if v < 0 || int(v) >= n {
				return nil, outOfRange("faces", i, j, v, n)
			}
		}
	}
	for i, e := range s.Edges {
		for j, v := range e {
			if v < 0 || int(v) >= n {
				return nil, outOfRange("edges", i, j, v, n)
			}
		}
	}
	s.clean()
	return s, nil
}

// outOfRange returns the error for vertex v, which is index j of row i of an array, where there
// are n.
func outOfRange(name string, i, j int, v int32, n int) error {
	return status.Errorf(status.ErrIndex, "%s[%d][%d] is %d: out of range for %d vertices, the first of which is 0",
		name, i, j, v, n)
}

// clean leaves out what New refuses, and finds the vertices that nothing uses.
func (s *Surface) clean() {
	segments := s.dropSegments()
	s.dropFacesTwice()
	kept := s.Edges[:0]
	for _, e := range s.Edges {
		if e[0] != e[1] {
			kept = append(kept, e)
		}
	}
	s.leave(edgesRepeating, len(s.Edges)-len(kept))
	s.Edges = append(kept, s.uncovered(segments)...)
	s.findUnused()
	if s.cuts.sum > 3 {
		s.noteCopies(s.Vertices, s.cuts.sum, s.cornersOfFaces())
	}
}

// cornersOfFaces returns how many vertices are in a face.
func (s *Surface) cornersOfFaces() (n int) {
	in := make([]bool, len(s.Vertices)/3)
	for i := range s.Faces {
		n += mark(in, s.Faces[i][:])
	}
	return n
}

// mark marks vertices, and returns how many were not marked before.
func mark(in []bool, vertices []int32) (n int) {
	for _, v := range vertices {
		if !in[v] {
			in[v] = true
			n++
		}
	}
	return n
}

// dropSegments removes the faces that repeat a vertex, and returns the segments that they are.
func (s *Surface) dropSegments() (segments [][2]int32) {
	kept := s.Faces[:0]
	for _, f := range s.Faces {
		if f[0] != f[1] && f[1] != f[2] && f[2] != f[0] {
			kept = append(kept, f)
			continue
		}
		lo, hi := min(f[0], f[1], f[2]), max(f[0], f[1], f[2])
		if lo != hi {
			segments = append(segments, [2]int32{lo, hi})
		}
	}
	s.leave(facesRepeating, len(s.Faces)-len(kept))
	s.Faces = kept
	return segments
}

// dropFacesTwice removes the faces that have the vertices of an earlier one in the same cyclic
// order.
func (s *Surface) dropFacesTwice() {
	twice := mesh.RepeatedFaces(len(s.Vertices)/3, s.Faces)
	if len(twice) == 0 {
		return
	}
	kept := s.Faces[:0]
	for i, f := range s.Faces {
		if len(twice) > 0 && twice[0] == int32(i) {
			twice = twice[1:]
			continue
		}
		kept = append(kept, f)
	}
	s.leave(facesTwice, len(s.Faces)-len(kept))
	s.Faces = kept
}

// uncovered returns the segments that are an edge of no face and not listed, each once.
func (s *Surface) uncovered(segments [][2]int32) [][2]int32 {
	if len(segments) == 0 {
		return nil
	}
	compare := func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }
	slices.SortFunc(segments, compare)
	segments = slices.Compact(segments)
	covered := make([]bool, len(segments))
	cover := func(a, b int32) {
		if i, found := slices.BinarySearchFunc(segments, [2]int32{min(a, b), max(a, b)}, compare); found {
			covered[i] = true
		}
	}
	for _, f := range s.Faces {
		for j := range 3 {
			cover(f[j], f[(j+1)%3])
		}
	}
	for _, e := range s.Edges {
		cover(e[0], e[1])
	}
	out := segments[:0]
	for i, e := range segments {
		if !covered[i] {
			out = append(out, e)
		}
	}
	return out
}

// findUnused lists the vertices that no face and no edge has, and that no point of the file names.
// In a file of points alone all are particles.
func (s *Surface) findUnused() {
	s.Unused = nil
	if len(s.Faces) == 0 && len(s.Edges) == 0 {
		return
	}
	used := make([]bool, len(s.Vertices)/3)
	n := len(used) - mark(used, s.points)
	for i := range s.Faces {
		n -= mark(used, s.Faces[i][:])
	}
	for i := range s.Edges {
		n -= mark(used, s.Edges[i][:])
	}
	if n == 0 {
		return
	}
	s.Unused = make([]int32, 0, n)
	for v, is := range used {
		if !is {
			s.Unused = append(s.Unused, int32(v))
		}
	}
	s.leave(verticesUnused, len(s.Unused))
}
