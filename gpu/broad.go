package gpu

import (
	"fmt"
	"math"
	"math/bits"

	"ccd/simd/pairs"
)

// sweeps is the broad phase of a session: the lists of package pairs on the device. A launch does a
// step for the layers of all families. Their primitives are in one numbering, and then their
// entries in another, in both of which a layer begins with a tile.
//
// Size: the fields are what a plan keeps on the device, the methods the steps of its making.
type sweeps struct {
	meshAt   meshAt
	unsent   []int32 // the mesh, until the first plan copies it with its packet
	mesh     array
	base     int // where mesh has the mesh, in numbers of 32 bits
	space    *pairs.Space
	families []*family
	layers   []*layer
	passes   []*pass
	grouped  bool // the groups of the passes are known
	ahead    ahead

	packet         array  // what a plan copies at once, in the places that broad.cl says
	at             *array // packet, or for the first plan mesh
	table, itemsAt int    // where the packet has its table, in doubles, and the table the layers' items
	items, boxed   int    // items of all layers, tiles and all; boxes
	made           bool   // the boxes are on the device
	cells          int    // cells of all layers, each with an end

	boxes, cellOf, ents, starts array
	entries                     array // where the entries of each layer are
	before, sums                array // pairs before a query in its group, and before a group

	manyTiles         int      // manyTiles is the constant; tests lower it.
	keys, values      [2]array // scratch of a sort
	counts, blockSums array
	pairs             array // pairs of a window
}

// meshAt says where the array mesh has the parts of a pairs.Mesh after its edges, in numbers of 32
// bits; group and static plus one, 0 for none.
type meshAt struct {
	faces, group, static int
	copies               int    // how many copies of one mesh it is
	world                [4]int // the primitives of a copy by the number of their vertices, 0 where there is one
}

// family is a pairs.Family.
type family struct {
	of     *pairs.Family
	grid   pairs.Grid
	layers []*layer
}

// layer is a pairs.Layer.
type layer struct {
	set                   pairs.Set
	family, target, mode  int
	first, box, start     int    // its first item, box and cell
	entry, entries, tiles int    // its first entry, and how many it has, in so many tiles
	place                 uint32 // that of its list among those that are begun at once, or noList
}

// pass is a pairs.Pass: the queries are the entries of a layer.
type pass struct {
	layer  int
	groups []uint64 // groups[i] is the number of pairs before group i of the queries
	total  uint64
}

// LoadMesh takes a mesh, once a call, which the first plan copies to the device with its own
// numbers. m is not changed until the session is closed.
func (s *Session) LoadMesh(m *pairs.Mesh) error {
	defer s.begin()()
	b := &s.broad
	b.free(s)
	packet := append(append(make([]int32, 0, len(m.Edges)+len(m.Faces)+len(m.Group)+len(m.Static)/4+1), m.Edges...),
		m.Faces...)
	b.meshAt = meshAt{faces: len(m.Edges), copies: max(m.Worlds, 1),
		world: [4]int{1: m.World(1), 2: m.World(2), 3: m.World(3)}}
	if len(m.Group) > 0 {
		b.meshAt.group = len(packet) + 1
		packet = append(packet, m.Group...)
	}
	if len(m.Static) > 0 {
		b.meshAt.static = len(packet) + 1
		for i, x := range m.Static {
			if i%4 == 0 {
				packet = append(packet, 0)
			}
			packet[len(packet)-1] |= int32(x) << (8 * (i % 4))
		}
	}
	if need := s.held + 4*int64(len(packet)); s.budget > 0 && need > s.budget {
		return &OverBudget{need, s.budget}
	}
	b.unsent = packet
	return nil
}

// Plan counts the pairs of some families, and returns the lengths of their lists: of one with Self,
// else of two, as pairs.Plan has them. FirstOf and Pairs then take windows of at most room pairs of
// a list. An *OverBudget says that the memory is not enough.
func (s *Session) Plan(space *pairs.Space, families []pairs.Family) (totals []int64, room int, err error) {
	defer s.begin()()
	b := &s.broad
	defer func() { b.ahead.n = 0 }()
	b.forget(s)
	s.freeLists()
	b.space = space
	b.use(families)
	if err := b.make(s); err != nil {
		return nil, 0, err
	}
	b.freeScratch(s)
	for _, p := range b.passes {
		totals = append(totals, int64(p.total))
	}
	room, err = s.room()
	return totals, room, err
}

// make makes the lists: at once where Ahead has said what comes next, else with counts that the
// host reads on the way.
func (b *sweeps) make(s *Session) error {
	stages := []func(*Session) error{b.sortBoxes, b.chooseGrids, b.place, b.count}
	boxed, done, err := b.makeAhead(s)
	if done || err != nil || b.items == 0 {
		return err
	}
	if boxed {
		stages = stages[1:]
	}
	for _, stage := range stages {
		if err := stage(s); err != nil {
			return err
		}
	}
	return nil
}

// use sets up the layers and the lists of some families.
func (b *sweeps) use(families []pairs.Family) {
	exact := 0
	if b.space.Exact {
		exact = 4
	}
	b.items, b.boxed, b.made = 0, 0, false
	for i := range families {
		of := &families[i]
		f := &family{of: of, grid: of.Grid}
		at := len(b.layers)
		for _, set := range of.Sets() {
			l := &layer{set: *set, family: i, target: at, mode: pairs.Itself | exact, first: b.items, box: b.boxed,
				place: noList}
			b.items += (set.N + tile - 1) / tile * tile
			b.boxed += set.N
			f.layers, b.layers = append(f.layers, l), append(b.layers, l)
		}
		if of.Self {
			b.passes = append(b.passes, &pass{layer: at})
		} else {
			b.layers[at].target, b.layers[at].mode = at+1, pairs.First|exact
			b.layers[at+1].mode = pairs.Second | exact
			b.passes = append(b.passes, &pass{layer: at + 1}, &pass{layer: at})
		}
		b.families = append(b.families, f)
	}
}

// Numbers of broad.cl: those of a family's constants, of a plan and of a layer.
const (
	familyNumbers = 18
	planNumbers   = 5
	layerNumbers  = 14
	noList        = math.MaxUint32
)

// pack copies the plan to the device.
func (b *sweeps) pack(s *Session) error {
	packet, err := b.packed(s)
	if err != nil {
		return err
	}
	return b.send(s, packet)
}

// send copies a packet to the device, with the mesh if it has it.
func (b *sweeps) send(s *Session, packet []uint64) error {
	if err := upload(&s.memory, b.at, packet); err != nil {
		return err
	}
	if b.at == &b.mesh {
		b.unsent = nil
	}
	return nil
}

// packed returns what a plan copies: the constants of what Ahead has said, the mesh where it is not
// on the device, and the plan.
func (b *sweeps) packed(s *Session) ([]uint64, error) {
	packet := make([]uint64, constantsLen)
	for i, x := range b.ahead.constants() {
		packet[i] = math.Float64bits(x)
	}
	b.at = &b.packet
	if b.unsent != nil {
		b.at, b.base = &b.mesh, 2*len(packet)
		packet = append(packet, words(b.unsent)...)
	}
	m, base := &b.meshAt, uint32(b.base)
	table := []uint32{base + uint32(m.faces), 0, 0, 0, base}
	if m.group > 0 {
		table[1] = base + uint32(m.group)
	}
	if m.static > 0 {
		table[2] = base + uint32(m.static)
	}
	var constants []int
	for _, f := range b.families {
		constants = append(constants, len(packet))
		packet = append(packet, b.constants(f)...)
	}
	if b.space.Each != nil {
		table[3] = uint32(len(packet) + 1)
		for _, x := range b.space.Each {
			packet = append(packet, math.Float64bits(x))
		}
	}
	var excluded []int
	for _, f := range b.families {
		excluded = append(excluded, len(packet))
		packet = append(packet, f.of.Excluded...)
	}
	lists := planNumbers + (layerNumbers+2)*len(b.layers)
	b.cells = 0
	var items, ids []uint32
	for _, l := range b.layers {
		f := b.families[l.family]
		l.start = b.cells
		cells := f.grid.Cells() * b.meshAt.copies
		if b.cells += cells + 1; b.cells > most {
			return nil, &OverBudget{4 * int64(b.cells), s.budget}
		}
		list := 0
		if l.set.IDs != nil {
			list = lists + len(ids)
			for _, id := range l.set.IDs[:l.set.N] {
				ids = append(ids, uint32(id))
			}
		}
		table = append(table, uint32(l.set.Width), uint32(list), uint32(constants[l.family]), uint32(l.box),
			uint32(l.start), uint32(cells), uint32(f.grid.N[1]), uint32(l.target), uint32(l.mode),
			uint32(excluded[l.family]), uint32(len(f.of.Excluded)), uint32(m.world[l.set.Width]), uint32(f.grid.N[0]),
			l.place)
		items = append(items, uint32(l.first), uint32(l.set.N))
	}
	b.table, b.itemsAt = len(packet), len(table)
	table = append(append(table, items...), ids...)
	if len(packet)+len(table) > most {
		return nil, &OverBudget{8 * int64(len(packet)+len(table)), s.budget}
	}
	return append(packet, words(table)...), nil
}

// words returns numbers of 32 bits, two in each of 64.
func words[T int32 | uint32](list []T) []uint64 {
	out := make([]uint64, (len(list)+1)/2)
	for i, x := range list {
		out[i/2] |= uint64(uint32(x)) << (32 * (i % 2))
	}
	return out
}

// constants returns those of a family, in the places that broad.cl says.
func (b *sweeps) constants(f *family) []uint64 {
	p, g := b.space, &f.grid
	var k [familyNumbers]float64
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
	out := make([]uint64, len(k))
	for i, x := range k {
		out[i] = math.Float64bits(x)
	}
	return out
}

// plan returns the arguments PLAN of broad.cl and some more.
func (b *sweeps) plan(s *Session, more ...argument) []argument {
	n := 3 << 6
	if b.space.Slab != nil {
		n = b.space.Slab.Axis << 6
	}
	for axis := range 3 {
		n |= int(b.space.Order[axis]) << (2 * axis)
	}
	return append([]argument{s.rec.arg(), b.at.arg(), uintArg(b.table), uintArg(len(b.layers)), b.mesh.arg(),
		uintArg(n)}, more...)
}

// segments says where the items of each layer are: in an array, from some number on.
type segments struct {
	array
	from int
}

// places returns where the primitives of each layer are.
func (b *sweeps) places() segments { return segments{*b.at, 2*b.table + b.itemsAt} }

// sortBoxes puts the primitives of each layer into the order of their minima along the first axis.
func (b *sweeps) sortBoxes(s *Session) error {
	if b.items > most {
		return &OverBudget{s.held + boxBytes*int64(b.items), s.budget}
	}
	if err := b.pack(s); err != nil {
		return err
	}
	if err := b.reserveSort(s, b.items); err != nil {
		return err
	}
	return b.order(s)
}

// order launches what sorts the primitives.
func (b *sweeps) order(s *Session) error {
	at := b.places()
	err := s.on.launch("broad_keys", b.items/tile, b.plan(s, b.keys[1].arg(), b.values[1].arg(), b.counts.arg())...)
	if err != nil {
		return err
	}
	if err := b.move(s, at, b.items, 0); err != nil {
		return err
	}
	return b.sort(s, at, b.items, digit, 32)
}

const boxBytes = 64

// digit is the number of bits of a pass of a sort. A sort of more than manyTiles tiles adds up the
// counts of blocks of them first.
const (
	digit      = 8
	manyTiles  = 512
	blockTiles = 64
)

// reserveSort makes room for n keys and values, twice, and for their counts.
func (b *sweeps) reserveSort(s *Session, n int) error {
	for i := range b.keys {
		if err := s.reserve(&b.keys[i], 4*n); err != nil {
			return err
		}
		if err := s.reserve(&b.values[i], 4*n); err != nil {
			return err
		}
	}
	return s.reserve(&b.counts, 4*group*(n/tile))
}

// sort sorts the keys and values of each segment by the bits of the keys from some bit on.
func (b *sweeps) sort(s *Session, at segments, n, from, bits int) error {
	for shift := from; shift < bits; shift += digit {
		err := s.on.launch("radix_tile", n/tile, b.keys[0].arg(), b.values[0].arg(), at.arg(), uintArg(at.from),
			uintArg(len(b.layers)), uintArg(shift), b.keys[1].arg(), b.values[1].arg(), b.counts.arg())
		if err != nil {
			return err
		}
		if err := b.move(s, at, n, shift); err != nil {
			return err
		}
	}
	return nil
}

// blocks returns how many blocks so many items have: each layer may have one more that is not full.
func (b *sweeps) blocks(n int) int { return n/tile/blockTiles + len(b.layers) }

// move ends a pass: each tile is sorted by the digit at a bit.
func (b *sweeps) move(s *Session, at segments, n, shift int) error {
	blocked := n/tile > b.manyTiles
	if blocked {
		blocks := b.blocks(n)
		if err := s.reserve(&b.blockSums, 4*group*blocks); err != nil {
			return err
		}
		err := s.on.launch("radix_sum", blocks, b.counts.arg(), at.arg(), uintArg(at.from), uintArg(len(b.layers)),
			b.blockSums.arg())
		if err != nil {
			return err
		}
	}
	return s.on.launch("radix_move", n/tile, b.keys[1].arg(), b.values[1].arg(), at.arg(), uintArg(at.from),
		uintArg(len(b.layers)), uintArg(shift), b.counts.arg(), b.blockSums.arg(), boolArg(blocked), b.keys[0].arg(),
		b.values[0].arg())
}

// chooseGrids makes the boxes, and the grids of families coarser until their primitives have few
// enough entries, and counts those.
func (b *sweeps) chooseGrids(s *Session) error {
	if err := b.reserveBoxes(s, b.items); err != nil {
		return err
	}
	totals := make([]uint64, len(b.layers))
	for {
		if err := b.countCells(s, sumsTo{entries: &b.entries, most: most, totals: new(array)}); err != nil {
			return err
		}
		if err := download(&s.memory, totals, &b.sums); err != nil {
			return err
		}
		if err := b.checkCells(totals); err != nil {
			return err
		}
		if !b.coarsen(totals) {
			return b.setEntries(s, totals)
		}
		if err := b.pack(s); err != nil {
			return err
		}
	}
}

// reserveBoxes makes room for the boxes and for sums of so many items.
func (b *sweeps) reserveBoxes(s *Session, n int) error {
	if err := s.reserve(&b.boxes, boxBytes*b.boxed); err != nil {
		return err
	}
	if err := s.reserve(&b.entries, 8*len(b.layers)); err != nil {
		return err
	}
	return b.reserveSums(s, n)
}

// reserveSums makes room for sums of so many items.
func (b *sweeps) reserveSums(s *Session, n int) error {
	if err := s.reserve(&b.before, 8*n); err != nil {
		return err
	}
	return s.reserve(&b.sums, 8*(len(b.layers)+n/group))
}

// countCells makes the boxes, unless they are made, and counts their cells.
func (b *sweeps) countCells(s *Session, to sumsTo) error {
	err := s.on.launch("broad_boxes", b.items/group, b.plan(s, b.values[0].arg(), boolArg(b.made), b.boxes.arg(),
		b.before.arg(), b.sums.arg())...)
	if err != nil {
		return err
	}
	b.made = true
	return b.addUp(s, b.places(), to)
}

// checkCells returns an error where a layer has fewer entries than primitives.
func (b *sweeps) checkCells(totals []uint64) error {
	for i, l := range b.layers {
		if totals[i] < uint64(l.set.N) {
			return fmt.Errorf("the device counts %d cells of %d boxes", totals[i], l.set.N)
		}
	}
	return nil
}

// sumsTo is where addUp writes beside the sums: where so many items of each layer are, if these are
// at most so many; and what layers have, from a place on.
type sumsTo struct {
	entries *array
	most    int
	totals  *array
	place   int
}

// addUp adds up the sums of groups.
func (b *sweeps) addUp(s *Session, at segments, to sumsTo) error {
	return s.on.launch("broad_sums", 1, at.arg(), uintArg(at.from), uintArg(len(b.layers)), b.sums.arg(),
		to.entries.arg(), uintArg(to.most), to.totals.arg(), uintArg(to.place))
}

// coarsen makes the grids coarser whose layers have more entries than they may, and reports whether
// there is one.
func (b *sweeps) coarsen(totals []uint64) (some bool) {
	i := 0
	for _, f := range b.families {
		total := uint64(0)
		for range f.layers {
			total += totals[i]
			i++
		}
		if total > uint64(f.of.Most) && f.grid.Cells() > 1 {
			f.of.Coarsen(&f.grid)
			some = true
		}
	}
	return some
}

// setEntries says where the entries of each layer are.
func (b *sweeps) setEntries(s *Session, totals []uint64) error {
	s.device.perBox = 0
	for _, n := range totals {
		s.device.perBox += float64(n) / float64(b.boxed)
	}
	all := uint64(0)
	for i, l := range b.layers {
		l.entry, l.entries, l.tiles = int(all), int(min(totals[i], most)), int(min((totals[i]+tile-1)/tile, most))
		if all += uint64(l.tiles) * tile; totals[i] > most || all > most {
			// The entries take 8 GiB or more. The caller divides the call into slabs.
			return &OverBudget{s.held + 8*int64(min(all, math.MaxInt64/16)), s.budget}
		}
	}
	return nil
}

// entryItems returns the number of entries, tiles and all.
func (b *sweeps) entryItems() int {
	l := b.layers[len(b.layers)-1]
	return l.entry + l.tiles*tile
}

// place makes the entries of all layers, in the order of their cells.
func (b *sweeps) place(s *Session) error {
	n := b.entryItems()
	for i := range b.keys { // The values of the boxes have been read.
		s.release(&b.keys[i])
		s.release(&b.values[i])
	}
	if err := b.reserveSort(s, n); err != nil {
		return err
	}
	if err := b.sortEntries(s, n); err != nil {
		return err
	}
	b.freeScratch(s)
	if err := s.reserve(&b.starts, 4*b.cells); err != nil {
		return err
	}
	return b.findStarts(s)
}

// sortEntries makes at most n entries and sorts them by their cells.
func (b *sweeps) sortEntries(s *Session, n int) error {
	width := 0
	for _, f := range b.families {
		width = max(width, bits.Len(uint(f.grid.Cells()*b.meshAt.copies-1)))
	}
	err := s.on.launch("broad_entries", b.items/group, b.plan(s, b.boxes.arg(), b.before.arg(), b.sums.arg(),
		b.entries.arg(), b.keys[0].arg(), b.values[0].arg())...)
	if err != nil {
		return err
	}
	if err := b.sort(s, segments{b.entries, 0}, n, 0, width); err != nil {
		return err
	}
	b.cellOf, b.keys[0] = b.keys[0], array{}
	b.ents, b.values[0] = b.values[0], array{}
	return nil
}

// findStarts finds the first entry of each cell.
func (b *sweeps) findStarts(s *Session) error {
	return s.launch("broad_starts", b.cells, b.at.arg(), uintArg(b.table), uintArg(len(b.layers)), b.cellOf.arg(),
		b.entries.arg(), uintArg(b.cells), b.starts.arg())
}

// count counts the pairs of each query of all lists.
func (b *sweeps) count(s *Session) error {
	n := b.entryItems()
	if err := b.reserveSums(s, n); err != nil {
		return err
	}
	if err := b.countPairs(s, n, sumsTo{entries: new(array), totals: new(array)}); err != nil {
		return err
	}
	return b.readGroups(s)
}

// countPairs counts the pairs of each of at most n entries.
func (b *sweeps) countPairs(s *Session, n int, to sumsTo) error {
	if err := s.on.launch("sweep_count", n/group, b.sweep(s, b.before.arg(), b.sums.arg())...); err != nil {
		return err
	}
	return b.addUp(s, segments{b.entries, 0}, to)
}

// readGroups reads how many pairs there are before each group of queries, unless that is known.
func (b *sweeps) readGroups(s *Session) error {
	if b.grouped {
		return nil
	}
	sums := make([]uint64, len(b.layers)+b.entryItems()/group)
	if err := download(&s.memory, sums, &b.sums); err != nil {
		return err
	}
	for _, p := range b.passes {
		l := b.layers[p.layer]
		first := len(b.layers) + l.entry/group
		p.total, p.groups = sums[p.layer], sums[first:first+(l.entries+group-1)/group]
	}
	b.grouped = true
	return nil
}

// sweep returns the arguments SWEEP of broad.cl and some more.
func (b *sweeps) sweep(s *Session, more ...argument) []argument {
	return append(b.plan(s, b.boxes.arg(), b.ents.arg(), b.cellOf.arg(), b.starts.arg(), b.entries.arg()), more...)
}

// forget frees what Plan made.
func (b *sweeps) forget(s *Session) {
	b.families, b.layers, b.passes, b.grouped = nil, nil, nil, false
	b.ahead.forget()
	b.forgetArrays(s)
}

// forgetArrays frees the memory of a plan.
func (b *sweeps) forgetArrays(s *Session) {
	b.freeScratch(s)
	for _, a := range []*array{&b.packet, &b.boxes, &b.cellOf, &b.ents, &b.starts, &b.entries, &b.before, &b.sums,
		&b.pairs} {
		s.release(a)
	}
}

// freeScratch frees the memory that only Plan needs.
func (b *sweeps) freeScratch(s *Session) {
	for _, a := range []*array{&b.keys[0], &b.keys[1], &b.values[0], &b.values[1], &b.counts, &b.blockSums} {
		s.release(a)
	}
}

// free frees all memory.
func (b *sweeps) free(s *Session) {
	b.forget(s)
	s.release(&b.mesh)
	b.unsent = nil
}
