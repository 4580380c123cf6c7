package gpu

import (
	"cmp"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/simd/pairs"
)

// Law 5: the lists of the broad phase are those of package pairs, in their order, whatever the
// memory. Package pairs is tested against all pairs, core/broad against the processor's sweep.

// randomTriangles returns a scene of testTriangles with random options.
func randomTriangles(r *rand.Rand, n int) *broadScene {
	c := testTriangles(n)
	for i := range c.rec {
		c.rec[i] *= 0.5 + r.Float64()
	}
	if r.IntN(2) == 0 {
		c.mesh.Group = nil
	}
	if r.IntN(2) == 0 {
		c.mesh.Static = nil
	}
	if worlds := 1 + r.IntN(9); n%worlds == 0 {
		c.mesh.Worlds, c.mesh.Vertices = worlds, 3*n
	}
	if r.IntN(2) == 0 {
		c.space.Each, c.space.Inflation = nil, r.Float64()*0.01
	}
	switch r.IntN(4) {
	case 0:
		c.space.T = r.Float64()
	case 1:
		c.space.Exact = true
	case 2:
		c.space.Slab = &pairs.Slab{Axis: r.IntN(3), Lo: r.Float64() - 0.7, Hi: r.Float64() + 0.1}
	}
	c.space.Order = [][8]int32{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}[r.IntN(3)]
	for i := range c.families {
		f := &c.families[i]
		f.Most = int64(r.IntN(20 * n))
		for range r.IntN(3) * n {
			a, b := uint64(r.IntN(3*n)), uint64(r.IntN(n))
			f.Excluded = append(f.Excluded, min(a, b)<<32|max(a, b))
		}
		slices.Sort(f.Excluded)
		if r.IntN(3) == 0 {
			f.A.IDs = []int32{}
			for id := range int32(f.A.N) {
				if r.IntN(3) > 0 {
					f.A.IDs = append(f.A.IDs, id)
				}
			}
			f.A.N = len(f.A.IDs)
		}
	}
	return c
}

func TestDeviceLaw6SameLists(t *testing.T) {
	d := need(t)
	r := rand.New(rand.NewPCG(5, 1))
	scenes := 25
	if testing.Short() {
		scenes = 8
	}
	s := d.NewSession()
	defer s.Close()
	total := int64(0)
	for i := range scenes {
		s.broad.manyTiles = []int{manyTiles, 0}[i%2]
		c := randomTriangles(r, 1+r.IntN(500))
		if err := s.Load(c.rec); err != nil {
			t.Fatal(err)
		}
		if err := s.LoadMesh(&c.mesh); err != nil {
			t.Fatal(err)
		}
		if err := s.comparePlan(c); err != nil {
			t.Fatalf("scene %d: %v", i, err)
		}
		for _, p := range s.broad.passes {
			total += int64(p.total)
		}
	}
	if total < 10000 {
		t.Errorf("%d pairs: the test shows little", total)
	}
	t.Logf("%d pairs", total)
}

// A sort of several segments is stable, whatever their lengths, with and without sums of blocks.
func TestDeviceSorts(t *testing.T) {
	d := need(t)
	r := rand.New(rand.NewPCG(5, 6))
	s := d.NewSession()
	defer s.Close()
	for trial, lengths := range [][]int{{1}, {0, 2048, 0, 2049, 5, 0}, {70*tile + 9, 0, 3000, 65 * tile}} {
		b := &s.broad
		b.manyTiles = []int{manyTiles, 0, 0}[trial]
		var at, keys, values []uint32
		for _, n := range lengths {
			b.layers = append(b.layers, &layer{})
			at = append(at, uint32(len(keys)), uint32(n))
			for i := range (n + tile - 1) / tile * tile {
				keys, values = append(keys, r.Uint32()>>r.IntN(32)), append(values, uint32(i))
			}
		}
		var segment array
		n, bits := len(keys), 32
		if trial == 1 {
			bits = 13
		}
		if err := errors.Join(upload(&s.memory, &segment, at), b.reserveSort(s, n),
			upload(&s.memory, &b.keys[0], keys), upload(&s.memory, &b.values[0], values),
			b.sort(s, segments{segment, 0}, n, 0, bits)); err != nil {
			t.Fatal(err)
		}
		gotKeys, gotValues := make([]uint32, n), make([]uint32, n)
		if err := errors.Join(download(&s.memory, gotKeys, &b.keys[0]),
			download(&s.memory, gotValues, &b.values[0])); err != nil {
			t.Fatal(err)
		}
		mask := uint32(1<<((bits+7)/8*8) - 1)
		for l, n := range lengths {
			from := int(at[2*l])
			order := make([]int, n)
			for i := range order {
				order[i] = i
			}
			slices.SortStableFunc(order, func(i, j int) int {
				return cmp.Compare(keys[from+i]&mask, keys[from+j]&mask)
			})
			for i, j := range order {
				if gotKeys[from+i] != keys[from+j] || gotValues[from+i] != uint32(j) {
					t.Fatalf("trial %d, segment %d: key %d is %x of %d, want %x of %d", trial, l, i, gotKeys[from+i],
						gotValues[from+i], keys[from+j], j)
				}
			}
		}
		s.release(&segment)
		b.forget(s)
	}
}

// The narrow phase of a window is that of the same pairs when the caller lists them.
func TestDeviceLaw6Windows(t *testing.T) {
	d := need(t)
	s := d.NewSession()
	defer s.Close()
	c := testTriangles(400)
	if err := errors.Join(s.Load(c.rec), s.LoadMesh(&c.mesh)); err != nil {
		t.Fatal(err)
	}
	totals, room, err := s.Plan(&c.space, c.families)
	if err != nil || room != mostWindow {
		t.Fatal(room, err)
	}
	left := 0
	for list, total := range totals {
		face := list < 2
		for _, sep := range []float64{0, 0.01} {
			for from, n := int64(0), int64(0); from < total; from += n {
				n = min(total-from, 1+total/3)
				all := make([][2]int32, n)
				if err := s.Pairs(list, from, all); err != nil {
					t.Fatal(err)
				}
				var idx [][4]int32
				for _, p := range all {
					e, f, g := c.mesh.Edges[2*min(int(p[0]), 1199):], c.mesh.Faces[3*min(int(p[1]), 399):],
						c.mesh.Edges[2*p[1]:]
					if face {
						idx = append(idx, [4]int32{p[0], f[0], f[1], f[2]})
					} else {
						idx = append(idx, [4]int32{e[0], e[1], g[0], g[1]})
					}
				}
				want := first(c.rec, idx, face, 0.8, sep)
				var got pairs.Found
				if err := s.FirstOf(list, face, from, int(n), 0.8, sep, &got); err != nil {
					t.Fatal(err)
				}
				var kept [][2]int32
				for _, i := range want.list {
					kept = append(kept, all[i])
				}
				if !slices.Equal(got.Pairs, kept) || !slices.Equal(got.Masks, want.mask) ||
					!slices.Equal(got.TOI, want.toi) || !slices.Equal(got.State, want.state) {
					t.Fatalf("list %d from %d, separation %v: %d pairs left, want %d",
						list, from, sep, len(got.Pairs), len(kept))
				}
				left += len(kept)
			}
		}
	}
	if left < 100 {
		t.Errorf("%d pairs left: the test shows little", left)
	}
	if s.Pairs(0, totals[0]-1, make([][2]int32, 2)) == nil || s.Pairs(3, 0, make([][2]int32, 1)) == nil {
		t.Error("pairs that do not exist are no error")
	}
}

// A session never holds more than its budget: it finds the lists within it, or says that it cannot.
func TestDeviceLaw6Budget(t *testing.T) {
	d := need(t)
	c := testTriangles(300)
	within, over := 0, 0
	for bytes := uint64(1 << 12); bytes < 1<<22; bytes += bytes / 4 {
		s := d.NewSession()
		s.Limit(bytes)
		err := s.Load(c.rec)
		if err == nil {
			err = s.LoadMesh(&c.mesh)
		}
		if err == nil {
			err = s.comparePlan(c)
		}
		var beyond *OverBudget
		switch {
		case err == nil:
			within++
			totals, room, _ := s.Plan(&c.space, c.families)
			for i, n := range totals {
				if e := s.FirstOf(i, i < 2, 0, int(min(n, int64(room))), 1, 0, new(pairs.Found)); e != nil {
					t.Errorf("%d bytes: %v", bytes, e)
				}
			}
		case errors.As(err, &beyond) && beyond.Need > beyond.Budget && beyond.Budget == int64(bytes):
			over++
		default:
			t.Errorf("%d bytes: %v", bytes, err)
		}
		if _, peak := s.Used(); peak > int64(bytes) {
			t.Errorf("%d bytes: the session held %d", bytes, peak)
		}
		s.Close()
		if s.held != 0 {
			t.Errorf("%d bytes are held after the session", s.held)
		}
	}
	if within < 3 || over < 3 {
		t.Errorf("%d budgets were enough and %d were not: the test shows little", within, over)
	}
}

// The self-test finds defects of the broad phase's kernels.
func TestDeviceLaw3RefusesOtherLists(t *testing.T) {
	long.Test(t)
	need(t)
	list, _ := listDevices()
	index := slices.IndexFunc(list, func(d Info) bool { return d.driver != cuda && d.Refused == "" })
	if index < 0 {
		t.Skip("no device of OpenCL, whose driver compiles what is changed here")
	}
	source := Program()
	changes := map[string][2]string{
		"boxes that do not grow": {
			"const float lo = z - more, minus = -z - more;", "const float lo = z - more, minus = -z;",
		},
		"an unstable sort": {
			"const uint x = count[16 * LANE() + j];\n            count[16 * LANE() + j] = (ushort)here;",
			"const uint x = count[16 * LANE() + 15 - j];\n            count[16 * LANE() + 15 - j] = (ushort)here;",
		},
		"a digit's tiles in disorder": {
			"before += t < tile ? x : 0;\n        }\n    }", "before += t > tile ? x : 0;\n        }\n    }",
		},
		"a pair at two homes": {
			"if (cell_of(u->k, axis, v < w ? w : v) != ", "if (axis && cell_of(u->k, axis, v < w ? w : v) != ",
		},
		"copies in one place":  {"return world ? id / world * rows : 0;", "return 0;"},
		"equal minima dropped": {"(mode == SECOND && y == begin)", "(mode == 9 && y == begin)"},
		"equal minima twice":   {"(mode == SECOND && y == begin)", "(y == begin)"},
		"one end compared": {
			"(y->ends[k] > -x->ends[6 + k] && y->ends[3 + k] > -x->ends[9 + k])", "(y->ends[k] > -x->ends[6 + k])",
		},
		"a shared vertex": {
			"for (uint w = 0; w < t->width; w++) {\n            if (vertex_of(q",
			"for (uint w = 1; w < t->width; w++) {\n            if (vertex_of(q",
		},
		"groups ignored":          {"(x->group >= 0 && x->group == y->group)", "(x->group > 900)"},
		"static vertices ignored": {"x->id & y->id & STATIC)", "x->id & 0)"},
		"the slab's end":          {"larger >= u->k[K_SLAB + 1]", "larger > 1e9"},
		"excluded pairs":          {"u->excluded[lo] == pair", "u->excluded[lo] == pair + 1"},
		"doubles rounded inwards": {"*hi = add_up(*hi, r);", "*hi = *hi;"},
		"a window's first pair":   {"if (pairs && position >= from)", "if (pairs && position > from)"},
		"the end of time":         {"if (end && k[1] < 1)", "if (end && k[1] < 0)"},
		"the least inflation":     {"most = r > most ? r : most;", "most = r;"},
		"first pairs left out":    {"many[place] = sums[l] < each ? (uint)sums[l] : each;", "many[place] = 1;"},
		"first pairs elsewhere":   {"pairs += 2 * (size_t)each * place;", "pairs += 0;"},
		"queries without number":  {"| i << 8;", "| 0;"},
		"lists that are longer":   {"totals[place + l] = sum;", "totals[place + l] = sum + 1;"},
	}
	for i, name := range slices.Sorted(maps.Keys(changes)) {
		if testing.Short() && i%4 != 0 { // a device takes a second or two to compile the kernels
			continue
		}
		change := changes[name]
		if strings.Count(source, change[0]) != 1 {
			t.Fatalf("%s: the program has %q %d times", name, change[0], strings.Count(source, change[0]))
		}
		d, err := open(list, index, strings.ReplaceAll(source, change[0], change[1]), buildOptions)
		if err == nil {
			d.on.close()
			t.Errorf("%s: the device passes the self-test", name)
		} else if !strings.Contains(err.Error(), "self-test") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
