package meshfile

import (
	"bytes"
	"math"
	"strconv"
)

// nodeData reads a section $NodeData as a field: the name, times, and values of some nodes, by
// their tags. Nodes without values have NaN. What is malformed is left out and counted: no vertex
// or element depends on it.
func (m *msh) nodeData() {
	begin := m.source
	f, err := m.nodeField()
	if err != nil {
		m.source = begin // find looks for the end from here
		m.c.leave(badFields, 1)
		return
	}
	m.c.keep(*f)
}

func (m *msh) nodeField() (*Field, error) {
	var names []string
	f := new(Field)
	n, err := m.count(0, 1, "the number of names")
	if err != nil {
		return nil, err
	}
	for range n {
		name, ok := m.quoted()
		if !ok {
			return nil, m.fail("a name in quotes is expected")
		}
		names = append(names, name)
	}
	reals, err := m.count(0, 1, "the number of times")
	if err != nil {
		return nil, err
	}
	for range reals {
		m.word()
	}
	tags, err := m.count(0, 1, "the number of integers")
	if err != nil {
		return nil, err
	}
	about := [3]int64{0, 1, 0} // time step, components, nodes
	for i := range tags {
		x, err := m.integer(0, "an integer")
		if err != nil {
			return nil, err
		}
		if i < len(about) {
			about[i] = x
		}
	}
	if len(names) == 0 || tags < 3 || about[1] < 1 || about[1] > mostComponents || about[2] < 0 ||
		about[2] > int64(len(m.data)) {
		return nil, m.fail("no name, components or number of nodes")
	}
	f.Name, f.Components = names[0], int(about[1])
	return f, m.nodeValues(f, int(about[2]))
}

// nodeValues reads the values of n nodes.
func (m *msh) nodeValues(f *Field, n int) error {
	m.pack()
	if n > (len(m.data)-m.at)/max(1, 2*f.Components) || n > len(m.c.Vertices)/3 {
		return m.fail("%d nodes of %d numbers", n, f.Components)
	}
	// A node with values takes 2 bytes for each of them, so where few nodes have values the file
	// has not the size for all: they are not worth a field.
	if n < len(m.c.Vertices)/3/2 {
		return m.fail("values of %d nodes, of %d", n, len(m.c.Vertices)/3)
	}
	f.Values = make([]float64, len(m.c.Vertices)/3*f.Components)
	for i := range f.Values {
		f.Values[i] = math.NaN()
	}
	for range n {
		tag, err := m.integer(4, "a node's tag")
		if err != nil {
			return err
		}
		v := m.vertex(tag)
		if v < 0 {
			return m.fail("a value of the node %d, which is none", tag)
		}
		for k := range f.Components {
			x, err := m.number()
			if err != nil {
				return err
			}
			f.Values[int(v)*f.Components+k] = x
		}
	}
	return nil
}

// number returns the next real of 8 bytes, which need not be finite.
func (m *msh) number() (float64, error) {
	if m.order != nil {
		b, err := m.bytes(8, "a value")
		if err != nil {
			return 0, err
		}
		return math.Float64frombits(m.order.Uint64(b)), nil
	}
	w := m.word()
	x, err := strconv.ParseFloat(string(w), 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, m.fail("%s: not a number", shown(w))
	}
	return x, nil
}

// quoted returns the next text in quotes.
func (m *msh) quoted() (string, bool) {
	for m.at < len(m.data) && isSpace(m.data[m.at]) {
		if m.data[m.at] == '\n' {
			m.line++
		}
		m.at++
	}
	if m.at == len(m.data) || m.data[m.at] != '"' {
		return "", false
	}
	text, _, ok := bytes.Cut(m.data[m.at+1:], []byte{'"'})
	if !ok || bytes.IndexByte(text, '\n') >= 0 {
		return "", false
	}
	m.at += len(text) + 2
	return string(text), true
}

// gmshRefused names the types of elements that Gmsh's manual lists and that are not read.
var gmshRefused = map[int64]string{
	14: "a pyramid of 14 nodes", 20: "a triangle of 9 nodes", 21: "a triangle of 10 nodes",
	22: "a triangle of 12 nodes", 23: "a triangle of 15 nodes",
	24: "a triangle of 15 nodes", 25: "a triangle of 21 nodes", 26: "a line of 4 nodes", 27: "a line of 5 nodes",
	28: "a line of 6 nodes",
	29: "a tetrahedron of 20 nodes", 30: "a tetrahedron of 35 nodes", 31: "a tetrahedron of 56 nodes",
	92: "a hexahedron of 64 nodes",
	93: "a hexahedron of 125 nodes",
}
