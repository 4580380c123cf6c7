package meshfile

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"ccd/core/mesh"
	"ccd/core/unpack"
)

// greedy returns files of about n bytes that ask for as much memory as their format can.
func greedy(n int) map[string][]byte {
	repeat := func(head, part, tail string) []byte {
		return []byte(head + strings.Repeat(part, max(0, n-len(head)-len(tail))/len(part)) + tail)
	}
	list := func(part []byte, head string) []byte {
		return append([]byte(head), bytes.Repeat(part, (n-len(head))/len(part))...)
	}
	le := binary.LittleEndian
	ply := func(elements string) string {
		return "ply\nformat binary_little_endian 1.0\n" + elements + "end_header\n"
	}
	xyz := "property char x\nproperty char y\nproperty char z\n"
	corner := ply("element vertex 1\n" + xyz + "element face 1\nproperty list uint uchar vertex_index\n")
	face := le.AppendUint32(append([]byte(corner), 0, 0, 0), uint32(n-len(corner)-7))
	stl := make([]byte, 84+50*((n-84)/50))
	le.PutUint32(stl[80:], uint32((n-84)/50))
	for i := 84; i+50 <= len(stl); i += 50 { // corners that are all different
		for k := range 9 {
			le.PutUint32(stl[i+12+4*k:], math.Float32bits(float32(i*9+k)))
		}
	}
	medit := []byte{1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 20, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0}
	medit = le.AppendUint32(medit, uint32(n))
	medit = le.AppendUint32(medit, uint32((n-40)/12))
	medit = append(medit, make([]byte, n-len(medit))...)
	return map[string][]byte{
		"obj vertices":   repeat("", "v 0 0 0\n", ""),
		"obj one face":   repeat("v 0 0 0\nf", " 1", "\n"),
		"obj one line":   repeat("v 0 0 0\nl", " 1", "\n"),
		"obj words":      repeat("v 0 0 0\n", "\\\n", ""),
		"off one face":   repeat(fmt.Sprintf("OFF 1 1\n0 0 0\n%d", n/2-20), " 0", "\n"),
		"off promises":   []byte("OFF 2000000000 2000000000\n0 0 0\n"),
		"ply promises":   []byte(ply("element vertex 2000000000\n" + xyz)),
		"ply vertices":   list([]byte{0, 0, 0}, ply(fmt.Sprintf("element vertex %d\n", n/3)+xyz)),
		"ply one face":   append(face, make([]byte, n-len(face))...),
		"ply elements":   distinct("ply\nformat ascii 1.0\ncomment %d\n", "element a%d 0\n", n, 1),
		"ply properties": distinct("ply\nformat ascii 1.0\nelement a %d\n", "property int p%d\n", n, 1),
		"stl":            stl,
		"vtk points": repeat(
			fmt.Sprintf("# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %d int\n",
				n-90), "0 ", ""),
		"vtk cells": repeat(
			fmt.Sprintf("# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 0 int\nCELLS 1 %d\n",
				n/2-120), "0 ", ""),
		"vtk packed points": repeat(
			fmt.Sprintf("# vtk DataFile Version 3.0\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS %d float\n",
				n-90), "\x00\x00\x00\x00", ""),
		"msh tags": repeat(
			fmt.Sprintf("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n%d\n",
				n/12), "1 1 0 1 1\n", ""),
		"msh high tags": distinct("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", "%d 0 0 0\n", n, n),
		"msh low tags":  distinct("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", "%d 0 0 0\n", n, 1),
		"msh 4.1 tags": repeat(fmt.Sprintf("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 %d 1 1\n0 1 0 %d\n",
			n/5, n/5), "9 ", ""),
		"medit": repeat(fmt.Sprintf("MeshVersionFormatted 2\nDimension 2\nVertices %d\n",
			n/6-20), "0 0 0\n", ""),
		"medit packed": medit,
		"queries":      repeat("", strings.Repeat("0,1,0,1,0,1,0\n", 8), ""),
		"vtu tags": repeat("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>",
			"<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/>", "</UnstructuredGrid></VTKFile>"),
		"vtu depth":           repeat("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><a>", "<a>", ""),
		"vtu attributes":      repeat("<VTKFile type=\"UnstructuredGrid\" ", "a=\"\" ", "/>"),
		"vtu text":            vtuOf(n/16, "Int64", strings.Repeat("0 ", n/2), "ascii", ""),
		"vtu types of a byte": vtuOf(n*3/32, "UInt8", encoded(n*3/4, false), "binary", ""),
		"vtu shared":          vtuShared(n),
		"vtu field in text":   vtuField(n/22, 8, "Float64", strings.Repeat("0 ", 8*(n/22)), "ascii", ""),
		"vtu field of bytes":  vtuField(n/140, 100, "UInt8", encoded(100*(n/140), false), "binary", ""),
		"vtu field unpacked": vtuField(n/70, 100, "UInt8", encoded(100*(n/70), true), "binary",
			` compressor="vtkZLibDataCompressor"`),
		"soup":          soup(n),
		"vtu polyhedra": vtuPolyhedra(n),
		"vtk polyhedra": vtkPolyhedra(n),
		"vtu longer": vtuOf(n/64, "UInt8", encoded(64*n, true), "binary",
			` compressor="vtkZLibDataCompressor"`),
	}
}

// distinct are lines with a number each, all different, after a head that has their number.
func distinct(head, line string, n, first int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, n/16)
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, line, first+i)
	}
	return b.Bytes()
}

// encoded returns an array of n zeros as VTK writes it, after its size.
func encoded(n int, compressed bool) string {
	head, data := binary.LittleEndian.AppendUint32(nil, uint32(n)), make([]byte, n)
	if compressed {
		var packed bytes.Buffer
		w, _ := zlib.NewWriterLevel(&packed, zlib.BestCompression)
		_, _ = w.Write(data)
		_ = w.Close()
		head = head[:0]
		for _, x := range []int{1, n, n, packed.Len()} {
			head = binary.LittleEndian.AppendUint32(head, uint32(x))
		}
		return base64.StdEncoding.EncodeToString(head) + base64.StdEncoding.EncodeToString(packed.Bytes())
	}
	return base64.StdEncoding.EncodeToString(append(head, data...))
}

// vtuOf returns a grid of one point and so many cells, sets of points, with an array of
// connectivity.
func vtuOf(cells int, kind, body, format, compressor string) []byte {
	return []byte(
		fmt.Sprintf(
			"<VTKFile type=\"UnstructuredGrid\"%s><UnstructuredGrid><Piece NumberOfPoints=\"1\" NumberOfCells=\"%d\">"+
				"<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 "+
				"0</DataArray></Points><Cells>"+
				"<DataArray type=%q Name=\"connectivity\" format=%q>%s</DataArray><DataArray type=\"Int8\" "+
				"Name=\"offsets\" format=\"ascii\">%s</DataArray><DataArray type=\"Int8\" Name=\"types\" "+
				"format=\"ascii\">%s</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>",
			compressor, cells, kind, format, body, strings.Repeat("0 ", cells), strings.Repeat("2 ", cells)))
}

// vtuTypes is vtuOf with a compressed array of types.
func vtuTypes(cells int, body string) []byte {
	file := vtuOf(0, "UInt8", "", "ascii", ` compressor="vtkZLibDataCompressor"`)
	file = bytes.Replace(file, []byte(`NumberOfCells="0"`), fmt.Appendf(nil, "NumberOfCells=\"%d\"", cells), 1)
	return bytes.Replace(file, []byte(`<DataArray type="Int8" Name="types" format="ascii">`),
		[]byte(`<DataArray type="UInt8" Name="types" format="binary">`+body), 1)
}

// vtuField returns a grid of points alone, with a field.
func vtuField(points, components int, kind, body, format, compressor string) []byte {
	return []byte(
		fmt.Sprintf(
			"<VTKFile type=\"UnstructuredGrid\"%s><UnstructuredGrid><Piece NumberOfPoints=\"%d\" "+
				"NumberOfCells=\"0\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" "+
				"format=\"ascii\">%s</DataArray></Points><PointData>"+
				"<DataArray type=%q Name=\"u\" NumberOfComponents=\"%d\" "+
				"format=%q>%s</DataArray></PointData></Piece></UnstructuredGrid></VTKFile>",
			compressor, points, strings.Repeat("0 0 0 ", points), kind, components, format, body))
}

// soup returns an OFF file of triangles with points of their own.
func soup(n int) []byte {
	var b bytes.Buffer
	faces := n / 34
	fmt.Fprintf(&b, "OFF %d %d\n", 3*faces, faces)
	for i := range 3 * faces {
		fmt.Fprintf(&b, "0 %d 0\n", i%10)
	}
	for i := range faces {
		fmt.Fprintf(&b, "3 %d %d %d\n", 3*i, 3*i+1, 3*i+2)
	}
	return b.Bytes()
}

// triples returns n different sets of three points of 255.
func triples(n int) (all [][3]byte) {
	for a := range 255 {
		for b := range a {
			for c := range b {
				if len(all) == n {
					return all
				}
				all = append(all, [3]byte{byte(a), byte(b), byte(c)})
			}
		}
	}
	return all
}

// vtuPolyhedra is polyhedra of 12 triangles each, of which every number takes a byte.
func vtuPolyhedra(n int) []byte {
	const each = 12
	faces := triples(n / 5)
	faces = faces[:len(faces)/each*each]
	cells := len(faces) / each
	var list, ends []byte
	for i, f := range faces {
		if i%each == 0 {
			list = append(list, each)
		}
		list = append(list, 3, f[0], f[1], f[2])
		if i%each == each-1 {
			ends = binary.LittleEndian.AppendUint32(ends, uint32(len(list)))
		}
	}
	var b, appended bytes.Buffer
	array := func(name, kind string, data []byte) {
		fmt.Fprintf(&b, "<DataArray type=%q Name=%q format=\"appended\" offset=\"%d\"/>", kind, name, appended.Len())
		appended.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(data))))
		appended.Write(data)
	}
	fmt.Fprintf(&b, "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"255\" "+
		"NumberOfCells=\"%d\"><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">%s"+
		"</DataArray></Points><Cells>", cells, strings.Repeat("0 0 0 ", 255))
	array("connectivity", "UInt8", make([]byte, cells))
	offsets := make([]byte, 0, 4*cells)
	for i := range cells {
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(i+1))
	}
	array("offsets", "Int32", offsets)
	array("types", "UInt8", bytes.Repeat([]byte{vtkPolyhedron}, cells))
	array("faces", "UInt8", list)
	array("faceoffsets", "Int32", ends)
	b.WriteString("</Cells></Piece></UnstructuredGrid><AppendedData encoding=\"raw\">_")
	b.Write(appended.Bytes())
	return b.Bytes()
}

// vtkPolyhedra is a polyhedron of many triangles in binary.
func vtkPolyhedra(n int) []byte {
	faces := triples(n / 17)
	list := binary.BigEndian.AppendUint32(nil, uint32(4*len(faces)+1))
	list = binary.BigEndian.AppendUint32(list, uint32(len(faces)))
	for _, f := range faces {
		for _, x := range []byte{3, f[0], f[1], f[2]} {
			list = binary.BigEndian.AppendUint32(list, uint32(x))
		}
	}
	var b bytes.Buffer
	b.WriteString("# vtk DataFile Version 3.0\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 255 float\n")
	b.Write(make([]byte, 255*12))
	fmt.Fprintf(&b, "\nCELLS 1 %d\n", len(list)/4)
	b.Write(list)
	b.WriteString("\nCELL_TYPES 1\n")
	b.Write(binary.BigEndian.AppendUint32(nil, vtkPolyhedron))
	return b.Bytes()
}

// vtuShared is many pieces that all have the same points.
func vtuShared(n int) []byte {
	var b bytes.Buffer
	points := n / 2 / 24
	b.WriteString("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>")
	for b.Len() < n/2 {
		fmt.Fprintf(&b, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"0\"><Points>"+
			"<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/></Points></Piece>",
			points)
	}
	b.WriteString("</UnstructuredGrid><AppendedData encoding=\"raw\">_")
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(24*points)))
	b.Write(make([]byte, 24*points))
	return b.Bytes()
}

// allocated returns the bytes that reading takes in all: more than it ever has at one time.
func allocated(read func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// bound returns the memory that Read promises for a file.
func bound(data []byte) int {
	unpacked := 0
	if bytes.Contains(data, []byte("DataCompressor")) {
		for _, m := range regexp.MustCompile(`NumberOf(Points|Cells)="(\d+)"`).FindAllSubmatch(data, -1) {
			n, _ := strconv.Atoi(string(m[2]))
			unpacked += n * map[string]int{"Points": (3 + mesh.MostCorners + components(data)) * 8,
				"Cells": (1 + 1 + mesh.MostCorners) * 8}[string(m[1])]
		}
		unpacked = min(unpacked, unpack.ExpansionXZ*8*len(data)) // an array takes 8 bytes for one of the file's own
	}
	return MemoryPerByte*len(data) + 3*unpacked + 1<<18 // what the runtime and zlib take in any case
}

// components returns how many numbers all data at a point have together.
func components(data []byte) (n int) {
	for _, m := range regexp.MustCompile(`NumberOfComponents="(\d+)"`).FindAllSubmatch(data, -1) {
		k, _ := strconv.Atoi(string(m[1]))
		n += min(k, mostComponents)
	}
	return n
}

// checkMemory reads data and compares what that takes with the promise.
func checkMemory(t *testing.T, name string, data []byte) {
	t.Helper()
	for way, read := range map[string]func(){
		"surface":  func() { _, _ = Decode(data) },
		"elements": func() { _, _ = DecodeCells(data) },
		"queries":  func() { _, _ = DecodeQueries(data) },
	} {
		if got, most := allocated(read), bound(data); got > most {
			t.Errorf("%s, %s: %d bytes of a file take %d, which is %.1f times as much",
				name, way, len(data), got, float64(got)/float64(len(data)))
		}
	}
}

// The memory that reading takes is bounded by the file's size, and by what compressed arrays are
// said to hold.
func TestMemoryIsBoundedByTheFile(t *testing.T) {
	for name, data := range greedy(1 << 20) {
		checkMemory(t, name, data)
	}
}

// Arrays that share their bytes, or unpack to more than their piece has room for, are refused
// before they are unpacked; and headers whose length would take time that grows with its square.
func TestGreedyFilesAreRefused(t *testing.T) {
	files := greedy(1 << 18)
	for name, want := range map[string]string{
		"vtu shared":     "it shares its bytes with others",
		"ply elements":   "more than 1000 elements",
		"ply properties": "more than 1000 properties",
	} {
		if _, err := Decode(files[name]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := encoded(1<<16, true)
	for cells, want := range map[int]string{
		100:     "where its Piece has 100 in all",
		1 << 17: "65536 bytes, where its Piece has 131072",
	} {
		file := vtuTypes(cells, long)
		if _, err := DecodeCells(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d cells: %v", cells, err)
		}
	}
	head := binary.LittleEndian.AppendUint32(nil, 1)
	for _, x := range []uint32{1 << 27, 1 << 27, 20} {
		head = binary.LittleEndian.AppendUint32(head, x)
	}
	liar := base64.StdEncoding.EncodeToString(head) + base64.StdEncoding.EncodeToString(make([]byte, 20))
	file := vtuOf(100, "UInt8", long, "binary", ` compressor="vtkZLibDataCompressor"`)
	if _, err := DecodeCells(file); err == nil || !strings.Contains(err.Error(), "where its Piece has 808 in all") {
		t.Errorf("corners of 100 cells: %v", err)
	}
	file = vtuTypes(1<<27, liar)
	if _, err := DecodeCells(file); err == nil ||
		!strings.Contains(err.Error(), "20 bytes do not unpack to 134217728") {
		t.Errorf("a block that zlib cannot have made: %v", err)
	}
}

// FuzzMemory holds any file to the promise.
func FuzzMemory(f *testing.F) {
	for _, data := range greedy(1 << 12) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkMemory(t, "", data) })
}
