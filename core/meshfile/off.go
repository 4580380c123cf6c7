package meshfile

import (
	"bytes"
	"strings"
)

// offHeader reports whether a word is the header of an OFF file: [ST][C][N][4][n]OFF, or NCOFF as
// MeshLab writes it.
func offHeader(word []byte) bool {
	s, ok := strings.CutSuffix(string(word), "OFF")
	for _, part := range []string{"ST", "NC", "C", "N", "4", "n"} {
		s = strings.TrimPrefix(s, part)
	}
	return ok && s == ""
}

// readOFF reads the text form with colors, normals and texture coordinates, which come after the
// coordinates and the corners and are left alone. A face of two corners is an edge, a face of one
// says nothing.
func readOFF(data []byte) (*Surface, error) {
	t := &text{rest: data}
	line, _ := t.nextWords('#')
	header := string(word(&line))
	if strings.ContainsAny(header, "4n") {
		return nil, t.fail("%s: only three dimensions are read", header)
	}
	if rest := strings.TrimSpace(string(line)); rest == "BINARY" {
		return nil, t.fail("binary OFF is not read")
	} else if rest == "" {
		var ok bool
		if line, ok = t.nextWords('#'); !ok {
			return nil, t.truncated("the counts")
		}
	}
	counts, err := offCounts(t, line)
	if err != nil {
		return nil, err
	}
	s := &Surface{}
	for i := range counts[0] {
		line, ok := t.nextWords('#')
		if !ok {
			return nil, t.truncated("vertex %d of %d", i, counts[0])
		}
		if err := t.point(&line, s); err != nil {
			return nil, err
		}
	}
	for i := range counts[1] {
		line, ok := t.nextWords('#')
		if !ok {
			return nil, t.truncated("face %d of %d", i, counts[1])
		}
		if err := offFace(t, line, s); err != nil {
			return nil, err
		}
	}
	if _, ok := t.nextWords('#'); ok {
		return nil, t.fail("more lines than %d vertices and %d faces", counts[0], counts[1])
	}
	return s, nil
}

// offCounts returns the numbers of vertices and faces; that of edges may follow and is not needed.
func offCounts(t *text, line []byte) (counts [2]int, err error) {
	for i, name := range [2]string{"the number of vertices", "the number of faces"} {
		if counts[i], err = t.integer(&line, name); err != nil {
			return counts, err
		}
		if counts[i] < 0 {
			return counts, t.fail("%s is %d", name, counts[i])
		}
	}
	return counts, nil
}

func offFace(t *text, line []byte, s *Surface) error {
	n, err := t.integer(&line, "the number of corners")
	if err != nil {
		return err
	}
	if n < 1 || n > len(line)+len(t.rest) {
		return t.fail("a face of %d corners", n)
	}
	corners := make([]int32, n)
	for i := range corners {
		if len(bytes.TrimLeft(line, blanks)) == 0 { // a face may go on in the next line
			var ok bool
			if line, ok = t.nextWords('#'); !ok {
				return t.truncated("corner %d of %d of a face", i, n)
			}
		}
		if corners[i], err = t.index(&line, len(s.Vertices)/3); err != nil {
			return err
		}
	}
	if n == 2 {
		s.Edges = append(s.Edges, [2]int32(corners))
	}
	if n < 3 {
		return nil
	}
	if err := s.polygon(corners); err != nil {
		return t.fail("%v", err)
	}
	return nil
}
