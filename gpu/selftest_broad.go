package gpu

import (
	"fmt"
	"math"
	"slices"

	"ccd/simd/box"
	"ccd/simd/pairs"
)

// The self-test of the broad phase: boxes, their order, their cells and all lists of a fixed scene
// must be those of package pairs, bit for bit.

// broadScene is what the lists of a plan are made of.
type broadScene struct {
	rec      []float64
	mesh     pairs.Mesh
	space    pairs.Space
	families []pairs.Family
}

// testTriangles is triangles with edges on moving vertices: 3 n vertices, half of them of groups,
// some static, with inflations of their own.
func testTriangles(n int) *broadScene {
	s := sequence(3)
	c := new(broadScene)
	for i := range 3 * n {
		var r [8]float64
		for k := range 3 {
			center := sequence(i / 3 * (k + 7))
			r[k] = float64(4*center.unit()) + float64(0.5*s.unit())
			if i%5 == 0 {
				r[k] = math.Round(2*r[k]) / 2 // boxes that touch
			}
			r[4+k] = r[k] + float64(0.5*s.unit())
		}
		c.rec = append(c.rec, r[:]...)
		c.mesh.Group = append(c.mesh.Group, int32(s.next()%8)-4)
		c.mesh.Static = append(c.mesh.Static, uint8(s.next()%2))
		c.space.Each = append(c.space.Each, math.Ldexp(float64(s.next()%9), -9))
	}
	for i := range int32(n) {
		a, b, d := 3*i, 3*i+1, 3*i+2
		c.mesh.Faces = append(c.mesh.Faces, a, b, d)
		c.mesh.Edges = append(c.mesh.Edges, a, b, b, d, a, d)
	}
	c.space.VertexMap = box.VertexMap{Scale: 0.25, T: 1, Order: [8]int32{1, 2, 0},
		C: [8]float64{0.5, 0.25, 0, 0, 0.5, 0.25, 0.125}}
	c.space.Error = 0x1p-48
	grid := pairs.Grid{CellGrid: box.CellGrid{Lo: [2]float32{-1, -1}, Inv: [2]float32{4, 3}, Max: [2]float32{7, 5}},
		N: [2]int{8, 6}}
	coarser := func(g *pairs.Grid) {
		k := 0
		if g.N[1] > g.N[0] {
			k = 1
		}
		g.N[k] /= 2
		g.Inv[k], g.Max[k] = g.Inv[k]/2, float32(g.N[k]-1)
	}
	vertices, edges, faces := pairs.Set{Width: 1, N: 3 * n}, pairs.Set{Width: 2, N: 3 * n}, pairs.Set{Width: 3, N: n}
	c.families = []pairs.Family{
		{A: vertices, B: faces, Grid: grid, Coarsen: coarser, Most: int64(6 * n)},
		{A: edges, Self: true, Grid: grid, Coarsen: coarser, Most: int64(12 * n)},
	}
	return c
}

// testBroad compares the lists of a fixed scene, in some variants.
func (d *Device) testBroad() error {
	const triangles = 160
	for _, change := range []func(c *broadScene){
		func(*broadScene) {},
		func(c *broadScene) { // no filters, another end of time, a slab, primitives of lists
			c.mesh.Group, c.mesh.Static, c.space.Each, c.space.Inflation, c.space.T = nil, nil, nil, 0x1p-8, 0.625
			c.space.Slab = &pairs.Slab{Axis: 2, Lo: -0.5, Hi: 1}
			for i := range int32(triangles) {
				c.families[0].A.IDs = append(c.families[0].A.IDs, 3*i+1)
			}
			c.families[0].A.N = triangles
		},
		func(c *broadScene) { c.mesh.Worlds, c.mesh.Vertices = 8, 3*triangles }, // copies of a mesh
		func(c *broadScene) { // boxes of doubles at rest, whose gaps are nearly twice the inflation
			c.mesh.Group, c.mesh.Static, c.space.Each, c.space.Inflation, c.space.Exact = nil, nil, nil,
				0x1p-41*(1+0x1p-20), true
			for i := range c.rec {
				if c.rec[i] = math.Round(c.rec[i]) + float64(float64(i/8%4)*0x1p-40); i%8 > 3 {
					c.rec[i] = c.rec[i-4]
				}
			}
		},
		func(c *broadScene) { // boxes that begin at the same place, excluded pairs
			const half = 3 * triangles / 2 // the number of half the vertices, and of half the edges
			copy(c.rec[8*half:], c.rec[:8*half])
			copy(c.space.Each[half:], c.space.Each[:half])
			for a := range uint64(half) {
				c.families[1].Excluded = append(c.families[1].Excluded, a<<32|(a+half))
			}
		},
	} {
		c := testTriangles(triangles)
		change(c)
		if err := d.compareBroad(c, manyTiles); err != nil {
			return err
		}
	}
	for _, many := range []int{manyTiles, 0} { // Two tiles of vertices and edges, then with sums of blocks.
		if err := d.compareBroad(testTriangles(2*tile/3), many); err != nil {
			return err
		}
	}
	return nil
}

// compareBroad compares the lists of a scene with those of package pairs, and all that leads to
// them.
func (d *Device) compareBroad(c *broadScene, many int) error {
	s := d.NewSession()
	defer s.Close()
	s.broad.manyTiles = many
	if err := s.Load(c.rec); err != nil {
		return err
	}
	if err := s.LoadMesh(&c.mesh); err != nil {
		return err
	}
	if err := s.comparePlan(c); err != nil {
		return err
	}
	s.Ahead(2*group, 0.75, 0)
	if err := s.comparePlan(c); err != nil {
		return err
	}
	return compareReady(s, c, 0.75)
}

// compareReady compares what the last plan has found ahead, without a separation.
func compareReady(s *Session, c *broadScene, tmax float64) error {
	for i := range s.broad.passes {
		l := s.broad.layers[s.broad.passes[i].layer]
		face := l.mode&3 != pairs.Itself
		n := s.Ready(i)
		list := make([][2]int32, n)
		if err := s.Pairs(i, 0, list); err != nil {
			return err
		}
		idx := make([][4]int32, n)
		for j, p := range list {
			if a, b := int(p[0]), int(p[1]); face {
				idx[j] = [4]int32{p[0], c.mesh.Faces[3*b], c.mesh.Faces[3*b+1], c.mesh.Faces[3*b+2]}
			} else {
				idx[j] = [4]int32{c.mesh.Edges[2*a], c.mesh.Edges[2*a+1], c.mesh.Edges[2*b], c.mesh.Edges[2*b+1]}
			}
		}
		want := first(c.rec, idx, face, tmax, 0)
		var got pairs.Found
		if err := s.FirstOf(i, face, 0, n, tmax, 0, &got); err != nil {
			return err
		}
		same := slices.Equal(got.Masks, want.mask) && slices.Equal(got.TOI, want.toi) &&
			slices.Equal(got.State, want.state)
		for j := range min(len(got.Pairs), len(want.list)) {
			same = same && got.Pairs[j] == list[want.list[j]]
		}
		if !same {
			return fmt.Errorf("of the first %d pairs of list %d the narrow phase keeps %d with other results than the "+
				"processor, which keeps %d", n, i, len(got.Pairs), len(want.list))
		}
	}
	return nil
}

// comparePlan compares a plan, after which the session is used as before.
func (s *Session) comparePlan(c *broadScene) error {
	totals, room, err := s.Plan(&c.space, c.families)
	if err != nil {
		return err
	}
	var want pairs.Plan
	want.Begin(c.rec, &c.mesh, &c.space)
	for i := range c.families {
		want.Add(&c.families[i])
	}
	if err := s.compareLayers(&want); err != nil {
		return err
	}
	for i, p := range want.Passes {
		if totals[i] != p.Total {
			return fmt.Errorf("list %d of the broad phase has %d pairs: want %d", i, totals[i], p.Total)
		}
		if err := s.compareList(i, p, min(room, 1+int(p.Total*2/5))); err != nil {
			return err
		}
	}
	return nil
}

// compareLayers compares boxes and entries.
func (s *Session) compareLayers(want *pairs.Plan) error {
	b := &s.broad
	if b.items == 0 {
		return nil
	}
	boxes, starts := make([]pairs.Box, b.boxed), make([]uint32, b.cells)
	cells, ents := make([]uint32, b.entryItems()), make([]uint32, b.entryItems())
	s.device.mu.Lock()
	for _, e := range []error{
		download(&s.memory, boxes, &b.boxes), download(&s.memory, cells, &b.cellOf),
		download(&s.memory, ents, &b.ents), download(&s.memory, starts, &b.starts),
	} {
		if e != nil {
			s.device.mu.Unlock()
			return e
		}
	}
	s.device.mu.Unlock()
	for n, l := range b.layers {
		w := want.Layers[n]
		for i, box := range boxes[l.box : l.box+l.set.N] {
			if box != w.Boxes[i] {
				return fmt.Errorf("box %d of layer %d of the broad phase is %v: want %v", i, n, box, w.Boxes[i])
			}
		}
		end := l.entry + l.entries
		if l.set.N > 0 && (!slices.Equal(cells[l.entry:end], w.Cells) || !slices.Equal(ents[l.entry:end], w.Ents) ||
			!slices.Equal(starts[l.start:l.start+len(w.Starts)], w.Starts)) {
			return fmt.Errorf("the cells of layer %d of the broad phase have other entries", n)
		}
	}
	return nil
}

// compareList compares a list, by windows of some length.
func (s *Session) compareList(i int, p *pairs.Pass, window int) error {
	got, want := make([][2]int32, window), make([][2]int32, window)
	for from := int64(0); from < p.Total; from += int64(window) {
		n := min(int64(window), p.Total-from)
		if err := s.Pairs(i, from, got[:n]); err != nil {
			return err
		}
		if p.Pairs(from, want[:n]); !slices.Equal(got[:n], want[:n]) {
			return fmt.Errorf("list %d of the broad phase differs after pair %d", i, from)
		}
	}
	return nil
}
