package meshfile

import (
	"bytes"
	"ccd/core/status"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sample has coordinates that are exact in single precision, so that every format can carry them,
// and every vertex in a face in the order of its number, so that a STL reader numbers them alike.
func sample(r *rand.Rand, vertices int) *Surface {
	s := &Surface{}
	for range 3 * vertices {
		s.Vertices = append(s.Vertices, float64(float32(r.NormFloat64()*math.Pow(10, float64(r.IntN(9)-4)))))
	}
	for v := 2; v < vertices; v++ {
		a, b := int32(v-2), int32(v-1)
		s.Faces = append(s.Faces, [3]int32{a, b, int32(v)})
	}
	return s
}

// writers make a file of a surface, in every form that is read.
var writers = map[string]func(*Surface) []byte{
	"obj":      func(s *Surface) []byte { return writeOBJ(s, "\n") },
	"obj crlf": func(s *Surface) []byte { return writeOBJ(s, "\r\n") },
	"obj cr":   func(s *Surface) []byte { return writeOBJ(s, "\r") },
	"off":      writeOFF,
	"stl text": writeTextSTL,
	"stl":      writeBinarySTL,
	"ply text": func(s *Surface) []byte { return writePLY(s, "ascii", "double", "\n") },
	"ply <f":   func(s *Surface) []byte { return writePLY(s, "binary_little_endian", "float", "\n") },
	"ply <d":   func(s *Surface) []byte { return writePLY(s, "binary_little_endian", "float64", "\r\n") },
	"ply >f":   func(s *Surface) []byte { return writePLY(s, "binary_big_endian", "float32", "\r") },
	"ply >d":   func(s *Surface) []byte { return writePLY(s, "binary_big_endian", "double", "\n") },
}

func writeOBJ(s *Surface, end string) []byte {
	lines := []string{"# a comment", "o thing"}
	for i := 0; i < len(s.Vertices); i += 3 {
		lines = append(lines, fmt.Sprintf("v %v %v %v", s.Vertices[i], s.Vertices[i+1], s.Vertices[i+2]), "vn 0 0 1")
	}
	n := int32(len(s.Vertices) / 3)
	for i, f := range s.Faces {
		lines = append(lines, fmt.Sprintf([]string{
			"f %d %d %d", "f %d/1 %d/1 %d/2", "f %d//1 %d//2 %d//3", "f %d/1/1 %d/2/2 \\" + end + "  %d/3/3 # c",
		}[i%4], f[0]+1, f[1]+1, f[2]-n))
	}
	return []byte(strings.Join(lines, end) + end)
}

func writeOFF(s *Surface) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# a comment\nCOFF\n\n%d %d 0 # counts\n", len(s.Vertices)/3, len(s.Faces))
	for i := 0; i < len(s.Vertices); i += 3 {
		fmt.Fprintf(&b, "%v %v %v 255 0 0 255\n", s.Vertices[i], s.Vertices[i+1], s.Vertices[i+2])
	}
	for _, f := range s.Faces {
		fmt.Fprintf(&b, " 3 %d %d %d 0.5 0.5 0.5\n", f[0], f[1], f[2])
	}
	return b.Bytes()
}

func writeTextSTL(s *Surface) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, "solid a thing with facets")
	for _, f := range s.Faces {
		fmt.Fprintln(&b, "  facet normal -nan(ind) 0 1e400\n    outer loop")
		for _, v := range f {
			fmt.Fprintf(&b, "      vertex %v %v %v\n", s.Vertices[3*v], s.Vertices[3*v+1], s.Vertices[3*v+2])
		}
		fmt.Fprintln(&b, "    endloop\n  endfacet")
	}
	fmt.Fprintln(&b, "endsolid a thing")
	return b.Bytes()
}

func writeBinarySTL(s *Surface) []byte {
	b := make([]byte, 80)
	copy(b, "solid, but not in words")
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s.Faces)))
	for _, f := range s.Faces {
		b = append(b, make([]byte, 12)...)
		for _, v := range f {
			for k := range int32(3) {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(s.Vertices[3*v+k])))
			}
		}
		b = append(b, 7, 7)
	}
	return b
}

// writePLY adds an element and properties that a reader must pass over.
func writePLY(s *Surface, format, scalar, end string) []byte {
	header := []string{
		"ply", "format " + format + " 1.0", "comment of the writer", "element material 2",
		"property list ushort short names",
		fmt.Sprintf("element vertex %d", len(s.Vertices)/3), "property uchar red",
		"property " + scalar + " x", "property " + scalar + " y", "property " + scalar + " z",
		"property list uint double weights",
		fmt.Sprintf("element face %d", len(s.Faces)), "property char flag", "property list uint8 int32 vertex_indices",
		fmt.Sprintf("element edge %d", len(s.Edges)), "property int vertex1", "property uint vertex2", "end_header",
	}
	b := []byte(strings.Join(header, end) + end)
	var order interface {
		binary.AppendByteOrder
		binary.ByteOrder
	} = binary.LittleEndian
	if format == "binary_big_endian" {
		order = binary.BigEndian
	}
	put := func(row ...any) {
		for _, x := range row {
			if format == "ascii" {
				b = fmt.Appendf(b, "%v ", x)
			} else {
				b, _ = binary.Append(b, order, x)
			}
		}
		if format == "ascii" {
			b = append(b, end...)
		}
	}
	put(uint16(2), int16(-1), int16(300))
	put(uint16(0))
	for i := 0; i < len(s.Vertices); i += 3 {
		v := s.Vertices[i : i+3]
		if scalar == "float" || scalar == "float32" {
			put(uint8(10), float32(v[0]), float32(v[1]), float32(v[2]), uint32(1), float64(0.5))
		} else {
			put(uint8(255), v[0], v[1], v[2], uint32(0))
		}
	}
	for _, f := range s.Faces {
		put(int8(-3), uint8(3), f[0], f[1], f[2])
	}
	for _, e := range s.Edges {
		put(e[0], uint32(e[1]))
	}
	return b
}

func TestEveryFormatCarriesTheSurface(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for name, write := range writers {
		for range 20 {
			want := sample(r, 3+r.IntN(30))
			if strings.HasPrefix(name, "ply") {
				want.Edges = [][2]int32{{2, 0}, {1, 0}}
			}
			got, err := Decode(write(want))
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, write(want))
			}
			if !slices.Equal(got.Vertices, want.Vertices) || !slices.Equal(got.Faces, want.Faces) ||
				!slices.Equal(got.Edges, want.Edges) {
				t.Fatalf("%s: got %v, want %v", name, got, want)
			}
		}
	}
}

// Cut anywhere, a file is an error that says where; only OBJ, which has no end of its own, may
// still be read.
func TestTruncatedFilesAreErrors(t *testing.T) {
	s := sample(rand.New(rand.NewPCG(13, 14)), 9)
	for name, write := range writers {
		whole := write(s)
		last := len(bytes.TrimRight(whole, "\r\n "))
		if name == "stl text" {
			last = bytes.LastIndex(whole, []byte("endsolid"))
		}
		for n := range last {
			got, err := Decode(whole[:n:n])
			if err == nil && !strings.HasPrefix(name, "obj") && !lastNumberCut(name, whole, n) {
				t.Fatalf("%s: %d of %d bytes are read as %v", name, n, len(whole), got)
			}
			if err != nil &&
				(!errors.Is(err, status.ErrFile) ||
					n > 0 && !strings.Contains(err.Error(), "line") && !strings.Contains(err.Error(), "byte")) {
				t.Fatalf("%s, %d bytes: %v does not say where", name, n, err)
			}
		}
	}
}

// lastNumberCut reports whether only digits of a text's last number, or what follows the last face
// of an OFF file, are cut off.
func lastNumberCut(name string, whole []byte, n int) bool {
	last := bytes.TrimRight(whole, "\r\n ")
	switch name {
	case "ply text":
		return n > bytes.LastIndexByte(last, ' ')+1
	case "off":
		return n > bytes.LastIndexByte(last, '\n')+len(" 3 6 7 ")
	}
	return false
}

func TestPolygonsAreFansAndLinesAreEdges(t *testing.T) {
	square := "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n"
	for name, c := range map[string]struct {
		file  string
		faces [][3]int32
		edges [][2]int32
	}{
		"obj": {
			square + "f 1 2 3 4\nl 1 5 -4\n", [][3]int32{{0, 1, 2}, {0, 2, 3}}, [][2]int32{{0, 4}, {4, 1}},
		},
		"obj, forward":  {"f 1 2 3\n" + square, [][3]int32{{0, 1, 2}}, nil},
		"obj, textured": {square + "l 1/1 2/2\n", nil, [][2]int32{{0, 1}}},
		"obj, colors":   {"v 0 0 0 1 0 0\nv 1 1 1 1\np 1\n", nil, nil},
		"off": {
			"OFF 4 3 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n2 0 3\n1 2", [][3]int32{{0, 1, 2}, {0, 2, 3}},
			[][2]int32{{0, 3}},
		},
		"ply": {"ply\nformat ascii 1.0\nelement face 1\nproperty list int uint vertex_index\nelement vertex " +
			"4\nproperty short x\n" +
			"property short y\nproperty short z\nelement nothing 1000000000000\nend_header\n4 0 1 2 3\n\n0 0 0\n" +
			"1 0 0\n1 1 0\n0 1 0\n\n",
			[][3]int32{{0, 1, 2}, {0, 2, 3}}, nil},
		"stl, one line": {"SOLID\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 -0 endloop " +
			"endfacet\nEndSolid\n" +
			"solid 2\nfacet normal 0 0 1 outer loop vertex -0 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet\n" +
			"endsolid 2",
			[][3]int32{{0, 1, 2}, {0, 2, 3}}, nil},
	} {
		s, err := Decode([]byte(c.file))
		if err != nil || !slices.Equal(s.Faces, c.faces) || !slices.Equal(s.Edges, c.edges) {
			t.Errorf("%s: %+v, %v; want %v %v", name, s, err, c.faces, c.edges)
		}
	}
}

func TestMalformedFilesNameThePlace(t *testing.T) {
	ply := func(body string) string { return "ply\nformat ascii 1.0\n" + body }
	vertex := "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
	for _, c := range []struct{ file, text string }{
		{"", "empty"},
		{"\x1f\x8b\x08", "gzip"},
		{"hello\n", `line 1: neither OBJ, PLY, STL, OFF, MSH, MESH nor VTK: it begins with a word of 5 bytes`},
		{"\x00\x01", "byte 2: neither"},
		{"# only\n# comments\n", "neither OBJ"},
		{"o empty\n", "without a vertex"},
		{"v 0\n", "line 1: y is missing"},
		{"v 0 0 0\nv 0 0\n", "line 2: z is missing"},
		{"v 0 0\nv 0 0 0\n", "line 2: a vertex of 3 coordinates, where the first has 2"},
		{"v 0 0 0\nv 0 1,5 0\n", `line 2: y is "1,5": not a number`},
		{"v 0 0 nan\n", "not finite"},
		{"v 0 0 -1e999\n", "not finite"},
		{"v 0 0 0\nf 1 2 3\nf 1 1 1\n", "line 2: vertex index 3 is out of range: the file has 1 vertices"},
		{"v 0 0 0\nf 1 -2 1\n", "line 2: vertex index -2 is out of range: 1 vertices come before it"},
		{"v 0 0 0\nf 0 1 1\n", "line 2: vertex index 0"},
		{"v 0 0 0\nf 1 1\n", "a face of 2 vertices"},
		{"v 0 0 0\nl 1\n", "a line of 1 vertices"},
		{"v 0 0 0\nf 1/x 1 1\n", "a word of 3 bytes is not v"},
		{"v 0 0 0\nf 99999999999999999999 1 1\n", "is not v"},
		{"v 0 0 0\nf 3000000000 1 1\n", "out of range"},
		{"v 0 0 0\ncurv 0 1\n", "free-form"},
		{"v 0 0 0\nhello 1\n", `line 2: unknown statement a word of 5 bytes`},
		{"OFF\n", "before the counts"},
		{"OFF BINARY\n", "binary OFF"},
		{"4OFF\n1 0 0\n", "three dimensions"},
		{"OFF\n-1 0 0\n", "line 2: the number of vertices is -1"},
		{"OFF\n1 x 0\n", "not an integer"},
		{"OFF\n1000000000000 0 0\n0 0 0\n", "before vertex 1 of 1000000000000"},
		{"OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "line 4: vertex index 1 is out of range for 1 vertices"},
		{"OFF\n1 1 0\n0 0 0\n9999999 0 0\n", "a face of 9999999 corners"},
		{"OFF\n1 0 0\n0 0 0\n3 0 0 0\n", "more lines than"},
		{"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n", `line 4: a coordinate is "x"`},
		{"solid x\nfacet normal 0 0 1\nouter hoop\n", `line 3: a word of 4 bytes where loop is expected`},
		{"solid x\nfacet normal 0 0 outer loop\n", `"loop" where outer is expected`},
		{"solid x\nfacet normal 0 0", "line 2: the file ends here, before a number"},
		{"solid x\nhello\n", "where facet or endsolid is expected"},
		{"solid x\nendsolid x\nhello", "where solid is expected"},
		{"ply\nformat ascii 2.0\n", "line 2: format version"},
		{"ply\nformat text 1.0\n", "line 2: format a word of 4 bytes"},
		{"ply\nend_header\n", "no format"},
		{ply("end_header\n"), "no element vertex"},
		{ply("element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n"),
			"element vertex has no property z"},
		{ply("element vertex -1\n"), "line 3: element \"vertex\": the number of elements is -1"},
		{ply("element vertex 3000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n"),
			"more than 2147483647"},
		{ply(vertex + "element vertex 2\n"), "comes twice"},
		{ply(vertex + "property float x\n"), "comes twice"},
		{ply(vertex + "property quad w\n"), "no type"},
		{ply(vertex + "property list float int w\n"), "no integer type"},
		{ply(vertex + "property float\n"), "without a name"},
		{ply("property float x\n"), "before any element"},
		{ply(vertex + "hello\n"), "no keyword"},
		{ply(vertex + "element tristrips 1\n"), "triangle strips"},
		{ply(vertex + "element face 1\nproperty list uchar int corners\nend_header\n0 0 0\n0\n"),
			"element face has no property vertex_indices"},
		{ply(vertex + "element face 1\nproperty int vertex_indices\nend_header\n"), "is a list: false"},
		{ply(vertex + "element face 1\nproperty list uchar float vertex_indices\nend_header\n"), "has no integer type"},
		{ply(vertex +
			"element face 1\nproperty list uchar int vertex_indices\nproperty list uchar int vertex_index\n" +
			"end_header\n"), "both"},
		{ply(vertex + "element edge 1\nproperty int vertex1\nend_header\n"), "element edge has no property vertex2"},
		{ply(vertex + "end_header\n0 0 inf\n"), "line 8: z is +Inf: not finite, in vertex 0 of 1"},
		{ply(vertex + "end_header\n0 0 0 0\n"), "one value too many"},
		{ply(vertex + "end_header\n0 0 0\n0 0 0\n"), "line 9: more lines"},
		{ply(vertex + "end_header\n0 0\n"), "line 8: a value is missing, in vertex 0 of 1"},
		{ply(vertex + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 1\n"),
			"vertex index 1 is out of range for 1 vertices, in face 0 of 1"},
		{ply(vertex + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 0.5\n"),
			"not an integer"},
		{ply(vertex + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n"),
			"a face of 2 corners"},
		{ply(vertex + "element face 1\nproperty list char int vertex_indices\nend_header\n0 0 0\n-3 0 0\n"),
			"a list of -3 values"},
		{"ply\nformat binary_little_endian 1.0\n" + vertex + "end_header\n12345678901",
			"the file ends here, in vertex 0 of 1"},
		{"ply\nformat binary_little_endian 1.0\n" + vertex + "end_header\n1234567890123",
			"1 bytes more than the header promises"},
		{"ply\nformat binary_big_endian 1.0\nelement vertex 2000000000\nproperty list uint double w\n" + vertex[17:] +
			"end_header\n\xff\xff\xff\xff", "in vertex 0 of 2000000000"},
	} {
		s, err := Decode([]byte(c.file))
		if s != nil || !errors.Is(err, status.ErrFile) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: got %v, %v; want %q", c.file, s, err, c.text)
		}
	}
}

func TestReadNamesThePath(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.stl") // the name does not matter
	if err := os.WriteFile(bad, []byte("v 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		filepath.Join(dir, "none.obj"): "none.obj: no such file",
		dir:                            "is a directory",
		"/dev/zero":                    "/dev/zero is a device",
		bad:                            "bad.stl: line 1: y is missing",
	} {
		if s, err := Read(path); s != nil || !errors.Is(err, status.ErrFile) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, %v; want %q", path, s, err, text)
		}
	}
}

func TestSurfaceMeshKeepsTheRods(t *testing.T) {
	s, err := Decode([]byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 2 2 2\nf 1 2 3\nl 2 1 4\nl 4 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.Mesh(); err != nil || m.NV != 5 || len(m.CodimVertices) != 0 ||
		!slices.Equal(m.EdgePoints, []int32{3}) || !m.Ignores(4) {
		t.Errorf("the vertex that nothing uses is a particle: %+v, %v", m, err)
	}
	s.Unused = nil
	m, err := s.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	if want := [][2]int32{{0, 1}, {0, 2}, {1, 2}, {0, 3}}; !slices.Equal(m.Edges, want) {
		t.Errorf("edges %v, want %v", m.Edges, want)
	}
	if !slices.Equal(m.CodimEdges, []int32{3}) || !slices.Equal(m.CodimVertices, []int32{4}) ||
		!slices.Equal(m.EdgePoints, []int32{3, 4}) {
		t.Errorf("codimensional %v %v %v", m.CodimVertices, m.CodimEdges, m.EdgePoints)
	}
}
