package meshfile

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// msh is a file of Gmsh being read: versions 2 and 4, in text or packed.
type msh struct {
	source
	packed  binary.ByteOrder // nil: text
	version string
	size    int // bytes of a size_t
	c       *Cells

	// Nodes have tags, in any order. Those below the length of the file stand in a list, others in
	// a map.
	low  []int32 // 1 + vertex
	high map[int64]int32
}

// gmshElement is what a type of element is here: its number of nodes, the cell type of VTK, and for
// each node of VTK that of Gmsh; nil: the order is the same.
type gmshElement struct {
	nodes, cell int
	order       []uint8
}

// gmsh are the elements of order 1 and 2 by their types. Those of higher order are refused by name.
var gmsh = map[int64]gmshElement{
	1: {2, 3, nil}, 2: {3, 5, nil}, 3: {4, 9, nil}, 4: {4, 10, nil}, 5: {8, 12, nil}, 6: {6, 13, nil}, 7: {5, 14, nil},
	15: {1, 1, nil}, 8: {3, 21, nil}, 9: {6, 22, nil}, 16: {8, 23, nil}, 10: {9, 28, nil},
	11: {10, 24, []uint8{0, 1, 2, 3, 4, 5, 6, 7, 9, 8}},
	17: {20, 25, []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}},
	12: {27, 29, []uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25,
		26}},
	18: {15, 26, []uint8{0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11}},
	13: {18, 32, []uint8{0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11, 15, 17, 16}},
	19: {13, 27, []uint8{0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12}},
}

// readMSH reads a file of Gmsh, versions 2.x, 4.0 and 4.1. Nodes keep the file's order, whatever
// their tags.
func readMSH(data []byte) (*Cells, error) {
	m := &msh{source: source{data: data}, c: new(Cells)}
	var nodes, elements bool
	if first := string(m.word()); first == "$NOD" {
		return nil, m.fail("version 1: only 2 and 4 are read; open the file in Gmsh and save it as version 4")
	}
	m.at, m.line = 0, 0
	for {
		m.order = nil // headings are text
		name := string(m.word())
		var err error
		switch name {
		case "":
			if !elements {
				return nil, m.fail("the file ends here, without $Nodes and $Elements")
			}
			return m.c, nil
		case "$MeshFormat":
			err = m.format()
		case "$ParametricNodes":
			return nil, m.fail(
				"$ParametricNodes: only $Nodes are read; save the mesh without parametric coordinates " +
					"(Mesh.SaveParametric = 0)")
		case "$NodeData":
			if nodes {
				m.nodeData()
			}
		case "$Nodes", "$Elements":
			switch {
			case m.version == "":
				err = m.fail("%s before $MeshFormat", name)
			case name == "$Nodes" && nodes || name == "$Elements" && (elements || !nodes):
				err = m.fail("%s: one $Nodes is expected, and one $Elements after it", name)
			default:
				err = m.section(name == "$Nodes")
				nodes, elements = true, name == "$Elements"
			}
		default:
			if name[0] != '$' {
				return nil, m.fail("%s: not the name of a section", shown(name))
			}
		}
		if err != nil {
			return nil, err
		}
		if !m.find("$End" + name[1:]) {
			m.order = nil
			return nil, m.fail("the file ends before the end of %s", shown(name))
		}
	}
}

func (m *msh) format() error {
	m.version = string(m.word())
	kind, err := m.integer(0, "the file's type")
	if err != nil {
		return err
	}
	size, err := m.integer(0, "the size of data")
	if err != nil {
		return err
	}
	m.size = int(size)
	given := m.version
	if strings.Contains(given, ".") { // Netgen writes 2.000000
		m.version = strings.TrimSuffix(strings.TrimRight(given, "0"), ".")
	}
	switch m.version {
	case "2", "2.1", "2.2", "4", "4.1":
	default:
		return m.fail("version %s: only 2 and 4 are read", shown(given))
	}
	if size != 4 && size != 8 {
		return m.fail("numbers of %d bytes: 4 or 8 are read", size)
	}
	if kind != 1 {
		return nil
	}
	m.endLine()
	if len(m.data)-m.at < 4 {
		return m.fail("the file ends within $MeshFormat")
	}
	switch b := m.data[m.at : m.at+4]; {
	case binary.LittleEndian.Uint32(b) == 1:
		m.packed = binary.LittleEndian
	case binary.BigEndian.Uint32(b) == 1:
		m.packed = binary.BigEndian
	default:
		return m.fail("the order of bytes is not told by a number 1")
	}
	return nil
}

// section reads $Nodes or $Elements. In packed files of version 2 the number of things stands
// before it as text.
func (m *msh) section(nodes bool) error {
	if m.version[0] == '4' {
		m.pack()
		return m.blocks(nodes)
	}
	n, err := m.count(0, 4, "the number of "+things(nodes))
	if err != nil {
		return err
	}
	m.pack()
	switch {
	case nodes:
		return m.nodes2(n)
	case m.packed != nil:
		return m.elements2Packed(n)
	}
	return m.elements2(n)
}

// pack begins a run of packed numbers, if the file has such.
func (m *msh) pack() {
	if m.packed != nil {
		m.endLine()
		m.order = m.packed
	}
}

func things(nodes bool) string {
	if nodes {
		return "nodes"
	}
	return "elements"
}

func (m *msh) nodes2(n int) error {
	for range n {
		tag, err := m.integer(4, "a node's tag")
		if err != nil {
			return err
		}
		if err := m.name(tag); err != nil {
			return err
		}
		if err := m.point(0); err != nil {
			return err
		}
	}
	return nil
}

// point reads a place, and so many parameters beside it, which are left out.
func (m *msh) point(parameters int) error {
	for k := range 3 + parameters {
		x, err := m.real(8, "a coordinate")
		if err != nil {
			return err
		}
		if k < 3 {
			m.c.Vertices = append(m.c.Vertices, x)
		}
	}
	return nil
}

// name returns the next vertex its tag.
func (m *msh) name(tag int64) error {
	vertex := int32(len(m.c.Vertices) / 3)
	if m.high == nil {
		m.high = make(map[int64]int32)
	}
	if tag < 1 || m.vertex(tag) >= 0 {
		return m.fail("a node's tag is %d: tags are positive, and each is given once", tag)
	}
	if tag >= int64(len(m.data)) {
		m.high[tag] = vertex
		return nil
	}
	for int64(len(m.low)) <= tag {
		m.low = append(m.low, make([]int32, max(64, min(len(m.low), len(m.data)-len(m.low))))...)
	}
	m.low[tag] = vertex + 1
	return nil
}

// vertex returns the one of a tag, or -1.
func (m *msh) vertex(tag int64) int32 {
	if tag >= 0 && tag < int64(len(m.low)) {
		return m.low[tag] - 1
	}
	if v, ok := m.high[tag]; ok {
		return v
	}
	return -1
}

func (m *msh) elements2(n int) error {
	for i := range n {
		tag, err := m.integer(4, "an element's tag")
		if err != nil {
			return err
		}
		kind, err := m.integer(4, "an element's type")
		if err != nil {
			return err
		}
		tags, err := m.count(4, 1, "the number of an element's tags")
		if err != nil {
			return err
		}
		if err := m.element(i, tag, kind, tags); err != nil {
			return err
		}
	}
	return nil
}

// elements2Packed reads runs of elements of one type.
func (m *msh) elements2Packed(n int) error {
	for i := 0; i < n; {
		kind, err := m.integer(4, "an element's type")
		if err != nil {
			return err
		}
		run, err := m.count(4, 8, "the number of elements of a run")
		if err != nil {
			return err
		}
		tags, err := m.count(4, 4, "the number of an element's tags")
		if err != nil {
			return err
		}
		if run < 1 || run > n-i {
			return m.fail("a run of %d elements, where %d are left", run, n-i)
		}
		for range run {
			tag, err := m.integer(4, "an element's tag")
			if err != nil {
				return err
			}
			if err := m.element(i, tag, kind, tags); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// element reads the i-th element's tags, which are left out, and its nodes. Before version 4.1 all
// are ints.
func (m *msh) element(i int, tag, kind int64, tags int) error {
	size := 4
	if m.version == "4.1" {
		size = m.size
	}
	for range tags {
		if _, err := m.integer(4, "an element's tag"); err != nil {
			return err
		}
	}
	k, ok := gmsh[kind]
	if !ok {
		err := notOfMSH(m, i, tag, kind)
		if k, ok = gmshHigherElement(kind); !ok {
			return err
		}
		m.c.pending = true
		m.c.postpone(err)
	}
	var corners, given [mostNodes]int32
	for j := range k.nodes {
		node, err := m.integer(size, "a node of an element")
		if err != nil {
			return err
		}
		if corners[j] = m.vertex(node); corners[j] < 0 {
			return m.fail("elements[%d], of tag %d: its node %d has the tag %d, which no node has", i, tag, j, node)
		}
	}
	if k.order != nil {
		given = corners
		pick(corners[:0], given[:], k.order)
	}
	if err := m.c.add(k.cell, corners[:k.nodes]); err != nil {
		if err = m.fail("elements[%d], of tag %d: %v", i, tag, err); !m.c.postpone(err) {
			return err
		}
	}
	return nil
}

// notOfMSH returns the error about an element of a type that surfaces and volumes do not have.
func notOfMSH(m *msh, i int, tag, kind int64) error {
	if name := gmshRefused[kind]; name != "" {
		return m.fail(
			"elements[%d], of tag %d, is of type %d, %s: only linear elements are read; save the mesh with "+
				"elements of order 1 (in Gmsh: -order 1, or Mesh, Set order 1)", i, tag, kind, name)
	}
	return m.fail("elements[%d], of tag %d, is of type %d, which is not read", i, tag, kind)
}

// blocks reads a section of version 4: blocks of nodes of one entity, or of elements of one type.
func (m *msh) blocks(nodes bool) error {
	blocks, err := m.count(m.size, 8, "the number of blocks")
	if err != nil {
		return err
	}
	all, err := m.count(m.size, 4, "the number of "+things(nodes))
	if err != nil {
		return err
	}
	if m.version == "4.1" { // least and greatest tag
		for range 2 {
			if _, err := m.integer(m.size, "a tag"); err != nil {
				return err
			}
		}
	}
	seen := 0
	for b := range blocks {
		var head [3]int64 // dimension and tag of the entity in either order; parametric, or the type
		for k := range head {
			if head[k], err = m.integer(4, fmt.Sprintf("the heading of block %d", b)); err != nil {
				return err
			}
		}
		n, err := m.count(m.size, 4, "the number of "+things(nodes)+" of a block")
		if err != nil {
			return err
		}
		if n > all-seen {
			return m.fail("block %d has %d %s, where %d are left", b, n, things(nodes), all-seen)
		}
		if nodes {
			dimension := head[0]
			if m.version != "4.1" {
				dimension = head[1]
			}
			err = m.nodes4(n, head[2] != 0, dimension)
		} else {
			err = m.elements4(seen, n, head[2])
		}
		if err != nil {
			return err
		}
		seen += n
	}
	if seen != all {
		return m.fail("%d %s in all blocks, of %d", seen, things(nodes), all)
	}
	return nil
}

// nodes4 reads a block of nodes. In version 4.1 all tags come first, in 4.0 each stands before its
// node.
func (m *msh) nodes4(n int, parametric bool, dimension int64) error {
	parameters := 0
	if parametric {
		if dimension < 0 || dimension > 3 {
			return m.fail("an entity of dimension %d", dimension)
		}
		parameters = int(dimension)
	}
	var tags []int64
	if m.version == "4.1" {
		for range n {
			tag, err := m.integer(m.size, "a node's tag")
			if err != nil {
				return err
			}
			tags = append(tags, tag)
		}
	}
	for i := range n {
		var tag int64
		var err error
		if tags != nil {
			tag = tags[i]
		} else if tag, err = m.integer(4, "a node's tag"); err != nil {
			return err
		}
		if err := m.name(tag); err != nil {
			return err
		}
		if err := m.point(parameters); err != nil {
			return err
		}
	}
	return nil
}

// elements4 reads a block of elements, the first of which is the first-th of all.
func (m *msh) elements4(first, n int, kind int64) error {
	size := 4
	if m.version == "4.1" {
		size = m.size
	}
	for i := range n {
		tag, err := m.integer(size, "an element's tag")
		if err != nil {
			return err
		}
		if err := m.element(first+i, tag, kind, 0); err != nil {
			return err
		}
	}
	return nil
}
