package meshfile

import (
	"slices"
	"strings"
	"testing"
)

// vtp is polygonal data with a list of each type, two ghosts among the polygons, and data at
// points.
const vtp = `<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<PolyData><Piece NumberOfPoints="8" NumberOfVerts="1" NumberOfLines="1" NumberOfStrips="1" NumberOfPolys="3">
<PointData><DataArray type="Float32" Name="u" format="ascii">1 2 3 4 5 6 7 8</DataArray></PointData>
<CellData><DataArray type="UInt8" Name="vtkGhostType" format="ascii">0 0 0 1 0 0</DataArray></CellData>
<Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">
0 0 0 4 0 0 4 4 0 0 4 0 3 1 0 9 9 9 8 8 8 7 7 7</DataArray></Points>
<Verts><DataArray type="Int64" Name="connectivity" format="ascii">7</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">1</DataArray></Verts>
<Lines><DataArray type="Int64" Name="connectivity" format="ascii">5 6 0</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">3</DataArray></Lines>
<Strips><DataArray type="Int64" Name="connectivity" format="ascii">4 5 6 7</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4</DataArray></Strips>
<Polys><DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 4 0 1 2 0 1 3</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4 7 10</DataArray></Polys>
</Piece></PolyData></VTKFile>`

// TestPolygonalDataInXML reads every list of a VTP, leaves out ghosts by the order of cells, and
// cuts a concave polygon without folding it.
func TestPolygonalDataInXML(t *testing.T) {
	s, err := Decode([]byte(vtp))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Vertices) != 24 || s.Vertices[12] != 3 || len(s.Edges) != 2 || s.Edges[0] != [2]int32{5, 6} {
		t.Fatalf("vertices %v, edges %v", s.Vertices, s.Edges)
	}
	want := [][3]int32{{0, 1, 4}, {1, 2, 4}, {0, 1, 3}, {4, 5, 6}, {6, 5, 7}}
	sorted := func(faces [][3]int32) [][3]int32 {
		found := slices.Clone(faces)
		for i := range found {
			slices.Sort(found[i][:])
		}
		slices.SortFunc(found, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
		return found
	}
	if !slices.Equal(sorted(s.Faces), sorted(want)) {
		t.Errorf("faces %v, want %v", s.Faces, want)
	}
	if n := s.count(ghostCells); n != 1 {
		t.Errorf("%d ghost cells, want 1", n)
	}
}

func TestWrongPolygonalDataIsRefused(t *testing.T) {
	for why, edit := range map[string][2]string{
		"Polys: cell 1: its corner 2 is 9: out of range for 8 points": {"0 1 2 4 0 1 2", "0 1 2 4 0 1 9"},
		"a Piece whose NumberOfPolys is \"-3\"":                       {`NumberOfPolys="3"`, `NumberOfPolys="-3"`},
		"6 numbers, where its Piece has 7":                            {`NumberOfPolys="3"`, `NumberOfPolys="4"`},
		"Strips have no connectivity or no offsets":                   {"<Strips>", "<Lines2>"},
		"cell 2 has the vertices from 7 to 11, of 10":                 {"4 7 10", "4 7 11"},
		"a second one of its kind in one Piece":                       {"<Strips>", "<Polys>"},
	} {
		text := strings.Replace(vtp, edit[0], edit[1], 1)
		end := strings.Replace(edit[1], "<", "</", 1)
		text = strings.Replace(text, "</Strips>", end, strings.Count(edit[0], "<Strips>"))
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v: want %q", err, why)
		}
	}
}
