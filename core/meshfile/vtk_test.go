package meshfile

import (
	"bytes"
	"ccd/core/mesh"
	"ccd/core/status"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const vtkText = `# vtk DataFile Version 2.0
two elements
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 6 double
0 0 0  1 0 0
0 1 0 0 0 1e0
1 1 1
-1.5 2 3

CELLS 4 17
4 0 1 2 3
2 0 1
3 1 2 4
4 1 2 3 4
CELL_TYPES 4
10
3
5
10
CELL_DATA 4
SCALARS a int 1
`

const vtkText5 = `# vtk DataFile Version 5.1
two elements
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 6 double
0 0 0 1 0 0 0 1 0 0 0 1 1 1 1
-1.5 2 3
METADATA
INFORMATION 0

CELLS 5 13
OFFSETS vtktypeint64
0 4 6 9 13
CONNECTIVITY vtktypeint64
0 1 2 3 0 1 1 2 4
1 2 3 4
CELL_TYPES 4
10
3
5
10
`

// vtkBinary returns the same file in big-endian binary, points in single precision.
func vtkBinary(version5 bool) []byte {
	var b bytes.Buffer
	put := func(x any) { _ = binary.Write(&b, binary.BigEndian, x) }
	b.WriteString("# vtk DataFile Version 4.2\ntwo elements\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 float\n")
	put([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, -1.5, 2, 3})
	if version5 {
		b.WriteString("\nCELLS 5 13\nOFFSETS vtktypeint64\n")
		put([]int64{0, 4, 6, 9, 13})
		b.WriteString("\nCONNECTIVITY vtktypeint64\n")
		put([]int64{0, 1, 2, 3, 0, 1, 1, 2, 4, 1, 2, 3, 4})
	} else {
		b.WriteString("\nCELLS 4 17\n")
		put([]int32{4, 0, 1, 2, 3, 2, 0, 1, 3, 1, 2, 4, 4, 1, 2, 3, 4})
	}
	b.WriteString("\nCELL_TYPES 4\n")
	put([]int32{10, 3, 5, 10})
	b.WriteString("\n")
	return b.Bytes()
}

// vtkIDs returns that file with connectivity in VTK's own type, which VTK writes as int.
func vtkIDs() []byte {
	long := binary.BigEndian.AppendUint64
	ids, ints := []byte("CONNECTIVITY vtktypeint64\n"), []byte("CONNECTIVITY vtkIdType\n")
	for _, x := range []uint64{0, 1, 2, 3, 0, 1, 1, 2, 4, 1, 2, 3, 4} {
		ids, ints = long(ids, x), binary.BigEndian.AppendUint32(ints, uint32(x))
	}
	return bytes.Replace(vtkBinary(true), ids, ints, 1)
}

// TestSizesThatMedcouplingLeavesUnset names what to do about a VTU as its writeVTK writes it:
// blanks or digits are where the size of an array belongs.
// TestWhatPyevtkWrites has its polylines, with a type for each point, and a number of cells that
// ends in ".0".
func TestWhatPyevtkWrites(t *testing.T) {
	file := func(cells, types string) string {
		return `<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="5" ` +
			`NumberOfCells="` + cells + `"><Points><DataArray type="Float64" NumberOfComponents="3">` +
			`0 0 0 1 0 0 2 0 0 0 1 0 1 1 0</DataArray></Points>` +
			`<Cells><DataArray type="Int32" Name="connectivity">0 1 2 3 4</DataArray>` +
			`<DataArray type="Int32" Name="offsets">3 5</DataArray>` +
			`<DataArray type="UInt8" Name="types">` + types + `</DataArray></Cells></Piece>` +
			`</UnstructuredGrid></VTKFile>`
	}
	want := [][2]int32{{0, 1}, {1, 2}, {3, 4}}
	for _, data := range []string{file("2", "4 4 4 4 4"), file("2.0", "4 4"), file("2.0", "4 4 4 4 4")} {
		if s, err := Decode([]byte(data)); err != nil || !slices.Equal(s.Edges, want) {
			t.Errorf("%s: %v, edges must be %v", data, err, want)
		}
	}
	for types, message := range map[string]string{
		"4 4 4 4 3": "5 types, where its Piece has 2 cells", "4 4 4": "3 types, where its Piece has 2 cells",
		"4": "1 types, where its Piece has 2 cells", "4 4 4 4 4 4": "more numbers than the 5 of its Piece",
	} {
		if _, err := Decode([]byte(file("2", types))); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("types %s: %v, must say %s", types, err, message)
		}
	}
	for _, cells := range []string{"2.5", "2.00", ".0", "-1.0"} {
		_, err := Decode([]byte(file(cells, "4 4")))
		if err == nil || !strings.Contains(err.Error(), "whose NumberOfCells is") {
			t.Errorf("%s cells: %v, must be an error", cells, err)
		}
	}
}

func TestSizesThatMedcouplingLeavesUnset(t *testing.T) {
	points := strings.Repeat("\x00\x00\x80\x3f", 9)
	file := `<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"><UnstructuredGrid>
<Piece NumberOfPoints="3" NumberOfCells="1"><Points>
<DataArray type="Float32" Name="Points" NumberOfComponents="3" format="appended" offset="0"/></Points>
<Cells><DataArray type="Int64" Name="connectivity" format="ascii">0 1 2</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">3</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">5</DataArray></Cells></Piece></UnstructuredGrid>
<AppendedData encoding="raw">_` + "SIZE" + points + "</AppendedData></VTKFile>"
	for size, text := range map[string]string{
		"1234": "is not set, as medcoupling leaves it: write text", "    ": "is not set, as medcoupling leaves it",
		"5678": "bytes, where its Piece has 36", "\x24\x00\x00\x00": "",
	} {
		_, err := DecodeCells([]byte(strings.Replace(file, "SIZE", size, 1)))
		if (err == nil) != (text == "") || err != nil && !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, want %q", size, err, text)
		}
	}
}

func TestReadVTK(t *testing.T) {
	for name, data := range map[string][]byte{
		"text": []byte(vtkText), "CR LF": []byte(strings.ReplaceAll(vtkText, "\n", "\r\n")),
		"text 5.1": []byte(vtkText5),
		"binary":   vtkBinary(false), "binary 5.1": vtkBinary(true), "vtkIdType": vtkIDs(),
	} {
		c, err := DecodeCells(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(c.Vertices, []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, -1.5, 2, 3}) ||
			!slices.Equal(c.Kinds, []mesh.Element{mesh.Tetrahedron, mesh.Triangle, mesh.Tetrahedron}) ||
			!slices.Equal(c.Corners, []int32{0, 1, 2, 3, 1, 2, 4, 1, 2, 3, 4}) {
			t.Errorf("%s: %+v", name, c)
		}
		if _, err := c.Volume(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadVTKVoxel(t *testing.T) {
	text := "# vtk DataFile Version 2.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n" +
		strings.Repeat("0 0 0\n", 8) +
		"CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n"
	c, err := DecodeCells([]byte(text))
	if err != nil || !slices.Equal(c.Corners, []int32{0, 1, 3, 2, 4, 5, 7, 6}) || c.Kinds[0] != mesh.Hexahedron {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestReadVTKErrors(t *testing.T) {
	for text, change := range map[string][2]string{
		"line 3: a word of 4 bytes: neither ASCII nor BINARY": {"ASCII", "TEXT"},
		"only UNSTRUCTURED_GRID and POLYDATA are read":        {"UNSTRUCTURED_GRID", "STRUCTURED_GRID"},
		"line 5: -6 points": {"POINTS 6", "POINTS -6"},
		"line 5: 1000000000 points": {
			"POINTS 6", "POINTS 1000000000",
		},
		"a coordinate is \"nan\": not finite":                         {"-1.5", "nan"},
		"a coordinate is \"x\": not a number":                         {"-1.5", "x"},
		"cell 0: its corner 3 is 7: out of range for 6 points":        {"4 0 1 2 3", "4 0 1 2 7"},
		"cell 0: its corner 3 is -3: out of range for 6 points":       {"4 0 1 2 3", "4 0 1 2 -3"},
		"cell 3: a prism of 4 corners":                                {"5\n10\n", "5\n13\n"},
		"cell 3: cell type 24, a quadratic tetrahedron, with 4 nodes": {"5\n10\n", "5\n24\n"},
		"CELLS has more cells than CELL_TYPES": {
			"CELL_TYPES 4\n", "CELL_TYPES 3\n",
		},
		"CELLS ends within cell 3":       {"4 1 2 3 4", "5 1 2 3 4"},
		"\"CELL_TYPES\": not an integer": {"CELLS 4 17", "CELLS 4 40"},
		"the file ends here, before the end of a list": {
			"CELL_TYPES 4", "CELL_TYPES 9",
		},
		"not POINTS, CELLS or CELL_TYPES": {"CELLS 4 17", "CELLX 4 17"},
		"OFF files triangles alone":       {"# vtk", "# not"},
	} {
		file := strings.Replace(vtkText[:strings.Index(vtkText, "CELL_DATA")], change[0], change[1], 1)
		_, err := DecodeCells([]byte(file))
		if !errors.Is(err, status.ErrFile) || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: %v, want %q", change, err, text)
		}
	}
	for n := range len(vtkText) - len("CELL_DATA 4\nSCALARS a int 1\n") - 1 { // truncated anywhere
		if c, err := DecodeCells([]byte(vtkText[:n])); err == nil {
			t.Fatalf("the first %d bytes give %+v", n, c)
		}
	}
	for n := range vtkBinary(true) {
		if _, err := DecodeCells(vtkBinary(true)[:n]); err == nil && n < len(vtkBinary(true))-1 {
			t.Fatalf("the first %d bytes of the binary file give no error", n)
		}
	}
}

func TestReadVolumeData(t *testing.T) {
	dir := os.Getenv("CCD_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	dir = filepath.Join(dir, "volume")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no volumes in %s: set CCD_DATA", dir)
	}
	for name, want := range map[string][2]int{
		"Armadillo2.5K": {2542, 9199}, "Armadillo13K": {13230, 54985}, "cylinder4K": {3909, 14759},
		"torus4K": {4621, 17514},
	} {
		c, err := ReadCells(filepath.Join(dir, name+".vtk"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		v, err := c.Volume()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := [2]int{v.NV, len(v.Kinds)}; got != want {
			t.Errorf("%s: %v vertices and elements, want %v", name, got, want)
		}
	}
}

func FuzzDecodeCells(f *testing.F) {
	f.Add([]byte(vtkText))
	f.Add([]byte(vtkText5))
	f.Add(vtkBinary(false))
	f.Add(vtkBinary(true))
	f.Add(
		[]byte(twoTriangles +
			"CELL_DATA 2\nSCALARS vtkGhostType int\nLOOKUP_TABLE x\n1 0\nPOINT_DATA 4\nVECTORS u float\n1 2 3 4 5 6 " +
			"7 8 9 0 1 2\n"))
	f.Add([]byte(strings.Replace(gridHead, "UNSTRUCTURED_GRID", "POLYDATA", 1) +
		"POINTS 4 float\n0 2 0 0 0 0 2 0 0 2 1 0\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\nLINES 1 3\n2 0 1\n"))
	f.Add(
		[]byte(msh4Nodes +
			"$Elements\n1\n1 4 0 7 5 3 2\n$EndElements\n$NodeData\n1\n\"u\"\n1\n0\n3\n0\n1\n2\n7 1\n5 2\n" +
			"$EndNodeData\n"))
	f.Add([]byte(meditHead + "Edges 1 1 2 0 Tetrahedra 1 1 2 3 4 0 TetrahedraP2 0 End"))
	f.Add(vtuField(2, 3, "Float32", "1 2 3 4 5 6", "ascii", ""))
	f.Add([]byte(vtp))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := DecodeCells(data)
		if err != nil {
			if !errors.Is(err, status.ErrFile) {
				t.Fatalf("an error that is no status.ErrFile: %v", err)
			}
			return
		}
		checkRemarks(t, &c.Beside, len(c.Vertices)/3)
		if _, err := c.Volume(); err != nil &&
			(!errors.Is(err, status.ErrArgument) && !errors.Is(err, status.ErrIndex) ||
				strings.Contains(err.Error(), "is the same")) {
			t.Fatalf("the volume of what was read: %v", err)
		}
	})
}
