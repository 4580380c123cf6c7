package meshfile

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

const meditHead = "MeshVersionFormatted 2 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 "

// Each keyword of elements of MEDIT is read or refused by its name, in text and packed; others are
// passed over.
func TestMEDITKeywordsOfElements(t *testing.T) {
	refused := map[string]string{}
	for _, key := range []string{"TrianglesP3", "EdgesP3", "TetrahedraP4", "HexahedraQ2", "PrismsP2", "PyramidsP2"} {
		refused[key] = "elements of higher order: only linear elements are read"
	}
	for _, key := range []string{"Polygons", "Polyhedra", "BoundaryPolygonHeaders", "Prisms9"} {
		refused[key] = "which are not read"
	}
	for key, want := range refused {
		for _, read := range []func([]byte) error{
			func(f []byte) error {
				_, err := Decode(f)
				return err
			}, func(f []byte) error { _, err := DecodeCells(f); return err },
		} {
			if err := read([]byte(meditHead + key + " 1 1 2 3 4 1 2 3 4 1 2 0 End")); err == nil ||
				!strings.Contains(err.Error(), "1 "+strings.ToLower(key)) ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", key, err)
			}
			if err := read([]byte(meditHead + key + " 0 End")); err != nil {
				t.Errorf("no %s: %v", key, err)
			}
		}
	}
	s, err := Decode(
		[]byte(meditHead +
			"Edges 1 3 4 7 Ridges 1 1 TrianglesP2Ordering 1 2 3 Triangles 1 1 2 3 0 RequiredEdges 1 1 SolAtVertices " +
			"1 1 5 End"))
	if err != nil || len(s.Faces) != 1 || fmt.Sprint(s.Edges) != "[[2 3]]" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Decode([]byte(meditHead + "Edges 1 3 5 7 End")); err == nil ||
		!strings.Contains(err.Error(), "edges 1: its end 1 is 5: out of range for 4") {
		t.Error(err)
	}
	le := binary.LittleEndian
	section := func(file []byte, code uint32, body ...uint32) []byte {
		file = le.AppendUint32(le.AppendUint32(file, code), uint32(len(file)+8+4*len(body)))
		for _, x := range body {
			file = le.AppendUint32(file, x)
		}
		return file
	}
	packed := section(section([]byte{1, 0, 0, 0, 1, 0, 0, 0}, 3, 3), 4, 1, 0, math.Float32bits(1), 0, 0)
	for code, want := range map[uint32]string{25: "edgesp2", 30: "tetrahedrap2", 96: "tetrahedrap3", 103: "prismsp4",
		46: "polyhedra", 62: ""} {
		file := le.AppendUint32(section(packed[:len(packed):len(packed)], code, 1, 1, 1, 1), 54)
		if _, err := DecodeCells(file); (err == nil) != (want == "") ||
			err != nil && !strings.Contains(err.Error(), "1 "+want) {
			t.Errorf("packed section %d: %v, want %q", code, err, want)
		}
	}
}

// Elements of order 2 are flat triangles of a surface, and none of a volume; an order of nodes that
// the file gives itself is refused, wherever it stands.
func TestMEDITElementsOfOrder2(t *testing.T) {
	head := "MeshVersionFormatted 2 Dimension 3 Vertices 6 0 0 0 0 2 0 0 0 0 2 0 0 1 0 1 0 1 1 1 0 0 1 0 0 "
	for text, want := range map[string]string{
		"TrianglesP2 1 1 2 3 4 5 6 0 End":                               "4 faces, deviation 0.3333",
		"EdgesP2 1 1 2 4 0 End":                                         "2 edges, deviation 0.2500",
		"TrianglesP2 0 End":                                             "0 faces, deviation 0.0000",
		"TrianglesP2Ordering 1 1 TrianglesP2 1 1 2 3 4 5 6 0 End":       "trianglesp2ordering, an order",
		"TrianglesP2 1 1 2 3 4 5 6 0 TrianglesP2Ordering 1 1 End":       "trianglesp2ordering, an order",
		"TrianglesP2 1 1 2 3 4 5 7 0 End":                               "trianglesp2 1: its node 5 is 7",
		"QuadrilateralsQ2 1 1 2 3 4 5 6 1 2 10 0 End":                   "its node 8 is 10",
		"TetrahedraP2 1 1 2 3 4 5 6 1 2 3 11 0 End":                     "its node 9 is 11",
		"Triangles 1 1 2 3 0 TrianglesP2Ordering 1 1 Edges 1 1 4 0 End": "1 faces, deviation 0.0000",
	} {
		s, err := Decode([]byte(head + text))
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%d faces, %d edges, deviation %.4f", len(s.Faces), len(s.Edges), s.Deviation)
		}
		first, second, _ := strings.Cut(want, ", ")
		if !strings.Contains(got, first) || !strings.Contains(got, second) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if _, err := DecodeCells([]byte(head + "TrianglesP2 1 1 2 3 4 5 6 0 End")); err == nil ||
		!strings.Contains(err.Error(), "a quadratic triangle: no element of a volume") {
		t.Error(err)
	}
}

const msh4Nodes = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n7 0 0 0\n5 1 0 0\n3 0 1 0\n2 0 0 1\n$EndNodes\n"

// Elements that overlapping groups list once a group are read once, whether their tags are the same
// or not.
func TestMSHOverlappingGroups(t *testing.T) {
	file := []byte(msh4Nodes +
		"$Elements\n6\n1 2 2 1 1 7 5 3\n1 2 2 2 1 7 5 3\n2 4 2 1 1 7 5 3 2\n3 4 2 2 1 7 5 3 2\n4 1 2 1 1 7 5\n" +
		"4 1 2 2 1 7 5\n$EndElements\n")
	s, err := Decode(file)
	if err != nil || len(s.Faces) != 1 || leftOut(&s.Beside)[facesTwice] != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	c, err := DecodeCells(file)
	if err != nil || fmt.Sprint(c.Kinds) != "[triangle tetrahedron]" || leftOut(&c.Beside)[elementsTwice] != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := c.Volume(); err != nil {
		t.Error(err)
	}
}

// $NodeData is a field, by the tags of the nodes; nodes without a value have NaN. Malformed
// sections are counted.
func TestMSHNodeData(t *testing.T) {
	mesh := msh4Nodes + "$Elements\n1\n1 4 0 7 5 3 2\n$EndElements\n"
	data := func(name, values string) string {
		return "$NodeData\n1\n" + name + "\n1\n0.5\n3\n0\n3\n3\n" + values + "\n$EndNodeData\n"
	}
	c, err := DecodeCells([]byte(mesh + data("\"a motion\"", "2 7 8 9\n5 1 2 3\n7 -1 nan 0") + data("none", "1 1 1 1") +
		data("\"u\"", "1 1 1 1\n2 0 0 0\n3 0 0 0")))
	if err != nil || len(c.Fields) != 1 || leftOut(&c.Beside)[badFields] != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	if got := fmt.Sprint(c.Fields[0]); got != "{a motion 3 [-1 NaN 0 1 2 3 NaN NaN NaN 7 8 9]}" {
		t.Error(got)
	}
	packed := strings.Replace(mesh, "2.2 0 8", "2.2 1 8\n\x01\x00\x00\x00", 1)
	le := binary.LittleEndian
	i := strings.Index(packed, "$Nodes")
	body := []byte(packed[:i] + "$Nodes\n1\n")
	body = append(le.AppendUint32(body, 7), make([]byte, 24)...)
	body = append(body, "$EndNodes\n$Elements\n0\n$EndElements\n$NodeData\n1\n\"u\"\n0\n3\n0\n1\n1\n"...)
	body = le.AppendUint64(le.AppendUint32(body, 7), math.Float64bits(2.5))
	c, err = DecodeCells(append(body, "\n$EndNodeData\n"...))
	if err != nil || fmt.Sprint(c.Fields) != "[{u 1 [2.5]}]" {
		t.Errorf("%+v, %v", c, err)
	}
}

// What is not read of Gmsh's files says what it is and what to do.
func TestMSHTextsOfWhatIsNotRead(t *testing.T) {
	for file, want := range map[string]string{
		"$NOD\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$ENDNOD\n$ELM\n" +
			"1\n1 2 1 1 3 1 2 3\n$ENDELM\n": "version 1: only 2 and 4 are read; open the file in Gmsh",
		"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$ParametricNodes\n" +
			"1\n1 0 0 0 0 0\n$EndParametricNodes\n": "$ParametricNodes: only $Nodes are read",
		msh4Nodes +
			"$Elements\n1\n1 9 0 7 5 3 2 2 2\n$EndElements\n": "a quadratic triangle: no element of a volume",
		msh4Nodes +
			"$Elements\n1\n1 8 0 7 5 3\n$EndElements\n": "cell type 21, a quadratic edge: no element of a volume",
		msh4Nodes +
			"$Elements\n1\n1 14 0 7 5 3 2 7 5 3 2 7 5 7 5 3 2\n" +
			"$EndElements\n": "of type 14, a pyramid of 14 nodes",
		msh4Nodes +
			"$Elements\n1\n1 140 0 7\n$EndElements\n": "of type 140, which is not read",
	} {
		if _, err := DecodeCells([]byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", file, err)
		}
	}
}
