package meshfile

import (
	"encoding/binary"
	"errors"
	"reflect"
	"strings"
	"testing"

	"ccd/core/mesh"
	"ccd/core/status"
)

// Files of other programs get an error that says what they are and what to do, from both readers.
func TestFilesOfOtherProgramsAreNamed(t *testing.T) {
	plot := make([]byte, 400)
	for i, x := range map[int]uint32{11: 1, 14: 0x44700000, 15: 4, 16: 8, 17: 6} {
		binary.LittleEndian.PutUint32(plot[4*i:], x)
	}
	big := make([]byte, 400)
	for i, x := range map[int]uint64{11: 1, 15: 5, 16: 8, 17: 6} {
		binary.BigEndian.PutUint64(big[8*i:], x)
	}
	xml := "<?xml version=\"1.0\"?>\n<!-- made -> by hand -->\n"
	iges := strings.Repeat(" ", 72) + "S      1\n" + strings.Repeat(" ", 72) + "G      1\n"
	for file, want := range map[string]string{
		xml +
			`<VTKFile type="PUnstructuredGrid" version="0.1">` +
			`<PUnstructuredGrid/></VTKFile>`: "a PVTU file, which lists the files of its pieces: give one of these",
		xml + `<VTKFile type="Collection"/>`:           "a PVD file",
		xml + `<VTKFile type="vtkMultiBlockDataSet"/>`: "a VTM file",
		xml +
			`<!DOCTYPE Xdmf SYSTEM "Xdmf.dtd" []><Xdmf Version="3.0"></Xdmf>`: "an XDMF file, which describes " +
			"arrays in other files: convert it",
		xml + `<COLLADA xmlns="x">`: "a COLLADA file",
		"<robot name=\"a\">":        "a URDF",
		"<!doctype HTML><html>":     "a web page, as a failed download leaves it",
		xml +
			"<other/>": "an XML file, but none of VTK: its root is a word of 5 bytes",
		"\x89HDF\r\n\x1a\nabcVTKHDF": "a VTKHDF file: save it as VTU",
		"\x89HDF\r\n\x1a\nabc":       "an HDF5 file",
		string(
			plot): "results of LS-DYNA (d3plot)",
		string(
			big): "results of LS-DYNA (d3plot)",
		"$ made by hand\n$\nGRID,1,,0.,0.,0.\nENDDATA\n":   "a Nastran bulk data file: convert it to VTU, PLY or OBJ",
		"SOL 101\nCEND\nBEGIN BULK\n":                      "a Nastran bulk data file",
		"GRID           1              0.      0.      0.": "a Nastran bulk data file",
		"$# a comment\n*KEYWORD\n":                         "a keyword file of LS-DYNA",
		"*KEYWORD\n":                                       "a keyword file of LS-DYNA",
		"*HEADING\nx\n":                                    "an Abaqus input file",
		"% made by hand\nNDIME= 3\nNELEM= 1\n":             "an SU2 file: convert it",
		"TITLE = \"x\"\nVARIABLES = \"X\"\nZONE N=4\n":     "a Tecplot file: convert it",
		"variables = x, y\nzone i=2\n":                     "a Tecplot file: convert it",
		"** a comment\n*NODE\n":                            "an Abaqus input file or a keyword file of LS-DYNA",
		"{\"asset\":{\"version\":\"2.0\"}}":                "a glTF file: export it as OBJ, PLY or STL",
		"{\"patches\": []}":                                "a file of curved patches: read it with ccd.patch.read",
		"glTF\x02\x00\x00\x00":                             "a GLB file (binary glTF)",
		"PK\x03\x04....3D/3dmodel.model":                   "a 3MF file",
		"PK\x03\x04....x0.npy": "a NumPy archive (.npz): motions are read by " +
			"ccd.Motion.load",
		"PK\x03\x04....":           "a zip archive",
		"ISO-10303-21;\nHEADER;\n": "a STEP file of curved surfaces: read it with Python's ccd.patch.read_step",
		iges:                       "an IGES file of curved surfaces: read it with Python's ccd.patch.read_iges",
		"\x93NUMPY\x01\x00":        "a NumPy array",
		"CDF\x01\x00":              "a NetCDF file, such as Exodus",
		"  0\nSECTION\n":           "a DXF file",
		"Kaydara FBX Binary  \x00": "an FBX file",
		"version https://git-lfs.github.com/spec/v1\noid ": "a pointer of Git LFS in place of the file: fetch the " +
			"file with git lfs pull",
		"BZh91AY":                           "bzip2-compressed: unpack it first",
		"\x1f\x8b\x08":                      "gzip-compressed: unpack it first",
		"/* x */\nFoamFile\n{\n":            "a file of OpenFOAM",
		"BLENDER-v300":                      "a Blender file",
		"#VRML V2.0 utf8\n":                 "a VRML file",
		"# .PCD v0.7 - Point Cloud Data\n":  "a point cloud (PCD)",
		"\ufeff" + xml + "<COLLADA xmlns=>": "a COLLADA file",
	} {
		for name, read := range map[string]func() error{
			"surface": func() error {
				_, err := Decode([]byte(file))
				return err
			}, "elements": func() error { _, err := DecodeCells([]byte(file)); return err },
		} {
			if err := read(); !errors.Is(err, status.ErrFile) || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s, %q: %v", name, file[:min(len(file), 60)], err)
			}
		}
	}
}

// Netgen writes versions of MSH with more digits; uvw writes "append" where VTK goes by the offset
// alone.
func TestWordsOfOtherPrograms(t *testing.T) {
	shell := &Cells{Vertices: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, Kinds: []mesh.Element{mesh.Triangle},
		Corners: []int32{0, 1, 2}}
	base64 := writeVTU(shell, vtuStyles["vtu appended base64"])
	for name, x := range map[string]struct {
		file []byte
		to   [][2]string
	}{
		"MSH 2":   {writeMSH2(shell, nil), [][2]string{{"2.2", "2.000000"}}},
		"MSH 2.2": {writeMSH2(shell, nil), [][2]string{{"2.2", "2.200000"}}},
		"MSH 4":   {writeMSH4(shell, "4.0", nil), [][2]string{{"4.0", "4.000"}}},
		"MSH 4.1": {writeMSH4(shell, "4.1", nil), [][2]string{{"4.1", "4.10"}}},
		"VTU": {base64, [][2]string{{`format="appended"`, `format="append"`},
			{"AppendedData encoding", "AppendedData format"}}},
	} {
		want, err := Decode(x.file)
		if err != nil || len(want.Faces) == 0 {
			t.Fatalf("%s: %+v, %v", name, want, err)
		}
		changed := string(x.file)
		for _, to := range x.to {
			if !strings.Contains(changed, to[0]) {
				t.Fatalf("%s: the file has no %q", name, to[0])
			}
			changed = strings.ReplaceAll(changed, to[0], to[1])
		}
		if s, err := Decode([]byte(changed)); err != nil || !reflect.DeepEqual(s, want) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// What other programs write in formats that are read is read.
func TestHabitsOfOtherPrograms(t *testing.T) {
	triangle := "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
	for name, file := range map[string]string{
		"a zero at the end":        triangle + "f 1 2 3\n\x00",
		"slashes":                  triangle + "f 1// 2/ 3/4/\n",
		"a plane":                  "v 0 0\nv 1 0\nv 0 1\nf 1 2 3\n",
		"faces over several lines": "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0\n1 # second\n\n2 255 0 0\n",
		"colors":                   "COFF\n3 1 0\n0 0 0 1 0 0 1\n1 0 0 1 0 0 1\n0 1 0 1 0 0 1\n3 0 1 2 0.5 0.5 0.5\n",
		"textures":                 "STOFF\n3 1 0\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n",
		"normals and colors":       "NCOFF\n3 1 0\n0 0 0 9 9 9 0 0 1\n1 0 0 9 9 9 0 0 1\n0 1 0 9 9 9 0 0 1\n3 0 1 2\n",
		"a byte order mark":        "\ufeff" + triangle + "f 1 2 3\n",
	} {
		s, err := Decode([]byte(file))
		if err != nil || len(s.Faces) != 1 || s.Faces[0] != [3]int32{0, 1, 2} || len(s.LeftOut) > 0 ||
			s.Vertices[3] != 1 || s.Vertices[7] != 1 || s.Vertices[5] != 0 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if noted := s != nil && len(s.Notes) == 1; noted != (name == "a plane") {
			t.Errorf("%s: %q", name, s.Notes)
		}
	}
	s, err := Decode([]byte(triangle + "v 5 5 5\nv 6 6 6\np 4\nf 1 2 3\n"))
	if err != nil || len(s.Unused) != 1 || s.Unused[0] != 4 {
		t.Errorf("a point is unused, or another vertex used: %+v, %v", s, err)
	}
	s, err = Decode(
		[]byte(
			"ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\nelement tetra " +
				"2\nproperty int a\nend_header\n1 2 3\n0\n0\n"))
	if err != nil || leftOut(&s.Beside)["rows of PLY elements other than vertices, faces and edges"] != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}
