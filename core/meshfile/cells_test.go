package meshfile

import (
	"bytes"
	"ccd/core/mesh"
	"ccd/core/status"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mixture returns one element of every kind, in an order from the seed, with vertices of their own,
// of full precision.
func mixture(seed uint64) *Cells {
	r := rand.New(rand.NewPCG(seed, 5))
	kinds := []mesh.Element{mesh.Triangle, mesh.Quadrilateral, mesh.Tetrahedron, mesh.Hexahedron, mesh.Prism,
		mesh.Pyramid, mesh.Tetrahedron}
	r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	c := &Cells{Kinds: kinds}
	for _, k := range kinds {
		for range k.Corners() {
			c.Corners = append(c.Corners, int32(len(c.Vertices)/3))
			c.Vertices = append(c.Vertices, r.NormFloat64(), 1e9*r.Float64(), math.Ldexp(r.Float64(), -900))
		}
	}
	r.Shuffle(len(c.Corners), func(i, j int) { c.Corners[i], c.Corners[j] = c.Corners[j], c.Corners[i] })
	return c
}

// each calls emit with every element and its corners.
func (c *Cells) each(emit func(i int, k mesh.Element, corners []int32)) {
	at := 0
	for i, k := range c.Kinds {
		emit(i, k, c.Corners[at:at+k.Corners()])
		at += k.Corners()
	}
}

// encoder writes numbers as words or packed.
type encoder struct {
	bytes.Buffer
	order binary.ByteOrder
}

func (e *encoder) put(xs ...any) {
	for _, x := range xs {
		switch s, text := x.(string); {
		case text:
			e.WriteString(s)
		case e.order != nil:
			_ = binary.Write(e, e.order, x)
		default:
			fmt.Fprint(e, x, " ")
		}
	}
	if e.order == nil {
		e.WriteString("\n")
	}
}

var gmshTypes = map[mesh.Element]int32{mesh.Triangle: 2, mesh.Quadrilateral: 3, mesh.Tetrahedron: 4, mesh.Hexahedron: 5,
	mesh.Prism: 6, mesh.Pyramid: 7}

func mshHead(e *encoder, version string, size int) {
	if e.order == nil {
		fmt.Fprintf(e, "$MeshFormat\n%s 0 %d\n$EndMeshFormat\n", version, size)
		return
	}
	fmt.Fprintf(e, "$MeshFormat\n%s 1 %d\n", version, size)
	e.put(int32(1))
	e.WriteString("\n$EndMeshFormat\n")
}

// tagOf returns the tag of a vertex: not in order, with gaps, one of them large.
func tagOf(v int32) int64 {
	if v == 3 {
		return 1 << 30
	}
	return int64(3*(v^1) + 2)
}

func writeMSH2(c *Cells, order binary.ByteOrder) []byte {
	e := &encoder{order: order}
	mshHead(e, "2.2", 8)
	fmt.Fprintf(e, "$PhysicalNames\n1\n3 1 \"what $ ever\"\n$EndPhysicalNames\n$Nodes\n%d\n", len(c.Vertices)/3)
	for v := range len(c.Vertices) / 3 {
		e.put(int32(tagOf(int32(v))), c.Vertices[3*v], c.Vertices[3*v+1], c.Vertices[3*v+2])
	}
	fmt.Fprintf(e, "\n$EndNodes\n$Elements\n%d\n", len(c.Kinds)+1)
	one := func(tag int32, kind int32, nodes []int32) {
		if order == nil {
			e.put(tag, kind, int32(2), int32(7), int32(9))
		} else {
			e.put(kind, int32(1), int32(2), tag, int32(7), int32(9))
		}
		for _, x := range nodes {
			e.put(int32(tagOf(x)))
		}
	}
	one(1, 1, []int32{0, 1}) // a line
	c.each(func(i int, k mesh.Element, corners []int32) { one(int32(i+2), gmshTypes[k], corners) })
	e.WriteString("\n$EndElements\n")
	return e.Bytes()
}

func writeMSH4(c *Cells, version string, order binary.ByteOrder) []byte {
	e := &encoder{order: order}
	mshHead(e, version, 8)
	new := version == "4.1"
	n := len(c.Vertices) / 3
	tag := func(t int64) any { // tag has the width of the tags of nodes and elements.
		if new {
			return t
		}
		return int32(t)
	}
	half := n / 2
	e.WriteString("$Nodes\n")
	e.put(int64(2), int64(n))
	if new {
		e.put(int64(1), int64(1<<30))
	}
	for block, span := range [][2]int{{0, half}, {half, n}} {
		parametric := int32(block)
		e.put(int32(2), int32(2), parametric, int64(span[1]-span[0]))
		if new {
			for v := span[0]; v < span[1]; v++ {
				e.put(tagOf(int32(v)))
			}
		}
		for v := span[0]; v < span[1]; v++ {
			if !new {
				e.put(tag(tagOf(int32(v))))
			}
			e.put(c.Vertices[3*v], c.Vertices[3*v+1], c.Vertices[3*v+2])
			if parametric != 0 {
				e.put(0.25, 0.5)
			}
		}
	}
	e.WriteString("\n$EndNodes\n$Elements\n")
	e.put(int64(len(c.Kinds)), int64(len(c.Kinds)))
	if new {
		e.put(int64(1), int64(len(c.Kinds)))
	}
	c.each(func(i int, k mesh.Element, corners []int32) {
		e.put(int32(3), int32(1), gmshTypes[k], int64(1), tag(int64(i+1)))
		for _, x := range corners {
			e.put(tag(tagOf(x)))
		}
	})
	e.WriteString("\n$EndElements\n$Periodic\n0\n$EndPeriodic\n")
	return e.Bytes()
}

var meditNames = []struct {
	name   string
	number int32
	kind   mesh.Element
}{{"Triangles", 6, mesh.Triangle}, {"Quadrilaterals", 7, mesh.Quadrilateral}, {"Tetrahedra", 8, mesh.Tetrahedron},
	{"Prisms", 9, mesh.Prism},
	{"Hexahedra", 10, mesh.Hexahedron}, {"Pyramids", 49, mesh.Pyramid}}

// byKind returns the elements in the order in which MEDIT has them, kind after kind.
func byKind(c *Cells) *Cells {
	sorted := &Cells{Vertices: c.Vertices}
	for _, m := range meditNames {
		c.each(func(_ int, k mesh.Element, corners []int32) {
			if k == m.kind {
				sorted.Kinds, sorted.Corners = append(sorted.Kinds, k), append(sorted.Corners, corners...)
			}
		})
	}
	return sorted
}

func writeMEDIT(c *Cells) []byte {
	e := new(encoder)
	e.put("MeshVersionFormatted 2 # doubles\n\nDimension\n3\nVertices\n", len(c.Vertices)/3)
	for v := range len(c.Vertices) / 3 {
		e.put(c.Vertices[3*v], c.Vertices[3*v+1], c.Vertices[3*v+2], v%4)
	}
	e.put("Edges 1\n1 2 7\nCorners\n1\n1\nNormals 1\n-0.5 .5 1e-3\n")
	for _, m := range meditNames {
		n := 0
		part := new(encoder)
		c.each(func(_ int, k mesh.Element, corners []int32) {
			if k == m.kind {
				n++
				for _, x := range corners {
					part.put(x + 1)
				}
				part.put(5)
			}
		})
		e.put(m.name, "\n", n)
		e.Write(part.Bytes())
	}
	e.put("End")
	return e.Bytes()
}

func writePackedMEDIT(c *Cells, version int32, order binary.ByteOrder) []byte {
	all := &encoder{order: order}
	all.put(int32(1), version)
	integer := func(x int) any {
		if version == 4 {
			return int64(x)
		}
		return int32(x)
	}
	section := func(number int32, body func(e *encoder)) {
		e := &encoder{order: order}
		body(e)
		head := 8
		if version >= 3 {
			head = 12
		}
		all.put(number)
		if next := all.Len() - 4 + head + e.Len(); version >= 3 {
			all.put(int64(next))
		} else {
			all.put(int32(next))
		}
		all.Write(e.Bytes())
	}
	section(3, func(e *encoder) { e.put(int32(3)) })
	section(4, func(e *encoder) {
		e.put(integer(len(c.Vertices) / 3))
		for i, x := range c.Vertices {
			if version == 1 {
				e.put(float32(x))
			} else {
				e.put(x)
			}
			if i%3 == 2 {
				e.put(integer(0))
			}
		}
	})
	section(13, func(e *encoder) { e.put(integer(1), integer(1)) }) // corners, passed over
	for _, m := range meditNames {
		section(m.number, func(e *encoder) {
			n := 0
			part := &encoder{order: order}
			c.each(func(_ int, k mesh.Element, corners []int32) {
				if k == m.kind {
					n++
					for _, x := range corners {
						part.put(integer(int(x) + 1))
					}
					part.put(integer(5))
				}
			})
			e.put(integer(n))
			e.Write(part.Bytes())
		})
	}
	all.put(int32(54))
	return all.Bytes()
}

// vtuStyle is one way of writing VTK's XML.
type vtuStyle struct {
	format, encoding string
	order            binary.ByteOrder
	wide             bool
	packer           string
}

var vtuStyles = map[string]vtuStyle{
	"vtu ascii":              {format: "ascii", order: binary.LittleEndian},
	"vtu binary":             {format: "binary", order: binary.LittleEndian},
	"vtu binary, big, wide":  {format: "binary", order: binary.BigEndian, wide: true},
	"vtu binary, zlib":       {format: "binary", order: binary.LittleEndian, packer: "ZLib"},
	"vtu appended raw":       {format: "appended", encoding: "raw", order: binary.LittleEndian, wide: true},
	"vtu appended raw, zlib": {format: "appended", encoding: "raw", order: binary.LittleEndian, packer: "ZLib"},
	"vtu appended base64":    {format: "appended", encoding: "base64", order: binary.LittleEndian},
	"vtu appended base64, zlib, big": {format: "appended", encoding: "base64", order: binary.BigEndian,
		packer: "ZLib", wide: true},
	"vtu binary, lz4":           {format: "binary", order: binary.LittleEndian, packer: "LZ4"},
	"vtu appended raw, lz4":     {format: "appended", encoding: "raw", order: binary.BigEndian, packer: "LZ4"},
	"vtu appended base64, lzma": {format: "appended", encoding: "base64", order: binary.LittleEndian, packer: "LZMA"},
	"vtu appended raw, lzma":    {format: "appended", encoding: "raw", order: binary.LittleEndian, packer: "LZMA"},
}

// stored returns a block of at most 64 bytes in the form of a compressor. Blocks of LZ4 and of LZMA
// have the bytes as they are: package unpack tests others.
func (s *vtuStyle) stored(data []byte) []byte {
	switch s.packer {
	case "LZ4":
		if n := len(data); n >= 15 {
			return append([]byte{0xf0, byte(n - 15)}, data...)
		}
		return append([]byte{byte(len(data) << 4)}, data...)
	case "LZMA":
		sum := func(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }
		flags := sum([]byte{0, 1})
		block := sum([]byte{2, 0, 0x21, 1, 0, 0, 0, 0})
		chunk := append([]byte{1, 0, byte(len(data) - 1)}, data...)
		for chunk = append(chunk, 0); len(chunk)%4 > 0; {
			chunk = append(chunk, 0)
		}
		check := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(data))
		return slices.Concat([]byte("\xfd7zXZ\x00"), flags, block, chunk, check, []byte{0})
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(data)
	_ = w.Close()
	return packed.Bytes()
}

// pack returns the bytes of an array in a style, in base64 unless it is to be raw. The heading of
// compressed data is encoded apart.
func (s *vtuStyle) pack(values any) []byte {
	var data, head bytes.Buffer
	_ = binary.Write(&data, s.order, values)
	number := func(n int) {
		if s.wide {
			_ = binary.Write(&head, s.order, uint64(n))
		} else {
			_ = binary.Write(&head, s.order, uint32(n))
		}
	}
	body := data.Bytes()
	if s.packer == "" {
		number(len(body))
		if s.encoding == "raw" {
			return append(head.Bytes(), body...)
		}
		return []byte(base64.StdEncoding.EncodeToString(append(head.Bytes(), body...)))
	}
	const block = 64
	var packed bytes.Buffer
	var sizes []int
	for lo := 0; lo < len(body); lo += block {
		n, _ := packed.Write(s.stored(body[lo:min(lo+block, len(body))]))
		sizes = append(sizes, n)
	}
	for _, n := range append([]int{len(sizes), block, len(body) % block}, sizes...) {
		number(n)
	}
	if s.encoding == "raw" {
		return append(head.Bytes(), packed.Bytes()...)
	}
	return []byte(base64.StdEncoding.EncodeToString(head.Bytes()) + base64.StdEncoding.EncodeToString(packed.Bytes()))
}

func writeVTU(c *Cells, s vtuStyle) []byte {
	var e, appended bytes.Buffer
	name, wide, compressor := "LittleEndian", "UInt32", ""
	if s.order == binary.BigEndian {
		name = "BigEndian"
	}
	if s.wide {
		wide = "UInt64"
	}
	if s.packer != "" {
		compressor = fmt.Sprintf(" compressor=\"vtk%sDataCompressor\"", s.packer)
	}
	fmt.Fprintf(&e,
		"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=%q header_type=%q%s>\n"+
			"<UnstructuredGrid><FieldData><DataArray type=\"Float64\" Name=\"TimeValue\">7</DataArray></FieldData>\n",
		name, wide, compressor)
	array := func(attributes string, values any) {
		fmt.Fprintf(&e, "<DataArray %s format=%q", attributes, s.format)
		switch s.format {
		case "ascii":
			fmt.Fprintf(&e, ">\n%s\n<InformationKey name=\"x\">3</InformationKey></DataArray>\n",
				strings.Trim(fmt.Sprint(values), "[]"))
		case "binary":
			fmt.Fprintf(&e, ">\n  %s\n</DataArray>\n", s.pack(values))
		default:
			fmt.Fprintf(&e, " offset=\"%d\"/>\n", appended.Len())
			appended.Write(s.pack(values))
		}
	}
	piece := func(c *Cells) {
		fmt.Fprintf(&e,
			"<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\"><PointData><DataArray type=\"Int8\" "+
				"Name=\"connectivity\">1</DataArray></PointData>\n<Points>\n",
			len(c.Vertices)/3, len(c.Kinds))
		array(`type="Float64" Name="Points" NumberOfComponents="3"`, c.Vertices)
		var offsets, corners []int64
		var kinds []uint8
		c.each(func(_ int, k mesh.Element, list []int32) {
			for _, x := range list {
				corners = append(corners, int64(x))
			}
			offsets, kinds = append(offsets, int64(len(corners))), append(kinds, uint8(k))
		})
		e.WriteString("</Points>\n<Cells>\n")
		array(`type="Int64" Name="connectivity"`, corners)
		array(`type="Int64" Name="offsets"`, offsets)
		words := make([]uint16, len(kinds)) // fmt shows bytes as numbers, too, but VTK's own type is UInt8
		for i, k := range kinds {
			words[i] = uint16(k)
		}
		if s.format == "ascii" {
			array(`type="UInt8" Name="types"`, words)
		} else {
			array(`type="UInt8" Name="types"`, kinds)
		}
		e.WriteString("</Cells></Piece>\n")
	}
	piece(c)
	piece(&Cells{Vertices: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, Kinds: []mesh.Element{mesh.Triangle},
		Corners: []int32{2, 0, 1}})
	e.WriteString("</UnstructuredGrid>\n")
	if s.format == "appended" {
		fmt.Fprintf(&e, "<AppendedData encoding=%q>\n_", s.encoding)
		e.Write(appended.Bytes())
		e.WriteString("\n</AppendedData>\n")
	}
	e.WriteString("</VTKFile>\n")
	return e.Bytes()
}

// cellFiles returns a mixture in all formats, and what is to be read of each.
func cellFiles(c *Cells) (files map[string][]byte, want map[string]*Cells) {
	files = map[string][]byte{
		"msh 2": writeMSH2(c, nil), "msh 2 packed": writeMSH2(c, binary.LittleEndian),
		"msh 2 big": writeMSH2(c, binary.BigEndian),
		"msh 4.0":   writeMSH4(c, "4", nil), "msh 4.1": writeMSH4(c, "4.1", nil),
		"msh 4.0 packed": writeMSH4(c, "4", binary.LittleEndian),
		"msh 4.1 packed": writeMSH4(c, "4.1", binary.LittleEndian),
		"msh 4.1 big":    writeMSH4(c, "4.1", binary.BigEndian), "medit": writeMEDIT(c),
		"medit CR LF": bytes.ReplaceAll(writeMEDIT(c), []byte("\n"), []byte("\r\n")),
	}
	want = make(map[string]*Cells)
	for version := int32(1); version <= 4; version++ {
		files[fmt.Sprintf("medit packed %d", version)] = writePackedMEDIT(c, version, binary.LittleEndian)
		files[fmt.Sprintf("medit packed %d big", version)] = writePackedMEDIT(c, version, binary.BigEndian)
	}
	for name, s := range vtuStyles {
		files[name] = writeVTU(c, s)
	}
	for name := range files {
		switch {
		case strings.HasPrefix(name, "msh"):
			want[name] = c
		case strings.HasPrefix(name, "vtu"):
			n := int32(len(c.Vertices) / 3)
			want[name] = &Cells{Vertices: append(slices.Clone(c.Vertices), 1, 2, 3, 4, 5, 6, 7, 8, 9),
				Kinds:   append(slices.Clone(c.Kinds), mesh.Triangle),
				Corners: append(slices.Clone(c.Corners), n+2, n, n+1)}
		default:
			sorted := byKind(c)
			if strings.HasPrefix(name, "medit packed 1") {
				sorted.Vertices = slices.Clone(sorted.Vertices)
				for i, x := range sorted.Vertices {
					sorted.Vertices[i] = float64(float32(x))
				}
			}
			want[name] = sorted
		}
	}
	return files, want
}

func TestReadCellsOfEveryFormat(t *testing.T) {
	for seed := range uint64(5) {
		files, want := cellFiles(mixture(seed))
		for name, data := range files {
			got, err := DecodeCells(data)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, data[:min(len(data), 600)])
			}
			if w := want[name]; !slices.Equal(got.Vertices, w.Vertices) || !slices.Equal(got.Kinds, w.Kinds) ||
				!slices.Equal(got.Corners, w.Corners) {
				t.Fatalf("%s: %+v\nwant %+v", name, got, w)
			}
			if _, err := got.Volume(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Whatever the place where a file is cut off, it is an error, or the whole had been read.
func TestTruncatedCells(t *testing.T) {
	files, want := cellFiles(mixture(9))
	for name, data := range files {
		for n := 0; n < len(data); n += 1 + len(data)/1000 {
			got, err := DecodeCells(data[:n])
			if err != nil && !errors.Is(err, status.ErrFile) {
				t.Fatalf("%s cut to %d bytes: %v", name, n, err)
			}
			medit := strings.HasPrefix(name, "medit") && !strings.Contains(name, "packed") // its end may be left out
			if err == nil && !medit && (len(got.Kinds) != len(want[name].Kinds) || n < len(data)*3/4) {
				t.Fatalf("%s cut to %d of %d bytes gives %d elements", name, n, len(data), len(got.Kinds))
			}
		}
	}
}

// The shells and lines of a file of elements are a surface.
func TestReadSurfaceOfCells(t *testing.T) {
	c := mixture(3)
	triangles := 0
	c.each(func(_ int, k mesh.Element, _ []int32) {
		if k.Shell() {
			triangles += k.Corners() - 2
		}
	})
	s, err := Decode(writeMSH2(c, nil))
	if err != nil || len(s.Faces) != triangles || !slices.Equal(s.Edges, [][2]int32{{0, 1}}) ||
		len(s.Vertices) != len(c.Vertices) {
		t.Errorf("%+v, %v", s, err)
	}
	solid := &Cells{Vertices: make([]float64, 12), Kinds: []mesh.Element{mesh.Tetrahedron},
		Corners: []int32{0, 1, 2, 3}}
	if _, err := Decode(writeMEDIT(solid)); !errors.Is(err, status.ErrFile) ||
		!strings.Contains(err.Error(), "is no surface") {
		t.Errorf("%v", err)
	}
}

func TestReadCellsErrors(t *testing.T) {
	tetrahedron := &Cells{Vertices: []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
		Kinds: []mesh.Element{mesh.Tetrahedron}, Corners: []int32{0, 1, 2, 3}}
	msh2, msh4, medit := writeMSH2(tetrahedron, nil), writeMSH4(tetrahedron, "4.1", nil), writeMEDIT(tetrahedron)
	vtu := writeVTU(tetrahedron, vtuStyles["vtu ascii"])
	packed := writeVTU(tetrahedron, vtuStyles["vtu binary, zlib"])
	for text, x := range map[string]struct {
		file     []byte
		from, to string
	}{
		"line 2: version \"1.0\": only 2 and 4 are read":               {msh2, "2.2", "1.0"},
		"a node's tag is 5: tags are positive, and each is given once": {msh2, "\n2 1 0", "\n5 1 0"},
		"line 9: the number of nodes is 400000":                        {msh2, "$Nodes\n4", "$Nodes\n400000"},
		"elements[1], of tag 2, is of type 29, a tetrahedron of 20 nodes: only linear elements are read": {msh2,
			"2 4 2 7 9", "2 29 2 7 9"},
		"elements[1], of tag 2: its node 3 has the tag 8, which no node": {
			msh2, "1073741824 \n\n$EndE", "8 \n\n$EndE",
		},
		"a coordinate is +Inf: not finite":              {msh2, "1 0 0", "1e999 0 0"},
		"a coordinate is \"x\": not a number":           {msh2, "1 0 0", "x 0 0"},
		"the file ends before the end of \"$Elements\"": {msh2, "$EndElements", ""},
		"one $Nodes is expected":                        {msh2, "$Nodes", "$Elements"},
		"elements[0], of tag 1, is of type 99":          {msh4, "3 1 4 1", "3 1 99 1"},
		"block 1 has 3 nodes, where 2 are left":         {msh4, "2 2 1 2", "2 2 1 3"},
		"line 4: dimension 4: 2 or 3 are read": {
			medit, "Dimension\n3", "Dimension\n4",
		},
		"tetrahedra 1: its corner 3 is 9: out of range for 4 vertices": {medit, "4 \n5", "9 \n5"},
		"the number of vertices is -4": {
			medit, "Vertices\n4", "Vertices\n-4",
		},
		"out of range for 0 vertices, the first of which is 1": {medit, "Vertices", "Knots"},
		"the file ends here, without Vertices":                 {medit, "Vertices", "End"},
		"only UnstructuredGrid and PolyData are read": {
			vtu, `type="UnstructuredGrid"`, `type="ImageData"`,
		},
		"header_type \"UInt16\"":                                      {vtu, "UInt32", "UInt16"},
		"compressor a word of 22 bytes: vtkZLib":                      {packed, "vtkZLib", "vtkBZip2"},
		"cell 0: its corner 3 is 7: out of range for 4 points":        {vtu, "0 1 2 3", "0 1 2 7"},
		"cell 0: a prism of 4 corners":                                {vtu, ">\n10\n", ">\n13\n"},
		"cell 0: cell type 24, a quadratic tetrahedron, with 4 nodes": {vtu, ">\n10\n", ">\n24\n"},
		"12 numbers, where its Piece has 15": {
			vtu, `NumberOfPoints="4"`, `NumberOfPoints="5"`,
		},
		"a Piece whose NumberOfCells is \"-1\"": {
			vtu, `NumberOfCells="1"`, `NumberOfCells="-1"`,
		},
		"a Piece without its offsets": {
			vtu, `Name="offsets"`, `Name="else"`,
		},
		"the DataArray in line 6: a coordinate of point 1 is NaN": {
			vtu, "0 0 0 1 0", "0 0 0 NaN 0",
		},
		"the DataArray in line 11: \"1.5\": no number of type Int64": {vtu, "0 1 2 3", "0 1.5 2 3"},
		"unexpected EOF": {vtu, "</VTKFile>", ""},
		"block 0 does not unpack to 64 bytes: zlib": {packed, "eJ", "AA"},
		"the DataArray in line 6: numbers of type a word of 7 bytes": {
			vtu, `"Float64" Name="Points"`, `"Complex" Name="Points"`,
		},
		"the DataArray in line 11: Float64 numbers, where integers": {
			vtu, `"Int64" Name="connectivity"`, `"Float64" Name="connectivity"`,
		},
		"the DataArray in line 14: cell 0 has the vertices from 0 to 9, of": {vtu, ">\n4\n", ">\n9\n"},
	} {
		file := bytes.Replace(x.file, []byte(x.from), []byte(x.to), 1)
		if bytes.Equal(file, x.file) {
			t.Errorf("%q is not in the file:\n%s", x.from, x.file)
		}
		if _, err := DecodeCells(file); !errors.Is(err, status.ErrFile) || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, want %q\n%s", x.to, err, text, file)
		}
	}
}

// fuzzCells feeds the readers from files of the formats whose names begin so. Nothing may panic,
// what is read is sound, and no larger than the file can account for.
func fuzzCells(f *testing.F, format string) {
	files, _ := cellFiles(mixture(1))
	for name, data := range files {
		if strings.HasPrefix(name, format) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := DecodeCells(data)
		if err != nil {
			if !errors.Is(err, status.ErrFile) || c != nil {
				t.Fatalf("%v, %v", c, err)
			}
			return
		}
		if n := len(c.Vertices)/3 + len(c.Kinds); n > len(data) && !bytes.Contains(data, []byte("vtkZLib")) {
			t.Fatalf("%d bytes hold %d vertices and elements", len(data), n)
		}
		for _, x := range c.Vertices {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("coordinate %v", x)
			}
		}
		c.each(func(i int, k mesh.Element, corners []int32) {
			for _, x := range corners {
				if x < 0 || int(x) >= len(c.Vertices)/3 {
					t.Fatalf("elements[%d], a %v, has the corner %d of %d vertices", i, k, x, len(c.Vertices)/3)
				}
			}
		})
		checkRemarks(t, &c.Beside, len(c.Vertices)/3)
		if _, err := c.Volume(); err != nil &&
			(!errors.Is(err, status.ErrArgument) && !errors.Is(err, status.ErrIndex) ||
				strings.Contains(err.Error(), "is the same")) {
			t.Fatalf("the volume of what was read: %v", err)
		}
	})
}

func FuzzMSH(f *testing.F)   { fuzzCells(f, "msh") }
func FuzzMEDIT(f *testing.F) { fuzzCells(f, "medit") }
func FuzzVTU(f *testing.F)   { fuzzCells(f, "vtu") }
