package meshfile

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"ccd/core/status"
)

// What to do about a file that is not read.
const (
	convert      = "convert it to VTU, PLY or OBJ, as meshio, ParaView or Blender do"
	convertCards = "convert it to VTU, PLY or OBJ with meshio: meshio convert FILE.bdf FILE.vtu"
	unpackIt     = "unpack it first"
	toMeshes     = "export it as OBJ, PLY or STL, as Blender or trimesh do"
)

// foreigner is a file of another program: how it begins, what it is, and what to do.
type foreigner struct{ begin, what, remedy string }

// foreigners are the formats that their first bytes tell; of two that fit the first counts.
var foreigners = []foreigner{
	{"\x1f\x8b", "gzip-compressed", unpackIt},
	{"BZh", "bzip2-compressed", unpackIt},
	{"\xfd7zXZ\x00", "xz-compressed", unpackIt},
	{"\x28\xb5\x2f\xfd", "zstd-compressed", unpackIt},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", unpackIt},
	{"version https://git-lfs", "a pointer of Git LFS in place of the file", "fetch the file with git lfs pull"},
	{"ISO-10303-21", "a STEP file of curved surfaces",
		"read it with Python's ccd.patch.read_step, or export triangles"},
	{"glTF", "a GLB file (binary glTF)", toMeshes},
	{"Kaydara FBX Binary", "an FBX file", toMeshes},
	{"; FBX", "an FBX file", toMeshes},
	{"BLENDER", "a Blender file", "export it from Blender as OBJ, PLY or STL"},
	{"PXR-USDC", "a USD file", toMeshes},
	{"#usda", "a USD file", toMeshes},
	{"Ogawa", "an Alembic file", toMeshes},
	{"#VRML", "a VRML file", toMeshes},
	{"# .PCD", "a point cloud (PCD)", "write its points as PLY"},
	{"LASF", "a point cloud (LAS)", "write its points as PLY"},
	{"\x93NUMPY", "a NumPy array", "give it as the second frame of a command, or load it with numpy.load"},
	{"CDF\x01", "a NetCDF file, such as Exodus", convert},
	{"CDF\x02", "a NetCDF file, such as Exodus", convert},
	{"CDF\x05", "a NetCDF file, such as Exodus", convert},
	{"MATLAB 5.0 MAT-file", "a MATLAB file", convert},
	{"C Binary", "an EnSight file", convert},
	{"EnSight", "an EnSight file", convert},
	{"#!TDV", "a Tecplot file", convert},
	{"%PDF", "a PDF file", "it holds no mesh"},
	{"\x89PNG", "a picture (PNG)", "it holds no mesh"},
	{"NDIME=", "an SU2 file", convert},
	{"*KEYWORD", "a keyword file of LS-DYNA", convert},
	{"*HEADING", "an Abaqus input file", convert},
	{"*", "an Abaqus input file or a keyword file of LS-DYNA", convert},
	{"/COM", "an Ansys file", convert},
	{"/PREP7", "an Ansys file", convert},
	{"SOL ", "a Nastran bulk data file", convertCards},
	{"CEND", "a Nastran bulk data file", convertCards},
	{"BEGIN BULK", "a Nastran bulk data file", convertCards},
	{"GRID", "a Nastran bulk data file", convertCards},
}

// xmlRoots are formats of XML by the root's name.
var xmlRoots = []foreigner{
	{"Xdmf", "an XDMF file, which describes arrays in other files", convert},
	{"COLLADA", "a COLLADA file", toMeshes},
	{"X3D", "an X3D file", toMeshes},
	{"robot", "a URDF, the description of a robot", "check its path with ccd robot, or give the meshes that it names"},
	{"sdf", "an SDF, the description of a robot or a scene", "give the meshes that it names"},
	{"mujoco", "a model of MuJoCo", "give the meshes that it names"},
	{"model", "the model of a 3MF file", toMeshes},
	{"svg", "a drawing (SVG)", "it holds no mesh"},
	{"html", "a web page, as a failed download leaves it", "download the file itself"},
	{"!DOCTYPE html", "a web page, as a failed download leaves it", "download the file itself"},
	{"dolfin", "a mesh of FEniCS (DOLFIN XML)", convert},
}

// vtkFiles are files of VTK's XML that are no unstructured grids, by their type.
var vtkFiles = []foreigner{
	{"PUnstructuredGrid", "a PVTU file, which lists the files of its pieces",
		"give one of these, or save the whole as one VTU file, as ParaView's filter Merge Blocks and Save Data do"},
	{"PPolyData", "a PVTP file, which lists the files of its pieces",
		"save the whole as one VTU file, as ParaView's filter Merge Blocks and Save Data do"},
	{"Collection", "a PVD file, which lists the files of frames", "give two of these, or all to ccd audit"},
	{"vtkMultiBlockDataSet", "a VTM file, which lists the files of its blocks",
		"save the whole as one VTU file, as ParaView's filter Merge Blocks and Save Data do"},
}

// foreign returns an error that says what a file is and what to do, or nil where it may be one that
// is read.
func foreign(data []byte) error {
	for _, f := range foreigners {
		if bytes.HasPrefix(data, []byte(f.begin)) {
			return f.error()
		}
	}
	head := data[:min(len(data), 4096)]
	switch begin := bytes.TrimLeft(head, blanks+"\r\n"); {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return archive(data)
	case bytes.HasPrefix(data, []byte("\x89HDF\r\n\x1a\n")):
		return hierarchical(data)
	case packedMEDIT(data) == nil && dynaPlot(data):
		return (&foreigner{"", "results of LS-DYNA (d3plot)", convert}).error()
	case len(begin) > 0 && begin[0] == '<':
		return foreignXML(begin)
	case len(begin) > 0 && begin[0] == '{':
		return foreignJSON(data)
	case len(begin) > 0 && begin[0] == '$':
		return dollars(data)
	case len(head) > 81 && head[72] == 'S' &&
		bytes.IndexByte(head[:72], '\n') < 0 && bytes.IndexByte(head[72:82], '\n') > 0:
		iges := foreigner{"", "an IGES file of curved surfaces",
			"read it with Python's ccd.patch.read_iges, or export triangles"}
		return iges.error()
	case tecplot(head):
		return (&foreigner{"", "a Tecplot file", convert}).error()
	case bytes.HasPrefix(head, []byte("%")) && bytes.Contains(head, []byte("\nNDIME")):
		return (&foreigner{"", "an SU2 file", convert}).error()
	case startsWith(head, "0", "SECTION"):
		return (&foreigner{"", "a DXF file", toMeshes}).error()
	case bytes.HasPrefix(begin, []byte("FoamFile")) || bytes.Contains(head, []byte("\nFoamFile")):
		return (&foreigner{"", "a file of OpenFOAM", "convert the case with foamToVTK"}).error()
	}
	return nil
}

func (f *foreigner) error() error {
	return status.Errorf(status.ErrFile, "%s: %s", f.what, f.remedy)
}

// tecplot reports whether a text begins with a title or variables, and has a zone.
func tecplot(head []byte) bool {
	begin := bytes.ToUpper(bytes.TrimLeft(head, blanks+"\r\n"))
	titled := bytes.HasPrefix(begin, []byte("TITLE")) || bytes.HasPrefix(begin, []byte("VARIABLES"))
	return titled && bytes.Contains(begin, []byte("VARIABLES")) && bytes.Contains(begin, []byte("\nZONE"))
}

// startsWith reports whether the first words of a text are these.
func startsWith(head []byte, words ...string) bool {
	s := source{data: head}
	for _, w := range words {
		if string(s.word()) != w {
			return false
		}
	}
	return true
}

// archive tells zip archives by the names of their files, which stand in the file as they are.
func archive(data []byte) error {
	for _, f := range []foreigner{
		{"3D/3dmodel.model", "a 3MF file", toMeshes},
		{".npy", "a NumPy archive (.npz)", "motions are read by ccd.Motion.load, and by commands as the second file; " +
			"for arrays write ccd.Mesh(data[\"vertices\"], data[\"faces\"]) with data = numpy.load(...)"},
		{".FCStd", "a FreeCAD file", toMeshes}, {"Document.xml", "a FreeCAD file", toMeshes},
		{".usdc", "a USD file (.usdz)", toMeshes},
	} {
		if bytes.Contains(data, []byte(f.begin)) {
			return f.error()
		}
	}
	return (&foreigner{"", "a zip archive", unpackIt}).error()
}

// hierarchical tells files of HDF5 by the names in them.
func hierarchical(data []byte) error {
	for _, f := range []foreigner{
		{"VTKHDF", "a VTKHDF file", "save it as VTU, as ParaView's Save Data does"},
		{"CGNSLibraryVersion", "a CGNS file", convert},
		{"ENS_MAA", "a MED file of Salome", convert},
	} {
		if bytes.Contains(data, []byte(f.begin)) {
			return f.error()
		}
	}
	return (&foreigner{"", "an HDF5 file", convert}).error()
}

// dynaPlot reports whether the header is that of a d3plot: words of 4 or 8 bytes in either order, a
// title of ten words, and then at fixed places the kind of the file, the number of dimensions, and
// the program that wrote it.
func dynaPlot(data []byte) bool {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, size := range []int{4, 8} {
			if len(data) < 18*size {
				continue
			}
			word := func(i int) uint64 {
				if size == 4 {
					return uint64(order.Uint32(data[size*i:]))
				}
				return order.Uint64(data[size*i:])
			}
			const kind, dimensions, points, program = 11, 15, 16, 17
			if word(kind) == 1 && word(dimensions) >= 2 && word(dimensions) <= 7 && word(points) > 0 &&
				(word(program) == 2 || word(program) == 6) {
				return true
			}
		}
	}
	return false
}

// foreignXML tells files by the name of the root, and those of VTK by their type.
func foreignXML(begin []byte) error {
	root := begin
	for bytes.HasPrefix(root, []byte("<?")) || bytes.HasPrefix(root, []byte("<!--")) ||
		bytes.HasPrefix(root, []byte("<!DOCTYPE")) && !hasFold(root, "<!doctype html") {
		i := bytes.IndexByte(root, '>')
		if bytes.HasPrefix(root, []byte("<!--")) {
			i = bytes.Index(root, []byte("-->"))
		}
		if i < 0 {
			return nil
		}
		root = bytes.TrimLeft(root[i:], "->"+blanks+"\r\n")
	}
	if hasFold(root, "<!doctype html") {
		return (&xmlRoots[slices.IndexFunc(xmlRoots, func(f foreigner) bool { return f.begin == "html" })]).error()
	}
	name := strings.FieldsFunc(string(root[:min(len(root), 100)]), func(r rune) bool {
		return strings.ContainsRune("<> \t\r\n/", r)
	})
	if len(name) == 0 {
		return nil
	}
	for _, f := range xmlRoots {
		if name[0] == f.begin {
			return f.error()
		}
	}
	if name[0] != "VTKFile" {
		return status.Errorf(status.ErrFile, "an XML file, but none of VTK: its root is %s; %s",
			Shown(name[0]), convert)
	}
	for _, f := range vtkFiles {
		if bytes.Contains(root[:min(len(root), 400)], []byte(`type="`+f.begin+`"`)) {
			return f.error()
		}
	}
	return nil
}

func hasFold(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(string(s[:len(prefix)]), prefix)
}

// foreignJSON tells files of JSON by names in them.
func foreignJSON(data []byte) error {
	for _, f := range []foreigner{
		{`"asset"`, "a glTF file", toMeshes},
		{`"patches"`, "a file of curved patches", "read it with ccd.patch.read, or give it to ccd patch"},
		{`"bodies"`, "a scene of rigid bodies", "give it to ccd rigid"},
		{"", "a JSON file", convert},
	} {
		if bytes.Contains(data, []byte(f.begin)) {
			return f.error()
		}
	}
	return nil
}

// nastranCards begin the lines of Nastran's files.
var nastranCards = []string{
	"GRID", "BEGIN", "SOL", "CEND", "ID", "NASTRAN", "CTRIA", "CQUAD", "CTETRA", "CHEXA", "CPENTA", "CBAR", "INIT",
	"ASSIGN", "MAT", "PSHELL", "PSOLID", "TITLE", "ENDDATA",
}

// mshSections are the names with which a file of Gmsh may begin.
var mshSections = []string{"$MeshFormat", "$Nodes", "$Elements", "$NOD", "$ELM", "$PhysicalNames", "$Comments",
	"$Entities", "$PartitionedEntities",
	"$Periodic", "$GhostElements", "$Parametrizations", "$NodeData", "$ElementData", "$ElementNodeData",
	"$InterpolationScheme", "$ParametricNodes"}

// dollars tells a file of Gmsh, which begins with a section, from Nastran and LS-DYNA, where a
// dollar begins a comment.
func dollars(data []byte) error {
	t := text{rest: data}
	for first := true; ; first = false {
		line, ok := t.next()
		if !ok {
			return nil
		}
		w := strings.ToUpper(string(word(&line)))
		switch {
		case first && slices.ContainsFunc(mshSections, func(s string) bool { return strings.EqualFold(s, w) }):
			return nil
		case w == "" || w[0] == '$':
		case w[0] == '*':
			return (&foreigner{"", "a keyword file of LS-DYNA", convert}).error()
		default:
			for _, card := range nastranCards {
				if strings.HasPrefix(w, card) {
					return (&foreigner{"", "a Nastran bulk data file", convertCards}).error()
				}
			}
			return nil
		}
	}
}
