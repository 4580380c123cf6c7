package gpu

import (
	"fmt"
	"math/bits"

	"ccd/simd/pairs"
)

// sweeps is the broad phase of a session: the lists of package pairs on the device.
type sweeps struct {
	mesh     pairs.Mesh
	arrays   meshArrays
	space    *pairs.Space
	families []*family
	passes   []*pass

	keys, values [2]array // scratch of a sort
	wide, totals array    // scratch of sums in 64 bits
	window       array
	pairs, left  array // pairs of a window: all of them, and those that the narrow phase leaves
}

// meshArrays are a pairs.Mesh on the device, and the inflation of each vertex.
type meshArrays struct{ edges, faces, group, static, each array }

// family is a pairs.Family on the device.
type family struct {
	layers   []*layer
	k        array // the constants of the family
	grid     pairs.Grid
	excluded array
	excludes int
}

// layer is a pairs.Layer on the device.
type layer struct {
	set                        pairs.Set
	boxes, cells, ents, starts array
	entries                    int
}

// pass is a pairs.Pass on the device.
type pass struct {
	*family
	query, target *layer
	mode          int
	at, before    array    // pairs before a query within its tile; pairs before a tile
	tiles         []uint64 // tiles[i] is the number of pairs before tile i
	total         uint64
}

// LoadMesh copies a mesh to the device, once a call. m is not changed until the session is closed.
func (s *Session) LoadMesh(m *pairs.Mesh) error {
	defer s.begin()()
	b := &s.broad
	b.free(s)
	b.mesh = *m
	if err := upload(&s.memory, &b.arrays.edges, m.Edges); err != nil {
		return err
	}
	if err := upload(&s.memory, &b.arrays.faces, m.Faces); err != nil {
		return err
	}
	if m.Group != nil {
		if err := upload(&s.memory, &b.arrays.group, m.Group); err != nil {
			return err
		}
	}
	if m.Static != nil {
		return upload(&s.memory, &b.arrays.static, m.Static)
	}
	return nil
}

// Plan counts the pairs of some families, and returns the lengths of their lists: of one with Self,
// else of two, as pairs.Plan has them. FirstOf and Pairs then take windows of at most room pairs of
// a list. An *OverBudget says that the memory is not enough.
func (s *Session) Plan(space *pairs.Space, families []pairs.Family) (totals []int64, room int, err error) {
	defer s.begin()()
	b := &s.broad
	b.forget(s)
	s.freeLists()
	b.space = space
	s.release(&b.arrays.each)
	if space.Each != nil {
		if err := upload(&s.memory, &b.arrays.each, space.Each); err != nil {
			return nil, 0, err
		}
	}
	for i := range families {
		if err := b.add(s, &families[i]); err != nil {
			return nil, 0, err
		}
	}
	b.freeScratch(s)
	for _, p := range b.passes {
		totals = append(totals, int64(p.total))
	}
	room, err = s.room()
	return totals, room, err
}

// add adds a family.
func (b *sweeps) add(s *Session, from *pairs.Family) error {
	f := &family{grid: from.Grid, excludes: len(from.Excluded)}
	b.families = append(b.families, f)
	for _, set := range from.Sets() {
		l := &layer{set: *set}
		f.layers = append(f.layers, l)
		if err := b.setConstants(s, f); err != nil {
			return err
		}
		if err := b.sortBoxes(s, f, l); err != nil {
			return err
		}
	}
	if err := b.chooseGrid(s, f, from); err != nil {
		return err
	}
	for _, l := range f.layers {
		if err := b.place(s, f, l); err != nil {
			return err
		}
	}
	if f.excludes > 0 {
		if err := upload(&s.memory, &f.excluded, from.Excluded); err != nil {
			return err
		}
	}
	if from.Self {
		return b.count(s, &pass{family: f, query: f.layers[0], target: f.layers[0], mode: pairs.Itself})
	}
	if err := b.count(s, &pass{family: f, query: f.layers[1], target: f.layers[0], mode: pairs.Second}); err != nil {
		return err
	}
	return b.count(s, &pass{family: f, query: f.layers[0], target: f.layers[1], mode: pairs.First})
}

// setConstants copies the constants of a family to the device, in the places that broad.cl says.
func (b *sweeps) setConstants(s *Session, f *family) error {
	p, g := b.space, &f.grid
	k := make([]float64, 18)
	k[0], k[1], k[2], k[3] = p.Scale, p.T, p.Error, p.Inflation
	for axis := range 3 {
		k[4+axis], k[7+axis] = p.C[p.Order[axis]], p.C[4+p.Order[axis]]
	}
	if p.Slab != nil {
		k[10], k[11] = p.Slab.Lo, p.Slab.Hi
	}
	for axis := range 2 {
		k[12+axis], k[14+axis], k[16+axis] = float64(g.Lo[axis]), float64(g.Inv[axis]), float64(g.Max[axis])
	}
	return upload(&s.memory, &f.k, k)
}

// axes returns the argument axes of the kernels.
func (b *sweeps) axes() argument {
	n := 3 << 6
	if b.space.Slab != nil {
		n = b.space.Slab.Axis << 6
	}
	for axis := range 3 {
		n |= int(b.space.Order[axis]) << (2 * axis)
	}
	return uintArg(n)
}

// verts returns the vertices of the primitives of a set, 0 for vertices themselves.
func (b *sweeps) verts(width int) *array {
	switch width {
	case 2:
		return &b.arrays.edges
	case 3:
		return &b.arrays.faces
	}
	return new(array)
}

// sortBoxes makes the boxes of a layer, in the order of their minima along the first axis.
func (b *sweeps) sortBoxes(s *Session, f *family, l *layer) error {
	n := l.set.N
	if n == 0 {
		return nil
	}
	var ids array
	defer s.release(&ids)
	if l.set.IDs != nil {
		if err := upload(&s.memory, &ids, l.set.IDs[:n]); err != nil {
			return err
		}
	}
	if err := b.reserveSort(s, n, 0); err != nil {
		return err
	}
	width := uintArg(l.set.Width)
	err := s.launch("broad_keys", n, s.rec.arg(), b.arrays.each.arg(), f.k.arg(), b.verts(l.set.Width).arg(), width,
		b.axes(), ids.arg(), uintArg(n), b.keys[0].arg(), b.values[0].arg())
	if err != nil {
		return err
	}
	at, err := b.sort(s, n, 32)
	if err != nil {
		return err
	}
	if err := s.reserve(&l.boxes, boxBytes*n); err != nil {
		return err
	}
	return s.launch("broad_boxes", n, s.rec.arg(), b.arrays.each.arg(), f.k.arg(), b.verts(l.set.Width).arg(), width,
		b.axes(), b.values[at].arg(), uintArg(n), b.arrays.group.arg(), b.arrays.static.arg(), l.boxes.arg())
}

const boxBytes = 64

// reserveSort makes room for n keys and values, twice or only at one place.
func (b *sweeps) reserveSort(s *Session, n, at int) error {
	if err := s.reserve(&b.keys[at], 4*n); err != nil {
		return err
	}
	return s.reserve(&b.values[at], 4*n)
}

// sort sorts keys and values by the lowest bits of the keys, from place 0, and returns the place
// where they are then.
func (b *sweeps) sort(s *Session, n, bits int) (at int, err error) {
	tiles := (n + tile - 1) / tile
	for shift := 0; shift < bits; shift += 4 {
		if err := b.reserveSort(s, n, 1-at); err != nil {
			return 0, err
		}
		if err := s.reserve(&s.keep, 4*16*tiles); err != nil {
			return 0, err
		}
		if err := s.on.launch("radix_count", tiles, b.keys[at].arg(), uintArg(n), uintArg(shift), uintArg(tiles),
			s.keep.arg()); err != nil {
			return 0, err
		}
		if _, err := s.sums(16 * tiles); err != nil {
			return 0, err
		}
		err := s.on.launch("radix_move", tiles, b.keys[at].arg(), b.values[at].arg(), uintArg(n), uintArg(shift),
			uintArg(tiles), s.at.arg(), b.keys[1-at].arg(), b.values[1-at].arg())
		if err != nil {
			return 0, err
		}
		at = 1 - at
	}
	return at, nil
}

// chooseGrid makes the grid of a family coarser until its primitives have few enough entries.
func (b *sweeps) chooseGrid(s *Session, f *family, from *pairs.Family) error {
	for {
		total := uint64(0)
		for _, l := range f.layers {
			if l.set.N == 0 {
				continue
			}
			var before array
			_, n, err := b.countCells(s, f, l, &before)
			s.release(&before)
			if err != nil {
				return err
			}
			total += n
		}
		if total <= uint64(from.Most) || f.grid.Cells() == 1 {
			return nil
		}
		from.Coarsen(&f.grid)
		if err := b.setConstants(s, f); err != nil {
			return err
		}
	}
}

// countCells writes to wide and before where the entries of each box of a layer begin, and returns
// their number.
func (b *sweeps) countCells(s *Session, f *family, l *layer, before *array) ([]uint64, uint64, error) {
	n := l.set.N
	if err := s.reserve(&s.keep, 4*n); err != nil {
		return nil, 0, err
	}
	if err := s.launch("broad_cells", n, l.boxes.arg(), uintArg(n), f.k.arg(), s.keep.arg()); err != nil {
		return nil, 0, err
	}
	return b.sum(s, n, &b.wide, before)
}

// sum writes to at the prefix sums of the first n of keep within each tile, and to before those of
// the tiles, which it returns with the total.
func (b *sweeps) sum(s *Session, n int, at, before *array) (tiles []uint64, total uint64, err error) {
	tiles = make([]uint64, (n+tile-1)/tile)
	if err := s.reserve(at, 8*n); err != nil {
		return nil, 0, err
	}
	if err := s.reserve(&b.totals, 8*len(tiles)); err != nil {
		return nil, 0, err
	}
	if err := s.on.launch("scan_wide", len(tiles), s.keep.arg(), uintArg(n), at.arg(), b.totals.arg()); err != nil {
		return nil, 0, err
	}
	if err := download(&s.memory, tiles, &b.totals); err != nil {
		return nil, 0, err
	}
	for i, x := range tiles {
		tiles[i] = total
		total += x
	}
	return tiles, total, upload(&s.memory, before, tiles)
}

// place makes the entries of a layer.
func (b *sweeps) place(s *Session, f *family, l *layer) error {
	n, cells := l.set.N, f.grid.Cells()
	if n == 0 {
		return nil
	}
	var before array
	defer s.release(&before)
	_, total, err := b.countCells(s, f, l, &before)
	if err != nil {
		return err
	}
	if total < uint64(n) {
		return fmt.Errorf("the device counts %d cells of %d boxes", total, n)
	}
	if total > most {
		// The entries take 8 GiB or more. The caller divides the call into slabs.
		return &OverBudget{s.held + 8*int64(total), s.budget}
	}
	l.entries = int(total)
	if err := b.reserveSort(s, l.entries, 0); err != nil {
		return err
	}
	err = s.launch("broad_entries", n, l.boxes.arg(), uintArg(n), f.k.arg(), b.wide.arg(), before.arg(),
		uintArg(f.grid.N[1]), b.keys[0].arg(), b.values[0].arg())
	if err != nil {
		return err
	}
	at, err := b.sort(s, l.entries, bits.Len(uint(cells-1)))
	if err != nil {
		return err
	}
	l.cells, b.keys[at] = b.keys[at], array{}
	l.ents, b.values[at] = b.values[at], array{}
	if err := s.reserve(&l.starts, 4*(cells+1)); err != nil {
		return err
	}
	return s.launch("broad_starts", cells+1, l.cells.arg(), uintArg(l.entries), uintArg(cells), l.starts.arg())
}

// count counts the pairs of each query of a pass.
func (b *sweeps) count(s *Session, p *pass) error {
	b.passes = append(b.passes, p)
	n := p.query.entries
	if n == 0 || p.target.entries == 0 {
		return nil
	}
	if err := s.reserve(&s.keep, 4*n); err != nil {
		return err
	}
	if err := s.launch("sweep_count", n, append(b.arguments(s, p, n), s.keep.arg())...); err != nil {
		return err
	}
	var err error
	p.tiles, p.total, err = b.sum(s, n, &p.at, &p.before)
	return err
}

// arguments are SWEEP_ARGUMENTS of broad.cl, for the queries before n.
func (b *sweeps) arguments(s *Session, p *pass, n int) []argument {
	mode := p.mode
	if b.space.Exact {
		mode |= 4
	}
	q, t := p.query, p.target
	return []argument{
		s.rec.arg(), b.arrays.each.arg(), p.k.arg(), p.excluded.arg(), uintArg(p.excludes), uintArg(p.grid.N[1]),
		uintArg(mode), b.axes(),
		q.boxes.arg(), q.ents.arg(), q.cells.arg(), b.verts(q.set.Width).arg(), uintArg(q.set.Width),
		t.boxes.arg(), t.ents.arg(), t.starts.arg(), b.verts(t.set.Width).arg(), uintArg(t.set.Width), uintArg(n),
	}
}

// forget frees what Plan made.
func (b *sweeps) forget(s *Session) {
	for _, p := range b.passes {
		s.release(&p.at)
		s.release(&p.before)
	}
	for _, f := range b.families {
		for _, l := range f.layers {
			for _, a := range []*array{&l.boxes, &l.cells, &l.ents, &l.starts} {
				s.release(a)
			}
		}
		s.release(&f.k)
		s.release(&f.excluded)
	}
	b.families, b.passes = nil, nil
	b.freeScratch(s)
	for _, a := range []*array{&b.window, &b.pairs, &b.left} {
		s.release(a)
	}
}

// freeScratch frees the memory that only Plan needs.
func (b *sweeps) freeScratch(s *Session) {
	for _, a := range []*array{&b.keys[0], &b.keys[1], &b.values[0], &b.values[1], &b.wide, &b.totals} {
		s.release(a)
	}
}

// free frees all memory.
func (b *sweeps) free(s *Session) {
	b.forget(s)
	for _, a := range []*array{&b.arrays.edges, &b.arrays.faces, &b.arrays.group, &b.arrays.static, &b.arrays.each} {
		s.release(a)
	}
}
