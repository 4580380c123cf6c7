package meshfile

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

const gridHead = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n"

// twoTriangles has a time before and data after its cells.
const twoTriangles = gridHead + "FIELD FieldData 2\nTimeValue 1 1 double\n0.5\nTITLE 1 1 string\nPOINTS and CELLS\n" +
	"POINTS 4 float\n0 0 0 1 0 0 0 1 0 1 1 0\nCELLS 2 8\n3 0 1 2\n3 1 3 2\nCELL_TYPES 2\n5\n5\n"

func readCells(t *testing.T, file string) *Cells {
	t.Helper()
	c, err := DecodeCells([]byte(file))
	if err != nil {
		t.Fatalf("%v of\n%s", err, file)
	}
	return c
}

// Each kind of data at the points is a field, whatever stands between, and data on cells is none.
func TestVTKPointData(t *testing.T) {
	c := readCells(t,
		twoTriangles+"CELL_DATA 2\nSCALARS part int 1\nLOOKUP_TABLE default\n7 8\nMETADATA\nINFORMATION 0\n\n"+
			"POINT_DATA 4\nVECTORS my%20motion double\n1 2 3 4 5 6 7 8 9 nan inf 12\nSCALARS s float\n1 2\n3 4\n"+
			"COLOR_SCALARS c 2\n0 0 0 0 0 0 0 0\n"+
			"LOOKUP_TABLE t 1\n0 0 0 1\nTEXTURE_COORDINATES uv 2 float\n1 2 3 4 5 6 7 8\nFIELD FieldData 2\n"+
			"DISPLACEMENT 3 4 float\n"+
			"0 0 0 0 0 0 0 0 0 0 0 -1\nMETADATA\nINFORMATION 0\n\nother 1 9 int\n1 2 3 4 5 6 7 8 9\n")
	var got []string
	for _, f := range c.Fields {
		got = append(got, fmt.Sprintf("%s%d%v", f.Name, f.Components, f.Values))
	}
	want := []string{"my motion3[1 2 3 4 5 6 7 8 9 NaN +Inf 12]", "s1[1 2 3 4]", "uv2[1 2 3 4 5 6 7 8]",
		"DISPLACEMENT3[0 0 0 0 0 0 0 0 0 0 0 -1]"}
	if !reflect.DeepEqual(got, want) || len(c.LeftOut) > 0 {
		t.Errorf("%v, %v", got, c.LeftOut)
	}
	c = readCells(t, twoTriangles+"POINT_DATA 4\nSCALARS s float\nLOOKUP_TABLE default\n1 2 3 x\n")
	if len(c.Kinds) != 2 || leftOut(&c.Beside)["rests of data on points and cells that are malformed"] != 1 {
		t.Errorf("%v %v", c.Kinds, c.LeftOut)
	}
}

// The same in binary, where texts have their length before them.
func TestVTKPointDataPacked(t *testing.T) {
	be := binary.BigEndian
	floats := func(x ...float32) (b []byte) {
		for _, v := range x {
			b = be.AppendUint32(b, math.Float32bits(v))
		}
		return b
	}
	ints := func(x ...uint32) (b []byte) {
		for _, v := range x {
			b = be.AppendUint32(b, v)
		}
		return b
	}
	file := strings.Replace(gridHead, "ASCII", "BINARY", 1) +
		"FIELD FieldData 1\nTITLE 1 2 string\n\xc3\nab\x80\x01\n" +
		"\nPOINTS 3 float\n" + string(floats(0, 0, 0, 1, 0, 0, 0, 1, 0)) + "\nCELLS 1 4\n" + string(ints(3, 0, 1, 2)) +
		"\nCELL_TYPES 1\n" + string(ints(5)) +
		"\nCELL_DATA 1\nFIELD FieldData 1\nvtkGhostType 1 1 unsigned_char\n\x00\nPOINT_DATA 3\nVECTORS u float\n" +
		string(floats(1, 2, 3, 4, 5, 6, 7, 8, 9)) + "\n"
	c := readCells(t, file)
	if len(c.Kinds) != 1 || len(c.Fields) != 1 || fmt.Sprint(c.Fields[0]) != "{u 3 [1 2 3 4 5 6 7 8 9]}" ||
		len(c.LeftOut) > 0 {
		t.Errorf("%+v", c)
	}
}

// Ghost cells are left out and counted, in both formats; marks that mean something else are not.
func TestGhostCells(t *testing.T) {
	legacy := func(marks, name string) string {
		return twoTriangles + "CELL_DATA 2\nFIELD FieldData 1\n" + name + " 1 2 unsigned_char\n" + marks + "\n"
	}
	xml := func(marks, name string) string {
		return `<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="4" NumberOfCells="2">` +
			`<CellData><DataArray type="UInt8" Name="` + name +
			`">` + marks +
			`</DataArray></CellData><Points><DataArray type="Float32" NumberOfComponents="3">0 0 0 1 0 0 0 1 0 1 ` +
			`1 0</DataArray></Points>` +
			`<Cells><DataArray type="Int32" Name="connectivity">0 1 2 1 3 2</DataArray><DataArray type="Int32" ` +
			`Name="offsets">3 6</DataArray>` +
			`<DataArray type="UInt8" Name="types">5 5</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>`
	}
	for _, make := range []func(marks, name string) string{legacy, xml} {
		for marks, left := range map[string]int{"0 0": 2, "1 0": 1, "32 9": 0, "2 4": 2, "16 0": 2} {
			c := readCells(t, make(marks, "vtkGhostType"))
			if len(c.Kinds) != left || leftOut(&c.Beside)[ghostCells] != 2-left {
				t.Errorf("marks %s: %d cells, %v", marks, len(c.Kinds), c.LeftOut)
			}
			if left == 1 && c.Corners[0] != 1 {
				t.Errorf("marks %s: the wrong cell stays: %v", marks, c.Corners)
			}
		}
		if c := readCells(t, make("1 1", "other")); len(c.Kinds) != 2 {
			t.Errorf("other data took cells away: %v", c.Kinds)
		}
	}
}

// Polygonal data: points, lines, polygons and strips, each in either way of listing cells.
func TestVTKPolygonalData(t *testing.T) {
	head := strings.Replace(gridHead, "UNSTRUCTURED_GRID", "POLYDATA", 1) +
		"POINTS 7 float\n0 2 0 0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 9 9 9\n"
	s, err := Decode(
		[]byte(head +
			"VERTICES 1 2\n1 6\nLINES 1 4\n3 0 1 6\nPOLYGONS 1 7\n6 0 1 2 3 4 5\nTRIANGLE_STRIPS 1 5\n4 0 1 4 5\n" +
			"POINT_DATA 7\nSCALARS s int\n1 2 3 4 5 6 7\n"))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(s.Edges) != "[[0 1] [1 6]]" || len(s.Faces) != 6 || fmt.Sprint(s.Faces[4:]) != "[[0 1 4] [4 1 5]]" ||
		len(s.Fields) != 1 || len(s.LeftOut) > 0 {
		t.Errorf("%+v", s)
	}
	s, err = Decode(
		[]byte(strings.Replace(head, "3.0", "5.1", 1) +
			"POLYGONS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\nLINES 2 2\n" +
			"OFFSETS vtktypeint64\n0 2\nCONNECTIVITY vtktypeint64\n3 6\n"))
	if err != nil || len(s.Faces) != 2 || fmt.Sprint(s.Edges) != "[[3 6]]" || fmt.Sprint(s.Unused) != "[4 5]" {
		t.Errorf("%+v, %v", s, err)
	}
	for file, want := range map[string]string{
		head + "POLYGONS 1 3\n2 0 1\n":   "cell 0: cell type 7 with 2 corners",
		head + "POLYGONS 2 4\n3 0 1 2\n": "CELLS ends within cell 1",
		head + "CELLS 1 4\n3 0 1 2\n":    "", // after the points: unknown data
		strings.Replace(gridHead, "UNSTRUCTURED_GRID", "RECTILINEAR_GRID",
			1): "only UNSTRUCTURED_GRID and POLYDATA are read",
	} {
		if _, err := Decode([]byte(file)); fmt.Sprint(err) == "<nil>" != (want == "") ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
}

// Fields of several pieces follow one another; those that not all pieces have, or that are
// malformed, are counted.
func TestVTUFields(t *testing.T) {
	piece := func(points int, x, data string) string {
		return fmt.Sprintf(
			`<Piece NumberOfPoints="%d" NumberOfCells="0"><PointData Vectors="u">%s</PointData><Points><DataArray `+
				`type="Float64" `+
				`NumberOfComponents="3">%s</DataArray></Points></Piece>`, points, data, x)
	}
	array := func(kind, name, components, body string) string {
		return fmt.Sprintf(`<DataArray type=%q Name=%q %s>%s</DataArray>`, kind, name, components, body)
	}
	of3 := `NumberOfComponents="3"`
	file := func(pieces ...string) string {
		return `<VTKFile type="UnstructuredGrid"><UnstructuredGrid TimeValues="0.5">` + strings.Join(pieces, "") +
			`</UnstructuredGrid></VTKFile>`
	}
	c := readCells(t, file(
		piece(1, "0 0 0", array("Float64", "u", of3, "1 2 3")+array("Int8", "k", "", "-4")+
			array("Float64", "bad", of3, "1 2")+array("Float64", "one", "", "1")+
			array("String", "s", "", "abc")+array("Float64", "", "", "1")+
			array("Float64", "wide", `NumberOfComponents="101"`, "1")), piece(0, "", ""),
		piece(2, "1 0 0 0 0 0", array("Int8", "k", "", "5 6")+array("Float64", "u", of3, "4 5 6 nan 8 9"))))
	if fmt.Sprint(c.Fields) != "[{u 3 [1 2 3 4 5 6 NaN 8 9]} {k 1 [-4 5 6]}]" || leftOut(&c.Beside)[badFields] != 3 {
		t.Errorf("%v, %v", c.Fields, c.LeftOut)
	}
	if len(c.Notes) != 1 ||
		c.Notes[0] != "The file has 2 pieces with points of their own, 1 of them at the place of another: weld them." {
		t.Errorf("%q", c.Notes)
	}
	for _, bad := range []string{
		strings.Replace(file(piece(1, "0 0 0", "")), `"0.5"`, "\"\n0\n1\n\"", 1),
		file(strings.Replace(piece(1, "0 0 0", ""), "</Points>",
			`<DataArray type="Float64" NumberOfComponents="3" TimeStep="1">1 0 0</DataArray></Points>`, 1)),
	} {
		if _, err := Decode([]byte(bad)); err == nil ||
			!strings.Contains(err.Error(), "only files of one are read; write each step to a file of its own") {
			t.Errorf("several time steps: %v", err)
		}
	}
}

// Elements of higher order and other cells that are not read are named, before their corners make
// no sense.
func TestCellsThatAreNotReadAreNamed(t *testing.T) {
	corners := map[int]int{30: 6, 37: 19, 41: 4, 42: 4, 69: 10, 99: 1}
	for cell, want := range map[int]string{
		30: "cell type 30, a quadratic-linear quadrilateral: only linear elements are read here",
		37: "a triquadratic pyramid: only linear", 41: "a convex set of points, is not read; split",
		42: "olyhedr", 69: "a Lagrange triangle, with 10 nodes: of these, only cells of order 1 and 2 are read",
		99: "cell type 99 is none of VTK",
	} {
		n := corners[cell]
		list := strings.Repeat(" 0", n)
		for _, file := range []string{
			gridHead + fmt.Sprintf("POINTS 1 float\n0 0 0\nCELLS 1 %d\n%d%s\nCELL_TYPES 1\n%d\n", n+1, n, list, cell),
			fmt.Sprintf(
				`<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="1" NumberOfCells="1">`+
					`<Points><DataArray type="Float32" `+
					`NumberOfComponents="3">0 0 0</DataArray></Points><Cells><DataArray type="Int32" `+
					`Name="connectivity">%s</DataArray><DataArray type="Int32" `+
					`Name="offsets">%d</DataArray><DataArray type="UInt8" Name="types">%d</DataArray></Cells>`+
					`</Piece></UnstructuredGrid></VTKFile>`, list, n, cell),
		} {
			for _, read := range []func(string) error{
				func(f string) error {
					_, err := Decode([]byte(f))
					return err
				}, func(f string) error { _, err := DecodeCells([]byte(f)); return err },
			} {
				if err := read(file); err == nil || !strings.Contains(err.Error(), "cell 0: ") && cell != 42 ||
					!strings.Contains(err.Error(), want) {
					t.Errorf("cell type %d: %v", cell, err)
				}
			}
		}
	}
}

// Polylines are edges, also those with more corners than an element; pixels and strips are
// quadrilaterals and triangles.
func TestPolylinesPixelsAndStrips(t *testing.T) {
	points := ""
	for i := range 30 {
		points += fmt.Sprintf("%d %d 0 ", i, i*i)
	}
	line := "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
	for _, file := range []string{
		gridHead + "POINTS 30 float\n" + points + "\nCELLS 3 33\n21 " + line +
			"\n4 21 22 23 24\n5 25 26 27 28 29\nCELL_TYPES 3\n4\n8\n6\n",
		`<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="30" NumberOfCells="3"><Points>` +
			`<DataArray type="Float32" NumberOfComponents="3">` +
			points + `</DataArray></Points><Cells><DataArray type="Int32" Name="connectivity">` + line +
			` 21 22 23 24 25 26 27 28 29</DataArray>` +
			`<DataArray type="Int32" Name="offsets">21 25 30</DataArray><DataArray type="UInt8" Name="types">4 8 ` +
			`6</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>`,
	} {
		s, err := Decode([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Edges) != 20 || s.Edges[19] != [2]int32{19, 20} || len(s.Faces) != 5 ||
			fmt.Sprint(s.Faces[2:]) != "[[25 26 27] [27 26 28] [27 28 29]]" {
			t.Errorf("%v, %v", s.Edges, s.Faces)
		}
		c := readCells(t, file)
		if fmt.Sprint(c.Kinds) != "[quadrilateral triangle triangle triangle]" ||
			fmt.Sprint(c.Corners[:4]) != "[21 22 24 23]" || leftOut(&c.Beside)["lines"] != 20 {
			t.Errorf("%v %v %v", c.Kinds, c.Corners, c.LeftOut)
		}
	}
}
